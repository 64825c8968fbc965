package judge

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/excerpt"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// Range judges every commit that head reaches and base does not, as Landed does.
func Range(ctx context.Context, r *repo.Repo, base, head, release string) (*Result, error) {
	return Landed{Base: base, Head: head, Release: release}.Judge(ctx, r)
}

// Landed are commits that are there: every one that Head reaches and Base does
// not, merges included, oldest first. The policy is that of their merge base, so
// that what is judged cannot loosen its own judge; with an empty Base everything
// that Head reaches is judged, under the built-in policy.
type Landed struct {
	Base, Head string
	// Release is the release that judges.
	Release string
	// Shard is the part of the commits to judge; the zero Shard is all of them.
	Shard Shard
	// Progress is told after each commit how many of how many are judged; nil where nobody listens.
	Progress func(done, total int)
}

// Judge judges the commits. One that cannot be judged does not keep the others
// from it: it is listed in the result's Undecided.
func (l Landed) Judge(ctx context.Context, r *repo.Repo) (*Result, error) {
	ids, err := r.Range(ctx, l.Base, l.Head)
	if err != nil {
		return nil, err
	}
	result := &Result{Report: diag.Report{Acta: l.Release}}
	p, err := rangePolicy(ctx, r, l.Base, l.Head, l.Release)
	if err != nil && !newRecord(r).mayClaim(ctx, ids...) {
		p, err = withoutPolicy(err, &result.Warnings)
	}
	if err != nil {
		return nil, err
	}
	if ids, err = since(ctx, r, ids, p.Since, l.Head); err != nil {
		return nil, err
	}
	if result.Range, err = rangeName(ctx, r, l.Base, l.Head); err != nil {
		return nil, err
	}
	g := &gatherer{repo: r, policy: p, cache: newCache(), ids: ids, unjudged: map[repo.ID]bool{}}
	commits, err := l.judgeAll(ctx, g, l.Shard.part(ids))
	if err != nil {
		return nil, err
	}
	if l.Shard == (Shard{}) {
		settle(commits)
	} else {
		result.Shard = l.Shard.report(commits, len(ids))
	}
	result.addAll(commits)
	if l.Shard.Index < l.Shard.Of {
		return result, nil // the last part follows the claims of the whole range
	}
	whole, err := regressions(ctx, g, l.Base, l.Head)
	if err != nil {
		return nil, err
	}
	if l.Shard != (Shard{}) {
		result.Shard.Range = whole // its findings are told when the parts are joined
		whole = &diag.ShardRange{Warnings: whole.Warnings, Undecided: whole.Undecided}
	}
	result.addRange(whole)
	return result, nil
}

// judgeAll judges commits one after the other, in the order of the range, and leaves the outcomes with the gatherer.
func (l Landed) judgeAll(ctx context.Context, g *gatherer, ids []repo.ID) ([]*judged, error) {
	g.cache.expected = expecting(g.repo, ids)
	var commits []*judged
	for i, id := range ids {
		out, err := landed(ctx, g.repo, id, g.policy, g.cache)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			g.unjudged[id] = true
			commits = append(commits, &judged{ShardCommit: diag.ShardCommit{Commit: string(id), Failed: err.Error()}})
		} else {
			out.id = id
			g.outcomes = append(g.outcomes, out)
			commits = append(commits, out.judged(g.policy.Accepted))
		}
		if l.Progress != nil {
			l.Progress(i+1, len(ids))
		}
	}
	return commits, nil
}

// maxExpected bounds the texts that git is asked for at once: a command line holds only so much.
const maxExpected = 500

// expecting lists the units and the paths that the ACTs of a range name: what is asked of the history behind it. What is not
// known of it is asked for when it is needed.
func expecting(r *repo.Repo, ids []repo.ID) func(context.Context) []string {
	var once sync.Once
	var texts []string
	return func(ctx context.Context) []string {
		once.Do(func() {
			known := map[string]bool{}
			for _, id := range ids {
				c, err := r.Commit(ctx, string(id))
				if err != nil {
					continue
				}
				m, err := spoken(ctx, r, c)
				if err != nil {
					continue
				}
				for _, p := range m.Parts {
					if p.Kind == parser.Act && p.Unit.Value != "" {
						known[shortID(p.Unit.Value)] = true
					}
				}
				for _, e := range m.Cited() {
					known[e.Path] = true
				}
			}
			delete(known, "")
			if len(known) <= maxExpected {
				texts = slices.Sorted(maps.Keys(known))
			}
		})
		return texts
	}
}

// landed judges a commit that is there.
func landed(ctx context.Context, r *repo.Repo, id repo.ID, p *policy.Policy, cache *cache) (*outcome, error) {
	sub, err := landedSubject(ctx, r, id, p, cache)
	if err != nil {
		return nil, err
	}
	out, err := sub.judge(ctx)
	if err != nil {
		return nil, err
	}
	c, err := r.Commit(ctx, string(id))
	if err != nil {
		return nil, err
	}
	if out.takenBack, err = takenBack(ctx, r, c, sub.message); err != nil {
		return nil, err
	}
	cache.spoken[commitUnder{id, p}] = out.spoken
	cache.told = append(cache.told, told{c, sub.message})
	return out, nil
}

func landedSubject(ctx context.Context, r *repo.Repo, id repo.ID, p *policy.Policy, cache *cache) (*subject, error) {
	c, err := r.Commit(ctx, string(id))
	if err != nil {
		return nil, err
	}
	message, err := spoken(ctx, r, c)
	if err != nil {
		return nil, err
	}
	sub := &subject{message: message, policy: p, cache: cache, merge: len(c.Parents) > 1, landed: true}
	sub.tree = snapshot(r, c.Tree)
	sub.names = append([]string{c.Author.Name, c.Author.Email}, coAuthors(sub.message)...)
	before := repo.ID("")
	if len(c.Parents) > 0 {
		parent, err := r.Commit(ctx, string(c.Parents[0]))
		if err != nil {
			return nil, err
		}
		base := snapshot(r, parent.Tree)
		sub.base, before = &base, parent.Tree
		sub.past = newPast(r, c.Parents, p, cache)
	}
	if sub.merge {
		sub.merged = func(ctx context.Context) ([]evidence.Tree, error) { return trees(ctx, r, c.Parents[1:]) }
	}
	sub.prefetch = prefetch(r, p, before, c.Tree)
	sub.changed = func(ctx context.Context, lines bool) ([]string, int, error) {
		return changes(ctx, r, before, c.Tree, lines)
	}
	return sub, nil
}

// decoded is the message in UTF-8, as readers of the history see it. Nothing that stands there may be hidden from the
// rules by the encoding that the commit names.
func decoded(ctx context.Context, r *repo.Repo, c repo.Commit) ([]byte, excerpt.Rest, error) {
	switch strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(c.Encoding)) {
	case "":
		return c.Message, c.Beyond, nil
	case "iso88591", "latin1":
		return parser.StoredUTF8(c.Message), c.Beyond, nil
	}
	return r.Reencoded(ctx, c)
}

// spoken is what the message of a commit says.
func spoken(ctx context.Context, r *repo.Repo, c repo.Commit) (*parser.Message, error) {
	message, rest, err := decoded(ctx, r, c)
	if err != nil {
		return nil, err
	}
	return parser.ParseExcerpt(message, rest), nil
}

// policyBase is the commit whose policy judges a range: the merge base; "" where there is no base.
func policyBase(ctx context.Context, r *repo.Repo, base, head string) (repo.ID, error) {
	if base == "" {
		return "", nil
	}
	id, err := r.MergeBase(ctx, base, head)
	if errors.Is(err, repo.ErrNotFound) {
		// Unrelated histories: the base is what others already trust.
		c, err := r.Commit(ctx, base)
		return c.ID, err
	}
	return id, err
}

func rangePolicy(ctx context.Context, r *repo.Repo, base, head, release string) (*policy.Policy, error) {
	id, err := policyBase(ctx, r, base, head)
	if err != nil {
		return nil, err
	}
	if id == "" {
		return readPolicy(ctx, nil, release)
	}
	c, err := r.Commit(ctx, string(id))
	if err != nil {
		return nil, err
	}
	tree := snapshot(r, c.Tree)
	return readPolicy(ctx, &tree, release)
}

// sinceCommit is the commit that a policy's since names.
func sinceCommit(ctx context.Context, r *repo.Repo, from string) (repo.Commit, error) {
	first, err := r.Commit(ctx, from)
	if errors.Is(err, repo.ErrNotFound) {
		err = &ConfigError{fmt.Errorf("%s: since names commit %q, which is not here", policy.Path, from)}
	}
	return first, err
}

// since leaves out the commits before the policy's since.
func since(ctx context.Context, r *repo.Repo, ids []repo.ID, from, head string) ([]repo.ID, error) {
	if from == "" {
		return ids, nil
	}
	first, err := sinceCommit(ctx, r, from)
	if err != nil {
		return nil, err
	}
	later, err := r.Range(ctx, string(first.ID), head)
	if err != nil {
		return nil, err
	}
	keep := map[repo.ID]bool{first.ID: true}
	for _, id := range later {
		keep[id] = true
	}
	var out []repo.ID
	for _, id := range ids {
		if keep[id] {
			out = append(out, id)
		}
	}
	return out, nil
}

func rangeName(ctx context.Context, r *repo.Repo, base, head string) (string, error) {
	to, err := r.Commit(ctx, head)
	if err != nil || base == "" {
		return string(to.ID), err
	}
	from, err := r.Commit(ctx, base)
	return string(from.ID) + ".." + string(to.ID), err
}

func isCoAuthor(key string) bool { return strings.EqualFold(key, "Co-authored-by") }

// identity splits «Name <address>»; what cannot be split is taken whole.
func identity(s string) []string {
	name, rest, found := strings.Cut(s, "<")
	if !found {
		return []string{s}
	}
	address, _, _ := strings.Cut(rest, ">")
	return []string{strings.TrimSpace(name), strings.TrimSpace(address)}
}

// trees are the snapshots of commits.
func trees(ctx context.Context, r *repo.Repo, commits []repo.ID) ([]evidence.Tree, error) {
	var all []evidence.Tree
	for _, id := range commits {
		c, err := r.Commit(ctx, string(id))
		if err != nil {
			return nil, err
		}
		all = append(all, snapshot(r, c.Tree))
	}
	return all, nil
}
