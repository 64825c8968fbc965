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

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/results"
)

// reports are the files of test results that a command may write.
type reports struct {
	globs []string
	// before is when those that were there were last changed.
	before map[string]time.Time
}

// reportsOfPolicy are the patterns of HEAD's policy for reports of tests. What is in its way leaves the run without
// counts, and no more: acta policy says what is wrong with it.
func reportsOfPolicy(ctx context.Context) (globs []string) {
	_ = inRepo(ctx, func(r *repo.Repo) error {
		p, err := policyAsWritten(ctx, r)
		if err != nil || len(p.Results.JUnit) == 0 {
			return err
		}
		top, err := r.Top(ctx)
		for _, glob := range p.Results.JUnit {
			globs = append(globs, filepath.Join(literally.Replace(top), filepath.FromSlash(glob)))
		}
		return err
	})
	return globs
}

// literally takes from the name of a folder what would be a pattern.
var literally = strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`)

// reportsIn looks for reports before the command runs.
func reportsIn(globs []string) *reports {
	r := &reports{globs: globs}
	r.before = r.found()
	return r
}

// found are the files that the patterns name, and when each was last changed.
func (r *reports) found() map[string]time.Time {
	found := map[string]time.Time{}
	for _, glob := range r.globs {
		names, _ := doublestar.FilepathGlob(glob, doublestar.WithFilesOnly())
		for _, name := range names {
			if info, err := os.Stat(name); err == nil {
				found[filepath.ToSlash(name)] = info.ModTime()
			}
		}
	}
	return found
}

// written are the reports that the command wrote.
func (r *reports) written() []string {
	var all []string
	for name, changed := range r.found() {
		if before, there := r.before[name]; !there || !changed.Equal(before) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// readReports adds up what these reports count; nil where that is not known, with the reason.
func readReports(names []string) (parser.Counts, error) {
	if len(names) == 0 {
		return nil, nil
	}
	var sum results.Counts
	for _, name := range names {
		data, err := readReport(name, name)
		if err != nil {
			return nil, err
		}
		tests, err := results.ReadTests(name, data)
		if err != nil {
			return nil, err
		}
		if tests.Unlisted > 0 {
			return nil, fmt.Errorf("%s does not say of %d tests whether they passed", name, tests.Unlisted)
		}
		sum.Add(tests.Counts())
	}
	counts := parser.Counts{"passed": sum.Passed}
	if sum.Failed > 0 {
		counts["failed"] = sum.Failed
	}
	if skipped := sum.Skipped + sum.Disabled; skipped > 0 {
		counts["skipped"] = skipped
	}
	return counts, nil
}
