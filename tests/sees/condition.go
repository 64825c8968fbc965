package sees

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/language"
)

// mayAnswer reports whether the file may hold a branch that answers a literal to the inputs of a test: one plain value
// may have an answer of its own. Where a condition cannot be told from what follows it, it may.
func (n *newLines) mayAnswer() bool {
	for at := nextIf(n.after, 0); at >= 0; at = nextIf(n.after, at) {
		condition, then, told := n.conditionAt(at)
		inputs := compared.FindAllString(string(condition))
		if asksTwo(inputs) && (told == unsure || told == sure && answered.Match(then)) {
			return true
		}
	}
	return false
}

// told is how sure it is what the condition of a branch is.
type told uint8

const (
	none told = iota // there is no branch
	unsure
	sure
)

// nextIf is where what follows the next word that begins a branch stands, -1 behind the last one.
func nextIf(src []byte, at int) int {
	for {
		i := bytes.Index(src[at:], []byte("if"))
		if i < 0 {
			return -1
		}
		from := at + i
		if at = from + len("if"); at < len(src) && language.IsWordByte(src[at]) {
			continue
		}
		for _, begin := range []string{"els", "el"} {
			if bytes.HasSuffix(src[:from], []byte(begin)) {
				from -= len(begin)
				break
			}
		}
		if from == 0 || !language.IsWordByte(src[from-1]) {
			return at
		}
	}
}

// asksTwo reports whether literals are more than one plain value.
func asksTwo(inputs []string) bool {
	return len(inputs) > 1 || len(inputs) == 1 && strings.ContainsAny(inputs[0], "[({")
}

var (
	// answered matches what follows a condition, where that is nothing but a literal; one line of a test has it.
	answered = language.Lazy(`^(?:[\s:]|//.*\n|/\*(?s:.*?)\*/|#.*\n)*[\s{:]*(?:return\s+)?(?:[\[({][^\[({\n]*[\])}]|` +
		`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|-?\d[\d_.]*|true|false|True|False)` +
		`\s*(?:[;}),#/]|\n|else\b|end\b|$)`)
	// macro matches a condition that is the call of one, without brackets around it.
	macro = language.Lazy(`^\s*(constexpr\b|\w+\()`)
	// wide matches conditions that may hold blocks of their own.
	wide = language.Lazy(`\b(func|fn|match|unsafe|async|struct|interface|loop|if|switch|do|try|lambda)\b`)
)

const (
	// maxCondition is how long a condition may be, in bytes; a longer one is not told from what follows. maxGuessed is
	// how much is looked at where one is not told.
	maxCondition, maxGuessed = 4 << 10, 1 << 10
	// maxThen is how much of what follows one is looked at.
	maxThen = 1 << 10
)

// ending is what the condition of a branch ends with.
type ending uint8

const (
	byLine ending = iota // which is not told
	byBracket
	byBrace
	byColon
)

// conditionEnds are how the conditions of languages end.
var conditionEnds = map[string]ending{
	"c": byBracket, "cpp": byBracket, "java": byBracket, "csharp": byBracket, "php": byBracket, "javascript": byBracket,
	"typescript": byBracket, "tsx": byBracket, "kotlin": byBracket, "go": byBrace, "rust": byBrace, "swift": byBrace,
	"python": byColon,
}

// conditionAt is the condition that stands at a place and what follows it; where it is not sure where that begins, what
// stands there.
func (n *newLines) conditionAt(at int) (condition, then []byte, is told) {
	rest, guessed := n.after[at:min(len(n.after), at+maxCondition)], n.after[at:min(len(n.after), at+maxGuessed)]
	by, begin := conditionEnds[n.name], 0
	if by == byLine {
		return guessed, nil, unsure
	}
	if n.isCommented(at) {
		return nil, nil, none
	}
	if by == byBracket {
		begin = len(rest) - len(bytes.TrimLeft(rest, " \t\r\n"))
		switch {
		case macro.Match(rest) || begin < len(rest) && rest[begin] == '/':
			return guessed, nil, unsure
		case begin == len(rest) || rest[begin] != '(':
			return nil, nil, none
		}
	}
	end, is := endOf(rest[begin:], by, n.name)
	end += begin
	if is == sure && by == byColon && len(bytes.TrimSpace(rest[:end])) == 0 {
		return nil, nil, none // prose, perhaps
	}
	if is == sure && by != byBracket && (wide.Match(rest[:end]) || !endsOperand(rest[:end])) {
		is = unsure
	}
	if is != sure {
		return guessed, nil, is
	}
	from := at + end
	return rest[:end], n.after[from:min(len(n.after), from+maxThen)], sure
}

