package repo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/acta-git/acta/parser/excerpt"
	"github.com/acta-git/acta/repo/state"
)

// Head is the commit that HEAD names. ErrUnborn where its branch has no commit
// yet; a HEAD that cannot be read, or that names what is not there, is ErrDamaged.
func (r *Repo) Head(ctx context.Context) (Commit, error) {
	c, err := r.named(ctx, "HEAD")
	if !errors.Is(err, errAbsent) {
		return c, err
	}
	if id, err := r.git(ctx, "rev-parse", "--verify", "HEAD"); err == nil {
		return Commit{}, fmt.Errorf("%w: HEAD names the commit %s, which is missing", ErrDamaged,
			strings.TrimSpace(string(id)))
	}
	// A branch that is not born can still be named; one that is broken cannot.
	branch, err := r.HeadBranch(ctx)
	if err != nil {
		return Commit{}, err
	}
	return Commit{}, fmt.Errorf("%w (branch %s)", ErrUnborn, strings.TrimPrefix(branch, "refs/heads/"))
}

// HeadBranch is the full name of the branch that HEAD names, born or not. It is an error where HEAD is detached.
func (r *Repo) HeadBranch(ctx context.Context) (string, error) {
	branch, err := r.git(ctx, "symbolic-ref", "HEAD")
	return strings.TrimSpace(string(branch)), err
}

// Commit is the commit that a revision names, in any of git's forms; tags are
// peeled. ErrNotFound where it names no commit; ErrShallow where that cannot be
// known, because the history of a shallow clone ends before it; ErrDamaged where
// what it names is missing or unreadable; "HEAD" answers as Head does.
func (r *Repo) Commit(ctx context.Context, rev string) (Commit, error) {
	if strings.HasPrefix(rev, "-") {
		return Commit{}, fmt.Errorf("%w: %q looks like an option, not like a revision", ErrNotFound, rev)
	}
	if rev == "HEAD" {
		return r.Head(ctx)
	}
	c, err := r.named(ctx, rev)
	switch {
	case errors.Is(err, errAbsent):
		return Commit{}, r.whyAbsent(ctx, rev)
	case errors.Is(err, errAmbiguous):
		return Commit{}, fmt.Errorf("%w: %q is ambiguous: several objects' names begin so; write more "+
			"digits", ErrNotFound, rev)
	}
	if failed, ok := errors.AsType[*commandError](err); ok && nothingThere(failed.stderr) {
		return Commit{}, fmt.Errorf("%w: %s", ErrNotFound, strings.TrimPrefix(strings.TrimSpace(failed.stderr), "fatal: "))
	}
	return c, err
}

// nothingThere tells git's complaints about a reflog or an upstream that is not
// there, of which it dies, from real trouble.
func nothingThere(stderr string) bool {
	said, ok := strings.CutPrefix(strings.TrimSpace(stderr), "fatal: ")
	if !ok || strings.Contains(said, "\n") {
		return false
	}
	return strings.HasPrefix(said, "no upstream configured for branch ") || strings.HasPrefix(said, "no such branch: ") ||
		said == "HEAD does not point to a branch" || strings.HasSuffix(said, " not stored as a remote-tracking branch") ||
		strings.HasPrefix(said, "log for ") || strings.HasPrefix(said, "no reflog for ")
}

// named reads the commit of a name, errAbsent and errAmbiguous included.
func (r *Repo) named(ctx context.Context, rev string) (Commit, error) {
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
	return r.decode(a)
}

// commitsAtOnce is how many commits InTurn reads in one exchange with git.
const commitsAtOnce = 256

// InTurn yields the ids of commits with their places, in their order, and reads those that come next some hundred at a
// time, so that Commit need not ask git for each. What cannot be read Commit tells.
func (r *Repo) InTurn(ctx context.Context, ids []ID) iter.Seq2[int, ID] {
	return func(yield func(int, ID) bool) {
		for i, id := range ids {
			if i%commitsAtOnce == 0 {
				_ = r.PrefetchCommits(ctx, ids[i:min(i+commitsAtOnce, len(ids))]) // whoever asks for one of them is told
			}
			if !yield(i, id) {
				return
			}
		}
	}
}

// decode reads a commit that git served, and keeps it.
func (r *Repo) decode(a answer) (Commit, error) {
	tree, parents, rest, err := linksOf(a.content)
	var c *object.Commit
	if err == nil {
		c, err = object.DecodeCommit(nil, &signed{rest: rest})
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
		Message: []byte(c.Message), Beyond: a.beyond, Encoding: encoding,
	}
	r.commits.put(a.id, decoded, len(a.content))
	return decoded, nil
}

// whyAbsent asks git again for a revision that it did not find: cat-file's
// «missing» says the same of a name that nobody gave and of one that broke.
func (r *Repo) whyAbsent(ctx context.Context, rev string) error {
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
	case strings.HasPrefix(said, "fatal: path '") && !strings.Contains(said, "\n"): // of a revision «<tree>:<path>»
	default:
		return err
	}
	if whole || strings.ContainsAny(rev, "~^") {
		g, err := r.Layout(ctx)
		if err != nil {
			return err
		}
		if g.Shallow {
			return fmt.Errorf("%w: %s is not here; to fetch the rest, run: %s", ErrShallow, rev, unshallow)
		}
	}
	return fmt.Errorf("%w: no commit, branch or tag is named %s", ErrNotFound, rev)
}

