package weaker

import (
	"bytes"
	"slices"
	"strings"
)

func titles(links []link) (all []string) {
	for _, l := range links {
		for _, e := range l.args {
			if e.shape == literal && strings.ContainsAny(e.text[:1], "\"'`@") {
				all = append(all, strings.Trim(e.text, "\"'`"))
			}
		}
	}
	return all
}

// titleOf returns the title of the group that calls make; ok is false if they make none.
func titleOf(links []link) (title string, ok bool) {
	at := slices.IndexFunc(links, func(l link) bool { return fits("group word", l.name) })
	if at < 0 || len(links[len(links)-1].args) == 0 {
		return "", false
	}
	if first := links[len(links)-1].args[0]; first.shape <= dot && isCapital(first.String()) {
		return first.String(), true
	}
	all := titles(links[at:])
	return strings.Join(all[:min(1, len(all))], ""), len(all) > 0
}

func (f *file) findGroups(b *block) {
	for _, s := range b.statements {
		var links []link
		if len(s.clauses) > 0 && len(s.clauses[0].head) > 0 {
			links = chain(s.clauses[0].head[0])
		}
		title, isGroup := titleOf(links)
		if isGroup {
			head, _, _ := bytes.Cut(f.Source[s.start:s.end], []byte{'\n'})
			f.groups = append(f.groups, group{title, string(head), s.start, s.end})
		}
		if len(links) > 0 && s.clauses[0].head[0].shape == call {
			f.define(s, links)
		}
		f.findGuards(s)
		for _, inner := range s.blocks {
			if isGroup || f.isContainer(inner.start) {
				f.findGroups(inner)
			}
		}
	}
}

// define adds the test or hook that calls make to the definitions, if the outline lacks it.
func (f *file) define(s *statement, links []link) {
	d := definition{Name: links[0].name, Outer: s.start, Start: s.start, End: s.end, Body: s.start, Parent: -1,
		IsTitled: f.framework.matches("titles", links[0].name)}
	if len(s.blocks) > 0 {
		d.Body = s.blocks[len(s.blocks)-1].start
	}
	switch all := titles(links); {
	case !d.IsTitled && f.framework.matches("hooks", d.Name):
	case !d.IsTitled, len(all) == 0, len(s.blocks) == 0, slices.ContainsFunc(f.Definitions, func(o definition) bool {
		return o.IsTitled && o.Outer == s.start
	}):
		return
	case f.Language == "ruby":
		d.Name = all[0]
	case len(links) > 1 && (links[1].name == "each" || links[1].name == "for"):
		d.Name = all[len(all)-1] // it follows the table
	default:
		return
	}
	d.Symbol = d.Name
	f.Definitions = append(f.Definitions, d)
}
