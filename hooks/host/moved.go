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

// This file is the host as an entry point for commits. After every use of a tool, and at the end of a turn, it sees
// whether HEAD has moved since it last looked, by whatever means, and judges what is new there: no hook of git's need
// have run. Where nothing moved it reads two files of git's, and starts no process.

// look sees whether HEAD of the work tree has moved. Where a person has the word, at the beginning and at a prompt,
// what moved is none of the agent's doing, and the looking begins anew.
func (c *call) look(ctx context.Context) error {
	if c.kind == ended {
		return nil
	}
	stamp, err := repo.HeadStamp(c.gitDir, c.common)
	if err != nil {
		return err
	}
	l := c.state.Baseline
	if l == nil || c.kind == begun || c.kind == prompted {
		return c.lookAnew(ctx, stamp)
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
		c.move = c.movedTo(head, before)
		c.stamp, c.stampBefore = stamp, before
		l.AddJudged(string(head))
	}
	l.SetHead(c.gitDir, stamp)
	return c.state.Save()
}

// headOf is the commit that HEAD names, "" for none, where its stamp does not say so already.
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

// lookAnew remembers all that is there: none of it is charged to the agent. What HEAD named at earlier looks stays
// known.
func (c *call) lookAnew(ctx context.Context, stamp string) error {
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
	if head != "" && !slices.Contains(tips, head) { // of no branch
		tips = append(tips, head)
	}
	now.Commits = strings.Join(texts(tips), " ")
	if was := c.state.Baseline; was != nil {
		now.Heads, now.JudgedCommits = was.Heads, was.JudgedCommits
		if was.Commits == now.Commits && was.HasTooMany == now.HasTooMany && was.Heads[c.gitDir] == stamp &&
			slices.Equal(was.Trees, now.Trees) {
			return nil // nothing has moved
		}
	}
	now.SetHead(c.gitDir, stamp)
	c.state.Baseline = now
	return c.state.Save()
}

// texts are ids as texts.
func texts(ids []repo.ID) []string {
	all := make([]string, len(ids))
	for i, id := range ids {
		all[i] = string(id)
	}
	return all
}

// movedTo is what is to be judged of a HEAD that names another commit than at the last look, with that look's stamp.
func (c *call) movedTo(head repo.ID, before string) *hooks.Move {
	l := c.state.Baseline
	m := &hooks.Move{Head: head, Since: l.Since, GitDir: c.gitDir, CommonDir: c.common, Session: c.state.Session}
	for id := range strings.FieldsSeq(l.Commits) {
		m.Stood = append(m.Stood, repo.ID(id))
	}
	for _, id := range slices.Concat(l.JudgedCommits, c.state.JudgedByOthers(l.Since)) {
		m.Judged = append(m.Judged, repo.ID(id))
	}
	if !strings.HasPrefix(before, "reftable") {
		m.Before = repo.ID(before)
	} else if n := len(l.JudgedCommits); n > 0 {
		m.Before = repo.ID(l.JudgedCommits[n-1])
	}
	if l.HasTooMany { // too many to remember: what others have now is taken for known
		m.Refs = []string{"refs/tags/*", "refs/heads/*"}
	}
	m.Others = c.othersTrees(l)
	return m
}

// othersTrees are the git directories of the work trees in which others work: that there were before this session, or
// in which another session is recorded. One that came since and in which nobody else is known may be the agent's own.
func (c *call) othersTrees(l *worklog.Baseline) (others []string) {
	var all []*worklog.Live
	for _, dir := range repo.WorkTreeDirs(c.common) {
		if dir == c.gitDir {
			continue
		}
		stood := slices.Contains(l.Trees, dir)
		if !stood && all == nil {
			all, _ = worklog.LiveSessions(c.common) // one that cannot be read is nobody's
		}
		another := func(s *worklog.Live) bool { return s.WorkTree == dir && s.ID != c.state.Session }
		if stood || slices.ContainsFunc(all, another) {
			others = append(others, dir)
		}
	}
	return others
}

