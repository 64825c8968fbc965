package main

import (
	"cmp"
	"embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed forms/*.txt
var formFiles embed.FS

// A form is one way to hollow a function out. Its template may hold {NAME}, {P} (the first parameter), {CALL} (the
// function called with its own parameters), {BODY} and {COMMENTED} (the former body), {DEF} (the whole definition),
// {SKIPPED} (a test that is a call, turned off), {PHRASE} (each of phrases.txt in turn), {HASH} and characters that no
// eye sees, as {U+00A0}.
type form struct {
	class, name  string
	result, void bool // only where the function gives something back, or nothing
	lines        []string
}

// formsOf reads the forms of a language.
func formsOf(language string) ([]*form, error) {
	text, err := formFiles.ReadFile("forms/" + language + ".txt")
	if err != nil {
		return nil, err
	}
	phrases, err := formFiles.ReadFile("forms/phrases.txt")
	if err != nil {
		return nil, err
	}
	var out []*form
	for _, f := range txtar.Parse(text).Files {
		title, condition, _ := strings.Cut(f.Name, " ")
		class, name, ok := strings.Cut(title, "/")
		if !ok || condition != "" && condition != "result" && condition != "void" {
			return nil, fmt.Errorf("forms/%s.txt: %q is not class/name, with result or void behind it where that matters",
				language, f.Name)
		}
		made := form{class: class, name: name, result: condition == "result", void: condition == "void"}
		if !strings.Contains(string(f.Data), "{PHRASE}") {
			out = append(out, made.with(name, string(f.Data)))
			continue
		}
		for line := range strings.Lines(string(phrases)) {
			named, phrase, _ := strings.Cut(strings.TrimSpace(line), " = ")
			out = append(out, made.with(named, strings.ReplaceAll(string(f.Data), "{PHRASE}", phrase)))
		}
	}
	return out, nil
}

var unseen = regexp.MustCompile(`\{U\+([0-9A-F]{4})\}`)

// with is the form under another name, with a body.
func (f form) with(name, body string) *form {
	f.name = name
	body = unseen.ReplaceAllStringFunc(body, func(escape string) string {
		r, _ := strconv.ParseUint(escape[3:7], 16, 32)
		return string(rune(r))
	})
	if body = strings.TrimSuffix(body, "\n"); body != "" {
		f.lines = strings.Split(body, "\n")
	}
	return &f
}

var testName = regexp.MustCompile(`(?i)^test|Test$|Tests$`)

// isTest tells whether the function is a test that a framework collects.
func (f *function) isTest() bool {
	if !f.tests {
		return false
	}
	if f.Name == callTest || testName.MatchString(f.Name) {
		return true
	}
	above := strings.Join(f.lines[max(0, f.Start-4):f.Start-1], "\n")
	return strings.Contains(above, "@Test") || strings.Contains(above, "[Fact]") || strings.Contains(above, "#[test]")
}

// takes reports whether a form makes sense for the function, whose parameters have these names.
func (f *function) takes(form *form, names []string, known bool) bool {
	text := strings.Join(form.lines, "\n")
	switch gives := f.dialect.result(f); {
	case (form.class == "skip") != f.isTest(), f.tests && form.class != "skip":
		return false
	case form.result && !gives, form.void && gives, form.class == "self" && form.name == "statement" && gives:
		return false
	case len(names) == 0 && (form.class == "constant" || strings.Contains(text, "{P}")),
		!known && strings.Contains(text, "{CALL}"):
		return false
	}
	return f.Name == callTest || !strings.Contains(text, "{SKIPPED}")
}

// hollowed is the function's new lines in the form, and no where the form does not fit the function.
func (f *function) hollowed(form *form) ([]string, bool) {
	text := strings.Join(form.lines, "\n")
	if f.bodyStart == 0 {
		return nil, false
	}
	names, known := f.parameters()
	if !f.takes(form, names, known && (callable.MatchString(f.Name) || f.dialect.params == noNames)) {
		return nil, false
	}
	first := "x"
	if len(names) > 0 {
		first = names[0]
	}
	replace := strings.NewReplacer("{NAME}", strings.Trim(f.Name, `["]`), "{P}", first, "{CALL}", f.callOfItself(names),
		"{HASH}", "#")
	body := f.lines[f.bodyStart-1 : f.bodyEnd()]
	def := f.lines[f.Start-1 : f.End]
	inner := f.innerIndent()
	unit := cmp.Or(strings.TrimPrefix(inner, indentOf(def[0])), "\t")
	deeper := func(line string) string { return strings.ReplaceAll(indentOf(line), "\t", unit) }
	var out []string
	whole := false
	for _, line := range form.lines {
		at := inner + deeper(line)
		switch strings.TrimSpace(line) {
		case "{BODY}":
			for _, l := range body {
				if f.dialect.layout == indent && strings.TrimSpace(l) != "" {
					l = deeper(line) + l // in other languages blanks mean nothing, but in a heredoc
				}
				out = append(out, l)
			}
		case "{COMMENTED}":
			for _, l := range body {
				out = append(out, inner+f.dialect.comment+" "+strings.TrimSpace(l))
			}
		case "{DEF}", "{SKIPPED}":
			whole = true
			out = append(out, def...)
			if strings.TrimSpace(line) == "{SKIPPED}" {
				out[len(out)-len(def)] = skippedCall.ReplaceAllString(def[0], "$1$2.skip(")
			}
		default:
			if form.class == "skip" && strings.Contains(text, "{DEF}") {
				at = indentOf(f.lines[f.Start-1])
			}
			out = append(out, at+replace.Replace(strings.TrimLeft(line, "\t")))
		}
	}
	if whole {
		return out, true
	}
	if bare(out) == bare(body) {
		return nil, false // it was so before
	}
	lines := append([]string{}, f.lines[f.Start-1:f.bodyStart-1]...)
	lines = append(lines, out...)
	return append(lines, f.lines[f.bodyEnd():f.End]...), true
}

// bare is a text without its blanks.
func bare(lines []string) string { return strings.Join(strings.Fields(strings.Join(lines, "\n")), "") }

// innerIndent is the indentation of the body's first line.
func (f *function) innerIndent() string {
	for _, line := range f.lines[f.bodyStart-1 : f.bodyEnd()] {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") && strings.TrimSpace(line) != "{" {
			return indentOf(line)
		}
	}
	return indentOf(f.lines[f.Start-1]) + "    "
}

var (
	receiver    = regexp.MustCompile(`func \((\w+) `)
	luaOwner    = regexp.MustCompile(`([\w.]+)[.:](\w+)\s*(?:\(|=\s*function)`)
	swiftLabel  = regexp.MustCompile(`^(\w+)\s*(\w*)\s*:`)
	callTest    = "(a test that is a call)"
	callable    = regexp.MustCompile(`^[\w$!?]+$`)
	skippedCall = regexp.MustCompile(`^(\s*)(it|test)\(`)
)

// callOfItself writes the call of the function with its own parameters, as its language writes it.
func (f *function) callOfItself(names []string) string {
	arguments := strings.Join(names, ", ")
	h := f.header()
	own := ""
	switch f.dialect.name {
	case "python":
		if strings.Contains(h, "(self") {
			own = "self."
		} else if strings.Contains(h, "(cls") {
			own = "cls."
		}
	case "go":
		if m := receiver.FindStringSubmatch(h); m != nil {
			own = m[1] + "."
		}
	case "rust":
		if strings.Contains(h, "self") {
			own = "self."
		} else if f.member {
			own = "Self::"
		}
	case "javascript", "typescript":
		if f.member && !strings.Contains(h, "function "+f.Name) && !strings.Contains(h, "const ") {
			own = "this."
		}
	case "php":
		if f.member && strings.Contains(h, "static ") {
			own = "self::"
		} else if f.member {
			own = "$this->"
		}
	case "lua":
		if m := luaOwner.FindStringSubmatch(h); m != nil {
			own = m[1] + "."
			if strings.Contains(h, ":") || strings.Contains(h, "(self") {
				own = "self:"
			}
		}
	case "swift":
		i := strings.Index(h, f.Name+"(")
		if inside, _, ok := parenthesised(h[max(0, i+len(f.Name)):]); i >= 0 && ok {
			var labelled []string
			for n, part := range splitTop(inside) {
				if m := swiftLabel.FindStringSubmatch(strings.TrimSpace(part)); m != nil && m[1] != "_" && n < len(names) {
					labelled = append(labelled, m[1]+": "+names[n])
				} else if n < len(names) {
					labelled = append(labelled, names[n])
				}
			}
			arguments = strings.Join(labelled, ", ")
		}
	}
	return own + f.Name + "(" + arguments + ")"
}
