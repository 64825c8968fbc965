package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/hooks/host"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// boxPlans are the Markdown task lists of other tools: spec-kit, OpenSpec, Kiro, and of people.
var boxPlans = []string{"specs/*/tasks.md", "openspec/changes/*/tasks.md", ".kiro/specs/*/tasks.md", "TODO.md"}

var hookManagers = []string{".pre-commit-config.yaml", "lefthook.yml", ".lefthook.yml", ".husky", ".overcommit.yml"}

//go:embed init_workflow.yaml
var initWorkflow []byte

const workflowPath = ".github/workflows/acta.yml"

type repositorySurvey struct {
	top string
	// plans are the patterns that match Markdown files with boxes; open counts their open boxes, files the files.
	plans       []string
	open, files int
	hosts       []host.Host
	managers    []string
	hasGitHub   bool
	hasGitLab   bool
}

func surveyRepository(ctx context.Context, r *repo.Repo, top string) (repositorySurvey, error) {
	l := repositorySurvey{top: top}
	all, err := r.WorkFiles(ctx)
	if err != nil {
		return l, err
	}
	for _, pattern := range boxPlans {
		found := 0
		for _, file := range all.Paths {
			if ok, err := doublestar.Match(pattern, file); err != nil || !ok {
				continue
			}
			data, err := r.WorkFile(ctx, file, parser.MaxBoxFile)
			if err != nil {
				continue // skip unreadable files
			}
			boxes := parser.ParseBoxes(data)
			if len(boxes) > 0 {
				found++
			}
			l.open += len(slices.DeleteFunc(boxes, func(b parser.Box) bool { return b.IsTicked || b.IsGroup }))
		}
		if l.files += found; found > 0 {
			l.plans = append(l.plans, pattern)
		}
	}
	exists := func(name string) bool { _, err := os.Lstat(filepath.Join(top, name)); return err == nil }
	for _, h := range host.Hosts() {
		folder := path.Dir(host.Settings(h, host.Parts{})[0].Path)
		if folder != "." && folder != ".github" && exists(folder) {
			l.hosts = append(l.hosts, h)
		}
	}
	l.managers = slices.DeleteFunc(slices.Clone(hookManagers), func(name string) bool { return !exists(name) })
	l.hasGitHub, l.hasGitLab = exists(".github/workflows") && !exists(workflowPath), exists(".gitlab-ci.yml")
	return l, nil
}

func (l *repositorySurvey) policyFile() []byte {
	if len(l.plans) == 0 {
		return initPolicy
	}
	const example = "# plan: {intent: user_intent, working: working_plan/current.json}"
	line := fmt.Sprintf("plan: [\"%s\"]", strings.Join(l.plans, `", "`))
	return bytes.Replace(initPolicy, []byte(example), []byte(line), 1)
}

// init surveys the repository, prints what it would do, and with --yes does it.
func (c command) init(ctx context.Context, r *repo.Repo, top string, o initOptions) error {
	l, err := surveyRepository(ctx, r, top)
	if err != nil {
		return err
	}
	if l.plans != nil {
		boxes := "open boxes"
		if l.open == 1 {
			boxes = "open box"
		}
		c.Stdout.Printf("1. The plan: %s, %d %s in %s, and they stay as they are. A ticked box is a claim.\n",
			strings.Join(l.plans, ", "), l.open, boxes, report.Plural(l.files, "file"))
	} else {
		c.Stdout.Printf("1. The plan: acta's own, since no plan in Markdown was found.\n")
	}
	o.isYes = o.isYes && !o.dryRun
	if err := c.initFiles(ctx, r, &l, o); err != nil {
		return err
	}
	beside := ""
	if len(l.managers) > 0 {
		beside = ", beside those of " + strings.Join(l.managers, ", ")
	}
	c.Stdout.Printf("\n2. git's hooks, as `acta install` writes them%s.\n", beside)
	var asks exitError // another tool's file must be edited by hand
	if o.isYes {
		binary, _ := os.Executable() // without one the installation fails
		err := c.changeHooks(ctx, installOptions{repo: l.top, Options: hooks.Options{Binary: binary}}, true)
		if err != nil && !errors.As(err, &asks) {
			return err
		}
	}
	if err := c.initAgentsAndCI(&l, o); err != nil {
		return err
	}
	if !o.isYes {
		c.Stdout.Printf("\nNothing was written. To do all of it: acta init --yes\n")
		return nil
	}
	c.Stdout.Printf("\nThis is what your agent will see when it says that a stub is done:\n\n")
	if err := c.showRefusal(ctx, &l); err != nil || asks == 0 {
		return err
	}
	return asks
}

func (c command) initAgentsAndCI(l *repositorySurvey, o initOptions) error {
	c.Stdout.Printf("\n3. Agents and CI.\n")
	for _, h := range l.hosts {
		c.Stdout.Printf("%s:\n", h.Name())
		if err := c.initAgent(l.top, initOptions{agent: h.ID(), dryRun: !o.isYes}); err != nil {
			return err
		}
	}
	if l.hosts == nil {
		c.Stdout.Printf("No agent's host was found; `acta init --agent HOST` writes for one of %s.\n", host.HostIDs())
	}
	switch {
	case l.hasGitHub:
		did, err := initFile{workflowPath, initWorkflow}.write(l.top, !o.isYes)
		c.Stdout.Printf("%s: %s\n", workflowPath, did)
		return err
	case l.hasGitLab:
		c.Stdout.Printf(".gitlab-ci.yml: add the include of docs/ci.md\n")
	}
	return nil
}

// showRefusal makes a repository with this one's policy, in which an agent lies and the hook refuses.
func (c command) showRefusal(ctx context.Context, l *repositorySurvey) error {
	d, err := c.newDemo(ctx)
	defer os.RemoveAll(d.home)
	if err != nil {
		return err
	}
	quiet := d
	quiet.Stdout = report.NewTerminal(io.Discard, false)
	p, err := state.ReadFile(filepath.Join(l.top, policy.Path))
	if err != nil {
		return err
	}
	plan, boxes, message := "working_plan/current.json", demoText("plan.json"), demoText("false")
	if l.plans != nil {
		plan, boxes, message = strings.ReplaceAll(l.plans[0], "*", "shop"), demoText("boxes.md"), "Finish the login\n"
	}
	if err := errors.Join(d.write(policy.Path, string(p)), d.write(plan, boxes), d.write("auth.py", demoText("login.py")),
		quiet.commit(ctx, "Plan the work\n")); err != nil {
		return err
	}
	if l.plans != nil {
		ticked := strings.Replace(boxes, "[ ]", "[x]", 1)
		err = errors.Join(d.write(plan, ticked), d.write("src/login.py", demoText("stub.py")))
		c.Stdout.Printf("In %s the agent ticks a box:\n", plan)
		fmt.Fprint(c.Stdout, "  | "+strings.SplitAfterN(ticked, "\n\n", 2)[1])
	} else {
		err = d.write("auth.py", demoText("logout.py"))
	}
	if err != nil {
		return err
	}
	return d.expectRefusal(d.commit(ctx, message), "the lie was not refused: acta doctor says why")
}
