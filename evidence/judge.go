package evidence

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

const (
	// defaultMaxLines and defaultMaxFileBytes are the defaults of Limits.
	defaultMaxLines     = 400
	defaultMaxFileBytes = 2 << 20
	// binaryPrefix is how far git looks for a NUL byte to call a file binary.
	binaryPrefix = 8000
)

func (l Limits) maxLines() int { return cmp.Or(max(l.MaxLines, 0), defaultMaxLines) }

func (l Limits) maxFileBytes() int64 { return cmp.Or(max(l.MaxFileBytes, 0), defaultMaxFileBytes) }

// Evidence judges one cited place: its form, its existence, its range, then its substance. The error is set only if a
// reader failed or ctx ended.
func (j *Judge) Evidence(ctx context.Context, c Claim) (Result, error) {
	k := j.call(ctx)
	r := k.judgeEvidence(c)
	return r, k.Err
}

type call struct {
	Judge
	*Reads
}

func (j *Judge) call(ctx context.Context) *call { return &call{*j, &Reads{Ctx: ctx}} }

func (j *call) judgeEvidence(c Claim) Result {
	e, r := c.Evidence, j.judge(c)
	j.hintUnstaged(e, &r)
	if j.Err == nil && r.Verdict == report.Verified && r.Aside == "" {
		r.Aside = j.asideReason(c)
	}
	if j.Err != nil {
		j.Err = fmt.Errorf("evidence '%s' could not be judged: %w", canonical(e), j.Err)
		return Result{}
	}
	if e.Note != "" && e.Err == "" {
		r.Problems = append(r.Problems, Problem{
			Code: codeFormatInvalid, Path: e.Path, IsNote: true, Message: fmt.Sprintf("Evidence '%s' is read as '%s': %s.",
				asWritten(e), canonical(e), e.Note),
		})
	}
	return r
}

func (j *call) judge(c Claim) Result {
	e := c.Evidence
	switch {
	case e.Err != "" || e.Path == "" || e.Start < 0 || e.End < e.Start:
		return badForm(e.Path, asWritten(e), j.formHint(e))
	case e.IsRemoved:
		return j.removal(e)
	case e.Start == 0:
		return j.judgePath(c)
	}
	found := j.locate(&j.Tree, e.Path)
	if found.Kind != File {
		return j.noFile(e, found)
	}
	s := j.read(&j.Tree, found.Entry)
	hint := ""
	if s.whyUnreadable == isPointerReason || s.whyUnreadable == noLinesReason {
		hint = "cite a file without lines by its path alone: " + e.Path
	}
	if s.whyUnreadable != "" {
		return unclear(e, s.whyUnreadable, hint)
	}
	return j.judgeLines(c, s)
}

func asWritten(e parser.Evidence) string {
	if e.Text.Value != "" {
		return e.Text.Value
	}
	return canonical(e)
}

// Reasons why a file is not read by lines.
const (
	noLinesReason   = "it is a binary file, which has no lines"
	isPointerReason = "it is a git-lfs pointer, and its content is not in the repository"
	unreadReason    = "it could not be read"
)

// isBinary is git's own rule: a NUL byte in the first 8,000.
func isBinary(src []byte) bool { return bytes.IndexByte(src[:min(len(src), binaryPrefix)], 0) >= 0 }

// isPointer recognises a git-lfs pointer by the first line that its specification demands.
func isPointer(src []byte) bool {
	return len(src) < 1024 && bytes.HasPrefix(src, []byte("version https://git-lfs.github.com/spec/"))
}

// place is a claim at lines under judgement.
type place struct {
	Claim
	*source
	// first and last are the judged lines: the cited ones, or those of the symbol.
	first, last int
	// unitLines are the lines of which the unit's change must touch one.
	unitLines   lineRange
	movedTo     *definition
	isLost      bool // the symbol was not found
	isProseOnly bool // the lines hold only comments or prose, and the commit changes nothing else
	isUnchanged bool // a change touched the lines without changing code
}

// place is the place that a claim cites in a file.
func (s *source) place(c Claim) place {
	return place{Claim: c, source: s, first: c.Evidence.Start, last: c.Evidence.End}
}

func (j *call) judgeLines(c Claim, s *source) Result {
	j.parse(s)
	t := s.text
	p := s.place(c)
	p.followSymbol()
	p.widenHeader()
	if p.last > t.count() {
		r := p.outOfRangeResult()
		j.excuseShifted(&p, &r)
		return r
	}
	if s.whyUnreadable != "" && KindOf(s.Path) != KindText { // prose can be judged line by line
		return unclear(c.Evidence, s.whyUnreadable, "")
	}
	r := p.judgeSubstance()
	if r.Contradiction {
		r = j.excuseOverridden(&p, r)
	}
	j.excuseProse(&p, &r)
	p.judgeSymbol(&r)
	j.checkChange(&p, &r)
	if c.Evidence.End <= t.count() {
		r.First, r.Last = t.trim(c.Evidence.Start, c.Evidence.End)
	}
	r.Shows, r.Aside = p.shownNames(), p.noWorkReason()
	if c.Evidence.Symbol == "" && p.model != nil {
		r.Anchor = p.model.anchor(p.first, p.last)
	}
	if r.Verdict == report.Verified && (c.Kind == KindCode || c.Kind == "") {
		r.Unused = p.unusedFunctions()
	}
	if wide := c.Evidence.End - c.Evidence.Start + 1; p.movedTo == nil && wide > j.Limits.maxLines() {
		r.Problems = append(r.Problems, p.problem(codeTooWide,
			fmt.Sprintf("Evidence '%s' spans %d lines; the limit is %d.", canonical(c.Evidence), wide,
				j.Limits.maxLines()),
			"cite the definitions that do the work, each by its own lines"))
	}
	return r
}

