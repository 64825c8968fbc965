package judge

import (
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// evidenceAt judges one place that may hold a box.
func (s *subject) evidenceAt(ctx context.Context, t *tick, p boxPlace) (evidence.Result, error) {
	judge := s.evidenceJudge()
	judge.Past, judge.Brief = t.past, true
	return judge.Evidence(ctx, evidence.Claim{Evidence: p.Evidence, Item: t.Text.Value, Kind: t.kind})
}

// weighed are the places of a box by what they show.
type weighed struct {
	all, verified []parser.Evidence
	hollow        int // places that are not verified
	// does, hollowBodies and unclearBodies count the functions among them.
	does, hollowBodies, unclearBodies int
}

// add adds a place, and what was found at it.
func (w *weighed) add(p boxPlace, v report.Verdict) {
	w.all = append(w.all, p.Evidence)
	bodies := 0
	if p.body {
		bodies = 1
	}
	switch v {
	case report.Verified:
		w.verified, w.does = append(w.verified, p.Evidence), w.does+bodies
	case report.NotVerified:
		w.hollow, w.hollowBodies = w.hollow+1, w.hollowBodies+bodies
	default:
		w.unclearBodies += bodies
	}
}

// holds are the places that hold the box: the verified ones, where they are no fewer than the hollow ones, and else
// all, where these tell. A declaration does not speak for functions of which none does something. unheld says why none
// holds it.
func (w *weighed) holds(tells bool) (places []parser.Evidence, unheld string) {
	switch {
	case len(w.verified) == 0 || len(w.verified) < w.hollow || w.does == 0 && w.hollowBodies > 0:
		if !tells {
			return nil, tooSlight
		}
		return w.all, ""
	case w.does < w.hollowBodies+w.unclearBodies:
		return nil, tooIdle
	}
	return w.verified, ""
}

// best are the places that hold a box: those of a symbol that it names, all of them; else of those of its files the
// ones that hold it.
func (s *subject) best(ctx context.Context, t *tick, places []boxPlace) ([]parser.Evidence, error) {
	isCode := func(p boxPlace) bool { return evidence.KindOf(p.Path) != evidence.KindText }
	if t.kind == evidence.KindCode && len(places) > 0 && !slices.ContainsFunc(places, isCode) {
		t.kind = evidence.KindText
	}
	// Lines beside definitions, such as imports, show nothing where definitions are there to tell.
	if slices.ContainsFunc(places, func(p boxPlace) bool { return p.Symbol != "" && !p.Removed }) {
		places = slices.DeleteFunc(places, func(p boxPlace) bool { return p.Symbol == "" })
	}
	var w weighed
	tells := parser.Makes(t.Text.Value) // whether a place that shows nothing tells that nothing was done
	for _, p := range places[:min(len(places), maxBoxPlaces)] {
		p.Text.Value = p.String()
		if tells = tells || p.named || p.Symbol != "" || p.Start == 0; p.named {
			w.all = append(w.all, p.Evidence)
			continue
		}
		r, err := s.evidenceAt(ctx, t, p)
		if err != nil {
			return nil, err
		}
		w.add(p, r.Verdict)
	}
	var all []parser.Evidence
	if all, t.claim.Unheld = w.holds(tells); t.claim.Unheld != "" {
		return nil, nil
	}
	var said []string
	for _, e := range all {
		said = append(said, e.Text.Value)
	}
	t.claim.Cited.Value = strings.Join(said, ", ")
	return all, nil
}

const (
	tooSlight = "the code that it names changes only in comments or removed lines"
	tooIdle   = "most of the changed functions seem to do nothing"
)
