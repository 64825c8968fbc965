// Package worklog keeps sessions: what was done in them, by whom, and whether it was checked. Operations go in through
// a Recorder; a session's document, its summary and its refs come out. It fails open: a caller that cannot write warns,
// and the work goes on.
//
// A session is a log of package journal in the local state. Batches of it go to refs/worklog/<session_id>, which can be
// pushed. A summary of an ended session stays in refs/worklog-summary/<session_id> for the days that the policy names.
// Sessions that were not recorded are rebuilt from ACT and ADAPT commits. The package must never import hooks, the
// packages below hooks, or a command.
package worklog

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

const version = "1.0"

// Session is the worklog of one session: its operations in order. Its JSON and its YAML are docs/schema/worklog.json.
type Session struct {
	Version string `json:"version"`
	// ID is what NewSessionID returns.
	ID   string `json:"session_id"`
	Task string `json:"task_description"`
	Tier string `json:"tier"`
	// Started and Completed are times as FormatTime writes them; Completed is nil while the session runs.
	Started   string      `json:"started_at"`
	Completed *string     `json:"completed_at"`
	Outcome   Outcome     `json:"outcome"`
	Entries   []Operation `json:"entries"`
	Summary   Summary     `json:"summary"`

	isSummary bool // only the summary is left, without entries
}

// Outcome is how a session ended.
type Outcome string

// The outcomes. Running: the session has not ended.
const (
	Success Outcome = "success"
	Failure Outcome = "failure"
	Aborted Outcome = "aborted"
	Running Outcome = "in_progress"
)

// Outcomes are those of ended sessions.
func Outcomes() []Outcome { return []Outcome{Success, Failure, Aborted} }

// Action is the kind of an operation. TodoWrite to Task are agents' tools, the others are Acta's own.
type Action string

// The actions.
const (
	TodoWrite Action = "TodoWrite"
	Edit      Action = "Edit"
	Write     Action = "Write"
	Bash      Action = "Bash"
	Task      Action = "Task"
	Check     Action = "Checkpoint"
	Verify    Action = "Verify"
	ActDone   Action = "Act"
	AdaptDone Action = "Adapt"
)

// Actions are all there are.
func Actions() []Action {
	return []Action{TodoWrite, Edit, Write, Bash, Task, Check, Verify, ActDone, AdaptDone}
}

// Status is the state of an operation.
type Status string

// The statuses.
const (
	Initiated Status = "initiated"
	Completed Status = "completed"
	Failed    Status = "failed"
	Retried   Status = "retried"
	Skipped   Status = "skipped"
)

// Statuses are all there are.
func Statuses() []Status { return []Status{Initiated, Completed, Failed, Retried, Skipped} }

// Operation is an entry of a session.
type Operation struct {
	// Time is as FormatTime writes it.
	Time   string `json:"timestamp"`
	Action Action `json:"action"`
	Status Status `json:"status"`
	// Context is a short description; for Bash the command, possibly truncated: see Command.
	Context string  `json:"context"`
	Details Details `json:"details"`
	// Tokens estimates how much the agent had to write because of Acta, as bytes/4.
	Tokens int `json:"tokens_consumed"`
}

