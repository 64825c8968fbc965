package snapshot

import (
	"context"
	"path"
	"strings"

	"github.com/acta-git/acta/evidence"
)

// Intent is what people asked for: the bytes of project.json, nil where there is none, and the texts below amendments/
// by their names.
type Intent struct {
	Project    []byte
	Amendments map[string]string
}

// ProjectFile is where project.json lies in a folder of what people asked for.
func ProjectFile(folder string) string { return path.Join(folder, "project.json") }

// Intent reads what people asked for, from the folder that the policy names.
func (s Snapshot) Intent(ctx context.Context) (*Intent, error) {
	in := &Intent{Amendments: map[string]string{}}
	tree, err := s.files(ctx)
	if err != nil || tree == nil {
		return in, err
	}
	p, err := policyIn(ctx, tree)
	if err != nil {
		return nil, err
	}
	if in.Project, err = blob(ctx, tree, ProjectFile(p.Intent)); err != nil {
		return nil, err
	}
	paths, err := tree.Paths(ctx)
	if err != nil {
		return nil, err
	}
	for _, at := range paths {
		if name, ok := strings.CutPrefix(at, path.Join(p.Intent, "amendments")+"/"); ok {
			text, err := blob(ctx, tree, at)
			if err != nil {
				return nil, err
			}
			in.Amendments[name] = string(text)
		}
	}
	return in, nil
}

// blob returns the bytes of what stands at a path, of a link where it leads to; nil where nothing does.
func blob(ctx context.Context, t *evidence.Tree, path string) ([]byte, error) {
	e, err := t.Stat(ctx, path)
	if err != nil || e.Kind == evidence.Missing {
		return nil, err
	}
	return t.Read(ctx, e)
}
