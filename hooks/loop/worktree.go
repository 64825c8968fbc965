package loop

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
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

func (w *run) planIn(ctx context.Context, t *turn, c repo.Commit) (repo.Entry, error) {
	e, err := t.repo.Snapshot(c.Tree).Entry(ctx, t.PlanPath)
	if errors.Is(err, repo.ErrNotFound) {
		return repo.Entry{}, nil
	}
	return e, err
}

// ensureCleanPlan makes sure that the plan in the index and in the work tree is HEAD's. A plan that equals that of
// HEAD's parent was left by a killed loop, and is updated: the history keeps it. Any other is somebody's edit, and a
// *BlockedError.
func (w *run) ensureCleanPlan(ctx context.Context, t *turn) error {
	is, err := w.planIn(ctx, t, t.Head)
	if err != nil {
		return err
	}
	var was repo.Entry
	if len(t.Head.Parents) > 0 {
		parent, err := t.repo.Commit(ctx, string(t.Head.Parents[0]))
		if err != nil {
			return err
		}
		if was, err = w.planIn(ctx, t, parent); err != nil {
			return err
		}
	}
	if err := w.ensureCleanFile(ctx, t, is.ID, was.ID); err != nil {
		return err
	}
	listed, err := w.git(ctx, nil, nil, "ls-files", "--stage", "-z", "--", ":(top,literal)"+t.PlanPath)
	if err != nil {
		return err
	}
	entry, _, _ := strings.Cut(listed, "\t") // «mode id stage»
	switch staged := strings.Fields(entry); {
	case len(staged) == 3 && staged[1] == string(is.ID) && staged[2] == "0":
		return nil
	case len(staged) == 3 && staged[1] == string(was.ID) && staged[2] == "0":
		_, err = w.git(ctx, nil, nil, "update-index", "--cacheinfo", is.Mode+","+string(is.ID)+","+t.PlanPath)
		return err
	}
	return w.editedPlanError(t, "index")
}

func (w *run) editedPlanError(t *turn, where string) error {
	return &BlockedError{
		Obstacle: "the plan " + t.PlanPath + " in the " + where + " is not HEAD's",
		Remedy:   "commit the change, or take it back: git checkout HEAD -- " + t.PlanPath, isPlanEdited: true,
	}
}

// ensureCleanFile is ensureCleanPlan for the file. A rename replaces it, so that it is always whole.
func (w *run) ensureCleanFile(ctx context.Context, t *turn, is, was repo.ID) error {
	if err := repo.CheckInside(w.top, t.PlanPath); err != nil {
		return err
	}
	file := filepath.Join(w.top, filepath.FromSlash(t.PlanPath))
	if err := state.Remove(nextFile(file)); err != nil {
		return err // left by a killed loop
	}
	found, err := state.Read(file) // nil if it is gone
	if err != nil {
		return err
	}
	snapshot := t.repo.Snapshot(t.Head.Tree)
	want, err := snapshot.Blob(ctx, is)
	if err != nil || sameText(found, want) {
		return err
	}
	if was != "" {
		before, err := snapshot.Blob(ctx, was)
		if err != nil {
			return err
		}
		if sameText(found, before) {
			return replace(file, want)
		}
	}
	return w.editedPlanError(t, "work tree")
}

// sameText compares texts, ignoring carriage returns that git may add.
func sameText(a, b []byte) bool {
	crlf, lf := []byte("\r\n"), []byte("\n")
	return bytes.Equal(bytes.ReplaceAll(a, crlf, lf), bytes.ReplaceAll(b, crlf, lf))
}

func nextFile(file string) string {
	return filepath.Join(filepath.Dir(file), "."+filepath.Base(file)+".acta")
}

func replace(file string, data []byte) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	next := nextFile(file)
	if err := state.WriteFile(next, data, info.Mode()); err != nil {
		return err
	}
	return os.Rename(next, file)
}
