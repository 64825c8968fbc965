package worklog

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// version is the version of the session document, docs/schema/worklog.json.
const version = "1.0"

// Session is the worklog of one session: what was done in it, in the order in
// which it was done. Its JSON and its YAML are docs/schema/worklog.json.
type Session struct {
	Version string `json:"version"`
	// ID is what NewSessionID returns.
	ID   string `json:"session_id"`
	Task string `json:"task_description"`
	// Tier is STRICT, STANDARD, LIGHT or EXEMPT.
	Tier string `json:"tier"`
	// Started and Completed are points in time as Stamp writes them; Completed is nil while the session runs.
	Started   string      `json:"started_at"`
	Completed *string     `json:"completed_at"`
	Outcome   Outcome     `json:"outcome"`
	Entries   []Operation `json:"entries"`
	Summary   Summary     `json:"summary"`

	isSummary bool // the summary tells of entries that are gone
}

// Outcome is how a session ended.
type Outcome string

// The outcomes. Running is that of a session that has not ended.
const (
	Success Outcome = "success"
	Failure Outcome = "failure"
	Aborted Outcome = "aborted"
	Running Outcome = "in_progress"
)

// Outcomes are those that a session can end with.
func Outcomes() []Outcome { return []Outcome{Success, Failure, Aborted} }

// Action is what kind of operation was done. TodoWrite to Task are the names of
// agents' tools, the others are Acta's own.
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

// Status is what became of an operation.
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
	// Time is when, as Stamp writes it.
	Time   string `json:"timestamp"`
	Action Action `json:"action"`
	Status Status `json:"status"`
	// Context is a short description; of a Bash operation the command, as far as it is short: see Command.
	Context string  `json:"context"`
	Details Details `json:"details"`
	// Tokens estimates what the agent had to write because of Acta, as bytes/4.
	Tokens int `json:"tokens_consumed"`
}

