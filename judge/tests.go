package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
	"github.com/acta-git/acta/report/results"
)

// maxPrefetched is how many changed paths are read ahead: of more, most are not read.
const maxPrefetched = 300

// compareTests compares tests and gates with the parent. A merge answers for paths that differ from all of its parents.
func (s *subject) compareTests(ctx context.Context) (*weaker.Account, error) {
	paths, _, err := s.changedPaths(ctx, false)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	change := weaker.Change{Before: s.base, After: &s.tree, Paths: paths}
	if len(paths) <= maxPrefetched {
		sources := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return evidence.LanguageOf(p) == "" })
		if err := s.prefetch(ctx, sources); err != nil {
			return nil, err
		}
	}
	merged, err := s.Merged(ctx)
	if err != nil {
		return nil, err
	}
	if len(merged) == 0 {
		return weaker.Compare(ctx, change)
	}
	if change.Paths, err = s.mergePaths(ctx, paths, merged); err != nil || len(change.Paths) == 0 {
		return nil, err
	}
	account, err := weaker.Compare(ctx, change)
	for i := range merged {
		if err != nil || len(account.Weakenings) == 0 {
			break
		}
		change.Before = &merged[i]
		var other *weaker.Account
		if other, err = weaker.Compare(ctx, change); err == nil {
			account.Weakenings = slices.DeleteFunc(account.Weakenings, func(w weaker.Weakening) bool {
				return rules.WeakeningIn(other, w) == nil
			})
		}
	}
	return account, err
}

// mergePaths are the paths at which a merge differs from all further parents.
func (s *subject) mergePaths(ctx context.Context, paths []string, merged []evidence.Tree) ([]string, error) {
	var all []string
	for _, path := range paths {
		after, err := s.tree.Stat(ctx, path)
		isTaken := false
		for i := range merged {
			entry, errMerged := merged[i].Stat(ctx, path)
			err = cmp.Or(err, errMerged)
			isTaken = isTaken || entry.Kind == after.Kind && entry.ID == after.ID
		}
		if err != nil {
			return nil, err
		}
		if !isTaken {
			all = append(all, path)
		}
	}
	return all, nil
}

// span is a range of commits. Its policy is that of its base.
type span struct {
	*History
	policy *policy.Policy
	// policyRev is the revision that holds the policy; "" is the built-in one.
	policyRev string
	// reports are those of its end; nil without reports.
	reports *results.Set
	// baseRev and headRev are revisions: ids are the commits that headRev reaches and baseRev does not, oldest first.
	baseRev, headRev string
	ids              []repo.ID
	// facts are those of its commits; nil if they are not needed.
	facts *rangeFacts

	// base and head are its ends, once found; base.ID is "" where there is nothing before the range.
	base, head repo.Commit
	changes    answer[changedFiles] // between its ends
	whole      answer[*weaker.Account]
	answerable answer[[]rules.RangeCommit] // for tests and gates
}

func (s *span) findEnds(ctx context.Context) error {
	if s.head.ID != "" {
		return nil
	}
	head, err := s.repo.Commit(ctx, s.headRev)
	if err == nil && s.baseRev != "" {
		var id repo.ID
		if id, err = s.repo.MergeBase(ctx, s.baseRev, s.headRev); err == nil {
			s.base, err = s.repo.Commit(ctx, string(id))
		} else if errors.Is(err, repo.ErrNotFound) {
			err = nil // unrelated histories
		}
	}
	if err == nil {
		s.head = head
	}
	return err
}

// changedFiles are the files that differ between both ends.
func (s *span) changedFiles(ctx context.Context) (changedFiles, error) {
	return s.changes.get(func() (changedFiles, error) {
		if err := s.findEnds(ctx); err != nil {
			return changedFiles{}, err
		}
		paths, n, err := snapshot.Changes(ctx, s.repo, s.base.Tree, s.head.Tree, s.policy.NeedsLines())
		return changedFiles{paths, n}, err
	})
}

// Whole and the following methods implement rules.RangeContext.
func (s *span) Whole(ctx context.Context) (*weaker.Account, error) {
	return s.whole.get(func() (*weaker.Account, error) {
		changed, err := s.changedFiles(ctx)
		if err != nil || s.base.ID == "" {
			return nil, err
		}
		return s.compare(ctx, s.base.Tree, s.head.Tree, changed.paths)
	})
}

func (s *span) Commits(ctx context.Context) ([]rules.RangeCommit, error) {
	return s.answerable.get(func() (all []rules.RangeCommit, err error) {
		for c, err := range s.Messages(ctx) {
			if err != nil {
				return nil, err
			}
			if rules.AnswersForTests(c.Message) {
				all = append(all, c)
			}
		}
		return all, nil
	})
}

