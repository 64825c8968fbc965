package loop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
)

// The three roles, as errors and the record name them.
const (
	executor  = "executor"
	assessor  = "assessor"
	navigator = "navigator"
)

// maxReply bounds a reply, in bytes: a plan of 10,000 units has about 4 MB.
const maxReply = 64 << 20

const waitDelay = 2 * time.Second

// unusableError is an invalid reply, or a refusal of its result; it is handed back once.
type unusableError struct{ error }

func unusable(format string, args ...any) error { return &unusableError{fmt.Errorf(format, args...)} }

func isUnusable(err error) bool {
	var m *unusableError
	return errors.As(err, &m)
}

// consult asks a role until use accepts its reply, at most twice: the second request contains the unusableError.
func (w *run) consult(
	ctx context.Context, t *turn, role, command string, request map[string]any, use func(reply []byte) error,
) error {
	for attempt := 1; ; attempt++ {
		reply, err := w.ask(ctx, t, role, command, request)
		if err == nil {
			err = use(reply)
		}
		if err == nil || !isUnusable(err) {
			return err
		}
		w.Witness.OnRefusal(t.unit.Key, role, attempt == 2, err)
		if attempt == 2 {
			return err
		}
		request["error"] = err.Error()
	}
}

func (w *run) ask(ctx context.Context, t *turn, role, command string, request map[string]any) ([]byte, error) {
	in, err := state.JSONLine(request)
	if err != nil {
		return nil, err
	}
	limited, cancel := ctx, func() {}
	if w.Timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, w.Timeout)
	}
	defer cancel()
	cmd := exec.CommandContext(limited, "sh", "-c", command)
	program.Group(cmd) // so that its children end with it
	cmd.Cancel = func() error { return program.Kill(cmd.Process) }
	cmd.Dir, cmd.WaitDelay, cmd.ExtraFiles = w.top, waitDelay, w.lock.inherited()
	cmd.Env = append(slices.Clone(w.Env),
		"ACTA_UNIT="+t.unit.Key, "ACTA_SESSION="+w.Caller.Session, "ACTA_ACTOR="+w.Caller.Name)
	out := &boundedBuffer{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), out, w.Stderr
	err = cmd.Run()
	if cmd.Process != nil {
		// Children that still run could change files during the commit.
		_ = program.Kill(cmd.Process)
	}
	return out.Bytes(), w.failure(ctx, limited, role, command, out, err)
}

func (w *run) failure(ctx, limited context.Context, role, command string, out *boundedBuffer, err error) error {
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("stopped while the %s worked: %w", role, context.Cause(ctx))
	case limited.Err() != nil:
		return unusable("the %s was ended: it took longer than %s", role, w.Timeout)
	case out.isTruncated:
		return unusable("the %s printed more than %d bytes", role, maxReply)
	case errors.As(err, &exit) && program.IsMissing(exit):
		return &NoAgentError{role, command}
	case errors.As(err, &exit):
		return unusable("the %s failed: %v", role, err)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return fmt.Errorf("the %s cannot be run: %w", role, err)
	}
	return nil
}

type boundedBuffer struct {
	bytes.Buffer
	isTruncated bool
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxReply {
		b.isTruncated = true
		return 0, io.ErrShortWrite
	}
	return b.Buffer.Write(p)
}

var perspectives = parser.Perspectives()

// strategies are the perspectives from which a navigator weighs its next plan.
var strategies = []string{"technical", "requirements", "risk", "efficiency"}

var outcomes = [...]string{"success", "failure", "aborted"}

type observation struct {
	Perspective string `json:"perspective"`
	Fact        string `json:"fact"`
}

// result is the report of a unit's last ACT, for the assessor. It is read from the commit, so that a restarted loop
// gets the same.
type result struct {
	Commit  string `json:"commit"`
	Outcome string `json:"outcome,omitempty"`
	// Failed: the ACT says so, or one of its claims is not verified; the ADAPT must raise the threshold.
	Failed    bool           `json:"failed"`
	Checklist []ReportedItem `json:"checklist"`
}

