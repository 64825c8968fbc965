// Package mcp offers the plan, the leases, the worklog and the score of a work tree to agents that speak the Model
// Context Protocol (https://modelcontextprotocol.io). A client's requests go in, answers come out. Its tools use the
// guards and logs of the commands.
package mcp

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/change"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/report"
)

// Server serves one work tree to one client.
type Server struct {
	// Dir lies in the work tree. The client's roots are ignored.
	Dir string
	// Env is the environment: ACTA_ACTOR and ACTA_SESSION are the defaults of a call. A policy's programs get the
	// variables that the policy names.
	Env program.Env
	// Log gets messages that a client cannot show.
	Log *slog.Logger
}

// Run serves until the client closes in, or ctx is done.
func (s Server) Run(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	err := newServer(s).sdk.Run(ctx, patientTransport{&sdk.IOTransport{Reader: in, Writer: out}})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// instructions are read by agents before their first call.
//
//go:embed instructions.txt
var instructions string

type server struct {
	Server
	sdk *sdk.Server
	// committing holds a token while a call commits the index: of two at once the second would find nothing staged.
	committing chan struct{}
}

func newServer(options Server) *server {
	s := &server{Server: options, committing: make(chan struct{}, 1)}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "acta", Title: "Acta", Version: report.Release}, &sdk.ServerOptions{
		Instructions: strings.TrimSuffix(instructions, "\n"),
		Capabilities: &sdk.ServerCapabilities{},
	})
	add(s, "submit_plan", (*call).submitPlan, detail{"plan": objectOrText})
	add(s, "next_task", (*call).nextTask, nil)
	add(s, "check_write_target", (*call).checkWriteTarget, nil)
	add(s, "complete_task", (*call).completeTask, detail{
		"outcome": oneOf([]string{"success", "failure", "aborted", blocked}), "checklist": checklistSchema,
	})
	add(s, "reopen_task", reopen(true), nil)
	add(s, "reopen_slice", reopen(false), nil)
	add(s, "claim", (*call).claim, nil)
	add(s, "release", (*call).release, nil)
	add(s, "worklog_append", (*call).worklogAppend, detail{
		"action": oneOf(worklog.Actions()), "status": oneOf(worklog.Statuses()),
	})
	add(s, "checkpoint", (*call).checkpoint, detail{"phase": oneOf(worklog.Phases())})
	add(s, "score", (*call).score, nil)
	s.addResources()
	return s
}

type callerInput struct {
	Actor  string `json:"actor_name,omitempty" jsonschema:"who acts: executor-01; else ACTA_ACTOR, or git's acta.actor"`
	Reason string `json:"trigger_reason,omitempty" jsonschema:"why, for the event log and the ADAPT commit"`
}

func (w callerInput) caller() callerInput { return w }

type arguments interface{ caller() callerInput }

type call struct {
	*server
	tool   string
	caller journal.Caller
	repo   *repo.Repo
	// state is the common git directory, gitDir that of the work tree.
	state, gitDir string
	raw           json.RawMessage
	warnings      []string
}

// add registers a tool of tools.txt: do handles a call in an opened repository; its error is the tool's.
func add[In arguments, Out any](
	s *server, name string, do func(*call, context.Context, In) (Out, error), details detail,
) {
	t := toolOf(name)
	t.InputSchema = inputSchema[In](name, details)
	sdk.AddTool(s.sdk, t, func(ctx context.Context, r *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Out, error) {
		var none Out
		c, err := s.begin(ctx, t.Name, in.caller(), r.Params.Arguments)
		if err != nil {
			return nil, none, err
		}
		defer c.repo.Close()
		out, err := do(c, ctx, in)
		if err != nil {
			return nil, none, c.refuse(err)
		}
		return nil, out, nil
	})
}