// Details is what an action leaves to say. What does not apply is left out.
type Details struct {
	Files         []string       `json:"files,omitempty"`
	Todos         *int           `json:"todos_affected,omitempty"`
	StatusChanges []StatusChange `json:"status_changes,omitempty"`
	ExitCode      *int           `json:"exit_code,omitempty"`
	// Command is that of a Bash operation, whole, where the context has it cut. Summary is what a test run's output
	// told: «12 passed, 1 failed».
	Command string `json:"command,omitempty"`
	Summary string `json:"summary,omitempty"`
	// Folder, Reports, Tree and Tracked are said of what `acta run` ran. Folder is where it ran, from the top of the
	// repository, "." for that itself. Reports are the files of test results that it left, which Summary is of then. Tree
	// names the work tree when it began, without what git ignores; Tracked the same without what git did not track, ""
	// where that is no other.
	Folder  string   `json:"folder,omitempty"`
	Reports []string `json:"reports,omitempty"`
	Tree    string   `json:"tree,omitempty"`
	Tracked string   `json:"tracked_tree,omitempty"`
	// Proof is what acta prove found out.
	Proof *report.Proof `json:"proof,omitempty"`
	// AgentType is the kind of a sub-agent.
	AgentType string `json:"agent_type,omitempty"`
	// Verification is pass, fail or timeout. Attempt is 2 where it is that of a second reading, else 0.
	Verification string `json:"verification_result,omitempty"`
	Attempt      int    `json:"attempt,omitempty"`
	// Phase and Checkpoint are those of a checkpoint, whose file is checkpoints/<Checkpoint>.yaml;
	// Since counts the operations since the one before and Modified the files that they
	// changed, and Deviations are what there was other than planned.
	Phase      string   `json:"phase,omitempty"`
	Checkpoint int      `json:"checkpoint,omitempty"`
	Since      *int     `json:"operations_since_last,omitempty"`
	Modified   *int     `json:"files_modified,omitempty"`
	Deviations []string `json:"deviations,omitempty"`
	// Tier, PlanTodos and Approach are said at the end of the planning, the counts of verifications at that of a
	// verification.
	Tier      string `json:"tier,omitempty"`
	PlanTodos *int   `json:"todos,omitempty"`
	Approach  string `json:"approach,omitempty"`
	Passed    *int   `json:"passed,omitempty"`
	Failed    *int   `json:"failed,omitempty"`
	Skipped   *int   `json:"skipped,omitempty"`
	// Result is the whole result of the tool, secrets masked, where the session is verbose.
	Result string `json:"result,omitempty"`
	// What follows is said of ACT and ADAPT commits. Commit is a full id.
	Commit  string         `json:"commit,omitempty"`
	Unit    string         `json:"unit,omitempty"`
	Actor   string         `json:"actor,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	Outcome string         `json:"outcome,omitempty"`
	Claims  []ClaimOutcome `json:"claims,omitempty"`
}

// StatusChange is what became of one todo.
type StatusChange struct {
	Todo string `json:"todo"`
	From string `json:"from"`
	To   string `json:"to"`
}

// ClaimOutcome is one item that an ACT reports, and its verdict.
type ClaimOutcome struct {
	Item          string `json:"item"`
	Verdict       string `json:"verdict"`
	Contradiction bool   `json:"contradiction,omitempty"`
}

// Summary adds up a session.
type Summary struct {
	// Operations counts the entries, checkpoints and verifications left out: those are Acta's.
	Operations int `json:"total_operations"`
	// Files counts the files of all entries, each once.
	Files int `json:"files_modified"`
	// Todos counts the changes of a todo to completed, and the units that ADAPTs moved to complete, each once.
	Todos         int           `json:"todos_completed"`
	Verifications Verifications `json:"verification_results"`
	Checkpoints   int           `json:"checkpoints_generated"`
	// Proofs adds up those of acta prove; nil without one.
	Proofs *Proofs `json:"proofs,omitempty"`
	Tokens int     `json:"total_tokens"`
	// Model is what the session's model was sent and answered; nil where nobody knows.
	Model *ModelTokens `json:"model_tokens,omitempty"`
	// Seconds is from the start to the end; of a running session to its last entry.
	Seconds int `json:"duration_seconds"`
}

// Proofs counts the functions that proofs asked about, and those of them that were noticed.
type Proofs struct {
	Noticed int `json:"noticed"`
	Asked   int `json:"asked"`
}

// Verifications counts the Verify entries by result. What was read once more counts by its second reading alone.
type Verifications struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
}

// FormatTime is how a document writes a point in time: RFC 3339 in UTC, to the second.
func FormatTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// idTime is the part of a session's id that says when it began.
const idTime = "20060102_150405"

// NewSessionID is the id of a session that begins at a time: the time in UTC as
// YYYYMMDD_HHMMSS, and four hex digits at random, so that sessions that begin in
// the same second differ.
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

// addUp fills in the summary.
func (s *Session) addUp() {
	sum, files, last := Summary{Model: s.Summary.Model}, []string{}, s.Started
	units := map[string]bool{} // that are complete; an ADAPT that was amended is there twice
	for i := range s.Entries {
		e := &s.Entries[i]
		if s.Tier == policy.Exempt.String() {
			e.Tokens = 0 // the tier that costs nothing; what its commits say was asked for by another
		}
		sum.Tokens += e.Tokens
		last = max(last, e.Time) // of one form, so that their order is that of the times
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
			sum.Proofs.Noticed, sum.Proofs.Asked = sum.Proofs.Noticed+p.Noticed, sum.Proofs.Asked+p.Tried
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

// seconds is the time between two stamps; 0 where one of them is none.
func seconds(from, to string) int {
	a, errA := time.Parse(time.RFC3339, from)
	b, errB := time.Parse(time.RFC3339, to)
	if errA != nil || errB != nil || b.Before(a) {
		return 0
	}
	return int(b.Sub(a) / time.Second)
}

// ModelTokens are what a session's model was sent and answered, in tokens, as the agent's host counts them: what the
// work has cost, of which Summary.Tokens estimates the part that is Acta's.
type ModelTokens struct {
	// Input is all that was sent, what the model had in its cache included.
	Input  int `json:"input"`
	Output int `json:"output"`
}

// UseTokens adds to the tokens of the session. How it began is not written over where it cannot be read: somebody may
// mend it.
func (l *Live) UseTokens(ctx context.Context, n ModelTokens) (err error) {
	if l.lost != nil || n == (ModelTokens{}) {
		return nil
	}
	unlock, err := lockBeginnings(ctx, l.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if before := l.Used; before != nil {
		n.Input, n.Output = n.Input+before.Input, n.Output+before.Output
	}
	l.Used = &n
	return l.writeBeginning()
}

// What an entry may cost, in tokens: the limits that the worklog was specified with. An ACT costs what its report does.
const (
	entryTokens        = 30
	verificationTokens = 75
	bytesPerToken      = 4
)

// shorten cuts the context to what an entry may cost. A command stays whole beside it: claims are held against it.
func (e *Operation) shorten() {
	if short := shortened(e.Context, entryTokens*bytesPerToken); short != e.Context {
		if e.Action == Bash {
			e.Details.Command = e.Context
		}
		e.Context = short
	}
	e.Tokens = min(e.Tokens, entryTokens)
}

// Command is the command of a Bash operation.
func (e *Operation) Command() string { return cmp.Or(e.Details.Command, e.Context) }

// shortened is a text of at most so many bytes, which says that it was longer.
func shortened(text string, most int) string {
	const more = "…"
	if len(text) <= most {
		return text
	}
	end := most - len(more)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + more
}

// Tokens estimates how many tokens so many bytes are, rounded up.
func Tokens(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }
