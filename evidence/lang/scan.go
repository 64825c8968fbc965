package lang

// SkippedSpans finds where tests do not run: inside calls that skip them, or after a mark of the file. A call inside
// another belongs to it. inComment reports whether a byte is in a comment.
func (l *Language) SkippedSpans(src []byte, inComment func(at int) bool) (found []Span) {
	for at := 0; ; {
		call := l.SkipStart.FindIndex(src[at:])
		if call == nil {
			return found
		}
		begin := at + call[0]
		at += call[1]
		switch {
		case inComment(begin):
			continue
		case src[at-1] != '(':
			return append(found, Span{Start: begin, End: len(src)})
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
