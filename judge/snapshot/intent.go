package snapshot

import (
	"cmp"
	"context"
	"path"
	"strings"

	"github.com/acta-git/acta/evidence"
)

// Intent are the requests: the bytes of project.json, nil without one, and the texts in amendments/ by name.
type Intent struct {
	Project    []byte
	Amendments map[string]string
}

// ProjectFile is the path of project.json in a folder of requests.
func ProjectFile(folder string) string { return path.Join(folder, "project.json") }

// Intent reads the requests from the folder that the policy names.
func (s Snapshot) Intent(ctx context.Context) (*Intent, error) {
	in := &Intent{Amendments: map[string]string{}}
	tree, p, err := s.policyAndTree(ctx)
	if err != nil || tree == nil {
		return in, err
	}
	in.Project, err = blob(ctx, tree, ProjectFile(p.Intent))
	paths, errPaths := tree.Paths(ctx)
	err = cmp.Or(err, errPaths)
	for _, at := range paths {
		if name, ok := strings.CutPrefix(at, path.Join(p.Intent, "amendments")+"/"); ok {
			text, errText := blob(ctx, tree, at)
			in.Amendments[name], err = string(text), cmp.Or(err, errText)
		}
	}
	return in, err
}

// blob returns the bytes at a path, of a link its target path; nil if there are none.
func blob(ctx context.Context, t *evidence.Tree, path string) ([]byte, error) {
	e, err := t.Stat(ctx, path)
	if err != nil || e.Kind == evidence.Missing {
		return nil, err
	}
	return t.Read(ctx, e)
}
