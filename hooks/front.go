package hooks

import (
	_ "embed"
	"slices"
	"strings"
	"text/template"

	"github.com/acta-git/acta/parser"
)

// marker opens the second line of every file that Install writes. Uninstall takes
// back only files that hold it.
const marker = "# acta-hook:"

const (
	markerLine        = marker + " written by `acta install`, taken back by `acta uninstall`"
	machineMarkerLine = marker + " written by `acta install --global` or `--system`, taken back by `acta uninstall` with the same"
)

// claimKeys are, as a regular expression has them, the keys by which a message
// claims something. It is for a front whose executable is gone.
func claimKeys() string {
	claimsNothing := func(key string) bool { return key == "for" }
	return strings.Join(slices.DeleteFunc(parser.ReportKeys(), claimsNothing), "|")
}

//go:embed front.sh.tmpl
var frontTemplate string

// keeping says where a front finds the hook that runs before acta.
type keeping string

const (
	keptNowhere    keeping = ""           // git runs the other hooks itself
	keptBeside     keeping = "beside"     // in keptDir, where Install has put it
	keptRepository keeping = "repository" // in the repository, when core.hooksPath hides it
)

// front is what the file of one hook point is made from.
type front struct {
	Point
	Kept keeping
	// PassOn: acta has nothing to do here; only the hook that is kept or hidden runs.
	PassOn bool
	// Binary is the absolute path of acta.
	Binary string
}

func (f front) Marker() string {
	if f.Kept == keptRepository {
		return machineMarkerLine
	}
	return markerLine
}

func (front) KeptDir() string { return keptDir }
func (front) Keys() string    { return claimKeys() }
func (f front) Acta() string  { return quoted(f.Binary) }

// BesideOthers: the front lies in the folder in which git looks for all hooks, so
// that whatever is beside it runs as well. A configured hook can be switched off alone.
func (f front) BesideOthers() bool { return f.Kept != keptNowhere }

// PreCommit: the pre-commit framework writes hooks of this name.
func (f front) PreCommit() bool { return f.Set == Default }

// Deed is what git does not do when the hook refuses.
func (f front) Deed() string {
	if strings.HasPrefix(f.Name, "pre-push") || f.Set == Server {
		return "the push"
	}
	return "the commit"
}

// Warns: a front whose executable is gone says so. In each command that git runs
// hooks for, one of these is the door; the others are silent, so that it is said once.
func (f front) Warns() bool {
	return f.Message || f.Set != Default || f.Name == "pre-push"
}

// text is the whole file.
func (f front) text() (string, error) {
	t, err := template.New("front").Parse(frontTemplate)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, f)
	return b.String(), err
}

// quoted is a word as the shell takes it literally.
func quoted(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
