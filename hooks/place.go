package hooks

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
)

// place is a repository and where git looks for its hooks.
type place struct {
	repo.Layout
	// own is the folder of hooks that the repository has where core.hooksPath names no other.
	own folder
	// scope names git's configuration that sets core.hooksPath ("local", "global" and so on; "" where none does), and
	// value is what it sets.
	scope, value string
}

func placeOf(ctx context.Context, r *repo.Repo) (place, error) {
	g, err := r.Layout(ctx)
	if err != nil {
		return place{}, err
	}
	p := place{Layout: g, own: folder(filepath.Join(g.CommonDir, "hooks"))}
	if isGlobal(g.HooksDir) {
		// What is installed for every repository hands on to the repository's own hooks.
		p.HooksDir = string(p.own)
		return p, nil
	}
	if p.hides() {
		p.scope, p.value, _ = strings.Cut(config(ctx, g, nil, "--show-scope", "--type=path", "--get", keyHooksPath), "\t")
	}
	return p, nil
}

// hides reports whether git looks for the hooks elsewhere than in the repository's own folder.
func (p place) hides() bool { return filepath.Clean(p.HooksDir) != filepath.Clean(string(p.own)) }

// hooksStay refuses a folder of the work tree, such as .githooks, that a link leads out of it: a clone brings links.
// The git directory's own folder is what somebody made it here.
func (p place) hooksStay() error {
	rel := p.value // git resolves links in HooksDir
	if filepath.IsAbs(rel) {
		rel, _ = filepath.Rel(p.Top, rel)
	}
	if p.Top == "" || !filepath.IsLocal(rel) { // "" is not local
		return nil
	}
	return repo.CheckStaysIn(p.Top, filepath.ToSlash(filepath.Join(rel, keptDir)))
}

// everybodys reports whether git looks for every repository's hooks in this folder. A relative path is a folder of each
// work tree.
func (p place) everybodys() bool {
	return (p.scope == "global" || p.scope == "system") && filepath.IsAbs(p.value)
}

// takeHidden takes acta's hooks out of the repository's own folder where core.hooksPath hides it: nothing else would
// find them.
func (p place) takeHidden() ([]Action, error) {
	if !p.hides() || !p.own.hasOurs() {
		return nil, nil
	}
	return p.own.uninstall()
}

// isGlobal reports whether a folder of hooks is one that Global.Install has written.
func isGlobal(dir string) bool {
	data, err := state.ReadFile(folder(dir).path("commit-msg"))
	return err == nil && bytes.Contains(data, []byte(globalMarkerLine))
}
