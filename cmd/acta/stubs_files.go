package main

import (
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

// sourceFile is a file whose functions are asked for.
type sourceFile struct {
	path string // as it is printed, with forward slashes
	// read returns its content, nil where there is no file any more.
	read func(context.Context) ([]byte, error)
	// before returns the version whose functions do not count; nil: all of them count.
	before func(context.Context) (evidence.Source, error)
}

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

// lookAt finds the paths of the command line. A file that no grammar reads cannot be asked about. Whoever asks what a
// change adds may name all changed files, as the pre-commit framework does: one that no grammar reads, or that the
// change takes away, adds nothing.
func lookAt(paths []string, adds bool) ([]argument, error) {
	var all []argument
	for _, p := range paths {
		info, err := os.Stat(p)
		gone := errors.Is(err, fs.ErrNotExist) && adds
		if _, linked := os.Readlink(p); gone && linked == nil {
			continue // a link to nowhere
		}
		if err != nil && !gone {
			return nil, cannotRead(p, err)
		}
		isDir := !gone && info.IsDir()
		if !gone && !isDir && evidence.LanguageOf(filepath.ToSlash(p)) == "" {
			if adds {
				continue
			}
			return nil, usagef("%s: %w", p, evidence.ErrNoLanguage)
		}
		place, err := locate(p)
		if err != nil {
			return nil, usageError{err}
		}
		all = append(all, argument{p, place, isDir, gone})
	}
	return all, nil
}

// locate follows the links of a path, as far as it is there.
func locate(p string) (string, error) {
	abs, err := filepath.Abs(p)
	below := ""
	for at := abs; err == nil; at = filepath.Dir(at) {
		place, err := filepath.EvalSymlinks(at)
		if !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			return filepath.Join(place, below), err
		}
		below = filepath.Join(filepath.Base(at), below)
	}
	return "", err
}

// selectFiles finds the files that are named, and those below the folders that are; of a change, those that it changes.
func selectFiles(ctx context.Context, paths []string, o stubsOptions) (*selection, error) {
	arguments, err := lookAt(paths, o.adds())
	if err != nil {
		return nil, err
	}
	s := &selection{seen: map[string]bool{}}
	if o.adds() {
		if s.repo, err = repo.Open(ctx, ".", repo.Options{}); err == nil {
			err = s.addChanges(ctx, arguments, o)
		}
	} else {
		err = s.addFiles(ctx, arguments)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *selection) addFiles(ctx context.Context, arguments []argument) error {
	for _, a := range arguments {
		below := []string{""}
		if a.isDir {
			var err error
			if below, err = s.below(ctx, a.place); err != nil {
				return err
			}
		}
		for _, name := range below {
			printed := filepath.ToSlash(a.given)
			if name != "" {
				printed = path.Join(printed, name)
			}
			s.add(sourceFile{path: printed, read: onDisk(printed, filepath.Join(a.place, name))})
		}
	}
	return nil
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
		if ignored, err := r.Ignored(ctx); err != nil || ignored {
			return s.walk(folder), err
		}
	}
	paths := slices.DeleteFunc(listed.Paths, func(p string) bool { return !evidence.HasDefinitions(p) })
	generated, err := r.Generated(ctx, paths)
	if err != nil {
		return nil, err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return generated[p] })
	slices.SortFunc(paths, walkOrder)
	return paths, nil
}

// walkOrder compares paths as a walk meets them: folder by folder, names by byte.
func walkOrder(a, b string) int { return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/")) }

// walk lists the files below a folder that lies in no repository. Links are not followed.
func (s *selection) walk(folder string) []string {
	var names []string
	_ = filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			s.unread = append(s.unread, err)
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.Type().IsRegular() && evidence.HasDefinitions(filepath.ToSlash(file)):
			names = append(names, strings.TrimPrefix(file[len(folder):], string(filepath.Separator)))
		}
		return nil
	})
	return names
}
