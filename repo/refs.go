package repo

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
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
