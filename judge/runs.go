package judge

import (
	"context"
	"fmt"
	"slices"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/repo"
)

// Runs are the commands that were run in the session that a commit names, "" where it names none, in their order.
type Runs func(ctx context.Context, session string) ([]check.RecordedRun, error)

// readingRuns reads the runs of each session once. What cannot be read is none, and a
// warning: the record stands in nobody's way.
func (s *subject) readingRuns(read Runs) Runs {
	known := map[string][]check.RecordedRun{}
	return func(ctx context.Context, session string) ([]check.RecordedRun, error) {
		if runs, ok := known[session]; ok {
			return runs, nil
		}
		runs, err := read(ctx, session)
		if err != nil {
			s.unread = append(
				s.unread, fmt.Sprintf("the runs of the session cannot be read, so Ran: lines are not compared: %v", err),
			)
		}
		known[session] = runs
		return runs, nil
	}
}

// ranOn is the commit that recorded runs are held against; nil where no run has a tree.
type ranOn struct {
	repo *repo.Repo
	// tree is the commit's, before its parent's, "" for none.
	tree   func(ctx context.Context) (repo.ID, error)
	before repo.ID
}

// since tells whether the commit has another tree than a run had, and which files differ. What the run saw and git did
// not track then, and the commit leaves out, is no difference, nor are the run's reports. Where the run's tree is not
// here, nobody knows which files they are.
func (o *ranOn) since(ctx context.Context, run *check.RecordedRun) (other bool, paths []string, err error) {
	tree, err := o.tree(ctx)
	if err != nil || slices.Contains(run.Trees, string(tree)) {
		return false, nil, err
	}
	changes, err := o.repo.Changes(ctx, repo.ID(run.Trees[0]), tree, repo.DiffOptions{})
	if err != nil {
		return true, nil, ctx.Err()
	}
	before := o.repo.Snapshot(o.before)
	for _, c := range changes {
		if slices.Contains(run.Reports, c.Path) {
			continue
		}
		if c.Status == 'D' {
			if _, err := before.Entry(ctx, c.Path); err != nil {
				continue
			}
		}
		paths = append(paths, c.Path)
	}
	return len(paths) > 0, paths, nil
}
