package evidence

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// about is a claim whose item names something.
type about struct {
	*Judge
	claim   parser.Claim
	names   []parser.Name
	results []Result
}

// about makes a claim of code unclear where no cited place lies in a file that its item names, or shows a symbol that
// it names; it is not verified where that file, or the symbol that the item makes, is not there. One name of several
// is enough. bench/figures/precision.md has how often this is wrong.
func (j *Judge) about(ctx context.Context, c parser.Claim, kind Kind, v *ItemVerdict) error {
	a := about{j, c, parser.Names(c.Item.Value), v.Results}
	if v.Verdict == report.NotVerified || !(Claim{Kind: kind}).asksForCode() || len(a.names) == 0 {
		return nil
	}
	p, err := a.files(ctx)
	if err == nil && p == nil {
		p, err = a.symbols(ctx)
	}
	if err != nil || p == nil {
		return err
	}
	verdict, r := report.Unclear, &v.Results[0]
	switch {
	case p.Code == codeUnrelated:
		verdict = report.NotVerified
	case v.Verdict == report.Unclear:
		return nil // one finding for one mistake
	}
	p.Path, p.Compares = c.Evidence[0].Path, true
	r.Verdict, v.Verdict = max(r.Verdict, verdict), max(v.Verdict, verdict)
	r.Reason = strings.TrimPrefix(r.Reason+"; "+strings.TrimSuffix(p.Message, "."), "; ")
	r.Problems = append(r.Problems, *p)
	return nil
}

const wordAnew = "write it, or report «Skipped: … | reason»; " +
	"if it has another name now, reword the item: acta plan add"

// files asks whether a cited place lies in a file that the item names.
func (a about) files(ctx context.Context) (found *Problem, err error) {
	for i, n := range a.names {
		if !n.IsFile {
			continue
		}
		for k, e := range a.claim.Evidence {
			lies, err := a.liesIn(ctx, e, n.Text)
			if err != nil || lies || strings.Contains(" "+a.claim.Item.Value+" ", " "+e.Path+" ") || !n.IsInside &&
				a.shows(k, i) {
				return nil, err
			}
		}
		at, err := a.findFile(ctx, n.Text)
		if err != nil {
			return nil, err
		}
		p := &Problem{Code: Uncertain, Hint: "cite it: " + at,
			Message: fmt.Sprintf("The item names %s, and no cited place lies in it.", n.Text)}
		if at == "" {
			if !n.IsSure || takesAway.MatchString(a.claim.Item.Value) || !n.IsInside && !n.IsNew {
				continue
			}
			p.Message, p.Hint = fmt.Sprintf("The item names %s, which is not in the tree.", n.Text), wordAnew
			held, err := a.isHeld(ctx, path.Base(n.Text))
			if err != nil {
				return nil, err
			}
			if !held {
				p.Code = codeUnrelated
			}
		}
		found = cmp.Or(found, p)
	}
	return found, nil
}

// shows reports whether the cited place number k shows name number i.
func (a about) shows(k, i int) bool { return a.results[k].Shows != nil && a.results[k].Shows[i] }

// liesIn reports whether evidence cites a file that is called so, or was before the change renamed it.
func (j *Judge) liesIn(ctx context.Context, e parser.Evidence, name string) (bool, error) {
	if isCalled(e.Path, name) || j.Base == nil || e.IsRemoved || e.Err != "" {
		return isCalled(e.Path, name), nil
	}
	was, err := Origin(ctx, j.Base, &j.Tree, e.Path)
	return err == nil && isCalled(was.Path, name), err
}

// isCalled reports whether a name is that of a path, or leaves out folders above it.
func isCalled(file, name string) bool {
	return strings.HasSuffix("/"+strings.ToLower(file), "/"+strings.ToLower(strings.TrimPrefix(name, "./")))
}

// symbols asks whether a cited place shows a symbol that the item names; where it makes some, one of those.
func (a about) symbols(ctx context.Context) (*Problem, error) {
	makes := slices.ContainsFunc(a.names, func(n parser.Name) bool { return n.IsNew && !n.IsFile })
	var lacking []parser.Name
	var made []string
	for i, n := range a.names {
		if n.IsFile || makes && !n.IsNew {
			continue
		}
		lacking, made = append(lacking, n), append(made, lastPart(n.Text))
		for k, e := range a.claim.Evidence {
			gone, err := a.goes(ctx, e, n)
			if err != nil || gone || a.shows(k, i) {
				return nil, err
			}
		}
	}
	for _, n := range lacking {
		where, err := a.find(ctx, n)
		p := &Problem{Code: Uncertain, Hint: fmt.Sprintf("%s stands at %s", n.Text, where),
			Message: fmt.Sprintf("The item names %s, and no cited place defines or uses it.", n.Text)}
		switch {
		case err != nil || where != "":
			return p, err
		case !n.IsCall && !makes:
			continue // it may be prose, or what others made
		}
		p.Hint = "cite the lines of " + n.Text
		if held, err := a.isHeld(ctx, made...); err != nil || held || !makes ||
			!slices.ContainsFunc(lacking, func(n parser.Name) bool { return n.IsSure }) {
			return p, err
		}
		p.Code, p.Hint = codeUnrelated, wordAnew
		p.Message = fmt.Sprintf("The item names %s, and no file that the task changed holds it.", n.Text)
		return p, nil
	}
	return nil, nil
}

