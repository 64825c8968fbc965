package worklog

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// Pattern is what remains of a session whose log is gone: what it was, and counts.
// It is computed while the log is there, so that it holds what statistics need.
type Pattern struct {
	ID string `json:"session_id"`
	// Task is the first line of the task, cut to maxTask bytes.
	Task      string  `json:"task_description"`
	Tier      string  `json:"tier"`
	Started   string  `json:"started_at"`
	Completed *string `json:"completed_at"`
	Outcome   Outcome `json:"outcome"`
	// Actions counts the entries by what was done.
	Actions map[Action]int `json:"actions"`
	// Failures counts the entries that failed, verifications aside.
	Failures int `json:"failures"`
	// Corrections counts the checkpoints that led to another plan; see corrections.
	Corrections int `json:"course_corrections"`
	// Captured counts the operations that are recorded, Missed those that git shows besides, and the lines of the log that cannot be read.
	Captured int `json:"captured"`
	Missed   int `json:"missed"`
	// Switches are those that were on, by name, sorted.
	Switches []string `json:"switches"`
	// Summary is that of the session's document. Its verifications are counted by their last reading.
	Summary Summary `json:"summary"`
}

// maxTask bounds Pattern.Task, in bytes.
const maxTask = 160

// observer computes patterns. What git cannot tell it leaves out.
type observer struct {
	repo    *repo.Repo
	release string
	// head is what HEAD names, "" where that is nothing.
	head repo.ID
	// rewritten maps commits to what they were rewritten into, switched sessions to the switches that events tell of.
	rewritten map[string]string
	switched  map[string][]string
}

// newObserver reads what is the same for all sessions. What cannot be read is as if it were not there.
func newObserver(ctx context.Context, r *repo.Repo, commonDir, release string) *observer {
	o := &observer{repo: r, release: release}
	if head, err := r.Head(ctx); err == nil {
		o.head = head.ID
	}
	o.rewritten, _ = Rewrites(commonDir) // nil reads as empty
	o.switched = switchesUsed(commonDir)
	return o
}

// pattern is what a session's document tells. unread is how many lines of its log cannot be read; begun is how it began, nil where that is not known.
func (o *observer) pattern(ctx context.Context, s *Session, unread int, begun *Live) Pattern {
	p := Pattern{
		ID: s.ID, Task: cutTask(s.Task), Tier: s.Tier, Started: s.Started, Completed: s.Completed, Outcome: s.Outcome,
		Actions: map[Action]int{}, Corrections: o.corrections(ctx, s.Entries), Missed: unread,
		Switches: append([]string{}, o.switched[s.ID]...), Summary: s.Summary,
	}
	for i := range s.Entries {
		e := &s.Entries[i]
		p.Actions[e.Action]++
		switch {
		case e.Action == Verify || e.Action == Check:
			continue
		case e.Status == Failed:
			p.Failures++
		}
		p.Captured++
	}
	if begun == nil {
		begun = &Live{Beginning: Beginning{ID: s.ID, Tier: s.Tier}}
	}
	p.Switches = append(p.Switches, switchNames(begun.Switches)...)
	slices.Sort(p.Switches)
	p.Switches = slices.Compact(p.Switches)
	if !slices.Contains(p.Switches, switchWorklog) {
		p.Missed += o.missed(ctx, s, begun)
	}
	return p
}

// cutTask is the first line of a task, cut where it is long.
func cutTask(task string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(task), "\n")
	if len(line) > maxTask {
		line = strings.ToValidUTF8(line[:maxTask], "") + "…"
	}
	return strings.ToValidUTF8(line, "")
}

