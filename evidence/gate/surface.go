package gate

import (
	"context"
	"path"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// surface is what files ask of a build: the checks that are run, and under which conditions.
type surface struct {
	ctx      context.Context
	checks   []check
	triggers []trigger
	// demandsOf are the settings of tools, tools those that have any.
	demandsOf []demand
	tools     []toolIn
}

// toolIn is a tool that has settings in a file.
type toolIn struct{ tool, path string }

// Reads reports whether a file of a path may be part of a gate.
func Reads(name string) bool {
	_, source := suppressed(name)
	return (source || MayBeGate(name)) && !takenOver.MatchString(name)
}

// takenOver matches the paths of what others wrote: their gates are theirs.
var takenOver = lang.Lazy(`(^|/)(vendor|vendored|third_party|node_modules|bower_components)/`)

// MayBeGate reports whether a file of a path may ask something of a build: it is no source that only suppresses.
func MayBeGate(name string) bool {
	return (readerOf(name) != nil || readsSettings(path.Base(name)) || isManifest(name)) && !takenOver.MatchString(name)
}

// sourceReader reads a kind of file into a surface.
type sourceReader func(s *surface, f *source)

// source is a file that is read, with its lines.
type source struct {
	path string
	src  []byte
	lines
}

func (f *source) place(first, last int) Place {
	return Place{f.path, first, max(first, last), f.text(first, max(first, last))}
}

// read adds what a file asks. One that cannot be read asks nothing.
func (s *surface) read(name string, src []byte) {
	if src == nil {
		return
	}
	f := &source{name, src, linesOf(src)}
	if read := readerOf(name); read != nil {
		read(s, f)
	}
	if readsSettings(path.Base(name)) {
		s.readSettings(f)
	}
}

// readerOf is what reads a file of a path; nil for one that is no part of a gate.
func readerOf(name string) sourceReader {
	dir, file := path.Split(name)
	ext := path.Ext(file)
	yaml := ext == ".yml" || ext == ".yaml"
	switch {
	case yaml && (strings.HasSuffix(dir, ".github/workflows/") || strings.Contains(dir, ".github/actions/")):
		return readWorkflow
	case yaml && (pipelines.MatchString(file) || pipelineFolders.MatchString(dir)):
		return readPipeline
	case file == "package.json", file == "composer.json":
		return readManifest
	case file == "Makefile", file == "GNUmakefile", file == "makefile", ext == ".mk":
		return readMakefile
	case file == "noxfile.py":
		return readNox
	case ext == ".sh", ext == ".bash", ext == "" && scriptFolders.MatchString(dir):
		return readShell
	}
	return nil
}

var (
	pipelines = lang.Lazy(`^(\.gitlab-ci|.*\.gitlab-ci|\.travis|\.?azure-pipelines.*|bitbucket-pipelines|` +
		`\.?appveyor|\.cirrus|\.woodpecker|\.drone|Taskfile|\.?lefthook)\.ya?ml$`)
	pipelineFolders = lang.Lazy(`(^|/)(\.gitlab|\.circleci|\.azure-pipelines|\.buildkite|\.woodpecker|\.semaphore)/`)
	scriptFolders   = lang.Lazy(`(^|/)(\.husky|\.githooks|git-hooks|hooks|ci|\.ci|scripts?|tools|bin|dev|build)/$`)
)
