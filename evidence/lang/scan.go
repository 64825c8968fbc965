package lang

// What the scans of the languages share. A scan reads the bytes of a file and
// says whether it may hold a stub; where it is not sure it says that it may.

// SkipWord returns the end of the name that stands at a place, the place itself where none does.
func SkipWord(src []byte, at int) int {
	for at < len(src) && IsWordByte(src[at]) {
		at++
	}
	return at
}

// Silences finds where tests do not run: in the calls that skip them, or in all that follows a mark of the file.
func (l *Language) Silences(src []byte, inComment func(at int) bool) []Span {
	if !l.Silenced.IsSet() {
		return nil
	}
	at := l.Silenced.FindIndex(src)
	switch {
	case at == nil:
		return nil
	case src[at[1]-1] == '(':
		return CallsIn(src, l.Silenced, inComment)
	}
	return []Span{{Start: at[0], End: len(src)}}
}

// CallsIn finds calls by a pattern of how they begin, their opening bracket last, and returns where each of them
// stands. One in another is part of it. inComment tells where a comment stands.
func CallsIn(src []byte, opening Pattern, inComment func(at int) bool) (found []Span) {
	for at := 0; ; {
		call := opening.FindIndex(src[at:])
		if call == nil {
			return found
		}
		begin := at + call[0]
		if at += call[1]; inComment(begin) {
			continue
		}
		for depth := 1; at < len(src) && depth > 0; at++ {
			switch {
			case inComment(at):
			case src[at] == '(':
				depth++
			case src[at] == ')':
				depth--
			}
		}
		found = append(found, Span{Start: begin, End: at})
	}
}
