package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// A function is a definition with a body of its own lines. Lines count from 1.
type function struct {
	Path, Name string
	Start, End int
	bodyStart  int // the first line of the body; 0 where the body shares a line with the header
	lines      []string
	kinds      []lineKind // of each line
	dialect    *dialect
	member     bool
	tests      bool // it lies in a file of tests
}

func (f *function) header() string {
	return strings.Join(f.lines[f.Start-1:max(f.bodyStart-1, f.Start)], "\n")
}

// bodyEnd is the last line of the body.
func (f *function) bodyEnd() int {
	if f.dialect.layout == indent {
		return f.End
	}
	return f.End - 1
}

func (f *function) body() string {
	if f.bodyStart == 0 {
		return ""
	}
	return strings.Join(f.lines[f.bodyStart-1:f.bodyEnd()], "\n")
}

// code counts the lines of the body that hold code.
func (f *function) code() int {
	if f.bodyStart == 0 {
		return 0
	}
	n := 0
	for _, k := range f.kinds[f.bodyStart-1 : f.bodyEnd()] {
		if k == codeLine {
			n++
		}
	}
	return n
}

var (
	saysStub = regexp.MustCompile(
		`(?i)\bnot[ _-]?(yet[ _-]?)?implemented|NotImplemented|unimplemented!|\btodo!|\bTODO\(|\?\?\?`)
	leftMark = regexp.MustCompile(`\b(TODO|FIXME)\b`)
)

// isStub reports whether the function's own author says that it is not written: it would be no honest claim. Whether an
// empty body without such words is one, a person judges.
func (f *function) isStub() bool {
	body := f.body()
	if f.bodyStart == 0 {
		body = f.lines[f.Start-1]
	}
	code := f.code()
	return code == 0 && leftMark.MatchString(body) || code <= 2 && saysStub.MatchString(body)
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// functionsOf finds the functions of a source. tags are what ctags found in it.
func functionsOf(src *source, tags []start) []*function {
	d := dialectOf(src.path)
	lines := strings.Split(string(src.bytes), "\n")
	if d.header != nil {
		tags = d.starts(lines)
	}
	kinds := d.kinds(lines)
	var out []*function
	for _, s := range tags {
		if s.line < 1 || s.line > len(lines) || !strings.Contains(lines[s.line-1], s.name) || kinds[s.line-1] != codeLine {
			continue // macros mislead ctags, and so does code in a comment
		}
		if d.name == "kotlin" && !strings.Contains(lines[s.line-1], "fun ") {
			continue // a property, or a call with a block
		}
		f := &function{Path: src.path, Name: s.name, Start: s.line, lines: lines, kinds: kinds, dialect: d, member: s.member}
		f.tests = testPath.MatchString(src.path)
		switch {
		case f.findEnd() && (s.end == 0 || s.end == f.End):
			out = append(out, f)
		case s.end == s.line && f.isWhole():
			f.bodyStart, f.End = 0, s.end
			out = append(out, f)
		}
	}
	return out
}

// isWhole reports whether the function's only line holds its body, too.
func (f *function) isWhole() bool {
	line := f.lines[f.Start-1]
	for _, pair := range []string{"()", "[]", "{}"} {
		if strings.Count(line, pair[:1]) != strings.Count(line, pair[1:]) {
			return false
		}
	}
	switch f.dialect.layout {
	case indent:
		return !strings.HasSuffix(strings.TrimSpace(line), ":")
	case blocks:
		return strings.Contains(line, " do: ") || strings.HasSuffix(strings.TrimRight(line, " ;,)"), " end")
	}
	return strings.HasSuffix(strings.TrimRight(line, " ;,)"), "}")
}

var testPath = regexp.MustCompile(
	`(?i)(^|/)(tests?|spec|__tests__|testing)(/|$)|_test\.|\.test\.|\.spec\.|(^|/)test_|Tests?\.\w+$|_spec\.`)

type start struct {
	name      string
	line, end int // end is 0 where ctags does not tell it
	member    bool
}

var functionKinds = []string{"function", "func", "method", "member", "singletonMethod", "subroutine"}

// starts finds functions by their headers, where ctags has no reader.
func (d *dialect) starts(lines []string) []start {
	var out []start
	for i, line := range lines {
		if m := d.header.FindStringSubmatch(line); m != nil {
			out = append(out, start{name: m[1], line: i + 1, member: indentOf(line) != ""})
		}
	}
	return out
}

// tagsOf asks ctags for the functions of files, one file a line of names.
func tagsOf(files []string) (map[string][]start, error) {
	out := map[string][]start{}
	if len(files) == 0 {
		return out, nil
	}
	cmd := exec.Command("ctags", "--quiet", "--options=NONE", "--output-format=json", "--fields=+neKs", "-o", "-",
		"-L", "-")
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n") + "\n")
	var words bytes.Buffer // it warns of much that does not matter here
	cmd.Stderr = &words
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ctags: %w\n%s", err, words.String())
	}
	for line := range bytes.Lines(text) {
		var tag struct {
			Path, Name, Kind, Scope string
			Line, End               int
		}
		if json.Unmarshal(line, &tag) != nil || !slices.Contains(functionKinds, tag.Kind) {
			continue
		}
		name := tag.Name[strings.LastIndexAny(tag.Name, ".:")+1:]
		out[tag.Path] = append(out[tag.Path], start{name, tag.Line, tag.End, tag.Scope != ""})
	}
	return out, nil
}

