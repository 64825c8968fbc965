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

type rangeTests interface {
	// Whole says how they differ between the ends of the range; nil if they do not.
	Whole(ctx context.Context) (*weaker.Account, error)
	// Commits are the commits of the range for which AnswersForTests is true, parents before children.
	Commits(ctx context.Context) ([]RangeCommit, error)
	// Messages are the messages of all commits of the range, parents before children.
	Messages(ctx context.Context) iter.Seq2[RangeCommit, error]
	// PathTier is the tier of one path in the range.
	PathTier(ctx context.Context, path string) (policy.Tier, error)
}

// RangeCommit is the message of a commit of a range, and its author's address.
type RangeCommit struct {
	Message *parser.Message
	Author  string
}

// AnswersForTests reports whether a message answers for weakened tests and gates: it has an ACT, or declares one.
func AnswersForTests(m *parser.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p *parser.Part) bool { return p.Kind == parser.Act || len(p.Weakenings) > 0 })
}

// RangeContext tells rules about one commit what the rest of its range changes: a later commit may restore a test, or
// change the code that it tests.
type RangeContext interface {
	rangeTests
	// Author is the address of the commit's author.
	Author() string
	// TestsToEnd says how tests and gates differ between the commit's first parent and the end of the range, for the given
	// weakenings. With hasActs all paths count, else those that the commit changes may be enough.
	TestsToEnd(ctx context.Context, weakenings []weaker.Weakening, hasActs bool) (*weaker.Account, error)
}

type weakening struct {
	weaker.Weakening
	// declarationProblem says why the reason that a message gives does not count.
	declarationProblem string
	// otherSubject is what a message declares as weakened that is not this test or gate.
	otherSubject string
	// isRestored: at the end of the range it is as strict as before the commit.
	isRestored bool
	// statement is the text in which a message says openly that it weakens this.
	statement string
	// hasAct: an ACT answers for it.
	hasAct bool
	// tier is the tier of its path.
	tier policy.Tier
}

// isSettled reports whether it needs no answer any more.
func (w *weakening) isSettled() bool { return w.Reason() != "" || w.isRestored }

func (w *weakening) path() string {
	if w.After.Path != "" {
		return w.After.Path
	}
	return w.Before.Path
}

// finding is its finding in a tier; false if the rule is off there.
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
	case w.Declared != "":
		f.Severity, f.Hint = report.Note, "declared: "+w.Declared
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

// soften lowers the severity one step if the message openly says so, except in STRICT and where the policy sets the
// rule.
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

func (w *weakening) hint() string {
	if w.declarationProblem != "" {
		return "its «Weakened:» line does not count: " + w.declarationProblem
	}
	way := "restore it, or add a line that gives the reason: «Weakened: " + w.name() + " | <reason>»"
	if w.Kind == weaker.SeesTests {
		way = strings.Replace(way, "restore", "remove", 1)
	}
	if w.otherSubject != "" {
		way = fmt.Sprintf("«Weakened: %s» does not name it; %s", shorten(w.otherSubject), way)
	}
	return way
}

// sentence is its message as a sentence with its subject.
func (w *weakening) sentence() string {
	if w.Kind == weaker.Gate || strings.Contains(w.Message, w.Subject) {
		return w.Message + "."
	}
	return w.Subject + ": " + w.Message + "."
}

func (w *weakening) name() string {
	if w.Kind == weaker.Gate || w.Kind == weaker.SeesTests || w.Subject == "" {
		return w.path()
	}
	return w.Subject
}

// weaknesses are the weakened tests and gates of a commit or range, once computed.
type weaknesses struct {
	account *weaker.Account
	list    []*weakening
	isKnown bool
}

// report is the account in the form of reports; nil if tests and gates do not change.
func (k weaknesses) report() *report.Tests {
	if k.account == nil {
		return nil
	}
	out := k.account.Tests
	out.Changes = []report.TestChange{}
	for _, w := range k.list {
		change := w.TestChange
		change.Message = w.sentence()
		if out.Changes = append(out.Changes, change); change.Declared != "" {
			out.Declared++
		}
	}
	if out.IsEmpty() {
		return nil
	}
	return &out
}

// judge lists the weakenings of the account, and lets declarations of the commits count.
func (k *weaknesses) judge(commits []RangeCommit, hasAct bool) {
	for _, w := range k.account.Weakenings {
		one := &weakening{Weakening: w, hasAct: hasAct}
		one.declare(commits)
		k.list = append(k.list, one)
	}
}

// noteStatements notes which weakenings a message openly states.
func (k *weaknesses) noteStatements(m *parser.Message) {
	statements := openly.Read(m.AuthorText())
	for _, w := range k.list {
		if w.statement == "" && !w.isSettled() {
			w.statement = statements.Clause(&w.Weakening)
		}
	}
}

