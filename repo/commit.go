package repo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/acta-git/acta/parser/excerpt"
	"github.com/acta-git/acta/repo/state"
)

// Head is the commit of HEAD. ErrUnborn if its branch has no commit yet; ErrDamaged if HEAD cannot be read or names a
// missing commit.
func (r *Repo) Head(ctx context.Context) (Commit, error) {
	c, err := r.commitByName(ctx, "HEAD")
	if !errors.Is(err, errAbsent) {
		return c, err
	}
	if id, err := r.git(ctx, "rev-parse", "--verify", "HEAD"); err == nil {
		return Commit{}, fmt.Errorf("%w: HEAD names the commit %s, which is missing", ErrDamaged,
			strings.TrimSpace(string(id)))
	}
	// An unborn branch has a readable name; a broken HEAD has none.
	branch, err := r.HeadBranch(ctx)
	if err != nil {
		return Commit{}, err
	}
	return Commit{}, fmt.Errorf("%w (branch %s)", ErrUnborn, strings.TrimPrefix(branch, "refs/heads/"))
}

// HeadBranch is the full name of HEAD's branch, which may be unborn. A detached HEAD is an error.
func (r *Repo) HeadBranch(ctx context.Context) (string, error) {
	branch, err := r.git(ctx, "symbolic-ref", "HEAD")
	return strings.TrimSpace(string(branch)), err
}

// Commit is the commit that a revision names, in any of git's forms; tags are peeled. ErrNotFound if it names no
// commit; ErrShallow if a shallow clone may have left it out; ErrDamaged if the object is missing or unreadable. "HEAD"
// is the same as Head.
func (r *Repo) Commit(ctx context.Context, rev string) (Commit, error) {
	if strings.HasPrefix(rev, "-") {
		return Commit{}, fmt.Errorf("%w: %q looks like an option, not like a revision", ErrNotFound, rev)
	}
	if rev == "HEAD" {
		return r.Head(ctx)
	}
	c, err := r.commitByName(ctx, rev)
	switch {
	case errors.Is(err, errAbsent):
		return Commit{}, r.absenceError(ctx, rev)
	case errors.Is(err, errAmbiguous):
		return Commit{}, fmt.Errorf("%w: %q is ambiguous: several objects' names begin so; write more "+
			"digits", ErrNotFound, rev)
	}
	if failed, ok := errors.AsType[*commandError](err); ok && isMissingRef(failed.stderr) {
		return Commit{}, fmt.Errorf("%w: %s", ErrNotFound, strings.TrimPrefix(strings.TrimSpace(failed.stderr), "fatal: "))
	}
	return c, err
}

// isMissingRef reports whether git died because a reflog or an upstream does not exist.
func isMissingRef(stderr string) bool {
	said, ok := strings.CutPrefix(strings.TrimSpace(stderr), "fatal: ")
	if !ok || strings.Contains(said, "\n") {
		return false
	}
	return strings.HasPrefix(said, "no upstream configured for branch ") || strings.HasPrefix(said, "no such branch: ") ||
		said == "HEAD does not point to a branch" || strings.HasSuffix(said, " not stored as a remote-tracking branch") ||
		strings.HasPrefix(said, "log for ") || strings.HasPrefix(said, "no reflog for ")
}

// commitByName reads a commit; its error may be errAbsent or errAmbiguous.
func (r *Repo) commitByName(ctx context.Context, rev string) (Commit, error) {
	if c, ok := r.commits.get(ID(rev)); ok {
		return c, nil
	}
	a, err := r.objects.read(ctx, rev, plumbing.CommitObject)
	if err == nil && a.kind == plumbing.TagObject {
		a, err = r.objects.read(ctx, string(a.id)+"^{}", plumbing.CommitObject)
		if errors.Is(err, errAbsent) {
			return Commit{}, fmt.Errorf("%w: the tag %s names an object that is missing", ErrDamaged, rev)
		}
	}
	if err != nil {
		return Commit{}, err
	}
	if a.kind != plumbing.CommitObject {
		return Commit{}, fmt.Errorf("%w: %s names a %s, not a commit", ErrNotFound, rev, a.kind)
	}
	return r.decodeCommit(a)
}

// commitsAtOnce is how many commits EachPrefetched reads in one exchange with git.
const commitsAtOnce = 256

