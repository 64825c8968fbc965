package repo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Search selects the commits that Matching examines.
type Search struct {
	// Paths are git's globs; a commit that changes a matching file is listed too, unless it is a merge.
	Paths []string
	// Exclude leaves out these commits and all that they reach.
	Exclude []ID
	// MaxCommits limits the search to the newest commits; 0 is no limit.
	MaxCommits int
}

// Matching lists the commits that tip reaches, itself included, with a line in their message that matches accepts;
// lines come in lower case. Children come before parents, newest first. searchEnd says why older commits were not
// searched: ErrShallow, or more than MaxCommits; nil if all were.
func (r *Repo) Matching(
	ctx context.Context, tip ID, s Search, matches func(line string) bool,
) (ids []ID, searchEnd error, err error) {
	args := []string{string(tip)}
	for _, id := range append(slices.Clone(s.Exclude), tip) {
		if err := id.check(); err != nil {
			return nil, nil, err
		}
	}
	for _, id := range s.Exclude {
		args = append(args, "^"+string(id))
	}
	order := "--date-order"
	if s.MaxCommits > 0 { // with --date-order git would read all commits
		order = fmt.Sprintf("--max-count=%d", s.MaxCommits+1)
	}
	all, matching, err := r.messages(ctx, append([]string{order}, args...), matches)
	if err != nil {
		return nil, nil, err
	}
	if last := len(all) - 1; s.MaxCommits > 0 && last == s.MaxCommits {
		args, searchEnd = append(args, "^"+string(all[last])), errors.New("older history was not searched")
		all = all[:last]
	} else if searchEnd, err = r.ShallowReason(ctx, tip); err != nil {
		return nil, nil, err
	}
	if len(s.Paths) > 0 {
		var globs []string
		for _, glob := range s.Paths {
			globs = append(globs, ":(glob)"+glob)
		}
		touching, err := r.list(ctx, append([]string{"--no-merges", "--full-history"}, args...), globs...)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range touching {
			matching[c.id] = true
		}
	}
	return slices.DeleteFunc(all, func(id ID) bool { return !matching[id] }), searchEnd, nil
}

// maxMessageLine bounds the part of a line that is matched at once.
const maxMessageLine = 1 << 20

// messages lists the commits of git log, and those with a line that matches accepts.
func (r *Repo) messages(
	ctx context.Context, args []string, matches func(line string) bool,
) (all []ID, matching map[ID]bool, err error) {
	log := slices.Concat([]string{"log", "--format=%x00%H%n%B"}, args, []string{"--"})
	in, out := io.Pipe()
	go func() { _ = out.CloseWithError(r.outputTo(ctx, r.command(ctx, log...), out)) }()
	matching = map[ID]bool{}
	for lines := bufio.NewReaderSize(in, maxMessageLine); ; {
		line, err := lines.ReadSlice('\n')
		switch {
		case err == io.EOF:
			return all, matching, nil
		case err != nil && err != bufio.ErrBufferFull:
			return nil, nil, err
		}
		text := strings.TrimSuffix(string(line), "\n")
		if id, isNext := strings.CutPrefix(text, "\x00"); isNext {
			all = append(all, ID(id))
		} else if last := len(all) - 1; last >= 0 && !matching[all[last]] && matches(strings.ToLower(text)) {
			matching[all[last]] = true
		}
	}
}

// ShallowReason is ErrShallow if a shallow clone cut a commit's history, else nil.
func (r *Repo) ShallowReason(ctx context.Context, tip ID) (reason, err error) {
	if shallow, err := r.HasShallowEnd(ctx, []ID{tip}); err != nil || !shallow {
		return nil, err
	}
	return fmt.Errorf("%w; to fetch the rest, run: %s", ErrShallow, unshallow), nil
}

// PrefetchCommits reads commits ahead in one round trip, so that Commit answers without git. Unreadable commits are
// skipped; Commit reports them.
func (r *Repo) PrefetchCommits(ctx context.Context, ids []ID) error {
	var names []string
	for _, id := range ids {
		if err := id.check(); err != nil {
			return err
		}
		if _, ok := r.commits.get(id); !ok {
			names = append(names, string(id))
		}
	}
	if len(names) == 0 {
		return nil
	}
	commits, err := r.objects.prefetch(ctx, query{verb: contents, names: names, kind: plumbing.CommitObject})
	for _, a := range commits {
		if a.err == nil && a.kind == plumbing.CommitObject {
			_, _ = r.decodeCommit(a)
		}
	}
	return err
}

// CommitsTouching lists the commits between base and head that change one of the paths, parents before children, all
// descendants of base; with base "" everything that head reaches. If a merge takes the paths from one parent, git
// follows only that parent.
func (r *Repo) CommitsTouching(ctx context.Context, base, head ID, paths []string) ([]ID, error) {
	args := []string{"--topo-order", "--reverse", string(head)}
	if base != "" {
		args = append(args, "--ancestry-path", "^"+string(base))
	}
	found, err := r.touching(ctx, args, paths)
	return idsOf(found), err
}

// NewestTouching lists at most so many of the newest commits that the tips reach and that change one of the paths,
// without merges.
func (r *Repo) NewestTouching(ctx context.Context, tips []ID, paths []string, most int) ([]ID, error) {
	args := []string{"--no-merges", fmt.Sprintf("--max-count=%d", most)}
	for _, id := range tips {
		args = append(args, string(id))
	}
	found, err := r.touching(ctx, args, paths)
	return idsOf(found), err
}

