package worklog

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/judge/policy"
)

// The phases that end with a checkpoint.
const (
	phasePlanning     = "planning"     // a todo list of three or more
	phaseExecution    = "execution"    // the last edit before an ACT
	phaseVerification = "verification" // a test run has ended
)

// Phases are those that end with a checkpoint.
func Phases() []string { return []string{phasePlanning, phaseExecution, phaseVerification} }

// WantsCheckpoint reports whether a session of this tier has a checkpoint of a phase: STRICT has all three, STANDARD
// that of the execution.
func (l *Live) WantsCheckpoint(phase string) bool {
	tier, _ := policy.ParseTier(l.Tier)
	return tier == policy.Strict || tier == policy.Standard && phase == phaseExecution
}

// NewCheckpoint is the entry of a checkpoint.
func NewCheckpoint(at, phase string) Operation {
	return Operation{Time: at, Action: Check, Status: Completed, Context: phase + " is done",
		Details: Details{Phase: phase}}
}

// leastPlan is how many todos a list has that is a plan.
const leastPlan = 3

// progress is what decides whether a checkpoint is due.
type progress struct {
	todos map[string]bool // known by their changes of status
	most  int             // todos of one change
	names []string        // the same, in their order
	about string          // what the last change of the list was about
	// planned: there is a checkpoint of the planning. verified: there is one of a verification, and since the last ACT.
	planned, executed, verified, verifiedSinceAct bool
	// An edit since the last checkpoint of the execution, and of a verification.
	toExecute, toVerify bool
}

// follow keeps up with what was recorded.
func (p *progress) follow(o *Operation) {
	switch o.Action {
	case TodoWrite:
		p.list(o)
	case Edit, Write:
		if isEdit(o) {
			p.toExecute, p.toVerify = true, true
		}
	case ActDone:
		p.verifiedSinceAct = false
	case Check:
		switch o.Details.Phase {
		case phasePlanning:
			p.planned = true
		case phaseExecution:
			p.executed, p.toExecute = true, false
		case phaseVerification:
			p.verified, p.verifiedSinceAct, p.toVerify = true, true, false
		}
	}
}

// isEdit reports whether files were changed.
func isEdit(o *Operation) bool {
	return (o.Action == Edit || o.Action == Write) && (o.Status == Completed || o.Status == Retried)
}

// list counts todos: hosts write a list whole, or one todo at a time.
func (p *progress) list(o *Operation) {
	if o.Status == Failed {
		return
	}
	p.about = o.Context
	if o.Details.Todos != nil {
		p.most = max(p.most, *o.Details.Todos)
	}
	for _, c := range o.Details.StatusChanges {
		if p.todos == nil {
			p.todos = map[string]bool{}
		}
		if statusOf(Todo{Status: c.To}) == "deleted" {
			delete(p.todos, c.Todo)
			p.names = slices.DeleteFunc(p.names, func(name string) bool { return name == c.Todo })
		} else if !p.todos[c.Todo] {
			p.todos[c.Todo] = true
			p.names = append(p.names, c.Todo)
		}
	}
}

// count is how many todos there are.
func (p *progress) count() int { return max(p.most, len(p.todos)) }

// maxApproach is how much of a plan a checkpoint tells, in bytes.
const maxApproach = 300

// approach is the plan in a line: the todos in their order, or what was said of the list.
func (p *progress) approach() string {
	if len(p.names) == 0 {
		return p.about
	}
	return shortened(strings.Join(p.names, "; "), maxApproach)
}

// before is the phase that ends with an operation that is about to be recorded, "" for none.
func (p *progress) before(o *Operation) string {
	if o.Action == ActDone && p.toExecute {
		return phaseExecution
	}
	return ""
}

// after is the phase that an operation ends which was seen a moment ago, "" for none. Tests that are
// run again and again end one verification between two ACTs.
func (p *progress) after(o *Operation) string {
	isOver := o.Details.ExitCode != nil || o.Status == Completed || o.Status == Failed
	switch {
	case o.Action == TodoWrite && !p.planned && p.count() >= leastPlan:
		return phasePlanning
	case o.Action == Bash && isOver && !p.verifiedSinceAct && (p.toVerify || !p.verified):
		return phaseVerification
	}
	return ""
}

// mayEnd reports whether an operation may end a phase of this session.
func (l *Live) mayEnd(o *Operation) bool {
	switch o.Action {
	case TodoWrite:
		return l.WantsCheckpoint(phasePlanning)
	case Bash:
		return l.WantsCheckpoint(phaseVerification)
	case ActDone:
		return l.WantsCheckpoint(phaseExecution)
	}
	return false
}

