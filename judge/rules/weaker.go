package rules

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/evidence/weaker/openly"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// rangeTests is what a range tells of tests and gates.
type rangeTests interface {
	// Whole is what became of them between the two ends of the range; nil where nothing did.
	Whole(ctx context.Context) (*weaker.Account, error)
	// Commits are those of the range that Answers is true of, parents before children.
	Commits(ctx context.Context) ([]RangeCommit, error)
	// Messages are what all commits of the range say, parents before children.
	Messages(ctx context.Context) iter.Seq2[*parser.Message, error]
	// PathTier is how strictly one path is held in the range.
	PathTier(ctx context.Context, path string) (policy.Tier, error)
}

// RangeCommit is what a commit of a range says, and the address of its author.
type RangeCommit struct {
	Message *parser.Message
	Author  string
}

// AnswersForTests reports whether a message answers for tests and gates that ask less: it is an ACT's, or declares
// one. All others of a range need not be kept.
func AnswersForTests(m *parser.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p parser.Part) bool { return p.Kind == parser.Act || len(p.Weakenings) > 0 })
}

// isAct reports whether it is an ACT.
func (c RangeCommit) isAct() bool {
	return slices.ContainsFunc(c.Message.Parts, func(p parser.Part) bool { return p.Kind == parser.Act })
}

// RangeContext are what a range tells the rules over one of its commits: what it restores, or whose code another of its
// commits changes, is judged otherwise than where the commit stands alone.
type RangeContext interface {
	rangeTests
	// Author is the address of the commit's author.
	Author() string
	// TestsToEnd is what became of tests and gates between the commit's first parent and the end of the range, as far as
	// it is about what some of the commit are about. Where the author's ACTs answer for it, all of that counts; else it
	// may be told from what the commit touches alone.
	TestsToEnd(ctx context.Context, of []weaker.Weakening, acts bool) (*weaker.Account, error)
}

// weakening is a weaker.Weakening and what is known of it besides.
type weakening struct {
	weaker.Weakening
	// declaration is the reason that a message gives for it; lacks says why one that is given does not count.
	declaration, declarationProblem string
	// isRestored: at the end of the range as much is asked as before the commit.
	isRestored bool
	// statement is where the message of the commit, or one of the range, says that less is asked.
	statement string
	// hasAct: an ACT answers for it.
	hasAct bool
	// tier is how strictly its path is held.
	tier policy.Tier
}

// isSettled reports whether it needs no answer any more.
func (w *weakening) isSettled() bool { return w.Excuse != "" || w.declaration != "" || w.isRestored }

// path is where a finding about it stands.
func (w *weakening) path() string {
	if w.After.Path != "" {
		return w.After.Path
	}
	return w.Before.Path
}

// finding is what is said of it in a tier; false where the rule is off there.
func (w *weakening) finding(r *Rule, p *policy.Policy, t policy.Tier) (report.Finding, bool) {
	at := w.After
	if at.Path == "" {
		at = w.Before
	}
	f := report.Finding{
		Rule: r.ID, Severity: r.severity(p, t), Message: w.sentence(),
		Path: at.Path, Line: at.Line, EndLine: at.EndLine, Column: min(at.Line, 1),
	}
	if f.Severity == 0 {
		return f, false
	}
	switch {
	case w.Excuse != "":
		f.Severity, f.Hint = report.Note, "excused: "+w.Excuse
	case w.declaration != "":
		f.Severity, f.Hint = report.Note, "declared: "+w.declaration
	case w.isRestored:
		f.Severity, f.Hint = report.Note, "it is restored by the end of the range"
	default:
		if !w.hasAct || w.CodeChanged {
			f.Severity = r.milderSeverity(p, t)
		}
		f.Hint = w.hint()
		w.soften(&f, p, t)
	}
	return f, true
}

// soften makes a finding weigh one step less where the message says it openly. STRICT and a policy's own word
// stand.
func (w *weakening) soften(f *report.Finding, p *policy.Policy, t policy.Tier) {
	if _, isSet := p.Override(f.Rule, t); isSet || w.statement == "" || t == policy.Strict {
		return
	}
	f.Hint = fmt.Sprintf("the message says so («%s»); %s", w.statement, f.Hint)
	if f.Severity == report.Error {
		f.Severity = report.Warning
	} else {
		f.Severity = report.Note
	}
}

