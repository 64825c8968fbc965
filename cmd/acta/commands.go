package main

import (
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/plan"
)

// commands are all commands. help.txt has their texts and options.
func (c command) commands() []*cli.Command {
	return slices.Concat(
		group("claims",
			cmd("check", repoAction(0, c.runCheck)), cmd("cite", repoAction(0, c.runCite)),
			cmd("verify", maxArgs(1, c.runVerify)),
			cmd(runCommand, c.runRun), cmd(proveCommand, c.runProve), cmd("tests", repoAction(1, c.runTests)),
			cmd("stubs", c.runStubs), cmd("drift", repoAction(1, c.runDrift)),
			cmd("attest", repoAction(1, c.runAttest), cmd("verify", repoAction(1, c.runAttestVerify))),
			cmd("explain", maxArgs(1, c.runExplain))),
		group("plan",
			cmd("plan", nil,
				cmd("show", repoAction(1, c.runShow)), cmd("next", repoAction(0, c.runNext)), cmd("add", c.runAdd),
				cmd("complete", c.statusAction("is complete", plan.CompleteUnit)),
				cmd("reopen", c.statusAction("is open again", plan.ReopenUnit)),
				cmd("replan", c.recordAction(plan.ReplanSlice, "is planned again for ", "blocker", "TASK")),
				cmd("reassess", c.recordAction(plan.ReassessMilestone, "is reassessed after ", "completed", "SLICE")),
				cmd("lint", repoAction(0, c.runLint)), cmd("lease", c.onUnit(c.runLease)), cmd("release", c.onUnit(c.runRelease)),
				cmd("owner", c.onUnit(c.runOwner))),
			cmd("loop", repoAction(0, c.runLoop)),
			cmd("heartbeat", nil,
				cmd("lint", c.inHeartbeat(0, c.runHeartbeatLint)), cmd("next", c.inHeartbeat(0, c.runHeartbeatNext)),
				cmd("verify", c.inHeartbeat(math.MaxInt, c.runHeartbeatVerify)),
				cmd("interval", maxArgs(0, c.runHeartbeatInterval))),
			cmd("mcp", maxArgs(0, c.runMCP))),
		group("record",
			cmd("worklog", nil,
				cmd("start", maxArgs(0, c.runWorklogStart)), cmd("log", maxArgs(0, c.runWorklogLog)),
				cmd("checkpoint", maxArgs(0, c.runWorklogCheckpoint)), cmd("finish", maxArgs(0, c.runWorklogFinish)),
				cmd("list", maxArgs(0, c.runWorklogList)), cmd("show", maxArgs(1, c.runWorklogShow)),
				cmd("gc", maxArgs(0, c.runWorklogGC))),
			cmd("score", c.runScore, cmd("history", maxArgs(0, c.runScoreHistory)),
				cmd("explain", maxArgs(1, c.runScoreExplain)), cmd("feedback", maxArgs(1, c.runFeedback))),
			cmd("audit", c.runAudit, cmd("verify", maxArgs(0, c.runAuditVerify))),
			c.serve(), cmd("report", maxArgs(1, c.runReport))),
		group("setup",
			cmd("demo", maxArgs(0, c.runDemo)), cmd("init", maxArgs(1, c.runInit)), cmd("install", maxArgs(0, c.runInstall)),
			cmd("uninstall", maxArgs(0, c.runUninstall)), cmd("doctor", maxArgs(0, c.runDoctor)),
			cmd("policy", c.runPolicy, cmd("check", maxArgs(1, c.runPolicyCheck))), cmd("agent", nil, c.agentHook()),
			c.hook(), cmd("completion", maxArgs(1, c.runCompletion)), cmd("help", nil),
			cmd("version", maxArgs(0, func(call *cli.Context) error { cli.ShowVersion(call); return nil }))),
	)
}

func cmd(name string, action cli.ActionFunc, below ...*cli.Command) *cli.Command {
	return &cli.Command{Name: name, Action: action, Subcommands: below}
}

func group(name string, commands ...*cli.Command) []*cli.Command {
	for _, cmd := range commands {
		cmd.Category = name
	}
	return commands
}
