package weaker

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
)

// pairOf is a unit or an assertion before and after; nil for a new or removed one.
type pairOf[T any] struct {
	before, after T
	isUnchanged   bool
}

type pair = pairOf[*unit]

const (
	// minLikeness is the percentage of shared words that makes two units one that was moved or renamed.
	minLikeness = 60
	// maxPairs bounds how many pairs are compared.
	maxPairs = 1 << 16
)

// pairing matches units or assertions: pairs, and the unmatched rest of each side.
type pairing[T any] struct {
	before, after []T
	pairs         []pairOf[T]
}

// match pairs equal elements, in the order of before.
func (p *pairing[T]) match(same func(b, a T) bool) {
	p.before = slices.DeleteFunc(p.before, func(b T) bool {
		k := slices.IndexFunc(p.after, func(a T) bool { return same(b, a) })
		if k >= 0 {
			p.pairs = append(p.pairs, pairOf[T]{before: b, after: p.after[k]})
			p.after = slices.Delete(p.after, k, k+1)
		}
		return k >= 0
	})
}

// matchInFile pairs the units of one file, the surest pairs first: equal text, name and kind, name.
func matchInFile(p *pairing[*unit]) {
	// Several units may have one name, as under #[cfg(unix)] and #[cfg(windows)].
	p.match(func(b, a *unit) bool { return samePlace(b, a) && b.text() == a.text() })
	p.match(samePlace)
	p.match(func(b, a *unit) bool { return b.symbol == a.symbol })
}

func samePlace(b, a *unit) bool { return b.symbol == a.symbol && b.isTest == a.isTest }

// matchAcrossFiles pairs the rest of all files: by symbol, by name, by likeness.
func matchAcrossFiles(p *pairing[*unit]) {
	p.match(func(b, a *unit) bool { return samePlace(b, a) && likeness(b, a) >= minLikeness/2 })
	p.match(func(b, a *unit) bool { return b.name == a.name && likeness(b, a) >= minLikeness/2 })
	likely := map[pair]int{}
	var found []pair
	if len(p.before)*len(p.after) <= maxPairs {
		for _, b := range p.before {
			for _, a := range p.after {
				if value := likeness(b, a); value >= minLikeness {
					found = append(found, pair{before: b, after: a})
					likely[found[len(found)-1]] = value
				}
			}
		}
	}
	slices.SortStableFunc(found, func(x, y pair) int { return likely[y] - likely[x] })
	for _, f := range found {
		p.match(func(b, a *unit) bool { return b == f.before && a == f.after })
	}
}

// likeness is the percentage of words that two units share.
func likeness(b, a *unit) int { return lang.Likeness(b.words, a.words) }

func kindOf(form string) Kind {
	switch form = strings.ReplaceAll(form, " ", "-"); {
	case isListed("forms of removal", form):
		return Removed
	case isListed("forms of skipping", form):
		return Skipped
	}
	return Weakened
}

// addRemoved notes a removed test, or a removed hook with assertions. A unit that asserted nothing is no loss.
func (k *comparison) addRemoved(p pair) {
	b := p.before
	if k.isCut && len(k.Requested) == 0 || b.skip.isAlways || !slices.ContainsFunc(b.assertions, isMeaningful) {
		return
	}
	if b.isTest {
		k.addUnit(p, "test removed", "the test %s is gone", b.symbol)
	} else if b.isHook() {
		k.addUnit(p, "assertion removed", "%s is gone, with its assertions", b.symbol)
	}
}

// compareUnits notes what a unit asserts less. Excuses in other files are looked for at the end.
func (k *comparison) compareUnits(p *pair) {
	b, a := p.before, p.after
	added := k.newDouble(b, a)
	pendingCount := len(k.pending)
	defer func() { p.isUnchanged = samePlace(b, a) && b.text() == a.text() && len(k.pending) == pendingCount }()
	isUnreadable := b.isTest && !a.isTest && a.symbol == a.name && b.symbol != b.name &&
		a.file.framework.matches("names", a.name)
	if isUnreadable || b.skip.isAlways { // its class is unreadable, or it never ran
		return
	}
	wasHook := b.isHook() && !b.isTest && len(b.assertions) > 0
	switch {
	case b.isTest && !a.isTest && !k.hasSubclasses(a), wasHook && !a.isHook():
		k.addUnit(*p, "not collected", "%s is no longer collected as a test", b.symbol)
		return
	case a.skip.isAlways:
		if b.isTest || a.isHook() || strings.Contains(a.header, "fixture") {
			k.addUnit(*p, "test skipped", "%s ran and is skipped now", a.symbol)
		}
		return
	case b.isTest && a.skip.guard != "" && !strings.HasSuffix(a.skip.guard, "else") &&
		(b.skip.guard == "" || !strings.Contains(b.skip.guard, a.skip.guard)):
		w := k.addUnit(*p, "guard widened", "%s is skipped if %s", a.symbol, brief(a.skip.guard))
		w.isExplained = b.skip.guard != ""
		w.Excuse = a.platformExcuse(a.skip.guard)
	}
	if a.file.Language == "go" && strings.HasPrefix(a.name, "Benchmark") {
		return // a benchmark
	}
	if b.isTest && k.becomesNeverRun(b, a) {
		k.addUnit(*p, "never runs", "%s is async or yields, and nothing runs it to its end", a.symbol)
	}
	for _, d := range k.balance.compareAssertions(b, a) {
		k.addAssertionChange(*p, d)
	}
	k.compareRows(*p)
	if added != nil {
		w := k.addUnit(*p, formDouble, "its subject, %s, is replaced by a double", added.text())
		w.After, w.double = added.file.place(added.at, added.file.lineEnd(added.at)), added
	}
}

