package gate

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/acta-git/acta/evidence/lang"
)

// triggers reports what starts a workflow less often than before.
func (c *comparison) triggers() {
	for i := range c.old.triggers {
		b := &c.old.triggers[i]
		of := func(t trigger) bool { return t.workflow == b.workflow }
		if !b.followsCode() || notGates.MatchString(base(b.workflow)) || !slices.ContainsFunc(c.now.triggers, of) {
			continue
		}
		k := slices.IndexFunc(c.now.triggers, func(t trigger) bool { return t.workflow == b.workflow && t.event == b.event })
		if k < 0 {
			follows := func(t trigger) bool { return t.workflow == b.workflow && t.followsCode() }
			if slices.ContainsFunc(c.now.triggers, follows) { // else each of its checks is told
				c.eventGone(b)
			}
			continue
		}
		if less := b.less(&c.now.triggers[k]); less != "" {
			c.started(b, c.now.triggers[k].at, "«"+b.event+"» starts "+base(b.workflow)+" less often: "+less)
		}
	}
}

// eventGone reports an event that starts a workflow no more, where no other one does for the same code. What is merged
// was pushed: a push of every branch is as good.
func (c *comparison) eventGone(b *trigger) {
	all := false
	for _, t := range c.now.triggers {
		if t.workflow != b.workflow {
			continue
		}
		switch t.event {
		case "pull_request", "pull_request_target", "workflow_call", "merge_group":
			all = true
		case "push":
			all = all || t.branches == nil && t.paths == nil && t.pathsIgnore == nil
		case "workflow_run":
			all = true
		}
	}
	if c.started(b, Place{}, "«"+b.event+"» no longer starts "+base(b.workflow)); all {
		c.found[len(c.found)-1].Excuse = "another event starts it"
	}
}

func (c *comparison) started(b *trigger, at Place, message string) {
	c.found = append(c.found, Loosening{Form: "trigger narrowed", Subject: base(b.workflow) + ": " + b.event,
		Before: b.at, After: at, Message: message})
}

// mainBranches are the names that the branch has to which work is merged.
var mainBranches = lang.Lazy(`^\**/?\**$|^(main|master|develop|dev|trunk|next|default)$|^\d+(\.[\dx*]+)+$|` +
	`\$default-branch|__`)

// holdsMain reports a pattern with a star that matches the usual name of the branch to which work is merged.
func holdsMain(pattern string) bool {
	return strings.Contains(pattern, "*") && slices.ContainsFunc([]string{"main", "master"}, func(name string) bool {
		ok, err := doublestar.Match(pattern, name)
		return ok && err == nil
	})
}

// prose matches a path of what is read, and not run.
var prose = lang.Lazy(`(?i)\.(md|rst|txt|adoc|png|svg|jpe?g|gif|html)$|(^|/)(docs?|documentation|licen[sc]e|` +
	`website|site|examples?|\.github|\.vscode|\.idea|changelog|readme|authors|codeowners|` +
	`gemfile\.lock|\.changeset|assets|images?)\b|^\.[\w.]+$`)

// less says what a later version of a trigger is not for any more; "" where that is nothing that is built.
func (t *trigger) less(now *trigger) string {
	main := func(branches []string) bool {
		is := branches == nil
		for _, b := range branches { // the last one that matches decides
			pattern, not := strings.CutPrefix(b, "!")
			if mainBranches.MatchString(pattern) || holdsMain(pattern) {
				is = !not
			}
		}
		return is
	}
	if main(t.branches) && !main(now.branches) {
		return "«branches: " + brief(strings.Join(now.branches, ", ")) + "»"
	}
	for _, p := range added(t.branchesIgnore, now.branchesIgnore) {
		if mainBranches.MatchString(p) {
			return "«branches-ignore: " + p + "»"
		}
	}
	for _, p := range added(t.pathsIgnore, now.pathsIgnore) {
		if !prose.MatchString(p) {
			return "«paths-ignore: " + p + "»"
		}
	}
	if t.types == nil && now.types != nil && !slices.Contains(now.types, "synchronize") {
		return "«types: " + strings.Join(now.types, ", ") + "»"
	}
	lost := added(now.paths, t.paths)
	if len(lost) > 0 && now.paths != nil && len(now.paths) < len(t.paths) {
		return "it no longer looks at «" + lost[0] + "»"
	}
	if t.paths == nil && t.pathsIgnore == nil && now.paths != nil && !slices.ContainsFunc(now.paths, isBroad) {
		return "«paths: " + brief(strings.Join(now.paths, ", ")) + "»"
	}
	return ""
}

// isBroad reports a pattern of paths that holds a whole tree.
func isBroad(pattern string) bool {
	return strings.HasSuffix(pattern, "**") || strings.HasPrefix(pattern, "**")
}

// added are the texts of now that are not in old.
func added(old, now []string) []string {
	return slices.DeleteFunc(slices.Clone(now), func(s string) bool { return slices.Contains(old, s) })
}
