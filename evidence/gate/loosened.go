package gate

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/acta-git/acta/evidence/lang"
)

// settings reports the settings of tools that ask less than before.
func (c *comparison) settings() {
	var left, lost []demand
	for _, b := range c.old.demandsOf {
		a, ok := c.counterpart(&b)
		switch {
		case ok && a.weight < b.weight:
			c.set(&b, &a)
		case ok:
		case b.way == "keep":
			lost = append(lost, b)
		default:
			c.unset(&b)
		}
	}
	for _, a := range c.now.demandsOf {
		if !c.hadBefore(&a) || slices.ContainsFunc(c.old.demandsOf, func(b demand) bool { return same(&a, &b) }) {
			continue
		}
		switch {
		case a.way == "drop":
			left = append(left, a)
		case a.way != "keep" && a.weight < c.byDefault(&a) && !c.renamed(&a):
			c.set(&demand{tool: a.tool, way: a.way, key: a.key}, &a)
		}
	}
	c.leftOut(left)
	c.noLonger(lost)
}

// same reports demands of one setting, an entry in whichever list of its tool.
func same(a, b *demand) bool {
	return a.tool == b.tool && a.way == b.way && (a.key == b.key || a.way == "drop" && codeOf(a.text) == codeOf(b.text))
}

// codeOf is what an entry leaves out, without the files that it does so for.
func codeOf(entry string) string {
	_, code, ok := strings.Cut(entry, ":")
	if !ok {
		code = entry
	}
	return strings.Trim(strings.TrimSpace(code), `"'/`)
}

// counterpart is the demand of the later tree on the same setting: that of the same file before others'.
func (c *comparison) counterpart(b *demand) (found demand, ok bool) {
	for _, a := range c.now.demandsOf {
		if a.tool != b.tool || a.key != b.key {
			continue
		}
		if a.at.Path == b.at.Path {
			return a, true
		}
		if !ok && !c.askedBefore(&a) {
			found, ok = a, true
		}
	}
	return found, ok
}

// hadBefore reports whether the file of a demand had settings of its tool in the earlier tree.
func (c *comparison) hadBefore(a *demand) bool {
	return slices.Contains(c.old.tools, toolIn{a.tool, a.at.Path})
}

// byDefault is how much a setting asks that the earlier version does not have.
func (c *comparison) byDefault(a *demand) float64 {
	switch a.way {
	case "off", "rule":
		return 1
	case "on":
		if !isNamed("lenient", a.tool) || c.strict(c.old, a) {
			return 1
		}
	case "max":
		if retries.MatchString(a.key) {
			return 0
		}
	case "min":
		if strings.HasSuffix(a.key, "exit-code") {
			return 1
		}
	}
	return -1e9
}

// retries match the keys of numbers that are 0 where nothing is said of them.
var retries = lang.Lazy(`(?i)retr|rerun|threshold$`)

// strict reports whether one setting of a tool turns all others of its kind on.
func (c *comparison) strict(s *surface, of *demand) bool {
	return slices.ContainsFunc(s.demandsOf, func(d demand) bool {
		return d.tool == of.tool && path.Base(d.key) == "strict" && d.weight == 1 && d.key != of.key
	})
}

// set reports a setting that asks less than before.
func (c *comparison) set(b, a *demand) {
	form := map[way]string{"min": "threshold lowered", "max": "threshold lowered", "rule": "rule off"}[a.way]
	was := "«" + brief(b.text) + "»"
	if b.at.Path == "" {
		was = "not set"
	}
	if a.way == "rule" && (c.successor(a) || a.weight > 0 && b.at.Path == "") {
		return
	}
	c.found = append(c.found, Loosening{Form: cmp.Or(form, "setting loosened"), Subject: a.subject(),
		Before: b.at, After: a.at,
		Message: fmt.Sprintf("%s of %s is «%s» and was %s", a.name(), a.tool, brief(a.text), was), Excuse: c.excuse(a)})
}

