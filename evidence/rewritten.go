package evidence

import (
	"bytes"
	"context"
	"maps"
	"strings"
	"unicode"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/parser"
)

// aboutForm is how an item says that its work is the form of code, its order or its place, so that the tokens may stay
// as they were.
var aboutForm = lang.Lazy(`(?i)\b((re)?format\w*|style\w*|white ?space\w*|blanks?|(re)?indent\w*|lint\w*` +
	`|prettier|gofmt|goimports|rustfmt|black|clang-format|` +
	`clean\w*|tidy|nits?|(re)?order\w*|sort\w*|rearrange\w*|regroup\w*|move\w*|moving|align\w*|quotes?|semicolons?` +
	`|trailing|wrap\w*|line lengths?)\b`)

// asksForTokens reports whether the item asks for code other than that which was there, and not for comments or form
// alone.
func (c Claim) asksForTokens() bool {
	return c.asksForCode() && !aboutForm.MatchString(c.Item)
}

// revision is a change of a file that a grammar reads, between two snapshots.
type revision struct {
	before, after *Tree
	old, now      Entry
	*comparison
}

// rewrites reports whether a revision changes code in lines of its new version: more than comments, docstrings, what
// formatters change, and the order of definitions. It does where that cannot be known. For an item that makes something
// new the lines themselves must do so; for others it is enough that the file does, as imports are sorted and code is
// nested deeper by the way. Of 4,219 honest claims of 31 public repositories 59 were unclear when all items were held
// to the lines; of 557 of the five repositories where most of those stood, 45 were, and none is now.
func (j *Judge) rewrites(ctx context.Context, c Claim, v revision, at lineRange) (bool, error) {
	g := grammarOf(v.now.Path)
	if g == nil || g.Data || g.Prose || !c.asksForTokens() || v.old.Path == "" || grammarOf(v.old.Path) != g {
		return true, nil
	}
	old, now, err := j.bothOf(ctx, v)
	if err != nil || now == nil {
		return true, err
	}
	if err := now.parse(ctx, j.Cache); err != nil || now.why != "" || now.model.addsCode(v.comparison, old.text, at) {
		return true, err
	}
	before, after, err := j.knownOf(ctx, g, old, now)
	if err != nil || after == nil {
		return true, err
	}
	if c.asksToMake() {
		return differ(before, after, v.comparison, at), nil
	}
	all, rest := before.inventory(1, before.text.count()), after.inventory(1, after.text.count())
	return !maps.Equal(all, rest) || instructs(before, after, v.comparison), nil
}

// instructs reports whether a line that is new or gone holds a comment that is an instruction to a tool.
func instructs(before, after *known, c *comparison) bool {
	for line := 1; line <= after.text.count(); line++ {
		if c.from[line-1] == 0 && after.model.hasDirective(after.text.span(line, line)) {
			return true
		}
	}
	for i, gone := range c.gone {
		if gone && before.model.hasDirective(before.text.span(i+1, i+1)) {
			return true
		}
	}
	return false
}

// bothOf reads both versions; nil where one of them cannot be compared.
func (j *Judge) bothOf(ctx context.Context, v revision) (old, now *source, err error) {
	was, why, err := j.version(ctx, v.before, v.old)
	if err != nil || why != "" {
		return nil, nil, err
	}
	is, why, err := j.version(ctx, v.after, v.now)
	if err != nil || why != "" {
		return nil, nil, err
	}
	return &source{Entry: v.old, text: newText(was)}, &source{Entry: v.now, text: newText(is)}, nil
}

// knownOf reads the tokens of both versions; nil where those of one cannot be read.
func (j *Judge) knownOf(ctx context.Context, g *grammar, old, now *source) (before, after *known, err error) {
	id := identities{Judge: j, files: map[*source]*known{}}
	if before, err = id.file(ctx, g, old); err != nil || before == nil {
		return nil, nil, err
	}
	after, err = id.file(ctx, g, now)
	return before, after, err
}

// addsCode reports whether a new line of code says what the earlier version does not: then nothing needs to be compared
// token by token.
func (m *model) addsCode(c *comparison, old text, at lineRange) bool {
	was := unformatted(string(old.bytes))
	for line := at.first; line <= at.last; line++ {
		if c.from[line-1] == 0 && !strings.Contains(was, unformatted(m.codeOf(line))) {
			return true
		}
	}
	return false
}