// EachPrefetched yields the ids in order, with their indices, and reads the commits some hundred ahead, so that Commit
// answers without git. Errors are left to Commit.
func (r *Repo) EachPrefetched(ctx context.Context, ids []ID) iter.Seq2[int, ID] {
	return func(yield func(int, ID) bool) {
		for i, id := range ids {
			if i%commitsAtOnce == 0 {
				_ = r.PrefetchCommits(ctx, ids[i:min(i+commitsAtOnce, len(ids))]) // Commit reports errors
			}
			if !yield(i, id) {
				return
			}
		}
	}
}

func (r *Repo) decodeCommit(a answer) (Commit, error) {
	tree, parents, rest, err := treeAndParents(a.content)
	var c *object.Commit
	if err == nil {
		c, err = object.DecodeCommit(nil, &commitBody{rest: rest})
	}
	if err != nil {
		return Commit{}, fmt.Errorf("%w: commit %s: %w", ErrDamaged, a.id, err)
	}
	encoding := string(c.Encoding)
	if strings.EqualFold(encoding, "utf-8") || strings.EqualFold(encoding, "utf8") {
		encoding = ""
	}
	decoded := Commit{
		ID: a.id, Tree: tree, Parents: parents,
		Author: Signature(c.Author), Committer: Signature(c.Committer),
		Message: []byte(c.Message), MessageRest: a.messageRest, Encoding: encoding,
	}
	r.commits.put(a.id, decoded, len(a.content))
	return decoded, nil
}

// absenceError asks git again about a missing revision: cat-file says «missing» both of an unknown name and of a broken
// ref.
func (r *Repo) absenceError(ctx context.Context, rev string) error {
	_, err := r.git(ctx, "cat-file", "-t", rev)
	failed := (*commandError)(nil)
	if err == nil {
		return fmt.Errorf("git found %s only when asked twice; another program may be writing to the repository", rev)
	}
	if !errors.As(err, &failed) {
		return err
	}
	whole := IsID(rev)
	switch said := strings.TrimSpace(failed.stderr); {
	case said == "fatal: Not a valid object name "+rev:
	case whole && said == "fatal: git cat-file: could not get object info":
	case strings.HasPrefix(said, "fatal: path '") && !strings.Contains(said, "\n"): // a revision «<tree>:<path>»
	default:
		return err
	}
	if whole || strings.ContainsAny(rev, "~^") {
		isShallow, err := r.isShallow(ctx)
		if err != nil {
			return err
		}
		if isShallow {
			return fmt.Errorf("%w: %s is not here; to fetch the rest, run: %s", ErrShallow, rev, unshallow)
		}
	}
	return fmt.Errorf("%w: no commit, branch or tag is named %s", ErrNotFound, rev)
}

// MergeHeads lists the commits that the current merge brings in: several of an octopus, none outside a merge. git keeps
// them in a file with every ref backend (gitglossary(7), "pseudoref"), so no process is needed.
func (r *Repo) MergeHeads(ctx context.Context) ([]ID, error) {
	var ids []ID
	err := r.readIDFile(ctx, "MERGE_HEAD", func(id ID, _ string) { ids = append(ids, id) })
	return ids, err
}

// FetchHeads lists the existing commits that the last `git fetch` or `git pull` brought from another repository. A
// fetch from this repository does not count.
func (r *Repo) FetchHeads(ctx context.Context) ([]ID, error) {
	g, err := r.Layout(ctx)
	if err != nil {
		return nil, err
	}
	return r.fetchHeads(ctx, func(address string) bool { return !g.isOwnAddress(address) })
}

// RemoteFetchHeads is FetchHeads, limited to configured remotes and to other machines: an agent can make a repository
// next to this one, and fetch from that.
func (r *Repo) RemoteFetchHeads(ctx context.Context) ([]ID, error) {
	out, err := r.git(ctx, "config", "--get-regexp", `^remote\..*\.url$`)
	if err != nil && !foundNothing(err) {
		return nil, err
	}
	var remotes []string
	for line := range strings.Lines(string(out)) {
		if _, url, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ok {
			remotes = append(remotes, strings.TrimSuffix(strings.TrimRight(url, "/"), ".git")) // as FETCH_HEAD spells it
		}
	}
	return r.fetchHeads(ctx, func(address string) bool {
		path := strings.TrimPrefix(address, "file://")
		isPath := path != address || !strings.Contains(address, ":")
		return !isPath || slices.Contains(remotes, address)
	})
}

