package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/hooks/loop"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/change"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

type completeTaskInput struct {
	callerInput
	TaskID    string         `json:"task_id" jsonschema:"key or id of the task"`
	Summary   string         `json:"summary,omitempty" jsonschema:"what was done, in a few words: the title of the ACT"`
	Checklist []reportedItem `json:"checklist" jsonschema:"every item of the task's checklist, word for word"`
	Outcome   string         `json:"outcome,omitempty"`
	Commit    bool           `json:"commit,omitempty"`
	Accepted  []acceptedItem `json:"accepted,omitempty" jsonschema:"items that are accepted without being verified"`
}

type acceptedItem struct {
	Item   string `json:"item" jsonschema:"an item that is not verified, as the checklist has it"`
	Reason string `json:"reason" jsonschema:"why the task is complete all the same"`
}

// reportedItem is for the schema: parser.ParseReport reads the arguments.
type reportedItem struct {
	Item     string `json:"item" jsonschema:"the item as the checklist has it"`
	Status   string `json:"status" jsonschema:"done, skipped or pending"`
	Evidence any    `json:"evidence,omitempty"`
	Reason   string `json:"reason,omitempty" jsonschema:"why it was skipped"`
}

func checklistSchema(s *jsonschema.Schema) {
	s.Types, s.Type = nil, "array"
	s.Items.AdditionalProperties = nil
	oneOf([]parser.Status{parser.Done, parser.Skipped, parser.Pending})(s.Items.Properties["status"])
	evidence := s.Items.Properties["evidence"]
	evidence.Types = []string{"string", "array", "null"}
	evidence.Description = "of what is done: path:line or path:start-end from the top of the repository, several " +
		"separated by commas or as a list; -path cites what was removed"
}

type completeTaskOutput struct {
	Unit     string   `json:"unit" jsonschema:"key of the task"`
	Complete bool     `json:"complete" jsonschema:"whether the task is complete in the work tree's plan"`
	Act      string   `json:"act,omitempty" jsonschema:"the ACT commit that carries the report"`
	Adapt    string   `json:"adapt,omitempty" jsonschema:"the ADAPT commit that was made"`
	Moves    []string `json:"moves" jsonschema:"each change of the plan"`
	Next     string   `json:"next,omitempty" jsonschema:"what is left to do"`
	Warnings []string `json:"warnings,omitempty"`
}

type falseReportError struct {
	unit   string
	result *judge.Result
	advice []string
}

func (e *falseReportError) Error() string {
	first := fmt.Sprintf("the report of %s does not hold, and nothing was written:", e.unit)
	return strings.Join(slices.Concat([]string{first}, e.result.Refusals(), e.advice, []string{plan.WayOut(e.unit)}), "\n")
}

const blocked = "blocked"

type completion struct {
	*call
	task   *plan.Node
	report *parser.ReportFile
	adapt  change.Request
	last   plan.Act // the task's last ACT
	out    completeTaskOutput
}

func (c *call) completeTask(ctx context.Context, in completeTaskInput) (completeTaskOutput, error) {
	if in.Commit {
		select {
		case c.committing <- struct{}{}:
			defer func() { <-c.committing }()
		case <-ctx.Done():
			return completeTaskOutput{}, context.Cause(ctx)
		}
	}
	t, err := c.completion(ctx, in)
	if err != nil {
		return completeTaskOutput{}, err
	}
	err = t.do(ctx)
	t.out.Warnings = c.warnings
	return t.out, err
}

