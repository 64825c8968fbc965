package evidence

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// muffle is a try whose handler makes nothing of what it takes, from where the try begins to where the handler ends.
type muffle struct {
	stretch
	// assertions: it takes what a failed assertion throws.
	assertions bool
	// within is where the innermost function around it begins that has no name or stands in another, 0 without one.
	within int
}

// filters is how a handler begins that takes only some of what it names.
var filters = lang.Lazy(`^catch\b.*\bwhen\s*\(`)

// suppressing is a statement with a context, which may be one that suppresses what is thrown.
const suppressing = "with_statement"

// catchesAll is what a handler takes that takes all that goes wrong.
var catchesAll = lang.Lazy(`\b(?:(?:Base)?Exception|StandardError|Throwable|exception)(?:[^\w.]|$)|\.\.\.|\w\s*->` +
	`|\bcase\s+\w+\s*=>|^(?:catch|except|rescue)\b(?:\s*=>\s*\w+|[^\w]*)$`)

// muffles notes a handler that makes nothing of what it takes; one in a loop may be there to try again.
func (r *reader) muffles(n *syntax.Node) {
	if len(r.roles) == 0 || !r.isAsked(n) || n.Parent() == nil || n.NamedChildCount() == 0 {
		return
	}
	within, repeats := r.around(n)
	if repeats {
		return
	}
	j := r.facts()
	start, taken, parts := n.Parent().Start(), stretch{n.Start(), n.End()}, n.NamedChildren()
	switch item, body := parts[0], n.LastNamedChild(); {
	case n.Type() == suppressing:
		call := suppresses.FindIndex(r.src[item.Start():item.End()])
		if call == nil {
			return
		}
		start, taken, parts = n.Start(), stretch{item.Start() + call[1], item.End()}, nil
	case j.Role(body) == lang.Groups:
		parts = []*syntax.Node{body}
		if !bytes.Contains(r.src[body.Start():body.End()], []byte("case ")) {
			taken.end = body.Start()
		}
	}
	header := strings.TrimRight(string(r.src[taken.start:taken.end]), " \t\r\n{:")
	assertions := r.grammar.Takes.MatchString(header)
	if filters.MatchString(header) || !assertions && !catchesAll.MatchString(header) {
		return
	}
	bounds := strings.FieldsFunc(header, func(r rune) bool { return !isNameRune(r) })
	r.flow.Language, r.flow.Src = &r.grammar.Language, r.src
	if body := j.Statements(parts); !r.flow.Idles(body, bounds) && !r.onlyAsksForIt(parts, bounds) {
		return
	}
	kind := "muffled"
	if assertions {
		kind = "muffled.assertions"
	}
	r.found = append(r.found, capture{kind: kind, stretch: stretch{start, n.End()}, name: stretch{within, within}})
}

// onlyAsksForIt reports whether all that a handler asserts is that there is what it took.
func (r *reader) onlyAsksForIt(parts []*syntax.Node, bounds []string) bool {
	if len(parts) != 1 || parts[0].End()-parts[0].Start() > maxMessage {
		return false
	}
	text := string(r.src[parts[0].Start():parts[0].End()])
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ';' })
	asked := false
	for _, line := range lines {
		if line = strings.Trim(line, "{} \t\r"); line == "" {
			continue
		}
		of := existence.FindStringSubmatch(line)
		if of == nil || !facts.IsTrue(of[1]) && !slices.Contains(bounds, of[1]) {
			return false
		}
		asked = true
	}
	return asked
}

// existence is an assertion that there is something.
var existence = lang.Lazy(`^(?:expect|(?:[\w$]+(?:\.|->|::))?` +
	`(?i:(?:assert)?_?(?:ok|not_?null|is_?not_?none|true|exists)|assert))\s*[( ]\s*\(?(\$?\w+)(?:\.message)?\)?` +
	`(?:\s+is\s+not\s+None)?\s*\)?\s*(?:\.(?:to|be|exist|ok|toBe(?:Defined|Truthy|InstanceOf\(Error\))?` +
	`|not\.toBe(?:Null|Undefined))(?:\(\s*(?:true)?\s*\))?)*$`)

// suppresses is how Python takes what is thrown without a word.
var suppresses = lang.Lazy(`^(?:\w+\.)?suppress\(`)

// around tells where the innermost function around a node begins, and whether a loop in it stands around the node.
func (r *reader) around(n *syntax.Node) (within int, repeats bool) {
	for up := n.Parent(); up != nil; up = up.Parent() {
		switch r.roles[min(up.Symbol(), len(r.roles)-1)] {
		case lang.Loops:
			return 0, true
		case lang.Nests, lang.Closes:
			return up.Start(), false
		}
	}
	return 0, false
}

// muffled says what is lost of a test's failures in a try whose handler makes nothing of them. first is where its first
// assertion begins in its body, -1 where it has none.
func (m *model) muffled(d *definition, body string, first int) string {
	for _, s := range m.muffles {
		begin, end := max(0, s.start-d.body), s.end-d.body
		if s.start < d.outer || end > len(body) || s.within > d.body {
			continue // it may be polled
		}
		alone := first < 0 && begin < maxPlaceholder && onlyOpens.MatchString(body[:begin]+body[end:])
		if !alone && (first < begin || first >= end) || !idleEnd.MatchString(withoutLiterals(body[end:])) {
			continue // what follows tells
		}
		switch {
		case alone && !timed.MatchString(m.headerText(d)):
			return "whatever the test calls may fail, and it does not"
		case !alone && s.assertions && !fails.MatchString(withoutLiterals(body[begin:end])):
			return "what the test asserts is swallowed"
		}
	}
	return ""
}

// onlyOpens is what stands around a try that is all of a body.
var onlyOpens = lang.Lazy(`^[\s{};]*(?:do\b)?[\s{};]*(?:end)?[\s{};]*$`)

// idleEnd is what follows a try and tells nothing of how it ended.
var idleEnd = lang.Lazy(`^(?:[\s{};)]|\bend\b|\b(?:return|pass)\b` +
	`|(?:print|println|puts|echo|console\.\w+|System\.out\.\w+|logger\.\w+)\b[^\n]*)*$`)

// timed is a test that fails where it takes too long.
var timed = lang.Lazy(`(?i)timeout`)
