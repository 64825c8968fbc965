package repo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/acta-git/acta/repo/state"
)

// Ref is a ref and the object that it names.
type Ref struct {
	// Name is the full name, refs/….
	Name string
	ID   ID
}

// Refs lists the refs with one of these names or prefixes, sorted by name.
func (r *Repo) Refs(ctx context.Context, prefixes ...string) ([]Ref, error) {
	out, err := r.git(ctx, append([]string{"for-each-ref", "--format=%(objectname) %(refname)"}, prefixes...)...)
	if err != nil {
		return nil, err
	}
	var refs []Ref
	for line := range strings.Lines(string(out)) {
		name, ref, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		id, err := parseID(name)
		if err != nil {
			return nil, err
		}
		refs = append(refs, Ref{ref, id})
	}
	return refs, nil
}

// RefID is the object that a ref names, "" for none.
func (r *Repo) RefID(ctx context.Context, ref string) (ID, error) {
	refs, err := r.Refs(ctx, ref)
	if err != nil || len(refs) == 0 {
		return "", err
	}
	return refs[0].ID, nil
}

// Record is a commit that Acta itself makes on a ref other than a branch.
type Record struct {
	// Ref is the full name of the ref that gets the commit.
	Ref string
	// Parent is the commit that the ref names now, "" for a new ref.
	Parent ID
	// Name is the committer's; characters that git does not allow are dropped.
	Name    string
	When    time.Time
	Message string
	// Files are the whole tree, by path.
	Files map[string][]byte
}

// WriteRecord makes the commit and moves the ref with one git process: all or nothing. It fails if the ref is locked,
// or was moved to a commit that does not descend from Parent.
func (r *Repo) WriteRecord(ctx context.Context, rec Record) error {
	var files strings.Builder
	files.WriteString("deleteall\n")
	for _, path := range slices.Sorted(maps.Keys(rec.Files)) {
		fmt.Fprintf(&files, "M 100644 inline %s\ndata %d\n%s\n", path, len(rec.Files[path]), rec.Files[path])
	}
	return r.fastImport(ctx, rec, files.String())
}

// committer is the committer's line for fast-import; characters that git does not allow in names are dropped.
func committer(name string, when time.Time) string {
	name = strings.TrimSpace(strings.Map(func(c rune) rune {
		if c < ' ' || c == '<' || c == '>' || c == 0x7f {
			return -1
		}
		return c
	}, name))
	return fmt.Sprintf("committer %s <acta@localhost> %d +0000", name, when.Unix())
}

// fastImport makes a commit with the changes in a stream for fast-import.
func (r *Repo) fastImport(ctx context.Context, rec Record, changes string) error {
	from := ""
	if rec.Parent != "" {
		from = fmt.Sprintf("from %s\n", rec.Parent)
	}
	head := fmt.Sprintf("commit %s\n%s\ndata %d\n%s\n%s", rec.Ref, committer(rec.Name, rec.When), len(rec.Message),
		rec.Message, from)
	cmd := r.command(ctx, "-c", "fastimport.unpackLimit=100", "fast-import", "--quiet", "--done", "--date-format=raw")
	cmd.Stdin = strings.NewReader(head + changes + "done\n")
	_, err := r.output(ctx, cmd)
	return err
}

// DeleteRef deletes a ref if it still names ref.ID. The objects stay until git collects them.
func (r *Repo) DeleteRef(ctx context.Context, ref Ref) error {
	_, err := r.git(ctx, "update-ref", "-d", ref.Name, string(ref.ID))
	return err
}

// DefaultBranch is the full name of the branch on which work lands: the local branch of origin's default, else its
// remote-tracking branch, else the local branch of init.defaultBranch, "main" or "master"; "HEAD" if none exists.
func (r *Repo) DefaultBranch(ctx context.Context) (string, error) {
	const key, remote, heads = "init.defaultbranch", "refs/remotes/origin/", "refs/heads/"
	config, err := r.Config(ctx, key)
	if err != nil {
		return "", err
	}
	out, err := r.git(ctx, "for-each-ref", "--format=%(refname) %(symref)", remote+"HEAD", heads)
	if err != nil {
		return "", err
	}
	target := map[string]string{} // of existing refs; "" of a branch
	for line := range strings.Lines(string(out)) {
		name, to, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		target[name] = to
	}
	var candidates []string
	if fetched := target[remote+"HEAD"]; strings.HasPrefix(fetched, remote) {
		candidates = append(candidates, heads+strings.TrimPrefix(fetched, remote), fetched)
		target[fetched] = "" // git lists no symbolic ref to a missing one
	}
	for _, name := range []string{config[key], "main", "master"} {
		candidates = append(candidates, heads+name)
	}
	for _, ref := range candidates {
		if _, ok := target[ref]; ok {
			return ref, nil
		}
	}
	return "HEAD", nil
}

