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
	f := &gathering{&facts{Input: in}, newInquiry(ctx)}
	hasNoLanguage := func(path string) bool { return evidence.LanguageOf(path) == "" }
	paths := slices.DeleteFunc(slices.Clone(f.changed()), hasNoLanguage)
	if len(paths) > maxStubFiles {
		return false, f.Err
	}
	hasStub := slices.ContainsFunc(f.alteredSources(paths), func(file sourceFile) bool {
		return len(f.addedStubs(file.before, file.after)) > 0
	})
	return !hasStub && f.Err == nil, f.Err
}

type placedStub struct {
	path string
	evidence.Stub
}

// gatherStubs finds the stubs that changed files get, and that have not only come from another file.
func (f *gathering) gatherStubs() {
	if none := answer(f.inquiry, f.Source.AddsNoStub); none {
		return
	}
	files := f.changedSources()
	mayHaveMoved := false
	for i := range files {
		file := &files[i]
		file.added = f.addedStubs(file.before, file.after)
		mayHaveMoved = mayHaveMoved || len(file.added) > 0 && len(files) > 1
	}
	lostCount := map[string]int{}
	for _, file := range files {
		if !mayHaveMoved {
			break
		}
		for _, s := range f.addedStubs(file.after, file.before) { // removed stubs
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
func (f *gathering) changedSources() []sourceFile {
	var paths []string
	for _, path := range f.changed() {
		if evidence.LanguageOf(path) != "" && find(StubAdded).severity(f.Policy, f.pathTier(path)) > 0 {
			paths = append(paths, path)
		}
	}
	if len(paths) > maxStubFiles && len(f.merged()) == 0 {
		return nil // of a merge, count only files that differ from every parent
	}
	return f.alteredSources(paths)
}

// alteredSources are the paths that the commit itself changes; none if there are too many to read.
func (f *gathering) alteredSources(paths []string) (files []sourceFile) {
	for _, path := range paths {
		if before, after, isAltered := f.ownChange(path); isAltered {
			files = append(files, sourceFile{before: version{f.Judge.Base, before}, after: version{&f.Judge.Tree, after}})
		}
		if len(files) > maxStubFiles {
			return nil
		}
	}
	return files
}

// addedStubs are the stubs that only the second version of a file has, except complete empty bodies. A missing, too
// large or unparsable file has none.
func (f *gathering) addedStubs(before, after version) []evidence.Stub {
	newSource, isReadable := f.source(after)
	if !isReadable || after.Kind != evidence.File {
		return nil
	}
	oldSource, isReadable := f.source(before)
	if !isReadable {
		return nil
	}
	added, err := evidence.AddedStubs(f.Ctx, after.tree.Cache, oldSource, newSource)
	if err != nil {
		f.Note(f.Ctx.Err())
		return nil
	}
	return slices.DeleteFunc(added, func(s evidence.Stub) bool { return s.Exempt != "" })
}

// source reads a version; one that is no file is empty. It is not readable when it is larger than the policy allows.
func (f *gathering) source(v version) (s evidence.Source, isReadable bool) {
	s.Path, s.ID = v.Path, v.ID
	if v.Kind != evidence.File {
		return s, f.Err == nil
	}
	size, err := v.tree.Size(f.Ctx, v.Entry)
	if f.Note(err); f.Policy.MaxFileBytes > 0 && size > f.Policy.MaxFileBytes {
		return s, false
	}
	s.Bytes = f.read(v)
	return s, f.Err == nil
}
