package gate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/shell"
)

// readWorkflow reads a workflow of GitHub Actions.
func readWorkflow(s *surface, f *source) {
	root := readYAML(f.src)
	if root == nil {
		return
	}
	first := len(s.checks)
	if steps := root.at("runs"); steps != nil { // an action of steps
		j := workflowJob{f: f, name: root.str("name"), value: steps}
		j.read(s, field{value: steps})
	}
	for _, job := range fieldsOf(root.at("jobs")) {
		j := workflowJob{f: f, name: job.key, value: job.value, shell: root.str("defaults", "run", "shell")}
		j.shell = cmp.Or(job.str("defaults", "run", "shell"), j.shell)
		j.dir = cmp.Or(job.str("defaults", "run", "working-directory"), root.str("defaults", "run", "working-directory"))
		j.forgiven, j.off = forgivenStep(job.value), switchedOff(job.value)
		j.read(s, job)
	}
	events := readEvents(f, root.at("on"))
	for i := range s.checks[first:] {
		s.checks[first+i].seldom = events != nil && !slices.ContainsFunc(events, trigger.followsCode)
		s.checks[first+i].called = events == nil
	}
	if len(s.checks) > first {
		s.triggers = append(s.triggers, events...)
	}
}

func fieldsOf(v *value) []field {
	if v == nil {
		return nil
	}
	return v.fields
}

// workflowJob is a job that is read, with what holds for all its steps.
type workflowJob struct {
	*value
	f                               *source
	name, shell, dir, forgiven, off string
	// others are the repositories that it checks out and that are not its own, by their folders.
	others map[string]string
}

func (j *workflowJob) read(s *surface, job field) {
	if uses := job.str("uses"); uses != "" { // another workflow
		if p := purposeOf(base(uses) + " " + j.name); p != "" {
			c := check{tool: tool{p, ""}, name: "workflow " + base(strings.Split(uses, "@")[0])}
			j.add(s, c, j.f.place(job.line, job.end))
		}
	}
	for _, step := range job.list("steps") {
		j.checksOut(step)
		of := *j
		of.forgiven = cmp.Or(forgivenStep(step), j.forgiven)
		of.off = cmp.Or(switchedOff(step), j.off)
		of.shell = cmp.Or(step.str("shell"), j.shell)
		of.dir = cmp.Or(step.str("working-directory"), j.dir)
		of.step(s, step)
	}
}

// checksOut notes another repository that a step checks out.
func (j *workflowJob) checksOut(step *value) {
	repository := step.str("with", "repository")
	if !strings.HasPrefix(step.str("uses"), "actions/checkout@") || strings.Contains(repository, "${{ github.") {
		return
	}
	if j.others == nil {
		j.others = map[string]string{}
	}
	j.others[strings.Trim(step.str("with", "path"), "./")] = repository
}

// forgivenStep says why nothing fails where a step or a job does; "" where something does.
func forgivenStep(v *value) string {
	if isTrue(v.str("continue-on-error")) {
		return "continue-on-error: true"
	}
	return ""
}

// switchedOff says why a step or a job is never run; "" where it may be.
func switchedOff(v *value) string {
	if c := v.at("if"); c != nil && (isFalse(c.text) || neverHolds(c.text)) {
		return "if: " + c.text
	}
	return ""
}

func (j *workflowJob) step(s *surface, step *value) {
	for _, text := range j.scripts(step) {
		of := check{unit: j.name, forgiven: j.forgiven, off: j.off}
		if !strings.Contains(j.dir, "$") {
			of.dir = strings.TrimSuffix(strings.TrimPrefix(j.dir, "./"), "/")
		}
		of.of = cmp.Or(j.others[of.dir], j.others[""])
		sh := shell.Mode{ErrExit: !strings.Contains(j.shell, "{0}") || strings.Contains(j.shell, "-e")}
		sh.PipeFail = j.shell == "bash" || strings.Contains(j.shell, "pipefail")
		s.addScript(j.f, script{sh, text.text, text.lineOf, of})
	}
	if uses := step.at("uses"); uses != nil {
		for _, c := range checksOfAction(uses.text, step.at("with")) {
			j.add(s, c, j.f.place(step.line, step.end))
		}
	}
}

// scripts are what a step runs: where a matrix says that, each of its values.
func (j *workflowJob) scripts(step *value) []*value {
	script := step.at("run")
	if script == nil {
		return nil
	}
	if of := fromMatrix.FindStringSubmatch(script.text); of != nil {
		if all := j.list("strategy", "matrix", of[1]); len(all) > 0 {
			return all
		}
	}
	return []*value{script}
}

var fromMatrix = lang.Lazy(`^\s*\$\{\{\s*matrix\.([\w-]+)\s*\}\}\s*$`)

// lineOf is the line of a file in which a line of a script is that stands at a value.
func (v *value) lineOf(line int) int {
	if v.block {
		return v.line + line
	}
	return v.line
}

func (j *workflowJob) add(s *surface, c check, at Place) {
	c.unit, c.at, c.of = j.name, at, cmp.Or(j.others[c.dir], j.others[""])
	c.forgiven, c.off = cmp.Or(c.forgiven, j.forgiven), cmp.Or(c.off, j.off)
	s.checks = append(s.checks, c)
}

// checksOfAction are the checks that an action runs, as its name and what it is given tell.
func checksOfAction(uses string, with *value) []check {
	name, _, _ := strings.Cut(strings.TrimPrefix(uses, "docker://"), "@")
	if strings.HasPrefix(name, "./") {
		if p := purposeOf(name); p != "" {
			return []check{{tool: tool{p, ""}, name: "action " + name}}
		}
		return nil
	}
	var given []string
	for _, key := range []string{"command", "cmd", "arguments", "args", "run", "tasks"} {
		given = append(given, strings.Fields(with.str(key))...)
	}
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '/' || r == '_' })
	for _, part := range slices.Backward(words) {
		part, _, _ = strings.Cut(part, ":")
		part = strings.TrimSuffix(strings.TrimSuffix(part, "-action"), "-check")
		part = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(part, "action-"), "actions-"), "gh-action-")
		switch part {
		case "clippy":
			part = "cargo clippy"
		case "gradle-build", "gradle":
			part = "gradle"
		case "analyze":
			part = "codeql"
		}
		if all := checksOf(shell.Run{Words: append(strings.Fields(part), given...)}); all != nil {
			return all
		}
	}
	if named := words[len(words)-1]; runsChecks.MatchString(named) {
		return []check{{tool: tool{purposeOf(named), ""}, name: "action " + name}}
	}
	var all []check
	for _, given := range fieldsOf(with) {
		if commands.MatchString(given.key) {
			for _, r := range readScript(given.text, shell.Mode{ErrExit: true}) {
				all = append(all, checksOf(r)...)
			}
		}
	}
	return all
}

// commands matches what an action is told to run, whatever it is called itself.
var commands = lang.Lazy(`(?i)(command|cmd|script|run)$`)

// runsChecks matches the names of actions that say that they run tests or a linter.
var runsChecks = lang.Lazy(`^run-([a-z0-9]+-)*(tests?|lint(er|ers)?)$`)

// trigger is what starts a workflow.
type trigger struct {
	workflow, event string
	// only are the branches, paths and types that it is for, without those that it is not for.
	branches, branchesIgnore, paths, pathsIgnore, types []string
	at                                                  Place
}

// followsCode reports a trigger that a change of the code is.
func (t trigger) followsCode() bool {
	switch t.event {
	case "push", "pull_request", "pull_request_target", "merge_group", "workflow_call", "workflow_run":
		return true
	}
	return false
}

// readEvents reads what starts a workflow.
func readEvents(f *source, on *value) []trigger {
	var all []trigger
	for _, name := range on.list() {
		all = append(all, trigger{workflow: f.path, event: name.text, at: f.place(name.line, name.line)})
	}
	for _, e := range fieldsOf(on) {
		t := trigger{workflow: f.path, event: e.key, at: f.place(e.line, e.end)}
		for key, to := range map[string]*[]string{"branches": &t.branches, "branches-ignore": &t.branchesIgnore,
			"paths": &t.paths, "paths-ignore": &t.pathsIgnore, "types": &t.types} {
			for _, v := range e.list(key) {
				*to = append(*to, v.text)
			}
		}
		// Tags alone: a release.
		if t.event == "push" && e.at("tags") != nil && t.branches == nil && t.branchesIgnore == nil {
			t.event = "push of tags"
		}
		all = append(all, t)
	}
	return all
}
