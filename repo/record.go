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

// Search says which commits Matching looks at.
type Search struct {
	// Paths are globs as git reads them; a commit that changes a file that one fits is listed too, unless it is a merge.
	Paths []string
	// Not leaves out what these commits reach, themselves included.
	Not []ID
	// Newest is how many commits are searched, by their dates; 0 searches all.
	Newest int
}

// Matching lists the commits that tip reaches, itself included, of whose message says is true of a line, which it gets
// in lower case; the newest first. Children come before parents. cut says why commits further back were not searched:
// ErrShallow, where a shallow clone left them out, or that there are more than Newest; nil where all were.
func (r *Repo) Matching(
	ctx context.Context, tip ID, s Search, says func(line string) bool,
) (ids []ID, cut error, err error) {
	args := []string{string(tip)}
	for _, id := range append(slices.Clone(s.Not), tip) {
		if err := id.check(); err != nil {
			return nil, nil, err
		}
	}
	for _, id := range s.Not {
		args = append(args, "^"+string(id))
	}
	order := "--date-order"
	if s.Newest > 0 { // in an order by date git would read all of them
		order = fmt.Sprintf("--max-count=%d", s.Newest+1)
	}
	all, said, err := r.messages(ctx, append([]string{order}, args...), says)
	if err != nil {
		return nil, nil, err
	}
	if last := len(all) - 1; s.Newest > 0 && last == s.Newest {
		args, cut = append(args, "^"+string(all[last])), errors.New("there is more history than is searched")
		all = all[:last]
	} else if cut, err = r.Cut(ctx, tip); err != nil {
		return nil, nil, err
	}
	if len(s.Paths) > 0 {
		changing, err := r.changing(ctx, args, s.Paths)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range changing {
			said[c.id] = true
		}
	}
	return slices.DeleteFunc(all, func(id ID) bool { return !said[id] }), cut, nil
}

// maxMessageLine is how much of a line is looked at in one piece.
const maxMessageLine = 1 << 20

// messages lists what git log does, and of it the commits of whose message says is true of a line.
func (r *Repo) messages(
	ctx context.Context, args []string, says func(line string) bool,
) (all []ID, said map[ID]bool, err error) {
	log := slices.Concat([]string{"log", "--format=%x00%H%n%B"}, args, []string{"--"})
	in, out := io.Pipe()
	go func() { _ = out.CloseWithError(r.outputTo(ctx, r.command(ctx, log...), out)) }()
	said = map[ID]bool{}
	for lines := bufio.NewReaderSize(in, maxMessageLine); ; {
		line, err := lines.ReadSlice('\n')
		switch {
		case err == io.EOF:
			return all, said, nil
		case err != nil && err != bufio.ErrBufferFull:
			return nil, nil, err
		}
		text := strings.TrimSuffix(string(line), "\n")
		if id, isNext := strings.CutPrefix(text, "\x00"); isNext {
			all = append(all, ID(id))
		} else if last := len(all) - 1; last >= 0 && !said[all[last]] && says(strings.ToLower(text)) {
			said[all[last]] = true
		}
	}
}

// changing are the commits that change a file that one of the globs fits.
func (r *Repo) changing(ctx context.Context, args, globs []string) ([]listed, error) {
	ask := append([]string{"rev-list", "--parents", "--timestamp", "--no-merges", "--full-history"}, args...)
	ask = append(ask, "--")
	for _, glob := range globs {
		ask = append(ask, ":(glob)"+glob)
	}
	out, err := r.git(ctx, ask...)
	if err != nil {
		return nil, err
	}
	return parseListed(out)
}

// Cut says where the history of a commit ends because a shallow clone cut it, as ErrShallow; nil where it does not.
func (r *Repo) Cut(ctx context.Context, tip ID) (cut, err error) {
	if shallow, err := r.IsCut(ctx, []ID{tip}); err != nil || !shallow {
		return nil, err
	}
	return fmt.Errorf("%w; to fetch the rest, run: %s", ErrShallow, unshallow), nil
}

// PrefetchCommits reads commits ahead in one round trip, so that Commit then
// answers without git. What cannot be read is passed over: Commit tells of it.
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
			_, _ = r.decode(a)
		}
	}
	return err
}

// Touching lists the commits between base and head that change one of the paths,
// parents before children: those that descend from base, which is not among them;
// base "" is everything that head reaches. Of a merge that takes the paths from
// one parent, only that parent's side is looked at.
func (r *Repo) Touching(ctx context.Context, base, head ID, paths []string) ([]ID, error) {
	args := []string{"--topo-order", "--reverse", string(head)}
	if base != "" {
		args = append(args, "--ancestry-path", "^"+string(base))
	}
	found, err := r.touching(ctx, args, paths)
	return idsOf(found), err
}

