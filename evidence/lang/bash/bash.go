// Package bash describes the shell to package evidence: bash, and what sh, ksh
// and zsh share with it. What is a stub in it, and what is complete though
// empty, is said in stubs.txt and complete.txt.
//
// Tests of Bats («@test "title" {») are read as Bats does, line by line.
package bash

import (
	"bytes"
	"slices"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/bash"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Language returns the description of the shell.
func Language() lang.Language {
	return lang.Language{
		Rules:   rules{},
		Name:    "bash",
		Grammar: grammar.GetLanguage(),
		Probes:  []string{"skip", "[", "assert"},
	}
}

// rules are what code decides of it.
type rules struct{ lang.DefaultRules }

var (
	titled     = lang.Lazy(`^@test[ \t]+(.*[^ \t])[ \t]+\{`)
	idle       = lang.Lazy("^(:|true)(\\s+[^$`<>]*)?$")
	result     = lang.Lazy(`^(return|exit)(\s+\d+)?$|^false$`)
	documented = lang.Lazy("^:\\s*<<-?\\s*(['\"\\\\]|[^$`]*$)")

	compared = lang.Lazy(`^\[\[?\s+` + constant + `\s+(?:-eq|==?)\s+` + constant +
		`\s+\]\]?$|^assert_?[eE]quals?\s+` + constant + `\s+` + constant + `$`)
)

// constant is a word without an expansion, as a group.
const constant = `("[^"$` + "`" + `\\]*"|'[^']*'|[\w.-]+)`

// Readable turns the header of a test of Bats into that of a function, as Bats itself does, and
// strings given as input (<<<), which the grammar knows in some places only, into files.
func (rules) Readable(src []byte) []byte {
	if bytes.Contains(src, []byte("<<<")) {
		src = bytes.ReplaceAll(src, []byte("<<<"), []byte("  <"))
	}
	if !bytes.Contains(src, []byte("@test")) {
		return src
	}
	out := slices.Clone(src)
	at := 0
	for line := range bytes.Lines(src) {
		indent := len(line) - len(bytes.TrimLeft(line, " \t"))
		if m := titled.FindString(string(line[indent:])); m != "" {
			header := out[at+indent : at+indent+len(m)-1]
			for i := range header {
				header[i] = ' '
			}
			copy(header, "t()")
		}
		at += len(line)
	}
	return out
}

// Capture: all that a shell does is a command. Of these some do nothing, return, say «not implemented», or assert.
func (rules) Capture(n *syntax.Node, src []byte) string {
	at := n.Start()
	switch src[at] {
	case '[':
		return "probe"
	case ':', 't', 'f', 'r', 'e':
		if c := ofWord(string(src[at:min(n.End(), at+maxCommand)])); c != "" {
			return c
		}
	case 's':
		if lang.HasPrefix(src, at, "skip") && bytes.Contains(src, []byte("@test")) {
			return "probe"
		}
	case 'a':
		if lang.HasPrefix(src, at, "assert") {
			return "probe"
		}
	}
	if says(src[at:n.End()]) {
		return "throw"
	}
	return ""
}

// ofWord tells the commands of the shell that do nothing, or end a function.
func ofWord(command string) string {
	word, _, _ := strings.Cut(command, " ")
	switch strings.TrimSpace(word) {
	case ":", "true":
		if idle.MatchString(command) {
			return "pass"
		}
	case "return", "exit", "false":
		if result.MatchString(command) {
			return "return"
		}
	}
	if command[0] == ':' && documented.MatchString(command) {
		return "docstring"
	}
	return ""
}

// maxCommand is the longest command that is looked at, in bytes.
const maxCommand = 1000

// says is a cheap necessary condition of notImplemented.
func says(command []byte) bool {
	if len(command) > maxCommand {
		return false
	}
	return lang.SaysNotImplemented(string(command))
}

func (rules) Locate(_ string, n *syntax.Node, src []byte) (lang.Parts, bool) {
	at := n.Start()
	if src[at] != '@' {
		return lang.Fields(n), true
	}
	body := n.Field("body")
	m := titled.FindStringSubmatch(string(src[at:n.End()]))
	if m == nil || body == nil {
		return lang.Parts{}, false
	}
	start := at + strings.Index(m[0], m[1])
	name := lang.Span{Start: start, End: start + len(m[1])}
	if content := lang.Quoted(src, name); content != (lang.Span{}) {
		name = content
	}
	return lang.Parts{Name: name, Body: lang.At(body), Title: true}, true
}

// Probe tells comparisons of constants.
func (rules) Probe(command string) lang.Effect {
	if m := compared.FindStringSubmatch(command); m != nil && m[1] == m[2] && m[3] == m[4] {
		return lang.Vacuous
	}
	return lang.Effective
}