// maxPaths bounds the paths of one call of git.
const maxPaths = 2000

// touching runs rev-list for literal paths.
func (r *Repo) touching(ctx context.Context, args, paths []string) ([]listedCommit, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	literal := make([]string, min(len(paths), maxPaths))
	for i := range literal {
		literal[i] = ":(literal)" + paths[i]
	}
	return r.list(ctx, args, literal...)
}

// maxChain bounds how many renames of a file are followed.
const maxChain = 8

// RenameTargets maps paths that tip does not have to their new path in tip, if commits of base..tip renamed them; with
// base "" everything that tip reaches counts. Deleted paths are left out. git decides what a rename is (at least half
// of the content is equal); at most 2,000 paths, and eight renames of one file, are followed.
func (r *Repo) RenameTargets(ctx context.Context, base, tip ID, paths []string) (map[string]string, error) {
	c, err := r.Commit(ctx, string(tip))
	if err != nil {
		return nil, err
	}
	at := r.Snapshot(c.Tree)
	to := map[string]string{} // the newest known name of each path
	for _, p := range paths {
		to[p] = p
	}
	for range maxChain {
		lost, err := at.missingPaths(ctx, to)
		if err != nil {
			return nil, err
		}
		next, err := r.nextNames(ctx, base, tip, lost)
		if err != nil {
			return nil, err
		}
		if len(next) == 0 {
			break
		}
		for from, p := range to {
			if n, ok := next[p]; ok {
				to[from] = n
			}
		}
	}
	lost, err := at.missingPaths(ctx, to)
	for from, p := range to {
		if p == from || slices.Contains(lost, p) {
			delete(to, from)
		}
	}
	return to, err
}

// missingPaths lists those of the values that the snapshot does not have, sorted, without duplicates.
func (s *Snapshot) missingPaths(ctx context.Context, paths map[string]string) ([]string, error) {
	lost := []string{}
	for _, p := range paths {
		_, err := s.Entry(ctx, p)
		switch {
		case errors.Is(err, ErrNotFound):
			lost = append(lost, p)
		case err != nil:
			return nil, err
		}
	}
	slices.Sort(lost)
	return slices.Compact(lost), nil
}

// nextNames maps each path that a commit of base..tip renamed to its next name; the newest rename counts.
func (r *Repo) nextNames(ctx context.Context, base, tip ID, paths []string) (map[string]string, error) {
	args := []string{"--topo-order", "--no-merges", string(tip)}
	if base != "" {
		args = append(args, "^"+string(base))
	}
	commits, err := r.touching(ctx, args, paths)
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	var in strings.Builder
	for _, c := range commits {
		in.WriteString(string(c.id) + "\n")
	}
	cmd := r.command(ctx, diffTree("--stdin", "--no-commit-id", "--diff-filter=R", "-M50%", "-l1000")...)
	cmd.Stdin = strings.NewReader(in.String())
	cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+noIndex)
	if err := r.ignoreAttributes(ctx, cmd); err != nil {
		return nil, err
	}
	out, err := r.output(ctx, cmd)
	if err != nil {
		return nil, err
	}
	return newestNames(string(out), paths)
}

// newestNames reads the renames that diff-tree lists, the newest first.
func newestNames(out string, paths []string) (map[string]string, error) {
	f := nulFields{rest: out}
	to := map[string]string{}
	for f.rest != "" {
		c, err := f.raw()
		if err != nil {
			return nil, err
		}
		if _, known := to[c.OldPath]; !known && slices.Contains(paths, c.OldPath) {
			to[c.OldPath] = c.Path
		}
	}
	return to, nil
}

// CommitsMentioning lists the commits that the given ones reach, themselves included, whose message contains one of the
// texts, in any case; children come before parents. Commits that a shallow clone lacks are not listed; see
// HasShallowEnd.
func (r *Repo) CommitsMentioning(ctx context.Context, from []ID, texts []string) (ids []ID, err error) {
	if len(from) == 0 || len(texts) == 0 {
		return nil, nil
	}
	// git compares bytes under LC_ALL=C, so letters outside ASCII must match in case.
	args := []string{"--topo-order", "--fixed-strings", "--regexp-ignore-case"}
	for _, t := range texts {
		first, _, _ := strings.Cut(t, "\n") // git reads further lines as further patterns
		args = append(args, "--grep="+first)
	}
	for _, id := range from {
		if err := id.check(); err != nil {
			return nil, err
		}
		args = append(args, string(id))
	}
	commits, err := r.list(ctx, args)
	return idsOf(commits), err
}

// HasShallowEnd reports whether a shallow clone cut the history of the commits.
func (r *Repo) HasShallowEnd(ctx context.Context, from []ID) (bool, error) {
	if len(from) == 0 {
		return false, nil
	}
	g, err := r.Layout(ctx)
	if err != nil || !g.IsShallow {
		return false, err
	}
	args := []string{"--max-parents=0"}
	for _, id := range from {
		args = append(args, string(id))
	}
	roots, err := r.list(ctx, args)
	if err != nil {
		return false, err
	}
	edges, err := r.shallowEdges(ctx, roots)
	return len(edges) > 0, err
}