// Details are those of an action; fields that do not apply are left out.
type Details struct {
	Files         []string       `json:"files,omitempty"`
	Todos         *int           `json:"todos_affected,omitempty"`
	StatusChanges []StatusChange `json:"status_changes,omitempty"`
	ExitCode      *int           `json:"exit_code,omitempty"`
	// Command is the whole command of a Bash operation, if the context truncates it. Summary counts the tests of its
	// output: «12 passed, 1 failed».
	Command string `json:"command,omitempty"`
	Summary string `json:"summary,omitempty"`
	// Folder, Reports, Tree and Tracked are set by `acta run`. Folder is where it ran, relative to the top, "." for the
	// top. Reports are the files of test results that the run wrote; Summary then comes from them. Tree is the work
	// tree at the start, without ignored files; Tracked the same without untracked files, "" if it is equal.
	Folder    string        `json:"folder,omitempty"`
	Reports   []string      `json:"reports,omitempty"`
	Tree      string        `json:"tree,omitempty"`
	Tracked   string        `json:"tracked_tree,omitempty"`
	Proof     *report.Proof `json:"proof,omitempty"`
	AgentType string        `json:"agent_type,omitempty"`
	// Verification is pass, fail or timeout. Attempt is 2 for a second reading, else 0.
	Verification string `json:"verification_result,omitempty"`
	Attempt      int    `json:"attempt,omitempty"`
	// Phase and Checkpoint belong to a checkpoint, whose file is checkpoints/<Checkpoint>.yaml; Since counts the
	// operations since the one before, Modified the files that they changed; Deviations are departures from the plan.
	Phase      string   `json:"phase,omitempty"`
	Checkpoint int      `json:"checkpoint,omitempty"`
	Since      *int     `json:"operations_since_last,omitempty"`
	Modified   *int     `json:"files_modified,omitempty"`
	Deviations []string `json:"deviations,omitempty"`
	// Tier, PlanTodos and Approach are set when planning ends, the counts of verifications when a verification ends.
	Tier      string `json:"tier,omitempty"`
	PlanTodos *int   `json:"todos,omitempty"`
	Approach  string `json:"approach,omitempty"`
	Passed    *int   `json:"passed,omitempty"`
	Failed    *int   `json:"failed,omitempty"`
	Skipped   *int   `json:"skipped,omitempty"`
	// Result is the whole result of the tool, secrets masked, in a verbose session.
	Result string `json:"result,omitempty"`
	// The rest belongs to ACT and ADAPT commits. Commit is a full id.
	Commit  string         `json:"commit,omitempty"`
	Unit    string         `json:"unit,omitempty"`
	Actor   string         `json:"actor,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	Outcome string         `json:"outcome,omitempty"`
	Claims  []ClaimOutcome `json:"claims,omitempty"`
}

// StatusChange is the change of one todo.
type StatusChange struct {
	Todo string `json:"todo"`
	From string `json:"from"`
	To   string `json:"to"`
}

// ClaimOutcome is one item of an ACT, and its verdict.
type ClaimOutcome struct {
	Item          string `json:"item"`
	Verdict       string `json:"verdict"`
	Contradiction bool   `json:"contradiction,omitempty"`
}

// Summary is the totals of a session.
type Summary struct {
	// Operations counts the entries without Acta's own checkpoints and verifications.
	Operations int `json:"total_operations"`
	// Files counts the distinct files of all entries.
	Files int `json:"files_modified"`
	// Todos counts the todos that changed to completed, and the distinct units that ADAPTs completed.
	Todos         int           `json:"todos_completed"`
	Verifications Verifications `json:"verification_results"`
	Checkpoints   int           `json:"checkpoints_generated"`
	// Proofs adds up the results of acta prove; nil for none.
	Proofs *Proofs `json:"proofs,omitempty"`
	Tokens int     `json:"total_tokens"`
	// Model is the session's model tokens; nil if they are not known.
	Model *ModelTokens `json:"model_tokens,omitempty"`
	// Seconds is the time from start to end, or to the last entry of a running session.
	Seconds int `json:"duration_seconds"`
}

// Proofs counts the functions that proofs tested, and those whose change the tests noticed.
type Proofs struct {
	Noticed int `json:"noticed"`
	Total   int `json:"asked"`
}

// Verifications counts the Verify entries by result. Of two readings only the second counts.
type Verifications struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
}

// FormatTime formats a time of a document: RFC 3339 in UTC, to the second.
func FormatTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

const idTime = "20060102_150405"

// NewSessionID is an id for a session: the time in UTC as YYYYMMDD_HHMMSS, and four random hex digits to tell sessions
// of one second apart.
func NewSessionID(at time.Time) string {
	var b [2]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return at.UTC().Format(idTime) + "-" + hex.EncodeToString(b[:])
}

// IsSessionID reports whether a text has the form of NewSessionID.
func IsSessionID(id string) bool {
	at, tail, ok := strings.Cut(id, "-")
	if !ok || len(at) != len(idTime) || len(tail) != 4 || strings.Trim(tail, "0123456789abcdef") != "" {
		return false
	}
	_, err := time.Parse(idTime, at)
	return err == nil
}

func (s *Session) sumUp() {
	sum, files, last := Summary{Model: s.Summary.Model}, []string{}, s.Started
	units := map[string]bool{} // completed ones; an amended ADAPT occurs twice
	for i := range s.Entries {
		e := &s.Entries[i]
		if s.Tier == policy.Exempt.String() {
			e.Tokens = 0 // this tier costs nothing
		}
		sum.Tokens += e.Tokens
		last = max(last, e.Time) // the format sorts by time
		switch e.Action {
		case Check:
			sum.Checkpoints++
			continue
		case Verify:
			sum.Verifications.add(e)
			continue
		}
		if p := e.Details.Proof; p != nil {
			if sum.Proofs == nil {
				sum.Proofs = &Proofs{}
			}
			sum.Proofs.Noticed, sum.Proofs.Total = sum.Proofs.Noticed+p.Noticed, sum.Proofs.Total+p.Tried
		}
		sum.Operations++
		files = append(files, e.Details.Files...)
		for _, c := range e.Details.StatusChanges {
			switch {
			case e.Action == AdaptDone && c.To == plan.Complete:
				units[c.Todo] = true
			case c.To == string(Completed):
				sum.Todos++
			}
		}
	}
	sum.Todos += len(units)
	slices.Sort(files)
	sum.Files = len(slices.Compact(files))
	if s.Completed != nil {
		last = *s.Completed
	}
	sum.Seconds = seconds(s.Started, last)
	s.Summary = sum
}

func (v *Verifications) add(e *Operation) {
	if e.Details.Attempt > 1 && v.Failed > 0 {
		v.Failed-- // the first reading
	}
	switch {
	case e.Status == Skipped:
		v.Skipped++
	case e.Status == Failed || e.Details.Verification == "fail":
		v.Failed++
	default:
		v.Passed++
	}
}

func seconds(from, to string) int {
	a, errA := time.Parse(time.RFC3339, from)
	b, errB := time.Parse(time.RFC3339, to)
	if errA != nil || errB != nil || b.Before(a) {
		return 0
	}
	return int(b.Sub(a) / time.Second)
}

// ModelTokens are the tokens of a session's model as the agent's host counts them: the cost of the whole work, of which
// Summary.Tokens estimates Acta's part.
type ModelTokens struct {
	// Input is everything sent, cached tokens included.
	Input  int `json:"input"`
	Output int `json:"output"`
}

// AddTokens adds to the tokens of the session.
func (l *LocalSession) AddTokens(ctx context.Context, n ModelTokens) error {
	if n == (ModelTokens{}) {
		return nil
	}
	return l.changeBeginning(ctx, func(b *Beginning) {
		if before := b.Tokens; before != nil {
			n.Input, n.Output = n.Input+before.Input, n.Output+before.Output
		}
		b.Tokens = &n
	})
}

// Limits of an entry, in tokens, as the worklog was specified. An ACT costs as much as its report.
const (
	entryTokens        = 30
	verificationTokens = 75
	bytesPerToken      = 4
)

// shorten truncates the context to an entry's limit. A command also stays whole: claims are checked against it.
func (e *Operation) shorten() {
	if short := truncate(e.Context, entryTokens*bytesPerToken); short != e.Context {
		if e.Action == Bash {
			e.Details.Command = e.Context
		}
		e.Context = short
	}
	e.Tokens = min(e.Tokens, entryTokens)
}

// Command is the command of a Bash operation.
func (e *Operation) Command() string { return cmp.Or(e.Details.Command, e.Context) }

func truncate(text string, most int) string {
	const more = "…"
	if len(text) <= most {
		return text
	}
	return cutRunes(text, most-len(more)) + more
}

// cutRunes is the beginning of a text, of at most so many bytes and of whole characters.
func cutRunes(text string, most int) string {
	end := min(most, len(text))
	for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// Tokens estimates the tokens of so many bytes, rounded up.
func Tokens(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }
