package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/google/renameio/v2/maybe"
	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/hooks/host"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

type initOptions struct {
	isYes, dryRun, isRemove, noMCP, guard bool

	agent string
}

func (c command) runInit(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	o := initOptions{
		isYes: call.Bool("yes"), dryRun: call.Bool("dry-run"), isRemove: call.Bool("remove"), noMCP: call.Bool("no-mcp"),
		guard: call.Bool("guard"), agent: call.String("agent"),
	}
	if call.IsSet("plugin") != (call.NArg() == 1) {
		return usagef("--plugin HOST needs the folder to write the plugin into")
	}
	if call.IsSet("plugin") {
		return c.writePlugin(call.String("plugin"), call.Args().First(), o.dryRun)
	}
	if !call.IsSet("agent") && (o.isRemove || o.noMCP || o.guard) {
		return usagef("--remove, --guard and --no-mcp go with --agent")
	}
	top, err := r.Top(ctx)
	switch {
	case err != nil:
		return err
	case top == "":
		return usagef("acta init needs a work tree, and this repository has none")
	case call.IsSet("agent"):
		return c.initAgent(top, o)
	}
	return c.init(ctx, r, top, o)
}

//go:embed init_policy.yaml
var initPolicy []byte

//go:embed init_intent.json
var initIntent []byte

//go:embed init_guide.md
var initGuide []byte

// guidePath is the planning guide: at the top, where agents look first.
const guidePath = "TASK_PLANNING.md"

type initFile struct {
	path string
	data []byte
}

// initFiles writes missing files of policy, intent, plan and guide; with Markdown plans only the policy.
func (c command) initFiles(ctx context.Context, r *repo.Repo, l *repositorySurvey, o initOptions) error {
	files, err := initFiles(l)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := repo.CheckInside(l.top, f.path); err != nil {
			return err
		}
	}
	wrote, isNewPolicy := 0, false
	for _, f := range files {
		result, err := f.write(l.top, !o.isYes)
		if err != nil {
			return err
		}
		if result != alreadyExists {
			wrote++
			isNewPolicy = isNewPolicy || f.path == policy.Path
		}
		c.Stdout.Printf("%s: %s\n", f.path, result)
	}
	if wrote > 0 && o.isYes && len(files) > 1 {
		c.Stdout.Printf("\nDescribe the request in %s, and commit it: afterwards it must not change.\n"+
			"Then add tasks with `acta plan add`.\n", files[1].path)
	}
	if head, err := r.Head(ctx); err == nil && isNewPolicy && len(head.Parents) > 0 {
		c.Stdout.Printf(
			"\nThis repository has a history. To keep `acta verify` from judging what came before today, add a line to %s:\n"+
				"since: %s\n", policy.Path, head.ID)
	}
	return nil
}

func initFiles(l *repositorySurvey) ([]initFile, error) {
	top := l.top
	if err := repo.CheckInside(top, policy.Path); err != nil {
		return nil, err
	}
	p := policy.Default()
	data, err := state.ReadFile(filepath.Join(top, policy.Path))
	switch {
	case err == nil:
		if p, err = snapshot.ParsePolicy(data); err != nil {
			return nil, &policy.ConfigError{Err: err}
		}
	case !errors.Is(err, os.ErrNotExist):
		return nil, err
	}
	if l.plans != nil || len(p.Boxes) > 0 {
		return []initFile{{policy.Path, l.policyFile()}}, nil
	}
	root := &plan.Unit{
		ID: "ROOT", Type: plan.Parent, Description: "What " + path.Join(p.Intent, "project.json") + " asks for",
		Status: plan.Pending,
	}
	return []initFile{
		{policy.Path, initPolicy},
		{path.Join(p.Intent, "project.json"), initIntent},
		{p.Plan, plan.Write(root)},
		{guidePath, bytes.ReplaceAll(initGuide, []byte("working_plan/current.json"), []byte(p.Plan))},
	}, nil
}

