package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
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
	for _, k := range f.dialect.kinds(f.lines)[f.bodyStart-1 : f.bodyEnd()] {
		if k == codeLine {
			n++
		}
	}
	return n
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// functionsOf finds the functions of one source, whose bytes lie at file.
func functionsOf(file, path string, source []byte) ([]*function, error) {
	d := dialectOf(path)
	lines := strings.Split(string(source), "\n")
	starts, err := d.starts(file, lines)
	if err != nil {
		return nil, err
	}
	var out []*function
	for _, s := range starts {
		if s.line < 1 || s.line > len(lines) {
			continue
		}
		f := &function{Path: path, Name: s.name, Start: s.line, lines: lines, dialect: d, member: s.member, tests: testPath.MatchString(path)}
		if f.findEnd() && (s.end == 0 || s.end == f.End) {
			out = append(out, f)
		}
	}
	return out, nil
}

var testPath = regexp.MustCompile(`(?i)(^|/)(tests?|spec|__tests__|testing)(/|$)|_test\.|\.test\.|\.spec\.|(^|/)test_|Tests?\.\w+$|_spec\.`)

type start struct {
	name      string
	line, end int // end is 0 where ctags does not tell it
	member    bool
}

var functionKinds = []string{"function", "func", "method", "member", "singletonMethod", "subroutine"}

func (d *dialect) starts(file string, lines []string) ([]start, error) {
	if d.header != nil {
		var out []start
		for i, line := range lines {
			if m := d.header.FindStringSubmatch(line); m != nil {
				out = append(out, start{name: m[1], line: i + 1, member: indentOf(line) != ""})
			}
		}
		return out, nil
	}
	cmd := exec.Command("ctags", "--quiet", "--options=NONE", "--output-format=json", "--fields=+neKs", "-o", "-", file)
	var words bytes.Buffer // it warns of much that does not matter here
	cmd.Stderr = &words
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ctags %s: %w\n%s", filepath.Base(file), err, words.String())
	}
	var out []start
	for scan := bufio.NewScanner(bytes.NewReader(text)); scan.Scan(); {
		var tag struct {
			Name, Kind, Scope string
			Line, End         int
		}
		if json.Unmarshal(scan.Bytes(), &tag) != nil || !slices.Contains(functionKinds, tag.Kind) {
			continue
		}
		name := tag.Name[strings.LastIndexAny(tag.Name, ".:")+1:]
		out = append(out, start{name, tag.Line, tag.End, tag.Scope != ""})
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
		if depth < 0 || strings.HasSuffix(line, ";") || strings.Contains(line, "; ") || opening == "{" && strings.HasSuffix(line, "=") {
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
	i := strings.LastIndex(f.header(), ")")
	if i < 0 {
		return false
	}
	switch f.dialect.name {
	case "kotlin", "scala", "ruby":
		return assigned.MatchString(f.header()[i:])
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
