package gate

import (
	_ "embed"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

//go:embed options.txt
var optionsText string

// optionRows are the lines of options.txt.
var optionRows = rowsOf(&optionsText)

// meaning is what an option means to a tool: narrows, forgives or asks, "" where nothing is known of it.
func meaning(tool, option string) string {
	name, _, _ := strings.Cut(option, "=")
	name, _, _ = strings.Cut(name, ":")
	if !strings.HasPrefix(option, "-") {
		return ""
	}
	for _, row := range optionRows() {
		if row[0] == "flag" || row[0] == "valued" {
			continue
		}
		tools := strings.Split(strings.ReplaceAll(row[1], ":", " "), ",")
		if row[1] != "-" && !slices.Contains(tools, tool) && !strings.HasPrefix(tool, tools[0]+" ") {
			continue
		}
		if slices.Contains(row[2:], option) || slices.Contains(row[2:], name) {
			return row[0]
		}
	}
	return ""
}

// option is an option of a check that means something, with its value.
type option struct{ name, value, meaning string }

func (o option) String() string {
	if o.value == "" || strings.HasSuffix(o.name, o.value) {
		return o.name
	}
	return o.name + " " + o.value
}

// options are those of a check that mean something.
func (c *check) options() []option {
	var all []option
	for i, w := range c.args {
		m := meaning(c.name, w)
		if m == "" || valueOf(w) == "false" && m != "asks" {
			continue
		}
		name, value, ok := strings.Cut(w, "=")
		if !ok && i+1 < len(c.args) && !strings.HasPrefix(c.args[i+1], "-") && !optionRows.has("flag", w) {
			value = c.args[i+1]
		}
		if isShare(name, value) || strings.HasPrefix(name, "--exclude") && ofBrowsers.MatchString(value) {
			continue
		}
		all = append(all, option{name, value, m})
	}
	return all
}

// isShare reports an option that takes one share of the tests, where a matrix or an input says which.
func isShare(name, value string) bool {
	return (name == "--shard" || name == "--project") && strings.Contains(value, "__expression__")
}

// ofBrowsers matches the folders of tests that another runner has: those that drive a browser.
var ofBrowsers = lang.Lazy(`(?i)^(\./|\*\*/)*(e2e|cypress|playwright)(/|$)`)

// sharedOut reports whether another check of the tool has the same option with another value: each runs its share.
func (c *comparison) sharedOut(a *check, o option) bool {
	return slices.ContainsFunc(c.now.checks, func(k check) bool {
		return k.name == a.name && k.at != a.at && slices.ContainsFunc(k.options(), func(other option) bool {
			return other.name == o.name && other.value != o.value
		})
	})
}

// valueOf is what an option is given behind its sign, "" for none.
func valueOf(word string) string {
	_, value, _ := strings.Cut(word, "=")
	return value
}

// compareOptions reports the options of a check by which it looks at less, forgives more or asks less than before.
func (c *comparison) compareOptions(b, a *check) {
	old, now := b.options(), a.options()
	var less []string
	more := slices.ContainsFunc(now, func(o option) bool { return o.meaning == "asks" && !slices.Contains(old, o) })
	for _, o := range now {
		same := slices.IndexFunc(old, func(x option) bool { return x.name == o.name })
		switch {
		case o.meaning == "asks" || slices.Contains(old, o) || o.meaning == "narrows" && c.sharedOut(a, o):
		case o.meaning == "forgives":
			c.report("failure ignored", b, a.at, b.title()+" may fail unseen: «"+brief(o.String())+"»")
		case same < 0 || narrower(old[same].value, o.value) || counted(old, o.name) < counted(now, o.name):
			less = append(less, o.String())
		}
	}
	if less != nil && !more {
		c.report("check narrowed", b, a.at, b.title()+" looks at less: «"+brief(strings.Join(less, " "))+"»")
		narrows := func(o option) bool { return o.meaning == "narrows" }
		if slices.ContainsFunc(c.now.checks, func(k check) bool {
			return k.strict() && k.name == b.name && k.purpose == b.purpose && !k.seldom && k.at != a.at &&
				!slices.ContainsFunc(k.options(), narrows)
		}) {
			c.found[len(c.found)-1].Excuse = "it is run in full elsewhere"
		}
	}
	for _, o := range old {
		if o.meaning != "asks" {
			continue
		}
		i := slices.IndexFunc(now, func(x option) bool { return x.name == o.name })
		switch {
		case i < 0 && !c.stillSaid(a, o):
			c.report("option lost", b, a.at, b.title()+" no longer has «"+brief(o.String())+"»")
		case i >= 0 && lowered(o, now[i]):
			c.report("threshold lowered", b, a.at,
				b.title()+" asks less: «"+brief(now[i].String())+"» after «"+brief(o.String())+"»")
		}
	}
}

func counted(all []option, name string) (n int) {
	for _, o := range all {
		if o.name == name {
			n++
		}
	}
	return n
}

// narrower reports a value that leaves out what an earlier one did, and more.
func narrower(before, after string) bool {
	return before != after && before != "" && strings.Contains(after, before) && !strings.Contains(after, " or ")
}

// lowered reports a number that asks less than before.
func lowered(before, after option) bool {
	x, err1 := strconv.ParseFloat(before.value, 64)
	y, err2 := strconv.ParseFloat(after.value, 64)
	if err1 != nil || err2 != nil {
		return false
	}
	if strings.Contains(before.name, "max") {
		return y > x
	}
	return y < x
}

// stillSaid reports an option that stands elsewhere in the later version of the file of a check, as in a variable, or
// that a configuration of the tool took over.
func (c *comparison) stillSaid(a *check, o option) bool {
	for _, f := range c.files {
		text := string(f.After)
		if f.Path == a.at.Path && (strings.Contains(text, o.name+" "+o.value) || strings.Contains(text, o.name+o.value)) {
			return true
		}
		key := strings.ReplaceAll(strings.TrimLeft(o.name, "-"), "cov-", "")
		if i := strings.LastIndex(o.value, "::"); i >= 0 {
			key = o.value[i+2:]
		}
		for _, name := range []string{key, strings.ReplaceAll(key, "-", "_")} {
			if f.Path != a.at.Path && strings.Contains(text, name) && !strings.Contains(string(f.Before), name) {
				return true
			}
		}
	}
	return false
}

// targets are what a check is told to look at; sure: every word that is none is known as an option or its value.
func (c *check) targets() (all []string, sure bool) {
	sure = true
	for i, w := range c.args {
		if strings.HasPrefix(w, "-") || strings.HasPrefix(w, ">") || strings.HasPrefix(w, "2>") {
			continue
		}
		if i > 0 && strings.HasPrefix(c.args[i-1], "-") && !strings.Contains(c.args[i-1], "=") {
			if !optionRows.has("flag", c.args[i-1]) {
				sure = sure && optionRows.has("valued", c.args[i-1])
				continue
			}
		}
		if strings.ContainsAny(w, "$*{") || strings.Contains(w, "__expression__") || strings.Contains(w, "{{") {
			return nil, false
		}
		all = append(all, w)
	}
	return all, sure
}

// compareTargets reports what a check was told to look at and is not now.
func (c *comparison) compareTargets(b, a *check) {
	old, sureOld := b.targets()
	now, sureNow := a.targets()
	if !sureOld || !sureNow {
		return
	}
	if b.purpose == forTests && len(old) == 0 && len(now) > 0 && !slices.ContainsFunc(now, isNoTestFile) {
		c.report("check narrowed", b, a.at, b.title()+" looks at single files: «"+brief(strings.Join(now, " "))+"»")
		return
	}
	if b.name != a.name || strings.HasPrefix(b.name, "script ") || b.name == "mvn" {
		return
	}
	if len(old) == 0 && slices.ContainsFunc(now, isPart) {
		c.report("check narrowed", b, a.at, b.title()+" looks at less: «"+brief(strings.Join(now, " "))+"»")
		return
	}
	for _, t := range old {
		if covers(now, t) || c.coveredBy(b.name, t) || !c.stillThere(t) {
			continue
		}
		c.report("check narrowed", b, a.at, b.title()+" no longer looks at «"+brief(t)+"»")
		return
	}
}

// looksAt reports whether a check looks at all that another one does, as far as its options and targets tell.
func (c *check) looksAt(b *check) bool {
	asked := b.options()
	if slices.ContainsFunc(c.options(), func(o option) bool { return o.meaning != "asks" && !slices.Contains(asked, o) }) {
		return false
	}
	old, sureOld := b.targets()
	now, sureNow := c.targets()
	if !sureOld || len(old) == 0 {
		return c.at.Path == b.at.Path || !slices.ContainsFunc(now, isPart)
	}
	return sureNow && len(now) > 0 && !slices.ContainsFunc(old, func(t string) bool { return !covers(now, t) })
}

// isPart reports a target that is less than a tree of tests or of sources.
func isPart(target string) bool {
	target = strings.TrimSuffix(strings.TrimPrefix(target, "./"), "/")
	return strings.Contains(target, "::") || strings.Contains(strings.TrimSuffix(target, "/..."), "/") ||
		strings.Contains(target, ".") && target != "." && target != "..."
}

// isNoTestFile reports a target that is not called as a single file of tests is.
func isNoTestFile(target string) bool {
	return !ofTests.MatchString(path.Base(target)) || path.Ext(target) == ""
}

// covers reports whether targets hold another one.
func covers(targets []string, t string) bool {
	t = strings.TrimSuffix(strings.TrimPrefix(t, "./"), "/")
	return len(targets) == 0 || slices.ContainsFunc(targets, func(w string) bool {
		w = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(w, "./"), "..."), "/")
		t = strings.TrimSuffix(strings.TrimSuffix(t, "..."), "/")
		return w == t || w == "." || w == "" || strings.HasPrefix(t, w+"/")
	})
}

// coveredBy reports whether another check of the later tree, of the same tool, looks at a target.
func (c *comparison) coveredBy(name, target string) bool {
	return slices.ContainsFunc(c.now.checks, func(k check) bool {
		targets, sure := k.targets()
		return k.name == name && k.strict() && (!sure || covers(targets, target))
	})
}

// stillThere reports whether a target is a path of the later tree.
func (c *comparison) stillThere(target string) bool {
	target, _, _ = strings.Cut(target, "::")
	target = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(target, "./"), "..."), "/")
	if target == "" || target == "." {
		return true
	}
	ok, err := c.after.Exists(c.ctx, target)
	if err != nil && c.err == nil {
		c.err = err
	}
	return ok
}
