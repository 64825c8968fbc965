package gate

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
)

// matters reports whether an entry leaves out what was asked for: of runs not where each has its share, of settings
// what no list of the tool had.
func (c *comparison) matters(b *check, d *demand) bool {
	if b.kind != settings {
		return b.kind == starts || !c.has(func(k *check) bool {
			other := k.demand(d.key)
			return k.name == b.name && k.at != d.at && other != nil && other.text != d.text
		})
	}
	codeOf := func(entry string) string { // without the files that it is for
		return strings.Trim(entry[strings.IndexByte(entry, ':')+1:], ` "'/`)
	}
	had := func(k check) bool {
		return k.name == b.name && slices.ContainsFunc(k.demands, func(o demand) bool {
			return o.way == "drop" && codeOf(o.text) == codeOf(d.text)
		})
	}
	return !fits("made", d.text) && !(fits("counts", b.name+"/"+d.key) && fits("boilerplate", d.text)) &&
		!slices.ContainsFunc(c.old, had) && !c.isNew(d)
}

// isNew reports whether what an entry leaves out was not there before.
func (c *comparison) isNew(d *demand) bool {
	at := strings.TrimPrefix(strings.Trim(d.text, `"'^$/`), "./")
	at = strings.Trim(at[:strings.IndexAny(at+"*", "*?[({:\\<")], "/ ")
	beside := path.Join(path.Dir(d.at.Path), at)
	return strings.ContainsAny(at, "/.") && strings.Trim(at, ".") != "" && !c.exists(c.before, beside) &&
		!c.exists(c.before, at) && c.exists(c.after, path.Dir(beside))
}

// instead reports whether another entry came for one of a list, or holds it, or what it names went as well.
func (c *comparison) instead(b, a *check, d *demand) bool {
	if d.list == looked {
		covers := func(k *check) bool { return k.name == b.name && k.strict() && k.covers(d.text) }
		return !c.exists(c.after, d.text) || c.has(covers)
	}
	stands, came := false, false
	for _, n := range a.demands {
		if n.list != d.list || n.way != "keep" {
			continue
		}
		holds := (b.name == "ruff" || b.name == "flake8") && strings.HasPrefix(d.text, strings.TrimPrefix(n.text, "ALL"))
		came = came || holds || b.demand(n.key) == nil && !longer(n.text, d.text)
		stands = true
	}
	entry, _, _ := strings.Cut(strings.TrimPrefix(strings.Trim(d.text, `"'`), "<rootDir>/"), "*")
	name := path.Join(path.Dir(d.at.Path), entry)
	went := b.kind == settings && c.exists(c.before, name) && !c.exists(c.after, name)
	return !stands || came || went || d.text[0] == '!'
}

// longer reports a path or a pattern that is a part of what another one is.
func longer(now, before string) bool {
	return strings.HasPrefix(now, strings.TrimRight(before, "*/")) && len(now) > len(before)
}

// isExcused reports whether less may be asked, for what else is asked. gone: nothing is said of it any more.
func (c *comparison) isExcused(b *check, of *demand, gone bool) bool {
	switch {
	case b.kind == run && of.way == "drop" && c.has(func(k *check) bool { // it is run in full elsewhere
		return k.kind == run && k.strict() && k.name == b.name && k.at != of.at && !k.seldom &&
			!slices.ContainsFunc(k.demands, func(d demand) bool { return d.way == "drop" })
	}):
		return true
	case b.kind == starts && of.way == "keep" && of.list == "": // another event starts it
		return c.has(func(k *check) bool {
			return k.kind == starts && k.at.Path == b.at.Path && slices.ContainsFunc(k.demands, func(d demand) bool {
				return d.list == "" && fits("any event", d.key) || d.text == "push"
			})
		})
	}
	return b.kind == settings && (gone || of.way == "drop" || of.way == "rule") && (c.asksMore(b, of) ||
		!isTold("tests", b.name) && fits("tests", of.at.Path+"/"+strings.ReplaceAll(of.key, "|", "/")))
}

// asksMore reports whether something else of the same tool asks more than before, or its version changes.
func (c *comparison) asksMore(of *check, less *demand) bool {
	more := func(a *check) bool {
		return a.kind == settings && a.name == of.name && slices.ContainsFunc(a.demands, func(n demand) bool {
			was := of.asked(&n)
			if d := c.earlier(a, &n); d != nil {
				was = d.weight
			}
			part := n.list != "" && n.list == less.list && longer(n.text, less.text) // a folder became one of its files
			return n.weight > was && !part
		})
	}
	version := lang.Lazy(`(?i)` + of.name + `[\w./-]*["']?\s*[:=@>~^, ].*\d|rev:.*\d`)
	return c.has(more) || slices.ContainsFunc(c.files, func(f file) bool {
		return f.before != nil && slices.ContainsFunc(version.FindAllString(string(f.after)), func(line string) bool {
			return !strings.Contains(string(f.before), line)
		})
	})
}

