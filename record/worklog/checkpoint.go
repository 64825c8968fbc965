package worklog

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/judge/policy"
)

// The phases that end with a checkpoint.
const (
	phasePlanning     = "planning"     // there is a todo list of three or more
	phaseExecution    = "execution"    // after the last edit before an ACT
	phaseVerification = "verification" // a test run has ended
)

// Phases are those that end with a checkpoint.
func Phases() []string { return []string{phasePlanning, phaseExecution, phaseVerification} }

// WantsCheckpoint reports whether a session of this tier has checkpoints of a phase: STRICT has all three, STANDARD
// only that of the execution.
func (l *LocalSession) WantsCheckpoint(phase string) bool {
	tier, _ := policy.ParseTier(l.Tier)
	return tier == policy.Strict || tier == policy.Standard && phase == phaseExecution
}

// NewCheckpoint is the entry of a checkpoint.
func NewCheckpoint(at, phase string) Operation {
	return Operation{Time: at, Action: Check, Status: Completed, Context: phase + " is done",
		Details: Details{Phase: phase}}
}

const minPlanTodos = 3

type progress struct {
	todos    map[string]bool // found in status changes
	maxTodos int             // most todos in one change
	names    []string        // the todos in order
	context  string          // context of the last change of the list
	// The checkpoints so far: isVerifiedSinceAct: one of a verification since the last ACT.
	hasPlanning, hasExecution, hasVerification, isVerifiedSinceAct bool
	// An edit came after the last checkpoint of the execution, or of a verification.
	needsExecution, needsVerification bool
}

func (p *progress) follow(o *Operation) {
	switch o.Action {
	case TodoWrite:
		p.countTodos(o)
	case Edit, Write:
		if isEdit(o) {
			p.needsExecution, p.needsVerification = true, true
		}
	case ActDone:
		p.isVerifiedSinceAct = false
	case Check:
		switch o.Details.Phase {
		case phasePlanning:
			p.hasPlanning = true
		case phaseExecution:
			p.hasExecution, p.needsExecution = true, false
		case phaseVerification:
			p.hasVerification, p.isVerifiedSinceAct, p.needsVerification = true, true, false
		}
	}
}

func isEdit(o *Operation) bool {
	return (o.Action == Edit || o.Action == Write) && (o.Status == Completed || o.Status == Retried)
}

// countTodos counts todos: hosts write a whole list, or one todo at a time.
func (p *progress) countTodos(o *Operation) {
	if o.Status == Failed {
		return
	}
	p.context = o.Context
	if o.Details.Todos != nil {
		p.maxTodos = max(p.maxTodos, *o.Details.Todos)
	}
	for _, c := range o.Details.StatusChanges {
		if p.todos == nil {
			p.todos = map[string]bool{}
		}
		if TodoStatus(c.To) == "deleted" {
			delete(p.todos, c.Todo)
			p.names = slices.DeleteFunc(p.names, func(name string) bool { return name == c.Todo })
		} else if !p.todos[c.Todo] {
			p.todos[c.Todo] = true
			p.names = append(p.names, c.Todo)
		}
	}
}

func (p *progress) todoCount() int { return max(p.maxTodos, len(p.todos)) }

const maxApproach = 300

// approach is the plan in a line: the todos in order, or the context of the list.
func (p *progress) approach() string {
	if len(p.names) == 0 {
		return p.context
	}
	return truncate(strings.Join(p.names, "; "), maxApproach)
}

func (p *progress) phaseBefore(o *Operation) string {
	if o.Action == ActDone && p.needsExecution {
		return phaseExecution
	}
	return ""
}

// phaseAfter is the phase that ends with this operation, "" for none. Repeated test runs end one verification between
// two ACTs.
func (p *progress) phaseAfter(o *Operation) string {
	isOver := o.Details.ExitCode != nil || o.Status == Completed || o.Status == Failed
	switch {
	case o.Action == TodoWrite && !p.hasPlanning && p.todoCount() >= minPlanTodos:
		return phasePlanning
	case o.Action == Bash && isOver && !p.isVerifiedSinceAct && (p.needsVerification || !p.hasVerification):
		return phaseVerification
	}
	return ""
}

func (l *LocalSession) withCheckpoints(before, add []Operation) []Operation {
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
		due(p.phaseBefore(&o), o.Time)
		p.follow(&o)
		all = append(all, o)
		due(p.phaseAfter(&o), o.Time)
	}
	return all
}

// Checkpoint is the work since the last one of its phase, or since the planning.
type Checkpoint struct {
	Session string `json:"session_id"`
	Number  int    `json:"checkpoint"`
	Phase   string `json:"phase"`
	Time    string `json:"timestamp"`
	Tier    string `json:"tier"`
	// Todos counts those of the list up to then, Approach is their text.
	Todos    int    `json:"todos"`
	Approach string `json:"approach"`
	// Verifications are those of status changes in the whole session up to then.
	Verifications `yaml:",inline"`
	work          `yaml:",inline"`
	// Deviations are files outside the unit's paths, and items that its ACT leaves open.
	Deviations []string `json:"deviations"`
}

type work struct {
	// Operations counts the entries without Acta's own verifications.
	Operations int       `json:"operations"`
	Files      []string  `json:"files"`
	Tests      []TestRun `json:"tests"`
}

// TestRun is a command that ran tests; ExitCode is nil if it is not known, and Summary is "" without counts.
type TestRun struct {
	Command  string `json:"command"`
	Status   Status `json:"status"`
	ExitCode *int   `json:"exit_code"`
	Summary  string `json:"summary,omitempty"`
}

// numberCheckpoints returns the checkpoints of the session, and writes their numbers into its entries. Execution and
// verification each count from their own last checkpoint.
func (s *Session) numberCheckpoints() (all []Checkpoint) {
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
			c := Checkpoint{
				Session: s.ID, Number: len(all) + 1, Phase: e.Details.Phase, Time: e.Time, Tier: s.Tier, Todos: p.todoCount(),
				Approach: p.approach(), Verifications: verified, work: since[e.Details.Phase].unique(),
				Deviations: append([]string{}, e.Details.Deviations...),
			}
			all = append(all, c)
			e.Details.setNumbers(&c)
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

func (w *work) unique() work {
	if w == nil {
		w = &work{}
	}
	files := append([]string{}, w.Files...)
	slices.Sort(files)
	return work{w.Operations, slices.Compact(files), append([]TestRun{}, w.Tests...)}
}

func (d *Details) setNumbers(c *Checkpoint) {
	files := len(c.Files)
	d.Checkpoint, d.Since, d.Modified = c.Number, &c.Operations, &files
	switch c.Phase {
	case phasePlanning:
		d.Tier, d.PlanTodos, d.Approach = c.Tier, &c.Todos, c.Approach
	case phaseVerification:
		d.Passed, d.Failed, d.Skipped = &c.Passed, &c.Failed, &c.Skipped
	}
}
