package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// samples are a function of each language that has a parser on a developer's machine, with everything that a form may ask for.
var samples = map[string]string{
	"sample.py":            "class Cart:\n    def total(self, items, rate):\n        \"\"\"Sum up.\"\"\"\n        net = sum(items)\n        tax = net * rate\n        return net + tax\n",
	"sample.go":            "package p\n\nfunc (c *Cart) Total(items []int, rate int) int {\n\tnet := 0\n\tfor _, i := range items {\n\t\tnet += i\n\t}\n\treturn net * rate\n}\n",
	"sample.sh":            "total() {\n\tlocal net=$1\n\tnet=$((net + $2))\n\tprintf '%s' \"$net\"\n}\n",
	"sample.js":            "function total(items, rate) {\n  const net = items.length;\n  const tax = net * rate;\n  return net + tax;\n}\n",
	"tests/test_sample.py": "def test_total():\n    cart = Cart()\n    cart.add(1)\n    assert cart.total() == 1\n",
}

// parsers read sources with a NUL between them and print the number of each that is none, from 0, with their complaint.
var parsers = map[string][]string{
	".py": {"python3", "-c", `import ast, sys
for i, text in enumerate(sys.stdin.buffer.read().decode().split("\0")):
    try: ast.parse(text)
    except SyntaxError as e: print(i, e)`},
	".js": {"node", "-e", `require("fs").readFileSync(0, "utf8").split("\0").forEach((text, i) => {
	try { new Function(text) } catch (e) { console.log(i, e.message) } })`},
	".sh": {"bash", "-c", `i=0; while IFS= read -r -d "" text; do words=$(bash -n <<<"$text" 2>&1) || echo "$i $words"; i=$((i+1)); done`},
}

// complaints are what a language's own parser says of sources, one a line.
func complaints(t *testing.T, extension string, sources []string) string {
	t.Helper()
	if extension == ".go" {
		var words strings.Builder
		for i, text := range sources {
			if _, err := parser.ParseFile(token.NewFileSet(), "sample.go", text, parser.SkipObjectResolution); err != nil {
				fmt.Fprintln(&words, i, err)
			}
		}
		return words.String()
	}
	command := parsers[extension]
	if _, err := exec.LookPath(command[0]); err != nil {
		t.Logf("%s was not found: forms of %s are not parsed", command[0], extension)
		return ""
	}
	cmd := exec.Command(command[0], command[1:]...)
	text := strings.Join(sources, "\x00")
	if extension == ".sh" {
		text += "\x00"
	}
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command[0], err, out)
	}
	return string(out)
}

// Every form leaves a source that its language's own parser reads.
func TestEveryFormParses(t *testing.T) {
	for path, text := range samples {
		src := &source{path: path, bytes: []byte(text), hunks: [][2]int{{1, strings.Count(text, "\n")}}}
		forms, err := formsOf(dialectOf(path).name)
		if err != nil {
			t.Fatal(err)
		}
		line := 1 + strings.Count(text[:strings.Index(text, "otal")], "\n")
		functions := functionsOf(src, []start{{name: nameAt(text), line: line, member: strings.HasPrefix(text, "class")}})
		if len(functions) != 1 {
			t.Fatalf("%s: %d functions", path, len(functions))
		}
		var made, names []string
		for _, form := range forms {
			if hollow, claims := hollowSource(src, functions, form); len(claims) > 0 {
				made, names = append(made, string(hollow)), append(names, fmt.Sprint(len(names), " ", form.class, "/", form.name))
			}
		}
		if len(made) < 4 || !strings.Contains(path, "test") && len(made) < 25 {
			t.Errorf("%s: only %d forms of %d were made", path, len(made), len(forms))
		}
		if words := complaints(t, filepath.Ext(path), made); words != "" {
			t.Errorf("%s does not parse with every form\n%s%s", path, words, strings.Join(names, "\n"))
		}
	}
}

func nameAt(text string) string {
	for _, name := range []string{"test_total", "total", "Total"} {
		if strings.Contains(text, name+"(") {
			return name
		}
	}
	return ""
}

func TestReadingsAndFloorsAreWellFormed(t *testing.T) {
	if _, err := readingsOf(readingsText); err != nil {
		t.Error(err)
	}
	floors, err := floorsOf(floorsText)
	if err != nil {
		t.Error(err)
	}
	known := map[string]bool{}
	var languages []string
	for _, d := range dialects {
		languages = append(languages, d.name)
	}
	for _, b := range bounds(languages) {
		known[b.figure+": "+b.share] = true
	}
	for key := range floors {
		if !known[key] {
			t.Errorf("floors.txt: there is no figure %q", key)
		}
	}
	for _, bad := range []string{"flask a.py:1-2: fine, it is", "flask a.py:1-2"} {
		if _, err := readingsOf(bad); err == nil {
			t.Errorf("%q is a reading", bad)
		}
	}
}

// A floor stands for an aim that is missed, and only down to itself.
func TestAFloorHoldsWhatIsReached(t *testing.T) {
	var claims tables
	for i := range 10 {
		verdict := "not_verified"
		if i < 2 {
			verdict = "verified"
		}
		claims.claims = append(claims.claims, judged{claim: &claim{class: "nothing", form: "empty", language: "go", verdict: verdict}})
	}
	for floor, missed := range map[float64]bool{0.8: false, 0.81: true} {
		floors := map[string]float64{plainHollow + ": refused": floor, "hollow in go: refused": floor}
		var page strings.Builder
		if got := claims.print(&page, floors); got != missed {
			t.Errorf("with a floor of %v, missed is %v\n%s", floor, got, &page)
		}
	}
	var page strings.Builder
	if !claims.print(&page, nil) {
		t.Error("without a floor, 80% is enough")
	}
}
