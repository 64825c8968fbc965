package repo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const unshallow = "git fetch --unshallow"

// Range is base..head, parents before children, merges included; with base "" everything that head reaches.
//
// ErrShallow, with the command that fetches the rest, if a shallow clone makes the range unknowable: a commit in it has
// parents that were not fetched, base is not here, or base's own history is cut, so that a commit may belong to it.
// ErrNotFound if a name names nothing.
func (r *Repo) Range(ctx context.Context, base, head string) ([]ID, error) {
	tip, err := r.endCommit(ctx, head)
	if err != nil {
		return nil, err
	}
	args := []string{"--topo-order", "--reverse", string(tip)}
	var from ID
	if base != "" {
		if from, err = r.endCommit(ctx, base); err != nil {
			return nil, err
		}
		args = append(args, "^"+string(from))
	}
	commits, err := r.list(ctx, args)
	if err != nil {
		return nil, err
	}
	cut, err := r.shallowEdges(ctx, commits)
	if err != nil {
		return nil, err
	}
	if len(cut) > 0 {
		return nil, fmt.Errorf("%w: %.12s lies in the range, and its parents were not fetched; to fetch the rest, run: %s",
			ErrShallow, cut[0].id, unshallow)
	}
	if from != "" {
		err = r.checkCutBase(ctx, from, tip, commits)
	}
	if err != nil {
		return nil, err
	}
	return idsOf(commits), nil
}

func idsOf(commits []listedCommit) []ID {
	ids := make([]ID, len(commits))
	for i, c := range commits {
		ids[i] = c.id
	}
	return ids
}

func (r *Repo) endCommit(ctx context.Context, rev string) (ID, error) {
	c, err := r.Commit(ctx, rev)
	if err == nil || !errors.Is(err, ErrNotFound) {
		return c.ID, err
	}
	isShallow, failed := r.isShallow(ctx)
	if failed != nil {
		return "", failed
	}
	if !isShallow {
		return "", err
	}
	return "", fmt.Errorf("%w: %s is not here (%v); to fetch it, run: %s", ErrShallow, rev, err, r.fetchCommand(ctx, rev))
}

// fetchCommand is the command that brings a revision into a shallow clone. In a clone of a single branch --unshallow
// alone does not fetch another branch. People paste the command into a shell, so it repeats plain names only.
func (r *Repo) fetchCommand(ctx context.Context, rev string) string {
	remote, branch, ok := strings.Cut(strings.TrimPrefix(rev, "refs/remotes/"), "/")
	if !ok || !plainName().MatchString(rev) {
		return unshallow
	}
	key := "remote." + remote + ".url"
	if values, err := r.Config(ctx, key); err != nil || values[key] == "" {
		return unshallow
	}
	return fmt.Sprintf("%s %s +refs/heads/%s:refs/remotes/%s/%s", unshallow, remote, branch, remote, branch)
}