// withCheckpoints puts the checkpoints that are due among operations that are about to be recorded.
func (l *Live) withCheckpoints(before, add []Operation) []Operation {
	var p progress
	for i := range before {
		p.follow(&before[i])
	}
	var all []Operation
	due := func(phase, at string) {
		if phase != "" && l.WantsCheckpoint(phase) {
			c := NewCheckpoint(at, phase)
			p.follow(&c)
			all = append(all, c)
		}
	}
	for _, o := range add {
		due(p.before(&o), o.Time)
		p.follow(&o)
		all = append(all, o)
		due(p.after(&o), o.Time)
	}
	return all
}

// Checkpoint sums up what was done since the last one of its phase, or since the planning.
type Checkpoint struct {
	Session string `json:"session_id"`
	Number  int    `json:"checkpoint"`
	Phase   string `json:"phase"`
	Time    string `json:"timestamp"`
	Tier    string `json:"tier"`
	// Todos counts those of the list up to then, and Approach is what they say.
	Todos    int    `json:"todos"`
	Approach string `json:"approach"`
	// Verifications are those of changes of status, of the whole session up to then.
	Verifications `yaml:",inline"`
	work          `yaml:",inline"`
	// Deviations are the files outside of the unit's paths, and the items that its ACT leaves open.
	Deviations []string `json:"deviations"`
}

// work is what was done in a phase.
type work struct {
	// Operations counts the entries, verifications left out: those are Acta's.
	Operations int       `json:"operations"`
	Files      []string  `json:"files"`
	Tests      []TestRun `json:"tests"`
}

// TestRun is a command that ran tests, and how it ended; ExitCode is nil where nobody said, and Summary is "" where
// it told no counts.
type TestRun struct {
	Command  string `json:"command"`
	Status   Status `json:"status"`
	ExitCode *int   `json:"exit_code"`
	Summary  string `json:"summary,omitempty"`
}

// checkpoints are those of the session. An execution and a verification look back each to their own last one: neither
// takes from the other what it sums up.
func (s *Session) checkpoints() []Checkpoint {
	var all []Checkpoint
	var p progress
	var verified Verifications
	since := map[string]*work{}
	for _, phase := range Phases() {
		since[phase] = &work{}
	}
	for i := range s.Entries {
		e := &s.Entries[i]
		p.follow(e)
		switch e.Action {
		case Check:
			all = append(all, Checkpoint{
				Session: s.ID, Number: len(all) + 1, Phase: e.Details.Phase, Time: e.Time, Tier: s.Tier, Todos: p.count(),
				Approach: p.approach(), Verifications: verified, work: since[e.Details.Phase].summed(),
				Deviations: append([]string{}, e.Details.Deviations...),
			})
			for _, phase := range Phases() {
				if phase == e.Details.Phase || e.Details.Phase == phasePlanning {
					since[phase] = &work{}
				}
			}
		case Verify:
			verified.add(e)
		default:
			for _, w := range since {
				w.add(e)
			}
		}
	}
	return all
}

func (w *work) add(e *Operation) {
	w.Operations++
	w.Files = append(w.Files, e.Details.Files...)
	if e.Action == Bash {
		w.Tests = append(w.Tests, TestRun{e.Command(), e.Status, e.Details.ExitCode, e.Details.Summary})
	}
}

// summed is the work with each file once. A phase that nobody knows has none.
func (w *work) summed() work {
	if w == nil {
		w = &work{}
	}
	files := append([]string{}, w.Files...)
	slices.Sort(files)
	return work{w.Operations, slices.Compact(files), append([]TestRun{}, w.Tests...)}
}

// numberCheckpoints gives the checkpoints of a session their numbers, and what they count.
func (s *Session) numberCheckpoints() {
	all := s.checkpoints()
	for i := range s.Entries {
		d := &s.Entries[i].Details
		if s.Entries[i].Action != Check {
			continue
		}
		c := all[0]
		all = all[1:]
		files := len(c.Files)
		d.Checkpoint, d.Since, d.Modified = c.Number, &c.Operations, &files
		switch c.Phase {
		case phasePlanning:
			d.Tier, d.PlanTodos, d.Approach = c.Tier, &c.Todos, c.Approach
		case phaseVerification:
			d.Passed, d.Failed, d.Skipped = &c.Passed, &c.Failed, &c.Skipped
		}
	}
}
