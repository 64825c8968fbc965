package evidence

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/repo/program/peer"
)

// hollowed counts functions that were made hollow, and those of them that none could build, each told by where it is.
type hollowed struct {
	asked   int
	unbuilt []string
}

// check wants at most one in twenty to be inconclusive.
func (h *hollowed) check(t *testing.T, least int) {
	t.Helper()
	t.Logf("%d functions, %d inconclusive:\n%s", h.asked, len(h.unbuilt), strings.Join(h.unbuilt, "\n"))
	if h.asked < least || len(h.unbuilt)*20 > h.asked {
		t.Errorf("%d of %d functions are inconclusive", len(h.unbuilt), h.asked)
	}
}

// fill reads every step-th function of a file, with its forms.
func fill(t *testing.T, path string, src []byte, step int) []Hollowable {
	t.Helper()
	f := Source{Path: path, Bytes: src}
	all, err := Hollowables(t.Context(), f)
	m, errModel := f.model(t.Context(), nil, nil)
	if err := errors.Join(err, errModel); err != nil {
		t.Logf("%s: %v", path, err)
		return nil
	}
	s, err := m.grammar.parse(t.Context(), nil, Source{Path: path, Bytes: src}, nil)
	if err != nil || len(m.errors) > 0 {
		return nil
	}
	var chosen []Hollowable
	for i := step / 2; i < len(all); i += step {
		h, c := all[i], hollower{m, s.tree, all[i].body}
		h.Forms = c.forms()
		at, _, _ := c.front()
		if len(h.Forms) > 0 || !slices.ContainsFunc(c.values(), func(v string) bool { return c.isAlreadyHollow(at, v) }) {
			chosen = append(chosen, h)
		}
	}
	return chosen
}

// insertion is what one form has, and the source has not, and where that stands.
type insertion struct {
	at   int
	text string
}

// insertionOf compares a form with the source.
func insertionOf(src, form []byte) insertion {
	at, more := 0, len(form)-len(src)
	for at < len(src) && src[at] == form[at] {
		at++
	}
	return insertion{at, string(form[at : at+more])}
}

// together is a source with several functions hollow.
func together(src []byte, all []insertion) []byte {
	slices.SortStableFunc(all, func(a, b insertion) int { return cmp.Compare(b.at, a.at) })
	out := slices.Clone(src)
	for _, i := range all {
		out = slices.Insert(out, i.at, []byte(i.text)...)
	}
	return out
}

// typed is a package of Go's own that is checked by its types.
type typed struct {
	dir   string
	files map[string][]byte
	// functions are by file; form says which form of each is in use, beyond the last where none could be built.
	functions map[string][]Hollowable
	form      map[string][]int
}