// excuse says why less may be asked of a setting: for tests alone, or as more is asked elsewhere.
func (c *comparison) excuse(a *demand) string {
	switch {
	case a.way == "min" || a.way == "max" || a.way == "on" || a.way == "off":
		return ""
	case isNamed("tests", a.tool): // what they leave out are tests
	case ofTests.MatchString(a.at.Path),
		ofTests.MatchString(strings.ReplaceAll(a.key, "|", "/")):
		return "it is for tests alone"
	}
	return c.asksMore(a)
}

// ofTests match the paths of tests, and the patterns for them.
var ofTests = lang.Lazy(`(?i)(^|[/*._-])(tests?|specs?|__tests__|test-d)([/*._:\x00-]|$)`)

// name is how a setting is called: its key.
func (d *demand) name() string {
	key, _, _ := strings.Cut(d.key, "\x00")
	return "«" + strings.ReplaceAll(strings.ReplaceAll(key, "/", "."), "|", "/") + "»"
}

func (d *demand) subject() string { return d.tool + ": " + strings.Trim(d.name(), "«»") }

// unset reports a setting that is gone, where nothing else asks what it asked.
func (c *comparison) unset(b *demand) {
	stands := slices.Contains(c.now.tools, toolIn{b.tool, b.at.Path})
	asked := b.way == "min" && b.weight > 0 || b.way == "on" && b.weight > 0 && isNamed("lenient", b.tool) ||
		b.way == "max" && !retries.MatchString(b.key)
	switch {
	case !asked || !stands && b.way != "min" || b.way == "on" && c.strict(c.now, b):
		return
	case b.way == "min" && slices.ContainsFunc(c.now.demandsOf, func(a demand) bool {
		return a.way == "min" && !c.askedBefore(&a)
	}):
		return // another tool asks now
	}
	form, excuse := "setting loosened", c.asksMore(b)
	if b.way != "on" {
		form = "threshold lowered"
	}
	for _, f := range c.files {
		if f.Path == b.at.Path && strings.Contains(string(f.After), `"extends"`) {
			excuse = cmp.Or(excuse, "what it extends may say it")
		}
	}
	c.found = append(c.found, Loosening{Form: form, Subject: b.subject(), Before: b.at,
		Message: fmt.Sprintf("%s of %s, which was «%s», is gone", b.name(), b.tool, brief(b.text)), Excuse: excuse})
}

// successor reports whether a rule that is off has one of its name that is on now and was not.
func (c *comparison) successor(off *demand) bool {
	rule := strings.TrimSuffix(off.key, "/Enabled") // of RuboCop
	name := off.key[strings.LastIndexAny(rule, "/|")+1:]
	return slices.ContainsFunc(c.now.demandsOf, func(a demand) bool {
		return a.tool == off.tool && a.way == "rule" && a.weight > 1 && a.key != off.key && strings.HasSuffix(a.key, name)
	})
}

// asksMore says what of the same tool asks more than before, "" where nothing does.
func (c *comparison) asksMore(of *demand) string {
	for _, a := range c.now.demandsOf {
		if b, ok := c.earlier(&a); ok && a.tool == of.tool && (a.way == "min" || a.way == "max") && a.weight > b.weight {
			return a.name() + " is «" + brief(a.text) + "» and was «" + brief(b.text) + "»"
		}
		if a.tool != of.tool || a.weight <= 0 || a.way != "keep" && a.way != "on" && a.way != "rule" {
			continue
		}
		asked := func(b demand) bool { return b.tool == a.tool && b.key == a.key && b.weight >= a.weight }
		part := a.way == "keep" && a.list == of.list && longer(a.text, of.text) // a folder became one of its files
		if !part && !slices.ContainsFunc(c.old.demandsOf, asked) {
			if a.way == "keep" {
				return "«" + brief(a.text) + "» is asked now"
			}
			return a.name() + " is asked now"
		}
	}
	if c.versionChanges(of.tool) {
		return "the version of " + of.tool + " changes"
	}
	return ""
}

// earlier is the demand of the earlier tree on the same setting of the same file.
func (c *comparison) earlier(a *demand) (demand, bool) {
	i := slices.IndexFunc(c.old.demandsOf, func(b demand) bool {
		return b.tool == a.tool && b.key == a.key && b.at.Path == a.at.Path
	})
	if i < 0 {
		return demand{}, false
	}
	return c.old.demandsOf[i], true
}

// versionChanges reports whether the version of a tool is another one, as far as the changed files tell.
func (c *comparison) versionChanges(tool string) bool {
	version := lang.Lazy(`(?i)` + tool + `[\w./-]*["']?\s*[:=@>~^, ].*\d|rev:.*\d`)
	for _, f := range c.files {
		before := linesOf(f.Before)
		for _, line := range linesOf(f.After) {
			if f.Before != nil && version.MatchString(line) && !slices.Contains(before, line) {
				return true
			}
		}
	}
	return false
}

// made matches paths of what is made or taken over, and not written.
var made = lang.Lazy(`(?i)node_modules|(^|[/*_.-])(dist|build|out|coverage|vendor|vendored|third_party|generated|` +
	`gen|venv|env|target|tmp|cache|worktrees?|pb2|docs?|site|examples?|samples?|snippets|demos?|playground|benchmarks?|` +
	`templates?|fixtures?|snapshots?|\.git|\.next|\.tox|\.venv|__pycache__)([/*_.-]|$)|\.(md|snap|lock)$|\.min\.`)

// leftOut reports the entries of lists that leave something out and did not, one finding a list.
func (c *comparison) leftOut(all []demand) {
	for len(all) > 0 {
		first, rest := all[0], []demand(nil)
		var texts []string
		for _, d := range all {
			switch {
			case d.list != first.list || d.at.Path != first.at.Path:
				rest = append(rest, d)
			case !made.MatchString(d.text) && !d.isBoilerplate() && !made.MatchString(path.Dir(d.at.Path)) && !c.isNew(&d):
				if texts == nil {
					first.at = d.at
				}
				texts = append(texts, d.text)
			}
		}
		if all = rest; texts != nil && !c.swapped(&first, texts) {
			message := fmt.Sprintf("%s of %s leaves out «%s»", first.name(), first.tool, brief(strings.Join(texts, ", ")))
			c.found = append(c.found, Loosening{Form: "exclusion added", Subject: first.subject(), After: first.at,
				Message: message, Excuse: c.excuse(&first), CodeChanged: c.ofChangedCode(texts)})
		}
	}
}

// ofChangedCode reports whether each of some entries is for a source that changes.
func (c *comparison) ofChangedCode(entries []string) bool {
	return !slices.ContainsFunc(entries, func(entry string) bool {
		return !slices.ContainsFunc(c.files, func(f File) bool {
			_, source := suppressed(f.Path)
			return source && f.Before != nil && f.After != nil && strings.Contains(entry, f.Path)
		})
	})
}

// swapped reports entries of words, such as the messages of a baseline, of which as many went as came: they say the
// same in other words. In a configuration that is only for builds, tests are left out.
func (c *comparison) swapped(list *demand, came []string) bool {
	if list.tool == "tsconfig" {
		return path.Base(list.at.Path) != "tsconfig.json" || !slices.ContainsFunc(came, func(entry string) bool {
			return strings.Contains(entry, "src") && !ofTests.MatchString(entry)
		})
	}
	gone := 0
	for _, b := range c.old.demandsOf {
		if b.tool == list.tool && b.list == list.list && b.at.Path == list.at.Path && strings.Contains(b.text, " ") {
			if _, ok := c.counterpart(&b); !ok {
				gone++
			}
		}
	}
	return gone >= len(came)
}

