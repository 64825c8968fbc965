package gate

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence/lang"
)

// checks reports the checks of the earlier tree that the later one forgives, narrows or lacks.
func (c *comparison) checks() {
	c.now.checks = slices.DeleteFunc(c.now.checks, func(k check) bool { return !k.isGate() })
	old := slices.DeleteFunc(slices.Clone(c.old.checks), func(k check) bool { return !k.strict() || !k.isGate() })
	taken := make([]bool, len(c.now.checks))
	pairs := make([]int, len(old)) // index of the later check, -1 for none
	for i := range pairs {
		pairs[i] = -1
	}
	for least := 100; least > 0; least -= 10 { // the best pairs first
		for i := range old {
			for k := range c.now.checks {
				if pairs[i] < 0 && !taken[k] && likeness(&old[i], &c.now.checks[k]) >= least {
					pairs[i], taken[k] = k, true
				}
			}
		}
	}
	for i := range old {
		if pairs[i] >= 0 {
			split := slices.ContainsFunc(c.now.checks, func(a check) bool {
				k := slices.IndexFunc(c.now.checks, func(x check) bool { return x.at == a.at && x.name == a.name })
				return !taken[k] && a.strict() && a.name == old[i].name
			})
			c.compareChecks(&old[i], &c.now.checks[pairs[i]], split)
		} else {
			c.gone(&old[i])
		}
	}
}

// likeness says how much a check of the later tree is one of the earlier, from 0 to 100.
func likeness(b, a *check) int {
	if !replaces(b, a) {
		return 0
	}
	n := 10
	if a.name == b.name {
		n += 40 + 20*common(a.args, b.args)/100
	}
	if a.at.Path == b.at.Path {
		n += 10
		if a.unit == b.unit {
			n += 10
		}
	}
	if a.strict() {
		n += 10
	}
	return n
}

// common is how many of a hundred words two lists have in common.
func common(a, b []string) int {
	if len(a)+len(b) == 0 {
		return 100
	}
	n := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			n += 2
		}
	}
	return 100 * n / (len(a) + len(b))
}

// replaces reports whether a check may stand for an earlier one: the same tool, or another for the same.
func replaces(b, a *check) bool {
	if a.of != b.of {
		return false
	}
	if a.name == b.name || a.unit == inSettings || b.unit == inSettings {
		return a.name == b.name
	}
	if a.world != b.world && a.world != "" && b.world != "" {
		return false
	}
	kin := family(a.name) != "" && family(a.name) == family(b.name)
	return kin || a.purpose == b.purpose || a.purpose == forAll || b.purpose == forAll ||
		(b.purpose == forLint || b.purpose == forFormat) && a.manySided(b)
}

// family is what a task and its variants have in common, with what runs it: «script test» of «script test:types».
func family(task string) string {
	first, _, variant := strings.Cut(task, ":")
	if !variant || !strings.Contains(first, " ") {
		return ""
	}
	return first
}

// compareChecks reports what a later check asks less than the one it stands for.
func (c *comparison) compareChecks(b, a *check, split bool) {
	switch {
	case a.off != "":
		c.report("check switched off", b, a.at, fmt.Sprintf("%s is switched off by «%s»", b.title(), brief(a.off)))
	case a.forgiven != "":
		c.report("failure ignored", b, a.at, fmt.Sprintf("%s may fail unseen: «%s»", b.title(), brief(a.forgiven)))
	case a.seldom && !b.seldom:
		c.report("trigger narrowed", b, a.at, b.title()+" is no longer started by a change of the code")
	case a.name == b.name && !split:
		c.compareOptions(b, a)
		c.compareTargets(b, a)
	case !split && a.purpose == b.purpose && !c.elsewhere(b):
		c.compareTargets(b, a)
	}
	if a.dir != b.dir && a.dir != "" && !c.stillThere(a.dir) {
		c.report("check narrowed", b, a.at, fmt.Sprintf("%s is run in «%s», which is not there", b.title(), brief(a.dir)))
	}
}

// elsewhere reports whether a check is run in the later tree by its name.
func (c *comparison) elsewhere(b *check) bool {
	return slices.ContainsFunc(c.now.checks, func(a check) bool { return a.strict() && a.name == b.name })
}

// gone reports a check that nothing of the changed files stands for.
func (c *comparison) gone(b *check) {
	if b.called && !c.unitStands(b) {
		return // who calls it fails now, or does not call it any more
	}
	if target, made := strings.CutPrefix(b.name, "make "); made && c.hadNone(b, target) {
		return
	}
	again := func(a check) bool {
		return a.strict() && a.isGate() && plainName(a.name) == plainName(b.name) && a.of == b.of &&
			(b.seldom || !a.seldom) && a.looksAt(b)
	}
	excuse := ""
	if slices.ContainsFunc(c.now.checks, func(a check) bool {
		one := !c.unitStands(b) || b.called && b.unit == inSettings // of several that did the same
		return again(a) && (one || a.at.Path == b.at.Path && a.unit == b.unit)
	}) {
		return
	}
	for _, a := range c.unchanged().checks {
		switch {
		case again(a) && (!a.called || path.Dir(a.at.Path) == "." && c.isCalled(a.unit)):
			excuse = "it is run in " + a.at.Path
		case excuse == "" && a.strict() && !a.called && replaces(b, &a) && c.serviceGone(b):
			excuse = "another check of its kind is run in " + a.at.Path
		}
	}
	builds := func(a check) bool { return a.strict() && a.world == b.world }
	if b.purpose == forBuild && slices.ContainsFunc(c.now.checks, builds) {
		excuse = cmp.Or(excuse, "other checks build it")
	}
	if b.purpose == forLint || b.purpose == forFormat {
		if i := slices.IndexFunc(c.now.checks, func(a check) bool {
			had := func(o check) bool { return o.name == a.name }
			return a.strict() && a.manySided(b) && !slices.ContainsFunc(c.old.checks, had)
		}); i >= 0 {
			excuse = cmp.Or(excuse, "«"+c.now.checks[i].name+"» may stand for it")
		}
	}
	if purposeOf(b.unit) == forBuild && b.purpose == forTypes && slices.ContainsFunc(c.now.checks, func(a check) bool {
		return a.strict() && a.name == b.name && purposeOf(a.unit) == forBuild
	}) {
		excuse = cmp.Or(excuse, "another build runs it")
	}
	if b.seldom {
		excuse = cmp.Or(excuse, "no change of the code started it")
	}
	c.report("check removed", b, Place{}, b.title()+" is no longer run")
	c.found[len(c.found)-1].Excuse = excuse
}

