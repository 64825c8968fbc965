// Command acta holds coding agents to what they say they did. See README.md, and
// `acta --help` for its commands; docs/ci.md fixes its output and exit codes.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/acta-git/acta/plan"
	"github.com/urfave/cli/v2"
)

func main() {
	c := command{Stdin: os.Stdin, Stdout: terminal(os.Stdout), Stderr: terminal(os.Stderr)}
	os.Exit(c.Main(os.Args))
}

// commands are all commands. help.txt has their texts and options.
func (c command) commands() []*cli.Command {
	return slices.Concat(
		group("claims",
			cmd("check", repoAction(c.runCheck)), cmd("cite", repoAction(c.runCite)),
			cmd("verify", repoAction(c.runVerify)), cmd(runCommand, c.runRun),
			cmd(proveCommand, repoAction(c.runProve)), cmd("tests", repoAction(c.runTests)),
			cmd("stubs", repoAction(c.runStubs)), cmd("drift", repoAction(c.runDrift)),
			cmd("attest", repoAction(c.runAttest), cmd("verify", repoAction(c.runAttestVerify))),
			cmd("explain", c.runExplain)),
		group("plan",
			cmd("plan", nil,
				cmd("show", repoAction(c.runShow)), cmd("next", repoAction(c.runNext)), cmd("add", c.runAdd),
				cmd("complete", c.statusAction("is complete", plan.CompleteUnit)),
				cmd("reopen", c.statusAction("is open again", plan.ReopenUnit)),
				cmd("replan", c.recordAction(plan.ReplanSlice, "is planned again for ", "blocker", "TASK")),
				cmd("reassess", c.recordAction(plan.ReassessMilestone, "is reassessed after ", "completed", "SLICE")),
				cmd("lint", repoAction(c.runLint)), cmd("lease", c.onUnit(c.runLease)), cmd("release", c.onUnit(c.runRelease)),
				cmd("owner", c.onUnit(c.runOwner))),
			cmd("loop", repoAction(c.runLoop)),
			cmd("heartbeat", nil,
				cmd("lint", c.inHeartbeat(c.runHeartbeatLint)), cmd("next", c.inHeartbeat(c.runHeartbeatNext)),
				cmd("verify", c.inHeartbeat(c.runHeartbeatVerify)),
				cmd("interval", repoAction(c.runHeartbeatInterval))),
			cmd("mcp", c.runMCP)),
		group("record",
			cmd("worklog", nil,
				cmd("start", c.runWorklogStart), cmd("log", c.runWorklogLog), cmd("checkpoint", c.runWorklogCheckpoint),
				cmd("finish", c.runWorklogFinish), cmd("list", c.runWorklogList), cmd("show", c.runWorklogShow),
				cmd("gc", c.runWorklogGC)),
			cmd("score", repoAction(c.runScore), cmd("history", repoAction(c.runScoreHistory)),
				cmd("explain", c.runScoreExplain), cmd("feedback", repoAction(c.runFeedback))),
			cmd("audit", repoAction(c.runAudit), cmd("verify", repoAction(c.runAuditVerify))),
			c.serve(), cmd("report", c.runReport)),
		group("setup",
			cmd("demo", c.runDemo), cmd("init", repoAction(c.runInit)), cmd("install", c.runInstall),
			cmd("uninstall", c.runUninstall), cmd("doctor", c.runDoctor),
			cmd("policy", repoAction(c.runPolicy), cmd("check", repoAction(c.runPolicyCheck))),
			cmd("agent", nil, c.agentHook()), c.hook(), cmd("completion", c.runCompletion), cmd("help", nil),
			cmd("version", func(call *cli.Context) error { cli.ShowVersion(call); return nil })),
	)
}

// cmd is a command that takes the arguments of its help.
func cmd(name string, action cli.ActionFunc, below ...*cli.Command) *cli.Command {
	command := &cli.Command{Name: name, Subcommands: below}
	if action != nil {
		command.Action = func(call *cli.Context) error {
			if err := checkArguments(call); err != nil {
				return err
			}
			return action(call)
		}
	}
	return command
}

func group(name string, commands ...*cli.Command) []*cli.Command {
	for _, cmd := range commands {
		cmd.Category = name
	}
	return commands
}

// runCompanion becomes another executable of acta's installation, so that hooks need not link its libraries.
func (c command) runCompanion(name string, args ...string) error {
	program, err := findCompanion(name)
	if err != nil {
		return err
	}
	return c.replaceProcess(program, args)
}

// findCompanion finds an executable beside this one, as git does, else on PATH.
func findCompanion(name string) (string, error) {
	self, _ := os.Executable() // without one only PATH is left
	linked, _ := filepath.EvalSymlinks(self)
	for _, beside := range []string{self, linked} {
		if found, err := exec.LookPath(filepath.Join(filepath.Dir(beside), name)); err == nil {
			return found, nil
		}
	}
	found, err := exec.LookPath(name)
	if errors.Is(err, exec.ErrNotFound) {
		err = usageError{fmt.Errorf("%s was not found beside acta or on PATH; install it like acta: by ./install.sh, a "+
			"release's %[1]s (docs/install.md), or go install github.com/acta-git/acta/cmd/%[1]s@latest", name)}
	}
	return found, err
}

const serveProgram = "acta-serve"

func (c command) serve() *cli.Command {
	return &cli.Command{
		Name:            "serve",
		SkipFlagParsing: true,
		Action: func(ctx *cli.Context) error {
			return c.runCompanion(serveProgram, append([]string{"serve"}, ctx.Args().Slice()...)...)
		},
	}
}

func (c command) runReport(call *cli.Context) error {
	file := call.String("html")
	if file == "" {
		return usagef("report needs --html FILE")
	}
	return c.runCompanion(serveProgram, append([]string{"report", "--html", file, "--"}, call.Args().Slice()...)...)
}
