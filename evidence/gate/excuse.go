package gate

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
)

// isRelevant reports whether an exclusion matters. It does not if several runs share the work, or if an earlier list of
// the tool had the entry.
func (c *comparison) isRelevant(b *check, d *demand) bool {
	if b.kind != settings {
		return b.kind == triggers || !c.hasCheck(func(k *check) bool {
			other := k.byKey[d.key]
			return k.name == b.name && k.place != d.place && other != nil && other.text != d.text
		})
	}
	codeOf := func(entry string) string { // without its files
		return strings.Trim(entry[strings.IndexByte(entry, ':')+1:], ` "'/`)
	}
	had := func(k *check) bool {
		return k.name == b.name && slices.ContainsFunc(k.demands, func(o *demand) bool {
			return o.kind == "drop" && codeOf(o.text) == codeOf(d.text)
		})
	}
	return !fits("made", d.text) && !(fits("counts", b.name+"/"+d.key) && fits("boilerplate", d.text)) &&
		!slices.ContainsFunc(c.oldChecks, had) && !c.isNew(d)
}

func (c *comparison) isNew(d *demand) bool {
	at := strings.TrimPrefix(strings.Trim(d.text, `"'^$/`), "./")
	at = strings.Trim(at[:strings.IndexAny(at+"*", "*?[({:\\<")], "/ ")
	sibling := path.Join(path.Dir(d.place.Path), at)
	return strings.ContainsAny(at, "/.") && strings.Trim(at, ".") != "" && !c.exists(c.before, sibling) &&
		!c.exists(c.before, at) && c.exists(c.after, path.Dir(sibling))
}

// isReplaced reports whether another entry replaces or includes a removed one, or its target is gone too.
func (c *comparison) isReplaced(b, a *check, d *demand) bool {
	if d.list == targetList {
		covers := func(k *check) bool { return k.name == b.name && k.isStrict() && k.covers(d.text) }
		return !c.exists(c.after, d.text) || c.hasCheck(covers)
	}
	hasEntries, isRefilled := false, false
	for _, n := range a.demands {
		if n.list != d.list || n.kind != "keep" {
			continue
		}
		holds := (b.name == "ruff" || b.name == "flake8") && strings.HasPrefix(d.text, strings.TrimPrefix(n.text, "ALL"))
		isRefilled = isRefilled || holds || b.byKey[n.key] == nil && !isNarrower(n.text, d.text)
		hasEntries = true
	}
	entry, _, _ := strings.Cut(strings.TrimPrefix(strings.Trim(d.text, `"'`), "<rootDir>/"), "*")
	name := path.Join(path.Dir(d.place.Path), entry)
	isGone := b.kind == settings && c.exists(c.before, name) && !c.exists(c.after, name)
	return !hasEntries || isRefilled || isGone || d.text[0] == '!'
}

// isNarrower reports whether a path or pattern is a part of an earlier one.
func isNarrower(now, before string) bool {
	return strings.HasPrefix(now, strings.TrimRight(before, "*/")) && len(now) > len(before)
}

// isExcused reports whether other demands excuse a weaker one. isGone: the demand is gone.
func (c *comparison) isExcused(b *check, d *demand, isGone bool) bool {
	switch {
	case b.kind == run && d.kind == "drop" && c.hasCheck(func(k *check) bool { // it runs in full elsewhere
		return k.kind == run && k.isStrict() && k.name == b.name && k.place != d.place && !k.isSeldom &&
			!slices.ContainsFunc(k.demands, func(d *demand) bool { return d.kind == "drop" })
	}):
		return true
	case b.kind == triggers && d.kind == "keep" && d.list == "": // another event starts it
		return c.hasCheck(func(k *check) bool {
			return k.kind == triggers && k.place.Path == b.place.Path && slices.ContainsFunc(k.demands, func(d *demand) bool {
				return d.list == "" && fits("any event", d.key) || d.text == "push"
			})
		})
	}
	return b.kind == settings && (isGone || d.kind == "drop" || d.kind == "rule") && (c.isStricterElsewhere(b, d) ||
		!isListedTool("tests", b.name) && fits("tests", d.place.Path+"/"+strings.ReplaceAll(d.key, "|", "/")))
}

// isStricterElsewhere reports whether the same tool is stricter elsewhere, or its version changes.
func (c *comparison) isStricterElsewhere(b *check, less *demand) bool {
	isStricter := func(a *check) bool {
		return a.kind == settings && slices.ContainsFunc(a.demands, func(n *demand) bool {
			if a.name != b.name {
				return path.Base(n.key) == path.Base(less.key) && n.weight >= less.weight
			}
			old := b.defaultWeight(n)
			if d := c.earlierDemand(a, n); d != nil {
				old = d.weight
			}
			// a folder is replaced by one of its files
			part := n.list != "" && n.list == less.list && isNarrower(n.text, less.text)
			return n.weight > old && !part
		})
	}
	version := lang.Lazy(`(?i)` + b.name + `[\w./-]*["']?\s*[:=@>~^, ].*\d|rev:.*\d`)
	return c.hasCheck(isStricter) || slices.ContainsFunc(c.files, func(f file) bool {
		return f.before != nil && slices.ContainsFunc(version.FindAllString(string(f.after)), func(line string) bool {
			return !strings.Contains(string(f.before), line)
		})
	})
}

// isStillSet reports whether an option stands elsewhere in the file of a check, or moved to another file.
func (c *comparison) isStillSet(a *check, d *demand) bool {
	option := d.text
	if d.kind != "keep" {
		option = d.key
	}
	name := strings.TrimPrefix(strings.TrimLeft(strings.Fields(option)[0], "-"), "cov-")
	return slices.ContainsFunc(c.files, func(f file) bool {
		if f.path == a.place.Path {
			return strings.Contains(string(f.after), option)
		}
		return slices.ContainsFunc([]string{name, strings.ReplaceAll(name, "-", "_")}, func(name string) bool {
			return strings.Contains(string(f.after), name) && !strings.Contains(string(f.before), name)
		})
	})
}

// addRemoved reports a check without a pair, unless something still runs it.
func (c *comparison) addRemoved(b *check) {
	for _, d := range b.demands {
		if b.kind == settings && d.kind == "min" {
			c.addWeakened(b, &check{name: b.name}, d)
		}
	}
	unitExists := c.unitExists(b)
	runsAgain := func(a *check) bool {
		return a.kind == run && a.isStrict() && a.isGate() && variantOf(a.name) == variantOf(b.name) &&
			a.repository == b.repository &&
			!a.isSeldom && a.coversAllOf(b)
	}
	// A caller of a removed unit fails, or no longer calls it.
	if b.kind != run || b.isSeldom || b.needsCaller && !unitExists || c.hasCheck(func(a *check) bool {
		same := a.place.Path == b.place.Path && a.unit == b.unit
		return runsAgain(a) && (!unitExists || b.unit == "settings" || same) || c.mayReplace(b, a)
	}) || slices.ContainsFunc(c.unchangedChecks(), func(a *check) bool { return !a.needsCaller && runsAgain(a) }) {
		return
	}
	c.report("check removed", b, Place{}, "is no longer run")
}

// mayReplace reports whether a later check may do the work of a removed one: it builds, or is new.
func (c *comparison) mayReplace(b, a *check) bool {
	isNew := !slices.ContainsFunc(c.oldChecks, func(o *check) bool { return o.name == a.name })
	return a.kind == run && a.isStrict() && (b.purpose == "build" && a.language == b.language ||
		purposeOf(b.unit) == "build" && a.name == b.name && purposeOf(a.unit) == "build" ||
		(b.purpose == "lint" || b.purpose == "format") && isNew && replaces(b, a) && fits("many-sided", a.name))
}

func variantOf(name string) string { return patternOf("variant").In(name).ReplaceAllString(name, "") }

// unitExists reports whether the script or target of a check exists in the later version of its file.
func (c *comparison) unitExists(b *check) bool {
	name := regexp.QuoteMeta(b.unit)
	unit := lang.Lazy(`(?m)(^|["'\s\[])` + name + `["']?\s*([:(]|$)|^\[([^\]\n]*\W)?` + name + `\]`)
	return slices.ContainsFunc(c.files, func(f file) bool {
		return f.path == b.place.Path && f.after != nil && (b.unit == baseName(f.path) || b.unit == "" || unit.Match(f.after))
	})
}

func (c *comparison) unchangedChecks() []*check {
	if c.unchangedCache == nil {
		c.unchangedCache = []*check{}
		for _, path := range c.AllPaths(c.after) {
			if MayBeGate(path) && !slices.ContainsFunc(c.files, func(f file) bool { return f.path == path }) {
				c.unchangedCache = append(c.unchangedCache, readChecks(path, c.Content(c.after, path))...)
			}
		}
	}
	return c.unchangedCache
}

func (c *comparison) exists(in *evidence.Tree, target string) bool {
	path, _, _ := strings.Cut(target, "::")
	return c.Stat(in, folder(path)).Kind != evidence.Missing || folder(path) == ""
}