// parenthesised splits s, which begins with an opening bracket, behind the bracket that closes it.
func parenthesised(s string) (inside, rest string, ok bool) {
	depth := 0
	for i, r := range s {
		switch r {
		case '(', '[':
			depth++
		case ')', ']':
			if depth--; depth == 0 {
				return s[1:i], s[i+1:], true
			}
		}
	}
	return "", s, false
}

// maxHeader is how many lines a header may have.
const maxHeader = 12

// findEnd sets where the body begins and ends; it says no where the lines leave that open.
func (f *function) findEnd() bool {
	switch f.dialect.layout {
	case indent:
		return f.findHeader(":") && f.findDedent()
	case blocks:
		return f.findHeader("") && f.findClosing("end")
	default:
		return f.findHeader("{") && f.findClosing("}")
	}
}

// findHeader reads lines until the brackets are closed and the line ends with opening.
func (f *function) findHeader(opening string) bool {
	depth := 0
	for i := f.Start; i < f.Start+maxHeader && i <= len(f.lines); i++ {
		line, _, _ := strings.Cut(f.lines[i-1], " "+f.dialect.comment)
		line = strings.TrimSpace(line)
		depth += strings.Count(line, "(") + strings.Count(line, "[") - strings.Count(line, ")") - strings.Count(line, "]")
		if depth > 0 {
			continue
		}
		if depth < 0 || line == "" || strings.HasSuffix(line, ";") || strings.Contains(line, "; ") ||
			opening == "{" && strings.HasSuffix(line, "=") {
			return false // a declaration, or an expression without a body
		}
		if f.dialect.name == "elixir" {
			opening = " do"
		}
		if opening == "" || strings.HasSuffix(line, opening) {
			f.bodyStart = i + 1
			return !f.expressionBody()
		}
	}
	return false
}

var assigned = regexp.MustCompile(`[^=!<>]=\s+[^{=]`)

// expressionBody tells whether a brace in the header belongs to an expression rather than to a body.
func (f *function) expressionBody() bool {
	_, rest, ok := strings.Cut(f.header(), f.Name+"(")
	if !ok {
		return false
	}
	for rest = "(" + rest; strings.HasPrefix(rest, "("); rest = strings.TrimSpace(rest) { // f(a)(b) has several lists
		if _, rest, ok = parenthesised(rest); !ok {
			return false
		}
	}
	switch f.dialect.name {
	case "kotlin", "scala", "ruby":
		return assigned.MatchString(rest)
	}
	return false
}

func (f *function) findDedent() bool {
	header := len(indentOf(f.lines[f.Start-1]))
	for i := f.bodyStart; i <= len(f.lines); i++ {
		line := f.lines[i-1]
		if strings.TrimSpace(line) == "" {
			continue
		}
		if len(indentOf(line)) <= header {
			break
		}
		f.End = i
	}
	return f.End >= f.bodyStart
}

func (f *function) findClosing(closing string) bool {
	header := indentOf(f.lines[f.Start-1])
	for i := f.bodyStart; i <= len(f.lines); i++ {
		line := f.lines[i-1]
		if indentOf(line) != header || strings.TrimSpace(line) == "" {
			if len(indentOf(line)) < len(header) && strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
				return false
			}
			continue
		}
		rest := strings.TrimSpace(line)
		if strings.HasPrefix(rest, closing) {
			f.End = i
			tail := strings.TrimRight(strings.TrimPrefix(rest, closing), ";,) ")
			return tail == ""
		}
		if rest != "{" && !strings.HasPrefix(rest, "#") && !strings.HasSuffix(rest, ":") {
			return false
		}
	}
	return false
}
