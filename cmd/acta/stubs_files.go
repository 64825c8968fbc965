package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

type sourceFile struct {
	path string // for output, with forward slashes
	read content
	// before is the version whose functions do not count, at beforePath; nil: all count.
	before     content
	beforePath string
}

// content reads a version of a file; nil bytes if the file is gone.
type content func(context.Context) ([]byte, error)

// onDisk is a file of the work tree, empty unless it is a regular file; name is for errors.
func onDisk(name, file string) content {
	return func(context.Context) ([]byte, error) {
		info, err := os.Lstat(file)
		switch {
		case errors.Is(err, os.ErrNotExist) || err == nil && !info.Mode().IsRegular():
			return nil, nil
		case err != nil:
			return nil, err
		case info.Size() > maxFileSize:
			return nil, tooLarge(name)
		}
		return state.ReadFile(file)
	}
}

// stored is a blob; "" is none.
func stored(from *repo.Snapshot, path string, id repo.ID) content {
	return func(ctx context.Context) ([]byte, error) {
		if id == "" {
			return nil, nil
		}
		switch size, err := from.Size(ctx, id); {
		case err != nil:
			return nil, err
		case size > maxFileSize:
			return nil, tooLarge(path)
		}
		return from.Blob(ctx, id)
	}
}

type selection struct {
	files  []sourceFile
	errors []error // of unreadable folders
	repo   *repo.Repo
	seen   map[string]bool
	// The changes, below top, and their snapshot, nil for the work tree.
	changes []repo.Change
	after   *repo.Snapshot
	top     string
}

// find finds the named files, and those in named folders; for a change, those that it changes.
func (s *selection) find(ctx context.Context, paths []string, o stubsOptions) error {
	if o.isChange() {
		if err := s.compare(ctx, o); err != nil {
			return err
		}
	}
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return cannotRead(p, err)
		}
		place, err := filepath.Abs(p)
		if err == nil {
			place, err = filepath.EvalSymlinks(place)
		}
		switch {
		case err != nil:
		case o.isChange():
			err = s.addChanged(p, place)
		case info.IsDir():
			err = s.addFolder(ctx, p, place)
		case evidence.LanguageOf(filepath.ToSlash(p)) == "":
			err = usagef("%s: %w", p, evidence.ErrNoLanguage)
		default:
			s.add(sourceFile{path: filepath.ToSlash(p), read: onDisk(p, place)})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *selection) add(f sourceFile) {
	if clean := path.Clean(f.path); !s.seen[clean] {
		s.seen[clean] = true
		s.files = append(s.files, f)
	}
}

func (s *selection) addFolder(ctx context.Context, name, folder string) error {
	r, err := repo.Open(ctx, folder, repo.Options{Env: repo.ForeignEnv(nil)})
	if err != nil {
		return err
	}
	defer r.Close()
	listing, err := r.WorkFiles(ctx)
	if err != nil && !errors.Is(err, repo.ErrNotRepository) {
		return err
	}
	s.errors = append(s.errors, report.Map(listing.Complaints, errors.New)...)
	paths := listing.Paths
	if len(paths) == 0 { // no repository, or an ignored folder: read it anyway
		paths = s.walk(folder)
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return !evidence.HasDefinitions(p) })
	slices.SortFunc(paths, walkOrder)
	for _, p := range paths {
		printed := path.Join(filepath.ToSlash(name), p)
		s.add(sourceFile{path: printed, read: onDisk(printed, filepath.Join(folder, p))})
	}
	return nil
}

func walkOrder(a, b string) int { return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/")) }

// walk lists the files below a folder, relative to it. Links are not followed.
func (s *selection) walk(folder string) []string {
	var names []string
	_ = filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			s.errors = append(s.errors, err)
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.Type().IsRegular():
			names = append(names, filepath.ToSlash(strings.TrimPrefix(file[len(folder):], string(filepath.Separator))))
		}
		return nil
	})
	return names
}

func (s *selection) compare(ctx context.Context, o stubsOptions) (err error) {
	if s.top, err = s.repo.Top(ctx); err == nil && s.top == "" {
		err = usagef("there is no work tree here: run it in one, without --diff and --staged, or name a folder")
	}
	if err != nil {
		return err
	}
	base, err := s.base(ctx, o.base)
	if err != nil {
		return err
	}
	if o.staged {
		var tree repo.ID
		if tree, err = s.repo.IndexTree(ctx); err == nil {
			s.after = s.repo.Snapshot(tree)
			s.changes, err = s.repo.Changes(ctx, base, tree, repo.DiffOptions{Renames: true})
		}
	} else {
		s.changes, err = s.repo.WorkChanges(ctx, base, evidence.HasDefinitions)
	}
	slices.SortFunc(s.changes, func(a, b repo.Change) int { return walkOrder(a.Path, b.Path) })
	return err
}

// base is the commit to compare with: the merge base with HEAD, so that later work on the given commit does not count,
// or the commit itself without one. It is "" before the first commit.
func (s *selection) base(ctx context.Context, rev string) (repo.ID, error) {
	c, err := s.repo.Commit(ctx, cmp.Or(rev, "HEAD"))
	switch {
	case rev == "" && errors.Is(err, repo.ErrUnborn):
		return "", nil
	case rev != "" && errors.Is(err, repo.ErrNotFound):
		return "", usagef("--diff: %w", err)
	case err != nil || rev == "":
		return c.ID, err
	}
	mergeBase, err := s.repo.MergeBase(ctx, rev, "HEAD")
	if errors.Is(err, repo.ErrNotFound) || errors.Is(err, repo.ErrUnborn) {
		return c.ID, nil
	}
	return mergeBase, err
}

func (s *selection) addChanged(name, place string) error {
	folder, err := filepath.Rel(s.top, place)
	if err != nil || !filepath.IsLocal(folder) {
		return usagef("%s lies outside of the repository at %s", name, s.top)
	}
	folder = strings.TrimPrefix(filepath.ToSlash(folder)+"/", "./")
	for _, c := range s.changes {
		rest, isBelow := strings.CutPrefix(c.Path+"/", folder)
		if !isBelow || !strings.HasPrefix(c.NewMode, "100") || !evidence.HasDefinitions(c.Path) ||
			c.OldID == c.NewID && c.OldPath == "" {
			continue
		}
		f := sourceFile{
			path: path.Join(filepath.ToSlash(name), rest), beforePath: cmp.Or(c.OldPath, c.Path),
			read: onDisk(c.Path, filepath.Join(s.top, filepath.FromSlash(c.Path))),
		}
		if s.after != nil {
			f.read = stored(s.after, c.Path, c.NewID)
		}
		if !strings.HasPrefix(c.OldMode, "100") {
			c.OldID = ""
		}
		f.before = stored(s.repo.Snapshot(""), f.beforePath, c.OldID)
		s.add(f)
	}
	return nil
}

const maxFileSize = 2 << 20

func tooLarge(path string) error {
	return fmt.Errorf("%s: it is larger than %d bytes", path, maxFileSize)
}
