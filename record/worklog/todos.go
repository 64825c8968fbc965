package worklog

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/report"
)

type discrepancy struct {
	intended Todo
	// actual is nil if the todo is missing.
	actual *Todo
}

func (d discrepancy) String() string {
	is := "it is missing"
	switch {
	case d.actual == nil:
	case TodoStatus(d.intended.Status) == "deleted":
		is = "it is still there, " + d.actual.Status
	default:
		is = "it is " + d.actual.Status
	}
	if d.intended.Status == "" {
		return d.intended.name() + ": " + is
	}
	return fmt.Sprintf("%s: %s was intended, and %s", d.intended.name(), d.intended.Status, is)
}

const nameless = "a todo without text"

func (t Todo) name() string {
	content := report.OneLine(report.Brief(t.Content, 80))
	switch {
	case content == "" && t.ID == "":
		return nameless
	case content == "":
		return "todo " + report.OneLine(t.ID)
	case t.ID == "":
		return "«" + content + "»"
	}
	return fmt.Sprintf("«%s» (%s)", content, report.OneLine(t.ID))
}

// TodoStatus is a normalized status: hosts write in-progress, In Progress, done.
func TodoStatus(text string) string {
	s := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(text)))
	switch s {
	case "inprogress":
		return "in_progress"
	case "done", "complete":
		return "completed"
	case "removed":
		return "deleted"
	case "canceled":
		return "cancelled"
	}
	return s
}

func contentOf(t Todo) string { return strings.ToLower(strings.Join(strings.Fields(t.Content), " ")) }

// compareTodos matches todos by id if the other list knows it, else by text. Additional todos are ignored.
func compareTodos(intended, actual []Todo) []discrepancy {
	taken := make([]bool, len(actual))
	take := func(t Todo, alike func(Todo) bool) int {
		isKnown := t.ID != "" && slices.ContainsFunc(actual, func(o Todo) bool { return o.ID == t.ID })
		for i, o := range actual {
			same := contentOf(t) != "" && contentOf(o) == contentOf(t)
			if isKnown {
				same = o.ID == t.ID
			}
			if same && !taken[i] && alike(o) {
				taken[i] = true
				return i
			}
		}
		return -1
	}
	// Exact matches first: two todos may have the same text.
	var unmatched []Todo
	for _, t := range intended {
		isSame := func(o Todo) bool { return t.Status == "" || TodoStatus(o.Status) == TodoStatus(t.Status) }
		if take(t, isSame) < 0 && t.name() != nameless {
			unmatched = append(unmatched, t)
		}
	}
	var discrepancies []discrepancy
	for _, t := range unmatched {
		switch i := take(t, func(Todo) bool { return true }); {
		case i >= 0:
			discrepancies = append(discrepancies, discrepancy{t, &actual[i]})
		case TodoStatus(t.Status) != "deleted":
			discrepancies = append(discrepancies, discrepancy{intended: t})
		}
	}
	return discrepancies
}

const maxNamed = 10

func joinDiscrepancies(wrong []discrepancy) string {
	texts := report.Map(wrong[:min(len(wrong), maxNamed)], discrepancy.String)
	if n := len(wrong) - maxNamed; n > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(texts, "; ")
}

func (c *TodoChange) escalation(wrong []discrepancy) string {
	var b strings.Builder
	fmt.Fprintf(&b, "acta: todos: %d of %d are not as intended, after a second reading as well\n",
		len(wrong), len(c.Intended))
	const remedy = "write the list again and read what it answers; until it agrees, report none of these as done, and " +
		"tell the person"
	left := verificationTokens*bytesPerToken - b.Len() - len(remedy) - len("    and 99 more\n\n")
	for i, d := range wrong {
		line := "    " + d.String() + "\n"
		if i > 0 && len(line) > left {
			fmt.Fprintf(&b, "    and %d more\n", len(wrong)-i)
			break
		}
		line = truncate(strings.TrimSuffix(line, "\n"), max(left-1, 30)) + "\n"
		b.WriteString(line)
		left -= len(line)
	}
	b.WriteString(remedy + "\n")
	return b.String()
}

// Todo is one entry of an agent's list.
type Todo struct {
	// ID is "" if the host gives none.
	ID      string
	Content string
	// Status is pending, in_progress, completed, deleted …; "" if the change does not set it.
	Status string
}

// TodoChange is a change of a todo list, and the way to read its effect.
type TodoChange struct {
	Intended []Todo
	// StatusChanges are those that the change made, if they are known.
	StatusChanges []StatusChange
	Reader        TodoReader
}

// TodoReader reads a todo list. Attempt 1 reads the tool's response, else the host's store; attempt 2 the store, else
// the response. ok is false if nothing can be read.
type TodoReader interface {
	ReadTodos(attempt int) (todos []Todo, ok bool)
}

// backOff is the time between the readings: a host may write its store after its answer.
const backOff = 100 * time.Millisecond

