package judge

import (
	"context"
	"errors"
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
func (f *boxFinder) earlierPlaces(t *tick, names []parser.Name) (found []boxPlace) {
	paths, err := f.tree.Paths(f.Ctx)
	f.Note(err)
	existing := slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		return snapshot.IsBoxFile(f.policy, path) || !slices.ContainsFunc(names, func(n parser.Name) bool {
			return n.IsFile && matchesPath(path, n.Text)
		})
	})
	missing := slices.IndexFunc(names, mustExist)
	if len(existing) == 0 && missing >= 0 && !evidence.SaysRemoval(t.Text.Value) {
		return []boxPlace{{Evidence: parser.Evidence{Path: strings.TrimPrefix(names[missing].Text, "./")}}}
	}
	since, from := f.workSince(t, existing)
	if len(since) > 0 {
		t.earlierCommits = commitList{f.Ancestors, since}
		found = f.placesOf(from, existing, names)
	}
	if len(found) > 0 {
		return found
	}
	for _, file := range existing[:min(len(existing), maxBoxPlaces)] {
		found = append(found, f.changedPlaces(nil, file, names)...)
	}
	isWork := func(p boxPlace) bool { return f.verdictAt(t, p) != report.NotVerified }
	if len(found) > 0 && !slices.ContainsFunc(found, isWork) {
		return found // they are stubs
	}
	t.claim.UnclearReason = "no commit since the box was last touched changes the code that it names"
	return nil
}

// mustExist reports whether a name is that of a file which the box makes, or in which it does its work. Of 1,289
// boxes of eleven public repositories, five name another file that is gone, and were honest (bench/figures/plans.md).
func mustExist(n parser.Name) bool {
	folder, _, _ := strings.Cut(n.Text, "/")
	return n.IsFile && (n.IsNew || n.IsInside) && strings.Contains(n.Text, "/") &&
		strings.Trim(path.Ext(folder), ".") == ""
}

// workSince lists the commits before this one that changed files since the box was last touched, the newest first, and
// the tree that they began with.
func (f *boxFinder) workSince(t *tick, files []string) ([]repo.ID, *evidence.Tree) {
	r, parents := f.repo, f.parents
	if len(parents) == 0 || len(files) == 0 {
		return nil, nil
	}
	touching, err := r.NewestTouching(f.Ctx, parents, []string{t.file}, maxBoxPast)
	f.Note(err)
	for _, id := range touching {
		step, err := f.step(f.Ctx, string(id))
		if err != nil && !errors.Is(err, evidence.ErrShallow) {
			f.Note(err)
		}
		if err != nil || f.Err != nil {
			return nil, nil // cut by a shallow clone
		}
		oldBoxes, _ := f.boxesAt(step.Before, t.file)
		newBoxes, _ := f.boxesAt(&step.After, t.file)
		before, after := boxIn(oldBoxes, &t.Box), boxIn(newBoxes, &t.Box)
		if before != nil && after != nil && before.Text.Value == after.Text.Value && before.IsTicked == after.IsTicked {
			continue
		}
		var since []repo.ID
		for _, tip := range parents {
			ids, err := r.CommitsTouching(f.Ctx, id, tip, files)
			f.Note(err)
			since = append(since, ids...)
		}
		return since, &step.After
	}
	return nil, nil
}

// commitList are commits as the earlier ones of a unit.
type commitList struct {
	ancestors *Ancestors
	ids       []repo.ID
}

func (l commitList) Steps(ctx context.Context) iter.Seq2[evidence.Step, error] {
	return func(yield func(evidence.Step, error) bool) {
		for _, id := range l.ids {
			step, err := l.ancestors.step(ctx, string(id))
			if !yield(step, err) || err != nil {
				return
			}
		}
	}
}

func (f *boxFinder) verdictAt(t *tick, p boxPlace) report.Verdict {
	judge := f.evidenceJudge()
	judge.Earlier, judge.IsBrief = t.earlierCommits, true
	r, err := judge.Evidence(f.Ctx, evidence.Claim{Evidence: p.Evidence, Item: t.Text.Value, Kind: t.kind})
	f.Note(err)
	return r.Verdict
}

// placeTally has the places of a box by verdict, and counts the functions among them.
type placeTally struct {
	all    []parser.Evidence
	places map[report.Verdict][]parser.Evidence
	bodies map[report.Verdict]int
}

func (w *placeTally) add(p boxPlace, v report.Verdict) {
	w.all, w.places[v] = append(w.all, p.Evidence), append(w.places[v], p.Evidence)
	if p.isFunction {
		w.bodies[v]++
	}
}

// choose returns the evidence for the box: the verified places if there are at least as many as refuted ones, else all
// places if they are conclusive. A declaration does not speak for functions that do nothing. problem says why there is
// no evidence.
func (w *placeTally) choose(isConclusive bool) (places []parser.Evidence, problem string) {
	verified, working, hollow := w.places[report.Verified], w.bodies[report.Verified], w.bodies[report.NotVerified]
	switch {
	case len(verified) == 0 || len(verified) < len(w.places[report.NotVerified]) || working == 0 && hollow > 0:
		if !isConclusive {
			return nil, unclearTrivial
		}
		return w.all, ""
	case working < hollow+w.bodies[report.Unclear]:
		return nil, unclearIdle
	}
	return verified, ""
}

// takeBest takes the evidence for a box: every place of a symbol that it names, else the best places of its files.
func (f *boxFinder) takeBest(t *tick, places []boxPlace) {
	isCode := func(p boxPlace) bool { return evidence.KindOf(p.Path) != evidence.KindText }
	if t.kind == evidence.KindCode && len(places) > 0 && !slices.ContainsFunc(places, isCode) {
		t.kind = evidence.KindText
	}
	// If definitions changed, lines beside them, such as imports, prove nothing.
	if slices.ContainsFunc(places, func(p boxPlace) bool { return p.Symbol != "" && !p.IsRemoved }) {
		places = slices.DeleteFunc(places, func(p boxPlace) bool { return p.Symbol == "" })
	}
	w := placeTally{places: map[report.Verdict][]parser.Evidence{}, bodies: map[report.Verdict]int{}}
	isConclusive := parser.IsCreation(t.Text.Value) // whether a place that proves nothing refutes the claim
	for _, p := range places[:min(len(places), maxBoxPlaces)] {
		p.Text.Value = p.String()
		if isConclusive = isConclusive || p.isNamed || p.Symbol != "" || p.Start == 0; p.isNamed {
			w.all = append(w.all, p.Evidence)
			continue
		}
		w.add(p, f.verdictAt(t, p))
	}
	var all []parser.Evidence
	if all, t.claim.UnclearReason = w.choose(isConclusive); t.claim.UnclearReason != "" {
		return
	}
	var quotes []string
	for _, e := range all {
		quotes = append(quotes, e.Text.Value)
	}
	t.claim.Evidence, t.claim.EvidenceText.Value = all, strings.Join(quotes, ", ")
}

const (
	unclearTrivial = "the code that it names changes only in comments or removed lines"
	unclearIdle    = "most of the changed functions seem to do nothing"
)
