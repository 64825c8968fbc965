package judge

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

func (f *boxFinder) verdictAt(t *tick, p boxPlace) report.Verdict {
	judge := f.evidenceJudge()
	judge.Earlier, judge.IsBrief = t.earlierCommits, true
	r, err := judge.Evidence(f.Ctx, evidence.Claim{Evidence: p.Evidence, Item: t.Text.Value, Kind: t.kind})
	f.Note(err)
	return r.Verdict
}

// placeTally counts the places of a box by verdict.
type placeTally struct {
	all, verified []parser.Evidence
	refuted       int // places that are not verified
	// workingBodies, hollowBodies and unclearBodies count the functions among them.
	workingBodies, hollowBodies, unclearBodies int
}

func (w *placeTally) add(p boxPlace, v report.Verdict) {
	w.all = append(w.all, p.Evidence)
	bodies := 0
	if p.isFunction {
		bodies = 1
	}
	switch v {
	case report.Verified:
		w.verified, w.workingBodies = append(w.verified, p.Evidence), w.workingBodies+bodies
	case report.NotVerified:
		w.refuted, w.hollowBodies = w.refuted+1, w.hollowBodies+bodies
	default:
		w.unclearBodies += bodies
	}
}

// choose returns the evidence for the box: the verified places if there are at least as many as refuted ones, else all
// places if they are conclusive. A declaration does not speak for functions that do nothing. problem says why there is
// no evidence.
func (w *placeTally) choose(isConclusive bool) (places []parser.Evidence, problem string) {
	switch {
	case len(w.verified) == 0 || len(w.verified) < w.refuted || w.workingBodies == 0 && w.hollowBodies > 0:
		if !isConclusive {
			return nil, unclearTrivial
		}
		return w.all, ""
	case w.workingBodies < w.hollowBodies+w.unclearBodies:
		return nil, unclearIdle
	}
	return w.verified, ""
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
	var w placeTally
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
