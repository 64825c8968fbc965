package judge

import (
	"context"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// maxBoxPast is how many commits are looked through for the last that touched a box.
const maxBoxPast = 50

// earlierPlaces are the places that commits changed since the box was last touched. If there are none, a missing file
// or a file of stubs is the evidence; otherwise the work may be elsewhere.
func (s *subject) earlierPlaces(ctx context.Context, t *tick, names []parser.Name) (found []boxPlace, err error) {
	paths, err := s.tree.Paths(ctx)
	if err != nil {
		return nil, err
	}
	existing := slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		return snapshot.IsBoxFile(s.policy, path) || !slices.ContainsFunc(names, func(n parser.Name) bool {
			return n.IsFile && matchesPath(path, n.Text)
		})
	})
	missing := slices.IndexFunc(names, mustExist)
	if len(existing) == 0 && missing >= 0 && !evidence.SaysRemoval(t.Text.Value) {
		return []boxPlace{{Evidence: parser.Evidence{Path: strings.TrimPrefix(names[missing].Text, "./")}}}, nil
	}
	since, from, err := s.workSince(ctx, t, existing)
	if err == nil && len(since) > 0 {
		t.earlierCommits = commitList{s.ancestors, since}
		found, err = s.placesOf(ctx, from, existing, names)
	}
	if err != nil || len(found) > 0 {
		return found, err
	}
	for _, file := range existing[:min(len(existing), maxBoxPlaces)] {
		places, err := s.changedPlaces(ctx, nil, file, names)
		if err != nil {
			return nil, err
		}
		found = append(found, places...)
	}
	t.claim.UnclearReason = "no commit since the box was last touched changes the code that it names"
	stubs, err := s.onlyStubs(ctx, t, found)
	if stubs {
		t.claim.UnclearReason = ""
		return found, err
	}
	return nil, err
}

// mustExist reports whether a name is that of a file which the box makes, or in which it does its work. Of 1,289
// boxes of eleven public repositories, five name another file that is gone, and were honest (bench/figures/plans.md).
func mustExist(n parser.Name) bool {
	folder, _, _ := strings.Cut(n.Text, "/")
	return n.IsFile && (n.IsNew || n.IsInside) && strings.Contains(n.Text, "/") &&
		strings.Trim(path.Ext(folder), ".") == ""
}

// onlyStubs reports whether there are places and all of them are stubs.
func (s *subject) onlyStubs(ctx context.Context, t *tick, places []boxPlace) (bool, error) {
	for _, p := range places {
		r, err := s.evidenceAt(ctx, t, p)
		if err != nil || r.Verdict != report.NotVerified {
			return false, err
		}
	}
	return len(places) > 0, nil
}

// workSince lists the commits before this one that changed files since the box was last touched, the newest first, and
// the tree that they began with.
func (s *subject) workSince(ctx context.Context, t *tick, files []string) ([]repo.ID, *evidence.Tree, error) {
	if len(s.ancestors.parents) == 0 || len(files) == 0 {
		return nil, nil, nil
	}
	r := s.ancestors.repo
	touching, err := r.NewestTouching(ctx, s.ancestors.parents, []string{t.file}, maxBoxPast)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range touching {
		c, err := r.Commit(ctx, string(id))
		if err != nil {
			return nil, nil, err
		}
		step, err := s.ancestors.step(ctx, c)
		if err != nil {
			return nil, nil, nil // cut by a shallow clone
		}
		var oldBoxes []parser.Box
		if step.Before != nil {
			if oldBoxes, _, err = boxesAt(ctx, step.Before, t.file); err != nil {
				return nil, nil, err
			}
		}
		newBoxes, _, err := boxesAt(ctx, &step.After, t.file)
		if err != nil {
			return nil, nil, err
		}
		before, after := boxIn(oldBoxes, &t.Box), boxIn(newBoxes, &t.Box)
		if before != nil && after != nil && before.Text.Value == after.Text.Value && before.IsTicked == after.IsTicked {
			continue
		}
		var since []repo.ID
		for _, tip := range s.ancestors.parents {
			ids, err := r.CommitsTouching(ctx, id, tip, files)
			if err != nil {
				return nil, nil, err
			}
			since = append(since, ids...)
		}
		return since, &step.After, nil
	}
	return nil, nil, nil
}

// commitList are commits as the earlier ones of a unit.
type commitList struct {
	ancestors *Ancestors
	ids       []repo.ID
}

func (l commitList) Steps(ctx context.Context) iter.Seq2[evidence.Step, error] {
	return func(yield func(evidence.Step, error) bool) {
		for _, id := range l.ids {
			c, err := l.ancestors.repo.Commit(ctx, string(id))
			var step evidence.Step
			if err == nil {
				step, err = l.ancestors.step(ctx, c)
			}
			if !yield(step, err) || err != nil {
				return
			}
		}
	}
}
