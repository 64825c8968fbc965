package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo"
)

// Options of an installation.
type Options struct {
	// Binary is the absolute path of acta, which the hooks start.
	Binary string
	// Server adds pre-receive, Seal reference-transaction. In a bare repository
	// Server is meant, and the hooks that need a work tree are left out.
	Server, Seal bool
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
// Where husky or lefthook owns the hooks, or will, it says what to add to their files, which are not touched, and the
// error is ErrNotAsked. Installing again changes nothing but what is out of date.
func Install(ctx context.Context, r *repo.Repo, o Options) ([]Action, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	p, err := placeOf(ctx, r)
	if err != nil {
		return nil, err
	}
	if p.everybodys() {
		all := ""
		if p.scope == "global" {
			all = "to have acta in all of them: acta install --global; "
		}
		return nil, &policy.ConfigError{Err: fmt.Errorf(
			"core.hooksPath is %s in git's %s configuration: a hook written there runs in every repository; %sto have it in "+
				"this one alone, without the hooks of that folder: git config core.hooksPath %s, and install again",
			p.value, p.scope, all, quoted(string(p.own)))}
	}
	if err := p.hooksStay(); err != nil {
		return nil, err
	}
	sets := o.added()
	if p.Bare {
		sets = append(sets, Server)
	} else {
		sets = append(sets, Default)
	}
	own := ownerOf(p.Layout)
	if own.name != "" {
		sets = o.added() // what nobody else writes can stand in their folder
	} else {
		own = comingOwner(p.Top)
	}
	var done []Action
	if sets != nil {
		done, err = folder(p.HooksDir).install(scripts(o.Binary, keptBeside, sets...))
	}
	if err != nil || own.name == "" {
		return done, err
	}
	missing := own.missing()
	if missing == nil {
		return append(done, Action{own.dir, own.name + " asks acta"}), nil
	}
	return append(done, missing...), ErrNotAsked
}

// ErrNotAsked says that the files of husky or lefthook lack lines which Install has named.
var ErrNotAsked = errors.New("the files of husky or lefthook do not ask acta at every hook yet")

// Uninstall takes back what Install wrote, wherever it was when it was installed,
// and puts the hooks that were there before back in their place.
func Uninstall(ctx context.Context, r *repo.Repo) ([]Action, error) {
	p, err := placeOf(ctx, r)
	if err != nil {
		return nil, err
	}
	var done []Action
	for _, own := range []owner{ownerOf(p.Layout), comingOwner(p.Top)} {
		if path := own.asks("commit-msg"); path != "" {
			did := "left alone: take the lines that call acta out of " + own.name + "'s files by hand"
			done = append(done, Action{path, did})
			break
		}
	}
	hidden, err := p.takeHidden()
	done = append(done, hidden...)
	if err != nil {
		return done, err
	}
	if p.everybodys() {
		if folder(p.HooksDir).hasOurs() {
			done = append(done, Action{p.HooksDir, "left alone: the hooks of every repository (core.hooksPath in git's " +
				p.scope + " configuration); to take acta's out of it: acta uninstall --global"})
		}
	} else {
		if err := p.hooksStay(); err != nil {
			return done, err
		}
		more, err := folder(p.HooksDir).uninstall()
		done = append(done, more...)
		if err != nil {
			return done, err
		}
	}
	if len(done) == 0 {
		return nil, nil
	}
	left, err := recordsLeft(filepath.Join(p.CommonDir, "acta"))
	return append(done, left...), err
}

// recordsLeft says that the record is still there, which is no hook's to take away, or removes its empty folders.
func recordsLeft(dir string) ([]Action, error) {
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return nil, nil
	}
	if err := removeEmpty(dir); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(dir); err != nil {
		return []Action{{dir, "removed: it was empty"}}, nil
	}
	return []Action{
		{dir, "left there: what acta has recorded (audit log, sessions, runs); delete it by hand if nobody needs it"},
	}, nil
}

// removeEmpty removes a folder in which there are nothing but folders. One that somebody fills meanwhile stays.
func removeEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsDir() {
			return nil
		}
		if err := removeEmpty(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	if entries, err = os.ReadDir(dir); err != nil || len(entries) > 0 {
		return err
	}
	return os.Remove(dir)
}