func (k *comparison) addAssertionChange(p pair, d assertionChange) {
	w := k.addUnit(p, d.form, "%s", d.message)
	w.assertionChange, w.isExplained = d, d.isLiteral && (d.inputChanges || inputsOf(p.before) != inputsOf(p.after))
	line := p.after.file.line
	w.Before = p.before.file.place(d.before.start, d.before.end)
	w.After = Place{Path: p.after.file.Path, Line: line(p.after.start), EndLine: line(p.after.end - 1)}
	if d.after != nil {
		w.After = p.after.file.place(d.after.start, d.after.end)
		if d.form == "assertion guarded" {
			w.Excuse = p.after.platformExcuse(d.after.guard)
		}
	}
}

// uncollectedPaths are new files whose names no longer mark them as tests, while a marked file in the same folder is
// gone.
func (k *comparison) uncollectedPaths() map[string]bool {
	removed, found := map[string]bool{}, map[string]bool{} // gone by folder and ending
	for _, name := range k.Paths {
		if fits("marked", name) && frameworks()[evidence.LanguageOf(name)]["titled"] != nil && !k.has(1, name) {
			removed[path.Dir(name)+path.Ext(name)] = true
		}
	}
	for _, name := range k.Paths { // Jest takes all files of a folder of tests
		found[name] = removed[path.Dir(name)+path.Ext(name)] && !fits("marked", name) && !k.has(0, name) &&
			!strings.Contains(name, "__tests__/")
	}
	return found
}

// balance counts assertions by text and by key, and cases of tables: those of the later tree minus those of the
// earlier.
type balance map[string]int

// keyPrefix marks the key of an assertion in a balance, rowPrefix a case; no text begins so.
const keyPrefix, rowPrefix = "\x00", "\x01"

func (s balance) add(units []*unit, side int) {
	for _, u := range units {
		for _, r := range u.rows {
			s[rowPrefix+r] += 2*side - 1
		}
		isTestCode := u.isTest || evidence.HoldsTests(u.file.Path)
		for _, a := range u.assertions {
			if isTestCode && (side == 0 || a.deadReason == "" && !u.skip.isAlways) {
				s[a.text] += 2*side - 1
				s[keyPrefix+a.key] += 2*side - 1
				s[a.valuesKey()] += 2*side - 1
			}
		}
	}
}

// isMoved reports whether a removed assertion stands elsewhere as often as before.
func (s balance) isMoved(removed *assertion) bool {
	return s[removed.text] >= 0 || s[keyPrefix+removed.key] >= 0 ||
		removed.strength >= exact && removed.expectedKey != "" && s[removed.valuesKey()] >= 0
}

// valuesKey is the key of the subject and the expected value in a balance, by whichever assertion they are compared.
func (a *assertion) valuesKey() string {
	return fmt.Sprint(keyPrefix, a.subjectKey, keyPrefix, a.expectedKey, keyPrefix, a.isNegative, a.strength >= exact)
}

// isHidden reports whether code elsewhere in the file hides a function from the runner: del test_a, or private above
// it.
func (f *file) isHidden(d evidence.OutlineDefinition) bool {
	switch {
	case f.Language == "python" && d.Parent >= 0 && !strings.Contains(f.headOf(f.Definitions[d.Parent]), "Case") &&
		slices.ContainsFunc(f.Definitions, func(o evidence.OutlineDefinition) bool {
			return o.Parent == d.Parent && o.Name == "__init__"
		}):
		return true // pytest leaves out a class with a constructor
	case f.Language == "python" && d.Parent < 0:
		return slices.ContainsFunc(f.hidingLines, func(m []int) bool {
			return lang.HasWord(string(f.Source[m[0]:m[1]]), d.Name)
		})
	case f.Language == "ruby" && d.Parent >= 0 && !d.IsTitled:
		visibility := "public"
		class := f.Definitions[d.Parent]
		for _, m := range f.hidingLines {
			inner := func(o evidence.OutlineDefinition) bool {
				return o.IsClass && o.Outer > class.Outer && o.Outer < m[0] && m[0] < o.End
			}
			if class.Outer < m[0] && m[0] < d.Outer && !slices.ContainsFunc(f.Definitions, inner) {
				visibility = strings.TrimSpace(string(f.Source[m[0]:m[1]]))
			}
		}
		return visibility != "public"
	}
	return false
}

// isReplaced reports whether a later unconditional definition in the same scope replaces this one.
func (f *file) isReplaced(d evidence.OutlineDefinition) bool {
	if f.Language != "python" && f.Language != "ruby" || d.IsTitled {
		return false
	}
	column := func(at int) int { return at - bytes.LastIndexByte(f.Source[:at], '\n') }
	return slices.ContainsFunc(f.Definitions, func(o evidence.OutlineDefinition) bool {
		conditional := func(g guardedSpan) bool { return g.start <= o.Start && o.End <= g.end }
		return o.Start > d.Start && o.Name == d.Name && o.Parent == d.Parent && !o.IsClass && !o.IsTitled &&
			column(o.Outer) == column(d.Outer) && !slices.ContainsFunc(f.guards, conditional)
	})
}
