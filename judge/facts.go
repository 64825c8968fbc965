package judge

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"

	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
	"golang.org/x/sync/errgroup"
)

// facts are computed from the trees of a commit, whatever its message and range.
type facts struct {
	// Account says how tests and gates changed; nil if they did not.
	Account *weaker.Account
	// MayAddStubs: a changed file may have got a stub.
	MayAddStubs bool
}

// rangeFacts finds the facts of the commits of a range: of some commits at once, on all processors, and once for all
// runs of this executable under this policy, which keep them in the local state. It serves one goroutine.
type rangeFacts struct {
	span *span
	// cache keeps the facts; nil for a short range.
	cache *state.Cache
	// batch are the facts of the commits computed last.
	batch map[repo.ID]*factsResult
	// cached are encoded facts by key, as read from the cache; used are those that this run read or computed; isChanged is
	// set if it computed any.
	cached, used map[string][]byte
	isChanged    bool
}

type factsResult struct {
	facts
	err error
}

const (
	// cacheFormat is raised when the meaning of cached facts changes.
	cacheFormat = 4
	// minCachedRange is the smallest range, in commits, for which the cache is read.
	minCachedRange = 5
	// maxCacheBytes limits the cache, in bytes.
	maxCacheBytes = 8 << 20
	// maxSpotChecks is how many cached facts a run computes again to check the cache.
	maxSpotChecks = 4
	// batchSize is how many commits are compared at once.
	batchSize = 32
)

// newFacts prepares to compute the facts of a span's commits.
func newFacts(ctx context.Context, s *span) *rangeFacts {
	f := &rangeFacts{span: s, cached: map[string][]byte{}, used: map[string][]byte{}}
	if len(s.ids) < minCachedRange {
		return f
	}
	dir, errDir := s.repo.CommonDir(ctx)
	hash, errHash := snapshot.Base(s.repo, s.policyRev).PolicyHash(ctx)
	if errDir != nil || errHash != nil {
		return f
	}
	cache := state.NewCache(dir, "judged", fmt.Sprint(cacheFormat, " ", report.Release, " ", hash))
	f.cache = &cache
	if !cache.Read(&f.cached) {
		f.cached = map[string][]byte{}
	}
	f.spotCheck(ctx)
	return f
}

// spotCheck computes the facts of some commits again. If one differs, it discards the cache.
func (f *rangeFacts) spotCheck(ctx context.Context) {
	limit := min(1+len(f.span.ids)/32, maxSpotChecks)
	var checked []repo.ID
	for _, i := range rand.Perm(len(f.span.ids)) {
		if _, isCached := f.cached[string(f.span.ids[i])]; isCached && len(checked) < limit {
			checked = append(checked, f.span.ids[i])
		}
	}
	for id, result := range f.computeAll(ctx, checked) {
		if result.err != nil || !bytes.Equal(encode(result.facts), f.cached[string(id)]) {
			f.cached = map[string][]byte{}
			return
		}
	}
}

// forCommit returns the facts of a commit. It is quick where commits are requested in the order of the range.
func (f *rangeFacts) forCommit(ctx context.Context, id repo.ID) (facts, error) {
	if f.batch[id] == nil {
		f.nextBatch(ctx, id)
	}
	if ctx.Err() != nil {
		return facts{}, ctx.Err()
	}
	return f.batch[id].facts, f.batch[id].err
}

// nextBatch finds the facts of a commit and of some after it.
func (f *rangeFacts) nextBatch(ctx context.Context, id repo.ID) {
	following := f.span.ids[max(0, slices.Index(f.span.ids, id)):]
	var missing []repo.ID
	cached := map[repo.ID]*factsResult{}
	for _, id := range following[:min(batchSize, len(following))] {
		if f, ok := f.get(string(id)); ok {
			cached[id] = &factsResult{facts: f}
		} else {
			missing = append(missing, id)
		}
	}
	f.batch = f.computeAll(ctx, missing)
	for id, result := range f.batch {
		if result.err == nil {
			f.put(string(id), result.facts)
		}
	}
	maps.Copy(f.batch, cached)
}

func (f *rangeFacts) computeAll(ctx context.Context, ids []repo.ID) map[repo.ID]*factsResult {
	results := map[repo.ID]*factsResult{}
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for _, id := range ids {
		result := &factsResult{}
		results[id] = result
		workers.Go(func() error {
			result.facts, result.err = f.compute(ctx, id)
			return nil
		})
	}
	_ = workers.Wait() // errors are kept per commit
	return results
}

func (f *rangeFacts) compute(ctx context.Context, id repo.ID) (result facts, err error) {
	c, errCommit := f.span.repo.Commit(ctx, string(id))
	sub, errSubject := f.span.subject(ctx, commit{c, &parser.Message{}}, f.span.policy)
	if err := cmp.Or(errCommit, errSubject); err != nil {
		return result, err
	}
	if result.Account, err = sub.compareTests(ctx); err != nil {
		return result, err
	}
	if result.Account != nil && reflect.DeepEqual(*result.Account, weaker.Account{}) {
		result.Account = nil
	}
	none, err := rules.AddsNoStub(ctx, sub.treeInput())
	result.MayAddStubs = !none || err != nil // the rule will report the error
	return result, ctx.Err()
}

// encode returns nil for empty facts.
func encode(f facts) []byte {
	if f == (facts{}) {
		return nil
	}
	value, _ := state.Encode(f) // of structs, texts and numbers: it cannot fail
	return value
}

// get returns the facts of a key; ok is false where they are not known.
func (f *rangeFacts) get(key string) (result facts, ok bool) {
	if f == nil {
		return result, false
	}
	value, ok := f.cached[key]
	if ok && len(value) > 0 {
		ok = gob.NewDecoder(bytes.NewReader(value)).Decode(&result) == nil
	}
	if ok {
		f.used[key] = value
	}
	return result, ok
}

func (f *rangeFacts) put(key string, result facts) {
	if f != nil && f.cache != nil {
		f.used[key], f.isChanged = encode(result), true
	}
}

// save writes the facts that the range used, and as many facts of other ranges as fit. Write errors are ignored.
func (f *rangeFacts) save(ctx context.Context) {
	if f == nil || !f.isChanged {
		return
	}
	entries, size := map[string][]byte{}, 0
	for _, all := range []map[string][]byte{f.used, f.cached} {
		for key, value := range all {
			if _, exists := entries[key]; exists {
				continue
			}
			if size += len(key) + len(value); size > maxCacheBytes {
				break
			}
			entries[key] = value
		}
	}
	_ = f.cache.Write(ctx, entries)
}
