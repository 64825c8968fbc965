package repo

import (
	"bytes"
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

// Refs lists the refs below a prefix, or the one of that name, sorted by name.
func (r *Repo) Refs(ctx context.Context, prefix string) ([]Ref, error) {
	out, err := r.git(ctx, "for-each-ref", "--format=%(objectname) %(refname)", prefix)
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

// Record is a commit that Acta makes itself, on a ref that is no branch.
type Record struct {
	// Ref is the full name of the ref that gets the commit.
	Ref string
	// Parent is the commit that the ref names now, "" where there is no such ref.
	Parent ID
	// Name is the committer's; what it may not hold is left out.
	Name    string
	When    time.Time
	Message string
	// Files are the whole tree, by path.
	Files map[string][]byte
}

// WriteRecord makes the commit and moves the ref to it, with one git process:
// all of it is there, or nothing. It fails where the ref is locked, or has moved on to
// what does not descend from Parent.
func (r *Repo) WriteRecord(ctx context.Context, rec Record) error {
	var in bytes.Buffer
	data := func(b []byte) { fmt.Fprintf(&in, "data %d\n%s\n", len(b), b) }
	name := strings.TrimSpace(strings.Map(func(c rune) rune {
		if c < ' ' || c == '<' || c == '>' || c == 0x7f {
			return -1
		}
		return c
	}, rec.Name))
	fmt.Fprintf(&in, "commit %s\ncommitter %s <acta@localhost> %d +0000\n", rec.Ref, name, rec.When.Unix())
	data([]byte(rec.Message))
	if rec.Parent != "" {
		fmt.Fprintf(&in, "from %s\n", rec.Parent)
	}
	in.WriteString("deleteall\n")
	for _, path := range slices.Sorted(maps.Keys(rec.Files)) {
		fmt.Fprintf(&in, "M 100644 inline %s\n", path)
		data(rec.Files[path])
	}
	in.WriteString("done\n")
	cmd := r.command(ctx, "-c", "fastimport.unpackLimit=100", "fast-import", "--quiet", "--done", "--date-format=raw")
	cmd.Stdin = &in
	_, err := r.output(ctx, cmd)
	return err
}
