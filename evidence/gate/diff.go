package gate

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/report"
)

// file is a path that differs, in both versions; nil is one in which it is not there.
type file struct {
	path          string
	before, after []byte
}

// comparison is one call of Compare.
type comparison struct {
	ctx           context.Context
	files         []file
	before, after *evidence.Tree
	// old and now are what the files that differ ask in both trees; rest is what the others do, once somebody has asked.
	old, now, rest []check
	found          []Loosening
	err            error
}

// diff reports what the later table asks less than the earlier one.
func (c *comparison) diff() {
	c.old = slices.DeleteFunc(c.old, func(k check) bool { return !k.strict() || !k.isGate() })
	c.now = slices.DeleteFunc(c.now, func(k check) bool { return !k.isGate() })
	for i, a := range c.pairs() {
		if b := &c.old[i]; a != nil {
			c.compare(b, a)
		} else {
			c.gone(b)
		}
	}
	for i := range c.now { // of settings that are new only what they no longer take
		if a := &c.now[i]; a.kind == settings && !a.taken {
			b := check{kind: settings, name: a.name, at: a.at}
			for k := range a.demands {
				if d := &a.demands[k]; d.way == "takes" && d.weight < 1 || d.way == "drop" && a.name == "pytest" &&
					fits("tests", d.text) {
					c.tell(&b, a, nil, d)
				}
			}
		}
	}
}

// pairs are the checks of the later table that stand for those of the earlier one, the best pairs first.
func (c *comparison) pairs() []*check {
	pairs := make([]*check, len(c.old))
	for least := 100; least > 0; least -= 10 {
		for i := range c.old {
			for k := range c.now {
				if a := &c.now[k]; pairs[i] == nil && !a.taken && likeness(&c.old[i], a) >= least {
					pairs[i], a.taken = a, true
				}
			}
		}
	}
	return pairs
}

