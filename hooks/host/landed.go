package host

import (
	"context"
	"slices"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
)

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
	ids, err := c.repo.Beyond(ctx, []repo.ID{m.Head}, known)
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
		for _, d := range h.Landed {
			if by := d.Part.Session.Value; by != "" && by != c.live.ID {
				continue // it says so
			}
			said, err := c.recorder().RecordLanded(ctx, c.Now, d)
			c.answer.Warnings = append(c.answer.Warnings, said.Warnings()...)
			if err != nil {
				return err
			}
		}
	}
	return nil
}
