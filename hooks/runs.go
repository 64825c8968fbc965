package hooks

import (
	"cmp"
	"context"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
)

// Runs reads which commands were run in a session: the one that the commit names, else the
// given one (ACTA_SESSION), else the one that runs in this work tree. One that is named may have ended.
func Runs(r *repo.Repo, given string) judge.RunsOfSession {
	return func(ctx context.Context, named string) ([]rules.RecordedRun, error) {
		gitDir, common, err := r.Dirs(ctx)
		if err != nil {
			return nil, err
		}
		named = cmp.Or(named, given)
		l := worklog.StoredSession(common, named)
		if named == "" {
			// None runs, or nobody says which of several.
			l, _ = worklog.Choose(common, gitDir, "")
			if l != nil && l.WorkTree != gitDir {
				l = nil // it has lost where it runs
			}
		}
		if l == nil {
			return nil, nil
		}
		session, _, err := l.Session()
		if err != nil {
			return nil, err
		}
		return ranIn(session), nil
	}
}

// ranIn lists the commands that were run in a session. How one ended that has only begun nobody knows: it proves
// nothing against a claim.
func ranIn(s *worklog.Session) []rules.RecordedRun {
	var runs []rules.RecordedRun
	for _, e := range s.Entries {
		if e.Action == worklog.Bash && e.Status != worklog.Skipped {
			runs = append(runs, e.RecordedRun())
		}
	}
	return runs
}