// likeness says how much a check of the later tree is one of the earlier, from 0 to 100.
func likeness(b, a *check) int {
	if !replaces(b, a) {
		return 0
	}
	n := 10
	if a.name == b.name {
		shared := 1 // of all words
		for _, w := range a.args {
			if slices.Contains(b.args, w) {
				shared += 2
			}
		}
		n += 40 + 20*shared/(len(a.args)+len(b.args)+1)
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

// replaces reports whether a check may stand for an earlier one: the same tool, or another for the same.
func replaces(b, a *check) bool {
	switch {
	case a.of != b.of || a.kind != b.kind || a.kind == starts && a.at.Path != b.at.Path:
		return false
	case a.name == b.name || a.kind != run || a.unit == "settings" || b.unit == "settings":
		return a.name == b.name
	case a.world != b.world && a.world != "" && b.world != "":
		return false
	}
	return a.purpose == b.purpose || a.purpose == "checks" || b.purpose == "checks" ||
		(b.purpose == "lint" || b.purpose == "format") && fits("many-sided", a.name)
}

// compare reports what a later check asks less than the one it stands for.
func (c *comparison) compare(b, a *check) {
	parted := b.kind == run && c.has(func(k *check) bool { return !k.taken && k.strict() && k.name == b.name })
	switch {
	case a.off != "":
		c.report("check switched off", b, a.at, "is switched off by "+quote(a.off))
	case a.forgiven != "":
		c.report("failure ignored", b, a.at, "may fail without failing the build: "+quote(a.forgiven))
	case a.seldom && !b.seldom:
		c.report("trigger narrowed", b, a.at, "is no longer started by a change of the code")
	case parted, a.kind == starts && a.demands == nil: // one of several is its pair; each of the workflow's checks is told
	case a.name == b.name:
		c.demands(b, a)
	case a.purpose == "test" && b.demand(looked) != nil && slices.ContainsFunc(a.demands, func(n demand) bool {
		return path.Ext(n.text) != "" && fits("tests", path.Base(n.text)) // a single file
	}):
		c.lost(b, a, b.demand(looked))
	}
	if a.dir != b.dir && a.dir != "" && !c.exists(c.after, a.dir) {
		c.report("check narrowed", b, a.at, "is run in "+quote(a.dir)+", which is not there")
	}
}

// has reports whether the later table has a check that is as asked for.
func (c *comparison) has(is func(*check) bool) bool {
	return slices.ContainsFunc(c.now, func(k check) bool { return is(&k) })
}

// demands reports what one check demands less than the one it stands for.
func (c *comparison) demands(b, a *check) {
	more := b.kind == run && slices.ContainsFunc(a.demands, func(n demand) bool {
		return n.way == "keep" && b.demand(n.key) == nil
	})
	spare := map[string]int{} // entries of words, such as the messages of a baseline, may say the same in other words
	for _, d := range b.demands {
		if strings.Contains(d.text, " ") && a.demand(d.key) == nil {
			spare[d.list]++
		}
	}
	for i := range a.demands {
		n := &a.demands[i]
		d := b.demand(n.key)
		switch {
		case n.way == "drop" && (d == nil || n.text != d.text && strings.Contains(d.text, " ") &&
			strings.Contains(n.text, d.text) && !strings.Contains(n.text, " or ")): // it leaves out more
			if more || !c.matters(b, n) {
				continue
			}
			if spare[n.list]--; b.kind == run || spare[n.list] < 0 {
				c.tell(b, a, nil, n)
			}
		case d == nil && n.weight < b.asked(n):
			c.tell(b, a, nil, n)
		}
	}
	for i := range b.demands {
		c.lost(b, a, &b.demands[i])
	}
}

// lost reports a demand that is gone, or asks less.
func (c *comparison) lost(b, a *check, d *demand) {
	n := a.demand(d.key)
	switch {
	case n != nil && n.weight < d.weight:
		c.tell(b, a, d, n)
	case n != nil, d.weight <= a.asked(d), d.way == "rule", d.list != "" && c.instead(b, a, d),
		d.list == "" && b.kind == run && d.text != "" && c.stillSaid(a, d):
	default:
		c.tell(b, a, d, nil)
	}
}

// earlier is what the earlier tree demands of the same in the same file; nil where it demands nothing.
func (c *comparison) earlier(a *check, n *demand) *demand {
	for i := range c.old {
		if b := &c.old[i]; b.kind == a.kind && b.name == a.name && b.at.Path == a.at.Path && b.demand(n.key) != nil {
			return b.demand(n.key)
		}
	}
	return nil
}

// wording is the form, by the kind of a check and the way of its demand, and what is said of an entry.
var wording = map[string][2]string{
	"run drop": {"check narrowed", " looks at less: "}, "run keep": {"option lost", " no longer has "},
	"run look": {"check narrowed", " no longer looks at "}, "run min": {"threshold lowered"},
	"run max":       {"threshold lowered"},
	"settings drop": {"exclusion added", " leaves out "}, "settings keep": {"selection narrowed", " no longer has "},
	"settings min": {"threshold lowered"}, "settings max": {"threshold lowered"}, "settings rule": {"rule off"},
	"settings takes": {"selection narrowed"}, "settings on": {"setting loosened"}, "settings off": {"setting loosened"},
	"starts drop": {"trigger narrowed", " is started less often: "},
	"starts keep": {"trigger narrowed", " is no longer started by "},
}

// tell reports a demand of the earlier tree that asks less in the later one; nil is one that is not there.
func (c *comparison) tell(b, a *check, d, n *demand) {
	of, before, after := cmp.Or(n, d), Place{}, Place{}
	if c.isExcused(b, of, n == nil) {
		return
	}
	if d != nil {
		before = d.at
	}
	if n != nil {
		after = n.at
	}
	if b.kind == run {
		before, after = cmp.Or(before, b.at), cmp.Or(after, a.at)
	}
	what, says := b.title(), wording[string(b.kind)+" "+string(of.way)]
	list, _, _ := strings.Cut(of.key, "\x00")
	if b.kind == settings || says[1] == "" {
		what = quote(dotted(list)) + " of " + what
	}
	switch {
	case says[1] != "":
		what += says[1] + quote(cmp.Or(of.text, "all"))
	case d == nil:
		what += " is " + quote(n.text) + " and was not set"
	case n == nil:
		what += ", which was " + quote(d.text) + ", is gone"
	default:
		what += " is " + quote(n.text) + " and was " + quote(d.text)
	}
	found := Loosening{says[0], b.subject(list), before, after, what, c.ofChanged(of)}
	if !slices.ContainsFunc(c.found, func(l Loosening) bool { // of a list one entry is told
		return of.list != "" && l.Form == found.Form && l.Subject == found.Subject && l.CodeChanged == found.CodeChanged
	}) {
		c.found = append(c.found, found)
	}
}

// ofChanged reports whether an entry leaves out a file whose code changes.
func (c *comparison) ofChanged(of *demand) bool {
	return of.way == "drop" && slices.ContainsFunc(c.files, func(f file) bool {
		return suppressed(f.path).IsSet() && f.before != nil && f.after != nil && strings.Contains(of.text, f.path)
	})
}

// report adds what is asked less of a check.
func (c *comparison) report(form string, b *check, at Place, what string) {
	c.found = append(c.found, Loosening{form, b.subject(""), b.at, at, b.title() + " " + what, false})
}

// title is how a check is called: the tool, and where it stands.
func (k *check) title() string {
	switch {
	case k.kind == settings:
		return k.name
	case k.unit == "":
		return quote(k.name)
	}
	return quote(strings.TrimSuffix(k.name, " …")) + " of " + k.unit
}

// subject is what is meant of a check, or of one of its demands.
func (k *check) subject(key string) string {
	if k.kind != run && key != "" {
		return k.name + ": " + dotted(key)
	}
	return strings.TrimPrefix(k.unit+": "+k.name, ": ")
}

// dotted is a path of keys as it is shown.
func dotted(key string) string { return strings.NewReplacer("/", ".", "|", "/").Replace(key) }

// quote is a text of one line and at most 60 characters between its marks.
func quote(text string) string { return "«" + report.Brief(text, 60) + "»" }
