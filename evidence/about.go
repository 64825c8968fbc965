package evidence

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

type itemNames struct {
	*call
	claim   parser.Claim
	names   []parser.Name
	results []Result
}

// judgeNames makes a claim of code unclear if no cited place lies in a file that its item names, or shows a symbol that
// it names. It is not verified if that file, or the symbol that the item makes, does not exist. One of several names is
// enough. bench/figures/precision.md has the rate of errors.
func (j *call) judgeNames(c parser.Claim, kind Kind, v *ItemVerdict) {
	a := itemNames{j, c, parser.Names(c.Item.Value), v.Results}
	if v.Verdict == report.NotVerified || !(Claim{Kind: kind}).asksForCode() || len(a.names) == 0 {
		return
	}
	p := a.checkFiles()
	if p == nil {
		p = a.checkSymbols()
	}
	if p == nil {
		return
	}
	verdict, r := report.Unclear, &v.Results[0]
	switch {
	case p.Code == codeUnrelated:
		verdict = report.NotVerified
	case v.Verdict == report.Unclear:
		return // one finding is enough
	}
	p.Path, p.IsRelative = c.Evidence[0].Path, true
	r.Verdict, v.Verdict = max(r.Verdict, verdict), max(v.Verdict, verdict)
	r.Reason = strings.TrimPrefix(r.Reason+"; "+strings.TrimSuffix(p.Message, "."), "; ")
	r.Problems = append(r.Problems, *p)
}

const (
	hintReword = "write it, or report «Skipped: … | reason»; if it has another name now, reword the item: acta plan add"
	notInTree  = "The item names %s, which is not in the tree."
)

// checkFiles checks whether a cited place lies in a file that the item names, and whether the tree has the file to
// which the item moves code.
func (a itemNames) checkFiles() (found *Problem) {
	item := parser.WithoutType(a.claim.Item.Value)
	for _, n := range a.names {
		if n.IsFile && n.IsSure && fits("relocation", item) && strings.Contains(item, "to "+n.Text) &&
			a.findFile(n.Text) == "" {
			return &Problem{Code: Uncertain, Message: fmt.Sprintf(notInTree, n.Text), Hint: hintReword}
		}
	}
	for i, n := range a.names {
		if !n.IsFile {
			continue
		}
		for k, e := range a.claim.Evidence {
			if a.liesIn(e, n.Text) || strings.Contains(" "+a.claim.Item.Value+" ", " "+e.Path+" ") || !n.IsInside &&
				a.shows(k, i) {
				return nil
			}
		}
		at := a.findFile(n.Text)
		p := &Problem{Code: Uncertain, Hint: "cite it: " + at,
			Message: fmt.Sprintf("The item names %s, and no cited place lies in it.", n.Text)}
		if at == "" {
			if !n.IsSure || fits("removal words", a.claim.Item.Value) || !n.IsInside && !n.IsNew {
				continue
			}
			p.Message, p.Hint = fmt.Sprintf(notInTree, n.Text), hintReword
			if !a.taskHolds(path.Base(n.Text)) {
				p.Code = codeUnrelated
			}
		}
		found = cmp.Or(found, p)
	}
	return found
}

func (a itemNames) shows(k, i int) bool { return a.results[k].Shows != nil && a.results[k].Shows[i] }

// liesIn reports whether evidence cites a file of this name, or one that had it before the change.
func (j *call) liesIn(e parser.Evidence, name string) bool {
	return matchesPath(e.Path, name) || j.Base != nil && !e.IsRemoved && e.Err == "" &&
		matchesPath(j.origin(j.Base, &j.Tree, e.Path).Path, name)
}

// matchesPath reports whether a name is that of a path; leading folders may be missing.
func matchesPath(file, name string) bool {
	return strings.HasSuffix("/"+strings.ToLower(file), "/"+strings.ToLower(strings.TrimPrefix(name, "./")))
}

