package evidence

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

func (p *place) judgePlainLines() Result {
	prose := parser.IsProse(p.entry.Path)
	empty := patternOf("empty line")
	if prose {
		empty = patternOf("empty prose")
	}
	allEmpty, allBlank := true, true
	for line := p.first; line <= p.last; line++ {
		text := p.text.at(line)
		allEmpty = allEmpty && empty.MatchString(text)
		allBlank = allBlank && strings.TrimSpace(text) == ""
	}
	switch {
	case allBlank:
		return p.emptyResult("only blank lines")
	case allEmpty:
		return p.emptyResult(stubContent)
	case prose:
		return p.proseResult()
	}
	return p.unclear(fmt.Sprintf("no grammar reads %s, so only line patterns were checked", ending(p.entry.Path)), "")
}

func (p *place) proseResult() Result {
	if p.Kind == KindText || p.Kind == kindAsset || slices.ContainsFunc(parser.Names(p.Item),
		func(n parser.Name) bool {
			return n.IsFile && (n.IsObject || n.IsInside) && matchesPath(p.entry.Path, n.Text)
		}) {
		return verified()
	}
	return p.unclear("it is prose, and the item asks for code", "cite the code, or register the item with kind text")
}

func (p *place) unclear(why, hint string) Result {
	return Result{Verdict: report.Unclear, Reason: why, Problems: []Problem{uncertain(p.Evidence, p.first, p.last, why,
		hint)}}
}

// ending is the extension of a file, or its name if it has none.
func ending(name string) string {
	if ext := path.Ext(name); ext != "" {
		return ext
	}
	return path.Base(name)
}

// KindOf is the default kind of an item that cites a file of this name: text for prose, else code.
func KindOf(name string) Kind {
	if g := grammarOf(name); parser.IsProse(name) || g != nil && g.Is("prose") {
		return KindText
	}
	return KindCode
}