// ReportedItem is a claim of an ACT, as an executor reports it.
type ReportedItem struct {
	Item     string `json:"item"`
	Status   string `json:"status"`
	Evidence string `json:"evidence,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

func resultOf(act plan.Act, part *parser.Part) *result {
	r := &result{Commit: act.Commit, Failed: act.HasFailed || act.HasRefuted, Checklist: []ReportedItem{}}
	if part != nil {
		r.Outcome, r.Checklist = part.Outcome.Value, ReportedItems(part)
	}
	return r
}

// ReportedItems are the claims of an ACT.
func ReportedItems(act *parser.Part) []ReportedItem {
	all := []ReportedItem{}
	for _, c := range act.Claims {
		all = append(all, ReportedItem{c.Item.Value, string(c.Status), c.EvidenceText.Value, c.Reason.Value})
	}
	return all
}

// readReport reads an executor's reply: the report of docs/format.md, with a required outcome.
func readReport(reply []byte, unit string) (*parser.ReportFile, error) {
	report, err := parser.ParseReport("reply.json", reply)
	if err != nil {
		return nil, &unusableError{err}
	}
	if !slices.Contains(outcomes[:], report.Outcome.Value) {
		return nil, unusable("the reply needs an outcome: expected %s, found %q", strings.Join(outcomes[:], ", "),
			report.Outcome.Value)
	}
	if id := report.TaskID.Value; id != "" && !parser.SameUnit(id, unit) {
		return nil, unusable("the reply is about %s; the request was about %s", id, unit)
	}
	return report, nil
}

func readObject(reply []byte) (map[string]json.RawMessage, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(reply, &keys); err != nil {
		return nil, unusable("the reply is no JSON object: %v; print only the object, without other text", err)
	}
	return keys, nil
}

func readObservations(reply []byte) ([]observation, error) {
	keys, err := readObject(reply)
	if err != nil {
		return nil, err
	}
	var listed []map[string]json.RawMessage
	if err := json.Unmarshal(keys["observations"], &listed); err != nil || listed == nil {
		return nil, unusable(`the reply has no observations: expected {"observations": [{"perspective": …, "fact": …}]}`)
	}
	all := make([]observation, len(listed))
	for i, o := range listed {
		errPerspective := json.Unmarshal(o["perspective"], &all[i].Perspective)
		errFact := json.Unmarshal(o["fact"], &all[i].Fact)
		all[i].Fact = strings.Join(strings.Fields(all[i].Fact), " ")
		switch {
		case errPerspective != nil || !slices.Contains(perspectives, all[i].Perspective):
			return nil, unusable("observation %d has no perspective: expected one of %s, found %s", i+1,
				strings.Join(perspectives, ", "), o["perspective"])
		case errFact != nil || all[i].Fact == "":
			return nil, unusable("observation %d has no fact: expected a text, found %s", i+1, o["fact"])
		}
	}
	return all, nil
}

// readTree reads a navigator's reply. Lines and columns of an error count within the tree.
func readTree(reply []byte) (*plan.Unit, error) {
	keys, err := readObject(reply)
	if err != nil {
		return nil, err
	}
	if keys["tree"] == nil {
		return nil, unusable(`the reply has no tree: expected {"tree": …}`)
	}
	root, err := plan.Read(keys["tree"])
	if err != nil {
		return nil, unusable("the tree cannot be read: %w [%s]", err, plan.RuleInvalid)
	}
	return root, nil
}

type intent struct {
	// Project is the content of project.json, Amendments the texts in amendments/ by name.
	Project    json.RawMessage   `json:"project"`
	Amendments map[string]string `json:"amendments,omitempty"`
}

func (t *turn) intent(ctx context.Context) (*intent, error) {
	found, err := snapshot.At(t.repo, string(t.Head.ID)).Intent(ctx)
	if err != nil {
		return nil, err
	}
	project := bytes.TrimSpace(found.Project)
	if len(project) == 0 {
		project = []byte("null")
	} else if !json.Valid(project) {
		return nil, fmt.Errorf("%s is no JSON", snapshot.ProjectFile(t.Intent))
	}
	return &intent{Project: project, Amendments: found.Amendments}, nil
}
