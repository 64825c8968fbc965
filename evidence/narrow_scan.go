package evidence

import (
	"bytes"
	"strings"

	"github.com/acta-git/acta/evidence/language"
)

// scanner follows what is open from line to line: brackets, comments, and texts that span lines. Where it is wrong
// about a text, parts are wider than they have to be, or what Narrow leaves cannot be parsed.
type scanner struct {
	*layout
	depth int
	// round counts the round brackets that are open; bodied: a function's header has ended. code counts what stands behind
	// one, in bytes that are no blanks, no comments and no texts.
	round  int
	bodied bool
	code   int
	// until ends the text or comment that is open, "" for none; nested counts the comments around it.
	until  string
	raw    bool // a backslash is a backslash there
	marked bool // it ends where a line begins with that
	nested int
}

func (s *scanner) closed() bool { return s.depth == 0 && s.until == "" }

// read goes over a line, its end included.
func (s *scanner) read(line []byte) {
	for i := 0; i < len(line); {
		if s.until != "" {
			i += s.inText(line[i:])
			continue
		}
		b := line[i]
		if s.bodied && b > ' ' {
			s.code++
		}
		switch b {
		case '(', '[', '{':
			s.depth++
			s.bodied = s.bodied || b == '{' && s.round == 0 && s.braced
			if b == '(' {
				s.round++
			}
		case ')', ']', '}':
			s.depth--
			if b == ')' {
				s.round--
			}
		case ':':
			s.bodied = s.bodied || s.depth == 0 && !s.braced && len(bytes.TrimSpace(line[i+1:])) == 0
		case '"', '\'', '`', '/', '#', 'r', '@', '<':
			n, ends := s.opens(line, i)
			if ends {
				return
			}
			i += n
			continue
		}
		i++
	}
	if len(s.until) == 1 && !s.marked && !strings.Contains(s.spanning, s.until) {
		s.until = "" // such a text ends with its line
	}
}

// inText goes over text up to its end.
func (s *scanner) inText(rest []byte) int {
	if s.marked {
		behind, ok := bytes.CutPrefix(bytes.TrimLeft(rest, " \t"), []byte(s.until))
		if !ok || len(behind) > 0 && language.IsWordByte(behind[0]) {
			return len(rest)
		}
		s.until, s.marked = "", false
		return len(rest) - len(behind)
	}
	for i := 0; i < len(rest); i++ {
		switch {
		case rest[i] == '\\' && !s.raw:
			i++
		case s.nests && s.until == "*/" && bytes.HasPrefix(rest[i:], []byte("/*")):
			s.nested++
			i++
		case rest[i] == s.until[0] && bytes.HasPrefix(rest[i:], []byte(s.until)):
			i += len(s.until)
			if s.nested > 0 {
				s.nested--
			} else {
				s.until = ""
			}
			return i
		}
	}
	return len(rest)
}

// opens looks at a mark that may begin a text or a comment: how many bytes it takes, and whether the rest of the line
// is a comment.
func (s *scanner) opens(line []byte, i int) (taken int, ends bool) {
	rest := line[i:]
	begin := func(mark, until string, raw bool) (int, bool) {
		s.until, s.raw = until, raw
		return len(mark), false
	}
	for _, mark := range s.texts {
		if bytes.HasPrefix(rest, []byte(mark)) {
			return begin(mark, mark, false)
		}
	}
	switch rest[0] {
	case '#':
		if s.hash {
			return 0, true
		}
	case '/':
		switch {
		case s.slashes && bytes.HasPrefix(rest, []byte("//")):
			return 0, true
		case s.slashes && bytes.HasPrefix(rest, []byte("/*")):
			return begin("/*", "*/", true)
		case s.patterns && mayBePattern(line[:i]):
			return patternLength(rest), false
		}
	case '<':
		if s.heredoc && bytes.HasPrefix(rest, []byte("<<<")) {
			if m := heredoc.InBytes(rest).FindSubmatch(rest); m != nil {
				s.until, s.marked = string(m[1]), true
				return 0, true
			}
		}
	case 'r':
		if s.rawHash && (i == 0 || !language.IsWordByte(line[i-1])) {
			hashes := len(rest[1:]) - len(bytes.TrimLeft(rest[1:], "#"))
			if bytes.HasPrefix(rest[1+hashes:], []byte(`"`)) {
				return begin(string(rest[:2+hashes]), `"`+strings.Repeat("#", hashes), true)
			}
		}
	case '@':
		if s.verbatim && bytes.HasPrefix(rest, []byte(`@"`)) {
			return begin(`@"`, `"`, true)
		}
	default:
		if strings.IndexByte(s.quotes, rest[0]) >= 0 {
			if rest[0] == '\'' && s.letters {
				return letterLength(rest), false
			}
			return begin(string(rest[:1]), string(rest[:1]), rest[0] == '`' && s.rawTick)
		}
	}
	return 1, false
}

var heredoc = language.Lazy(`^<<<[ \t]*["']?(\w+)["']?[ \t]*\r?\n`)

// letterLength is the length of a literal of one letter, 1 where the mark is a lifetime's or a label's.
func letterLength(rest []byte) int {
	if len(rest) > 2 && rest[1] == '\\' {
		if end := bytes.IndexByte(rest[3:], '\''); end >= 0 && end < 10 {
			return end + 4
		}
		return 1
	}
	if end := bytes.IndexByte(rest[1:], '\''); end > 0 && end <= 4 {
		return end + 2
	}
	return 1
}

// mayBePattern reports whether a slash stands where an operand does.
func mayBePattern(before []byte) bool {
	before = bytes.TrimRight(before, " \t")
	if len(before) == 0 {
		return true
	}
	last := before[len(before)-1]
	return strings.IndexByte("(,=:[!&|?{};~>", last) >= 0 || bytes.HasSuffix(before, []byte("return"))
}

// patternLength is the length of a regular expression, 1 where it does not end on its line.
func patternLength(rest []byte) int {
	set := false
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '[':
			set = true
		case ']':
			set = false
		case '/':
			if !set {
				return i + 1
			}
		case '\n':
			return 1
		}
	}
	return 1
}
