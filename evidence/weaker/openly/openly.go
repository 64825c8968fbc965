// Package openly tells whether the message of a commit says openly that a test or a gate asks for less: one of its
// clauses has a verb of taking away and the name of the test, its class, suite or file; of a gate that of the tool or
// the job. Work that hides nothing weighs one step less than work that does not say what it does.
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
	taking = `\b(?:remov|delet|drop|skip|disabl|ignor|x?fail|xtest|xit|flak|loosen|relax|weaken|revert|suppress|silenc|` +
		`unsupport|exclud|omit|quarantin|retir|prun|deprecat|comment(?:ed)? out|turn(?:ed)? off|no longer|get rid)` +
		`(?:e[sd]?|s|ed|ing|al|ance|ions?|y|iness|ped|ping|ting)?\b`
	doing = `(?:add|fix|make|use|update|upgrade|bump|implement|improve|refactor|move|rename|change|replace|introduce|` +
		`rewrite|clean|handle|create|enable|switch|migrate|adjust|simplify|document|correct|ensure|set|restore|` +
		`extend|support|keep|write|say)(?:s|d|es|ed)?\b`
)

var (
	takes   = lang.Lazy(`(?i)` + taking)
	negated = lang.Lazy(`(?i)(?:\b(?:not|never|without|un|instead of|avoid|prevent)|n't)[\s-]+(?:\w+\s+)?$`)
	quoted  = lang.Lazy(`"[^"]*"|“[^”]*”`)
	// breaks are where a clause may end; behind all but the end of a sentence one begins only with a verb of its own.
	breaks = lang.Lazy(`[.;!?]\)?(?:\s+|$)|[,:]\s+|\n|\s(?:and|but|so|because|while|then|also|plus|or)\s`)
	begins = lang.Lazy(`(?i)^\s*(?:\S+\s+){0,2}?(?:` + doing + `|` + taking + `)`)
)

// Message is a commit's message: its clauses that take something away.
type Message []string

// Read reads a message. Each paragraph is what the author writes himself: the subject, one of the body, an item of the
// report.
func Read(paragraphs []string) (m Message) {
	for _, p := range paragraphs {
		p = quoted.ReplaceAllString(p, "“…”")
		from := 0
		for _, at := range append(breaks.In(p).FindAllStringIndex(p, -1), []int{len(p), len(p)}) {
			if at[0] < len(p) && !strings.ContainsRune(".;!?", rune(p[at[0]])) && !begins.MatchString(p[at[1]:]) {
				continue
			}
			if c := p[from:at[1]]; asks(c) {
				m = append(m, c)
			}
			from = at[1]
		}
	}
	return m
}

// asks reports whether a clause takes something away.
func asks(clause string) bool {
	return slices.ContainsFunc(takes.In(clause).FindAllStringIndex(clause, -1), func(at []int) bool {
		return !negated.MatchString(clause[:at[0]])
	})
}

// maxClause is how much of a clause is shown, in characters.
const maxClause = 100

// Of is the clause in which the message says that less is asked of what is weakened, on one line; "" for none.
func (m Message) Of(w *weaker.Weakening) string {
	for _, clause := range m {
		names := slices.ContainsFunc(parser.Names(clause), func(n parser.Name) bool { return Names(w, n.Text) })
		if _, title, is := strings.Cut(w.Subject, " > "); names || is && strings.Contains(clause, title) ||
			w.Kind == weaker.Gate && namesGate(w.Subject, clause) {
			return report.Brief(strings.Join(strings.Fields(clause), " "), maxClause)
		}
	}
	return ""
}

// anyGate are parts of the names of gates that name none.
var anyGate = strings.Fields("build check checks config file files job lint main make matrix node npm npx on run " +
	"script scripts step steps test tests workflow yarn")

// namesGate reports whether a clause has a word of what a gate is called: ruff, eslint.
func namesGate(subject, clause string) bool {
	parts := strings.FieldsFunc(strings.ToLower(subject), func(r rune) bool { return strings.ContainsRune(": /[]()#", r) })
	return slices.ContainsFunc(strings.Fields(strings.ToLower(clause)), func(word string) bool {
		word = strings.Trim(word, "`'.,;:!?()[]")
		return len(word) > 2 && slices.Contains(parts, word) && !slices.Contains(anyGate, word)
	})
}

// Names reports whether a text is the name of what is weakened: its path, with or without lines or the test behind it,
// its folder, or the name of the test, whole or its last parts.
func Names(w *weaker.Weakening, text string) bool {
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

// namesTest reports whether a text is the name of a test, or of a class or suite that it stands in, or its last parts.
// Parameters do not count, nor does what parts the names.
func namesTest(subject, text string) bool {
	s, t := Parts(subject), Parts(text)
	if len(t) == 0 || len(t) > len(s) {
		return false
	}
	return slices.Equal(s[:len(t)], t) || slices.Equal(s[len(s)-len(t):], t)
}

// Parts are the names that a test is known by, from the outside in.
func Parts(name string) []string {
	name, _, _ = strings.Cut(name, "[")
	name = strings.TrimSuffix(strings.TrimSpace(name), "()")
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(".:/>#", r) })
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}
