package worklog

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// fromHistory rebuilds the sessions of the ACTs and ADAPTs of a record from the commits alone, the oldest first. Each
// Session trailer is one session; commits without one are grouped by actor and day (UTC). If the name is not an id of
// acta's, the id is the time of the first commit and a hash of the name. Commits without a trailer that a recorded
// session has are left out.
func fromHistory(h *judge.Record, recorded map[partKey]bool) (sessions []ListedSession) {
	parts := map[string][]judge.LandedPart{}
	var order []string
	for _, d := range h.Parts {
		name := d.Part.Session.Value
		if name == "" && recorded[partKey{string(d.Commit.ID), d.Part.Unit.Value}] {
			continue
		}
		key := cmp.Or(name, actorOf(d)+"\x00"+d.Commit.Author.When.UTC().Format(time.DateOnly))
		if parts[key] == nil {
			order = append(order, key)
		}
		parts[key] = append(parts[key], d)
	}
	for _, key := range order {
		sessions = append(sessions, rebuilt(key, parts[key][0].Part.Session.Value, parts[key], h.Tier))
	}
	slices.SortStableFunc(sessions, func(a, b ListedSession) int { return cmp.Compare(a.Started, b.Started) })
	return sessions
}

// partKey identifies an ACT or ADAPT: a squash commit has several.
type partKey struct{ commit, unit string }

func actorOf(d judge.LandedPart) string { return cmp.Or(d.Part.Actor.Value, d.Commit.Author.Name) }

// rebuilt is the session of some ACTs and ADAPTs with a name, "" for none.
func rebuilt(key, name string, parts []judge.LandedPart, standard policy.Tier) ListedSession {
	s := &Session{Version: version, Outcome: Success, Entries: []Operation{}}
	tier := policy.Tier(0)
	var units []string
	byTime := func(a, b judge.LandedPart) int { return a.Commit.Author.When.Compare(b.Commit.Author.When) }
	first, last := slices.MinFunc(parts, byTime).Commit.Author.When, slices.MaxFunc(parts, byTime).Commit.Author.When
	for _, d := range parts {
		s.Entries = append(s.Entries, OperationOf(d))
		if d.Part.Kind != parser.Adapt {
			s.Outcome = outcomeOf(d)
		}
		if said, ok := policy.ParseTier(d.Part.Tier.Value); ok {
			tier = max(tier, said)
		}
		if unit := d.Part.Unit.Value; unit != "" && !slices.Contains(units, unit) {
			units = append(units, unit)
		}
	}
	end := FormatTime(last)
	s.Started, s.Completed = FormatTime(first), &end
	s.Task, s.Tier = strings.Join(units, ", "), max(tier, standard).String()
	s.sumUp()
	if s.ID = name; IsSessionID(name) {
		return ListedSession{Session: s, State: FromHistory}
	}
	sum := sha256.Sum256([]byte(key))
	s.ID = first.UTC().Format(idTime) + "-" + hex.EncodeToString(sum[:2])
	return ListedSession{Session: s, State: FromHistory, Name: name}
}

// OperationOf is the entry of an ACT or ADAPT, or of boxes that a commit ticked in a file.
func OperationOf(d judge.LandedPart) Operation {
	p := d.Part
	e := Operation{
		Time: FormatTime(d.Commit.Author.When), Action: ActDone, Status: Completed,
		Context: strings.TrimSpace(string(p.Kind) + ": " + p.Unit.Value + " " + p.Summary.Value),
		Details: Details{
			Files: d.Files, Commit: string(d.Commit.ID), Unit: p.Unit.Value, Actor: actorOf(d), Reason: p.Reason.Value,
			Outcome: p.Outcome.Value,
		},
	}
	if len(e.Details.Files) == 0 {
		e.Details.Files = nil
	}
	if p.Kind == parser.Adapt {
		e.Action = AdaptDone
	}
	e.Details.StatusChanges = report.Map(d.StatusMoves, func(m plan.Move) StatusChange {
		return StatusChange{Todo: m.Key, From: m.From, To: m.To}
	})
	if n := len(d.StatusMoves); n > 0 {
		e.Details.Todos = &n
	}
	if d.HasFailed {
		e.Status = Failed
	}
	written := 0
	for _, v := range d.Verdicts {
		if v.Status == rules.StatusRan && v.Verdict == report.Verified {
			continue // it earns nothing, and other clones do not know it
		}
		e.Details.Claims = append(e.Details.Claims, ClaimOutcome{Item: v.Item, Verdict: v.Verdict.String(),
			Contradiction: v.IsContradiction})
		if v.Status != rules.StatusRan {
			written += len(v.Item) + len(v.Evidence)
		}
	}
	e.Details.Verification = verificationOf(e.Details.Claims)
	e.Tokens = Tokens(written)
	return e
}

// verificationOf is pass if every claim holds or was skipped, fail if one does not hold, and "" if there are no claims
// or some are unclear.
func verificationOf(claims []ClaimOutcome) string {
	result := ""
	for _, c := range claims {
		switch c.Verdict {
		case "not_verified":
			return "fail"
		case "verified", "skipped":
			result = "pass"
		}
	}
	if slices.ContainsFunc(claims, func(c ClaimOutcome) bool { return c.Verdict == "unclear" }) {
		return ""
	}
	return result
}

func outcomeOf(d judge.LandedPart) Outcome {
	switch {
	case !d.HasFailed:
		return Success
	case strings.HasPrefix(strings.ToLower(d.Part.Outcome.Value), "abort"):
		return Aborted
	}
	return Failure
}

// RecordedRun is the command run of a Bash operation.
func (e *Operation) RecordedRun() rules.RecordedRun {
	d := &e.Details
	run := rules.RecordedRun{Command: e.Command(), Exit: d.ExitCode, Reports: d.Reports}
	if len(d.Reports) > 0 { // a summary of plain output is a guess
		run.Counts = parser.ParseCounts(d.Summary)
	}
	if run.Proof = d.Proof; d.Proof != nil {
		_, run.Counts = parser.ProofRun(d.Proof.Noticed, d.Proof.Tried)
	}
	for _, tree := range []string{d.Tree, d.Tracked} {
		if tree != "" {
			run.Trees = append(run.Trees, tree)
		}
	}
	return run
}