// followSymbol replaces the lines by those of the symbol if they do not overlap.
func (p *place) followSymbol() {
	if p.Evidence.Symbol == "" || p.model == nil {
		return
	}
	d := p.model.chooseDefinition(p.Evidence.Symbol, p.first, p.last)
	if d == nil {
		p.isLost = !p.namesSymbol()
		return
	}
	from, to := p.model.linesOf(d)
	if p.last < p.model.commentStart(from) || p.first > to || p.last > p.text.count() {
		p.first, p.last, p.movedTo = from, to, d
	}
}

// namesSymbol reports whether the symbol's last name stands in the cited lines: it may be a constant or a field, which
// are no definitions.
func (p *place) namesSymbol() bool {
	if p.last > p.text.count() {
		return false
	}
	symbol := plainSymbol(p.Evidence.Symbol)
	s := p.text.span(p.first, p.last)
	return lang.HasWord(string(p.text.bytes[s.start:s.end]), symbol[strings.LastIndex(symbol, ".")+1:])
}

func (p *place) judgeSymbol(r *Result) {
	e := p.Evidence
	switch {
	case p.movedTo != nil:
		from, to := lines(p.first, p.last), p.movedTo.symbol
		r.Problems = append(r.Problems, p.problem(codeMoved,
			fmt.Sprintf("Evidence '%s' has moved: %s stands at %s.", canonical(e), to, from),
			fmt.Sprintf("%s:%s#%s", e.Path, from, e.Symbol)))
	case p.isLost && r.Verdict == report.Verified:
		lost := p.unclear(fmt.Sprintf("no definition named %s is in %s", e.Symbol, e.Path), "")
		r.Verdict, r.Reason, r.Problems = lost.Verdict, lost.Reason, append(r.Problems, lost.Problems...)
	}
}

func (p *place) problem(code Code, message, hint string) Problem {
	return Problem{Code: code, Path: p.Path, Line: p.first, EndLine: p.last, Message: message, Hint: hint}
}

// outOfRangeResult refuses lines beyond the end of the file.
func (p *place) outOfRangeResult() Result {
	total := p.text.count()
	line := p.last
	if p.first > total {
		line = p.first
	}
	at := Problem{
		Code: codeOutOfRange, Path: p.Path, Line: min(p.first, total), EndLine: total,
		Message: fmt.Sprintf(outOfRange, line, total, total), Hint: p.namedSpan(),
	}
	if total == 0 {
		at.Hint = "the file is empty: cite it by its path alone, " + p.Evidence.Path
	}
	return refusal("line out of range", at)
}

func (p *place) namedSpan() string {
	if p.model == nil {
		return ""
	}
	for _, name := range parser.Names(p.Item) {
		if d := p.model.chooseDefinition(name.Text, p.first, p.last); d != nil {
			from, to := p.model.linesOf(d)
			return fmt.Sprintf("%s stands at %s:%s", name.Text, p.Evidence.Path, lines(from, to))
		}
	}
	return ""
}

// Class is the judgement of a function's body.
type Class string

// The classes of functions.
const (
	ClassStub     Class = "stub"
	ClassComplete Class = "complete"
	ClassUnclear  Class = "unclear"
)

// Function is a function or method. Reason and Exempt of its Stub are set only for stubs and exempt functions.
type Function struct {
	Stub
	Class  Class
	reason string
}

// Why is the reason for the class.
func (f Function) Why() string { return cmp.Or(f.reason, f.Exempt, string(f.Reason)) }

// Functions returns the functions of a file, in file order. The error is ErrNoLanguage if no grammar reads such files;
// any other says why the file is unreadable.
func Functions(ctx context.Context, f Source) ([]Function, error) {
	m, err := f.model(ctx, nil, everyBody)
	if m == nil || err != nil {
		return nil, err
	}
	var found []Function
	for _, d := range m.definitions {
		if d.kind == function {
			found = append(found, m.judgedFunction(d))
		}
	}
	slices.SortStableFunc(found, func(a, b Function) int { return cmp.Compare(a.Line, b.Line) })
	return found, nil
}

// judgedFunction returns the class that a claim citing the function would get.
func (m *model) judgedFunction(d *definition) Function {
	f := Function{Stub: m.stubOf(d), Class: ClassComplete}
	switch {
	case d.status == stub:
		f.Class = ClassStub
		return f
	case d.status == exempt && !m.isBroken(d):
		return f
	}
	f.reason, f.Reason, f.Exempt = "its body does something", "", ""
	first, last := m.linesOf(d)
	s := &source{Entry: Entry{Path: m.path}, text: m.text, model: m}
	p := s.place(Claim{Evidence: parser.Evidence{Path: m.path, Start: first, End: last}})
	switch r := p.judgeSubstance(); {
	case r.Verdict != report.Verified:
		f.Class, f.reason = ClassUnclear, strings.TrimPrefix(r.Reason, fmt.Sprintf("%s (%s) ", d.symbol, lines(first, last)))
	case d.body < 0:
		f.reason = "it has no body of its own"
	}
	return f
}
