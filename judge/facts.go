package judge

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// facts are what is known of a commit from its trees alone, whatever it says and whatever range it is in.
type facts struct {
	// Account is what became of tests and gates; nil where nothing did.
	Account *weaker.Account
	// Stubs: a changed file may have got a stub.
	Stubs bool
}

// rangeFacts finds the facts of the commits of a range: of some commits at once, on all processors, and once for all
// runs of this executable under this policy, which keep them in the local state. It serves one goroutine.
type rangeFacts struct {
	span *span
	// cache keeps the facts; nil for a short range.
	cache *state.Cache
	// rest are the commits after those that were asked for.
	rest []repo.ID
	// found are those of the commits that were asked for last.
	found map[repo.ID]*foundFacts
	// known are encoded facts by their key, as the cache has them. used are those of them that this run asked for, and
	// what it found itself; fresh: there is any of that.
	known, used map[string][]byte
	fresh       bool
}

// foundFacts are facts, or why there are none.
type foundFacts struct {
	facts
	err error
}

const (
	// keptFormat is raised when the meaning of what is kept changes.
	keptFormat = 2
	// leastRange is how many commits a range has for which it is worth reading what is kept.
	leastRange = 5
	// maxKept bounds what is kept, in bytes.
	maxKept = 8 << 20
	// maxChecked is how many commits a run compares again before what other runs found counts.
	maxChecked = 4
	// atOnce is how many commits are compared at once.
	atOnce = 32
)

// newFacts prepares to find the facts of a span's commits. policyOf is where its policy stands.
func newFacts(ctx context.Context, s *span, policyOf snapshot.Snapshot) *rangeFacts {
	f := &rangeFacts{span: s, rest: s.ids, known: map[string][]byte{}, used: map[string][]byte{}}
	if len(s.ids) < leastRange {
		return f
	}
	g, err := s.repo.Layout(ctx)
	if err != nil {
		return f
	}
	hash, err := policyOf.PolicyHash(ctx)
	if err != nil {
		return f
	}
	cache := state.NewCache(g.CommonDir, "judged", fmt.Sprint(keptFormat, " ", report.Release, " ", hash))
	f.cache = &cache
	if !cache.Read(&f.known) {
		f.known = map[string][]byte{}
	}
	f.check(ctx)
	return f
}

// check compares some commits again. Where one differs from what is kept, all that is kept is thrown away.
func (f *rangeFacts) check(ctx context.Context) {
	most := min(1+len(f.span.ids)/32, maxChecked)
	var again []repo.ID
	for _, i := range rand.Perm(len(f.span.ids)) {
		if _, known := f.known[string(f.span.ids[i])]; known && len(again) < most {
			again = append(again, f.span.ids[i])
		}
	}
	for id, now := range f.findAll(ctx, again) {
		if now.err != nil || !bytes.Equal(encoded(now.facts), f.known[string(id)]) {
			f.known = map[string][]byte{}
			return
		}
	}
}

// of returns the facts of a commit, which is asked for after those before it in the range.
func (f *rangeFacts) of(ctx context.Context, id repo.ID) (facts, error) {
	if f.found[id] == nil {
		f.next(ctx, id)
	}
	if ctx.Err() != nil {
		return facts{}, ctx.Err()
	}
	return f.found[id].facts, f.found[id].err
}

// next finds the facts of a commit and of some after it.
func (f *rangeFacts) next(ctx context.Context, id repo.ID) {
	f.rest = f.rest[max(0, slices.Index(f.rest, id)):]
	var missing []repo.ID
	known := map[repo.ID]*foundFacts{}
	for _, id := range f.rest[:min(atOnce, len(f.rest))] {
		if was, ok := f.get(string(id)); ok {
			known[id] = &foundFacts{facts: was}
		} else {
			missing = append(missing, id)
		}
	}
	f.rest = f.rest[len(known)+len(missing):]
	f.found = f.findAll(ctx, missing)
	for id, made := range f.found {
		if made.err == nil {
			f.put(string(id), made.facts)
		}
	}
	maps.Copy(f.found, known)
}

// findAll compares the trees of commits, on all processors.
func (f *rangeFacts) findAll(ctx context.Context, ids []repo.ID) map[repo.ID]*foundFacts {
	found := map[repo.ID]*foundFacts{}
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for _, id := range ids {
		made := &foundFacts{}
		found[id] = made
		workers.Go(func() error {
			made.facts, made.err = f.find(ctx, id)
			return nil
		})
	}
	_ = workers.Wait() // none fails: each error stands where it was found
	return found
}

// find compares the trees of a commit.
func (f *rangeFacts) find(ctx context.Context, id repo.ID) (made facts, err error) {
	c, err := f.span.repo.Commit(ctx, string(id))
	if err != nil {
		return made, err
	}
	sub, err := landedTrees(ctx, f.span.repo, c, f.span.policy, f.span.cache)
	if err != nil {
		return made, err
	}
	if made.Account, err = sub.asksLess(ctx); err != nil {
		return made, err
	}
	if made.Account != nil && reflect.DeepEqual(*made.Account, weaker.Account{}) {
		made.Account = nil
	}
	none, err := rules.AddsNoStub(ctx, sub.trees())
	made.Stubs = !none || err != nil // the rule is told why
	return made, ctx.Err()
}

// encoded is empty for facts that have nothing to tell.
func encoded(f facts) []byte {
	if f == (facts{}) {
		return nil
	}
	value, _ := state.Encoded(f) // of structs, texts and numbers alone: it never fails
	return value
}

// get returns the facts of a key; ok is false where they are not known.
func (f *rangeFacts) get(key string) (made facts, ok bool) {
	if f == nil {
		return made, false
	}
	value, ok := f.known[key]
	if ok && len(value) > 0 {
		ok = gob.NewDecoder(bytes.NewReader(value)).Decode(&made) == nil
	}
	if ok {
		f.used[key] = value
	}
	return made, ok
}

// put adds facts that were found.
func (f *rangeFacts) put(key string, made facts) {
	if f != nil && f.cache != nil {
		f.used[key], f.fresh = encoded(made), true
	}
}

// keep writes what the range used, and as much as fits of what other ranges left. What cannot be written is found
// again.
func (f *rangeFacts) keep(ctx context.Context) {
	if f == nil || !f.fresh {
		return
	}
	kept, size := map[string][]byte{}, 0
	for _, all := range []map[string][]byte{f.used, f.known} {
		for key, value := range all {
			if _, again := kept[key]; again {
				continue
			}
			if size += len(key) + len(value); size > maxKept {
				break
			}
			kept[key] = value
		}
	}
	_ = f.cache.Write(ctx, kept)
}
