package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// This file makes the host an entry point for commits. After every tool use, and at the end of a turn, it checks
// whether HEAD has moved since the last look, by whatever means, and judges the new commits; no git hook need have run.
// If nothing moved it reads two files, and starts no process.

// checkHead checks whether HEAD of the work tree has moved. When a session begins, and at a prompt, moves are a
// person's doing, and the baseline is reset.
func (c *call) checkHead(ctx context.Context) error {
	if c.kind == sessionEnd {
		return nil
	}
	stamp, err := repo.HeadStamp(c.gitDir, c.common)
	if err != nil {
		return err
	}
	l := c.state.Baseline
	if l == nil || c.kind == sessionBegin || c.kind == promptEvent {
		return c.resetBaseline(ctx, stamp)
	}
	before, seen := l.Heads[c.gitDir]
	if seen && before == stamp {
		return nil
	}
	head, err := c.headOf(ctx, stamp)
	if err != nil {
		return err
	}
	if seen || !slices.Contains(l.Trees, c.gitDir) {
		c.move = c.newMove(head, before)
		c.stamp, c.stampBefore = stamp, before
		l.AddJudged(head)
	}
	l.SetHead(c.gitDir, stamp)
	return nil
}

// headOf is the commit that HEAD names, "" for none; a reftable's stamp does not contain it.
func (c *call) headOf(ctx context.Context, stamp string) (repo.ID, error) {
	if !strings.HasPrefix(stamp, "reftable") {
		return repo.ID(stamp), nil
	}
	head, err := c.repo.Head(ctx)
	if errors.Is(err, repo.ErrUnborn) {
		return "", nil
	}
	return head.ID, err
}

// resetBaseline sets the baseline to the present state, which is not charged to the agent. Judged commits stay known.
func (c *call) resetBaseline(ctx context.Context, stamp string) error {
	tips, err := c.repo.Tips(ctx, "refs/heads", "refs/tags")
	if err != nil {
		return err
	}
	head, err := c.headOf(ctx, stamp)
	if err != nil {
		return err
	}
	now := &worklog.Baseline{
		Since: c.Now, Trees: repo.WorkTreeDirs(c.common), HasTooMany: len(tips) > worklog.MaxBaselineCommits,
	}
	if now.HasTooMany {
		tips = nil
	}
	if head != "" && !slices.Contains(tips, head) { // HEAD is detached
		tips = append(tips, head)
	}
	now.Commits = tips
	if was := c.state.Baseline; was != nil {
		now.Heads, now.JudgedCommits = was.Heads, was.JudgedCommits
		if slices.Equal(was.Commits, now.Commits) && was.HasTooMany == now.HasTooMany && was.Heads[c.gitDir] == stamp &&
			slices.Equal(was.Trees, now.Trees) {
			return nil // unchanged
		}
	}
	now.SetHead(c.gitDir, stamp)
	c.state.Baseline = now
	return nil
}

func (c *call) newMove(head repo.ID, before string) *hooks.Move {
	l := c.state.Baseline
	m := &hooks.Move{
		Head: head, Since: l.Since, GitDir: c.gitDir, CommonDir: c.common, Session: c.state.Session, OldCommits: l.Commits,
		JudgedCommits: slices.Concat(l.JudgedCommits, c.state.JudgedByOthers(l.Since)),
	}
	if !strings.HasPrefix(before, "reftable") {
		m.Before = repo.ID(before)
	} else if n := len(l.JudgedCommits); n > 0 {
		m.Before = l.JudgedCommits[n-1]
	}
	if l.HasTooMany { // too many to store: everything that refs have now counts as old
		m.OldRefs = []string{"refs/tags/*", "refs/heads/*"}
	}
	m.OtherTrees = c.otherTrees(l)
	return m
}

// otherTrees are the git directories of work trees in which others work: those from before this session, and those with
// another recorded session. A newer one without a session may be the agent's own.
func (c *call) otherTrees(l *worklog.Baseline) (others []string) {
	var all []*worklog.LocalSession
	for _, dir := range repo.WorkTreeDirs(c.common) {
		if dir == c.gitDir {
			continue
		}
		existed := slices.Contains(l.Trees, dir)
		if !existed && all == nil {
			all, _ = worklog.LocalSessions(c.common) // an unreadable session is ignored
		}
		another := func(s *worklog.LocalSession) bool { return s.WorkTree == dir && s.ID != c.state.Session }
		if existed || slices.ContainsFunc(all, another) {
			others = append(others, dir)
		}
	}
	return others
}

