// Package openly tells whether a commit's message says openly that a test or gate is weakened: a clause has a verb of
// removal and the name of the test, its class, suite or file, or of the gate's tool or job. An open weakening counts
// one severity less.
package openly

import (
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

const (
	removalVerbs = `\b(?:remov|delet|drop|skip|disabl|ignor|x?fail|xtest|xit|flak|loosen|relax|weaken|revert|` +
		`suppress|silenc|unsupport|exclud|omit|quarantin|retir|prun|deprecat|comment(?:ed)? out|` +
		`turn(?:ed)? off|no longer|get rid)` +
		`(?:e[sd]?|s|ed|ing|al|ance|ions?|y|iness|ped|ping|ting)?\b`
	otherVerbs = `(?:add|fix|make|use|update|upgrade|bump|implement|improve|refactor|move|rename|change|replace|` +
		`introduce|rewrite|clean|handle|create|enable|switch|migrate|adjust|simplify|document|correct|ensure|set|restore|` +
		`extend|support|keep|write|say)(?:s|d|es|ed)?\b`
)

var (
	removalVerb = lang.Lazy(`(?i)` + removalVerbs)
	negation    = lang.Lazy(`(?i)(?:\b(?:not|never|without|un|instead of|avoid|prevent)|n't)[\s-]+(?:\w+\s+)?$`)
	quotation   = lang.Lazy(`"[^"]*"|“[^”]*”`)
	// clauseEnd is where a clause may end; within a sentence the next clause needs a verb, clauseStart.
	clauseEnd   = lang.Lazy(`[.;!?]\)?(?:\s+|$)|[,:]\s+|\n|\s(?:and|but|so|because|while|then|also|plus|or)\s`)
	clauseStart = lang.Lazy(`(?i)^\s*(?:\S+\s+){0,2}?(?:` + otherVerbs + `|` + removalVerbs + `)`)
)

// Message holds the clauses of a commit's message that say that something is removed.
type Message []string

// Read reads the author's paragraphs: the subject, those of the body, items of the report.
func Read(paragraphs []string) (m Message) {
	for _, p := range paragraphs {
		p = quotation.ReplaceAllString(p, "“…”")
		from := 0
		for _, at := range append(clauseEnd.In(p).FindAllStringIndex(p, -1), []int{len(p), len(p)}) {
			if at[0] < len(p) && !strings.ContainsRune(".;!?", rune(p[at[0]])) && !clauseStart.MatchString(p[at[1]:]) {
				continue
			}
			if c := p[from:at[1]]; isRemoval(c) {
				m = append(m, c)
			}
			from = at[1]
		}
	}
	return m
}

func isRemoval(clause string) bool {
	return slices.ContainsFunc(removalVerb.In(clause).FindAllStringIndex(clause, -1), func(at []int) bool {
		return !negation.MatchString(clause[:at[0]])
	})
}

// maxClause bounds a clause in a finding, in characters.
const maxClause = 100

// Clause returns the clause that announces a weakening, on one line; "" if there is none.
func (m Message) Clause(w *weaker.Weakening) string {
	for _, clause := range m {
		names := slices.ContainsFunc(parser.Names(clause), func(n parser.Name) bool { return NamesSubject(w, n.Text) })
		if _, title, hasTitle := strings.Cut(w.Subject, " > "); names || hasTitle && strings.Contains(clause, title) ||
			w.Kind == weaker.Gate && namesGate(w.Subject, clause) {
			return report.Brief(clause, maxClause)
		}
	}
	return ""
}

// vagueWords are parts of the names of gates that identify none.
var vagueWords = strings.Fields("build check checks config file files job lint main make matrix node npm npx on run " +
	"script scripts step steps test tests workflow yarn")

// namesGate reports whether a clause has a word of a gate's name: ruff, eslint.
func namesGate(subject, clause string) bool {
	parts := strings.FieldsFunc(strings.ToLower(subject), func(r rune) bool { return strings.ContainsRune(": /[]()#", r) })
	return slices.ContainsFunc(strings.Fields(strings.ToLower(clause)), func(word string) bool {
		word = strings.Trim(word, "`'.,;:!?()[]")
		return len(word) > 2 && slices.Contains(parts, word) && !slices.Contains(vagueWords, word)
	})
}

// NamesSubject reports whether a text names the weakened test or gate: its path, with or without lines or the test
// after it, its folder, or the name of the test, whole or its last parts.
func NamesSubject(w *weaker.Weakening, text string) bool {
	text = strings.TrimSpace(strings.Trim(strings.TrimSpace(text), "`\"'"))
	for _, at := range []string{w.Before.Path, w.After.Path} {
		if at == "" {
			continue
		}
		for _, name := range []string{at, path.Base(at)} {
			rest, found := strings.CutPrefix(text, name)
			rest = strings.TrimLeft(rest, ":#> ")
			if found && (strings.Trim(rest, "0123456789-,L ") == "" || namesTest(w.Subject, rest)) {
				return true
			}
		}
		if strings.HasSuffix(text, "/") && strings.HasPrefix(at, text) {
			return true
		}
	}
	return namesTest(w.Subject, text)
}

// namesTest reports whether a text is the name of a test, of its class or suite, or the last parts of it. Parameters
// and separators do not count.
func namesTest(subject, text string) bool {
	s, t := Parts(subject), Parts(text)
	if len(t) == 0 || len(t) > len(s) {
		return false
	}
	return slices.Equal(s[:len(t)], t) || slices.Equal(s[len(s)-len(t):], t)
}

// Parts returns the parts of a test's name, from the outside in.
func Parts(name string) []string {
	name, _, _ = strings.Cut(name, "[")
	name = strings.TrimSuffix(strings.TrimSpace(name), "()")
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(".:/>#", r) })
	return slices.DeleteFunc(report.Map(parts, strings.TrimSpace), func(s string) bool { return s == "" })
}
