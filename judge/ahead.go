package judge

import (
	"context"
	"reflect"
	"runtime"
	"sync"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/tests"
)

// ahead compares the trees of commits on all processors while others of the range are judged in their order: of all
// that is asked of a commit that takes the longest, and it rests on no verdict.
type ahead struct {
	repo   *repo.Repo
	policy *policy.Policy
	cache  *evidence.Cache
	texts  *tests.Texts
	ids    []repo.ID
	kept   *kept

	start sync.Once
	stop  context.CancelFunc
	all   sync.WaitGroup

	mu      sync.Mutex
	changed sync.Cond // of what follows
	next    int       // the first that nobody has begun
	judged  int       // those before it are judged
	found   map[repo.ID]*foundFacts
}

// foundFacts are facts, or why there are none.
type foundFacts struct {
	facts
	err error
}

// maxAhead is how many commits a processor is ahead of the one that is judged: what is found is kept until then.
const maxAhead = 4

func newAhead(s *span, ids []repo.ID) *ahead {
	a := &ahead{
		repo: s.repo, policy: s.policy, cache: s.cache, texts: s.texts, ids: ids, kept: s.kept,
		found: map[repo.ID]*foundFacts{},
	}
	a.changed.L = &a.mu
	return a
}

// of returns the facts of a commit. The first that is asked for begins the work: where no rule asks there is none.
func (a *ahead) of(ctx context.Context, id repo.ID) (facts, error) {
	a.start.Do(func() {
		running, stop := context.WithCancel(ctx)
		a.stop = stop
		context.AfterFunc(running, a.wake)
		a.next = a.judged
		a.check(running)
		for range runtime.GOMAXPROCS(0) {
			a.all.Go(func() { a.work(running) })
		}
	})
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.found[id] == nil && ctx.Err() == nil {
		a.changed.Wait()
	}
	if ctx.Err() != nil {
		return facts{}, ctx.Err()
	}
	return a.found[id].facts, a.found[id].err
}

// checked is how many commits are compared again before what earlier runs found of the others counts.
const checked = 4

// check compares some commits again, first those of which there is something to tell.
func (a *ahead) check(ctx context.Context) {
	left := map[bool]int{true: checked - 1, false: 1} // by whether there is
	for _, id := range a.ids {
		was, known := a.kept.get(string(id))
		telling := was.Account != nil
		if !known || left[telling] == 0 {
			continue
		}
		left[telling]--
		if now, err := a.compare(ctx, id); ctx.Err() == nil && (err != nil || encoded(now) != encoded(was)) {
			a.kept.doubt()
			return
		}
	}
}

// work compares one commit after the other.
func (a *ahead) work(ctx context.Context) {
	for {
		a.mu.Lock()
		for a.next >= a.judged+maxAhead*runtime.GOMAXPROCS(0) && ctx.Err() == nil {
			a.changed.Wait()
		}
		i := a.next
		a.next++
		a.mu.Unlock()
		if i >= len(a.ids) || ctx.Err() != nil {
			return
		}
		id := a.ids[i]
		made := &foundFacts{}
		var known bool
		if made.facts, known = a.kept.get(string(id)); !known {
			if made.facts, made.err = a.compare(ctx, id); made.err == nil {
				a.kept.put(string(id), made.facts)
			}
		}
		a.mu.Lock()
		a.found[id] = made
		a.changed.Broadcast()
		a.mu.Unlock()
	}
}

func (a *ahead) compare(ctx context.Context, id repo.ID) (f facts, err error) {
	c, err := a.repo.Commit(ctx, string(id))
	if err != nil {
		return f, err
	}
	sub, err := landedTrees(ctx, a.repo, c, a.policy, a.cache)
	if err != nil {
		return f, err
	}
	sub.changed, sub.texts = once(sub.changed), a.texts
	if f.Account, err = sub.asksLess(ctx); err != nil {
		return f, err
	}
	if f.Account != nil && reflect.DeepEqual(*f.Account, tests.Account{}) {
		f.Account = nil
	}
	none, err := check.AddsNoStub(ctx, sub.trees())
	f.Stubs = !none || err != nil // the rule is told why
	return f, ctx.Err()
}

// done tells that the first n commits are judged.
func (a *ahead) done(n int) {
	a.mu.Lock()
	a.judged = n
	delete(a.found, a.ids[n-1])
	a.mu.Unlock()
	a.wake()
}

func (a *ahead) wake() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.changed.Broadcast()
}

// end waits until nothing is compared any more.
func (a *ahead) end() {
	a.start.Do(func() {})
	if a.stop != nil {
		a.stop()
	}
	a.all.Wait()
	a.kept.end()
}
