package evidence

import (
	"cmp"
	"context"
	"maps"
	"strconv"
	"strings"

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
	if g == nil || !g.IsCode() || !c.asksForTokens() || v.old.Path == "" || grammarOf(v.old.Path) != g {
		return true, nil
	}
	before, after, err := j.bothOf(ctx, v)
	if err != nil || after.why != "" || after.addsCode(v.comparison, before.text, at) {
		return true, err
	}
	was, is, known, err := j.inventories(ctx, before, after)
	if err != nil || !known {
		return true, err
	}
	if c.asksToMake() {
		return differ(was, is, after.inventory(at.first, at.last), v.comparison, at), nil
	}
	return !maps.Equal(was, is) || instructs(before, after, v.comparison), nil
}

// inventories are those of two versions of a file, as far as they can be read.
func (j *Judge) inventories(ctx context.Context, before, after *source) (
	was, is map[string]int, known bool, err error,
) {
	for _, s := range []*source{before, after} {
		if err := s.tokenise(ctx, j.Cache); err != nil || s.why != "" {
			return nil, nil, false, err
		}
	}
	return before.inventory(1, before.text.count()), after.inventory(1, after.text.count()), true, nil
}

// instructs reports whether a line that is new or gone holds a comment that is an instruction to a tool.
func instructs(before, after *source, c *comparison) bool {
	directs := func(s *source, is func(i int) bool) bool {
		for i := range s.text.count() {
			if is(i) && s.model.hasDirective(s.text.span(i+1, i+1)) {
				return true
			}
		}
		return false
	}
	return directs(after, func(i int) bool { return c.from[i] == 0 }) ||
		directs(before, func(i int) bool { return c.gone[i] })
}

// bothOf reads both versions of a file of code; what cannot be compared says why.
func (j *Judge) bothOf(ctx context.Context, v revision) (before, after *source, err error) {
	if before, err = j.read(ctx, v.before, v.old); err != nil {
		return nil, nil, err
	}
	if after, err = j.read(ctx, v.after, v.now); err != nil {
		return nil, nil, err
	}
	if after.why = cmp.Or(after.why, before.why); after.why == "" {
		err = after.parse(ctx, j.Cache)
	}
	return before, after, err
}

// addsCode reports whether a new line of code says what the earlier version does not: then nothing needs to be compared
// token by token.
func (s *source) addsCode(c *comparison, old text, at lineRange) bool {
	was := unformatted(string(old.bytes))
	for line := at.first; line <= at.last; line++ {
		if c.from[line-1] == 0 && !strings.Contains(was, s.model.codeOf(line)) {
			return true
		}
	}
	return false
}

// differ reports whether what lines of a file touch was not in its earlier version as often, or whether the file lost
// what may have stood there.
func differ(was, is, here map[string]int, c *comparison, at lineRange) bool {
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

// inventory counts what stands in lines: definitions by symbol and code, and the words outside of any.
func (s *source) inventory(first, last int) map[string]int {
	all, seen := map[string]int{}, map[int]bool{}
	at := s.text.span(first, max(first, last))
	for i := s.token(at.start); i < len(s.tokens) && s.tokens[i].start < at.end; i++ {
		switch t := s.tokens[i]; {
		case t.describes:
		case t.holder < 0:
			if hasWordIn(s.text.bytes[t.start:t.end]) {
				all[strconv.FormatUint(t.hash, 16)]++
			}
		case !seen[t.holder]:
			seen[t.holder] = true
			if key := s.own(t.holder, "", true); key != "" {
				all[s.model.definitions[t.holder].symbol+"\n"+key]++
			}
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
		if g != nil && g.Is("prose") || g == nil && parser.IsProse(name) {
			continue
		}
		old, err := j.Base.Stat(ctx, name)
		if err != nil || g == nil || g.Is("data") || old.Kind != File || old.Mode != now.Mode {
			return false, err
		}
		before, after, err := j.bothOf(ctx, revision{before: j.Base, after: &j.Tree, old: old, now: now})
		if err != nil || after.why != "" {
			return false, err
		}
		was, is, known, err := j.inventories(ctx, before, after)
		if err != nil || !known || !maps.Equal(was, is) {
			return false, err
		}
	}
	return true, nil
}

// maxProse bounds the files of a change that are compared to learn whether it is one of comments.
const maxProse = 100