// goes reports whether evidence shows that what had a name went away: it is a removal, or the item says so, and the
// file held the name before the change.
func (a about) goes(ctx context.Context, e parser.Evidence, n parser.Name) (bool, error) {
	if !e.IsRemoved && !takesAway.MatchString(a.claim.Item.Value) || a.Base == nil || e.Err != "" {
		return false, nil
	}
	was, err := Origin(ctx, a.Base, &a.Tree, e.Path)
	if err != nil {
		return false, err
	}
	text, _, err := a.textOf(ctx, a.Base, was.Path)
	return strings.Contains(text, lastPart(n.Text)), err
}

// unitChanged lists what this commit and the earlier ones of the unit change; all is false where that is not known.
func (j *Judge) unitChanged(ctx context.Context) (paths []string, all bool, err error) {
	if j.Change == nil {
		return nil, false, nil
	}
	tooMany, cut, err := j.unit(ctx, func(s Step) (bool, error) {
		more, err := s.Change.Changed(ctx)
		paths = append(paths, more...)
		return len(paths) > maxSearched, err
	})
	return paths, !cut && !tooMany, err
}

// isHeld reports whether a file that the task changed holds one of some names, now or before this
// commit, or whether that cannot be known.
func (j *Judge) isHeld(ctx context.Context, names ...string) (bool, error) {
	paths, all, err := j.unitChanged(ctx)
	if err != nil || !all {
		return true, err
	}
	for _, name := range paths {
		for _, tree := range []*Tree{&j.Tree, j.Base} {
			text, known, err := j.textOf(ctx, tree, name)
			if err != nil || !known ||
				slices.ContainsFunc(names, func(n string) bool { return strings.Contains(text, folded(n)) }) {
				return true, err
			}
		}
	}
	return false, nil
}

// textOf returns the text that stands at a path of a tree, folded; known is false where that is too large.
func (j *Judge) textOf(ctx context.Context, tree *Tree, name string) (text string, known bool, err error) {
	entry, err := tree.stat(ctx, name)
	if err != nil || entry.Kind != File {
		return "", true, err
	}
	src, why, err := j.version(ctx, tree, entry)
	return folded(string(src)), why == "" || why == noLines, err
}

// lastPart is the last part of a qualified name, folded.
func lastPart(name string) string {
	text := plainSymbol(strings.ReplaceAll(name, "->", "."))
	return folded(text[strings.LastIndexByte(text, '.')+1:])
}

// folded writes names that differ in style alone the same: user_model, UserModel, user-model.
func folded(s string) string { return strings.ToLower(withoutStyle.Replace(s)) }

var withoutStyle = strings.NewReplacer("_", "", "-", "")

// shows says of each name of the item whether the lines define it, lie in it, or use it in code; nil where they cannot
// be read.
func (p *place) shows() []bool {
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
		for i := range m.definitions {
			d := &m.definitions[i]
			if from, to := m.linesOf(d); m.commented(from) <= p.last && to >= p.first {
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
				func(part string) bool { return len(part) > 2 && strings.Contains(p.entry.Path+"\n"+text, part) })
		case n.IsCall:
			found[i] = holdsName(code+defined, n)
		default:
			found[i] = holdsName(text+defined+"\n"+strings.TrimSuffix(path.Base(p.entry.Path), path.Ext(p.entry.Path)), n)
		}
	}
	return found
}

// holdsName reports whether one of the words of a text is a name. Of what the item makes and calls its own name must
// stand there; else a longer name that begins or ends so is enough, or the name of what it is part of.
func holdsName(text string, n parser.Name) bool {
	names := []string{lastPart(n.Text)}
	if !n.IsNew {
		names = append(names, strings.Split(folded(plainSymbol(n.Text)), ".")...)
	}
	isBetween := func(r rune) bool { return !lang.IsNameRune(r) && r != '-' }
	for word := range strings.FieldsFuncSeq(text, isBetween) {
		for _, part := range append(strings.Split(word, "-"), word) {
			part = folded(part)
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

// withoutComments is a text with blanks for its comments and documentation.
func (m *model) withoutComments(s stretch) string {
	out := []byte(m.of(s))
	for i := range out {
		if base := m.kinds[s.start+i] & kindMask; base == comment || base == docstring {
			out[i] = ' '
		}
	}
	return string(out)
}

// maxSearched bounds the files in which a symbol is looked for.
const maxSearched = 100

// find returns where a name stands in what the unit changed or the claim cites, as path:start-end; "" says that it is
// not there. What cannot be read is no place to point at.
func (a about) find(ctx context.Context, n parser.Name) (string, error) {
	paths, _, err := a.unitChanged(ctx)
	if err != nil {
		return "", err
	}
	for _, e := range a.claim.Evidence {
		paths = append(paths, e.Path)
	}
	files := sources{Judge: a.Judge}
	for _, name := range paths[:min(len(paths), maxSearched)] {
		s, err := files.parsed(ctx, name)
		if err != nil || s == nil || s.model == nil {
			continue
		}
		if found := s.model.find(n.Text); len(found) > 0 {
			from, to := s.model.linesOf(found[0])
			return fmt.Sprintf("%s:%s", name, lines(from, to)), nil
		}
	}
	return "", ctx.Err()
}

// findFile returns the path of the tree that is called so; "" for none.
func (j *Judge) findFile(ctx context.Context, name string) (string, error) {
	paths, err := j.Tree.Paths(ctx)
	if i := slices.IndexFunc(paths, func(p string) bool { return isCalled(p, name) }); i >= 0 {
		return paths[i], nil
	}
	return "", err
}

// TakesAway reports whether an item says that something goes, or goes elsewhere.
func TakesAway(item string) bool { return takesAway.MatchString(item) }