// stillSaid reports an option that stands elsewhere in the file of a check, or that another file took over.
func (c *comparison) stillSaid(a *check, d *demand) bool {
	said := d.text
	if d.way != "keep" {
		said = d.key
	}
	name := strings.TrimPrefix(strings.TrimLeft(strings.Fields(said)[0], "-"), "cov-")
	return slices.ContainsFunc(c.files, func(f file) bool {
		if f.path == a.at.Path {
			return strings.Contains(string(f.after), said)
		}
		return slices.ContainsFunc([]string{name, strings.ReplaceAll(name, "-", "_")}, func(name string) bool {
			return strings.Contains(string(f.after), name) && !strings.Contains(string(f.before), name)
		})
	})
}

// gone reports a check that nothing of the changed files stands for.
func (c *comparison) gone(b *check) {
	for i := range b.demands {
		if b.kind == settings && b.demands[i].way == "min" {
			c.lost(b, &check{name: b.name}, &b.demands[i])
		}
	}
	stands := c.unitStands(b)
	again := func(a *check) bool {
		return a.kind == run && a.strict() && a.isGate() && variantOf(a.name) == variantOf(b.name) && a.of == b.of &&
			!a.seldom && a.looksAt(b)
	}
	// Who calls what is gone fails, or does not call it any more.
	if b.kind != run || b.seldom || b.called && !stands || c.has(func(a *check) bool {
		same := a.at.Path == b.at.Path && a.unit == b.unit
		return again(a) && (!stands || b.unit == "settings" || same) || c.mayStandFor(b, a)
	}) || slices.ContainsFunc(c.unchanged(), func(a check) bool { return !a.called && again(&a) }) {
		return
	}
	c.report("check removed", b, Place{}, "is no longer run")
}

// mayStandFor reports whether a check of the later table may do what one that is gone did: it builds, or is new.
func (c *comparison) mayStandFor(b, a *check) bool {
	isNew := !slices.ContainsFunc(c.old, func(o check) bool { return o.name == a.name })
	return a.kind == run && a.strict() && (b.purpose == "build" && a.world == b.world ||
		purposeOf(b.unit) == "build" && a.name == b.name && purposeOf(a.unit) == "build" ||
		(b.purpose == "lint" || b.purpose == "format") && isNew && replaces(b, a) && fits("many-sided", a.name))
}

// variantOf is the name of a check without what tells nothing of it.
func variantOf(name string) string { return patternOf("variant").In(name).ReplaceAllString(name, "") }

// unitStands reports whether the script or the target of a check is there in the later version of its file.
func (c *comparison) unitStands(b *check) bool {
	name := regexp.QuoteMeta(b.unit)
	unit := lang.Lazy(`(?m)(^|["'\s\[])` + name + `["']?\s*([:(]|$)|^\[([^\]\n]*\W)?` + name + `\]`)
	return slices.ContainsFunc(c.files, func(f file) bool {
		return f.path == b.at.Path && f.after != nil && (b.unit == base(f.path) || b.unit == "" || unit.Match(f.after))
	})
}

// unchanged is what the files of the later tree ask that are the same in both.
func (c *comparison) unchanged() []check {
	if c.rest == nil {
		c.rest = []check{}
		paths, err := c.after.Paths(c.ctx)
		c.err = cmp.Or(c.err, err)
		for _, path := range paths {
			if MayBeGate(path) && !slices.ContainsFunc(c.files, func(f file) bool { return f.path == path }) {
				c.rest = append(c.rest, read(path, c.content(c.after, path))...)
			}
		}
	}
	return c.rest
}

// exists reports whether a target, or what holds it, stands in a tree.
func (c *comparison) exists(in *evidence.Tree, target string) bool {
	path, _, _ := strings.Cut(target, "::")
	at, err := in.Stat(c.ctx, folder(path))
	c.err = cmp.Or(c.err, err)
	return at.Kind != evidence.Missing || folder(path) == ""
}

// content is a file of a tree, nil where there is none.
func (c *comparison) content(of *evidence.Tree, path string) []byte {
	src, err := of.Content(c.ctx, path)
	c.err = cmp.Or(c.err, err)
	return src
}