// Changing lists the newest commits that the tips reach and that change one of the paths, so many at most; merges are
// left out.
func (r *Repo) Changing(ctx context.Context, tips []ID, paths []string, most int) ([]ID, error) {
	args := []string{"--no-merges", fmt.Sprintf("--max-count=%d", most)}
	for _, id := range tips {
		args = append(args, string(id))
	}
	found, err := r.touching(ctx, args, paths)
	return idsOf(found), err
}

// maxPaths is how many paths one call of git is asked about.
const maxPaths = 2000

// touching runs rev-list for paths, taken as they are.
func (r *Repo) touching(ctx context.Context, args, paths []string) ([]listed, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	args = append(append([]string{"--literal-pathspecs", "rev-list", "--parents", "--timestamp"}, args...), "--")
	out, err := r.git(ctx, append(args, paths[:min(len(paths), maxPaths)]...)...)
	if err != nil {
		return nil, err
	}
	return parseListed(out)
}

// maxChain is how often a file is followed from one name to the next.
const maxChain = 8

// RenamedTo tells where files went that tip does not have: for each of the paths
// that commits of base..tip renamed, the path in tip. base "" is everything that
// tip reaches. A path that was only deleted is not in the answer. Git's own rule
// decides what a rename is (at least half of the content is the same); at most
// 2,000 paths are looked for, and eight renames of one file are followed.
func (r *Repo) RenamedTo(ctx context.Context, base, tip ID, paths []string) (map[string]string, error) {
	c, err := r.Commit(ctx, string(tip))
	if err != nil {
		return nil, err
	}
	at := r.Snapshot(c.Tree)
	to := map[string]string{} // where the trail of each path ends so far
	for _, p := range paths {
		to[p] = p
	}
	for range maxChain {
		lost, err := at.lacks(ctx, to)
		if err != nil {
			return nil, err
		}
		next, err := r.renames(ctx, base, tip, lost)
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
	lost, err := at.lacks(ctx, to)
	for from, p := range to {
		if p == from || slices.Contains(lost, p) {
			delete(to, from)
		}
	}
	return to, err
}

// lacks lists those of the values that the snapshot does not have, sorted, each once.
func (s *Snapshot) lacks(ctx context.Context, paths map[string]string) ([]string, error) {
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

// renames maps each of the paths that a commit of base..tip renamed to its next
// name; of several renames the newest counts.
func (r *Repo) renames(ctx context.Context, base, tip ID, paths []string) (map[string]string, error) {
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
	if err := r.withoutAttributes(ctx, cmd); err != nil {
		return nil, err
	}
	out, err := r.output(ctx, cmd)
	if err != nil {
		return nil, err
	}
	return newest(string(out), paths)
}

// newest reads what diff-tree lists of commits, the newest first.
func newest(out string, paths []string) (map[string]string, error) {
	f := fields{rest: out}
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

// Mentions lists the commits that the given ones reach, themselves included,
// whose message holds one of the texts, letters in any case; children come
// before parents. What a shallow clone left out is not among them; see IsCut.
func (r *Repo) Mentions(ctx context.Context, from []ID, texts []string) (ids []ID, err error) {
	if len(from) == 0 || len(texts) == 0 {
		return nil, nil
	}
	// git compares letters byte by byte under LC_ALL=C, which is right for what is no ASCII as well: only its case counts
	// then.
	args := []string{"--topo-order", "--fixed-strings", "--regexp-ignore-case"}
	for _, t := range texts {
		first, _, _ := strings.Cut(t, "\n") // git takes further lines for further patterns
		args = append(args, "--grep="+first)
	}
	for _, id := range from {
		if err := id.check(); err != nil {
			return nil, err
		}
		args = append(args, string(id))
	}
	commits, err := r.list(ctx, args...)
	return idsOf(commits), err
}

// IsCut reports whether the history of commits ends where a shallow clone cut it.
func (r *Repo) IsCut(ctx context.Context, from []ID) (bool, error) {
	if len(from) == 0 {
		return false, nil
	}
	g, err := r.Layout(ctx)
	if err != nil || !g.Shallow {
		return false, err
	}
	args := []string{"--max-parents=0"}
	for _, id := range from {
		args = append(args, string(id))
	}
	roots, err := r.list(ctx, args...)
	if err != nil {
		return false, err
	}
	cut, err := r.cut(ctx, roots)
	return len(cut) > 0, err
}