// checkSymbols checks whether a cited place shows a symbol that the item names; if it makes symbols, one of those.
func (a itemNames) checkSymbols() *Problem {
	hasNew := slices.ContainsFunc(a.names, func(n parser.Name) bool { return n.IsNew && !n.IsFile })
	var missing []parser.Name
	var newNames []string
	for i, n := range a.names {
		if n.IsFile || hasNew && !n.IsNew {
			continue
		}
		missing, newNames = append(missing, n), append(newNames, lastPart(n.Text))
		for k, e := range a.claim.Evidence {
			if a.isRemoved(e, n) || a.shows(k, i) || a.liesIn(e, n.Text) { // Owner.member may be the name of a file
				return nil
			}
		}
	}
	for _, n := range missing {
		where := a.findName(n)
		p := &Problem{Code: Uncertain, Hint: fmt.Sprintf("%s stands at %s", n.Text, where),
			Message: fmt.Sprintf("The item names %s, and no cited place defines or uses it.", n.Text)}
		switch {
		case where != "":
			return p
		case !n.IsCall && !hasNew:
			continue // it may be prose, or others' code
		}
		p.Hint = "cite the lines of " + n.Text
		if a.taskHolds(newNames...) || !hasNew ||
			!slices.ContainsFunc(missing, func(n parser.Name) bool { return n.IsSure }) {
			return p
		}
		p.Code, p.Hint = codeUnrelated, hintReword
		p.Message = fmt.Sprintf("The item names %s, and no file that the task changed holds it.", n.Text)
		return p
	}
	return nil
}

// isRemoved reports whether evidence shows a removal of a name: it is a removal, or the item says so, and the file had
// the name before the change. If the item removes NAME(), the file must have it less often now.
func (a itemNames) isRemoved(e parser.Evidence, n parser.Name) bool {
	if !e.IsRemoved && !fits("removal words", a.claim.Item.Value) || a.Base == nil || e.Err != "" {
		return false
	}
	before, _ := a.textOf(a.Base, a.origin(a.Base, &a.Tree, e.Path).Path)
	after, isKnown := a.textOf(&a.Tree, e.Path)
	name := lastPart(n.Text)
	return strings.Contains(before, name) && (!e.IsRemoved || !n.IsObject || !n.IsCall || !isKnown ||
		strings.Count(after, name) < strings.Count(before, name))
}

// unitPaths lists the paths that this commit and the earlier ones of the unit change; isComplete is false if some are
// unknown.
func (j *call) unitPaths() (paths []string, isComplete bool) {
	if j.Change == nil {
		return nil, false
	}
	tooMany, isCut := j.anyUnitCommit(func(s Step) bool {
		paths = append(paths, j.changed(s.Change)...)
		return len(paths) > maxSearched
	})
	return paths, !isCut && !tooMany
}

// taskHolds reports whether a file that the task changed contains one of the names, now or before this commit, or
// whether that is unknown.
func (j *call) taskHolds(names ...string) bool {
	paths, isComplete := j.unitPaths()
	if !isComplete {
		return true
	}
	for _, name := range paths {
		for _, tree := range []*Tree{&j.Tree, j.Base} {
			text, isKnown := j.textOf(tree, name)
			if !isKnown || slices.ContainsFunc(names, func(n string) bool { return strings.Contains(text, lang.FoldStyle(n)) }) {
				return true
			}
		}
	}
	return false
}

// textOf returns the text at a path of a tree in folded style; isKnown is false if it is too large.
func (j *call) textOf(tree *Tree, name string) (text string, isKnown bool) {
	entry := j.Stat(tree, name)
	if entry.Kind != File {
		return "", true
	}
	src, why := j.version(tree, entry)
	return lang.FoldStyle(string(src)), why == "" || why == noLinesReason
}

// lastPart is the last part of a qualified name, in folded style.
func lastPart(name string) string {
	text := plainSymbol(strings.ReplaceAll(name, "->", "."))
	return lang.FoldStyle(text[strings.LastIndexByte(text, '.')+1:])
}

