package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/results"
)

// resultOptions name reports of results.
type resultOptions struct{ junit, coverage cli.StringSlice }

func (o *resultOptions) flags() []cli.Flag {
	return []cli.Flag{
		listFlag(&o.junit, "junit", "hold the reports of tests that `GLOB` matches against claims: JUnit XML, go test -json"),
		listFlag(&o.coverage, "coverage", "`FILE` or pattern of coverage: LCOV, Cobertura, Go's profile"),
	}
}

// reportFiles are the reports that options or the policy name. It is a judge.Reports.
type reportFiles struct {
	command
	options *resultOptions
	repo    *repo.Repo
	// after are files that a report which the policy names must not be older than: it would be of other code.
	after []string
}

// Read reads them. What options name must be there, and what the policy requires.
func (f reportFiles) Read(ctx context.Context, p *policy.Policy) (*results.Set, error) {
	set, asked := &results.Set{}, &p.Results
	for _, one := range []struct {
		kind     results.Kind
		given    []string
		named    []string
		required bool
	}{
		{results.OfTests, f.options.junit.Value(), asked.JUnit, asked.RequireTest != ""},
		{results.OfCoverage, f.options.coverage.Value(), asked.Coverage, asked.RequireCode != ""},
	} {
		before := len(set.Files)
		if err := f.given(set, one.kind, one.given); err != nil {
			return nil, err
		}
		if len(one.given) > 0 {
			continue
		}
		if err := f.named(ctx, set, one.kind, one.named, one.required); err != nil {
			return nil, err
		}
		if one.required && len(set.Files) == before {
			return nil, fmt.Errorf("the policy's results.require asks for reports, and no file matches results.%s (%s): "+
				"run the tests so that they write them, or name them with --%s; docs/results.md has recipes",
				one.kind, strings.Join(one.named, ", "), one.kind)
		}
	}
	if len(set.Files) == 0 {
		return nil, nil
	}
	return set, nil
}

// given adds the files that the options name, from the working directory on.
func (f reportFiles) given(set *results.Set, kind results.Kind, patterns []string) error {
	for _, pattern := range patterns {
		found, err := doublestar.FilepathGlob(pattern, doublestar.WithFilesOnly())
		if err != nil {
			return usagef("%q is not a pattern of files: %v", pattern, err)
		}
		if len(found) == 0 {
			return fmt.Errorf("no file matches %q: run the tests so that they write it, or name another; "+
				"docs/results.md has recipes", pattern)
		}
		slices.Sort(found)
		for _, name := range found {
			if err := addFile(set, kind, filepath.ToSlash(name), name); err != nil {
				return err
			}
		}
	}
	return nil
}

// named adds the files that the policy names, from the top of the repository on. One that cannot be read, or is older
// than what is judged, is an error where the policy requires such, and else a warning.
func (f reportFiles) named(
	ctx context.Context, set *results.Set, kind results.Kind, patterns []string, required bool,
) error {
	if len(patterns) == 0 {
		return nil
	}
	top, err := f.repo.Top(ctx)
	if err != nil || top == "" {
		return err
	}
	newest, at := newestOf(top, f.after)
	for _, pattern := range patterns {
		found, err := doublestar.Glob(os.DirFS(top), pattern, doublestar.WithFilesOnly(), doublestar.WithNoFollow())
		if err != nil {
			return err
		}
		slices.Sort(found)
		for _, name := range found {
			path := filepath.Join(top, filepath.FromSlash(name))
			info, err := os.Lstat(path)
			switch {
			case err != nil || !info.Mode().IsRegular():
				continue // a link leads out of what is judged
			case info.ModTime().Before(newest):
				err = fmt.Errorf("%s is older than %s, which is cited, so it is about other code: run the tests again", name, at)
			default:
				err = addFile(set, kind, name, path)
			}
			if err != nil && required {
				return err
			}
			if err != nil {
				f.warn("%v; the file was not used", err)
			}
		}
	}
	return nil
}

// newestOf is when the newest of some files was changed, and which one that is.
func newestOf(top string, files []string) (newest time.Time, name string) {
	for _, f := range files {
		info, err := os.Lstat(filepath.Join(top, filepath.FromSlash(f)))
		if err == nil && info.ModTime().After(newest) {
			newest, name = info.ModTime(), f
		}
	}
	return newest, name
}

// addFile adds one file to the others, once.
func addFile(set *results.Set, kind results.Kind, name, path string) error {
	if slices.ContainsFunc(set.Files, func(f diag.ResultFile) bool { return f.Kind == string(kind) && f.Path == name }) {
		return nil
	}
	data, err := readReport(name, path)
	if err != nil {
		return err
	}
	return set.Add(kind, name, data)
}

// readReport reads one report; name is how a message has it. What is too large is not read at all.
func readReport(name, path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > results.MaxFileBytes {
		return nil, &results.Error{Name: name, Message: fmt.Sprintf("it has %d bytes, and at most %d are read of a "+
			"file: split it", info.Size(), results.MaxFileBytes)}
	}
	return os.ReadFile(path)
}