// hint says what to do about it.
func (w *weakening) hint() string {
	if w.declarationProblem != "" {
		return "its «Weakened:» line does not count: " + w.declarationProblem
	}
	if w.Kind == weaker.SeesTests {
		return "remove it, or add a line that gives the reason: «Weakened: " + w.name() + " | <reason>»"
	}
	return "restore it, or add a line that gives the reason: «Weakened: " + w.name() + " | <reason>»"
}

// sentence is its message as a sentence that names what it is about.
func (w *weakening) sentence() string {
	if w.Kind == weaker.Gate || strings.Contains(w.Message, w.Subject) {
		return w.Message + "."
	}
	return w.Subject + ": " + w.Message + "."
}

// name is what a Weakened: calls it.
func (w *weakening) name() string {
	if w.Kind == weaker.Gate || w.Kind == weaker.SeesTests || w.Subject == "" {
		return w.path()
	}
	return w.Subject
}

// change is the weakening as reports show it, with both sides.
func (w *weakening) change() report.TestChange {
	return report.TestChange{
		Rule: w.Kind.Rule(), Form: w.Form, Subject: w.Subject, Message: w.sentence(), Before: testPlace(w.Before),
		After: testPlace(w.After), Excuse: w.Excuse, Declared: w.declaration,
	}
}

func testPlace(p weaker.Place) report.TestPlace {
	return report.TestPlace{Path: p.Path, Line: p.Line, EndLine: p.EndLine, Text: p.Text}
}

// weaknesses are what a commit or a range asks less, once a rule has asked for it.
type weaknesses struct {
	account *weaker.Account
	list    []weakening
	isKnown bool
}

// report is the account as reports show it; nil where nothing became of tests and gates.
func (k weaknesses) report() *report.Tests {
	a := k.account
	if a == nil {
		return nil
	}
	out := &report.Tests{
		Added: a.Added, Removed: a.Removed, Skipped: a.Skipped, Weaker: a.Weaker, Gates: a.Gates,
		AssertionsBefore: a.AssertionsBefore, AssertionsAfter: a.AssertionsAfter, Changes: []report.TestChange{},
	}
	for i := range k.list {
		w := &k.list[i]
		out.Changes = append(out.Changes, w.change())
		if w.declaration != "" {
			out.Declared++
		}
	}
	if out.IsEmpty() {
		return nil
	}
	return out
}

// weakenings are what the commit asks less, and what is known of each; asked once for all rules.
func (f *facts) weakenings(ctx context.Context) ([]weakening, error) {
	if f.weaknesses.isKnown || f.Source == nil {
		return f.list, nil
	}
	var err error
	if f.account, err = f.Source.Tests(ctx); err != nil {
		return nil, err
	}
	f.weaknesses.isKnown = true
	if f.account == nil || len(f.account.Weakenings) == 0 {
		return nil, nil
	}
	commits, err := f.commits(ctx)
	if err != nil {
		return nil, err
	}
	// An ACT answers for what it asks less itself, and for what other commits of its author in its range do.
	author := ""
	if f.Range != nil {
		author = f.Range.Author()
	}
	hasAct := slices.ContainsFunc(commits, func(c RangeCommit) bool { return c.Author == author && c.isAct() })
	statements := openly.Read(f.Message.AuthorText())
	var unsettled []weaker.Weakening
	for _, w := range f.account.Weakenings {
		one := weakening{Weakening: w, hasAct: hasAct}
		one.declare(commits)
		if !one.isSettled() {
			one.statement = statements.Of(&one.Weakening)
		}
		if f.list = append(f.list, one); !one.isSettled() {
			unsettled = append(unsettled, w)
		}
	}
	if len(unsettled) == 0 || f.Range == nil {
		return f.list, nil
	}
	since, err := f.Range.TestsToEnd(ctx, unsettled, hasAct)
	if err != nil {
		return nil, err
	}
	whole, err := f.Range.Whole(ctx)
	if err != nil {
		return nil, err
	}
	for i := range f.list {
		if w := &f.list[i]; !w.isSettled() {
			w.addRange(since, whole)
		}
	}
	return f.list, nil
}

// commits are those that may declare what the commit asks less: itself, and in a range all of it.
func (f *facts) commits(ctx context.Context) ([]RangeCommit, error) {
	if f.Range == nil {
		return []RangeCommit{{Message: f.Message}}, nil
	}
	return f.Range.Commits(ctx)
}