// failing checks the package, and finds the functions that it could not be built for.
func (p *typed) failing(t *testing.T, from types.Importer) map[string][]int {
	set, failing := token.NewFileSet(), map[string][]int{}
	var parsed []*ast.File
	for name, src := range p.files {
		var all []insertion
		for i, h := range p.functions[name] {
			if n := p.form[name][i]; n < len(h.Forms) {
				all = append(all, insertionOf(src, h.Forms[n].Source))
			}
		}
		file, err := parser.ParseFile(set, name, together(src, all), parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	conf := types.Config{Importer: from, Error: func(err error) {
		at := set.PositionFor(err.(types.Error).Pos, false)
		last := -1
		for i, h := range p.functions[at.Filename] {
			if h.Line <= at.Line && at.Line <= h.EndLine {
				last = i
			}
		}
		if last < 0 {
			t.Errorf("%v", err)
		} else if !slices.Contains(failing[at.Filename], last) {
			failing[at.Filename] = append(failing[at.Filename], last)
		}
	}}
	_, _ = conf.Check(p.dir, set, parsed, nil) // Error is told
	return failing
}

// All functions of some packages of Go's own are made hollow at once, and their types checked: where one does not
// hold, the next form is tried.
func TestHollowGoIsBuilt(t *testing.T) {
	t.Parallel()
	build.Default.GOROOT = filepath.Dir(goSources(t)) // a test that is built with -trimpath does not know it
	from, all := importer.ForCompiler(token.NewFileSet(), "source", nil), hollowed{}
	for _, name := range strings.Fields(`archive/tar bufio encoding/json go/printer iter maps net/url os/exec regexp
		slices sort strings sync text/template`) {
		pkg, err := build.Default.Import(name, "", 0)
		if err != nil {
			t.Fatal(err)
		}
		p := typed{name, map[string][]byte{}, map[string][]Hollowable{}, map[string][]int{}}
		for _, file := range pkg.GoFiles {
			path := filepath.Join(pkg.Dir, file)
			if p.files[path], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
			p.functions[path] = fill(t, path, p.files[path], corpusStep(3))
			p.form[path] = make([]int, len(p.functions[path]))
		}
		for {
			failing := p.failing(t, from)
			for path, of := range failing {
				for _, i := range of {
					p.form[path][i]++
				}
			}
			if len(failing) == 0 {
				break
			}
		}
		for path, functions := range p.functions {
			for i, h := range functions {
				if all.asked++; p.form[path][i] >= len(h.Forms) {
					all.unbuilt = append(all.unbuilt, fmt.Sprintf("%s:%d %s", path, h.Line, h.Symbol))
				}
			}
		}
	}
	all.check(t, 250)
}

// read asks a program which of some sources it cannot read: it is given them as a list in JSON, and answers with one.
func read(t *testing.T, sources []string, command ...string) []bool {
	t.Helper()
	input, err := json.Marshal(sources)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	out, err := cmd.Output()
	var unread []bool
	if err := errors.Join(err, json.Unmarshal(out, &unread)); err != nil || len(unread) != len(sources) {
		t.Fatalf("%v: %s", err, out)
	}
	return unread
}

// corpusOf are the sources of files of a language that a program can read.
func corpusOf(t *testing.T, root, ext string, step int, command ...string) map[string]string {
	t.Helper()
	var files, sources []string
	for _, path := range corpus(t, root, ext, step) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(src) < 50_000 && !strings.Contains(path, "/site-packages/") {
			files, sources = append(files, path), append(sources, string(src))
		}
	}
	all := map[string]string{}
	for i, unread := range read(t, sources, command...) {
		if !unread {
			all[files[i]] = sources[i]
		}
	}
	return all
}

// readAlone makes functions of sources hollow, one at a time, and asks a program whether it can read them: where it
// cannot read a form, the next is tried.
func readAlone(t *testing.T, sources map[string]string, command ...string) (all hollowed) {
	t.Helper()
	left := map[string][]hollowForm{}
	for path, src := range sources {
		for _, h := range fill(t, path, []byte(src), corpusStep(3)) {
			left[fmt.Sprintf("%s:%d %s", path, h.Line, h.Symbol)] = h.Forms
		}
	}
	all.asked = len(left)
	for len(left) > 0 {
		var asked, forms []string
		for where, of := range left {
			if len(of) == 0 {
				all.unbuilt = append(all.unbuilt, where)
				delete(left, where)
				continue
			}
			asked, forms, left[where] = append(asked, where), append(forms, string(of[0].Source)), of[1:]
		}
		for i, unread := range read(t, forms, command...) {
			if !unread {
				delete(left, asked[i])
			}
		}
	}
	return all
}

// Functions of Python's own library are made hollow, and compiled.
func TestHollowPythonIsCompiled(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("python3", "-c", "import json; print(json.__path__[0])").Output()
	peer.Need(t, "python3", err)
	compiler := []string{"python3", "-W", "ignore", "-c", `import json, sys
def unread(source):
    try:
        compile(source, "x.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return True
    return False
print(json.dumps([unread(s) for s in json.load(sys.stdin) or []]))`}
	root := filepath.Dir(filepath.Dir(strings.TrimSpace(string(out))))
	all := readAlone(t, corpusOf(t, root, ".py", corpusStep(20), compiler...), compiler...)
	all.check(t, 250)
}

// Functions of npm are made hollow, and read by node. Whoever reads JavaScript as TypeScript finds as many.
func TestHollowJavaScriptIsRead(t *testing.T) {
	t.Parallel()
	_, err := exec.LookPath("node")
	peer.Need(t, "node", err)
	out, err := exec.Command("npm", "root", "-g").Output()
	peer.Need(t, "npm", err)
	node := []string{"node", "-e", `const vm = require("vm");
const unread = (source) => {
  try { new vm.Script("(function () {" + source.replace(/^#!/, "//") + "\n})"); return false } catch { return true }
};
process.stdout.write(JSON.stringify((JSON.parse(require("fs").readFileSync(0)) ?? []).map(unread)))`}
	sources := corpusOf(t, filepath.Join(strings.TrimSpace(string(out)), "npm"), ".js", corpusStep(7), node...)
	all := readAlone(t, sources, node...)
	all.check(t, 250)
	script := hollowed{}
	for path, src := range sources {
		for _, h := range fill(t, path+".ts", []byte(src), corpusStep(3)) {
			if script.asked++; len(h.Forms) == 0 {
				script.unbuilt = append(script.unbuilt, fmt.Sprintf("%s:%d %s", path, h.Line, h.Symbol))
			}
		}
	}
	script.check(t, 250)
}

// A form stands before the body. Where a language has no statement that ends a function, it stands around the body.
func TestWhereFormsStand(t *testing.T) {
	for path, cases := range map[string]map[string]string{
		"a.rb": {
			"def get?;   method == GET end\n": "def get?;   return nil; method == GET end\n",
			"def warn? ;  end\n":              "",
		},
		"a.swift": { // its grammar knows no return without a value, its compiler does
			"func f() {\n    g()\n}\n": "func f() { return ; \n    g()\n}\n",
		},
		"a.ex": {
			"defmodule A do\n  def f(x) do\n    x + 1\n  end\nend\n": " do if(true, do: nil, else: (\n    x + 1\n  )) end",
			"defmodule A do\n  def f(x), do: x + 1\nend\n":           "do:  if(true, do: nil, else: (x + 1)) \n",
			"defmodule A do\n  def f(_), do: nil\nend\n":             "",
		},
		"a.ml": {
			"let f x =\n  print_int x; x\n":      "=\n   if true then Obj.magic 0 else begin print_int x; x end \n",
			"let f = function 0 -> 1 | n -> n\n": "=  if true then (fun _ -> Obj.magic 0) else begin function 0 -> 1 | n -> n end \n",
			"let f (x : int) = ()\n":             "",
		},
	} {
		for src, want := range cases {
			all := fill(t, path, []byte(src), 1)
			if want == "" && len(all) > 0 || want != "" && (len(all) != 1 || len(all[0].Forms) != 1 ||
				!strings.Contains(string(all[0].Forms[0].Source), want)) {
				t.Errorf("%s gives %+v", src, all)
			}
		}
	}
}
