package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/worklog"
)

// PostCommit is git's post-commit hook: it adds an ACT or ADAPT that was committed
// to its session, with its verdicts, and writes the session to its ref. That is the
// session which the commit's Session trailer names, or ACTA_SESSION, or the one that
// runs in this work tree. Where none runs there is nothing to do, and what a rebase commits
// again is nothing new.
func PostCommit(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	answer := &Answer{}
	gitDir, common, err := r.Dirs(ctx)
	if err != nil {
		return answer, err
	}
	if worklog.NothingRuns(common) || rebases(gitDir) || isScratch(c.Getenv) {
		return answer, nil
	}
	h, err := judge.DeedsOf(ctx, r, "HEAD", c.Release)
	if err != nil {
		return answer, err
	}
	answer.Warnings = h.Warnings
	var touched []*worklog.Live
	for _, d := range h.Deeds {
		l := sessionOf(common, gitDir, d, c.Getenv)
		if l == nil || !l.Wants(worklog.ActDone, "") {
			continue
		}
		tear, err := l.Add(ctx, worklog.OperationOf(d))
		if tear != nil {
			answer.Warnings = append(answer.Warnings, tear.String())
		}
		if err != nil {
			return answer, err
		}
		if !slices.ContainsFunc(touched, func(t *worklog.Live) bool { return t.ID == l.ID }) {
			touched = append(touched, l)
		}
	}
	for _, l := range touched {
		unread, errFlush := l.Flush(ctx, r, 1, time.Now())
		if unread > 0 {
			answer.Warnings = append(answer.Warnings, worklog.Unread(l.ID, unread))
		}
		if errFlush != nil {
			err = errors.Join(err, fmt.Errorf("the worklog is kept here and not in %s%s yet: %w", worklog.RefPrefix, l.ID, errFlush))
		}
	}
	return answer, err
}

// sessionOf is the running session that a deed belongs to, nil for none.
func sessionOf(common, gitDir string, d judge.Deed, getenv func(string) string) *worklog.Live {
	for _, id := range []string{d.Part.Session.Value, getenv("ACTA_SESSION")} {
		if id != "" {
			l, err := worklog.Choose(common, gitDir, id)
			if err != nil {
				return nil // of another session, which is not recorded here
			}
			return l
		}
	}
	l, err := worklog.Choose(common, gitDir, "")
	if err != nil {
		return nil // none, or nobody says which of several
	}
	return l
}

// rebases reports whether a rebase is under way, which runs this hook for what it commits again.
func rebases(gitDir string) bool {
	return slices.ContainsFunc([]string{"rebase-merge", "rebase-apply"}, func(name string) bool {
		_, err := os.Stat(filepath.Join(gitDir, name))
		return err == nil
	})
}
