package lang

import "bytes"

// Newer is a construct that came after a grammar, which Readable takes out of a source.
type Newer struct {
	// Word is what every occurrence begins with.
	Word string
	// Here is what an occurrence looks like, from its Word on; its first group is what the grammar cannot read. Where the
	// group has no part in a match, all can be read.
	Here Pattern
	// After are the characters of which one stands before it, blanks left out; "" for any.
	After string
	// As stands in the place of the group, filled up with blanks.
	As string
}

// maxNewer is how much of an occurrence is looked at, in bytes.
const maxNewer = 256

// readableAs returns src as a grammar can read it that does not know of these; src itself is not changed. A
// word in a string or a comment may be taken for one: what is replaced there is none of the grammar's business.
func readableAs(src []byte, all []Newer) []byte {
	out := src
	for i := range all {
		out = all[i].replace(src, out)
	}
	return out
}

func (n *Newer) replace(src, out []byte) []byte {
	for at := 0; ; at += len(n.Word) {
		next := bytes.Index(src[at:], []byte(n.Word))
		if next < 0 {
			return out
		}
		at += next
		if at > 0 && IsWordByte(n.Word[0]) && IsWordByte(src[at-1]) || n.After != "" && !follows(src[:at], n.After) {
			continue
		}
		near := src[at:min(len(src), at+maxNewer)]
		m := n.Here.InBytes(near).FindSubmatchIndex(near)
		if m == nil || m[2] < 0 {
			continue
		}
		out = Writable(src, out)
		group := out[at+m[2] : at+m[3]]
		for i := range group {
			group[i] = ' '
		}
		copy(group, n.As)
	}
}

// Writable is out, or a copy of src where out is src itself: a rewrite of a source copies it at its first change.
func Writable(src, out []byte) []byte {
	if len(src) > 0 && &out[0] == &src[0] {
		return bytes.Clone(src)
	}
	return out
}

// follows reports whether the last character of a source that is not blank is one of some.
func follows(before []byte, some string) bool {
	before = bytes.TrimRight(before[max(0, len(before)-maxNewer):], " \t\r\n")
	return len(before) > 0 && bytes.IndexByte([]byte(some), before[len(before)-1]) >= 0
}
