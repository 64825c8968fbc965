package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/report"
)

// weight is what stands in a span, in bytes by kind.
type weight struct {
	kinds [kinds]int
	// stub counts what belongs to stubs, stubBrackets the brackets of that alone.
	stub, stubBrackets int
	// doubtful counts what belongs to a stub that a syntax error touches.
	doubtful int
	// vague counts what belongs to definitions that only give back nothing.
	vague int
}

// weigh judges whether the lines hold substance.
func (p *place) weigh() Result {
	if p.model == nil {
		return p.weighLines()
	}
	span := p.text.span(p.first, p.last)
	w := p.model.weigh(span, p.Kind)
	hasReal := w.kinds[real]+w.kinds[dropped]+w.kinds[skips] > 0
	testing := p.model.grammar.IsCode() && (p.Kind == KindTest || holdsDoubles(p.entry.Path))
	inert := w.kinds[passes] + w.kinds[ellipsis] + w.kinds[notImplemented] + w.kinds[docstring] + w.kinds[vacuous]
	switch {
	case p.model.grammar.Is("prose"):
		return p.weighProse(w)
	case p.Kind == KindText && p.model.hasProse(span) && !p.model.errorTouches(span):
		return verified()
	case w.stub > 0 && hasReal && !p.model.isWired(span, isHollow):
		return p.partial()
	case w.stub > 0:
		return p.stubbed()
	case testing && p.model.isSkippedTest(span):
		return p.skipped()
	case w.doubtful > 0 || p.model.errorTouches(span) && !p.model.hasRealBeside(span):
		return p.broken()
	case w.vague > 0 && (!hasReal || p.model.isFollowed(span) && p.model.isWired(span, seemsHollow)):
		return p.vague()
	case p.model.grammar.Is("data") && !hasReal && inert > 0:
		return p.empty(stubContent)
	case hasReal && (testing || p.model.holdsTests(span)):
		return p.tested(span)
	case hasReal || w.kinds[weak] > 0:
		return verified()
	case p.model.grammar.Is("data") && holdsValue.MatchString(p.model.of(span)):
		return verified()
	case w.stubBrackets > 0:
		return p.stubbed()
	case p.model.hasDirective(span):
		return verified()
	case inert > 0:
		return p.empty(stubContent)
	case w.kinds[bracket] > 0 && opensBlock.MatchString(strings.TrimSpace(p.model.of(span))):
		return verified()
	case w.kinds[bracket] > 0:
		at := p.model.nextToken(span.start) - 1
		if slices.ContainsFunc(p.model.literals, func(l stretch) bool { return l.start <= at && at < l.end }) {
			return verified()
		}
		return p.empty("only brackets")
	case w.kinds[comment] > 0:
		return p.empty("only comments")
	}
	return p.empty("only blank lines")
}

// opensBlock is a word alone that opens a block of its own, which may stand in the place of a condition.
var opensBlock = lang.Lazy(`^(do|begin)$`)

// holdsValue is an opening and its closing bracket: [] and {} are values.
var holdsValue = lang.Lazy(`[(\[{][\s\S]*[)\]}]`)

// isSkippedTest reports whether the functions of a span are tests that do not run, and nothing else stands there.
func (m *model) isSkippedTest(s stretch) bool {
	found := false
	silent := m.grammar.SkippedSpans(m.text.bytes, m.inComment)
	for d := range m.outermost(s, isFunction) {
		if !m.neverRuns(d) && !m.isSilenced(d, silent) {
			return false
		}
		found = true
	}
	return found
}

