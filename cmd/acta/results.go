package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser/shell"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
	"github.com/acta-git/acta/report/results"
)

// reportFiles are the reports that options or the policy name. It implements judge.Reports.
type reportFiles struct {
	command
	call *cli.Context
	repo *repo.Repo
	// citedFiles are files that must not be newer than the policy's reports: those would be about other code.
	citedFiles []string
}

// Read reads the reports. Those that options name, or that the policy requires, must exist.
func (f reportFiles) Read(ctx context.Context, p *policy.Policy, judged evidence.Tree) (*results.Set, error) {
	set, asked := &results.Set{}, &p.Results
	top, err := f.repo.Top(ctx)
	if err != nil {
		return nil, err
	}
	tracked := func(path string) error { return f.checkUntracked(ctx, judged, path) }
	for _, one := range []struct {
		kind     results.Kind
		given    []string
		named    []string
		required bool
	}{
		{results.TestReport, f.call.StringSlice("junit"), asked.JUnit, asked.Require.Test != ""},
		{results.CoverageReport, f.call.StringSlice("coverage"), asked.Coverage, asked.Require.Code != ""},
	} {
		before := len(set.Files)
		for _, pattern := range one.given {
			if err := f.addGiven(set, one.kind, pattern, tracked); err != nil {
				return nil, err
			}
		}
		if len(one.given) > 0 || top == "" {
			continue
		}
		for _, pattern := range one.named {
			err := f.addNamed(set, one.kind, pattern, top, tracked)
			if err != nil && one.required {
				return nil, err
			}
			if err != nil {
				f.warn("%v; the file was not used", err)
			}
		}
		if one.required && len(set.Files) == before {
			return nil, fmt.Errorf("the policy's results.require asks for reports, and no file matches results.%s (%s): "+
				"run the tests so that they write them, or name them with --%s; docs/ci.md has recipes",
				one.kind, strings.Join(one.named, ", "), one.kind)
		}
	}
	if len(set.Files) == 0 {
		return nil, nil
	}
	return set, nil
}

// checkUntracked is the error about a report in the judged tree, nil for other files.
func (f reportFiles) checkUntracked(ctx context.Context, judged evidence.Tree, path string) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	name, isInside, err := f.repo.RelativeToTop(ctx, ".", real)
	if err != nil || !isInside {
		return err
	}
	switch e, err := judged.Stat(ctx, name); {
	case err != nil:
		return err
	case e.Kind != evidence.Missing:
		return fmt.Errorf("%s is in the commits that are judged, so it shows no run: remove it with `git rm --cached %s`, "+
			"have git ignore it, and run the tests", name, shell.Line([]string{name}))
	}
	return nil
}

// matchingFiles are the regular files that match a pattern in a folder; "" is the pattern's own. Matched links are not
// followed; a link, FIFO or device in place of a file is an error.
func matchingFiles(dir, pattern string) ([]string, error) {
	within := filepath.ToSlash(pattern)
	if dir == "" {
		dir, within = doublestar.SplitPattern(within)
	}
	root, err := os.OpenRoot(dir)
	if errors.Is(err, os.ErrNotExist) && doublestar.ValidatePattern(within) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	found := []string{within}
	if _, err := root.Lstat(filepath.FromSlash(within)); err != nil { // not a file name, but a pattern
		if found, err = doublestar.Glob(root.FS(), within, doublestar.WithNoFollow()); err != nil {
			return nil, err
		}
	}
	slices.Sort(found)
	var files []string
	for _, name := range found {
		path := filepath.Join(dir, filepath.FromSlash(name))
		switch info, err := root.Lstat(filepath.FromSlash(name)); {
		case err != nil:
			return nil, err
		case info.Mode().IsRegular():
			files = append(files, path)
		case !info.IsDir():
			return nil, state.NotRegularError("read", path, info.Mode())
		}
	}
	return files, nil
}

func (reportFiles) addGiven(set *results.Set, kind results.Kind, pattern string, tracked func(string) error) error {
	found, err := matchingFiles("", pattern)
	if errors.Is(err, doublestar.ErrBadPattern) {
		return usagef("%q is not a pattern of files: %v", pattern, err)
	}
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("no file matches %q: run the tests so that they write it, or name another; "+
			"docs/ci.md has recipes", pattern)
	}
	for i := 0; err == nil && i < len(found); i++ {
		if err = tracked(found[i]); err == nil {
			err = addFile(set, kind, filepath.ToSlash(found[i]), found[i])
		}
	}
	return err
}

// addNamed adds the files of the policy, relative to the top. Outdated and unreadable ones are errors; the others are
// added anyway.
func (f reportFiles) addNamed(
	set *results.Set, kind results.Kind, pattern, top string, tracked func(string) error,
) error {
	newest, at := newestFile(top, f.citedFiles)
	found, failed := matchingFiles(top, pattern)
	for _, path := range found {
		name := filepath.ToSlash(strings.TrimPrefix(path[len(top):], string(filepath.Separator)))
		err := tracked(path)
		if info, _ := os.Lstat(path); err == nil && info != nil && info.ModTime().Before(newest) {
			err = fmt.Errorf("%s is older than %s, which is cited, so it is about other code: run the tests again", name, at)
		}
		if err == nil {
			err = addFile(set, kind, name, path)
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

func newestFile(top string, files []string) (newest time.Time, name string) {
	for _, f := range files {
		info, err := os.Lstat(filepath.Join(top, filepath.FromSlash(f)))
		if err == nil && info.ModTime().After(newest) {
			newest, name = info.ModTime(), f
		}
	}
	return newest, name
}

func addFile(set *results.Set, kind results.Kind, name, path string) error {
	if slices.ContainsFunc(set.Files, func(f report.ResultFile) bool { return f.Kind == string(kind) && f.Path == name }) {
		return nil
	}
	data, err := state.ReadFileUpTo(path, results.MaxFileBytes)
	if err != nil {
		return err
	}
	return set.Add(kind, name, data)
}