// corrections counts the checkpoints that led to another plan: before the next checkpoint
// comes an ADAPT that changes what is to be done, or a todo that is new or gone. Todos that are added directly after
// the checkpoint of the planning still belong to the planning.
func (o *observer) corrections(ctx context.Context, entries []Operation) int {
	n, open, planning := 0, false, false
	for i := range entries {
		e := &entries[i]
		corrects := false
		switch e.Action {
		case Check:
			open, planning = true, e.Details.Phase == "planning"
		case TodoWrite:
			corrects = open && !planning && e.changesTodos()
		case AdaptDone:
			corrects = open && o.changesPlan(ctx, e.Details.Commit)
			planning = false
		case Verify:
		default:
			planning = false
		}
		if corrects {
			n, open = n+1, false
		}
	}
	return n
}

// changesTodos reports whether a todo is new or gone.
func (e *Operation) changesTodos() bool {
	return slices.ContainsFunc(e.Details.StatusChanges, func(c StatusChange) bool {
		switch c.To {
		case "", "deleted", "removed", "cancelled":
			return true
		}
		return c.From == ""
	})
}

// changesPlan reports whether a commit changes what is to be done: units, their items, order or dependencies, or that
// one is opened again. A status that goes on, a threshold and an assessment are the ordinary way of a plan.
func (o *observer) changesPlan(ctx context.Context, commit string) bool {
	c, err := o.repo.Commit(ctx, cmp.Or(o.rewritten[commit], commit))
	if err != nil || len(c.Parents) != 1 {
		return false
	}
	_, after, err := judge.PlanAt(ctx, o.repo, string(c.ID), o.release)
	if err != nil {
		return false
	}
	_, before, err := judge.PlanAt(ctx, o.repo, string(c.Parents[0]), o.release)
	if err != nil || before == nil {
		return false
	}
	return slices.ContainsFunc(plan.Diff(before, after), func(m plan.Move) bool {
		switch m.Kind {
		case plan.Threshold, plan.Assessed, plan.Other:
			return false
		case plan.StatusMoved:
			return m.From == "complete" || m.To == "pending"
		}
		return true
	})
}

// Totals add up patterns.
type Totals struct {
	Sessions      int            `json:"sessions"`
	Actions       map[Action]int `json:"actions"`
	Failures      int            `json:"failures"`
	Corrections   int            `json:"course_corrections"`
	Checkpoints   int            `json:"checkpoints"`
	Verifications Verifications  `json:"verification_results"`
	Outcomes      map[string]int `json:"outcomes"`
	Tokens        int            `json:"total_tokens"`
	Seconds       int            `json:"duration_seconds"`
}

func totals(all map[string]Pattern) Totals {
	t := Totals{Actions: map[Action]int{}, Outcomes: map[string]int{}}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		p := all[id]
		t.Sessions++
		for a, n := range p.Actions {
			t.Actions[a] += n
		}
		t.Failures += p.Failures
		t.Corrections += p.Corrections
		t.Checkpoints += p.Summary.Checkpoints
		t.Verifications.Passed += p.Summary.Verifications.Passed
		t.Verifications.Failed += p.Summary.Verifications.Failed
		t.Verifications.Skipped += p.Summary.Verifications.Skipped
		t.Outcomes[string(p.Outcome)]++
		t.Tokens += p.Summary.Tokens
		t.Seconds += p.Summary.Seconds
	}
	return t
}

// session is the document that remains: without entries, with the summary.
func (p Pattern) session() *Session {
	return &Session{
		Version: Version, ID: p.ID, Task: p.Task, Tier: p.Tier, Started: p.Started, Completed: p.Completed, Outcome: p.Outcome,
		Entries: []Operation{}, Summary: p.Summary, summed: true,
	}
}

// isSummary reports whether the document is all that remains of entries.
func (s *Session) isSummary() bool {
	return len(s.Entries) == 0 && s.Summary.Operations+s.Summary.Checkpoints+s.Summary.Verifications.all() > 0
}

func (v Verifications) all() int { return v.Passed + v.Failed + v.Skipped }

// valid reports whether a pattern is one of a session, as it comes from a ref that anybody may have written.
func (p Pattern) valid(id string) bool {
	_, tier := policy.ParseTier(p.Tier)
	return p.ID == id && IsSessionID(id) && tier && (p.Completed == nil) == (p.Outcome == Running)
}