// neverRuns reports whether a function is a test that is skipped, ignored or expected to fail, whatever its body.
func (m *model) neverRuns(d *definition) bool {
	if d.title && d.own.has(skips) && d.skips || slices.ContainsFunc(m.decoratorsOf(d), m.skipsAlways) {
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

// sometimes is how a decorator says that a test is skipped under a condition.
var sometimes = lang.Lazy(`(?i)skip_?(if|unless)|xfail\(.+,|attr\(|disabled\(if` +
	`|(dis|en)abled_?(on|if|for|in|without|with)`)

func (m *model) skipsAlways(decorator string) bool {
	return m.grammar.SkipDecorator.MatchString(decorator) && !sometimes.MatchString(decorator)
}

// skipped refuses a skipped test for an item of kind test; for another it is unclear.
func (p *place) skipped() Result {
	why := "the test does not run: it is skipped, or expected to fail"
	if p.Kind != KindTest {
		return p.unsure(why, "cite a test that runs")
	}
	return refused(why, p.problem(EmptyImpl, emptyAt(p.Evidence, "a test that does not run"),
		"let the test run, or report the item as skipped with a reason"))
}

// weighProse judges text that is written for people to read, where a bracket is a mark of a list, a quote or a rule.
func (p *place) weighProse(w weight) Result {
	switch {
	case w.kinds[real] > 0:
	case w.kinds[passes] > 0:
		return p.empty(stubContent)
	case w.kinds[weak] > 0:
	case w.kinds[bracket] > 0:
		return p.empty("only marks of lists and rules")
	default:
		return p.empty("only blank lines")
	}
	return p.prose()
}

func verified() Result { return Result{Verdict: report.Verified} }

// weigh counts what stands in a span.
func (m *model) weigh(s stretch, of Kind) weight {
	var w weight
	for _, k := range m.kinds[s.start:s.end] {
		base := k & kindMask
		if base == blank || base == comment {
			w.kinds[base]++
			continue
		}
		skipped := of == KindTest && k&inSkip != 0
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
			w.kinds[real]++
		default:
			w.kinds[base]++
		}
	}
	return w
}

// hasProse reports whether a span holds a comment or a bare string that does not just say TODO.
func (m *model) hasProse(s stretch) bool {
	for _, list := range [][]stretch{m.overlapping(m.comments, s), m.overlapping(m.docstrings, s)} {
		for _, at := range list {
			if !lang.OpensWithMarker(m.of(at)) {
				return true
			}
		}
	}
	return false
}

// hasDirective reports whether a comment or bare string in a span is an instruction to a tool.
func (m *model) hasDirective(s stretch) bool {
	directs := func(at stretch) bool { return m.grammar.Directive.MatchString(m.of(at)) }
	return slices.ContainsFunc(m.overlapping(m.comments, s), directs) ||
		slices.ContainsFunc(m.overlapping(m.docstrings, s), directs)
}

// overlapping returns the stretches of a sorted list of disjoint ones that overlap s.
func (m *model) overlapping(list []stretch, s stretch) []stretch {
	inside := within(list, s)
	before := within(list, stretch{0, s.start})
	if n := len(before); n > 0 && before[n-1].end > s.start {
		return append([]stretch{before[n-1]}, inside...)
	}
	return inside
}

// stubsIn describes the outermost stubs that overlap the lines.
func (p *place) stubsIn() []string {
	var words []string
	isStub := func(d *definition) bool { return d.status == stub }
	for d := range p.model.outermost(p.text.span(p.first, p.last), isStub) {
		from, to := p.model.linesOf(d)
		words = append(words, fmt.Sprintf("%s (%s, %s)", d.symbol, lines(from, to),
			strings.ReplaceAll(string(d.reason), "_", " ")))
	}
	return words
}

// stubbed refuses lines where a stub stands and nothing else.
func (p *place) stubbed() Result {
	names := report.Enumerate(p.stubsIn())
	r := refused("stub: "+names, p.problem(EmptyImpl, emptyAt(p.Evidence, stubContent),
		"write the body of "+names+", or report the item as skipped with a reason"))
	r.Contradiction = true
	return r
}

// empty refuses lines that hold nothing, in words of its own.
func (p *place) empty(what string) Result {
	return refused(what, p.problem(EmptyImpl, emptyAt(p.Evidence, what), "cite the lines of the code itself"))
}

// partial is unclear: real code and a stub stand side by side.
func (p *place) partial() Result {
	names := report.Enumerate(p.stubsIn())
	why := "a stub stands beside real code: " + names
	return p.because(codePartialStub,
		fmt.Sprintf("Evidence '%s' holds a stub beside real code: %s.", canonical(p.Evidence), names), why,
		"finish the stub, or cite only the lines of the code that does the work")
}

// vague is unclear: a fake and an honest default look the same.
func (p *place) vague() Result {
	var reasons []string
	meant := 0
	isVague := func(d *definition) bool { return d.status == vague }
	for d := range p.model.outermost(p.text.span(p.first, p.last), isVague) {
		if d.why == flow.OnlyPrints && asksToShow.MatchString(p.Item) ||
			d.why == flow.OnlyPassesThrough && asksToPass.MatchString(p.Item) {
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
	return p.unsure(report.Enumerate(reasons), "cite the code that does the work, or report the item as skipped with "+
		"a reason")
}

var (
	// asksToShow is how an item asks for what prints, asksToPass for what gives back what it is given.
	asksToShow = lang.Lazy(`(?i)\b(?:log|logs|logged|logging|print\w*|show\w*|warn\w*|report\w*|display\w*|output\w*` +
		`|tell\w*|audit\w*|trace\w*|echo\w*|dump\w*|announce\w*|debug\w*|telemetry|status|notif\w+|greet\w*|help|usage)\b`)
	asksToPass = lang.Lazy(`(?i)\b(?:identity|unchanged|untouched|as (?:they|it) (?:are|is)|as[- ]is` +
		`|pass\w*[- ]?through|no-?op|marker|marks?|decorator|define\w*|default hook|keep)\b`)
)

// broken is unclear: what stands there cannot be read.
func (p *place) broken() Result {
	why := fmt.Sprintf("there is a syntax error at line %d", p.model.nearestError(p.text.span(p.first, p.last)))
	return p.because(codeSyntaxError, fmt.Sprintf("Evidence '%s' cannot be read as %s: %s.", canonical(p.Evidence),
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