func (c *call) completion(ctx context.Context, in completeTaskInput) (*completion, error) {
	report, err := parser.ParseReport("report.json", c.raw)
	if err != nil {
		return nil, &change.RefusedError{Rule: rules.ReportUnreadable, Err: err}
	}
	report.Outcome.Value = cmp.Or(report.Outcome.Value, string(worklog.Success))
	if report.Outcome.Value == blocked {
		report.Outcome.Value += " | " + cmp.Or(in.callerInput.Reason, in.Summary)
	}
	p, err := c.workPlan(ctx)
	if err != nil {
		return nil, err
	}
	t := &completion{call: c, report: report}
	if t.task, err = p.unit(report.TaskID.Value); err != nil {
		return nil, err
	}
	if file := parser.BoxFile(snapshot.BoxUnit(t.task)); file != "" {
		return nil, &change.NoPlanError{Boxes: []string{file}}
	}
	if !t.task.IsTask() {
		refused, err := plan.CheckAct(ctx, p.index, t.task.Key, nil)
		return nil, errors.Join(err, refused)
	}
	claims, err := lease.Read(c.state)
	if err != nil {
		return nil, err
	}
	if err := claims.CheckOwner(t.task.Key, c.caller.Name, time.Now()); err != nil {
		return nil, err
	}
	t.out = completeTaskOutput{Unit: t.task.Key, Moves: []string{}}
	t.adapt = change.Request{
		Repo: c.repo, CommonDir: c.state, Caller: c.caller, OwnerOnly: true, Commit: in.Commit, Summary: "is complete",
	}
	for _, a := range in.Accepted {
		t.adapt.Accepted = append(t.adapt.Accepted, plan.Acceptance{Item: a.Item, Reason: a.Reason})
	}
	t.last, err = judge.NewHistory(c.repo, nil).LastAct(ctx, t.task.Key)
	return t, err
}

func (t *completion) do(ctx context.Context) error {
	if t.task.Status == plan.Complete {
		switch head, err := t.headStatus(ctx, t.task.Key); {
		case err != nil:
			return err
		case !t.adapt.Commit || head == plan.Complete:
			return t.complete(ctx) // the guard says so
		}
	}
	isCarried, err := t.isCarried(ctx)
	if err != nil {
		return err
	}
	if isCarried {
		t.out.Act = t.last.Commit
		return t.complete(ctx)
	}
	message, err := loop.ActMessage(t.task.Key, t.report, t.caller)
	if err != nil {
		return &change.RefusedError{Rule: rules.ReportUnreadable, Err: err}
	}
	found, err := t.judge(ctx, message)
	if err != nil {
		return err
	}
	if t.isSuccess() { // an ADAPT must be able to follow, or the ACT would be useless
		act := judge.ReportedAct(parser.Parse(message).Parts[0], &found.Report)
		if err := t.adapt.Check(ctx, t.edit, act); err != nil {
			return err
		}
	}
	if !t.adapt.Commit {
		return refusal(plan.RuleMoveIllegal,
			fmt.Sprintf("the report holds, and no ACT of %s carries it yet", t.task.Key),
			"call complete_task again with commit: true, or commit what is staged with this message:\n\n"+string(message))
	}
	return t.actAndAdapt(ctx, message)
}

func (t *completion) edit(root *plan.Unit) (plan.Change, error) {
	return plan.CompleteUnit(root, t.task.Key)
}

func (t *completion) complete(ctx context.Context) error {
	done, err := t.change(ctx, t.adapt, t.edit)
	if err != nil {
		return err
	}
	t.out.Complete, t.out.Moves, t.out.Adapt = true, done.Moves, done.Commit
	if done.Commit == "" {
		t.out.Next = fmt.Sprintf("commit %s alone, as «ADAPT: %s is complete», or call complete_task again with commit: true",
			done.Path, t.task.Key)
	}
	return nil
}

// isCarried reports whether the task's last ACT makes the same report, and holds.
func (t *completion) isCarried(ctx context.Context) (bool, error) {
	if t.last.Commit == "" || t.last.HasRefuted || t.last.HasErrors {
		return false, nil // the next ACT corrects it
	}
	part, err := judge.ActOf(ctx, t.repo, t.last.Commit, t.task.Key)
	if err != nil || part == nil {
		return false, err
	}
	same := cmp.Or(part.Outcome.Value, string(worklog.Success)) == t.report.Outcome.Value
	return same && slices.Equal(claimLines(part.Claims), claimLines(t.report.Claims)), nil
}

