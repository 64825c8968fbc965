package repo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Log is a part of a history: commits that some tips reach, themselves included; children come before parents, newest
// first.
type Log struct {
	Commits []LoggedCommit
	// End says why older commits are not among them: ErrShallow, or the limit; nil if all are.
	End error

	repo *Repo
	args []string // for git: the tips, and with a ^ what ends the log
}

// LoggedCommit is a commit of a log.
type LoggedCommit struct {
	ID ID
	// Text is the message in lower case, at most maxLogged bytes, if the log keeps it.
	Text    []byte
	parents []string
}

// maxLogged is how many bytes of a message are read: as many as of one that is judged.
const maxLogged = 1 << 20

// Log reads the commits that the tips reach and exclude does not: the newest so many, or all for 0. It keeps the
// messages that keeps accepts; what keeps sees has ASCII letters in lower case and is overwritten later.
func (r *Repo) Log(
	ctx context.Context, tips, exclude []ID, most int, keeps func(text []byte) bool,
) (*Log, error) {
	l := &Log{repo: r}
	for _, id := range slices.Concat(tips, exclude) {
		if err := id.check(); err != nil {
			return nil, err
		}
	}
	if len(tips) == 0 {
		return l, nil
	}
	for _, id := range tips {
		l.args = append(l.args, string(id))
	}
	for _, id := range exclude {
		l.args = append(l.args, "^"+string(id))
	}
	order := "--date-order"
	if most > 0 { // with --date-order git would read all commits
		order = fmt.Sprintf("--max-count=%d", most+1)
	}
	if err := l.read(ctx, order, keeps); err != nil {
		return nil, err
	}
	var err error
	if most > 0 && len(l.Commits) > most {
		l.End = fmt.Errorf("only the newest %d commits were searched", most)
		l.args, l.Commits = append(l.args, "^"+string(l.Commits[most].ID)), l.Commits[:most]
	} else if l.End, err = r.shallowReason(ctx, l.args); err != nil {
		return nil, err
	}
	l.Commits = childrenFirst(l.Commits)
	return l, nil
}

// Behind is the log of other tips, made of this one; nil if it may lack some of their commits.
func (l *Log) Behind(tips []ID) *Log {
	if l.End != nil {
		return nil
	}
	b, isReached, missing := &Log{repo: l.repo}, map[string]bool{}, slices.Clone(tips)
	for _, id := range tips {
		isReached[string(id)] = true
		b.args = append(b.args, string(id))
	}
	for _, c := range l.Commits { // children first
		if !isReached[string(c.ID)] {
			continue
		}
		b.Commits = append(b.Commits, c)
		missing = slices.DeleteFunc(missing, func(id ID) bool { return id == c.ID })
		for _, parent := range c.parents {
			isReached[parent] = true
		}
	}
	if len(missing) > 0 {
		return nil
	}
	for _, arg := range l.args {
		if arg[0] == '^' {
			b.args = append(b.args, arg)
		}
	}
	return b
}

func (l *Log) read(ctx context.Context, order string, keeps func(text []byte) bool) error {
	in, out, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	ended := make(chan error, 1)
	go func() {
		log := slices.Concat([]string{"log", "--format=%x00%H %P%n%B", order}, l.args, []string{"--"})
		err := l.repo.outputTo(ctx, l.repo.command(ctx, log...), out)
		ended <- errors.Join(err, out.Close())
	}()
	var text bytes.Buffer
	note := func() {
		if last := len(l.Commits) - 1; last >= 0 && keeps(text.Bytes()) {
			l.Commits[last].Text = bytes.ToLower(text.Bytes())
		}
		text.Reset()
	}
	for lines := bufio.NewReaderSize(in, maxLogged); ; {
		line, err := lines.ReadSlice('\n')
		switch {
		case err == io.EOF:
			note()
			return <-ended
		case err != nil && err != bufio.ErrBufferFull:
			return err
		}
		if ids, isNext := bytes.CutPrefix(line, []byte{0}); isNext {
			note()
			f := strings.Fields(string(ids))
			l.Commits = append(l.Commits, LoggedCommit{ID: ID(f[0]), parents: f[1:]})
			continue
		}
		for i, b := range line {
			if 'A' <= b && b <= 'Z' {
				line[i] = b - 'A' + 'a'
			}
		}
		text.Write(line[:min(len(line), maxLogged-text.Len())])
	}
}

// Where lists the commits whose text matches accepts, and those that change a file that one of git's globs matches,
// unless they are merges.
func (l *Log) Where(ctx context.Context, globs []string, matches func(text []byte) bool) (ids []ID, err error) {
	touches := map[ID]bool{}
	if len(globs) > 0 && len(l.Commits) > 0 {
		paths := make([]string, len(globs))
		for i, glob := range globs {
			paths[i] = ":(glob)" + glob
		}
		all, err := l.repo.list(ctx, append([]string{"--no-merges", "--full-history"}, l.args...), paths...)
		if err != nil {
			return nil, err
		}
		for _, c := range all {
			touches[c.id] = true
		}
	}
	for _, c := range l.Commits {
		if touches[c.ID] || matches(c.Text) {
			ids = append(ids, c.ID)
		}
	}
	return ids, nil
}

// childrenFirst moves parents behind their children, for a clock may have been wrong; else the order stays.
func childrenFirst(commits []LoggedCommit) (sorted []LoggedCommit) {
	children, passed := make(map[string]int, len(commits)), map[string]LoggedCommit{}
	sorted = make([]LoggedCommit, 0, len(commits))
	for _, c := range commits {
		for _, parent := range c.parents {
			children[parent]++
		}
	}
	var list func(LoggedCommit)
	list = func(c LoggedCommit) {
		sorted = append(sorted, c)
		for _, parent := range c.parents {
			children[parent]--
			if p, ok := passed[parent]; ok && children[parent] == 0 {
				list(p)
			}
		}
	}
	for _, c := range commits {
		if children[string(c.ID)] == 0 {
			list(c)
		} else {
			passed[string(c.ID)] = c
		}
	}
	return sorted
}

// shallowReason is ErrShallow if a shallow clone cut the history of the revisions, else nil.
func (r *Repo) shallowReason(ctx context.Context, revisions []string) (reason, err error) {
	isShallow, err := r.isShallow(ctx)
	if err != nil || !isShallow {
		return nil, err
	}
	roots, err := r.list(ctx, append([]string{"--max-parents=0"}, revisions...))
	if err != nil {
		return nil, err
	}
	edges, err := r.shallowEdges(ctx, roots)
	if err != nil || len(edges) == 0 {
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
	return r.touching(ctx, args, paths)
}

// NewestTouching lists at most so many of the newest commits that the tips reach and that change one of the paths,
// without merges.
func (r *Repo) NewestTouching(ctx context.Context, tips []ID, paths []string, most int) ([]ID, error) {
	args := []string{"--no-merges", fmt.Sprintf("--max-count=%d", most)}
	for _, id := range tips {
		args = append(args, string(id))
	}
	return r.touching(ctx, args, paths)
}

// maxPaths bounds the paths of one call of git.
const maxPaths = 2000

// touching runs rev-list for literal paths.
func (r *Repo) touching(ctx context.Context, args, paths []string) ([]ID, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	literal := make([]string, min(len(paths), maxPaths))
	for i := range literal {
		literal[i] = ":(literal)" + paths[i]
	}
	found, err := r.list(ctx, args, literal...)
	return idsOf(found), err
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
	for _, id := range commits {
		fmt.Fprintln(&in, id)
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
	f, to := nulFields{rest: string(out)}, map[string]string{}
	for f.rest != "" { // the newest rename comes first
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
