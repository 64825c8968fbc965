package hooks

import (
	_ "embed"
	"strings"
	"text/template"
)

// marker begins the second line of every file of Install. Uninstall removes only files with it.
const marker = "# acta-hook:"

const (
	markerLine       = marker + " written by `acta install`, taken back by `acta uninstall`"
	globalMarkerLine = marker + " written by `acta install --global`, taken back by `acta uninstall --global`"
)

// titlePattern is the regular expression (grep -E) of a line that makes a commit an ACT or ADAPT. A script without acta
// refuses only those: «Reason:» or «Done:» also occurs in other messages.
const titlePattern = `^[[:space:]]*([*-][[:space:]]+)?(ACT|ADAPT|Act)[[:space:]]*:`

//go:embed script.sh.tmpl
var scriptTemplate string

// hookSource says where a script finds the hook that runs before acta.
type hookSource string

const (
	savedBeside  hookSource = "beside"     // in savedDir, where Install has moved it
	inRepository hookSource = "repository" // in the repository; core.hooksPath hides it
)

type script struct {
	Point
	SavedHook hookSource
	// Binary is the absolute path of acta.
	Binary string
}

func (s script) Marker() string {
	if s.SavedHook == inRepository {
		return globalMarkerLine
	}
	return markerLine
}

func (script) SavedDir() string     { return savedDir }
func (script) ClaimPattern() string { return titlePattern }
func (s script) Acta() string       { return quoted(s.Binary) }

// HasPreCommit: the pre-commit framework writes hooks of this name.
func (s script) HasPreCommit() bool { return s.Set == Default }

// Subject is what git was asked for: with a seal it is the commit.
func (s script) Subject() string {
	if s.Set == Seal {
		return "the commit"
	}
	return s.Point.Subject
}

// ShouldWarn: the script warns if its executable is missing. Of the hooks of a git command only one does, so that the
// warning appears once.
func (s script) ShouldWarn() bool {
	return s.HasMessage || s.Set != Default || s.Name == "pre-push"
}

func (s script) text() (string, error) {
	t, err := template.New("script").Parse(scriptTemplate)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, s)
	return b.String(), err
}

func quoted(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
