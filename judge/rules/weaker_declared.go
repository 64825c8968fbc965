package rules

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/evidence/weaker/openly"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// declare lets the `Weakened:` of a message that names the test or the path count.
func (w *weakening) declare(commits []RangeCommit) {
	for _, c := range commits {
		for _, p := range c.Message.Parts {
			for _, d := range p.Weakenings {
				if w.Excuse != "" {
					continue
				}
				if !openly.NamesSubject(&w.Weakening, d.Subject.Value) {
					w.otherSubject = d.Subject.Value
					continue
				}
				if w.declarationProblem = cmp.Or(d.Err, reasonProblem(d.Reason.Value)); w.declarationProblem == "" {
					w.Declared = d.Reason.Value
					return
				}
			}
		}
	}
}

// The words of an item that promises passing tests, and words that do not say which tests.
var (
	testWords   = []string{"test", "tests", "testing", "suite", "spec", "specs", "pytest", "ci", "build"}
	passWords   = []string{"pass", "passes", "passing", "passed", "green", "succeed", "succeeds", "fix", "fixed", "repair"}
	fillerWords = []string{
		"a", "again", "all", "and", "are", "be", "every", "fail", "failing", "failed", "broken", "flaky", "for", "get", "in",
		"integration", "is", "its", "keep", "let", "make", "made", "must", "new", "now", "of", "on", "red", "run", "runs",
		"should", "so", "still", "stay", "that", "the", "to", "turn", "unit", "whole", "with",
	}
)

// promisesTests reports whether an item says that tests pass.
func promisesTests(item string) bool {
	words := lang.Words(item)
	has := func(list []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	return has(testWords) && has(passWords)
}

// isAbout reports whether a claim is about the test: it cites its file, names it, or promises that all tests pass.
// Of an item that only is of kind test the lines of the test must be cited, or its name or file written out.
func (w *weakening) isAbout(c *parser.Claim, isTest bool) bool {
	for _, e := range c.Evidence {
		if e.Err != "" || e.Path != w.Before.Path && e.Path != w.After.Path {
			continue
		}
		at := w.After
		if e.IsRemoved {
			at = w.Before
		}
		if !isTest || e.Start == 0 || at.Path == e.Path && e.Start <= at.EndLine && at.Line <= e.End {
			return true
		}
	}
	if parts := openly.Parts(w.Subject); len(parts) > 0 && strings.Contains(c.Item.Value, parts[len(parts)-1]) ||
		strings.Contains(c.Item.Value, path.Base(w.path())) {
		return true
	}
	if isTest {
		return false
	}
	about := append(lang.Words(w.Subject), lang.Words(strings.TrimSuffix(w.path(), path.Ext(w.path())))...)
	words := slices.DeleteFunc(lang.Words(c.Item.Value), func(word string) bool {
		return slices.Contains(testWords, word) || slices.Contains(passWords, word) || slices.Contains(fillerWords, word)
	})
	return len(words) == 0 || slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc(about, func(a string) bool {
			return strings.TrimSuffix(a, "s") == strings.TrimSuffix(word, "s")
		})
	})
}

// checkWeakenedTests makes a claim unclear that promises passing tests, or is of kind test, if the commit or its range
// weakens a test that it cites or names.
func (f *gathering) checkWeakenedTests(c *judgedClaim) {
	promises := promisesTests(c.Item.Value)
	if c.Status != parser.Done || c.Verdict != report.Verified || len(c.Results) == 0 ||
		!promises && c.Kind != evidence.KindTest {
		return
	}
	found := f.weakenings()
	if f.Range != nil {
		whole := &rangeGathering{&rangeFacts{RangeInput: &RangeInput{Tests: f.Range}}, f.inquiry}
		found = append(slices.Clone(found), whole.weakenings()...)
	}
	for _, w := range found {
		if w.isSettled() || w.Kind == weaker.Gate || w.Kind == weaker.SeesTests || !w.isAbout(&c.Claim.Claim, !promises) {
			continue
		}
		c.Verdict, c.IsRelative = report.Unclear, true
		c.Why = fmt.Sprintf("it relies on %s, which is weaker than before", w.name())
		r := &c.Results[0]
		r.Problems = append(slices.Clone(r.Problems), evidence.Problem{
			Code: evidence.Uncertain, IsRelative: true,
			Message: fmt.Sprintf("The item relies on %s, which is weaker than before: %s", w.name(), w.sentence()),
			Hint:    w.hint(),
		})
		return
	}
}