// codeOf is a line without its comments and docstrings.
func (m *model) codeOf(line int) string {
	s := m.text.span(line, line)
	var out bytes.Buffer
	for at := s.start; at < s.end; at++ {
		if base := m.kinds[at] & kindMask; base != blank && base != comment && base != docstring {
			out.WriteByte(m.text.bytes[at])
		}
	}
	return out.String()
}

// unformatted leaves out of a text what formatters add and take away.
func unformatted(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || r == ';' || r == ',':
			return -1
		case r == '\'':
			return '"'
		}
		return r
	}, s)
}

// differ reports whether what lines of a file touch was not in its earlier version as often, or whether the file lost
// what may have stood there.
func differ(before, after *known, c *comparison, at lineRange) bool {
	was, is, here := before.inventory(1, before.text.count()), after.inventory(1, after.text.count()),
		after.inventory(at.first, at.last)
	if len(here) == 0 {
		return true
	}
	for key := range here {
		if was[key] < is[key] {
			return true
		}
	}
	for line := at.first; line <= at.last; line++ {
		if c.from[line-1] == 0 || !c.mayTouch[line-1] {
			continue
		}
		for key, n := range was { // it stands beside what is gone
			if is[key] < n {
				return true
			}
		}
		break
	}
	return false
}

// inventory counts what stands in lines: definitions by symbol and code, and the lines outside of any.
func (f *known) inventory(first, last int) map[string]int {
	f.bare = true
	all := map[string]int{}
	at := f.text.span(first, max(first, last))
	lines := map[int]bool{}
	seen := map[int]bool{}
	for i := f.token(at.start); i < len(f.tokens) && f.tokens[i].start < at.end; i++ {
		t := f.tokens[i]
		switch h := f.holder[i]; {
		case f.describes(t.stretch):
		case h < 0:
			if text := f.model.of(t.stretch); strings.Contains(text, " ") {
				all["\n"+text]++ // a blank in a string is no form
			}
			for l := f.text.line(t.start); l <= f.text.line(t.end-1); l++ {
				lines[l] = true
			}
		case !seen[h]:
			seen[h] = true
			if key := f.definition(h, ""); key != "" {
				all[f.model.definitions[h].symbol+"\n"+key]++
			}
		}
	}
	for l := range lines {
		if code := unformatted(f.model.codeOf(l)); hasWordIn([]byte(code)) {
			all[code]++
		}
	}
	return all
}

// ChangesOnlyProse reports whether a commit that changes these paths changes nothing but comments and prose.
func (j *Judge) ChangesOnlyProse(ctx context.Context, paths []string) (bool, error) {
	if j.Base == nil || len(paths) == 0 || len(paths) > maxProse {
		return false, nil
	}
	for _, name := range paths {
		now, err := j.Tree.Stat(ctx, name)
		if err != nil {
			return false, err
		}
		g := grammarOf(name)
		if now.Kind != File {
			return false, nil
		}
		if g != nil && g.Prose || g == nil && parser.IsProse(name) {
			continue
		}
		old, err := j.Base.Stat(ctx, name)
		if err != nil || g == nil || g.Data || old.Kind != File || old.Mode != now.Mode {
			return false, err
		}
		same, err := j.sameCode(ctx, g, revision{before: j.Base, after: &j.Tree, old: old, now: now})
		if err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

// maxProse bounds the files of a change that are compared to learn whether it is one of comments.
const maxProse = 100

// sameCode reports whether two versions of a file have the same tokens in the same order, docstrings left out.
func (j *Judge) sameCode(ctx context.Context, g *grammar, v revision) (bool, error) {
	old, now, err := j.bothOf(ctx, v)
	if err != nil || now == nil {
		return false, err
	}
	before, after, err := j.knownOf(ctx, g, old, now)
	if err != nil || after == nil {
		return false, err
	}
	var code [2][]byte
	for i, f := range []*known{before, after} {
		for _, t := range f.tokens {
			if !f.describes(t.stretch) {
				code[i] = append(append(code[i], f.model.normal(t.stretch, f.sorts.of(t.kind) == literal)...), 0, byte(t.depth))
			}
		}
	}
	return bytes.Equal(code[0], code[1]), nil
}