func (r *Repo) fetchHeads(ctx context.Context, accepts func(address string) bool) ([]ID, error) {
	var ids []ID
	err := r.readIDFile(ctx, "FETCH_HEAD", func(id ID, rest string) {
		// A line ends with « of » and the address.
		from := strings.LastIndex(rest, " of ")
		if from < 0 || !accepts(rest[from+len(" of "):]) {
			return
		}
		if _, err := r.Commit(ctx, string(id)); err == nil {
			ids = append(ids, id)
		}
	})
	return ids, err
}

// isOwnAddress reports whether an address, without its «.git», is this repository.
func (g Layout) isOwnAddress(address string) bool {
	place := strings.TrimPrefix(address, "file://")
	if !filepath.IsAbs(place) {
		place = filepath.Join(g.Top, place)
	}
	plain := func(path string) string {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		return strings.TrimSuffix(strings.TrimSuffix(filepath.Clean(path), ".git"), string(filepath.Separator))
	}
	return slices.ContainsFunc([]string{g.Top, g.GitDir, g.CommonDir}, func(dir string) bool {
		return dir != "" && plain(dir) == plain(place)
	})
}

// readIDFile reads a file of the work tree's git directory whose lines begin with object ids.
func (r *Repo) readIDFile(ctx context.Context, name string, each func(id ID, rest string)) error {
	dir, err := r.gitDir(ctx)
	if err != nil {
		return err
	}
	data, err := state.Read(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		field, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if field == "" {
			continue
		}
		id, err := parseID(field)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
		}
		each(id, rest)
	}
	return nil
}

// Upstream is the commit id of @{upstream}; ErrNotFound if the branch has none, or if it was never fetched.
func (r *Repo) Upstream(ctx context.Context) (string, error) {
	c, err := r.Commit(ctx, "@{upstream}")
	if errors.Is(err, ErrNotFound) {
		err = fmt.Errorf("there is no upstream to compare with (git branch --set-upstream-to=REMOTE/BRANCH sets one): %w",
			err)
	}
	return string(c.ID), err
}

// readCommit reads a commit whose message may be long: its headers and the beginning of the message.
func (a *answer) readCommit(r *io.LimitedReader) error {
	lines := bufio.NewReader(r)
	for isLineStart := true; ; {
		part, err := lines.ReadSlice('\n')
		a.content = append(a.content, part...)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) && !errors.Is(err, io.EOF) {
			return err
		}
		if len(a.content) > excerpt.MaxBytes {
			a.content, a.err = nil, fmt.Errorf("%w: the headers of commit %s are longer than 1 MiB", ErrDamaged, a.id)
		}
		if a.err != nil || isLineStart && len(part) == 1 || errors.Is(err, io.EOF) {
			break
		}
		isLineStart = err == nil
	}
	message, rest, err := excerpt.Read(lines)
	if a.err == nil {
		a.content, a.messageRest = append(a.content, message...), rest
	}
	if err == nil && r.N > 0 {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// MessageUTF8 is a commit's message in UTF-8, converted by git as `git log` does. git does not convert an unknown
// encoding or an invalid message.
func (r *Repo) MessageUTF8(ctx context.Context, c Commit) ([]byte, excerpt.Tail, error) {
	if c.Encoding == "" {
		return c.Message, c.MessageRest, nil
	}
	cmd := r.command(ctx, "rev-list", "--max-count=1", "--encoding=UTF-8", "--format=%B", string(c.ID), "--")
	var out excerpt.Writer
	if err := r.outputTo(ctx, cmd, &out); err != nil {
		return nil, excerpt.Tail{}, err
	}
	_, message, ok := bytes.Cut(out.Text, []byte("\n")) // the first line is «commit <id>»
	if !ok {
		return nil, excerpt.Tail{}, fmt.Errorf("git rev-list shows no message of %s", c.ID)
	}
	if out.Tail.Size == 0 {
		message = bytes.TrimSuffix(message, []byte("\n"))
	}
	return message, out.Tail, nil
}