// weakenings are the tests and gates that the commit weakens, computed once for all rules.
func (f *gathering) weakenings() []*weakening {
	if f.isKnown || f.Source == nil {
		return f.list
	}
	f.account, f.isKnown = answer(f.inquiry, f.Source.Tests), true
	if f.account == nil || len(f.account.Weakenings) == 0 {
		return nil
	}
	commits, author := []RangeCommit{{Message: f.Message}}, ""
	if f.Range != nil {
		commits, author = answer(f.inquiry, f.Range.Commits), f.Range.Author()
	}
	// An ACT answers for weakenings of its commit, and of other commits of its author in the range.
	hasAct := slices.ContainsFunc(commits, func(c RangeCommit) bool {
		return c.Author == author && c.Message.Has(parser.Act)
	})
	f.weaknesses.judge(commits, hasAct)
	f.noteStatements(f.Message)
	unsettled := slices.DeleteFunc(slices.Clone(f.list), (*weakening).isSettled)
	if len(unsettled) == 0 || f.Range == nil {
		return f.list
	}
	list := report.Map(unsettled, func(w *weakening) weaker.Weakening { return w.Weakening })
	since, err := f.Range.TestsToEnd(f.Ctx, list, hasAct)
	f.Note(err)
	whole := answer(f.inquiry, f.Range.Whole)
	for _, w := range unsettled {
		w.addRange(since, whole)
	}
	return f.list
}

// addRange adds what the range knows: whether the end restores it, and excuses or code changes anywhere in the range.
func (w *weakening) addRange(since, whole *weaker.Account) {
	w.isRestored = WeakeningIn(since, w.Weakening) == nil
	for _, a := range []*weaker.Account{since, whole} {
		if match := WeakeningIn(a, w.Weakening); match != nil && w.Excuse == "" {
			w.Excuse, w.CodeChanged = match.Excuse, w.CodeChanged || match.CodeChanged
		}
	}
}

// WeakeningIn finds the weakening of the same test or gate in an account; nil without one.
func WeakeningIn(a *weaker.Account, w weaker.Weakening) *weaker.Weakening {
	if a == nil {
		return nil
	}
	for i := range a.Weakenings {
		if o := &a.Weakenings[i]; w.IsSameTest(&o.TestChange) {
			return o
		}
	}
	return nil
}

// weakenings are the tests and gates that are weaker at the range's end than at its beginning. An ACT in it answers for
// them.
func (f *rangeGathering) weakenings() []*weakening {
	if f.isKnown || f.Tests == nil {
		return f.list
	}
	f.account, f.isKnown = answer(f.inquiry, f.Tests.Whole), true
	if f.account == nil || len(f.account.Weakenings) == 0 {
		return nil
	}
	commits := answer(f.inquiry, f.Tests.Commits)
	if f.Err != nil {
		return nil
	}
	hasAct := slices.ContainsFunc(commits, func(c RangeCommit) bool { return c.Message.Has(parser.Act) })
	f.weaknesses.judge(commits, hasAct)
	for c, err := range f.Tests.Messages(f.Ctx) {
		if f.Note(err); f.Err != nil {
			return nil
		}
		f.noteStatements(c.Message)
	}
	return f.list
}

// Account says how tests and gates differ between two ends, in the form of reports; nil if they do not.
func Account(ctx context.Context, tests rangeTests) (*report.Tests, error) {
	f := &rangeGathering{&rangeFacts{RangeInput: &RangeInput{Tests: tests}}, newInquiry(ctx)}
	f.weakenings()
	return f.weaknesses.report(), f.Err
}

// CommitAccount says how a commit changes tests and gates, in the form of reports; nil if it does not.
func CommitAccount(ctx context.Context, in *Input) (*report.Tests, error) {
	f := &gathering{&facts{Input: in}, newInquiry(ctx)}
	f.weakenings()
	return f.weaknesses.report(), f.Err
}

// gatherWeakenings finds the tests and gates that are weaker than in the first parent, and their tiers.
func (f *gathering) gatherWeakenings() {
	if len(f.Message.Parts) == 0 {
		return // the message says whether an ACT answers for it
	}
	for _, w := range f.weakenings() {
		w.tier = f.pathTier(w.path())
	}
}

func runWeaker(p *pass) {
	for _, w := range p.list {
		if w.Rule != p.rule.ID || len(p.Message.Parts) == 0 {
			continue
		}
		f, on := w.finding(p.rule, p.Policy, p.Tier)
		if on && p.rule.severity(p.Policy, w.tier) > 0 { // a path that the policy exempts has no findings
			f.IsRelative = true
			p.waive(&f, f.Path, w.Subject)
			p.findings = append(p.findings, f)
		}
	}
}

// gatherWeakenings finds tests and gates that are weaker than before the range, and their tiers.
func (f *rangeGathering) gatherWeakenings() {
	within := &rangeGathering{f.rangeFacts, newInquiry(f.Ctx)}
	found := within.weakenings()
	if f.Note(f.Ctx.Err()); within.Err != nil { // an object is missing: the findings of commits remain
		f.undecided = append(f.undecided, "tests and gates at the end of the range: "+within.Err.Error())
		return
	}
	for _, w := range found {
		tier, err := f.Tests.PathTier(f.Ctx, w.path())
		w.tier = tier
		f.Note(err)
	}
}

func runWeakerInRange(p *rangePass) {
	for _, w := range p.list {
		if w.Rule != p.rule.ID || w.Excuse != "" {
			continue
		}
		if f, on := w.finding(p.rule, p.Policy, w.tier); on {
			f.Commit = p.Head
			p.findings = append(p.findings, f)
		}
	}
}
