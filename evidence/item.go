package evidence

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/acta-git/acta/evidence/language"
)

// Name is a symbol or a file that the text of an item names.
type Name struct {
	Text string
	// File tells a file's name from a symbol.
	File bool
	// Sure: the text leaves no doubt that code is meant: login(), a name in backticks, src/auth.py. GitHub and user_id may
	// be prose; such a name counts only where something is called so.
	Sure bool
}

var (
	// In the order of the alternatives: in backticks, called, a file, snake_case, camelCase.
	mention = language.Lazy("`[^`\\s]+`|[\\pL_$][\\pL\\pN_$.]*\\(|" +
		"(?:[\\pL\\pN_.-]+/)*[\\pL\\pN_-]+\\.\\pL[\\pL\\pN]*\\b|" +
		"[\\pL$]*\\pL+_[\\pL\\pN_$.]+|\\pL*\\p{Ll}\\p{Lu}[\\pL\\pN_$.]*")
	identifier = language.Lazy(`^[\pL_$][\pL\pN_$]*(?:(?:\.|::|#)[\pL_$][\pL\pN_$]*)*$`)
	product    = language.Lazy(`^\p{Lu}\pL*\.js$`) // Node.js, Vue.js
)

// Names returns the names of code in an item's text that can be told from prose:
// in backticks, called with (), a file's name, or written in camelCase or snake_case.
func Names(item string) []Name {
	item = plainItem(item)
	if !mayName(item) {
		return nil // and the expressions need not be compiled
	}
	var names []Name
	for _, m := range mention.FindAllString(item) {
		text := strings.Trim(m, "`")
		called := strings.IndexByte(text, '(')
		if called >= 0 {
			text = text[:called]
		}
		text = strings.TrimRight(text, ".")
		n := Name{Text: text, Sure: called >= 0 || m[0] == '`', File: called < 0 && isFileName(text)}
		switch {
		case n.File:
			n.Sure = !product.MatchString(text)
		case !identifier.MatchString(text), strings.Contains(text, ".") && !n.Sure && !strings.Contains(text, "_"):
			continue
		}
		names = append(names, n)
	}
	return names
}

// commitTypes are what a subject of another convention begins with, «feat(remotes): …».
var commitTypes = []string{"build", "chore", "ci", "deps", "docs", "feat", "fix",
	"perf", "refactor", "revert", "style", "test", "tests"}

// plainItem is an item without the type and scope that make it a subject: no call.
func plainItem(item string) string {
	kind, rest, _ := strings.Cut(item, "(")
	_, rest, _ = strings.Cut(rest, ")")
	if rest = strings.TrimPrefix(rest, "!"); slices.Contains(commitTypes, strings.ToLower(kind)) &&
		strings.HasPrefix(rest, ":") {
		return rest[1:]
	}
	return item
}

// mayName reports whether one of mention's alternatives can match at all.
func mayName(item string) bool {
	before := ' '
	for _, c := range item {
		if strings.ContainsRune("`(._", c) || unicode.IsLower(before) && unicode.IsUpper(c) {
			return true
		}
		before = c
	}
	return false
}

// isFileName reports whether a name is one of a file: a grammar reads it, or it has a folder and an extension.
func isFileName(name string) bool {
	return grammarOf(name) != nil && strings.Contains(name, ".") || strings.Contains(name, "/") && path.Ext(name) != ""
}

// own is the last part of a qualified name.
func (n Name) own() string {
	text := plainSymbol(n.Text)
	return text[strings.LastIndexAny(text, ".")+1:]
}

// folded writes names that differ in style alone the same: user_model, UserModel, user-model.
func folded(s string) string { return strings.ToLower(withoutStyle.Replace(s)) }

var withoutStyle = strings.NewReplacer("_", "", "-", "")

// lacks returns the names of the item that neither the lines nor what encloses them know; never nil.
func (p *place) lacks() []Name {
	unknown := []Name{}
	names := Names(p.Item)
	if len(names) == 0 || p.last > p.text.count() {
		return unknown
	}
	s := p.text.span(p.first, p.last)
	here := folded(string(p.text.bytes[s.start:s.end])) + "\n" + folded(p.entry.Path)
	if p.model != nil {
		for i := range p.model.definitions {
			d := &p.model.definitions[i]
			if from, to := p.model.linesOf(d); from <= p.last && to >= p.first {
				here += "\n" + folded(d.symbol)
			}
		}
	}
	for _, n := range names {
		name := folded(n.own())
		if n.File {
			name = folded(path.Base(n.Text))
		}
		if !strings.Contains(here, name) {
			unknown = append(unknown, n)
		}
	}
	return unknown
}

// maxSearched bounds the files in which a symbol is looked for.
const maxSearched = 100

// Find returns where a name stands in the snapshot, as path:start-end, or as a
// path where it names a file. A symbol is looked for in the given files; "" says that it is not there.
func (j *Judge) Find(ctx context.Context, n Name, paths []string) (string, error) {
	if n.File {
		return j.findFile(ctx, n.Text)
	}
	for _, name := range paths[:min(len(paths), maxSearched)] {
		g := grammarOf(name)
		if g == nil {
			continue
		}
		entry, err := j.Tree.Stat(ctx, name)
		if err != nil || entry.Kind != File {
			continue // what cannot be read is no place to point at
		}
		src, why, err := j.version(ctx, &j.Tree, entry)
		if err != nil || why != "" {
			continue
		}
		m, err := j.Cache.model(ctx, g, name, entry.ID, newText(src))
		if err != nil {
			continue
		}
		if found := m.find(n.Text); len(found) > 0 {
			from, to := m.linesOf(found[0])
			return fmt.Sprintf("%s:%s", name, lines(from, to)), nil
		}
	}
	return "", ctx.Err()
}

func (j *Judge) findFile(ctx context.Context, name string) (string, error) {
	paths, err := j.Tree.Paths(ctx)
	if err != nil {
		return "", err
	}
	for _, p := range paths {
		if p == name || strings.HasSuffix(p, "/"+name) {
			return p, nil
		}
	}
	return "", nil
}