// isCommented reports whether a place stands behind the mark of a comment that no text can hold, or in a directive.
func (n *newLines) isCommented(at int) bool {
	above := n.after[bytes.LastIndexByte(n.after[:at], '\n')+1 : at]
	mark := "//"
	if n.name == "python" {
		mark = "#"
	}
	before, _, commented := bytes.Cut(above, []byte(mark))
	directive := n.name != "python" && bytes.HasPrefix(bytes.TrimSpace(above), []byte("#"))
	return directive || commented && !bytes.ContainsAny(before, "\"'`")
}

// endOf is where a condition ends.
func endOf(src []byte, by ending, name string) (end int, is told) {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch b := src[i]; b {
		case '"', '\'', '`':
			if bytes.HasPrefix(src[i+1:], []byte{b, b}) {
				return 0, unsure // a text over several lines
			}
			if text := endOfText(src, i); text > 0 {
				i = text
			} else if b == '`' {
				return 0, unsure
			}
		case '/', '#':
			if b == '#' && name == "python" || bytes.HasPrefix(src[i:], []byte("//")) && name != "python" ||
				bytes.HasPrefix(src[i:], []byte("/*")) {
				return 0, unsure // a comment, which may hold anything
			}
		case '(', '[', '{':
			if b == '{' && depth == 0 && by == byBrace {
				return i, sure
			}
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return 0, none
			}
			if depth == 0 && by == byBracket {
				return i + 1, sure
			}
		case ':':
			if depth == 0 && by == byColon && (i+1 == len(src) || src[i+1] != '=') {
				return i, sure
			}
		case '\n':
			if depth == 0 && (name == "python" && src[max(0, i-1)] != '\\' || name == "go" && endsOperand(src[:i])) {
				return 0, none // the statement ends
			}
		}
	}
	return 0, unsure
}

// endsOperand reports whether a text ends with an operand: what follows is no part of the expression.
func endsOperand(text []byte) bool {
	text = bytes.TrimRight(text, " \t\r\n")
	return len(text) > 0 && (language.IsWordByte(text[len(text)-1]) ||
		bytes.IndexByte([]byte(")]}\"'`?!"), text[len(text)-1]) >= 0)
}

// endOfText is where the text ends that begins at a place; 0 where it does not end on its line: it is none then, but a
// lifetime, or an apostrophe in prose.
func endOfText(src []byte, at int) int {
	for i := at + 1; i < len(src) && src[i] != '\n'; i++ {
		switch src[i] {
		case '\\':
			i++
		case src[at]:
			return i
		}
	}
	return 0
}

// marks begin or end comments and bare texts.
var marks = []string{`"""`, `'''`, "/*", "*/", "//", "--", "#"}

// maxMarks is how many of them a line may hold; one with more may leave anything.
const maxMarks = 4

// leavesAny reports whether one of the texts that a line may be without its comments is such.
func leavesAny(line []byte, is func(line []byte) bool) bool {
	var at []stretch
	for i := 0; i < len(line); {
		k := slices.IndexFunc(marks, func(m string) bool { return bytes.HasPrefix(line[i:], []byte(m)) })
		if k < 0 {
			i++
			continue
		}
		at = append(at, stretch{i, i + len(marks[k])})
		i += len(marks[k])
	}
	if len(at) > maxMarks {
		return true
	}
	if is(line) {
		return true
	}
	for _, end := range at { // it may begin in a comment
		if leavesMore(blanked(line, 0, end.end), at, end.end, is) {
			return true
		}
	}
	return leavesMore(line, at, 0, is)
}

// stretch is where a mark stands in a line.
type stretch struct{ start, end int }

// leavesMore is leavesAny for what stands behind a place.
func leavesMore(line []byte, at []stretch, from int, is func(line []byte) bool) bool {
	if from > 0 && is(line) {
		return true
	}
	for _, begin := range at {
		if begin.start < from {
			continue
		}
		for _, end := range at {
			if end.start >= begin.end && leavesMore(blanked(line, begin.start, end.end), at, end.end, is) {
				return true
			}
		}
		if is(blanked(line, begin.start, len(line))) {
			return true
		}
	}
	return false
}

// blanked is a line with blanks in the place of a part of it.
func blanked(line []byte, from, to int) []byte {
	line = slices.Clone(line)
	for i := from; i < to; i++ {
		line[i] = ' '
	}
	return line
}
