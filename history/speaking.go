package history

import (
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"slices"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/localstate"
	"github.com/acta-git/acta/repo"
)

// speaks reports whether a message may be an ACT or an ADAPT, or revert one; every such message has a line that says
// so: the word and a colon, or what git writes into a revert.
func speaks(message []byte) bool {
	text := bytes.Clone(message)
	for i, b := range text {
		if b >= 'A' && b <= 'Z' {
			text[i] = b | 0x20 // ASCII alone, as git compares under LC_ALL=C
		}
	}
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], ':')
		if i < 0 {
			return bytes.Contains(text, []byte("this reverts commit "))
		}
		if isTitled(bytes.TrimRight(text[:at+i], " \t\r\v\f")) {
			return true
		}
		at += i + 1
	}
}

// isTitled reports whether what stands before a colon ends with the word of an ACT or an ADAPT.
func isTitled(before []byte) bool {
	for _, word := range []string{"act", "adapt"} {
		rest, ok := bytes.CutSuffix(before, []byte(word))
		if !ok {
			continue
		}
		if len(rest) == 0 {
			return true
		}
		b := rest[len(rest)-1]
		return !(b == '_' || b == '-' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z')
	}
	return false
}

// speakingSet is which of the commits that a tip reaches speak, as far as they are searched.
type speakingSet struct {
	Tip repo.ID
	Not []repo.ID
	// Total is how many commits were looked at, one more than are searched where there is more. Newest is the latest of
	// their dates.
	Total  int
	Newest uint64
	// Found are those that speak, children before parents, else the newest first.
	Found []speakingCommit
}

// speakingCommit is a commit that speaks, and how many come before it in the order of `git log`.
type speakingCommit struct {
	Commit repo.ID
	At     int
}

const (
	// speakingFormat is raised when the meaning of what is kept changes.
	speakingFormat = 1
	// leastKept is from how many commits on it is worth keeping: the others are read in a moment.
	leastKept = 2000
	// maxGrown is how many commits may have come since, where what is known is only added to.
	maxGrown = 2000
	// maxTips is for how many tips it is kept.
	maxTips = 8
)

// speakingBefore lists the commits that tip reaches and those of not do not, and that speak: the newest first, children
// before parents. more: there is more history than is searched.
//
// What is known from an earlier run is used where the tip is the same, or where everything that came since is newer
// than all that was there, so that it stands before that in every order. What is kept can be taken away at any time.
func (h *History) speakingBefore(
	ctx context.Context, tip repo.ID, not []repo.ID, depth int,
) (ids []repo.ID, more bool, err error) {
	g, err := h.repo.Layout(ctx)
	if err != nil {
		return nil, false, err
	}
	var known []speakingSet
	cache := localstate.NewCache(g.CommonDir, "speaking", fmt.Sprint(speakingFormat, " ", diag.Release))
	if !g.Shallow && !cache.Read(&known) {
		known = nil
	}
	now, fresh := h.grown(ctx, known, tip, not, depth)
	if now == nil {
		if now, err = h.allSpeaking(ctx, tip, not, depth); err != nil {
			return nil, false, err
		}
		fresh = true
	}
	if fresh && !g.Shallow && now.Total >= leastKept {
		known = slices.DeleteFunc(known, func(s speakingSet) bool { return s.Tip == tip && slices.Equal(s.Not, not) })
		known = append([]speakingSet{*now}, known[:min(len(known), maxTips-1)]...)
		_ = cache.Write(ctx, known) // that it cannot be written keeps nobody from an answer
	}
	for _, f := range now.Found {
		ids = append(ids, f.Commit)
	}
	return ids, now.Total > depth, nil
}

// grown is what is known of a tip, or of one that it grew from; nil where nothing is, or it is doubtful. fresh: it is
// more than was known.
func (h *History) grown(
	ctx context.Context, known []speakingSet, tip repo.ID, not []repo.ID, depth int,
) (now *speakingSet, fresh bool) {
	for i := range known {
		if s := &known[i]; s.Tip == tip && slices.Equal(s.Not, not) && s.sound(depth) {
			return s, false
		}
	}
	for i := range known {
		s := &known[i]
		if !slices.Equal(s.Not, not) || !s.sound(depth) {
			continue
		}
		if behind, err := h.repo.IsAncestor(ctx, s.Tip, tip); err != nil || !behind {
			continue
		}
		come, err := h.walk(ctx, tip, append(slices.Clone(not), s.Tip), maxGrown+1)
		if err != nil || len(come) > maxGrown {
			continue
		}
		if slices.ContainsFunc(come, func(c walked) bool { return c.when <= s.Newest }) {
			continue
		}
		next := speakingOf(come[:min(len(come), depth)])
		next.Tip, next.Not, next.Total = tip, not, min(s.Total+len(come), depth+1)
		next.Newest = max(next.Newest, s.Newest)
		for _, f := range s.Found {
			if f.At += len(come); f.At < depth {
				next.Found = append(next.Found, f)
			}
		}
		return next, true
	}
	return nil, false
}

// sound reports whether what was kept can be what was written.
func (s *speakingSet) sound(depth int) bool {
	return s.Total > 0 && s.Total <= depth+1 && !slices.ContainsFunc(s.Found, func(f speakingCommit) bool {
		return f.At < 0 || f.At >= s.Total || !repo.IsID(string(f.Commit))
	})
}

// allSpeaking looks at every commit.
func (h *History) allSpeaking(ctx context.Context, tip repo.ID, not []repo.ID, depth int) (*speakingSet, error) {
	all, err := h.walk(ctx, tip, not, depth+1)
	if err != nil {
		return nil, err
	}
	s := speakingOf(all[:min(len(all), depth)])
	s.Tip, s.Not, s.Total = tip, not, len(all)
	return s, nil
}

// walked is a commit that was looked at.
type walked struct {
	id      repo.ID
	parents []repo.ID
	when    uint64
	speaks  bool
}

func (h *History) walk(ctx context.Context, tip repo.ID, not []repo.ID, most int) ([]walked, error) {
	var all []walked
	err := h.repo.Walk(ctx, tip, not, most, func(c repo.WalkedCommit) error {
		all = append(all, walked{c.ID, c.Parents, c.When, speaks(c.Message)})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for earlier claims: %w", err)
	}
	return all, nil
}

// speakingOf orders the commits that speak: children before parents, else by their dates.
func speakingOf(all []walked) *speakingSet {
	s := &speakingSet{}
	at := make(map[repo.ID]int, len(all))
	for i, c := range all {
		at[c.id] = i
		s.Newest = max(s.Newest, c.when)
	}
	children := make([]int, len(all))
	for _, c := range all {
		for _, p := range c.parents {
			if i, ok := at[p]; ok {
				children[i]++
			}
		}
	}
	ready := &byDate{all: all}
	for i, n := range children {
		if n == 0 {
			ready.next = append(ready.next, i)
		}
	}
	for heap.Init(ready); ready.Len() > 0; {
		i := heap.Pop(ready).(int)
		if all[i].speaks {
			s.Found = append(s.Found, speakingCommit{all[i].id, i})
		}
		for _, p := range all[i].parents {
			if k, ok := at[p]; ok {
				if children[k]--; children[k] == 0 {
					heap.Push(ready, k)
				}
			}
		}
	}
	return s
}

// byDate are commits all of whose children are listed, the newest first; of one date in the order of git.
type byDate struct {
	all  []walked
	next []int
}

// Len, and what follows it, are heap.Interface.
func (b *byDate) Len() int { return len(b.next) }

// Less puts the later date first.
func (b *byDate) Less(i, k int) bool {
	x, y := b.next[i], b.next[k]
	return cmp.Or(cmp.Compare(b.all[y].when, b.all[x].when), cmp.Compare(x, y)) < 0
}

// Swap exchanges two.
func (b *byDate) Swap(i, k int) { b.next[i], b.next[k] = b.next[k], b.next[i] }

// Push adds one.
func (b *byDate) Push(x any) { b.next = append(b.next, x.(int)) }

// Pop takes the last.
func (b *byDate) Pop() any {
	last := b.next[len(b.next)-1]
	b.next = b.next[:len(b.next)-1]
	return last
}