// Messages reads the messages one by one: those of a long range do not fit into memory.
func (s *span) Messages(ctx context.Context) iter.Seq2[rules.RangeCommit, error] {
	return func(yield func(rules.RangeCommit, error) bool) {
		for _, id := range s.repo.EachPrefetched(ctx, s.ids) {
			c, err := readCommit(ctx, s.repo, string(id))
			if !yield(rules.RangeCommit{Message: c.message, Author: c.Author.Email}, err) || err != nil {
				return
			}
		}
	}
}

func (s *span) PathTier(ctx context.Context, path string) (policy.Tier, error) {
	changed, err := s.changedFiles(ctx)
	return s.policy.PathTier(path, len(changed.paths), changed.lines), err
}

func (s *span) compare(
	ctx context.Context, before, after repo.ID, paths []string, weakenings ...weaker.Weakening,
) (*weaker.Account, error) {
	key := fmt.Sprintf("%s..%s,%x", before, after, crc32.ChecksumIEEE(fmt.Append(nil, weakenings, paths)))
	if cached, ok := s.facts.get(key); ok {
		return cached.Account, nil
	}
	account, err := weaker.Compare(ctx,
		weaker.Change{Before: s.tree(before), After: s.tree(after), Paths: paths, Requested: weakenings})
	if err == nil {
		s.facts.put(key, facts{Account: account})
	}
	return account, err
}

// commitSpan is a span as one of its commits sees it, from its first parent's tree on.
type commitSpan struct {
	*span
	parent, tree repo.ID
	author       string
	testsToEnd   *answer[*weaker.Account]
}

// maxComparedPaths is the largest number of differing paths that are all compared between a commit's parent and the end
// of the range. Beyond it, only the commit's own paths are, to keep long ranges fast; except for authors of ACTs, whose
// errors need all paths.
const maxComparedPaths = 1000

func (w commitSpan) Author() string { return w.author }

// TestsToEnd is called once for each commit.
func (w commitSpan) TestsToEnd(
	ctx context.Context, weakenings []weaker.Weakening, hasActs bool,
) (*weaker.Account, error) {
	if err := w.findEnds(ctx); err != nil {
		return nil, err
	}
	if w.parent == w.base.Tree {
		return w.Whole(ctx)
	}
	return w.testsToEnd.get(func() (*weaker.Account, error) {
		paths, _, err := snapshot.Changes(ctx, w.repo, w.parent, w.head.Tree, false)
		if err != nil {
			return nil, err
		}
		if len(paths) > maxComparedPaths && !hasActs {
			touched, _, err := snapshot.Changes(ctx, w.repo, w.parent, w.tree, false)
			if err != nil {
				return nil, err
			}
			paths = slices.DeleteFunc(paths, func(path string) bool { return !slices.Contains(touched, path) })
		}
		return w.compare(ctx, w.parent, w.head.Tree, paths, weakenings...)
	})
}

func (r *Result) addTests(found []report.TestChange) {
	if len(found) == 0 {
		return
	}
	if r.Tests == nil {
		r.Tests = &report.Tests{}
	}
	r.Tests.Changes = append(r.Tests.Changes, found...)
}

// Tests says how a range changes tests and gates, from the merge base to its end; nil if it does not.
func Tests(ctx context.Context, r *repo.Repo, base, head string) (*report.Tests, error) {
	ids, err := r.Range(ctx, base, head)
	if err != nil {
		return nil, err
	}
	p := policy.Default()
	return rules.Account(ctx, &span{
		History: NewHistory(r, nil), policy: &p, baseRev: base, headRev: head, ids: ids,
	})
}

// StagedTests says how the staged changes change tests and gates; nil if they do not.
func StagedTests(ctx context.Context, r *repo.Repo) (*report.Tests, error) {
	in, err := ActInput(ctx, r, "", nil)
	if err != nil {
		return nil, err
	}
	return rules.CommitAccount(ctx, in)
}

// joinTests combines the changes of tests and gates of the whole range with those reported for its commits. It reports
// none twice.
func (r *Result) joinTests(whole *rules.RangeOutput) {
	reported := changesOf(r.Tests)
	isReported := func(c report.TestChange) bool {
		return slices.ContainsFunc(reported, func(t report.TestChange) bool { return t.Excuse == "" && t.IsSameTest(&c) })
	}
	if whole.Tests != nil {
		whole.Findings = slices.DeleteFunc(whole.Findings, func(f report.Finding) bool {
			c := whole.Tests.ChangeOf(f)
			return c != nil && isReported(*c)
		})
		all := *whole.Tests
		all.Changes = append(slices.Clone(reported), slices.DeleteFunc(slices.Clone(all.Changes), isReported)...)
		r.Tests = &all
	}
}
