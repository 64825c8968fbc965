package heartbeat

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

const unitPrefix = "unit:"

// judge judges a task as its hint says. A verifier of the policy comes first; its name is neither a place nor a unit.
func (v *Verification) judge(ctx context.Context, r *Result) error {
	hint := r.Task.Verify
	if spec, ok := v.policy.Verifiers[hint]; ok {
		return v.runVerifier(ctx, hint, spec, r)
	}
	if unit, ok := strings.CutPrefix(hint, unitPrefix); ok {
		r.finding = v.judgeUnit(strings.TrimSpace(unit))
		return nil
	}
	if places := parser.ParseEvidence(hint, report.Pos{}); areLines(places) {
		var err error
		r.finding, err = v.judgeEvidence(ctx, r.Task, places)
		return err
	}
	if hint == "" {
		r.finding = unclear(
			"its line does not say how to verify it; add verify: and a verifier of the policy, path:line-end or unit:KEY")
		return nil
	}
	r.finding = unclear("HEAD's policy has no verifier %s, and it is neither path:line-end nor unit:KEY", hint)
	return nil
}

func (v *Verification) judgeUnit(key string) finding {
	switch {
	case v.planError != nil:
		return unclear("HEAD's plan cannot be read: %v", v.planError)
	case v.root == nil:
		return unclear("HEAD has no plan that could hold the task %s", key)
	}
	switch unit := v.root.Find(key); {
	case unit == nil:
		return unclear("HEAD's plan has no task %s", key)
	case unit.Status != plan.Complete:
		return finding{
			report.NotVerified, "the task " + key + " is " + strings.ReplaceAll(unit.Status, "_", " ") +
				" in HEAD's plan, and not complete",
		}
	}
	return finding{Verdict: report.Verified}
}

func namesUnit(t *parser.Task) bool { return strings.HasPrefix(t.Verify, unitPrefix) }

// areLines reports whether every place cites lines that should exist: a mere word would parse as a path.
func areLines(places []parser.Evidence) bool {
	isOther := func(e parser.Evidence) bool { return e.Err != "" || e.Start == 0 || e.IsRemoved }
	return len(places) > 0 && !slices.ContainsFunc(places, isOther)
}

// judgeEvidence is the worst finding among the places, in the work tree. The lines need not belong to a change.
func (v *Verification) judgeEvidence(
	ctx context.Context, task *parser.Task, places []parser.Evidence,
) (finding, error) {
	worst := finding{Verdict: report.Verified}
	for _, e := range places {
		found, err := v.reader.Evidence(ctx,
			evidence.Claim{Evidence: e, Item: task.Description, Kind: evidence.KindOf(e.Path)})
		switch {
		case ctx.Err() != nil:
			return finding{}, context.Cause(ctx)
		case err != nil: // an unreadable file, say
			found = evidence.Result{Verdict: report.Unclear, Reason: err.Error()}
		}
		if found.Verdict > worst.Verdict {
			worst = finding{found.Verdict, strings.TrimPrefix(e.Place()+": "+found.Reason, ": ")}
		}
	}
	if worst.Verdict == report.Verified {
		worst.Reason = ""
	}
	return worst, nil
}

type workTree struct {
	*Verification
	root *os.Root
}

func (w workTree) Size(_ context.Context, e evidence.Entry) (int64, error) {
	info, err := w.root.Lstat(localPath(e.Path))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Read reads a file, which may grow meanwhile, up to the policy's limit.
func (w workTree) Read(_ context.Context, e evidence.Entry) ([]byte, error) {
	if e.Kind == evidence.Symlink {
		target, err := w.root.Readlink(localPath(e.Path))
		return []byte(filepath.ToSlash(target)), err
	}
	f, err := state.OpenIn(w.root, localPath(e.Path))
	if err != nil {
		return nil, err
	}
	return state.ReadAll(f, w.policy.MaxFileBytes)
}

func (w workTree) Paths(ctx context.Context) ([]string, error) {
	l, err := w.Repo.WorkFiles(ctx)
	return l.Paths, err
}

// Renamed finds no renames: files are judged at their present paths.
func (workTree) Renamed(context.Context, *evidence.Tree, string) (string, error) { return "", nil }

func localPath(path string) string { return filepath.FromSlash(path) }

// Stat returns Missing for .git, for anything but files, folders and links, and for paths outside.
func (w workTree) Stat(_ context.Context, path string) (evidence.Entry, error) {
	nothing := evidence.Entry{Path: path}
	if first, _, _ := strings.Cut(path, "/"); strings.EqualFold(first, ".git") || !fs.ValidPath(path) {
		return nothing, nil
	}
	info, err := w.root.Lstat(localPath(path))
	var pathErr *fs.PathError
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nothing, err
	case errors.As(err, &pathErr):
		return nothing, nil // below a file or a link, or outside
	case err != nil:
		return nothing, err
	}
	kind := evidence.Missing
	switch mode := info.Mode(); {
	case mode.IsRegular():
		kind = evidence.File
	case mode.IsDir():
		kind = evidence.Folder
	case mode&fs.ModeSymlink != 0:
		kind = evidence.Symlink
	}
	// The time shows a change by a verifier.
	return evidence.Entry{
		Path: path, Kind: kind, ID: fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano()),
	}, nil
}