// isGate reports whether a check stands in what decides whether code is good, not in what brings it out or mends it.
func (c *check) isGate() bool {
	file := base(c.at.Path)
	return !strings.HasPrefix(c.at.Path, "docs/") && !notGates.MatchString(file) &&
		(c.unit == file || !notGates.MatchString(c.unit))
}

// notGates matches the names of files and jobs that bring out what is built, or mend it, and check nothing themselves.
var notGates = lang.Lazy(`(?i)(^|[^a-z])(publish|snapshot|nightly|bench(mark)?s?|docs?|pages|wheels?|fix|` +
	`canary)([^a-z]|$)|^(format|fmt)$|deploy|release`)

// plainName is the name of a check without what only asks for a report of its coverage.
func plainName(name string) string {
	if script, ok := strings.CutPrefix(name, "run "); ok {
		return "run " + strings.ReplaceAll(strings.TrimSuffix(script, path.Ext(script)), "_", "-")
	}
	for _, part := range []string{"-codecov", "-coverage", "-cov", ":coverage", ":cov", "-ci", ":ci"} {
		name = strings.TrimSuffix(name, part)
	}
	return name
}

// manySided reports a tool that does what several linters and formatters of its world do.
func (c *check) manySided(b *check) bool {
	switch strings.TrimSuffix(strings.TrimPrefix(c.name, "hook "), "-check") {
	case "ruff", "ruff-format", "biome", "golangci-lint", "pre-commit", "prek", "standard", "trunk check":
		return c.world == "" || b.world == "" || c.world == b.world
	}
	return false
}

// unitStands reports whether the script or the target of a check is there in the later version of its file.
func (c *comparison) unitStands(b *check) bool {
	for _, f := range c.files {
		if f.Path != b.at.Path || f.After == nil {
			continue
		}
		switch b.unit {
		case base(f.Path), "":
			return true
		}
		name := regexp.QuoteMeta(b.unit)
		unit := lang.Lazy(`(?m)(^|["'\s\[])` + name + `["']?\s*([:(]|$)|^\[([^\]\n]*\W)?` + name + `\]`)
		return unit.Match(f.After)
	}
	return false
}

// serviceGone reports whether the file of a check is gone, and was not one of several of its service.
func (c *comparison) serviceGone(b *check) bool {
	return slices.ContainsFunc(c.files, func(f File) bool {
		return f.Path == b.at.Path && f.After == nil && !strings.Contains(f.Path, ".github/")
	})
}

// isCalled reports whether something runs a script or a target by itself.
func (c *comparison) isCalled(unit string) bool {
	calls := func(k check) bool {
		return k.strict() && k.isGate() && !k.called && !k.seldom && k.of == "" && k.dir == "" &&
			strings.HasSuffix(k.name, " "+unit)
	}
	return slices.ContainsFunc(c.now.checks, calls) || slices.ContainsFunc(c.unchanged().checks, calls)
}

// unchanged is what the files of the later tree ask that are the same in both.
func (c *comparison) unchanged() *surface {
	if c.rest != nil {
		return c.rest
	}
	c.rest = &surface{ctx: c.ctx}
	paths, err := c.after.Paths(c.ctx)
	for _, path := range paths {
		if err != nil || !MayBeGate(path) || slices.ContainsFunc(c.files, func(f File) bool { return f.Path == path }) {
			continue
		}
		var src []byte
		if src, err = c.after.Read(c.ctx, path); err == nil {
			c.known.read(c.rest, path, src)
		}
	}
	if c.err == nil {
		c.err = err
	}
	return c.rest
}

// title is how a check is called: the tool, and where it stands.
func (c *check) title() string {
	switch c.unit {
	case "":
		return "«" + c.name + "»"
	case inSettings:
		return "«" + strings.TrimSuffix(c.name, " …") + "», as it is configured,"
	}
	return fmt.Sprintf("«%s» of %s", c.name, c.unit)
}

// report adds what is asked less of a check.
func (c *comparison) report(form string, b *check, at Place, message string) {
	subject := strings.TrimPrefix(b.unit+": "+b.name, ": ")
	if slices.ContainsFunc(c.found, func(l Loosening) bool { // one of a list that an alias repeats
		return l.Form == form && l.Subject == subject && l.Before == b.at && l.After == at
	}) {
		return
	}
	c.found = append(c.found, Loosening{Form: form, Subject: subject, Before: b.at, After: at, Message: message})
}

// brief is a text of one line and at most 60 characters.
func brief(text string) string { return diag.Brief(text, 60) }
