package evidence

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"

	"github.com/acta-git/acta/evidence/lang"
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

// Evidence judges one cited place: its form, that it exists, its range, then its
// substance. The error is set only when that could not be decided, because a
// reader failed or ctx ended; then the result is empty.
func (j *Judge) Evidence(ctx context.Context, c Claim) (Result, error) {
	r, err := j.judge(ctx, c)
	j.unstaged(ctx, c.Evidence, &r)
	if err == nil && r.Verdict == report.Verified && r.Aside == "" {
		r.Aside, err = j.aside(ctx, c)
	}
	if err != nil {
		return Result{}, fmt.Errorf("evidence '%s' could not be judged: %w", canonical(c.Evidence), err)
	}
	if e := c.Evidence; e.Note != "" && e.Err == "" {
		r.Problems = append(r.Problems, Problem{
			Code: codeFormatInvalid, Path: e.Path, Note: true, Message: fmt.Sprintf("Evidence '%s' is read as '%s': %s.",
				written(e), canonical(e), e.Note),
		})
	}
	return r, nil
}

func (j *Judge) judge(ctx context.Context, c Claim) (Result, error) {
	e := c.Evidence
	switch {
	case e.Err != "" || e.Path == "" || e.Start < 0 || e.End < e.Start:
		hint, err := j.formHint(ctx, e)
		return badForm(e.Path, written(e), hint), err
	case e.IsRemoved:
		return j.removal(ctx, e)
	case e.Start == 0:
		return j.bare(ctx, c)
	}
	found, err := j.locate(ctx, &j.Tree, e.Path)
	if err != nil {
		return Result{}, err
	}
	if found.Kind != File {
		return j.noFile(ctx, e, found)
	}
	s, err := j.read(ctx, &j.Tree, found.Entry)
	hint := ""
	if s.why == aPointer || s.why == noLines {
		hint = "cite a file without lines by its path alone: " + e.Path
	}
	if err != nil || s.why != "" {
		return undecided(e, s.why, hint), err
	}
	return j.cited(ctx, c, s)
}

// written is evidence as its author wrote it.
func written(e parser.Evidence) string {
	if e.Text.Value != "" {
		return e.Text.Value
	}
	return canonical(e)
}

// noLines says why a binary file is not read, aPointer why what stands for one is not.
const (
	noLines  = "it is a binary file, which has no lines"
	aPointer = "it is a git-lfs pointer, and its content is not in the repository"
)

// isBinary is git's own rule: a NUL byte in the first 8,000.
func isBinary(src []byte) bool { return bytes.IndexByte(src[:min(len(src), binaryPrefix)], 0) >= 0 }

// isPointer recognises a git-lfs pointer by the first line that its specification demands.
func isPointer(src []byte) bool {
	return len(src) < 1024 && bytes.HasPrefix(src, []byte("version https://git-lfs.github.com/spec/"))
}

// place is a claim at lines that are to be judged.
type place struct {
	Claim
	entry Entry
	text  text
	model *model // nil without a grammar
	// first and last are the lines that are judged: those cited, or where the symbol stands.
	first, last int
	// changed are the lines one of which the unit's change must touch.
	changed lineRange
	moved   *definition
	lost    bool // the symbol was not found
	remark  bool // the lines hold comments or prose alone, and the commit changes nothing else
	kept    bool // a change touched the lines, and left their code as it was
}