var plainName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]*$`) })

// listedCommit is a commit as rev-list prints it.
type listedCommit struct {
	id      ID
	when    uint64   // the committer's time, seconds since 1970
	parents []string // as far as they were fetched
}

// list runs rev-list with options and valid ids, for all paths or some pathspecs.
func (r *Repo) list(ctx context.Context, args []string, paths ...string) ([]listedCommit, error) {
	out, err := r.git(ctx, slices.Concat([]string{"rev-list", "--parents", "--timestamp"}, args, []string{"--"}, paths)...)
	if err != nil {
		return nil, err
	}
	var commits []listedCommit
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			return nil, fmt.Errorf("git rev-list answered %q", line)
		}
		id, err := parseID(f[1])
		if err != nil {
			return nil, err
		}
		when, err := strconv.ParseUint(f[0], 10, 64) // git caps a time that no clock can show
		if err != nil {
			return nil, fmt.Errorf("git rev-list answered %q: %w", line, err)
		}
		commits = append(commits, listedCommit{id, when, f[2:]})
	}
	return commits, nil
}

// shallowEdges are those of the commits whose parents a shallow clone lacks: git shows them without parents, and the
// stored commit has some.
func (r *Repo) shallowEdges(ctx context.Context, commits []listedCommit) ([]listedCommit, error) {
	var edges []listedCommit
	for _, c := range commits {
		if len(c.parents) > 0 {
			continue
		}
		stored, err := r.Commit(ctx, string(c.id))
		if err != nil {
			return nil, err
		}
		if len(stored.Parents) > 0 {
			edges = append(edges, c)
		}
	}
	return edges, nil
}

// checkCutBase is ErrShallow if base's history is cut and a commit of base..tip may lie behind the cut, as when CI
// fetches one commit of the target branch and the whole of another: every commit then looks new. A commit that descends
// from the cut, or is younger, cannot lie behind it. A forged date can only add commits to judge.
func (r *Repo) checkCutBase(ctx context.Context, base, tip ID, commits []listedCommit) error {
	isShallow, err := r.isShallow(ctx)
	if err != nil || !isShallow || len(commits) == 0 {
		return err
	}
	roots, err := r.list(ctx, []string{"--max-parents=0", string(base)})
	if err != nil {
		return err
	}
	cut, err := r.shallowEdges(ctx, roots)
	if err != nil {
		return err
	}
	for _, edge := range cut {
		doubtful := slices.DeleteFunc(slices.Clone(commits), func(c listedCommit) bool { return c.when > edge.when })
		if len(doubtful) == 0 {
			continue
		}
		after, err := r.list(ctx, []string{"--ancestry-path", string(tip), "^" + string(edge.id)})
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

// MergeBase is a best common ancestor of two commits, the first that git names. ErrNotFound if there is none,
// ErrShallow if a shallow clone may lack it. In a shallow clone the result may be older than the best one; Range then
// refuses.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (ID, error) {
	one, err := r.endCommit(ctx, a)
	if err != nil {
		return "", err
	}
	other, err := r.endCommit(ctx, b)
	if err != nil {
		return "", err
	}
	key := [2]ID{one, other}
	if base, ok := r.mergeBases.get(key); ok {
		return base, nil
	}
	out, err := r.git(ctx, "merge-base", string(one), string(other))
	if foundNothing(err) {
		isShallow, err := r.isShallow(ctx)
		switch {
		case err != nil:
			return "", err
		case isShallow:
			return "", fmt.Errorf("%w: %s and %s share no commit here; to fetch the rest, run: %s", ErrShallow, a, b, unshallow)
		}
		return "", fmt.Errorf("%w: %s and %s share no commit", ErrNotFound, a, b)
	}
	if err != nil {
		return "", err
	}
	base, err := parseID(strings.TrimSpace(string(out)))
	if err == nil {
		r.mergeBases.put(key, base, 1)
	}
	return base, err
}

// KnownCommits are the commits that NewCommits leaves out.
type KnownCommits struct {
	// IDs are commits, or tags of them; missing ones are skipped.
	IDs []ID
	// Refs are patterns of refs, as `git rev-list --glob` reads them; without a wildcard, a pattern matches everything
	// below it.
	Refs []string
	// Except are patterns of refs that Refs does not include; without a wildcard, a pattern matches one ref.
	Except []string
}

// NewCommits lists the commits that the tips reach and the known ones do not, parents before children. Unlike Range it
// accepts a shallow clone: commits behind the cut are not listed.
func (r *Repo) NewCommits(ctx context.Context, tips []ID, known KnownCommits) ([]ID, error) {
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
			for _, except := range known.Except { // each --glob resets the exclusions
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

// parseIDs reads object ids, one a line, without duplicates.
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

// Reflog lists the commits in a ref's reflog, the latest first, without pruned ones.
func (r *Repo) Reflog(ctx context.Context, ref string) ([]ID, error) {
	out, err := r.git(ctx, "reflog", "show", "--format=%H", ref, "--")
	if err != nil {
		return nil, err
	}
	return parseIDs(out)
}

// CommitTime is when a commit was made, corrected by its history.
type CommitTime struct {
	// Unix is in seconds since 1970.
	Unix int64
	// Rank orders commits of one second: it is greater than that of every parent in the same second.
	Rank int
}

// CommitTimes returns the time of every commit that a tip reaches. Committers choose their dates, so a date counts only
// if it lies between the parents' and now. An earlier or future date becomes the parents' latest, that of a root commit
// now.
func (r *Repo) CommitTimes(ctx context.Context, tip ID, now time.Time) (map[ID]CommitTime, error) {
	if err := tip.check(); err != nil {
		return nil, err
	}
	commits, err := r.list(ctx, []string{"--topo-order", "--reverse", string(tip)})
	if err != nil {
		return nil, err
	}
	all := make(map[ID]CommitTime, len(commits))
	for _, c := range commits {
		at, least := CommitTime{Unix: int64(min(c.when, math.MaxInt64))}, now.Unix()
		for i, p := range c.parents {
			if before := all[ID(p)].Unix; i == 0 || before > least {
				least = before
			}
		}
		if at.Unix > now.Unix() || len(c.parents) > 0 && at.Unix < least {
			at.Unix = least
		}
		for _, p := range c.parents {
			if before := all[ID(p)]; before.Unix == at.Unix {
				at.Rank = max(at.Rank, before.Rank+1)
			}
		}
		all[c.id] = at
	}
	return all, nil
}
