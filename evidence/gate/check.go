package gate

import (
	"cmp"
	"path"
	"slices"
	"strings"

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