// claimLines are claims with their places, without the symbols that a hook adds; their order does not count.
func claimLines(claims []parser.Claim) (all []string) {
	for _, c := range claims {
		line := []string{plan.ItemKey(c.Item.Value), string(c.Status)}
		if c.Status == parser.Done {
			for _, e := range c.Evidence {
				line = append(line, e.Place())
			}
			slices.Sort(line[2:])
		}
		all = append(all, strings.Join(line, "\n"))
	}
	slices.Sort(all)
	return all
}

func (t *completion) judge(ctx context.Context, message []byte) (*judge.Result, error) {
	found, err := judge.StagedCommit{
		Message: parser.StoredUTF8(message), Leases: hooks.Leases{Repo: t.repo},
	}.Judge(ctx, t.repo)
	if err != nil {
		return nil, err
	}
	if len(found.Refusals()) > 0 {
		refused := &falseReportError{unit: t.task.Key, result: found, advice: t.unstagedFiles(ctx)}
		waits := t.last.Commit != "" && !t.last.IsAdapted && !t.last.HasErrors && !t.last.IsUnknown
		isAct := func(f report.Finding) bool { return f.Rule == plan.RuleActNotAllowed }
		if waits && slices.ContainsFunc(found.Findings, isAct) {
			refused.advice = append(refused.advice, t.waitingAdvice(ctx))
		}
		return nil, refused
	}
	for _, w := range found.Warnings {
		t.Warn(w)
	}
	for _, f := range found.Findings {
		t.Warn(fmt.Sprintf("%s [%s]", f.Message, f.Rule))
	}
	return found, nil
}

func (t *completion) unstagedFiles(ctx context.Context) []string {
	var cited []string
	for _, c := range t.report.Claims {
		for _, e := range c.Evidence {
			cited = append(cited, e.Path)
		}
	}
	tree, err := t.repo.IndexTree(ctx)
	if err != nil {
		return nil
	}
	changes, _ := t.repo.WorkChanges(ctx, tree, func(path string) bool { return slices.Contains(cited, path) })
	var all []string
	for _, c := range changes {
		all = append(all, fmt.Sprintf("%s has unstaged changes, and only staged content is judged: git add it.", c.Path))
	}
	return all
}

func (t *completion) waitingAdvice(ctx context.Context) string {
	if t.last.HasFailed || t.last.HasRefuted {
		return fmt.Sprintf(
			"That ACT failed: submit_plan with \"unit\": \"%s\" must raise its failure_threshold by at least %v.",
			t.task.Key, plan.Step)
	}
	part, err := judge.ActOf(ctx, t.repo, t.last.Commit, t.task.Key)
	if err != nil || part == nil {
		return "Complete the task with what that ACT reports."
	}
	list, _ := json.Marshal(loop.ReportedItems(part)) // cannot fail for texts
	return fmt.Sprintf("To complete the task with what that ACT reports, call complete_task with this checklist: %s", list)
}

func (t *completion) isSuccess() bool { return t.report.Outcome.Value == string(worklog.Success) }

func (t *completion) actAndAdapt(ctx context.Context, message []byte) error {
	var output bytes.Buffer
	restore := change.KeepMessage(ctx, t.repo)
	id, err := t.repo.CommitIndex(ctx, message, &output)
	if errors.Is(err, repo.ErrRefused) {
		return fmt.Errorf("git made no commit, and nothing was written:\n%s", strings.TrimSpace(output.String()))
	}
	if err != nil {
		return err
	}
	restore()
	t.out.Act = string(id)
	if strings.HasPrefix(t.report.Outcome.Value, blocked) {
		t.out.Next = fmt.Sprintf("the ACT says that %s is blocked; the task stays open", t.task.Key)
		return nil
	}
	if !t.isSuccess() {
		t.out.Next = fmt.Sprintf(
			"the ACT says %s: submit_plan with \"unit\": \"%s\" must raise its failure_threshold by at least %v",
			t.report.Outcome.Value, t.task.Key, plan.Step)
		return nil
	}
	if err := t.complete(ctx); err != nil {
		return fmt.Errorf("the ACT of %s was committed as %.12s, and its ADAPT was not: %w", t.task.Key, id, err)
	}
	return nil
}