// VerifyTodos compares the intended todos with the actual ones. In a STRICT session each reading adds a Verify entry,
// and a mismatch is read once more before it is escalated, in a message for person and agent; other sessions verify
// nothing. A mismatch is escalated even if it cannot be recorded. An error means that nothing was recorded.
func (r *Recorder) VerifyTodos(
	ctx context.Context, now time.Time, change TodoChange,
) (escalation string, warnings []string, err error) {
	tier, _ := policy.ParseTier(r.Tier)
	if tier != policy.Strict || r.switches().SkipVerify || len(change.Intended) == 0 || change.Reader == nil {
		return "", nil, nil
	}
	entry, wrong := change.verify(now, 1)
	readings := []Operation{entry}
	if len(wrong) > 0 {
		time.Sleep(backOff)
		if entry, wrong = change.verify(now, 2); len(wrong) > 0 {
			escalation = change.escalation(wrong)
			entry.Tokens = Tokens(len(escalation))
		}
		readings = append(readings, entry)
	}
	warnings, err = r.Record(ctx, now, readings...)
	return escalation, warnings, err
}

// verify reads once. It returns the Verify entry (see docs/worklog.md) and the discrepancies.
func (c *TodoChange) verify(now time.Time, attempt int) (e Operation, wrong []discrepancy) {
	actual, ok := c.Reader.ReadTodos(attempt)
	compared, about := len(c.Intended), "todos"
	e = Operation{
		Time: FormatTime(now), Action: Verify, Status: Completed,
		Details: Details{Todos: &compared, StatusChanges: c.StatusChanges, Verification: "pass"},
	}
	if attempt > 1 {
		about += ", read again"
		e.Status, e.Details.Attempt = Retried, attempt
	}
	if !ok {
		e.Status, e.Details.Verification = Skipped, "timeout"
		e.Context = about + ": not verified, nothing could be read"
		return e, nil
	}
	e.Context = fmt.Sprintf("%s: all %d are as intended", about, compared)
	if wrong = compareTodos(c.Intended, actual); len(wrong) > 0 {
		e.Status, e.Details.Verification = Failed, "fail"
		e.Context = fmt.Sprintf("%s: %d of %d are not as intended: %s", about, len(wrong), compared, joinDiscrepancies(wrong))
	}
	return e, wrong
}

// deviations sets the deviations of new checkpoints, for the unit in work; without one there are none. act is the ACT
// to be recorded, nil for none.
func (r *Recorder) deviations(ctx context.Context, now time.Time, before, add []Operation, act *judge.LandedPart) {
	if r.Repo == nil || !slices.ContainsFunc(add, func(o Operation) bool { return o.Action == Check }) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, planLimit)
	defer cancel()
	planPath, root, err := snapshot.Head(r.Repo).Plan(ctx)
	if err != nil || root == nil {
		return // the checkpoint is useful without them
	}
	x := plan.NewIndex(root)
	var unit *plan.Node
	if act != nil {
		unit = x.Find(act.Part.Unit.Value)
	} else {
		unit, _ = CurrentUnit(x, filepath.Dir(filepath.Dir(r.dir)), r.Actor, now)
	}
	if unit == nil {
		return
	}
	all := slices.Concat(before, add)
	for i := range add {
		if add[i].Action == Check {
			since := slices.DeleteFunc(editedFiles(all[:len(before)+i], Check), func(f string) bool { return f == planPath })
			add[i].Details.Deviations = outsideFiles(unit, since)
			if act != nil && add[i].Details.Phase == phaseExecution {
				add[i].Details.Deviations = append(add[i].Details.Deviations, openItems(unit, act.Verdicts)...)
			}
		}
	}
}

func outsideFiles(unit *plan.Node, files []string) (all []string) {
	scope := unit.Scope()
	for _, file := range files {
		if len(scope) > 0 && plan.InScope(scope, file) == "" {
			all = append(all, fmt.Sprintf("%s: outside of the paths of %s", file, unit.Key))
		}
	}
	return all
}

func openItems(unit *plan.Node, reported []report.ClaimVerdict) (all []string) {
	for _, v := range reported {
		if v.Status != string(parser.Done) && v.Status != rules.StatusRan {
			all = append(all, fmt.Sprintf("%s: «%s»: %s", unit.Key, report.OneLine(v.Item), v.Status))
		}
	}
	return all
}

// planLimit bounds how long a checkpoint reads the plan: others may wait to add entries.
const planLimit = 500 * time.Millisecond

// CurrentUnit is the one open task that an actor has leased, else the only one in progress that nobody else holds; nil
// if there is no single one.
func CurrentUnit(x *plan.Index, commonDir, actor string, now time.Time) (*plan.Node, error) {
	claims, err := lease.Read(commonDir)
	if err != nil {
		return nil, err
	}
	var leased, inProgress []*plan.Node
	for _, n := range x.Nodes {
		if !n.IsTask() || n.Status == plan.Complete {
			continue
		}
		held := claims.Holder(n.Key, now)
		if held != nil && actor != "" && held.Agent == actor && held.Unit == n.Key {
			leased = append(leased, n)
		}
		if n.Status == plan.InProgress && (held == nil || actor == "" || held.Agent == actor) {
			inProgress = append(inProgress, n)
		}
	}
	if len(leased) == 0 {
		leased = inProgress
	}
	if len(leased) != 1 {
		return nil, nil
	}
	return leased[0], nil
}

// editedFiles are the files edited since the last entry of an action, sorted, without duplicates.
func editedFiles(entries []Operation, since Action) []string {
	var files []string
	for i := len(entries) - 1; i >= 0 && entries[i].Action != since; i-- {
		if isEdit(&entries[i]) {
			files = append(files, entries[i].Details.Files...)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}
