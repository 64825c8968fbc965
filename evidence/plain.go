package evidence

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// emptyLine is a line that implements nothing, told without a grammar.
const emptyLine = `(?i)^\s*(pass|\.\.\.|raise\s+NotImplementedError\b.*|(#|//|--|;|/\*+|\*|<!--|%)\s*(TODO` +
	`|FIXME)\b.*)?\s*$`

// emptyProse is the same in prose, where «# TODO» is a heading.
const emptyProse = `(?i)^\s*(<!--\s*(TODO|FIXME)\b.*)?$`

// weighLines judges a file without a grammar line by line.
func (p *place) weighLines() Result {
	prose := parser.IsProse(p.entry.Path)
	pattern := emptyLine
	if prose {
		pattern = emptyProse
	}
	empty := regexp.MustCompile(pattern)
	allEmpty, allBlank := true, true
	for line := p.first; line <= p.last; line++ {
		text := p.text.at(line)
		allEmpty = allEmpty && empty.MatchString(text)
		allBlank = allBlank && strings.TrimSpace(text) == ""
	}
	switch {
	case allBlank:
		return p.empty("only blank lines")
	case allEmpty:
		return p.empty(stubContent)
	case prose:
		return p.prose()
	}
	return p.unsure(fmt.Sprintf("no grammar reads %s, so only line patterns were checked", ending(p.entry.Path)), "")
}

// prose judges lines of prose that say something.
func (p *place) prose() Result {
	if p.Kind == KindText || p.Kind == kindAsset || slices.ContainsFunc(parser.Names(p.Item),
		func(n parser.Name) bool { return n.IsFile && isCalled(p.entry.Path, n.Text) }) {
		return verified()
	}
	return p.unsure("it is prose, and the item asks for code", "cite the code, or register the item with kind text")
}

// unsure is the result of lines that neither show nor refute the claim.
func (p *place) unsure(why, hint string) Result {
	return Result{Verdict: report.Unclear, Reason: why, Problems: []Problem{uncertain(p.Evidence, p.first, p.last, why,
		hint)}}
}

// ending names the kind of a file: its extension, or its name where it has none.
func ending(name string) string {
	if ext := path.Ext(name); ext != "" {
		return ext
	}
	return path.Base(name)
}

// KindOf is the kind of an item that names none and cites a file of this name: text for prose, else code.
func KindOf(name string) Kind {
	if g := grammarOf(name); parser.IsProse(name) || g != nil && g.Is("prose") {
		return KindText
	}
	return KindCode
}
