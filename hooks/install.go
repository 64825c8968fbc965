package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
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
	if p.IsBare {
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
var ErrNotAsked = errors.New("the files of husky or lefthook do not call acta at every hook yet")

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
	return repo.CheckInside(p.Top, filepath.ToSlash(filepath.Join(rel, keptDir)))
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

// isStray reports whether a file is a temporary one of install's: a dot, the name that it would have got, and a
// number.
func isStray(name string) bool {
	base := strings.TrimRight(name, "0123456789")
	if base == name || !strings.HasPrefix(base, ".") {
		return false
	}
	_, point := pointNamed(base[1:])
	return point || slices.Contains(otherHooks[:], base[1:])
}

// removeStrays removes the temporary files that a killed installation has left in the folder, and the links to them in
// keptDir. Whoever calls it holds the lock, or takes away what another is writing.
func (d folder) removeStrays() error {
	for _, dir := range []string{string(d), d.path(keptDir)} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // no folder, no strays; who needs it says what is wrong with it
		}
		for _, e := range entries {
			if !isStray(e.Name()) || e.IsDir() {
				continue
			}
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// lock keeps other installations out of the folder until the function that it returns is called.
// Where a folder cannot be locked nothing does: two at once are rare, and each can be called again.
func (d folder) lock() (unlock func()) {
	if runtime.GOOS == "windows" { // opens no folder
		return func() {}
	}
	l := flock.New(string(d), flock.SetFlag(os.O_RDONLY))
	if err := l.Lock(); err != nil {
		return func() {}
	}
	return func() { _ = l.Unlock() }
}