// addRange takes into account what the range makes of it: what is restored at its end is mended; an excuse, and a
// change of the code, count wherever in the range they stand.
func (w *weakening) addRange(since, whole *weaker.Account) {
	w.isRestored = WeakeningIn(since, w.Weakening) == nil
	for _, a := range []*weaker.Account{since, whole} {
		if same := WeakeningIn(a, w.Weakening); same != nil && w.Excuse == "" {
			w.Excuse, w.CodeChanged = same.Excuse, w.CodeChanged || same.CodeChanged
		}
	}
}

// WeakeningIn is what an account says of the same test or gate; nil for nothing.
func WeakeningIn(a *weaker.Account, w weaker.Weakening) *weaker.Weakening {
	if a == nil {
		return nil
	}
	c := (&weakening{Weakening: w}).change()
	for i := range a.Weakenings {
		o := (&weakening{Weakening: a.Weakenings[i]}).change()
		if c.IsSameTest(&o) {
			return &a.Weakenings[i]
		}
	}
	return nil
}

// weakenings are what the range asks less, its end against its beginning. Where it holds an ACT, that answers for it.
func (f *rangeFacts) weakenings(ctx context.Context) ([]weakening, error) {
	if f.isKnown || f.Tests == nil {
		return f.list, nil
	}
	var err error
	f.isKnown = true
	if f.account, err = f.Tests.Whole(ctx); err != nil {
		return nil, err
	}
	if f.account == nil || len(f.account.Weakenings) == 0 {
		return nil, nil
	}
	commits, err := f.Tests.Commits(ctx)
	if err != nil {
		return nil, err
	}
	hasAct := slices.ContainsFunc(commits, RangeCommit.isAct)
	for _, w := range f.account.Weakenings {
		one := weakening{Weakening: w, hasAct: hasAct}
		one.declare(commits)
		f.list = append(f.list, one)
	}
	for m, err := range f.Tests.Messages(ctx) {
		if err != nil {
			return nil, err
		}
		statements := openly.Read(m.AuthorText())
		for i := range f.list {
			if w := &f.list[i]; w.statement == "" && !w.isSettled() {
				w.statement = statements.Of(&w.Weakening)
			}
		}
	}
	return f.list, nil
}

// Account is what became of tests and gates between two ends, as reports show it; nil where nothing did.
func Account(ctx context.Context, tests rangeTests) (*report.Tests, error) {
	f := &rangeFacts{RangeInput: &RangeInput{Tests: tests}}
	_, err := f.weakenings(ctx)
	return f.weaknesses.report(), err
}

// gatherWeakenings finds the tests and gates that ask for less against the first parent, and how strictly each is held.
func (f *facts) gatherWeakenings(ctx context.Context) error {
	if len(f.Message.Parts) == 0 {
		return nil // whether an ACT answers for it, and what is declared, the message says
	}
	found, err := f.weakenings(ctx)
	for i := range found {
		if err == nil {
			found[i].tier, err = f.Source.PathTier(ctx, found[i].path())
		}
	}
	return err
}

// runWeaker passes on what package weaker found of the kinds that the rule reports.
func runWeaker(p *pass) {
	defer p.markComparisons(len(p.findings))
	for i := range p.list {
		w := &p.list[i]
		if w.Kind.Rule() != p.rule.ID || len(p.Message.Parts) == 0 {
			continue
		}
		f, on := w.finding(p.rule, p.Policy, p.Tier)
		if on && p.rule.severity(p.Policy, w.tier) > 0 { // what the policy exempts is not held, whatever else changes
			p.waive(&f, f.Path, w.Subject)
			p.findings = append(p.findings, f)
		}
	}
}

// gatherWeakenings finds those that ask for less than before the range, and how strictly each is held.
func (f *rangeFacts) gatherWeakenings(ctx context.Context) error {
	found, err := f.weakenings(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // an object is missing: what the commits say stands without the comparison of the ends
		f.undecided = append(f.undecided, "tests and gates at the end of the range: "+err.Error())
		return nil
	}
	for i := range found {
		if found[i].tier, err = f.Tests.PathTier(ctx, found[i].path()); err != nil {
			return err
		}
	}
	return nil
}

// runWeakerInRange passes them on.
func runWeakerInRange(p *rangePass) {
	for i := range p.list {
		w := &p.list[i]
		if w.Kind.Rule() != p.rule.ID || w.Excuse != "" {
			continue
		}
		if f, on := w.finding(p.rule, p.Policy, w.tier); on {
			f.Commit = p.Head
			p.findings = append(p.findings, f)
		}
	}
}
