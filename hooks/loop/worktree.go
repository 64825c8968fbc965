package loop

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/acta-git/acta/repo"
)

const gitLockWait = 2 * time.Second

// operations are the files of unfinished git operations that a commit would end (gitrepository-layout(5)).
var operations = [...][2]string{
	{"MERGE_HEAD", "a merge"}, {"CHERRY_PICK_HEAD", "a cherry-pick"}, {"REVERT_HEAD", "a revert"},
	{"rebase-merge", "a rebase"}, {"rebase-apply", "a rebase or git am"},
}

func (w *run) checkCanCommit(ctx context.Context, t *turn) error {
	for _, o := range operations {
		if _, err := os.Lstat(filepath.Join(w.gitDir, o[0])); err == nil {
			return &BlockedError{Obstacle: o[1] + " is under way in " + w.top,
				Remedy: "end it, or abort it, and start the loop again"}
		}
	}
	return w.ensureCleanPlan(ctx, t)
}

// ensureCleanPlan makes sure that the plan in the index and in the work tree is HEAD's. A plan that equals that of
// HEAD's parent was left by a killed loop, and is updated: the history keeps it. Any other is somebody's edit, and a
// *BlockedError.
func (w *run) ensureCleanPlan(ctx context.Context, t *turn) error {
	if err := repo.CheckInside(w.top, t.PlanPath); err != nil {
		return err
	}
	isOld := false
	for _, place := range []string{"work tree", "index"} {
		is, err := w.hasPlanOf(ctx, t, "HEAD", place)
		if err != nil {
			return err
		}
		if is {
			continue
		}
		if len(t.Head.Parents) > 0 {
			if isOld, err = w.hasPlanOf(ctx, t, "HEAD~1", place); err != nil {
				return err
			}
		}
		if !isOld {
			return &BlockedError{
				Obstacle: "the plan " + t.PlanPath + " in the " + place + " is not HEAD's",
				Remedy:   "commit the change, or take it back: git checkout HEAD -- " + t.PlanPath, isPlanEdited: true,
			}
		}
	}
	if !isOld {
		return nil
	}
	// No hook runs, and nothing stops git half way.
	_, err := w.git(context.WithoutCancel(ctx), nil, nil,
		"-c", "core.hooksPath="+os.DevNull, "checkout", "--quiet", "HEAD", "--", planSpec(t))
	return err
}

func (w *run) hasPlanOf(ctx context.Context, t *turn, commit, place string) (bool, error) {
	args := []string{"diff", "--quiet", "--no-ext-diff", commit, "--", planSpec(t)}
	if place == "index" {
		args = slices.Insert(args, 1, "--cached")
	}
	_, err := w.git(ctx, nil, nil, args...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		return false, nil
	}
	return err == nil, err
}

func planSpec(t *turn) string { return ":(top,literal)" + t.PlanPath }
