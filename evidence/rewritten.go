package evidence

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/parser"
)

// asksForTokens reports whether the item asks for different code, not only for comments or form.
func (c Claim) asksForTokens() bool {
	return c.asksForCode() && !fits("form words", c.Item)
}

// revision is a change of a file between two snapshots.
type revision struct {
	before, after      *Tree
	oldEntry, newEntry Entry
	*comparison
}

// changesCode reports whether a revision changes code in lines of its new version: more than comments, docstrings,
// formatting and the order of definitions; also if that is unknown. If the item makes something new, the lines
// themselves must change; else the file: imports are sorted and code is indented along the way. Of 4,219 honest claims
// in 31 public repositories, 59 were unclear when all items were held to the lines; of 557 in the five worst
// repositories 45 were, and none is now.
func (j *Judge) changesCode(ctx context.Context, c Claim, v revision, at lineRange) (bool, error) {
	g := grammarOf(v.newEntry.Path)
	if g == nil || !g.IsCode() || !c.asksForTokens() || v.oldEntry.Path == "" || grammarOf(v.oldEntry.Path) != g {
		return true, nil
	}
	before, after, err := j.readBoth(ctx, v)
	if err != nil || after.whyUnreadable != "" || after.addsCode(v.comparison, before.text, at) {
		return true, err
	}
	old, new, err := j.inventories(ctx, before, after)
	if err != nil || old == nil {
		return true, err
	}
	if !c.asksForNew() {
		return !maps.Equal(old, new) || !slices.Equal(before.model.directives(), after.model.directives()), nil
	}
	cited := after.inventory(at.first, at.last)
	return len(cited) == 0 || slices.ContainsFunc(slices.Collect(maps.Keys(cited)),
		func(says string) bool { return old[says] < new[says] }), nil
}

// inventories are those of two versions of a file, nil if one is unreadable.
func (j *Judge) inventories(ctx context.Context, before, after *source) (old, new map[string]int, err error) {
	for _, s := range []*source{before, after} {
		if err := s.readTokens(ctx, j.Cache); err != nil || s.whyUnreadable != "" {
			return nil, nil, err
		}
	}
	return before.inventory(1, before.text.count()), after.inventory(1, after.text.count()), nil
}

// inventory counts the pieces in lines, by symbol and key.
func (s *source) inventory(first, last int) map[string]int {
	all := map[string]int{}
	for _, p := range s.pieces(first, last) {
		all[p.symbol+"\n"+p.key]++
	}
	return all
}

// directives are the comments that instruct tools.
func (m *model) directives() (all []string) {
	for _, c := range m.comments {
		if m.hasDirective(c) {
			all = append(all, m.of(c))
		}
	}
	return all
}

// readBoth reads both versions of a file of code; whyUnreadable says why they cannot be compared.
func (j *Judge) readBoth(ctx context.Context, v revision) (before, after *source, err error) {
	if before, err = j.read(ctx, v.before, v.oldEntry); err != nil {
		return nil, nil, err
	}
	if after, err = j.read(ctx, v.after, v.newEntry); err != nil {
		return nil, nil, err
	}
	if after.whyUnreadable = cmp.Or(after.whyUnreadable, before.whyUnreadable); after.whyUnreadable == "" {
		err = after.parse(ctx, j.Cache)
	}
	return before, after, err
}

// addsCode reports whether a new line of code is not in the earlier version: then no tokens need to be compared.
func (s *source) addsCode(c *comparison, old text, at lineRange) bool {
	oldCode := withoutFormat(string(old.bytes))
	for line := at.first; line <= at.last; line++ {
		if c.from[line-1] == 0 && !strings.Contains(oldCode, s.model.codeOf(line)) {
			return true
		}
	}
	return false
}

// Prose caches whether a commit changes only comments and prose, for concurrent claims.
type Prose struct {
	once        sync.Once
	isOnlyProse bool
	err         error
}

func (p *Prose) isOnly(ctx context.Context, j *Judge) (bool, error) {
	p.once.Do(func() { p.isOnlyProse, p.err = j.changesOnlyProse(ctx) })
	return p.isOnlyProse, p.err
}

func (j *Judge) changesOnlyProse(ctx context.Context) (bool, error) {
	paths, err := j.Change.Changed(ctx)
	if err != nil {
		return false, err
	}
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
		before, after, err := j.readBoth(ctx, revision{before: j.Base, after: &j.Tree, oldEntry: old, newEntry: now})
		if err != nil || after.whyUnreadable != "" {
			return false, err
		}
		oldPieces, newPieces, err := j.inventories(ctx, before, after)
		if err != nil || oldPieces == nil || !maps.Equal(oldPieces, newPieces) {
			return false, err
		}
	}
	return true, nil
}

// maxProse bounds the files of a change that are compared for this.
const maxProse = 100
