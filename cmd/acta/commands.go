package main

import (
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/plan"
)

// commands are all there are. What they are for and which options they take help.txt says.
func (c command) commands() []*cli.Command {
	return slices.Concat(
		group("claims",
			does("check", here(0, c.runCheck)), does("cite", here(0, c.runCite)), does("verify", atMost(1, c.runVerify)),
			does(runCommand, c.runRun), does(proveCommand, c.runProve), does("tests", here(1, c.runTests)),
			does("stubs", c.runStubs), does("drift", here(1, c.runDrift)),
			does("attest", here(1, c.runAttest), does("verify", here(1, c.runAttestVerify))),
			does("explain", atMost(1, c.runExplain))),
		group("plan",
			does("plan", nil,
				does("show", here(1, c.runShow)), does("next", here(0, c.runNext)), does("add", c.runAdd),
				does("complete", c.settingStatus("is complete", plan.CompleteUnit)),
				does("reopen", c.settingStatus("is open again", plan.ReopenUnit)),
				does("replan", c.recording(plan.ReplanSlice, "is planned again for ", "blocker", "TASK")),
				does("reassess", c.recording(plan.ReassessMilestone, "is reassessed after ", "completed", "SLICE")),
				does("lint", here(0, c.runLint)), does("lease", c.onUnit(c.runLease)), does("release", c.onUnit(c.runRelease)),
				does("owner", c.onUnit(c.runOwner))),
			does("loop", here(0, c.runLoop)),
			does("heartbeat", nil,
				does("lint", c.inHeartbeat(0, c.runHeartbeatLint)), does("next", c.inHeartbeat(0, c.runHeartbeatNext)),
				does("verify", c.inHeartbeat(math.MaxInt, c.runHeartbeatVerify)),
				does("interval", atMost(0, c.runHeartbeatInterval))),
			does("mcp", atMost(0, c.runMCP))),
		group("record",
			does("worklog", nil,
				does("start", atMost(0, c.runWorklogStart)), does("log", atMost(0, c.runWorklogLog)),
				does("checkpoint", atMost(0, c.runWorklogCheckpoint)), does("finish", atMost(0, c.runWorklogFinish)),
				does("list", atMost(0, c.runWorklogList)), does("show", atMost(1, c.runWorklogShow)),
				does("gc", atMost(0, c.runWorklogGC))),
			does("score", c.runScore, does("history", atMost(0, c.runScoreHistory)),
				does("explain", atMost(1, c.runScoreExplain)), does("feedback", atMost(1, c.runFeedback))),
			does("audit", c.runAudit, does("verify", atMost(0, c.runAuditVerify))),
			c.serve(), does("report", atMost(1, c.runReport))),
		group("setup",
			does("demo", atMost(0, c.runDemo)), does("init", atMost(1, c.runInit)), does("install", atMost(0, c.runInstall)),
			does("uninstall", atMost(0, c.runUninstall)), does("doctor", atMost(0, c.runDoctor)),
			does("policy", c.runPolicy, does("check", atMost(1, c.runPolicyCheck))), does("agent", nil, c.agentHook()),
			c.hook(), does("completion", atMost(1, c.runCompletion)), does("help", nil),
			does("version", atMost(0, func(call *cli.Context) error { cli.ShowVersion(call); return nil }))),
	)
}

// does is a command, and those below it.
func does(name string, action cli.ActionFunc, below ...*cli.Command) *cli.Command {
	return &cli.Command{Name: name, Action: action, Subcommands: below}
}

// group puts commands below one heading of `acta --help`.
func group(name string, commands ...*cli.Command) []*cli.Command {
	for _, cmd := range commands {
		cmd.Category = name
	}
	return commands
}
