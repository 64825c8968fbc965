package gate

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/report"
)

// file is a changed path in both versions; nil for a missing one.
type file struct {
	path          string
	before, after []byte
}

type comparison struct {
	*evidence.Reads
	files         []file
	before, after *evidence.Tree
	// oldChecks and newChecks are those of changed files in both trees; unchangedCache those of other files, read on
	// first use.
	oldChecks, newChecks, unchangedCache []*check
	found                                []Loosening
}

func (c *comparison) diff() {
	c.oldChecks = slices.DeleteFunc(c.oldChecks, func(k *check) bool { return !k.isStrict() || !k.isGate() })
	c.newChecks = slices.DeleteFunc(c.newChecks, func(k *check) bool { return !k.isGate() })
	for i, a := range c.pairs() {
		if b := c.oldChecks[i]; a != nil {
			c.compare(b, a)
		} else {
			c.addRemoved(b)
		}
	}
	for _, a := range c.newChecks { // of new settings, only exclusions
		b := &check{kind: a.kind, name: a.name, unit: a.unit, place: a.place}
		isSame := func(k *check) bool { return k.name+" …" == a.name && k.place.Path == a.place.Path }
		switch {
		case a.isPaired:
		case a.unit == "settings" && slices.ContainsFunc(c.oldChecks, isSame): // settings that had no arguments
			c.compareDemands(b, a)
		case a.kind == settings:
			for _, d := range a.demands {
				if d.kind == "takes" && d.weight < 1 || d.kind == "drop" && a.name == "pytest" &&
					fits("tests", d.text) {
					c.addDemand(b, a, nil, d)
				}
			}
		}
	}
}

// pairs returns the later check for each earlier one, the best pairs first.
func (c *comparison) pairs() []*check {
	pairs := make([]*check, len(c.oldChecks))
	for least := 100; least > 0; least -= 10 {
		for i, b := range c.oldChecks {
			for _, a := range c.newChecks {
				if pairs[i] == nil && !a.isPaired && likeness(b, a) >= least {
					pairs[i], a.isPaired = a, true
				}
			}
		}
	}
	return pairs
}

// likeness says how much a later check resembles an earlier one, from 0 to 100.
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
	if a.place.Path == b.place.Path {
		n += 10
		if a.unit == b.unit {
			n += 10
		}
	}
	if a.isStrict() {
		n += 10
	}
	return n
}

// replaces reports whether a check may replace an earlier one: the same tool, or another for the same purpose.
func replaces(b, a *check) bool {
	switch {
	case a.repository != b.repository || a.kind != b.kind || a.kind == triggers && a.place.Path != b.place.Path:
		return false
	case a.name == b.name || a.kind != run || a.unit == "settings" || b.unit == "settings":
		return a.name == b.name
	case a.language != b.language && a.language != "" && b.language != "":
		return false
	}
	return a.purpose == b.purpose || a.purpose == "checks" || b.purpose == "checks" ||
		(b.purpose == "lint" || b.purpose == "format") && fits("many-sided", a.name)
}

// compare reports what a check weakens against its earlier pair.
func (c *comparison) compare(b, a *check) {
	hasOthers := b.kind == run && c.hasCheck(func(k *check) bool {
		return !k.isPaired && k.isStrict() && k.name == b.name
	})
	switch {
	case a.offReason != "":
		c.report("check switched off", b, a.place, "is switched off by "+quote(a.offReason))
	case a.ignoreReason != "":
		c.report("failure ignored", b, a.place, "may fail without failing the build: "+quote(a.ignoreReason))
	case a.isSeldom && !b.isSeldom:
		c.report("trigger narrowed", b, a.place, "is no longer started by a change of the code")
	// reported with the other checks of the tool, or of the workflow
	case hasOthers, a.kind == triggers && a.demands == nil:
	case a.name == b.name:
		c.compareDemands(b, a)
	case a.purpose == "test" && b.byKey[targetList] != nil && slices.ContainsFunc(a.demands, func(n *demand) bool {
		return path.Ext(n.text) != "" && fits("tests", path.Base(n.text)) // a single file
	}):
		c.addWeakened(b, a, b.byKey[targetList])
	}
	if a.dir != b.dir && a.dir != "" && !c.exists(c.after, a.dir) {
		c.report("check narrowed", b, a.place, "is run in "+quote(a.dir)+", which is not there")
	}
}

func (c *comparison) hasCheck(matches func(*check) bool) bool {
	return slices.ContainsFunc(c.newChecks, matches)
}

// compareDemands reports what a check demands less than its earlier pair.
func (c *comparison) compareDemands(b, a *check) {
	hasNewSelection := b.kind == run && slices.ContainsFunc(a.demands, func(n *demand) bool {
		return n.kind == "keep" && b.byKey[n.key] == nil
	})
	spare := map[string]int{} // entries with blanks, such as messages of a baseline, may be reworded
	for _, d := range b.demands {
		if strings.Contains(d.text, " ") && a.byKey[d.key] == nil {
			spare[d.list]++
		}
	}
	for _, n := range a.demands {
		d := b.byKey[n.key]
		switch {
		case n.kind == "drop" && (d == nil || n.text != d.text && strings.Contains(d.text, " ") &&
			strings.Contains(n.text, d.text) && !strings.Contains(n.text, " or ")): // it excludes more
			if hasNewSelection || !c.isRelevant(b, n) {
				continue
			}
			if spare[n.list]--; b.kind == run || spare[n.list] < 0 {
				c.addDemand(b, a, nil, n)
			}
		case d == nil && n.weight < b.defaultWeight(n):
			c.addDemand(b, a, nil, n)
		}
	}
	for _, d := range b.demands {
		c.addWeakened(b, a, d)
	}
}

func (c *comparison) addWeakened(b, a *check, d *demand) {
	n := a.byKey[d.key]
	switch {
	case n != nil && n.weight < d.weight && d == b.byKey[d.key]:
		c.addDemand(b, a, d, n)
	case n != nil, d.weight <= a.defaultWeight(d), d.kind == "rule", d.list != "" && c.isReplaced(b, a, d),
		d.list == "" && b.kind == run && d.text != "" && c.isStillSet(a, d):
	default:
		c.addDemand(b, a, d, nil)
	}
}

func (c *comparison) earlierDemand(a *check, n *demand) *demand {
	for _, b := range c.oldChecks {
		if b.kind == a.kind && b.name == a.name && b.place.Path == a.place.Path && b.byKey[n.key] != nil {
			return b.byKey[n.key]
		}
	}
	return nil
}

// wording is the form and the phrase for an entry, by the kinds of check and demand.
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

// addDemand reports a weaker demand; nil for a missing side.
func (c *comparison) addDemand(b, a *check, d, n *demand) {
	shownDemand, before, after := cmp.Or(n, d), Place{}, Place{}
	if c.isExcused(b, shownDemand, n == nil) {
		return
	}
	if d != nil {
		before = d.place
	}
	if n != nil {
		after = n.place
	}
	if b.kind == run {
		before, after = cmp.Or(before, b.place), cmp.Or(after, a.place)
	}
	message, words := b.title(), wording[string(b.kind)+" "+string(shownDemand.kind)]
	list, _, _ := strings.Cut(shownDemand.key, "\x00")
	if b.kind == settings || words[1] == "" {
		message = quote(dottedKey(list)) + " of " + message
	}
	switch {
	case words[1] != "":
		message += words[1] + quote(cmp.Or(shownDemand.text, "all"))
	case d == nil:
		message += " is " + quote(n.text) + " and was not set"
	case n == nil:
		message += ", which was " + quote(d.text) + ", is gone"
	default:
		message += " is " + quote(n.text) + " and was " + quote(d.text)
	}
	found := Loosening{change(words[0], b.subject(list), before, after, message), c.excludesChangedFile(shownDemand)}
	if !slices.ContainsFunc(c.found, func(l Loosening) bool { // one entry of a list is enough
		return shownDemand.list != "" && l.Form == found.Form && l.Subject == found.Subject &&
			l.CodeChanged == found.CodeChanged
	}) {
		c.found = append(c.found, found)
	}
}

func (c *comparison) excludesChangedFile(d *demand) bool {
	return d.kind == "drop" && slices.ContainsFunc(c.files, func(f file) bool {
		return suppressionPattern(f.path).IsSet() && f.before != nil && f.after != nil && strings.Contains(d.text, f.path)
	})
}

func (c *comparison) report(form string, b *check, at Place, message string) {
	c.found = append(c.found, Loosening{change(form, b.subject(""), b.place, at, b.title()+" "+message), false})
}

func change(form, subject string, before, after Place, message string) report.TestChange {
	return report.TestChange{Form: form, Subject: subject, Before: before, After: after, Message: message}
}

func (k *check) title() string {
	switch {
	case k.kind == settings:
		return k.name
	case k.unit == "":
		return quote(k.name)
	}
	return quote(strings.TrimSuffix(k.name, " …")) + " of " + k.unit
}

func (k *check) subject(key string) string {
	if k.kind != run && key != "" {
		return k.name + ": " + dottedKey(key)
	}
	return strings.TrimPrefix(k.unit+": "+k.name, ": ")
}

func dottedKey(key string) string { return strings.NewReplacer("/", ".", "|", "/").Replace(key) }

// quote returns a text on one line in quotes, at most 60 characters.
func quote(text string) string { return "«" + report.Brief(text, 60) + "»" }
