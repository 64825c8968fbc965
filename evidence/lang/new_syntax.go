package lang

import "bytes"

// NewSyntax is a construct that is newer than the grammar; Parsable takes it out of the source.
type NewSyntax struct {
	// Word is the beginning of every occurrence.
	Word string
	// Match matches an occurrence from its Word on; its first group is unknown to the grammar. If the group does not
	// take part in a match, the grammar can read everything.
	Match Pattern
	// After lists the characters that may precede it, blanks skipped; "" for any.
	After string
	// Replacement replaces the group, padded with blanks.
	Replacement string
}

// maxNewSyntax is how far an occurrence is read, in bytes.
const maxNewSyntax = 256

// replaceNewSyntax returns src with new constructs replaced; src itself is not changed. Matches in strings and comments
// may be replaced too: the grammar does not read those.
func replaceNewSyntax(src []byte, all []NewSyntax) []byte {
	out := src
	for i := range all {
		out = all[i].replace(src, out)
	}
	return out
}

func (n *NewSyntax) replace(src, out []byte) []byte {
	for at := 0; ; at += len(n.Word) {
		next := bytes.Index(src[at:], []byte(n.Word))
		if next < 0 {
			return out
		}
		at += next
		if at > 0 && IsWordByte(n.Word[0]) && IsWordByte(src[at-1]) || n.After != "" && !endsWithOneOf(src[:at], n.After) {
			continue
		}
		near := src[at:min(len(src), at+maxNewSyntax)]
		m := n.Match.InBytes(near).FindSubmatchIndex(near)
		if m == nil || m[2] < 0 {
			continue
		}
		out = Writable(src, out)
		group := out[at+m[2] : at+m[3]]
		for i := range group {
			group[i] = ' '
		}
		copy(group, n.Replacement)
	}
}

// Writable returns out, or a copy of src if out still is src: a rewrite copies the source at its first change.
func Writable(src, out []byte) []byte {
	if len(src) > 0 && &out[0] == &src[0] {
		return bytes.Clone(src)
	}
	return out
}

// endsWithOneOf reports whether the last character that is not blank is one of some.
func endsWithOneOf(before []byte, some string) bool {
	before = bytes.TrimRight(before[max(0, len(before)-maxNewSyntax):], " \t\r\n")
	return len(before) > 0 && bytes.IndexByte([]byte(some), before[len(before)-1]) >= 0
}
