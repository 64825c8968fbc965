package repo

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// unshallow fetches what a shallow clone left out.
const unshallow = "git fetch --unshallow"

// Range is base..head: the commits that head reaches and base does not, merges
// included, parents before children. base "" is everything that head reaches.
//
// ErrShallow, with the command that fetches the rest, where a shallow clone
// makes the range unknowable: a commit of it has parents that were not fetched,
// base is not there, or base's own history is cut so that a commit may belong to
// it. ErrNotFound where a name names nothing.
func (r *Repo) Range(ctx context.Context, base, head string) ([]ID, error) {
	tip, err := r.end(ctx, head)
	if err != nil {
		return nil, err
	}
	args := []string{"--topo-order", "--reverse", string(tip)}
	var from ID
	if base != "" {
		if from, err = r.end(ctx, base); err != nil {
			return nil, err
		}
		args = append(args, "^"+string(from))
	}
	commits, err := r.list(ctx, args...)
	if err != nil {
		return nil, err
	}
	cut, err := r.cut(ctx, commits)
	if err != nil {
		return nil, err
	}
	if len(cut) > 0 {
		return nil, fmt.Errorf("%w: %.12s lies in the range, and its parents were not fetched; to fetch the rest, run: %s",
			ErrShallow, cut[0].id, unshallow)
	}
	if from != "" {
		err = r.mayReach(ctx, from, tip, commits)
	}
	if err != nil {
		return nil, err
	}
	return idsOf(commits), nil
}

// idsOf are the ids of commits, in their order.
func idsOf(commits []listed) []ID {
	ids := make([]ID, len(commits))
	for i, c := range commits {
		ids[i] = c.id
	}
	return ids
}

// end is one end of a range.
func (r *Repo) end(ctx context.Context, rev string) (ID, error) {
	c, err := r.Commit(ctx, rev)
	if err == nil || !errors.Is(err, ErrNotFound) {
		return c.ID, err
	}
	g, failed := r.Layout(ctx)
	if failed != nil {
		return "", failed
	}
	if !g.Shallow {
		return "", err
	}
	return "", fmt.Errorf("%w: %s is not here (%v); to fetch it, run: %s", ErrShallow, rev, err, r.fetch(ctx, rev))
}

// fetch is the command that brings a revision into a shallow clone. One that
// fetched a single branch does not learn of another by --unshallow alone. The
// command will be pasted into a shell, so it repeats plain names only.
func (r *Repo) fetch(ctx context.Context, rev string) string {
	remote, branch, ok := strings.Cut(strings.TrimPrefix(rev, "refs/remotes/"), "/")
	if !ok || !plain().MatchString(rev) {
		return unshallow
	}
	key := "remote." + remote + ".url"
	if values, err := r.Config(ctx, key); err != nil || values[key] == "" {
		return unshallow
	}
	return fmt.Sprintf("%s %s +refs/heads/%s:refs/remotes/%s/%s", unshallow, remote, branch, remote, branch)
}

