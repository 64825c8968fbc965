package hooks

import (
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
)

// Options of an installation.
type Options struct {
	// Binary is the absolute path of acta, for the scripts.
	Binary string
	// Server adds pre-receive, Seal reference-transaction. A bare repository always gets Server, and no hooks that need
	// a work tree.
	Server, Seal bool
}

func (o Options) check() error {
	if !filepath.IsAbs(o.Binary) {
		return fmt.Errorf("the path of the executable must be absolute, not %q", o.Binary)
	}
	return nil
}

func (o Options) extraSets() []Set {
	var sets []Set
	if o.Server {
		sets = append(sets, Server)
	}
	if o.Seal {
		sets = append(sets, Seal)
	}
	return sets
}

// Install writes the hooks where git looks for them. An existing hook, such as the pre-commit framework's, is saved and
// runs first, with its arguments, environment and standard input; its exit code counts as before. If husky or lefthook
// owns the hooks, or will, the actions say what to add to its files, and the error is ErrNotCalled. Installing again
// changes only what is out of date.
func Install(ctx context.Context, r *repo.Repo, o Options) ([]Action, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	p, err := findPlace(ctx, r)
	if err != nil {
		return nil, err
	}
	if p.isShared() {
		all := ""
		if p.scope == "global" {
			all = "to have acta in all of them: acta install --global; "
		}
		return nil, &policy.ConfigError{Err: fmt.Errorf(
			"core.hooksPath is %s in git's %s configuration: a hook written there runs in every repository; %sto have it only "+
				"in this one, without the hooks of that folder: git config core.hooksPath %s, and install again",
			p.value, p.scope, all, quoted(string(p.ownFolder)))}
	}
	if err := p.checkInside(); err != nil {
		return nil, err
	}
	sets := o.extraSets()
	if p.IsBare {
		sets = append(sets, Server)
	} else {
		sets = append(sets, Default)
	}
	own := ownerOf(p.Layout)
	if own.name != "" {
		sets = o.extraSets() // hooks that the owner does not write
	} else {
		own = futureOwner(p.Top)
	}
	var done []Action
	if sets != nil {
		done, err = folder(p.HooksDir).install(scripts(o.Binary, savedBeside, sets...))
	}
	if err != nil || own.name == "" {
		return done, err
	}
	missing := own.missing()
	if missing == nil {
		return append(done, Action{own.dir, own.name + " asks acta"}), nil
	}
	return append(done, missing...), ErrNotCalled
}

// ErrNotCalled means that the files of husky or lefthook lack lines, which Install has named.
var ErrNotCalled = errors.New("the files of husky or lefthook do not call acta at every hook yet")

// Uninstall removes what Install wrote, wherever it is now, and restores the hooks that were there before.
func Uninstall(ctx context.Context, r *repo.Repo) ([]Action, error) {
	p, err := findPlace(ctx, r)
	if err != nil {
		return nil, err
	}
	var done []Action
	for _, own := range []owner{ownerOf(p.Layout), futureOwner(p.Top)} {
		for _, h := range Points() {
			left := Action{own.callingFile(h.Name), "left alone: take the lines that call acta out of it by hand"}
			if left.Path != "" && !slices.Contains(done, left) {
				done = append(done, left)
			}
		}
	}
	if p.isHidden() && p.ownFolder.hasOurs() {
		if done, err = p.ownFolder.uninstall(done); err != nil {
			return done, err
		}
	}
	if p.isShared() {
		if folder(p.HooksDir).hasOurs() {
			done = append(done, Action{p.HooksDir, "left alone: the hooks of every repository (core.hooksPath in git's " +
				p.scope + " configuration); to take acta's out of it: acta uninstall --global"})
		}
	} else {
		if err := p.checkInside(); err != nil {
			return done, err
		}
		if done, err = folder(p.HooksDir).uninstall(done); err != nil {
			return done, err
		}
	}
	if len(done) == 0 {
		return nil, nil
	}
	left, err := removeRecords(filepath.Join(p.CommonDir, "acta"))
	return append(done, left...), err
}