// MergeHeads lists the commits that the merge under way brings in: several of an octopus, none where none is. (git's
// MERGE_HEAD names the first of them as a revision.) git keeps them in a file,
// whatever its refs are kept in (gitglossary(7), "pseudoref"), so that they cost no process.
func (r *Repo) MergeHeads(ctx context.Context) ([]ID, error) {
	var ids []ID
	err := r.listedIn(ctx, "MERGE_HEAD", func(id ID, _ string) { ids = append(ids, id) })
	return ids, err
}

// FetchHeads lists the commits that the last `git fetch` or `git pull` has brought from another repository, those that
// are no commit any more left out. A fetch from this one brings nothing from elsewhere.
func (r *Repo) FetchHeads(ctx context.Context) ([]ID, error) {
	g, err := r.Layout(ctx)
	if err != nil {
		return nil, err
	}
	return r.fetchHeads(ctx, func(address string) bool { return !g.isHere(address) })
}

// RemoteFetchHeads is FetchHeads, of remotes that the repository knows and of what lies on other machines: whoever
// works here can make a repository beside this one, and fetch from that.
func (r *Repo) RemoteFetchHeads(ctx context.Context) ([]ID, error) {
	out, err := r.git(ctx, "config", "--get-regexp", `^remote\..*\.url$`)
	if none := (*commandError)(nil); err != nil && (!errors.As(err, &none) || none.code != 1) {
		return nil, err
	}
	var known []string
	for line := range strings.Lines(string(out)) {
		if _, url, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ok {
			known = append(known, fetchedAddress(url))
		}
	}
	return r.fetchHeads(ctx, func(address string) bool {
		path := strings.TrimPrefix(address, "file://")
		isPath := path != address || !strings.Contains(address, ":")
		return !isPath || slices.Contains(known, address)
	})
}

// fetchedAddress is an address as FETCH_HEAD has it: without slashes and «.git» at its end.
func fetchedAddress(url string) string {
	return strings.TrimSuffix(strings.TrimRight(url, "/"), ".git")
}

// fetchHeads lists what FETCH_HEAD has of the addresses that count.
func (r *Repo) fetchHeads(ctx context.Context, counts func(address string) bool) ([]ID, error) {
	var ids []ID
	err := r.listedIn(ctx, "FETCH_HEAD", func(id ID, rest string) {
		// A line ends in what was fetched and « of » the address.
		from := strings.LastIndex(rest, " of ")
		if from < 0 || !counts(rest[from+len(" of "):]) {
			return
		}
		if _, err := r.Commit(ctx, string(id)); err == nil {
			ids = append(ids, id)
		}
	})
	return ids, err
}

// isHere reports whether an address, without its «.git» as git writes it down, is this repository.
func (g Layout) isHere(address string) bool {
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
	return slices.ContainsFunc([]string{g.Top, g.GitDir, g.CommonDir}, func(own string) bool {
		return own != "" && plain(own) == plain(place)
	})
}

// listedIn reads a file of the work tree's git directory whose lines begin with object names.
func (r *Repo) listedIn(ctx context.Context, name string, each func(id ID, rest string)) error {
	dir := r.gitDirHere()
	if dir == "" {
		g, err := r.Layout(ctx)
		if err != nil {
			return err
		}
		dir = g.GitDir
	}
	data, err := state.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
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

// Upstream is the id of the commit of @{upstream}; ErrNotFound where the branch
// has none, or where it was never fetched.
func (r *Repo) Upstream(ctx context.Context) (string, error) {
	c, err := r.Commit(ctx, "@{upstream}")
	if err == nil {
		return string(c.ID), nil
	}
	if errors.Is(err, ErrNotFound) {
		return "", fmt.Errorf(
			"there is no upstream to compare with (git branch --set-upstream-to=REMOTE/BRANCH sets one): %w", err)
	}
	return "", err
}

// readCommit reads a commit whose message may be long: the headers, and of the message what is kept.
func (a *answer) readCommit(r *io.LimitedReader) error {
	lines := bufio.NewReader(r)
	for begins := true; ; {
		part, err := lines.ReadSlice('\n')
		a.content = append(a.content, part...)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) && !errors.Is(err, io.EOF) {
			return err
		}
		if len(a.content) > excerpt.MaxBytes {
			a.content, a.err = nil, fmt.Errorf("%w: the headers of commit %s are longer than 1 MiB", ErrDamaged, a.id)
		}
		if a.err != nil || begins && len(part) == 1 || errors.Is(err, io.EOF) {
			break
		}
		begins = err == nil
	}
	message, rest, err := excerpt.Read(lines)
	if a.err == nil {
		a.content, a.beyond = append(a.content, message...), rest
	}
	if err == nil && r.N > 0 {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// Reencoded is a commit's message in UTF-8, as `git log` shows it to everybody: git knows the encodings. One that it
// does not know, or that the message is not written in, it leaves as it is.
func (r *Repo) Reencoded(ctx context.Context, c Commit) ([]byte, excerpt.Rest, error) {
	if c.Encoding == "" {
		return c.Message, c.Beyond, nil
	}
	cmd := r.command(ctx, "rev-list", "--max-count=1", "--encoding=UTF-8", "--format=%B", string(c.ID), "--")
	var out excerpt.Writer
	if err := r.outputTo(ctx, cmd, &out); err != nil {
		return nil, excerpt.Rest{}, err
	}
	_, message, ok := bytes.Cut(out.Text, []byte("\n")) // the first line is «commit <id>»
	if !ok {
		return nil, excerpt.Rest{}, fmt.Errorf("git rev-list shows no message of %s", c.ID)
	}
	if out.Rest.Size == 0 {
		message = bytes.TrimSuffix(message, []byte("\n"))
	}
	return message, out.Rest, nil
}
