package evidence

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

type byteCounts struct {
	byKind [kinds]int
	// stub counts the bytes of stubs, stubBrackets their brackets.
	stub, stubBrackets int
	// doubtful counts those of stubs that a syntax error touches.
	doubtful int
	// vague counts those of unclear definitions.
	vague int
}

func (p *place) judgeSubstance() Result {
	if p.model == nil {
		return p.judgePlainLines()
	}
	span := p.text.span(p.first, p.last)
	w := p.model.countBytes(span, p.Kind)
	hasReal := w.byKind[real]+w.byKind[discarded]+w.byKind[skips] > 0
	testing := p.model.grammar.IsCode() && (p.Kind == KindTest || holdsDoubles(p.Path))
	inert := w.byKind[passes] + w.byKind[ellipsis] + w.byKind[notImplemented] + w.byKind[docstring] + w.byKind[vacuous]
	switch {
	case p.model.grammar.Is("prose"):
		return p.judgeProse(w)
	case p.Kind == KindText && p.model.hasProse(span) && !p.model.errorTouches(span):
		return verified()
	case w.stub > 0 && hasReal && !p.model.isWired(span, isHollow):
		return p.partialResult()
	case w.stub > 0:
		return p.stubResult()
	case testing && p.model.isSkippedTest(span):
		return p.skippedResult()
	case w.doubtful > 0 || p.model.errorTouches(span) && !p.model.hasCertainCode(span):
		return p.brokenResult()
	case w.vague > 0 && (!hasReal || p.model.isDoubtful(span) && p.model.isWired(span, seemsHollow) ||
		p.model.callsDoubtful(span) || p.model.holdsFutile(span)):
		return p.vagueResult()
	case p.model.grammar.Is("data") && !hasReal && inert > 0:
		return p.emptyResult(stubContent)
	case hasReal && (testing || p.model.holdsTests(span)):
		return p.testResult(span)
	case hasReal && p.asks("asks outside") && p.model.doesOnly(span, func(e effect) bool { return e.staysInside }):
		return p.unclear("the item says that data leaves or enters the program, but the cited code calls nothing outside "+
			"of it", "cite the code that does it, or report the item as skipped with a reason")
	case hasReal && p.asks("asks after failures") && !p.asks("asks for no more") &&
		p.model.doesOnly(span, func(e effect) bool { return e.swallows }):
		return p.unclear("the item says what follows from a failure, but the cited code swallows one",
			"let the code pass the failure on, or report the item as skipped with a reason")
	case hasReal && !p.HasOthers:
		return p.inputResult(span)
	case hasReal || w.byKind[weak] > 0:
		return verified()
	case p.model.grammar.Is("data") && fits("empty value", p.model.of(span)):
		return verified()
	case w.stubBrackets > 0:
		return p.stubResult()
	case p.model.hasDirective(span):
		return verified()
	case inert > 0:
		return p.emptyResult(stubContent)
	case w.byKind[bracket] > 0 && fits("block opener", strings.TrimSpace(p.model.of(span))):
		return verified()
	case w.byKind[bracket] > 0:
		return p.emptyResult("only brackets")
	case w.byKind[comment] > 0:
		return p.emptyResult("only comments")
	}
	return p.emptyResult("only blank lines")
}

// inputResult is that of code which is the item's only place: it reads the parameter that the item names.
func (p *place) inputResult(span stretch) Result {
	if name := p.unreadInput(span); name != "" {
		return p.unclear(fmt.Sprintf("the item names %s, a parameter that the cited code never reads", name),
			"let the code read it, or report the item as skipped with a reason")
	}
	return verified()
}

// unreadInput is a parameter that the item names, and that no cited function reads; "" if there is none.
func (p *place) unreadInput(span stretch) string {
	if p.asks("asks for less") || p.asks("removal words") {
		return ""
	}
	said := map[string]bool{} // the words of the item; a name in it is one word
	isEnd := func(r rune) bool { return !lang.IsNameRune(r) }
	for _, word := range strings.FieldsFunc(strings.ToLower(parser.WithoutType(p.Item)), isEnd) {
		said[strings.TrimSuffix(word, "s")] = true
	}
	isUnsaid := func(word string) bool { return !said[strings.TrimSuffix(word, "s")] }
	all := p.model.outermost(span, isFunction)
	for _, d := range all {
		for _, name := range d.effect.unread {
			reads := func(o *definition) bool {
				text := strings.ReplaceAll(p.model.of(stretch{o.start, o.end}), "$", " ")
				return !slices.Contains(o.effect.unread, name) && lang.HasWord(text, name)
			}
			isNamed := !isUnsaid(strings.ToLower(name)) || !slices.ContainsFunc(lang.Words(name), isUnsaid)
			if isNamed && p.model.hasFreeParams(d) && !slices.ContainsFunc(all, reads) {
				return name
			}
		}
	}
	return ""
}