// shownNames says for each name of the item whether the lines define it, lie in it, or use it in code; nil if they
// cannot be read.
func (p *place) shownNames() []bool {
	names := parser.Names(p.Item)
	if len(names) == 0 || p.last > p.text.count() {
		return nil
	}
	span, defined := p.text.span(p.first, p.last), ""
	text := string(p.text.bytes[span.start:span.end])
	code := text
	if m := p.model; m != nil && !m.grammar.Is("prose") {
		code = m.withoutComments(span)
		if text = code; !m.grammar.Is("data") {
			code = lang.WithoutLiterals(text)
		}
		for _, d := range m.definitions {
			if from, to := m.linesOf(d); m.commentStart(from) <= p.last && to >= p.first {
				defined += "\n" + d.symbol
			}
		}
	}
	found := make([]bool, len(names))
	for i, n := range names {
		switch {
		case n.IsFile:
			found[i] = strings.Contains(strings.ToLower(text), strings.ToLower(path.Base(n.Text)))
		case n.IsRoute:
			found[i] = slices.ContainsFunc(strings.Split(n.Text, "/"),
				func(part string) bool { return len(part) > 2 && strings.Contains(p.Path+"\n"+text, part) })
		case n.IsCall:
			found[i] = holdsName(code+defined, n)
		default:
			found[i] = holdsName(text+defined+"\n"+strings.TrimSuffix(path.Base(p.Path), path.Ext(p.Path)), n)
		}
	}
	return found
}

// holdsName reports whether a word of a text is a name. For a new function, the last part must match; else a longer
// word that begins or ends with the name is enough, or its qualifier.
func holdsName(text string, n parser.Name) bool {
	names := []string{lastPart(n.Text)}
	if !n.IsNew {
		names = append(names, strings.Split(lang.FoldStyle(plainSymbol(n.Text)), ".")...)
	}
	isBetween := func(r rune) bool { return !lang.IsNameRune(r) && r != '-' }
	for word := range strings.FieldsFuncSeq(text, isBetween) {
		for _, part := range append(strings.Split(word, "-"), word) {
			part = lang.FoldStyle(part)
			for _, name := range names {
				if name == part || !(n.IsNew && n.IsCall) && len(name) > 2 &&
					(strings.HasPrefix(part, name) || strings.HasSuffix(part, name)) {
					return true
				}
			}
		}
	}
	return false
}

func (m *model) withoutComments(s stretch) string {
	out := []byte(m.of(s))
	for i := range out {
		if base := m.kinds[s.start+i] & kindMask; base == comment || base == docstring {
			out[i] = ' '
		}
	}
	return string(out)
}

const maxSearched = 100

// findName returns a place of a name in files that the unit changed or the claim cites, as path:start-end; "" if there
// is none. Unreadable files are skipped.
func (a itemNames) findName(n parser.Name) string {
	paths, _ := a.unitPaths()
	for _, e := range a.claim.Evidence {
		paths = append(paths, e.Path)
	}
	files := sources{call: a.call}
	for _, name := range paths[:min(len(paths), maxSearched)] {
		s := files.parsed(name)
		if s == nil || s.model == nil {
			continue
		}
		if found := s.model.findSymbol(n.Text); len(found) > 0 {
			from, to := s.model.linesOf(found[0])
			return fmt.Sprintf("%s:%s", name, lines(from, to))
		}
	}
	return ""
}

func (j *call) findFile(name string) string {
	paths := j.AllPaths(&j.Tree)
	if i := slices.IndexFunc(paths, func(p string) bool { return matchesPath(p, name) }); i >= 0 {
		return paths[i]
	}
	return ""
}

// SaysRemoval reports whether an item says that something is removed or moved.
func SaysRemoval(item string) bool { return fits("removal words", item) }
