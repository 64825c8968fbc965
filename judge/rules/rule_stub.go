package rules

import (
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/report"
)

// maxStubFiles is how many changed source files are read for stubs. A larger commit is an import or a formatter's.
const maxStubFiles = 300

// StubAdded is the id of the rule about added stubs.
const StubAdded = "stub_added"

// sourceFile is a changed file in a language with a grammar.
type sourceFile struct {
	before, after version
	added         []evidence.Stub // the stubs that it has and did not have
}

// version is a file in one of the two snapshots.
type version struct {
	tree *evidence.Tree
	evidence.Entry
}

// AddsNoStub reports whether no changed source file gets a stub; false if there are too many to read.
func AddsNoStub(ctx context.Context, in *Input) (bool, error) {
	f := &facts{Input: in}
	all, err := in.Source.Changed(ctx)
	if err != nil {
		return false, err
	}
	all = slices.DeleteFunc(slices.Clone(all), func(path string) bool { return evidence.LanguageOf(path) == "" })
	if len(all) > maxStubFiles {
		return false, nil
	}
	files, err := f.alteredSources(ctx, all)
	if err != nil {
		return false, err
	}
	for i := range files {
		if added, err := f.addedStubs(ctx, files[i].before, files[i].after); err != nil || len(added) > 0 {
			return false, err
		}
	}
	return true, nil
}

// placedStub is a stub of a file.
type placedStub struct {
	path string
	evidence.Stub
}

// gatherStubs finds the stubs that changed files get, and that have not only come from another file.
func (f *facts) gatherStubs(ctx context.Context) error {
	if none, err := f.Source.AddsNoStub(ctx); none || err != nil {
		return err
	}
	files, err := f.changedSources(ctx)
	if err != nil {
		return err
	}
	mayHaveMoved := false
	for i := range files {
		file := &files[i]
		if file.added, err = f.addedStubs(ctx, file.before, file.after); err != nil {
			return err
		}
		mayHaveMoved = mayHaveMoved || len(file.added) > 0 && len(files) > 1
	}
	lostCount := map[string]int{}
	for _, file := range files {
		if !mayHaveMoved {
			break
		}
		lost, err := f.addedStubs(ctx, file.after, file.before) // removed stubs
		if err != nil {
			return err
		}
		for _, s := range lost {
			lostCount[s.Symbol]++
		}
	}
	for _, file := range files {
		for _, s := range file.added {
			if lostCount[s.Symbol]--; lostCount[s.Symbol] < 0 {
				f.stubs = append(f.stubs, placedStub{file.after.Path, s})
			}
		}
	}
	return nil
}

func runStubAdded(p *pass) {
	for _, s := range p.stubs {
		p.report(report.Finding{
			Path: s.path, Line: s.Line, Column: 1, EndLine: s.EndLine,
			Message: s.Symbol + " has no implementation: " + strings.ReplaceAll(string(s.Reason), "_", " ") + ".",
			Hint:    "write its body; until then do not report an item that needs it as done",
		})
	}
}

// changedSources are the changed files that can hold a stub; none if there are too many to read.
func (f *facts) changedSources(ctx context.Context) ([]sourceFile, error) {
	paths, err := f.changedSourcePaths(ctx)
	if err != nil {
		return nil, err
	}
	if len(paths) > maxStubFiles { // of a merge, count only files that differ from every parent
		if merged, err := f.Source.Merged(ctx); err != nil || len(merged) == 0 {
			return nil, err
		}
	}
	return f.alteredSources(ctx, paths)
}

// alteredSources are the paths that the commit itself changes; none if there are too many to read.
func (f *facts) alteredSources(ctx context.Context, paths []string) ([]sourceFile, error) {
	var files []sourceFile
	for _, path := range paths {
		before, after, altered, err := f.ownChange(ctx, path)
		if err != nil {
			return nil, err
		}
		if altered {
			files = append(files, sourceFile{before: version{f.Judge.Base, before}, after: version{&f.Judge.Tree, after}})
		}
		if len(files) > maxStubFiles {
			return nil, nil
		}
	}
	return files, nil
}

// changedSourcePaths are the changed paths that have a language, where the rule is on in their tier.
func (f *facts) changedSourcePaths(ctx context.Context) ([]string, error) {
	all, err := f.Source.Changed(ctx)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, path := range all {
		if evidence.LanguageOf(path) == "" {
			continue
		}
		tier, err := f.Source.PathTier(ctx, path)
		if err != nil {
			return nil, err
		}
		if find(StubAdded).severity(f.Policy, tier) > 0 {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// addedStubs are the stubs that only the second version of a file has, except complete empty bodies. A missing, too
// large or unparsable file has none.
func (f *facts) addedStubs(ctx context.Context, before, after version) ([]evidence.Stub, error) {
	newSource, readable, err := f.source(ctx, after)
	if err != nil || !readable || after.Kind != evidence.File {
		return nil, err
	}
	oldSource, readable, err := f.source(ctx, before)
	if err != nil || !readable {
		return nil, err
	}
	added, err := evidence.AddedStubs(ctx, after.tree.Cache, oldSource, newSource)
	if err != nil {
		return nil, ctx.Err()
	}
	return slices.DeleteFunc(added, func(s evidence.Stub) bool { return s.Exempt != "" }), nil
}

// source reads a version; one that is no file is empty. It is not readable when it is larger than the policy allows.
func (f *facts) source(ctx context.Context, v version) (s evidence.Source, readable bool, err error) {
	s.Path, s.ID = v.Path, v.ID
	if v.Kind != evidence.File {
		return s, true, nil
	}
	size, err := v.tree.Size(ctx, v.Entry)
	if err != nil || f.Policy.MaxFileBytes > 0 && size > f.Policy.MaxFileBytes {
		return s, false, err
	}
	s.Bytes, err = v.tree.Read(ctx, v.Entry)
	return s, true, err
}