// asks reports whether the item, without its number and type, fits a pattern.
func (p *place) asks(pattern string) bool { return fits(pattern, parser.WithoutType(p.Item)) }

// isSkippedTest reports whether all functions of a span are tests that do not run.
func (m *model) isSkippedTest(s stretch) bool {
	all, silent := m.outermost(s, isFunction), m.grammar.SkippedSpans(m.text.bytes, m.inComment)
	runs := func(d *definition) bool { return !m.neverRuns(d) && !m.isInSkipped(d, silent) }
	return len(all) > 0 && !slices.ContainsFunc(all, runs)
}

// neverRuns reports whether a function is a test that is skipped, ignored or expected to fail.
func (m *model) neverRuns(d *definition) bool {
	if d.isTitled && d.ownKinds.has(skips) && d.isSkipped || slices.ContainsFunc(m.decoratorsOf(d), m.skipsAlways) {
		return true
	}
	if d.body < 0 {
		return false
	}
	for _, k := range m.kinds[d.body:d.bodyEnd] {
		switch k & kindMask {
		case blank, comment, bracket, docstring:
		default:
			return k&kindMask == skips
		}
	}
	return false
}

func (m *model) skipsAlways(decorator string) bool {
	return m.grammar.SkipDecorator.MatchString(decorator) && !fits("conditional skip", decorator)
}

// skippedResult refuses a skipped test for an item of kind test; for others it is unclear.
func (p *place) skippedResult() Result {
	why := "the test does not run: it is skipped, or expected to fail"
	if p.Kind != KindTest {
		return p.unclear(why, "cite a test that runs")
	}
	return refusal(why, p.problem(EmptyImpl, emptyAt(p.Evidence, "a test that does not run"),
		"let the test run, or report the item as skipped with a reason"))
}

// judgeProse judges prose, where a bracket is a mark of a list, a quote or a rule.
func (p *place) judgeProse(w byteCounts) Result {
	switch {
	case w.byKind[real] > 0:
	case w.byKind[passes] > 0:
		return p.emptyResult(stubContent)
	case w.byKind[weak] > 0:
	case w.byKind[bracket] > 0:
		return p.emptyResult("only marks of lists and rules")
	default:
		return p.emptyResult("only blank lines")
	}
	return p.proseResult()
}

func verified() Result { return Result{Verdict: report.Verified} }

func (m *model) countBytes(s stretch, kind Kind) byteCounts {
	var w byteCounts
	for _, k := range m.kinds[s.start:s.end] {
		base := k & kindMask
		if base == blank || base == comment {
			w.byKind[base]++
			continue
		}
		skipped := kind == KindTest && k&inSkip != 0
		switch {
		case k&inStub != 0 && !skipped && base == bracket:
			w.stubBrackets++
		case k&inStub != 0 && !skipped:
			w.stub++
		case k&inVague == inVague && base != bracket:
			w.vague++
		case k&inDoubt != 0 && k&inSkip == 0:
			w.doubtful++
		case k&(inExempt|inStub) != 0 && base != bracket:
			w.byKind[real]++
		default:
			w.byKind[base]++
		}
	}
	return w
}

// hasProse reports whether a span holds a comment or bare string that is not just a TODO.
func (m *model) hasProse(s stretch) bool {
	return m.anySays(m.notesIn(s), func(text string) bool { return !lang.OpensWithMarker(text) })
}

// hasDirective reports whether a comment or bare string in a span instructs a tool.
func (m *model) hasDirective(s stretch) bool {
	return m.anySays(m.notesIn(s), m.grammar.Directive.MatchString)
}

func (m *model) notesIn(s stretch) []stretch {
	return slices.Concat(m.overlapping(m.comments, s), m.overlapping(m.docstrings, s))
}

// overlapping returns the stretches of a sorted, disjoint list that overlap s.
func (m *model) overlapping(list []stretch, s stretch) []stretch {
	inside := within(list, s)
	before := within(list, stretch{0, s.start})
	if n := len(before); n > 0 && before[n-1].end > s.start {
		return append([]stretch{before[n-1]}, inside...)
	}
	return inside
}

func (p *place) stubsIn() []string {
	var words []string
	for _, d := range p.model.outermost(p.text.span(p.first, p.last), isStub) {
		from, to := p.model.linesOf(d)
		words = append(words, fmt.Sprintf("%s (%s, %s)", d.symbol, lines(from, to),
			strings.ReplaceAll(string(d.reason), "_", " ")))
	}
	return words
}

