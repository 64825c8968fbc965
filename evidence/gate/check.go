package gate

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/shell"
)

// kind tells what a check is.
type kind string

const (
	run      kind = "run"      // a program that is run
	settings kind = "settings" // the settings of a tool in a file
	starts   kind = "starts"   // what starts a workflow
)

// check is one entry of the table of what a tree asks, with its demands: a program of which a build's success depends,
// the settings of a tool in a file, or what starts a workflow.
type check struct {
	kind kind
	tool
	// name is the tool's, the same for each way to start it; args are the words behind it.
	name string
	args []string
	// forgiven says why nothing fails where the check does, off why it does not run at all; "" where neither is so.
	forgiven, off string
	// seldom: nothing that happens to the code starts it, but a clock or a person.
	seldom bool
	// dir is the folder that it is run in, "" for that of the repository, or where nothing tells.
	dir string
	// of is the repository that it checks, "" for that of the file: what uses a library is tested with it, too.
	of string
	// unit is the job, script, target or section that it stands in. called: nothing but a caller decides whether that
	// is run.
	unit    string
	called  bool
	demands []demand
	at      Place
	// taken: it stands for one of the earlier table.
	taken bool
}

// strict reports a check whose failure is one.
func (k *check) strict() bool { return k.forgiven == "" && k.off == "" }

// isGate reports whether a check stands in what decides whether code is good, not in what brings it out or mends it.
func (k *check) isGate() bool {
	file := base(k.at.Path)
	return k.kind == settings || !strings.HasPrefix(k.at.Path, "docs/") && !fits("no gate", file) &&
		(k.unit == file || !fits("no gate", k.unit))
}

// demand is a row of the table: one thing that a check asks.
type demand struct {
	way way
	// key names it within its check, list what it is an entry of, "" for what stands alone.
	key, list string
	// weight is how much it asks, the more the stricter.
	weight float64
	text   string // as it is written
	at     Place
}

// way is how a demand is compared: a word of demands.txt.
type way string

const (
	keep way = "keep" // an entry that asks something
	drop way = "drop" // an entry that leaves something out
)

// demand is that of a key; nil where nothing is said of it.
func (k *check) demand(key string) *demand {
	i := slices.IndexFunc(k.demands, func(d demand) bool { return d.key == key })
	if i < 0 {
		return nil
	}
	return &k.demands[i]
}

// asked is how much is asked where nothing is said of what a demand of another version is for.
func (k *check) asked(of *demand) float64 {
	switch of.way {
	case keep, drop, "look":
		return 0
	case "min":
		if strings.HasSuffix(of.key, "exit-code") {
			return 1
		}
		return 0
	case "max":
		if fits("retries", of.key) {
			return 0
		}
		return -1e9
	case "on":
		strict := slices.ContainsFunc(k.demands, func(d demand) bool {
			return path.Base(d.key) == "strict" && d.weight == 1 && d.key != of.key
		})
		if isTold("lenient", k.name) && !strict {
			return 0
		}
	}
	return 1
}

// table is what the files of a tree ask.
type table struct {
	ctx context.Context
	all []check
}

// read is what a file asks. One that cannot be read asks nothing.
func read(ctx context.Context, name string, src []byte) []check {
	t, f := table{ctx: ctx}, sourceOf(name, src)
	if read := readerOf(name); read != nil {
		read(&t, f)
	}
	if holdsSettings(path.Base(name)) {
		t.settings(f)
	}
	return t.all
}

// readerOf is what reads the checks of a file of a path; nil for one that has none.
func readerOf(name string) func(*table, *source) {
	file := path.Base(name)
	switch {
	case fits("pipeline", name):
		return (*table).pipeline
	case file == ".pre-commit-config.yaml":
		return (*table).hooks
	case file == "package.json", file == "composer.json":
		return (*table).manifest
	case strings.EqualFold(file, "makefile"), file == "GNUmakefile", path.Ext(file) == ".mk":
		return (*table).makefile
	case fits("script", name):
		return (*table).shell
	}
	return nil
}

// add adds the checks of a script, with what holds for all of them. line tells where a line of the script stands.
func (t *table) add(f *source, script string, m shell.Mode, line func(int) int, of check) {
	for _, r := range readScript(script, m) {
		at := line(r.Line)
		of.at = f.place(at, at)
		t.put(checksOf(r), of)
	}
}

// put adds checks with what holds for all of them.
func (t *table) put(all []check, of check) {
	for _, k := range all {
		k.kind, k.unit, k.called, k.dir, k.of, k.off, k.at = run, of.unit, of.called, of.dir, of.of, of.off, of.at
		if k.forgiven == "" {
			k.forgiven = of.forgiven
		}
		k.demands = k.options()
		t.all = append(t.all, k)
	}
}

// readScript lists the programs that a script starts.
func readScript(src string, m shell.Mode) []shell.Run {
	if strings.Contains(src, "${{") || strings.Contains(src, "<<") {
		src = filledIn.In(src).ReplaceAllLiteralString(src, "__expression__")
	}
	runs, _ := shell.Read(src, m)
	return runs
}

// onLine is for a script that stands on one line of a file.
func onLine(at int) func(int) int { return func(int) int { return at } }

// base is the last part of a path, of Windows' too.
func base(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }
