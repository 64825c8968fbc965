package gate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/acta-git/acta/shell"
)

// readPipeline reads the YAML of a build service that has scripts in jobs: GitLab, CircleCI, Azure, Travis, Bitbucket,
// Buildkite, AppVeyor, Cirrus, Woodpecker, Taskfile. They call the same things by few names.
func readPipeline(s *surface, f *source) {
	if root := readYAML(f.src); root != nil {
		p := pipeline{s: s, f: f}
		p.walk(root, "", "", "")
	}
}

type pipeline struct {
	s *surface
	f *source
}

// scripts are the keys that a script stands at, a text or a list of them.
var scripts = []string{"script", "before_script", "test_script", "run", "command", "commands", "cmds", "cmd", "bash",
	"sh", "pwsh", "powershell", "install"}

// walk reads what stands below a key, which is the unit where no job around it has a name.
func (p *pipeline) walk(v *value, unit, forgiven, off string) {
	forgiven, off = cmp.Or(forgivenJob(v), forgiven), cmp.Or(offJob(v), off)
	for _, item := range v.items {
		p.walk(item, unit, forgiven, off)
	}
	for _, k := range v.fields {
		if k.key == "after_success" || k.key == "install" && !strings.Contains(p.f.path, "travis") {
			continue
		}
		if slices.Contains(scripts, k.key) || strings.HasSuffix(k.key, "_script") {
			if command := k.at("command"); command != nil { // of CircleCI
				p.script(command, unit, cmp.Or(forgivenJob(k.value), forgiven), off)
			}
			p.script(k.value, unit, forgiven, off)
			continue
		}
		name := unit
		if k.fields != nil && !slices.Contains([]string{"jobs", "steps", "stages", "default", "tasks", "variables"}, k.key) {
			name = k.key
		}
		p.walk(k.value, cmp.Or(k.str("displayName"), name), forgiven, off)
	}
}

// script reads a text, or the lines of a list as one script.
func (p *pipeline) script(v *value, unit, forgiven, off string) {
	texts := v.items
	if texts == nil {
		texts = []*value{v}
	}
	for _, text := range texts {
		if text.fields != nil {
			p.walk(text, unit, forgiven, off)
		}
		p.s.addScript(p.f, script{shell.Mode{ErrExit: true, PipeFail: true}, text.text, text.lineOf,
			check{unit: unit, off: off, forgiven: forgiven}})
	}
}

// forgivenJob says why nothing fails where a job or a step does; "" where something does.
func forgivenJob(v *value) string {
	for _, key := range []string{"allow_failure", "continueOnError", "soft_fail", "ignore_error", "allow_failures"} {
		if isTrue(v.str(key)) {
			return key + ": true"
		}
	}
	if v.str("failure") == "ignore" { // of Woodpecker
		return "failure: ignore"
	}
	return ""
}

// offJob says why a job or a step is not run by itself; "" where it is.
func offJob(v *value) string {
	if when := v.str("when"); when == "never" || when == "manual" || when == "on_failure" {
		return "when: " + when
	}
	for _, key := range []string{"condition", "enabled", "if"} {
		if k := v.at(key); k != nil && k.text != "" && isFalse(k.text) {
			return key + ": " + k.text
		}
	}
	return ""
}