func (p *place) stubResult() Result {
	names := report.Enumerate(p.stubsIn())
	r := refusal("stub: "+names, p.problem(EmptyImpl, emptyAt(p.Evidence, stubContent),
		"write the body of "+names+", or report the item as skipped with a reason"))
	r.Contradiction = true
	return r
}

// emptyResult refuses lines without code; what describes them.
func (p *place) emptyResult(content string) Result {
	return refusal(content, p.problem(EmptyImpl, emptyAt(p.Evidence, content), "cite the lines of the code itself"))
}

func (p *place) partialResult() Result {
	names := report.Enumerate(p.stubsIn())
	why := "a stub stands beside real code: " + names
	return p.unclearBy(codePartialStub,
		fmt.Sprintf("Evidence '%s' holds a stub beside real code: %s.", canonical(p.Evidence), names), why,
		"finish the stub, or cite only the lines of the code that does the work")
}

// vagueResult is unclear: a fake and an honest default look the same.
func (p *place) vagueResult() Result {
	var reasons []string
	meant := 0
	for _, d := range p.model.outermost(p.text.span(p.first, p.last), isVague) {
		if d.why == flow.OnlyPrints && fits("asks to show", p.Item) ||
			d.why == flow.OnlyPassesThrough && fits("asks to pass", p.Item) ||
			d.why == flow.OnlyChecksPresence && fits("asks for presence", p.Item) {
			meant++
			continue
		}
		from, to := p.model.linesOf(d)
		reasons = append(reasons, fmt.Sprintf("%s (%s) %s", d.symbol, lines(from, to),
			cmp.Or(d.why, "only returns nothing and reads none of its parameters")))
	}
	if len(reasons) == 0 && meant > 0 {
		return verified()
	}
	return p.unclear(report.Enumerate(reasons), "cite the code that does the work, or report the item as skipped with "+
		"a reason")
}

func (p *place) brokenResult() Result {
	why := fmt.Sprintf("there is a syntax error at line %d", p.model.nearestError(p.text.span(p.first, p.last)))
	return p.unclearBy(codeSyntaxError, fmt.Sprintf("Evidence '%s' cannot be read as %s: %s.", canonical(p.Evidence),
		p.model.grammar.Name, why), why, "")
}

// nearestError returns the line of the first syntax error in a span, else of the last before it, else of the first.
func (m *model) nearestError(s stretch) int {
	at := m.errors[0].start
	for _, e := range m.errors {
		if e.touches(s) {
			return m.text.line(max(e.start, s.start))
		}
		if e.start < s.start {
			at = e.start
		}
	}
	return m.text.line(at)
}

func (p *place) judgePlainLines() Result {
	isProse, isSettings := parser.IsProse(p.Path), fits("settings file", p.Path)
	empty := patternOf("empty line")
	switch {
	case isProse:
		empty = patternOf("empty prose")
	case isSettings && p.Kind != KindText:
		empty = patternOf("empty setting")
	}
	allEmpty, allBlank := true, true
	for line := p.first; line <= p.last; line++ {
		text := p.text.at(line)
		allEmpty = allEmpty && empty.MatchString(text)
		allBlank = allBlank && strings.TrimSpace(text) == ""
	}
	switch {
	case allBlank:
		return p.emptyResult("only blank lines")
	case allEmpty && isSettings:
		return p.emptyResult("only comments")
	case allEmpty:
		return p.emptyResult(stubContent)
	case isProse:
		return p.proseResult()
	case isSettings:
		return verified()
	}
	return p.unclear(fmt.Sprintf("acta has no grammar for %s, so it only looked for blank lines and TODOs",
		ending(p.Path)), "docs/languages.md lists the files that acta can parse")
}

func (p *place) proseResult() Result {
	if p.Kind == KindText || p.Kind == kindAsset || slices.ContainsFunc(parser.Names(p.Item),
		func(n parser.Name) bool {
			return n.IsFile && (n.IsObject || n.IsInside) && matchesPath(p.Path, n.Text)
		}) {
		return verified()
	}
	return p.unclear("it is prose, and the item asks for code", "cite the code, or register the item with kind text")
}

func (p *place) unclear(why, hint string) Result {
	r := unclear(p.Evidence, why, hint)
	r.Problems[0].Line, r.Problems[0].EndLine = p.first, p.last
	return r
}

// ending is the extension of a file, or its name if it has none.
func ending(name string) string {
	if ext := path.Ext(name); ext != "" {
		return ext
	}
	return path.Base(name)
}

// KindOf is the default kind of an item that cites a file of this name: text for prose, else code.
func KindOf(name string) Kind {
	if g := grammarOf(name); parser.IsProse(name) || g != nil && g.Is("prose") {
		return KindText
	}
	return KindCode
}
