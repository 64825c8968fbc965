package hooks

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
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
	if worklog.NoSessionRuns(common) || rebases(gitDir) {
		return answer, nil
	}
	h, err := judge.NewHistory(r, Runs(r, c.Env.Get("ACTA_SESSION"))).RecordOf(ctx, "HEAD")
	if err != nil {
		return answer, err
	}
	answer.Warnings = h.Warnings
	for _, d := range h.Parts {
		if l := sessionOf(common, gitDir, d, c.Env); l != nil {
			if lost := l.ReadWarning(); lost != "" {
				answer.Warnings = append(answer.Warnings, lost)
			}
			recorder := &worklog.Recorder{Live: l, Repo: r, Switches: worklog.EnvSwitches(c.Env)}
			said, errRecord := recorder.RecordPart(ctx, time.Now(), d)
			answer.Warnings = append(answer.Warnings, said.Warnings()...)
			err = errors.Join(err, errRecord)
		}
	}
	return answer, err
}

// sessionOf is the running session that a landed commit belongs to, nil for none.
func sessionOf(common, gitDir string, d judge.LandedPart, env program.Env) *worklog.Live {
	for _, id := range []string{d.Part.Session.Value, env.Get("ACTA_SESSION")} {
		if id != "" {
			l, err := worklog.FindRunning(common, gitDir, id)
			if err != nil {
				return nil // of another session, which is not recorded here
			}
			return l
		}
	}
	l, err := worklog.FindRunning(common, gitDir, "")
	if err != nil {
		return nil // none, or nobody says which of several
	}
	return l
}

// rebases reports whether a rebase is under way, which runs this hook for what it commits again.
func rebases(gitDir string) bool { return holdsAny(gitDir, "rebase-merge", "rebase-apply") }

// holdsAny reports whether one of some files or folders is in the git directory.
func holdsAny(gitDir string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, err := os.Lstat(filepath.Join(gitDir, name))
		return err == nil
	})
}

// PostRewrite is git's post-rewrite hook: it remembers which commits an amend or a
// rebase turned into which, so that what names a commit by its old id can still be
// followed. git names the command, and hands over a line for each commit: old id,
// new id, and perhaps more (githooks(5)).
func PostRewrite(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	by := ""
	if len(c.Args) > 0 {
		by = c.Args[0]
	}
	now := time.Now().UTC().Truncate(time.Second)
	var all []journal.Rewrite
	lines := bufio.NewScanner(c.Stdin)
	for lines.Scan() {
		if f := strings.Fields(lines.Text()); len(f) >= 2 {
			all = append(all, journal.Rewrite{By: by, Old: f[0], New: f[1], Time: now})
		}
	}
	if err := lines.Err(); err != nil || len(all) == 0 {
		return &Answer{}, err
	}
	dir, err := r.CommonDir(ctx)
	if err != nil {
		return nil, err
	}
	repair, err := journal.AddRewrites(ctx, dir, all)
	answer := &Answer{}
	if repair != nil {
		answer.Warnings = append(answer.Warnings, repair.String())
	}
	return answer, err
}

// DoNothing is the answer at a hook point where acta has nothing to do yet.
func DoNothing(context.Context, *repo.Repo, Call) (*Answer, error) { return &Answer{}, nil }
