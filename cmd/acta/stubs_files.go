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
)

// sourceFile is a file whose functions are asked for.
type sourceFile struct {
	path string // as it is printed, with forward slashes
	content
	// before is the version whose functions do not count; nil: all of them count.
	before *storedFile
}

// content is where a file is read from; nil bytes where there is no file any more.
type content interface {
	read(context.Context) ([]byte, error)
}

// diskFile is a file of the work tree. What is no regular file any more holds nothing.
type diskFile struct {
	named string // as errors call it
	file  string
}

func (d diskFile) read(context.Context) ([]byte, error) {
	info, err := os.Lstat(d.file)
	switch {
	case errors.Is(err, os.ErrNotExist) || err == nil && !info.Mode().IsRegular():
		return nil, nil
	case err == nil && info.Size() > largestRead:
		err = tooLarge(d.named)
	}
	if err != nil {
		return nil, err
	}
	return state.ReadFile(d.file)
}

// storedFile is one that git holds; what is no file there has no id, and holds nothing.
type storedFile struct {
	from *repo.Snapshot
	path string
	id   repo.ID
}

func (s *storedFile) read(ctx context.Context) ([]byte, error) {
	if s.id == "" {
		return nil, nil
	}
	size, err := s.from.Size(ctx, s.id)
	if err == nil && size > largestRead {
		err = tooLarge(s.path)
	}
	if err != nil {
		return nil, err
	}
	return s.from.Blob(ctx, s.id)
}

// selection is the files that a command line means.
type selection struct {
	files  []sourceFile
	unread []error // folders that could not be listed
	repo   *repo.Repo
	seen   map[string]bool
	// What differs, below top, and the snapshot that it is read from, nil for the work tree.
	changes []repo.Change
	after   *repo.Snapshot
	top     string
}

func (s *selection) close() {
	if s.repo != nil {
		s.repo.Close()
	}
}

// find finds the files that are named, and those below the folders that are; of a change, those that it changes.
func (s *selection) find(ctx context.Context, paths []string, o stubsOptions) error {
	if o.adds() {
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
		case o.adds():
			err = s.addChanged(p, place)
		case info.IsDir():
			err = s.addFolder(ctx, p, place)
		case evidence.LanguageOf(filepath.ToSlash(p)) == "":
			err = usagef("%s: %w", p, evidence.ErrNoLanguage)
		default:
			s.add(sourceFile{path: filepath.ToSlash(p), content: diskFile{p, place}})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add adds a file, once.
func (s *selection) add(f sourceFile) {
	if clean := path.Clean(f.path); !s.seen[clean] {
		s.seen[clean] = true
		s.files = append(s.files, f)
	}
}

// addFolder adds the files below a folder that are looked at, in the order of a walk.
func (s *selection) addFolder(ctx context.Context, given, folder string) error {
	r, err := repo.Open(ctx, folder, repo.Options{Env: repo.ForeignEnv(nil)})
	if err != nil {
		return err
	}
	defer r.Close()
	listed, err := r.WorkFiles(ctx)
	if err != nil && !errors.Is(err, repo.ErrNotRepository) {
		return err
	}
	for _, complaint := range listed.Complaints {
		s.unread = append(s.unread, errors.New(complaint))
	}
	paths := listed.Paths
	if len(paths) == 0 { // no repository, or a folder that git ignores: what is named is read
		paths = s.walk(folder)
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return !evidence.HasDefinitions(p) })
	slices.SortFunc(paths, walkOrder)
	for _, name := range paths {
		printed := path.Join(filepath.ToSlash(given), name)
		s.add(sourceFile{path: printed, content: diskFile{printed, filepath.Join(folder, name)}})
	}
	return nil
}

// walkOrder compares paths as a walk meets them: folder by folder, names by byte.
func walkOrder(a, b string) int { return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/")) }

// walk lists the files below a folder, relative to it. Links are not followed.
func (s *selection) walk(folder string) []string {
	var names []string
	_ = filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			s.unread = append(s.unread, err)
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.Type().IsRegular():
			names = append(names, filepath.ToSlash(strings.TrimPrefix(file[len(folder):], string(filepath.Separator))))
		}
		return nil
	})
	return names
}

// compare finds the files that differ between a commit and the work tree, or the index.
func (s *selection) compare(ctx context.Context, o stubsOptions) (err error) {
	if s.repo, err = repo.Open(ctx, ".", repo.Options{}); err != nil {
		return err
	}
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

// base is the commit to compare with: that where HEAD left the one that is given, so that what was written there since
// counts for nothing, or that one where they have none in common. It is "" before the first commit.
func (s *selection) base(ctx context.Context, given string) (repo.ID, error) {
	c, err := s.repo.Commit(ctx, cmp.Or(given, "HEAD"))
	switch {
	case given == "" && errors.Is(err, repo.ErrUnborn):
		return "", nil
	case given != "" && errors.Is(err, repo.ErrNotFound):
		return "", usagef("--diff: %w", err)
	case err != nil || given == "":
		return c.ID, err
	}
	left, err := s.repo.MergeBase(ctx, given, "HEAD")
	if errors.Is(err, repo.ErrNotFound) || errors.Is(err, repo.ErrUnborn) {
		return c.ID, nil
	}
	return left, err
}

// addChanged adds the files at or below a path that the change leaves another than they were.
func (s *selection) addChanged(given, place string) error {
	in, err := filepath.Rel(s.top, place)
	if err != nil || !filepath.IsLocal(in) {
		return usagef("%s lies outside of the repository at %s", given, s.top)
	}
	in = strings.TrimPrefix(filepath.ToSlash(in)+"/", "./")
	for _, c := range s.changes {
		rest, isBelow := strings.CutPrefix(c.Path+"/", in)
		if !isBelow || !strings.HasPrefix(c.NewMode, "100") || !evidence.HasDefinitions(c.Path) ||
			c.OldID == c.NewID && c.OldPath == "" {
			continue
		}
		f := sourceFile{
			path: filepath.ToSlash(given), content: diskFile{c.Path, filepath.Join(s.top, filepath.FromSlash(c.Path))},
			before: &storedFile{from: s.repo.Snapshot(""), path: cmp.Or(c.OldPath, c.Path)},
		}
		if rest != "" {
			f.path = path.Join(f.path, rest)
		}
		if s.after != nil {
			f.content = &storedFile{s.after, c.Path, c.NewID}
		}
		if strings.HasPrefix(c.OldMode, "100") {
			f.before.id = c.OldID
		}
		s.add(f)
	}
	return nil
}

// largestRead is how large a file may be.
const largestRead = 2 << 20

// tooLarge is the error of a file that is larger than acta reads.
func tooLarge(path string) error {
	return fmt.Errorf("%s: it is larger than %d bytes", path, largestRead)
}