// judgeMove judges the new commits of a move, and reports refused ones to the model, once. If they cannot be judged in
// time, the next look judges them.
func (c *call) judgeMove(ctx context.Context) error {
	if c.move == nil {
		return nil
	}
	refused, err := hooks.JudgeMove(ctx, c.repo, *c.move)
	ids, text := refused.RefusedCommits(), ""
	if err == nil && len(ids) > 0 {
		text, err = c.refusal(ctx, refused, ids)
	}
	if err != nil {
		c.answer.warn("what was committed could not be judged: %v", err)
		return c.undoLook(ctx)
	}
	if len(ids) == 0 {
		return nil
	}
	c.answer.Refusal, c.answer.Dir = refused, c.dir
	if c.live != nil {
		c.answer.Session = c.live.ID
	}
	c.refuse(text)
	return nil
}

// undoTime bounds undoLook, after the hook's own time may be over.
const undoTime = time.Second

// undoLook undoes the look, so that the next one sees HEAD move again.
func (c *call) undoLook(ctx context.Context) error {
	if c.move == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeFactor*undoTime)
	defer cancel()
	return c.changeState(ctx, func(context.Context) error {
		if c.state.Baseline != nil {
			c.state.Baseline.UndoJudged(c.gitDir, c.stamp, c.stampBefore, c.move.Head)
		}
		return nil
	})
}

// maxReported bounds the report of refused commits to the model, in lines: its context is expensive.
const maxReported = 40

func (c *call) refusal(ctx context.Context, refused *hooks.Answer, ids []repo.ID) (string, error) {
	var b strings.Builder
	for _, id := range ids[:min(len(ids), maxReported/8)] {
		commit, err := c.repo.Commit(ctx, string(id))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "acta: refused: commit %.12s «%s», which is committed already\n",
			id, firstLine(string(commit.Message)))
	}
	for _, r := range refused.Results {
		room := maxReported - strings.Count(b.String(), "\n") - 1
		if err := report.WriteDigest(&b, &r.Report, room, "acta verify "+string(ids[0])+"~1..HEAD"); err != nil {
			return "", err
		}
	}
	b.WriteString(c.wayOut(ctx, ids[0]))
	return b.String(), nil
}

func (c *call) wayOut(ctx context.Context, first repo.ID) string {
	const mend, again = "fix the code or the report", "then commit again"
	n, err := hooks.CommitsToUndo(ctx, c.repo, c.move.Head, first)
	switch {
	case err != nil && first == c.move.Head:
		return fmt.Sprintf("acta: %s, git add it, then: git commit --amend\n", mend)
	case err != nil:
		return fmt.Sprintf("acta: it is not the last commit, nor on a straight line from it; "+
			"stop at it with git rebase -i --rebase-merges %.12s~1; %s, %s\n", first, mend, again)
	case n > 1:
		return fmt.Sprintf("acta: take it back, and the %d behind it, and keep the work: git reset --soft HEAD~%d; %s, %s\n",
			n-1, n, mend, again)
	}
	return fmt.Sprintf("acta: take it back and keep the work: git reset --soft HEAD~1; %s, %s\n", mend, again)
}

const maxCommits = 20

// ownCommits are the agent's commits since the last look, the oldest first; none if they are unreadable, or more than
// one command usually makes.
func (c *call) ownCommits(ctx context.Context) (all []repo.Commit) {
	m := c.move
	if m.Head == "" {
		return nil
	}
	known := repo.KnownCommits{
		IDs: slices.Concat(m.OldCommits, m.JudgedCommits), Refs: append(slices.Clone(m.OldRefs), "refs/remotes/*"),
	}
	if m.Before != "" {
		known.IDs = append(known.IDs, m.Before)
	}
	ids, err := c.repo.NewCommits(ctx, []repo.ID{m.Head}, known)
	if err != nil || len(ids) > maxCommits {
		return nil
	}
	for _, id := range ids {
		if commit, err := c.repo.Commit(ctx, string(id)); err == nil {
			all = append(all, commit)
		}
	}
	return all
}

// recordMove adds the agent's committed ACTs and ADAPTs to its session, in case git's own hook did not: hosts turn
// git's hooks off.
func (c *call) recordMove(ctx context.Context) error {
	if c.live == nil || c.move == nil {
		return nil
	}
	s, _, err := c.live.Session()
	if err != nil {
		return err
	}
	for _, commit := range c.ownCommits(ctx) {
		isKnown := func(o worklog.Operation) bool { return o.Details.Commit == string(commit.ID) }
		if !parser.Parse(commit.Message).Has(parser.Act, parser.Adapt) || slices.ContainsFunc(s.Entries, isKnown) {
			continue
		}
		h, err := judge.NewHistory(c.repo, hooks.Runs(c.repo, c.live.ID)).RecordOf(ctx, string(commit.ID))
		if err != nil {
			return err
		}
		for _, d := range h.Parts {
			if by := d.Part.Session.Value; by != "" && by != c.live.ID {
				continue // it names another session
			}
			if err := c.keep(c.recorder().RecordPart(ctx, c.Now, d)); err != nil {
				return err
			}
		}
	}
	return nil
}