// judgeMove judges what is new where HEAD has moved, and tells the model of what is refused: once, since the next look
// knows of it. What cannot be judged now, or not in time, is judged at the next look.
func (c *call) judgeMove(ctx context.Context) error {
	if c.move == nil {
		return nil
	}
	refused, err := hooks.Moved(ctx, c.repo, *c.move)
	ids, text := refused.RefusedCommits(), ""
	if err == nil && len(ids) > 0 {
		text, err = c.refusal(ctx, refused, ids)
	}
	if err != nil {
		c.answer.Warnings = append(c.answer.Warnings, fmt.Sprintf("what was committed could not be judged: %v", err))
		return c.lookAgain(ctx)
	}
	if len(ids) == 0 {
		return nil
	}
	c.answer.Refused, c.answer.Dir = refused, c.dir
	if c.live != nil {
		c.answer.Session = c.live.ID
	}
	c.refuse(text)
	return nil
}

// takeBackTime bounds how long it takes to forget a look, when the time of the hook itself may be over.
const takeBackTime = time.Second

// lookAgain forgets the look, so that the next one sees HEAD move again.
func (c *call) lookAgain(ctx context.Context) (err error) {
	if c.move == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience*takeBackTime)
	defer cancel()
	state, unlock, err := worklog.OpenHost(ctx, c.common, c.Host.ID(), c.session)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if state.Baseline == nil {
		return nil
	}
	state.Baseline.UndoJudged(c.gitDir, c.stamp, c.stampBefore, string(c.move.Head))
	return state.Save()
}

// maxReported bounds what the model is told of refused commits, in lines: its context is dear.
const maxReported = 40

// refusal is what the model is told: which commits are refused, what was found, and the way out.
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

// wayOut is how to take back the first of the refused commits without losing work.
func (c *call) wayOut(ctx context.Context, first repo.ID) string {
	const mend, again = "fix the code or the report", "then commit again"
	n, err := hooks.CommitsToUndo(ctx, c.repo, c.move.Head, first)
	switch {
	case err != nil && first == c.move.Head:
		return fmt.Sprintf("acta: %s, git add it, then: git commit --amend\n", mend)
	case err != nil:
		return fmt.Sprintf("acta: it is not the last commit, and not on a straight line from it; "+
			"stop at it with git rebase -i --rebase-merges %.12s~1; %s, %s\n", first, mend, again)
	case n > 1:
		return fmt.Sprintf("acta: take it back, and the %d behind it, and keep the work: git reset --soft HEAD~%d; %s, %s\n",
			n-1, n, mend, again)
	}
	return fmt.Sprintf("acta: take it back and keep the work: git reset --soft HEAD~1; %s, %s\n", mend, again)
}

// maxCommits bounds the commits of one command that are looked into.
const maxCommits = 20

// ownCommits are those that the agent has made since the last look, the oldest first; none where there are more than
// anybody makes by one command, or they cannot be read.
func (c *call) ownCommits(ctx context.Context) (all []repo.Commit) {
	m := c.move
	if m == nil || m.Head == "" {
		return nil
	}
	known := repo.KnownCommits{IDs: slices.Concat(m.Stood, m.Judged), Refs: append(slices.Clone(m.Refs), "refs/remotes/*")}
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

// recordMove adds the ACTs and ADAPTs that the agent has committed to its session, where git's own hook did not: hosts
// turn git's hooks off.
func (c *call) recordMove(ctx context.Context) error {
	if c.live == nil || c.move == nil {
		return nil
	}
	s, _, err := c.live.Session()
	if err != nil {
		return err
	}
	for _, commit := range c.own {
		isKnown := func(o worklog.Operation) bool { return o.Details.Commit == string(commit.ID) }
		claims := func(p parser.Part) bool { return p.Kind == parser.Act || p.Kind == parser.Adapt }
		if !slices.ContainsFunc(parser.Parse(commit.Message).Parts, claims) || slices.ContainsFunc(s.Entries, isKnown) {
			continue
		}
		h, err := judge.NewHistory(c.repo, hooks.Runs(c.repo, c.live.ID)).RecordOf(ctx, string(commit.ID))
		if err != nil {
			return err
		}
		for _, d := range h.Parts {
			if by := d.Part.Session.Value; by != "" && by != c.live.ID {
				continue // it says so
			}
			said, err := c.recorder().RecordPart(ctx, c.Now, d)
			c.answer.Warnings = append(c.answer.Warnings, said.Warnings()...)
			if err != nil {
				return err
			}
		}
	}
	return nil
}