// cited judges the cited lines of a file.
func (j *Judge) cited(ctx context.Context, c Claim, s *source) (Result, error) {
	if err := s.parse(ctx, j.Cache); err != nil {
		return Result{}, err
	}
	t := s.text
	p := place{Claim: c, entry: s.Entry, text: t, model: s.model, first: c.Evidence.Start, last: c.Evidence.End}
	p.follow()
	p.widen()
	if p.last > t.count() {
		r := p.beyond()
		err := j.shifted(ctx, &p, &r)
		return r, err
	}
	if s.why != "" && KindOf(s.Path) != KindText { // prose can be judged line by line
		return undecided(c.Evidence, s.why, ""), nil
	}
	r := p.weigh()
	if r.Contradiction {
		var err error
		if r, err = j.allowed(ctx, &p, r); err != nil {
			return Result{}, err
		}
	}
	// In a commit that changes nothing but comments and prose, these are what there is to cite.
	if p.isRemark(&r) && j.Prose != nil && !c.asksToMake() {
		only, err := j.Prose.only(ctx, j)
		if err != nil {
			return Result{}, err
		}
		if only {
			r, p.remark = verified(), true
		}
	}
	p.judgeSymbol(&r)
	if err := j.relate(ctx, &p, &r); err != nil {
		return Result{}, err
	}
	if c.Evidence.End <= t.count() {
		r.First, r.Last = t.trim(c.Evidence.Start, c.Evidence.End)
	}
	r.Shows, r.Aside = p.shows(), p.unwritten()
	if c.Evidence.Symbol == "" && p.model != nil {
		r.Anchor = p.model.anchor(p.first, p.last)
	}
	if r.Verdict == report.Verified && (c.Kind == KindCode || c.Kind == "") {
		r.Unused = p.unused()
	}
	if wide := c.Evidence.End - c.Evidence.Start + 1; p.moved == nil && wide > j.Limits.maxLines() {
		r.Problems = append(r.Problems, p.problem(codeTooWide,
			fmt.Sprintf("Evidence '%s' spans %d lines; the limit is %d.", canonical(c.Evidence), wide,
				j.Limits.maxLines()),
			"cite the definitions that do the work, each by its own lines"))
	}
	return r, nil
}

// follow lets the symbol decide where the lines do not lead to it.
func (p *place) follow() {
	if p.Evidence.Symbol == "" || p.model == nil {
		return
	}
	d := p.model.choose(p.Evidence.Symbol, p.first, p.last)
	if d == nil {
		p.lost = !p.named()
		return
	}
	from, to := p.model.linesOf(d)
	if p.last < p.model.commented(from) || p.first > to || p.last > p.text.count() {
		p.first, p.last, p.moved = from, to, d
	}
}

// named reports whether the symbol's own name stands in the cited lines: a
// constant or a field, say, which is no definition that symbols are kept of.
func (p *place) named() bool {
	if p.last > p.text.count() {
		return false
	}
	symbol := plainSymbol(p.Evidence.Symbol)
	s := p.text.span(p.first, p.last)
	return lang.HasWord(string(p.text.bytes[s.start:s.end]), symbol[strings.LastIndex(symbol, ".")+1:])
}

// judgeSymbol adds to a result what its anchor says.
func (p *place) judgeSymbol(r *Result) {
	e := p.Evidence
	switch {
	case p.moved != nil:
		from, to := lines(p.first, p.last), p.moved.symbol
		r.Problems = append(r.Problems, p.problem(codeMoved,
			fmt.Sprintf("Evidence '%s' has moved: %s stands at %s.", canonical(e), to, from),
			fmt.Sprintf("%s:%s#%s", e.Path, from, e.Symbol)))
	case p.lost && r.Verdict == report.Verified:
		why := fmt.Sprintf("no definition named %s is in %s", e.Symbol, e.Path)
		r.Verdict, r.Reason = report.Unclear, why
		r.Problems = append(r.Problems, uncertain(e, p.first, p.last, why, ""))
	}
}

// problem is a problem at the lines that were judged.
func (p *place) problem(code Code, message, hint string) Problem {
	return Problem{Code: code, Path: p.entry.Path, Line: p.first, EndLine: p.last, Message: message, Hint: hint}
}

// beyond refuses lines that the file does not have.
func (p *place) beyond() Result {
	total := p.text.count()
	line := p.last
	if p.first > total {
		line = p.first
	}
	at := Problem{
		Code: codeOutOfRange, Path: p.entry.Path, Line: min(p.first, total), EndLine: total,
		Message: fmt.Sprintf(outOfRange, line, total, total), Hint: p.spanOfMention(),
	}
	if total == 0 {
		at.Hint = "the file is empty: cite it by its path alone, " + p.Evidence.Path
	}
	return refused("line out of range", at)
}

// spanOfMention is the evidence for the one definition that the item names.
func (p *place) spanOfMention() string {
	if p.model == nil {
		return ""
	}
	for _, name := range parser.Names(p.Item) {
		if d := p.model.choose(name.Text, p.first, p.last); d != nil {
			from, to := p.model.linesOf(d)
			return fmt.Sprintf("%s stands at %s:%s", name.Text, p.Evidence.Path, lines(from, to))
		}
	}
	return ""
}
