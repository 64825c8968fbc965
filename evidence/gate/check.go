package gate

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser/shell"
)

// kind tells what a check is.
type kind string

const (
	run      kind = "run"      // a program that is run
	settings kind = "settings" // the settings of a tool in a file
	starts   kind = "starts"   // what starts a workflow
)

// check is an entry of the table of what a tree asks, with its demands.
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
	// dir is the folder that it is run in, "" where nothing tells; of the repository that it checks, "" for its own.
	dir, of string
	// unit is the job, script or target that it stands in. called: only a caller decides whether that is run.
	unit   string
	called bool
	// sets are the variables of its environment, as NAME=VALUE.
	sets    []string
	demands []demand
	places  map[string]int // of the demands, by their keys
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

// demand is that of a key; nil where nothing is said of it.
func (k *check) demand(key string) *demand {
	if i, ok := k.places[key]; ok {
		return &k.demands[i]
	}
	return nil
}

// asked is how much is asked where nothing is said of what a demand of another version is for.
func (k *check) asked(of *demand) float64 {
	switch of.way {
	case "keep", "drop", "look", "min":
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
type table []check

// read is what a file asks. One that cannot be read asks nothing.
func read(name string, src []byte) (t table) {
	if src == nil || !MayBeGate(name) {
		return nil
	}
	f := &source{path: name, src: src, lines: strings.Split(string(src), "\n")}
	for as, read := range readers {
		if fits(as, name) {
			read(&t, f)
		}
	}
	t.settings(f)
	for i := range t {
		t[i].places = map[string]int{}
		for at, d := range slices.Backward(t[i].demands) {
			t[i].places[d.key] = at
		}
	}
	return t
}

// readers read the checks of files, by the pattern of their paths.
var readers = map[string]func(*table, *source){"pipeline": (*table).pipeline, "hooks": (*table).hooks,
	"manifest": (*table).manifest, "makefile": (*table).makefile, "script": (*table).shell}

// add adds the checks of a script, with what holds for all of them.
func (t *table) add(f *source, script *value, m shell.Mode, of check) {
	for _, r := range readScript(script.text, m) {
		r.Variables = append(r.Variables, of.sets...)
		of.at = f.place(script.lineOf(r.Line), 0)
		t.put(checksOf(r), of)
	}
}

// put adds checks with what holds for all of them.
func (t *table) put(all []check, of check) {
	for _, k := range all {
		k.kind, k.unit, k.called, k.dir, k.of, k.off, k.at = run, of.unit, of.called, of.dir, of.of, of.off, of.at
		k.forgiven = cmp.Or(k.forgiven, of.forgiven)
		k.demands = k.options()
		*t = append(*t, k)
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

// base is the last part of a path, of Windows' too.
func base(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }
