package judge

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// Range judges every commit that head reaches and base does not, merges
// included, oldest first. The policy is that of their merge base, so that what
// is judged cannot loosen its own judge; with an empty base everything that head
// reaches is judged, under the built-in policy.
//
// A commit that cannot be judged does not keep the others from it: it is listed
// in the result's Undecided.
func Range(ctx context.Context, r *repo.Repo, base, head, release string) (*Result, error) {
	ids, err := r.Range(ctx, base, head)
	if err != nil {
		return nil, err
	}
	p, err := rangePolicy(ctx, r, base, head, release)
	if err != nil {
		return nil, err
	}
	if ids, err = since(ctx, r, ids, p.Since, head); err != nil {
		return nil, err
	}
	result := &Result{Report: diag.Report{Acta: release, Commits: len(ids)}}
	if result.Range, err = rangeName(ctx, r, base, head); err != nil {
		return nil, err
	}
	cache := evidence.NewCache()
	var outcomes []*outcome
	for _, id := range ids {
		out, err := landed(ctx, r, id, p, cache)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			result.Undecided = append(result.Undecided, fmt.Errorf("commit %.12s: %w", id, err))
			continue
		}
		out.id = id
		outcomes = append(outcomes, out)
	}
	settle(outcomes, p.Accepted)
	for _, out := range outcomes {
		id := out.id
		for i := range out.findings {
			out.findings[i].Commit = string(id)
		}
		for i := range out.verdicts {
			out.verdicts[i].Commit = string(id)
		}
		if len(out.cut) > 0 {
			result.Undecided = append(result.Undecided, fmt.Errorf("commit %.12s: %s", id, cutWarning(out.cut)))
		}
		result.Acts += out.acts
		result.Adapts += out.adapts
		result.Add(out.findings, out.verdicts)
	}
	g := gatherer{repo: r, policy: p, cache: cache, ids: ids, outcomes: outcomes}
	return result, regressions(ctx, &g, base, head, result)
}

// landed judges a commit that is there.
func landed(ctx context.Context, r *repo.Repo, id repo.ID, p *policy.Policy, cache *evidence.Cache) (*outcome, error) {
	sub, err := landedSubject(ctx, r, id, p, cache)
	if err != nil {
		return nil, err
	}
	return sub.judge(ctx)
}

func landedSubject(ctx context.Context, r *repo.Repo, id repo.ID, p *policy.Policy, cache *evidence.Cache) (*subject, error) {
	c, err := r.Commit(ctx, string(id))
	if err != nil {
		return nil, err
	}
	sub := &subject{message: parser.Parse(decoded(c)), policy: p, cache: cache, merge: len(c.Parents) > 1, landed: true}
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
		sub.past = newPast(r, c.Parents)
	}
	sub.prefetch = prefetch(r, p, before, c.Tree)
	sub.changed = func(ctx context.Context, lines bool) ([]string, int, error) {
		return changes(ctx, r, before, c.Tree, lines)
	}
	return sub, nil
}

// decoded is the message in UTF-8, as a hook saw it. Of the encodings that a
// commit can be stored in, Latin-1 is read; any other is judged as it is stored.
func decoded(c repo.Commit) []byte {
	switch strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(c.Encoding)) {
	case "iso88591", "latin1":
		return parser.StoredUTF8(c.Message)
	}
	return c.Message
}

func rangePolicy(ctx context.Context, r *repo.Repo, base, head, release string) (*policy.Policy, error) {
	if base == "" {
		return readPolicy(ctx, nil, release)
	}
	id, err := r.MergeBase(ctx, base, head)
	if errors.Is(err, repo.ErrNotFound) {
		// Unrelated histories: the base is what others already trust.
		c, err := r.Commit(ctx, base)
		if err != nil {
			return nil, err
		}
		id = c.ID
	} else if err != nil {
		return nil, err
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
