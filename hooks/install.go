package hooks

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/acta-git/acta/repo"
)

// Options of an installation.
type Options struct {
	// Binary is the absolute path of acta, which the hooks start.
	Binary string
	// Server adds pre-receive, Seal reference-transaction. In a bare repository
	// Server is meant, and the hooks that need a work tree are left out.
	Server, Seal bool
	// Write changes the files of husky and lefthook where they own the hooks;
	// without it, Install says what to add to them.
	Write bool
}

func (o Options) check() error {
	if !filepath.IsAbs(o.Binary) {
		return fmt.Errorf("the path of the executable must be absolute, not %q", o.Binary)
	}
	return nil
}

// added are the sets that only an option adds.
func (o Options) added() []Set {
	var sets []Set
	if o.Server {
		sets = append(sets, Server)
	}
	if o.Seal {
		sets = append(sets, Seal)
	}
	return sets
}

// Install writes the hooks where git will look for them. A hook that is there
// already, the pre-commit framework's included, is kept and runs first, with its
// arguments, environment and standard input; its exit code counts as before.
// Where husky or lefthook owns the hooks, theirs are not touched. Installing again
// changes nothing but what is out of date.
func Install(ctx context.Context, r *repo.Repo, o Options) ([]Action, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	g, err := geometry(ctx, r)
	if err != nil {
		return nil, err
	}
	if g.Bare {
		o.Server = true
		return folder(g.HooksDir).install(fronts(o.Binary, keptBeside, o.added()...))
	}
	owner := ownerOf(g)
	if owner == nil {
		return folder(g.HooksDir).install(fronts(o.Binary, keptBeside, append(o.added(), Default)...))
	}
	done, err := owner.install(o.Write)
	if err != nil || o.added() == nil {
		return done, err
	}
	// What nobody else writes can stand in their folder.
	more, err := folder(g.HooksDir).install(fronts(o.Binary, keptBeside, o.added()...))
	return append(done, more...), err
}

// Uninstall takes back what Install wrote and puts the hooks that were there before back in their place.
func Uninstall(ctx context.Context, r *repo.Repo) ([]Action, error) {
	g, err := geometry(ctx, r)
	if err != nil {
		return nil, err
	}
	var done []Action
	if owner := ownerOf(g); owner != nil {
		if done, err = owner.uninstall(); err != nil {
			return done, err
		}
	}
	more, err := folder(g.HooksDir).uninstall()
	return append(done, more...), err
}

func geometry(ctx context.Context, r *repo.Repo) (repo.Geometry, error) {
	g, err := r.Geometry(ctx)
	if err == nil && g.ObjectFormat == "sha256" {
		err = fmt.Errorf("%s: %w; the hooks were not installed", g.GitDir, repo.ErrSHA256)
	}
	if isMachine(g.HooksDir) {
		// What is installed for every repository hands on to the repository's own hooks.
		g.HooksDir = filepath.Join(g.CommonDir, "hooks")
	}
	return g, err
}

// isMachine reports whether a folder of hooks is one that Machine.Install has written.
func isMachine(dir string) bool {
	data, err := os.ReadFile(folder(dir).path("commit-msg"))
	return err == nil && bytes.Contains(data, []byte(machineMarkerLine))
}