// SplitRemote returns the host and the path in a remote's address, the path without «.git». User names and the port of
// ssh are dropped. A folder has no host, and its name as path.
func SplitRemote(address string) (host, name string) {
	name = path.Base(filepath.ToSlash(address))
	if u, err := url.Parse(address); err == nil && u.Scheme != "" && u.Host != "" {
		host, name = u.Hostname(), u.Path
		if u.Scheme == "http" || u.Scheme == "https" {
			host = u.Host
		}
	} else if at, rest, scp := strings.Cut(address, ":"); scp && !strings.Contains(at, "/") && len(at) > 1 {
		host, name = at[strings.LastIndexByte(at, '@')+1:], rest // user@host:path
	}
	name = strings.Trim(strings.TrimSuffix(strings.TrimSuffix(name, "/"), ".git"), "/")
	if name == "." {
		name = ""
	}
	return host, name
}

// This file reads refs from git's files (gitrepository-layout(5), git-pack-refs(1)), without a process: a hook looks at
// them after every tool call of an agent.

// HeadStamp returns a text that changes whenever HEAD of this work tree names another commit: the commit's id, or ""
// before the first one. With reftable it may also change when another ref does. No process is started.
func HeadStamp(gitDir, commonDir string) (string, error) {
	if tables := reftables(gitDir, commonDir); tables != nil {
		sum := sha256.Sum256(tables)
		return "reftable " + hex.EncodeToString(sum[:8]), nil
	}
	ref := "HEAD"
	for range 6 { // as deep as git follows a symbolic ref
		dir := commonDir
		if ref == "HEAD" {
			dir = gitDir
		}
		data, err := state.ReadFile(filepath.Join(dir, filepath.FromSlash(ref)))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.EISDIR) { // an empty folder may have the ref's name
			return packedRef(commonDir, ref)
		}
		if err != nil {
			return "", err
		}
		text := strings.TrimSpace(string(data))
		to, symbolic := strings.CutPrefix(text, "ref:")
		if !symbolic {
			return text, nil
		}
		if ref = strings.TrimSpace(to); !filepath.IsLocal(filepath.FromSlash(ref)) {
			return "", ErrDamaged
		}
	}
	return "", ErrDamaged
}

// reftables are the names of the tables that hold the refs of a work tree; nil where refs are files. git writes each
// table once.
func reftables(gitDir, commonDir string) []byte {
	var all []byte
	for _, dir := range slices.Compact([]string{commonDir, gitDir}) {
		data, err := state.ReadFile(filepath.Join(dir, "reftable", "tables.list"))
		if err == nil {
			all = append(append(all, data...), 0)
		}
	}
	return all
}

func packedRef(commonDir, ref string) (string, error) {
	data, err := state.Read(filepath.Join(commonDir, "packed-refs"))
	at := bytes.Index(data, []byte(" "+ref+"\n"))
	if err != nil || at < 0 {
		return "", err
	}
	return string(data[bytes.LastIndexByte(data[:at], '\n')+1 : at]), nil
}

// Tips are the objects that the refs below the given prefixes name, sorted, without duplicates.
func (r *Repo) Tips(ctx context.Context, below ...string) ([]ID, error) {
	refs, err := r.Refs(ctx, below...)
	var all []ID
	for _, ref := range refs {
		all = append(all, ref.ID)
	}
	slices.Sort(all)
	return slices.Compact(all), err
}

// WorkTreeDirs are the git directories of all work trees of the repository, the main one first.
func WorkTreeDirs(commonDir string) []string {
	all := []string{commonDir}
	linked, _ := os.ReadDir(filepath.Join(commonDir, "worktrees"))
	for _, d := range linked {
		all = append(all, filepath.Join(commonDir, "worktrees", d.Name()))
	}
	return all
}
