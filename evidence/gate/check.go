package gate

import (
	"cmp"
	"embed"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/parser/shell"
)

type kind string

const (
	run      kind = "run"      // a program
	settings kind = "settings" // the settings of a tool in a file
	triggers kind = "starts"   // the triggers of a workflow
)

// check is an entry of a tree's table, with its demands.
type check struct {
	kind kind
	tool
	// name is the tool's, however it is started; args are its arguments.
	name string
	args []string
	// ignoreReason says why its failure is ignored, offReason why it does not run; "" if neither applies.
	ignoreReason, offReason string
	// isSeldom: no change of the code starts it, only a clock or a person.
	isSeldom bool
	// dir is its working directory, "" if unknown; repository the one that it checks, "" for its own.
	dir, repository string
	// unit is its job, script or target. needsCaller: the unit runs only if another calls it.
	unit        string
	needsCaller bool
	// env is its environment, as NAME=VALUE.
	env      []string
	demands  []*demand
	byKey    map[string]*demand // of several with a key, the weakest
	place    Place
	isPaired bool
}

func (k *check) isStrict() bool { return k.ignoreReason == "" && k.offReason == "" }

// isGate reports whether a check judges code, rather than releasing or repairing it.
func (k *check) isGate() bool {
	file := baseName(k.place.Path)
	return k.kind == settings || !strings.HasPrefix(k.place.Path, "docs/") && !fits("no gate", file) &&
		(k.unit == file || !fits("no gate", k.unit))
}

// demand is a row of the table: one requirement of a check.
type demand struct {
	kind demandKind
	// key identifies it within its check; list is the list that it is an entry of, "" if none.
	key, list string
	weight    float64
	text      string // as written
	place     Place
}

// demandKind is how a demand is compared: a word of demands.txt.
type demandKind string

func (k *check) defaultWeight(d *demand) float64 {
	switch d.kind {
	case "keep", "drop", "look", "min":
		return 0
	case "max":
		if fits("retries", d.key) {
			return 0
		}
		return -1e9
	case "on":
		strict := slices.ContainsFunc(k.demands, func(other *demand) bool {
			return path.Base(other.key) == "strict" && other.weight == 1 && other.key != d.key
		})
		if isListedTool("lenient", k.name) && !strict {
			return 0
		}
	}
	return 1
}

func readChecks(name string, src []byte) []*check {
	if src == nil || !MayBeGate(name) {
		return nil
	}
	f := &source{path: name, src: src, lines: strings.Split(string(src), "\n")}
	for pattern, read := range readers {
		if fits(pattern, name) {
			read(f)
		}
	}
	f.settings()
	for _, k := range f.checks {
		k.byKey = map[string]*demand{}
		for _, d := range k.demands {
			if of := k.byKey[d.key]; of == nil || d.weight < of.weight {
				k.byKey[d.key] = d
			}
		}
	}
	return f.checks
}

// readers read checks from files, by the pattern of their paths.
var readers = map[string]func(*source){"pipeline": (*source).pipeline, "hooks": (*source).hooks,
	"manifest": (*source).manifest, "makefile": (*source).makefile, "script": (*source).shell}

func (f *source) add(script *value, m shell.Mode, common check) {
	for _, r := range readScript(script.text, m) {
		r.Variables = append(r.Variables, common.env...)
		line := script.line
		if script.isBlock {
			line += r.Line
		}
		common.place = f.place(line, 0)
		f.put(checksOf(r), common)
	}
}

func (f *source) put(all []*check, common check) {
	for _, k := range all {
		k.kind, k.unit, k.needsCaller, k.place = run, common.unit, common.needsCaller, common.place
		k.dir, k.repository, k.offReason = common.dir, common.repository, common.offReason
		k.ignoreReason = cmp.Or(k.ignoreReason, common.ignoreReason)
		k.demands = k.options()
		f.checks = append(f.checks, k)
	}
}

func readScript(src string, m shell.Mode) []shell.Run {
	if strings.Contains(src, "${{") || strings.Contains(src, "<<") {
		src = patternOf("workflow expression").In(src).ReplaceAllLiteralString(src, "__expression__")
	}
	runs, _ := shell.Read(src, m)
	return runs
}

// baseName is the last part of a path, on Windows too.
func baseName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// The tables of this package; their heads explain their lines.
var (
	//go:embed demands.txt options.txt settings.txt tools.txt
	tables                 embed.FS
	demandRows, optionRows = rowsOf("demands.txt"), rowsOf("options.txt")
	settingRows, toolRows  = rowsOf("settings.txt"), rowsOf("tools.txt")

	//go:embed purposes.txt
	purposesText string
	//go:embed suppressions.txt
	suppressionsText string
	//go:embed patterns.txt
	patternsText string

	purposes     = lang.Patterns{Text: &purposesText}
	suppressions = lang.Patterns{Text: &suppressionsText}
	patterns     = lang.Patterns{Text: &patternsText}

	fits, patternOf = patterns.Fits, patterns.Named
)

// rows are the lines of a table as words, without comments.
type rows func() [][]string

func rowsOf(name string) rows {
	return sync.OnceValue(func() (all [][]string) {
		text, _ := tables.ReadFile(name) // embedded
		for line := range strings.Lines(string(text)) {
			if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
				all = append(all, words)
			}
		}
		return all
	})
}

// has reports whether a row of a kind has a word after its first two.
func (r rows) has(kind, word string) bool {
	return slices.ContainsFunc(r(), func(row []string) bool { return row[0] == kind && slices.Contains(row[2:], word) })
}

// matchesName reports whether a pattern matches a file's name. It is called for every file: first and last letters are
// compared first.
func matchesName(file string, names []string) bool {
	differs := func(pattern, letter byte) bool { return pattern != letter && strings.IndexByte("*?[]", pattern) < 0 }
	return slices.ContainsFunc(names, func(pattern string) bool {
		if file == "" || differs(pattern[0], file[0]) || differs(pattern[len(pattern)-1], file[len(file)-1]) {
			return false
		}
		ok, err := path.Match(pattern, file)
		return ok && err == nil
	})
}

func settingRowsOf(name string) (all [][]string) {
	for _, row := range settingRows() {
		if row[0] != "-" && matchesName(path.Base(name), row[2:]) {
			all = append(all, row)
		}
	}
	return all
}

// IsManifest reports whether a path is that of a manifest.
func IsManifest(name string) bool {
	file := strings.ToLower(path.Base(name))
	return slices.ContainsFunc(settingRows(), func(row []string) bool {
		return row[0] == "-" && matchesName(file, row[2:])
	})
}

func suppressionPattern(name string) lang.Pattern {
	for _, s := range suppressions.All() {
		if matchesName(path.Base(name), strings.Fields(s.Name)) {
			return s.Pattern
		}
	}
	return lang.Pattern{}
}
