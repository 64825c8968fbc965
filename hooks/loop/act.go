package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/journal"
)

// act lets the executor work on the unit and commits its work with its report. An invalid reply, or a refused commit,
// is handed back once; the second one makes an empty ACT with outcome failure, and the executor's changes stay in the
// work tree.
func (w *run) act(ctx context.Context, t *turn) error {
	request := map[string]any{"unit": t.unit.Unit, "key": t.unit.Key, "tree": t.Plan}
	err := w.consult(ctx, t, executor, w.Executor, request, func(reply []byte) error { return w.commitAct(ctx, t, reply) })
	if !isUnusable(err) {
		return err
	}
	if acted, err := w.hasOwnAct(ctx, t); acted || err != nil {
		return err
	}
	text := failedMessage(t.unit, w.Caller)
	id, errCommit := w.commitAlone(ctx, t, text, nil)
	if errCommit != nil {
		return fmt.Errorf("the ACT of %s that says it failed (%w) was not committed: %w", t.unit.Key, err, errCommit)
	}
	w.Witness.OnStep(Step{Title: "ACT", Unit: t.unit.Key, Commit: string(id), Outcome: "failure"})
	return nil
}

// hasOwnAct reports whether the executor committed the unit's ACT itself, as agents that know git do.
func (w *run) hasOwnAct(ctx context.Context, t *turn) (bool, error) {
	now, err := judge.NewHistory(t.repo, nil).PlanState(ctx)
	if err != nil || now.Head.ID == t.Head.ID {
		return false, err
	}
	t.PlanState = now
	last, err := now.LastAct(ctx, t.unit.Key)
	if err != nil || last.Commit == "" || last.IsAdapted {
		return false, err
	}
	step := Step{Title: "ACT", Unit: t.unit.Key, Commit: last.Commit, Outcome: "committed by the executor itself"}
	w.Witness.OnStep(step)
	return true, nil
}

func (w *run) commitAct(ctx context.Context, t *turn, reply []byte) error {
	if acted, err := w.hasOwnAct(ctx, t); acted || err != nil {
		return err
	}
	report, err := readReport(reply, t.unit.Key)
	if err != nil {
		return err
	}
	text, err := ActMessage(t.unit.Key, report, w.Caller)
	if err != nil {
		return err
	}
	if err := w.stage(ctx, t); err != nil {
		return err
	}
	if err := w.judge(ctx, t, text); err != nil {
		return err
	}
	id, err := w.commit(ctx, t, text, nil)
	if err != nil {
		return err
	}
	w.Witness.OnStep(Step{Title: "ACT", Unit: t.unit.Key, Commit: string(id), Outcome: report.Outcome.Value})
	return nil
}

// judge asks the same as the commit-msg hook, so that the result does not depend on installed hooks.
func (w *run) judge(ctx context.Context, t *turn, text []byte) error {
	found, err := judge.StagedCommit{
		Message: parser.StoredUTF8(text),
		Leases:  hooks.Leases{Repo: t.repo}, Runs: hooks.Runs(t.repo, w.Caller.Session),
	}.Judge(ctx, t.repo)
	if err != nil {
		return err
	}
	all := found.Refusals()
	if len(all) > 0 {
		return &unusableError{errors.New("the ACT was refused:\n" + strings.Join(all, "\n"))}
	}
	return nil
}

// maxSubject bounds a subject, in characters, unless the unit's key is longer.
const maxSubject = 72

// subject is a title with as much of the summary as fits.
func subject(title, unit, summary string) string {
	head := title + ": " + unit
	line := []rune(strings.TrimSpace(head + " " + strings.Join(strings.Fields(summary), " ")))
	if most := max(maxSubject, len([]rune(head))); len(line) > most {
		line = append([]rune(strings.TrimSpace(string(line[:most-1]))), '…')
		if most-1 <= len([]rune(head)) {
			return head
		}
	}
	return string(line)
}

func message(subject string, lines []string) []byte {
	return []byte(subject + "\n\n" + strings.Join(lines, "\n") + "\n")
}

// ActMessage is the commit message of an executor's report; a summary that does not fit the title is repeated in the
// body. The error says which text cannot be written, for example an item with « | ».
func ActMessage(unit string, report *parser.ReportFile, by journal.Caller) ([]byte, error) {
	var lines []string
	for _, c := range report.Claims {
		keys := map[parser.Status]string{parser.Done: "Done: ", parser.Skipped: "Skipped: ", parser.Pending: "Pending: "}
		line := keys[c.Status] + c.Item.Value
		if behind := c.EvidenceText.Value + c.Reason.Value; behind != "" && c.Status != parser.Pending {
			line += " | " + map[bool]string{true: c.EvidenceText.Value, false: c.Reason.Value}[c.Status == parser.Done]
		}
		lines = append(lines, line)
	}
	title := subject("ACT", unit, report.Summary.Value)
	lines = slices.Concat(lines, []string{"Outcome: " + report.Outcome.Value}, by.Trailers())
	if strings.HasSuffix(title, "…") {
		if text := message(title+"\n\n"+report.Summary.Value, lines); readsAsReport(text, unit, report) {
			return text, nil
		}
	}
	text := message(title, lines)
	if !readsAsReport(text, unit, report) {
		return nil, unusable("the report does not fit into a commit message; items, evidence and reasons are plain text "+
			"without « | »:\n%s", text)
	}
	return text, nil
}

// readsAsReport reports whether a message is the unit's ACT with exactly the report's claims.
func readsAsReport(text []byte, unit string, report *parser.ReportFile) bool {
	parts := parser.Parse(text).Parts
	return len(parts) == 1 && parts[0].Kind == parser.Act && parts[0].Unit.Value == unit &&
		slices.EqualFunc(parts[0].Claims, report.Claims, sameClaim)
}

func sameClaim(read, meant parser.Claim) bool {
	same := read.Status == meant.Status && plan.ItemKey(read.Item.Value) == plan.ItemKey(meant.Item.Value)
	switch meant.Status {
	case parser.Done:
		same = same && read.EvidenceText.Value == meant.EvidenceText.Value
	case parser.Skipped:
		same = same && read.Reason.Value == meant.Reason.Value
	}
	return same
}

// failedMessage is the ACT for an executor without a valid reply: every item is pending.
func failedMessage(unit *plan.Node, by journal.Caller) []byte {
	var lines []string
	for _, i := range unit.Checklist {
		lines = append(lines, "Pending: "+i.Text)
	}
	return message(subject("ACT", unit.Key, "no reply that fits"),
		slices.Concat(lines, []string{"Outcome: failure"}, by.Trailers()))
}

func adaptMessage(unit string, change plan.Change, observations []observation, by journal.Caller) []byte {
	var lines []string
	for _, o := range observations {
		lines = append(lines, fmt.Sprintf("Observation: %s | %s", o.Perspective, strings.Join(strings.Fields(o.Fact), " ")))
	}
	return message(subject("ADAPT", unit, strings.Join(movesOf(unit, change.Moves()), ", ")),
		slices.Concat(lines, change.Trailers(), by.Trailers()))
}

// movesOf are moves in words, first those of the title's unit, without its name.
func movesOf(unit string, moves []plan.Move) []string {
	var unitMoves []string
	others := slices.DeleteFunc(slices.Clone(moves), func(m plan.Move) bool {
		if m.Key == unit {
			unitMoves = append(unitMoves, m.Words())
		}
		return m.Key == unit
	})
	return append(unitMoves, plan.MoveTexts(others)...)
}
