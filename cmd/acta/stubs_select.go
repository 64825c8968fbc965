package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/repo"
)

// selection is the files that a command line means.
type selection struct {
	files  []sourceFile
	unread []error // folders that could not be listed
	repo   *repo.Repo
	seen   map[string]bool
}

func (s *selection) close() {
	if s.repo != nil {
		s.repo.Close()
	}
}

// add adds a file, once.
func (s *selection) add(f sourceFile) {
	if clean := path.Clean(f.path); !s.seen[clean] {
		s.seen[clean] = true
		s.files = append(s.files, f)
	}
}

// argument is a path of the command line.
type argument struct {
	given string // as it was written
	place string // absolute, links followed
	isDir bool
	gone  bool // nothing is there now
}

// lookAt finds the paths of the command line. A file that no grammar reads cannot be asked about.
func lookAt(paths []string) ([]argument, error) {
	var all []argument
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, cannotRead(p, err)
		}
		if !info.IsDir() && evidence.LanguageOf(filepath.ToSlash(p)) == "" {
			return nil, usagef("%s: %w", p, evidence.ErrNoLanguage)
		}
		a, err := locate(p)
		if err != nil {
			return nil, usageError{err}
		}
		a.isDir = info.IsDir()
		all = append(all, a)
	}
	return all, nil
}

// lookAtChanges finds the paths of a command line that asks what a change adds. Whoever has a list of changed files, as
// the pre-commit framework has, names all of them: one that no grammar reads, or that the change takes away, adds
// nothing.
func lookAtChanges(paths []string) ([]argument, error) {
	var all []argument
	for _, p := range paths {
		info, err := os.Lstat(p)
		gone := errors.Is(err, fs.ErrNotExist)
		if err != nil && !gone {
			return nil, usageError{err}
		}
		if !gone && info.Mode()&fs.ModeSymlink != 0 {
			if info, err = os.Stat(p); err != nil {
				continue // a link to nowhere
			}
		}
		if !gone && !info.IsDir() && evidence.LanguageOf(filepath.ToSlash(p)) == "" {
			continue
		}
		a, err := locate(p)
		if err != nil {
			return nil, usageError{err}
		}
		a.gone = gone
		all = append(all, a)
	}
	return all, nil
}

// locate follows the links of a path, as far as it is there.
func locate(p string) (argument, error) {
	abs, err := filepath.Abs(p)
	if err != nil {
		return argument{}, err
	}
	below := ""
	for at := abs; ; at = filepath.Dir(at) {
		place, err := filepath.EvalSymlinks(at)
		if err == nil {
			return argument{given: p, place: filepath.Join(place, below)}, nil
		}
		if !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			return argument{}, err
		}
		below = filepath.Join(filepath.Base(at), below)
	}
}

// selectFiles finds the files that are named, and those below the folders that are.
func selectFiles(ctx context.Context, paths []string, _ stubsOptions) (*selection, error) {
	arguments, err := lookAt(paths)
	if err != nil {
		return nil, err
	}
	s := &selection{seen: map[string]bool{}}
	for _, a := range arguments {
		if !a.isDir {
			s.add(sourceFile{path: filepath.ToSlash(a.given), read: onDisk(a.given, a.place)})
			continue
		}
		below, err := s.below(ctx, a.place)
		if err != nil {
			return nil, err
		}
		for _, name := range below {
			printed := filepath.ToSlash(filepath.Join(a.given, name))
			s.add(sourceFile{path: printed, read: onDisk(printed, filepath.Join(a.place, name))})
		}
	}
	return s, nil
}

// below lists the files below a folder that are looked at, relative to it, in the order of a walk.
func (s *selection) below(ctx context.Context, folder string) ([]string, error) {
	r, err := repo.Open(ctx, folder, repo.Options{Env: repo.ForeignEnv(nil)})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	listed, err := r.WorkFiles(ctx)
	if errors.Is(err, repo.ErrNotRepository) {
		return s.walk(folder), nil
	}
	if err != nil {
		return nil, err
	}
	for _, complaint := range listed.Complaints {
		s.unread = append(s.unread, errors.New(complaint))
	}
	if len(listed.Paths) == 0 { // a folder that was named is read, ignored or not
		ignored, err := r.Ignored(ctx)
		if err != nil {
			return nil, err
		}
		if ignored {
			return s.walk(folder), nil
		}
	}
	return written(ctx, r, listed.Paths)
}

// written keeps the paths that a grammar reads and no program wrote, in the order of a walk.
func written(ctx context.Context, r *repo.Repo, paths []string) ([]string, error) {
	paths = slices.DeleteFunc(paths, func(p string) bool { return !evidence.HasDefinitions(p) })
	generated, err := r.Generated(ctx, paths)
	if err != nil {
		return nil, err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return generated[p] })
	slices.SortFunc(paths, walkOrder)
	return paths, nil
}

// walkOrder compares paths as a walk meets them: folder by folder, names by byte.
func walkOrder(a, b string) int {
	for i := range min(len(a), len(b)) {
		switch x, y := a[i], b[i]; {
		case x == y:
		case x == '/':
			return -1
		case y == '/':
			return 1
		default:
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(len(a), len(b))
}

// walk lists the files below a folder that lies in no repository. Links are not followed.
func (s *selection) walk(folder string) []string {
	var names []string
	_ = filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			s.unread = append(s.unread, err)
			return nil
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case !d.Type().IsRegular() || !evidence.HasDefinitions(filepath.ToSlash(file)):
			return nil
		}
		name, err := filepath.Rel(folder, file)
		if err != nil {
			s.unread = append(s.unread, err)
			return nil
		}
		names = append(names, name)
		return nil
	})
	return names
}

// top is the top folder of the work tree, links followed.
func (s *selection) top(ctx context.Context) (string, error) {
	g, err := s.repo.Layout(ctx)
	if err != nil {
		return "", err
	}
	if g.Top == "" {
		return "", usagef("there is no work tree here: run it in one, without --diff and --staged, or name a folder")
	}
	return filepath.EvalSymlinks(g.Top)
}

// under returns the path below a folder; ok is false when it lies elsewhere, and
// the rest "" when the folder is the path itself.
func under(name, folder string) (rest string, ok bool) {
	if folder == "." {
		return name, true
	}
	if name == folder {
		return "", true
	}
	return strings.CutPrefix(name, folder+"/")
}
