package hooks

import (
	_ "embed"
	"strings"
	"text/template"
)

// marker opens the second line of every file that Install writes. Uninstall takes
// back only files that hold it.
const marker = "# acta-hook:"

const (
	markerLine       = marker + " written by `acta install`, taken back by `acta uninstall`"
	globalMarkerLine = marker + " written by `acta install --global`, taken back by `acta uninstall --global`"
)

// titled is the regular expression (grep -E) of a line that makes a commit an ACT or ADAPT. A script without acta
// refuses those alone: «Reason:» or «Done:» stands in many a message that has nothing to do with acta.
const titled = `^[[:space:]]*([*-][[:space:]]+)?(ACT|ADAPT|Act)[[:space:]]*:`

//go:embed script.sh.tmpl
var scriptTemplate string

// keeping says where a script finds the hook that runs before acta.
type keeping string

const (
	keptBeside     keeping = "beside"     // in keptDir, where Install has put it
	keptRepository keeping = "repository" // in the repository, when core.hooksPath hides it
)

// script is what the file of one hook point is made from.
type script struct {
	Point
	Kept keeping
	// PassOn: acta has nothing to do here; only the hook that is kept or hidden runs.
	PassOn bool
	// Binary is the absolute path of acta.
	Binary string
}

func (s script) Marker() string {
	if s.Kept == keptRepository {
		return globalMarkerLine
	}
	return markerLine
}

func (script) KeptDir() string { return keptDir }
func (script) Claim() string   { return titled }
func (s script) Acta() string  { return quoted(s.Binary) }

// PreCommit: the pre-commit framework writes hooks of this name.
func (s script) PreCommit() bool { return s.Set == Default }

// Refused is what git does not do when the hook refuses.
func (s script) Refused() string {
	if strings.HasPrefix(s.Name, "pre-push") || s.Set == Server {
		return "the push"
	}
	return "the commit"
}

// Warns: a script whose executable is gone says so. In each command that git runs
// hooks for, one of these judges claims; the others are silent, so that it is said once.
func (s script) Warns() bool {
	return s.Message || s.Set != Default || s.Name == "pre-push"
}

// text is the whole file.
func (s script) text() (string, error) {
	t, err := template.New("script").Parse(scriptTemplate)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, s)
	return b.String(), err
}

// quoted is a word as the shell takes it literally.
func quoted(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
