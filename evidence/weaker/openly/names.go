package openly

import (
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/weaker"
)

// names are what a message may call a weakening by.
type names struct {
	// exact are names and paths as they are written, in lower case.
	exact map[string]bool
	// phrases are the words of each name.
	phrases [][]string
	// jobs are the plain words of a job, a target or a workflow («test»), which name it where a clause speaks of such.
	jobs   []string
	folder string
	gate   bool
	// alone: nothing but tests changes, so that who speaks of a test means this one.
	alone bool
}

// namesOf are the names of a test, its suite and its file, and of what stands in the lines that ask for less; of a gate
// those of the tool, the job, the file, and of what became other in its lines.
func namesOf(w *weaker.Weakening) *names {
	_, mark, suppresses := strings.Cut(w.Subject, w.After.Path+": ")
	suppresses = suppresses && w.Kind == weaker.Gate && strings.Contains(w.After.Text, mark)
	n := &names{exact: map[string]bool{}, gate: w.Kind == weaker.Gate, alone: w.Alone}
	for _, p := range []string{w.Before.Path, w.After.Path} {
		if p == "" {
			continue
		}
		n.exact[strings.ToLower(p)], n.exact[strings.ToLower(path.Base(p))] = true, true
		n.folder = strings.ToLower(path.Dir(p))
		// A source of a plain name is called by that in too many messages.
		if own := strings.TrimSuffix(path.Base(p), path.Ext(p)); !suppresses || len(lang.Words(own)) > 1 {
			n.add(own)
		}
	}
	if !n.gate {
		n.add(strings.FieldsFunc(w.Subject, isBetweenNames)...)
		n.identifiers(w.Before.Text)
		return n
	}
	was, is := w.Before.Text, w.After.Text
	if suppresses {
		n.identifiers(is)
		n.exact["warning"], n.exact["warnings"] = true, true // «ignore the remaining warnings»
		is = is[strings.Index(is, mark):]                    // what is suppressed
	} else {
		n.add(strings.FieldsFunc(w.Subject, func(r rune) bool { return r == ':' || r == ' ' })...)
		if unit, _, ok := strings.Cut(w.Subject, ": "); ok {
			n.jobs = lang.Words(unit + " " + strings.TrimSuffix(path.Base(w.Before.Path), path.Ext(w.Before.Path)))
		}
	}
	n.add(others(was, is)...)
	n.add(others(is, was)...)
	return n
}

// maxOthers is of how many words what became other in a line is a list of names, and no sentence.
const maxOthers = 8

// others are the words of a text that another one lacks.
func others(text, than string) []string {
	parts := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`,;:=()[]{}#|\\", r) })
	}
	had := parts(than)
	came := slices.DeleteFunc(parts(text), func(s string) bool { return slices.Contains(had, s) })
	if len(came) > maxOthers {
		return nil
	}
	return came
}

// add adds names.
func (n *names) add(all ...string) {
	for _, name := range all {
		name = strings.TrimSpace(name)
		words := lang.Words(name)
		if len(words) > 1 && !strings.Contains(name, " ") {
			n.exact[strings.ToLower(name)], n.exact[strings.Join(words, "_")] = true, true
		}
		words = slices.DeleteFunc(words, func(w string) bool { return isListed("idle", w) })
		slices.Sort(words)
		words = slices.Compact(words)
		if len(words) > 0 && !slices.ContainsFunc(n.phrases, func(p []string) bool { return slices.Equal(p, words) }) {
			n.phrases = append(n.phrases, words)
		}
	}
}

// identifiers adds the names of several words in a text of code, but those that every test has.
func (n *names) identifiers(text string) {
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
	}) {
		words := lang.Words(name)
		if last := len(words) - 1; last > 0 && words[last] != "equal" && !isListed("idle", words[0]) &&
			!isListed("idle", words[last]) {
			n.exact[strings.ToLower(name)], n.exact[strings.Join(words, "_")] = true, true
		}
	}
}

// in reports whether a clause has one of the names: as it is written, or enough of its words. One word alone is enough
// where the clause speaks of tests, or what asks is a gate.
func (n *names) in(c clause) bool {
	var said []string
	ofTests, ofGates := false, false
	for _, t := range c {
		called, _, _ := strings.Cut(t.bare, "(")
		for _, part := range append(strings.FieldsFunc(t.bare, isBetweenNames), t.bare, called) {
			if n.exact[strings.ToLower(part)] || n.exact[strings.Join(lang.Words(part), "_")] {
				return true
			}
		}
		// The folder before the colon of a subject says where the whole commit is at home.
		if strings.TrimSuffix(strings.ToLower(t.bare), "/") == n.folder && strings.Contains(t.bare, "/") &&
			!strings.HasSuffix(t.text, ":") {
			return true
		}
		// A name of code is that of another thing, and who has a colon behind him is where the commit is at home.
		if said = append(said, strings.ToLower(t.bare)); !isCode(t.bare) && (n.gate || !strings.HasSuffix(t.text, ":")) {
			said = append(said, t.words...)
		}
		ofTests = ofTests || !isCode(t.bare) && anyListed("tests", t.words)
		ofGates = ofGates || anyListed("jobs", t.words)
	}
	jobSaid := func(w string) bool { return slices.Contains(said, w) && !isListed("jobs", w) }
	if ofGates && slices.ContainsFunc(n.jobs, jobSaid) {
		return true
	}
	if n.alone && c.asksOfTests() {
		return true
	}
	return slices.ContainsFunc(n.phrases, func(phrase []string) bool {
		found := 0
		for _, w := range phrase {
			if slices.ContainsFunc(said, func(s string) bool { return related(w, s) }) {
				found++
			}
		}
		return found >= max(min(2, len(phrase)), (len(phrase)+1)/2) && (found > 1 || n.gate || ofTests)
	})
}

// asksOfTests reports whether it is a test by itself of which a clause asks less: «removed an obsolete test», and not
// «remove the test helper».
func (c clause) asksOfTests() bool {
	for i, t := range c {
		if askingWord(t.words) == "" {
			continue
		}
		for k := i + 1; k < min(i+maxBetween, len(c)); k++ {
			whole := k+1 == len(c) || c[k].pauses || c[k].stops || anyListed("linking", c[k+1].words)
			if len(c[k].words) == 1 && isListed("test objects", c[k].words[0]) && whole {
				return true
			}
		}
	}
	return false
}

// maxBetween is how many words behind an asking one may be of what it asks.
const maxBetween = 5

// isCode reports whether a word of a message is a name of code: in snake_case or camelCase.
func isCode(word string) bool {
	return strings.Contains(word, "_") || !strings.Contains(word, "-") && len(lang.Words(word)) > 1
}

func isBetweenNames(r rune) bool { return strings.ContainsRune(".:/#>()[]`", r) }
