package judge

import (
	"context"
	"slices"

	"github.com/acta-git/acta/judge/history"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo"
)

// record judges commits that are there, and remembers what it made of each, so
// that a commit which several refs of a push bring is judged once.
type record struct {
	repo    *repo.Repo
	history *history.History
	judged  map[history.CommitUnder]*outcome
	// runs are those that `Ran:` lines are held to; nil holds them to those of notes.
	runs RunsOfSession
	// notes are those of RunNotes, once they were read.
	notes map[repo.ID][]byte
}

func newRecord(r *repo.Repo) *record {
	return &record{repo: r, history: History(r, nil), judged: map[history.CommitUnder]*outcome{}}
}

// landed judges a commit that is there, in a range unless that is nil. The outcome is the caller's to change.
func (j *record) landed(ctx context.Context, id repo.ID, p *policy.Policy, s *span) (*outcome, error) {
	if s != nil { // each range has its commits once, and may have more of them than fit into memory
		return landed(ctx, j, id, p, s)
	}
	key := history.CommitUnder{Commit: id, Policy: p}
	known := j.judged[key]
	if known == nil {
		var err error
		if known, err = landed(ctx, j, id, p, nil); err != nil {
			return nil, err
		}
		j.judged[key] = known
	}
	out := *known
	out.findings, out.verdicts = slices.Clone(known.findings), slices.Clone(known.verdicts)
	return &out, nil
}

// mayClaim reports whether a commit claims something, or cannot be read.
func (j *record) mayClaim(ctx context.Context, commits ...repo.ID) bool {
	return slices.ContainsFunc(commits, func(id repo.ID) bool {
		c, err := j.repo.Commit(ctx, string(id))
		if err != nil {
			return true
		}
		message, err := history.Message(ctx, j.repo, c)
		return err != nil || claims(message)
	})
}