// isNew reports whether what an entry leaves out was not there before.
func (c *comparison) isNew(d *demand) bool {
	if strings.HasPrefix(d.text, "**/") {
		return c.matchesNew(d.text)
	}
	at := strings.Trim(d.text, `"'^$/`)
	if i := strings.IndexAny(at, "*?[({:\\<"); i >= 0 {
		at = at[:i]
	}
	at = strings.Trim(strings.TrimPrefix(at, "./"), "/ ")
	if !strings.ContainsAny(at, "/.") || at == "." || at == ".." {
		return false
	}
	for _, from := range []string{path.Dir(d.at.Path), "."} {
		ok, err := c.before.Exists(c.ctx, path.Join(from, at))
		if ok || err != nil {
			return false
		}
	}
	dir := path.Dir(path.Join(path.Dir(d.at.Path), at))
	ok, err := c.after.Exists(c.ctx, dir)
	return err == nil && ok
}

// matchesNew reports whether a pattern of paths matches some, but none of the earlier tree, whatever ends their names
// have.
func (c *comparison) matchesNew(pattern string) bool {
	pattern = strings.TrimSuffix(pattern, path.Ext(pattern))
	matches := func(t Tree) bool {
		paths, err := t.Paths(c.ctx)
		return err != nil || slices.ContainsFunc(paths, func(p string) bool {
			ok, err := doublestar.Match(pattern, strings.TrimSuffix(p, path.Ext(p)))
			return ok || err != nil
		})
	}
	return !matches(c.before) && matches(c.after)
}

// renamed reports whether a setting stood in a section of almost the same name, which is gone.
func (c *comparison) renamed(a *demand) bool {
	section := lang.Words(path.Dir(a.key))
	return slices.ContainsFunc(c.old.demandsOf, func(b demand) bool {
		if b.tool != a.tool || b.at.Path != a.at.Path || path.Base(b.key) != path.Base(a.key) || b.weight != a.weight {
			return false
		}
		_, stands := c.counterpart(&b)
		return !stands && common(section, lang.Words(path.Dir(b.key))) > maxWords
	})
}

// maxWords is how many of a hundred words the names of two sections have in common of which one became the other.
const maxWords = 60

// noLonger reports the entries of lists that asked something and are gone, where nothing came for them.
func (c *comparison) noLonger(all []demand) {
	for _, b := range all {
		now, came := 0, 0
		for _, a := range c.now.demandsOf {
			if a.tool == b.tool && a.list == b.list && a.at.Path == b.at.Path {
				now++
				if !c.askedBefore(&a) && !longer(a.text, b.text) {
					came++
				}
			}
		}
		if now == 0 || came > 0 || strings.HasPrefix(b.text, "!") || c.selected(&b) || c.wentWith(&b) {
			continue
		}
		c.found = append(c.found, Loosening{Form: "selection narrowed", Subject: b.subject(), Before: b.at,
			Message: fmt.Sprintf("%s of %s no longer has «%s»", b.name(), b.tool, brief(b.text)), Excuse: c.asksMore(&b)})
	}
}

// wentWith reports whether what an entry names stood in the earlier tree and does not in the later one.
func (c *comparison) wentWith(b *demand) bool {
	entry := strings.TrimPrefix(strings.TrimPrefix(strings.Trim(b.text, `"'`), "<rootDir>/"), "./")
	if i := strings.IndexByte(entry, '*'); i >= 0 {
		entry = strings.TrimRight(entry[:i], "/")
	}
	name := path.Join(path.Dir(b.at.Path), entry)
	before, err := c.before.Exists(c.ctx, name)
	return err == nil && before && !c.stillThere(name)
}

func (c *comparison) askedBefore(a *demand) bool {
	_, ok := c.earlier(a)
	return ok
}

// longer reports a path or a pattern that is a part of what another one is.
func longer(now, before string) bool {
	return strings.HasPrefix(now, strings.TrimRight(before, "*/")) && len(now) > len(before)
}

// selected reports whether a shorter code of the later list holds that of an entry: E of E501, ALL of everything.
func (c *comparison) selected(b *demand) bool {
	return slices.ContainsFunc(c.now.demandsOf, func(a demand) bool {
		return a.tool == b.tool && (b.tool == "ruff" || b.tool == "flake8") && a.way == "keep" && a.text != "" &&
			(a.text == "ALL" || strings.HasPrefix(b.text, a.text))
	})
}
