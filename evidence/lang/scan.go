package lang

// Silences finds where tests do not run: in the calls that skip them, or in all that follows a mark of the file. One
// call in another is part of it. inComment tells where a comment stands.
func (l *Language) Silences(src []byte, inComment func(at int) bool) (found []Span) {
	if !l.Silenced.IsSet() {
		return nil
	}
	for at := 0; ; {
		call := l.Silenced.FindIndex(src[at:])
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