var plain = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]*$`) })

// listed is a commit as rev-list sees it.
type listed struct {
	id   ID
	when uint64 // of the committer, seconds since 1970
	root bool   // no parents, as far as was fetched
	// parents are the ids of those that were fetched.
	parents []string
}

// list runs rev-list; args are options and ids that were looked up.
func (r *Repo) list(ctx context.Context, args ...string) ([]listed, error) {
	out, err := r.git(ctx, append(append([]string{"rev-list", "--parents", "--timestamp"}, args...), "--")...)
	if err != nil {
		return nil, err
	}
	return parseListed(out)
}

// parseListed reads what rev-list prints with --parents and --timestamp.
func parseListed(out []byte) ([]listed, error) {
	var commits []listed
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			return nil, fmt.Errorf("git rev-list answered %q", line)
		}
		id, err := parseID(f[1])
		if err != nil {
			return nil, err
		}
		when, err := strconv.ParseUint(f[0], 10, 64) // git shows a time that no clock can tell as the latest there is
		if err != nil {
			return nil, fmt.Errorf("git rev-list answered %q: %w", line, err)
		}
		commits = append(commits, listed{id, when, len(f) == 2, f[2:]})
	}
	return commits, nil
}

// cut is those of the commits whose parents a shallow clone left out: git shows
// them without parents, and what is stored has some.
func (r *Repo) cut(ctx context.Context, commits []listed) ([]listed, error) {
	var cut []listed
	for _, c := range commits {
		if !c.root {
			continue
		}
		stored, err := r.Commit(ctx, string(c.id))
		if err != nil {
			return nil, err
		}
		if len(stored.Parents) > 0 {
			cut = append(cut, c)
		}
	}
	return cut, nil
}

// mayReach is ErrShallow when base's history is cut and a commit of base..tip
// may lie behind the cut, as when CI fetches one commit of the target branch
// and the whole of another: everything since the first commit then looks new. A
// commit that descends from the cut, or is younger, cannot lie behind it. (A
// date can be forged; then more is judged than should be, never less.)
func (r *Repo) mayReach(ctx context.Context, base, tip ID, commits []listed) error {
	g, err := r.Layout(ctx)
	if err != nil || !g.Shallow || len(commits) == 0 {
		return err
	}
	roots, err := r.list(ctx, "--max-parents=0", string(base))
	if err != nil {
		return err
	}
	cut, err := r.cut(ctx, roots)
	if err != nil {
		return err
	}
	for _, edge := range cut {
		doubtful := slices.Clone(commits)
		doubtful = slices.DeleteFunc(doubtful, func(c listed) bool { return c.when > edge.when })
		if len(doubtful) == 0 {
			continue
		}
		after, err := r.list(ctx, "--ancestry-path", string(tip), "^"+string(edge.id))
		if err != nil {
			return err
		}
		descends := map[ID]bool{}
		for _, c := range after {
			descends[c.id] = true
		}
		for _, c := range doubtful {
			if !descends[c.id] {
				return fmt.Errorf("%w: %.12s may belong to %.12s, whose history ends at %.12s; to fetch the rest, run: %s",
					ErrShallow, c.id, base, edge.id, unshallow)
			}
		}
	}
	return nil
}

// MergeBase is a best common ancestor of two commits, the first that git names
// where there are several. ErrNotFound where there is none, ErrShallow where a
// shallow clone may have left it out. In a shallow clone one that is found may
// be older than the best; Range then refuses what cannot be known.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (ID, error) {
	one, err := r.end(ctx, a)
	if err != nil {
		return "", err
	}
	other, err := r.end(ctx, b)
	if err != nil {
		return "", err
	}
	key := [2]ID{one, other}
	r.renaming.Lock()
	known, ok := r.bases[key]
	r.renaming.Unlock()
	if ok {
		return known, nil
	}
	out, err := r.git(ctx, "merge-base", string(one), string(other))
	if none, ok := errors.AsType[*commandError](err); ok && none.code == 1 && none.stderr == "" {
		return "", r.noBase(ctx, a, b)
	}
	if err != nil {
		return "", err
	}
	base, err := parseID(strings.TrimSpace(string(out)))
	if err == nil {
		r.renaming.Lock()
		defer r.renaming.Unlock()
		if r.bases == nil {
			r.bases = map[[2]ID]ID{}
		}
		r.bases[key] = base
	}
	return base, err
}

func (r *Repo) noBase(ctx context.Context, a, b string) error {
	g, err := r.Layout(ctx)
	if err != nil {
		return err
	}
	if g.Shallow {
		return fmt.Errorf("%w: %s and %s share no commit here; to fetch the rest, run: %s", ErrShallow, a, b, unshallow)
	}
	return fmt.Errorf("%w: %s and %s share no commit", ErrNotFound, a, b)
}

// KnownCommits is what a range leaves out.
type KnownCommits struct {
	// IDs are commits, or tags of them. What is not here is passed over.
	IDs []ID
	// Refs are patterns of refs, as `git rev-list --glob` reads them; without a wildcard everything below is meant.
	Refs []string
	// Except are patterns of refs that do not count among Refs; without a wildcard they mean one ref.
	Except []string
}

// Beyond lists the commits that the tips reach and what is known does not,
// parents before children. Unlike Range it takes history as it is here: where a
// shallow clone cuts it, what lies behind the cut is not listed.
func (r *Repo) Beyond(ctx context.Context, tips []ID, known KnownCommits) ([]ID, error) {
	var revs strings.Builder
	for _, id := range tips {
		if err := id.check(); err != nil {
			return nil, err
		}
		fmt.Fprintln(&revs, id)
	}
	for _, id := range known.IDs {
		if err := id.check(); err != nil {
			return nil, err
		}
		if _, err := r.objects.stat(ctx, string(id)); errors.Is(err, errAbsent) {
			continue
		}
		fmt.Fprintf(&revs, "^%s\n", id)
	}
	args := []string{"rev-list", "--topo-order", "--reverse", "--stdin"}
	if len(known.Refs) > 0 {
		args = append(args, "--not")
		for _, pattern := range known.Refs {
			for _, except := range known.Except { // each --glob forgets what was excluded before
				args = append(args, "--exclude="+except)
			}
			args = append(args, "--glob="+pattern)
		}
	}
	cmd := r.command(ctx, args...)
	cmd.Stdin = strings.NewReader(revs.String())
	out, err := r.output(ctx, cmd)
	if err != nil {
		return nil, err
	}
	return parseIDs(out)
}

// parseIDs reads object names, a line each; none of them twice.
func parseIDs(out []byte) (ids []ID, err error) {
	seen := map[ID]bool{}
	for line := range strings.Lines(string(out)) {
		id, err := parseID(strings.TrimSpace(line))
		if err != nil {
			return nil, err
		}
		if !seen[id] {
			seen[id], ids = true, append(ids, id)
		}
	}
	return ids, nil
}

// Reflog lists the commits that a ref named before, as far as its reflog goes, the
// latest first; none where it has no reflog. What was pruned since is left out.
func (r *Repo) Reflog(ctx context.Context, ref string) ([]ID, error) {
	out, err := r.git(ctx, "reflog", "show", "--format=%H", ref, "--")
	if err != nil {
		return nil, err
	}
	return parseIDs(out)
}