// removeRecords removes the empty folders of acta's records; other records stay, and the action says so.
func removeRecords(dir string) ([]Action, error) {
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return nil, nil
	}
	var folders []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			folders = append(folders, path)
		}
		return nil
	})
	for _, folder := range slices.Backward(folders) {
		_ = os.Remove(folder) // a folder with a file stays
	}
	if _, err := os.Lstat(dir); err != nil {
		return []Action{{dir, "removed: it was empty"}}, nil
	}
	return []Action{
		{dir, "left there: what acta has recorded (audit log, sessions, runs); delete it by hand if nobody needs it"},
	}, nil
}

type hooksPlace struct {
	repo.Layout
	// ownFolder is the repository's own hooks folder, which core.hooksPath may replace.
	ownFolder folder
	// scope is the configuration that sets core.hooksPath ("local", "global" …; "" for none), and value its value.
	scope, value string
}

func findPlace(ctx context.Context, r *repo.Repo) (hooksPlace, error) {
	g, err := r.Layout(ctx)
	if err != nil {
		return hooksPlace{}, err
	}
	p := hooksPlace{Layout: g, ownFolder: folder(filepath.Join(g.CommonDir, "hooks"))}
	if isGlobal(g.HooksDir) {
		// The hooks of a global installation run the repository's own too.
		p.HooksDir = string(p.ownFolder)
		return p, nil
	}
	if p.isHidden() {
		p.scope, p.value, _ = strings.Cut(config(ctx, g, nil, "--show-scope", "--type=path", "--get", keyHooksPath), "\t")
	}
	return p, nil
}

func (p hooksPlace) isHidden() bool {
	return filepath.Clean(p.HooksDir) != filepath.Clean(string(p.ownFolder))
}

// checkInside refuses a folder of the work tree, such as .githooks, that a link leads out of it: a clone may bring
// links. The git directory's own folder was made on this machine.
func (p hooksPlace) checkInside() error {
	rel := p.value // git resolves links in HooksDir
	if filepath.IsAbs(rel) {
		rel, _ = filepath.Rel(p.Top, rel)
	}
	if p.Top == "" || !filepath.IsLocal(rel) { // "" is not local
		return nil
	}
	return repo.CheckInside(p.Top, filepath.ToSlash(filepath.Join(rel, savedDir)))
}

// isShared reports whether the folder serves every repository. A relative path names a folder of each work tree.
func (p hooksPlace) isShared() bool {
	return (p.scope == "global" || p.scope == "system") && filepath.IsAbs(p.value)
}

func isGlobal(dir string) bool { return contains(folder(dir).path("commit-msg"), globalMarkerLine) }

// isStray reports whether a file is a temporary one of install: a dot, a hook's name, and a number.
func isStray(name string) bool {
	base := strings.TrimRight(name, "0123456789")
	if base == name || !strings.HasPrefix(base, ".") {
		return false
	}
	_, point := pointNamed(base[1:])
	return point || slices.Contains(otherHooks[:], base[1:])
}

// removeStrays removes a killed installation's temporary files, and links to them. The caller holds the lock.
func (d folder) removeStrays() error {
	for _, dir := range []string{string(d), d.path(savedDir)} {
		entries, _ := os.ReadDir(dir) // no folder, no strays; other errors show later
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

// lock keeps other installations out of the folder until unlock is called. If the folder cannot be locked, nothing
// does: two at once are rare, and can be repeated.
func (d folder) lock() (unlock func()) {
	if runtime.GOOS == "windows" { // cannot open folders
		return func() {}
	}
	l := flock.New(string(d), flock.SetFlag(os.O_RDONLY))
	if err := l.Lock(); err != nil {
		return func() {}
	}
	return func() { _ = l.Unlock() }
}