const alreadyExists = "exists already, not changed"

func (f initFile) write(top string, dryRun bool) (string, error) {
	file := filepath.Join(top, filepath.FromSlash(f.path))
	if _, err := os.Lstat(file); err == nil {
		return alreadyExists, nil
	}
	if dryRun {
		return "would be written", nil
	}
	return "written", writeSettings(file, f.data)
}

type fileEdit struct {
	host.Setting
	file          string
	before, after []byte
}

// initAgent configures an agent's host for acta, or undoes that. Other content of its files stays; if one of them
// cannot be edited none is written.
func (c command) initAgent(top string, o initOptions) error {
	caller, err := host.FindHost(o.agent)
	if err != nil {
		return usagef("--agent: %v", err)
	}
	var edits []fileEdit
	for _, s := range host.Settings(caller, host.Parts{MCP: !o.noMCP, Guard: o.guard}) {
		if other := host.HostSharing(top, caller, s.Path); o.isRemove && other != nil {
			c.Stdout.Printf("%s: stays, for %s\n", s.Path, other.Name())
			continue
		}
		e, err := readEdit(top, s, o.isRemove)
		if err != nil {
			return err
		}
		edits = append(edits, e)
	}
	hasWritten := false
	for _, e := range edits {
		changes := !bytes.Equal(e.before, e.after)
		if changes && !o.dryRun {
			if err := e.write(); err != nil {
				return err
			}
		}
		c.Stdout.Printf("%s: %s\n", e.Path, e.resultText(changes, o))
		hasWritten = hasWritten || changes && !o.dryRun
	}
	for _, e := range edits {
		if e.Hint != "" && hasWritten && !o.isRemove {
			c.Stdout.Printf("\n%s\n", e.Hint)
		}
	}
	return nil
}

func readEdit(top string, s host.Setting, remove bool) (fileEdit, error) {
	e := fileEdit{Setting: s, file: filepath.Join(top, filepath.FromSlash(s.Path))}
	if err := repo.CheckInside(top, s.Path); err != nil {
		return e, err
	}
	if linked, err := filepath.EvalSymlinks(e.file); err == nil {
		e.file = linked // keep the link
	}
	var err error
	if e.before, err = state.ReadFile(e.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return e, err
	}
	change := s.Add
	if remove {
		change = s.Remove
	}
	if e.after, err = change(e.before); err != nil {
		return e, &policy.ConfigError{Err: fmt.Errorf("%s: %w", s.Path, err)}
	}
	return e, nil
}

func (e *fileEdit) write() error {
	if len(e.after) == 0 {
		return os.Remove(e.file)
	}
	return writeSettings(e.file, e.after)
}

func (e *fileEdit) resultText(changes bool, o initOptions) string {
	switch {
	case !changes && o.isRemove:
		return "has none of acta's " + e.Content
	case !changes:
		return "has acta's " + e.Content + " already"
	case o.dryRun && len(e.after) == 0:
		return "would be removed"
	case o.dryRun:
		return "would be written"
	case len(e.after) == 0:
		return "removed"
	}
	return "written"
}

func writeSettings(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return maybe.WriteFile(file, data, 0o666) // an existing file keeps its permissions
}

func (c command) writePlugin(id, folder string, dryRun bool) error {
	h, err := host.FindHost(id)
	if err != nil {
		return usagef("--plugin: %v", err)
	}
	files, err := host.Plugin(h, report.Release)
	if err != nil {
		return usagef("--plugin: %v", err)
	}
	for _, f := range files {
		file := filepath.Join(folder, filepath.FromSlash(f.Path))
		did := "would be written"
		if !dryRun {
			did, err = "written", writeSettings(file, f.Data)
		}
		if err != nil {
			return err
		}
		c.Stdout.Printf("%s: %s\n", file, did)
	}
	return nil
}