// begin opens the repository for each call: it may have changed.
func (s *server) begin(ctx context.Context, tool string, w callerInput, raw json.RawMessage) (*call, error) {
	r, err := repo.Open(ctx, s.Dir, repo.Options{})
	if err != nil {
		return nil, err
	}
	c := &call{server: s, tool: tool, repo: r, raw: raw}
	c.caller = journal.Caller{
		Actor: journal.Agent, Name: cmp.Or(w.Actor, s.Env.Get("ACTA_ACTOR")), Reason: w.Reason,
		Session: s.Env.Get("ACTA_SESSION"),
	}
	if c.caller, err = worklog.Identify(ctx, r, c.caller); err == nil {
		c.gitDir, c.state, err = r.Dirs(ctx)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return c, nil
}

// Warn adds a warning to the answer and the audit log.
func (c *call) Warn(message string) {
	c.warnings = append(c.warnings, message)
	c.audit(journal.MessageParams(journal.WarningSeverity, message))
}

func (c *call) refuse(err error) error {
	var refused *change.RefusedError
	var report *falseReportError
	err = change.AsRefused(err)
	switch {
	case errors.As(err, &report):
		for _, f := range report.result.Findings {
			c.audit(journal.FindingParams(f))
		}
		return err
	case errors.As(err, &refused):
		c.audit(refused.Params())
		if hint := refused.Hint(nameHint); hint != "" {
			return errors.New(err.Error() + "\n    " + hint)
		}
		return err
	}
	c.audit(journal.MessageParams(journal.ErrorSeverity, err.Error()))
	return err
}

const nameHint = "say who you are: actor_name, or ACTA_ACTOR in the server's environment"

func refusal(rule, wrong, hint string) error {
	return &plan.Violation{Rule: rule, Message: wrong, Hint: hint}
}

func (c *call) audit(params map[string]any) {
	c.append(journal.Audit(c.state), params)
}

func (c *call) event(params map[string]any) { c.append(journal.Events(c.state), params) }

func (c *call) cmd() string { return "mcp " + c.tool }

func (c *call) append(log journal.Log, params map[string]any) {
	// Record it even if the client has gone.
	c.warnLog(log.Append(context.Background(), c.caller, time.Now(), journal.Action{Cmd: c.cmd(), Params: params}))
}

func (c *call) warnLog(warnings []string, err error) {
	for _, w := range warnings {
		c.Log.Warn(w)
	}
	if err != nil {
		c.Log.Warn("a log was not written", "error", err)
	}
}

func (c *call) workPlan(ctx context.Context) (*workPlan, error) {
	path, root, err := snapshot.WorkPlan(ctx, c.repo)
	if err == nil && root == nil {
		err = &change.NoPlanError{Path: path}
	}
	if err != nil {
		return nil, err
	}
	return newWorkPlan(path, root), nil
}

//go:embed tools.txt
var toolsText string

func toolOf(name string) *sdk.Tool {
	t := &sdk.Tool{Name: name}
	for _, w := range lang.Table(toolsText) {
		if w.Name != name {
			continue
		}
		has := func(hint string) bool { return slices.Contains(w.Lines, hint) }
		t.Title, t.Description = w.Lines[0], w.Text
		t.Annotations = &sdk.ToolAnnotations{
			ReadOnlyHint: has("read-only"), IdempotentHint: has("idempotent"), OpenWorldHint: new(bool),
		}
		if !has("read-only") {
			t.Annotations.DestructiveHint = new(has("destructive"))
		}
	}
	return t
}

// detail is what the schema of an argument adds to its type and purpose.
type detail map[string]func(*jsonschema.Schema)

// inputSchema is the schema of a tool's arguments. Unknown arguments are allowed, because clients add their own.
func inputSchema[In any](tool string, details detail) *jsonschema.Schema {
	s, err := jsonschema.For[In](nil)
	if err != nil {
		panic(fmt.Sprintf("the arguments %T have no schema: %v", *new(In), err)) // a type of this package
	}
	s.AdditionalProperties = nil
	for _, w := range lang.Table(toolsText) {
		if argument, ok := strings.CutPrefix(w.Name, tool+"."); ok {
			s.Properties[argument].Description = w.Text
		}
	}
	for name, set := range details {
		set(s.Properties[name])
	}
	return s
}

func oneOf[T ~string](words []T) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) {
		for _, w := range words {
			s.Enum = append(s.Enum, string(w))
		}
	}
}

func objectOrText(s *jsonschema.Schema) { s.Types = []string{"object", "string"} }

// The resources of the server.
const (
	planURI    = "acta://plan"
	worklogURI = "acta://worklog"
)

const mimeJSON = "application/json"

func (s *server) addResources() {
	s.addResource(&sdk.Resource{
		URI: planURI, Name: "plan", Title: "The plan", MIMEType: mimeJSON,
		Description: "The plan of the work tree, else of HEAD: a tree of tasks with their checklists and statuses.",
	}, func(ctx context.Context, c *call) ([]byte, error) {
		p, err := c.workPlan(ctx)
		if err != nil {
			return nil, err
		}
		return plan.Write(p.root), nil
	})
	s.addResource(&sdk.Resource{
		URI: worklogURI, Name: "worklog", Title: "The running worklog", MIMEType: mimeJSON,
		Description: "What was done in the session that runs in this work tree, ACT and ADAPT commits and their verdicts " +
			"included.",
	}, func(ctx context.Context, c *call) ([]byte, error) { return c.runningWorklog(ctx) })
}

func (s *server) addResource(r *sdk.Resource, read func(context.Context, *call) ([]byte, error)) {
	s.sdk.AddResource(r, func(ctx context.Context, _ *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		c, err := s.begin(ctx, r.Name, callerInput{}, nil)
		if err != nil {
			return nil, err
		}
		defer c.repo.Close()
		text, err := read(ctx, c)
		if err != nil {
			return nil, err
		}
		return &sdk.ReadResourceResult{
			Contents: []*sdk.ResourceContents{{URI: r.URI, MIMEType: r.MIMEType, Text: string(text)}},
		}, nil
	})
}

func (c *call) runningWorklog(ctx context.Context) ([]byte, error) {
	live, err := worklog.FindRunning(c.state, c.gitDir, c.Env.Get("ACTA_SESSION"))
	if err != nil {
		return nil, err
	}
	all, warnings, err := worklog.Sessions(ctx, c.repo, c.state)
	c.warnLog(warnings, nil)
	if err != nil {
		return nil, err
	}
	session, err := worklog.Find(all, live.ID)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = session.Write(&b, "json")
	return b.Bytes(), err
}
