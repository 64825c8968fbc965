//go:build linux

package evidence

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/acta-git/acta/report"
)

// hostile are sources that make a parser recurse, backtrack or crawl, by the
// extensions of the languages that they are read as.
func hostile() map[string]map[string]string {
	random := make([]byte, 1<<20)
	source := rand.New(rand.NewPCG(1, 2))
	for i := range random {
		random[i] = byte(source.UintN(255) + 1)
	}
	return map[string]map[string]string{
		".rs": {
			"many":     strings.Repeat("fn f() {}\n", 40_000),
			"cfg":      strings.Repeat("#[cfg(not(x))] fn f() {}\n", 20_000),
			"generics": strings.Repeat("fn f<T: A<", 30_000),
			"nested":   strings.Repeat("mod a { fn f() {", 700) + strings.Repeat("}", 1400),
		},
		".c .cpp": {
			"many":   strings.Repeat("void f(void) {}\n", 30_000),
			"ifs":    strings.Repeat("#if A\nvoid f(void) {}\n", 3_000),
			"macros": strings.Repeat("FOO_API void f(void) {}\n", 20_000),
		},
		".c": {
			"arguments": strings.Repeat("FOO(", 1_400),
			"lines":     strings.Repeat("FOO_BAR\n", 100_000),
			"slashes":   strings.Repeat("A_B /* x */ /", 50_000),
			"quotes":    strings.Repeat("\"'R\"(", 300_000),
		},
		".cpp": {
			"else":    "#if A\n#else\n" + strings.Repeat("void f(void) {}\n", 30_000),
			"classes": strings.Repeat("class A ", 100_000),
			"members": "class A {" + strings.Repeat("A(int x) {}\n", 30_000) + "};",
			"nested":  strings.Repeat("namespace a { void f() {", 700) + strings.Repeat("}", 1400),
			"angles":  strings.Repeat("A<", 300_000),
			"init":    strings.Repeat("A::A() : a(0) {}\n", 20_000),
			"random":  string(random),
		},
		".swift": {
			"many":      strings.Repeat("func f() {}\n", 30_000),
			"extension": "extension A {" + strings.Repeat("func f() {}\n", 30_000) + "}",
			"ticks":     strings.Repeat("`a b", 300_000),
			"hashes":    strings.Repeat("#a ", 300_000),
		},
		".py .go .js .ts .tsx": {
			"brackets": strings.Repeat("(", 100_000),
			"closed":   strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000),
			"string":   "x = \"" + strings.Repeat("()", 1<<20) + "\"",
		},
		".py": {
			"sum":           "x = " + strings.Repeat("a + ", 1<<19) + "1",
			"not":           "x = " + strings.Repeat("not ", 100_000) + "1",
			"nested if":     indented("if x:\n", 1200),
			"defs":          indented("def f():\n", 1200),
			"many":          strings.Repeat("def f(): pass\n", 100_000),
			"at":            strings.Repeat("@a\n", 300_000),
			"tests":         strings.Repeat("def test(): assert True\n", 30_000),
			"long test":     "def test(a=\"" + strings.Repeat("x", 1<<20) + "\"):\n" + strings.Repeat(" def f(): g()\n", 10_000) + strings.Repeat(" assert True\n", 10_000),
			"errors":        strings.Repeat("def (:\n", 50_000),
			"closed errors": strings.Repeat("def ):\n", 50_000),
		},
		".go": {
			"news":    strings.Repeat("new(a[", 300_000),
			"strings": strings.Repeat("new(\"", 300_000),
			"call":    "package a\nvar x = f(" + strings.Repeat("1, ", 700_000) + "1)",
			"many":    "package a\n" + strings.Repeat("func f() {}\n", 100_000),
			"quotes":  strings.Repeat("\"'`", 300_000),
		},
		".js": {
			"arrows":    "x = " + strings.Repeat("a=>", 100_000) + "1",
			"bangs":     "x = " + strings.Repeat("!", 500_000) + "1",
			"templates": strings.Repeat("`${", 1400),
			"else if":   "if (a) {}" + strings.Repeat(" else if (a) {}", 20_000),
			"comments":  strings.Repeat("// x\n", 300_000),
		},
		".yaml .toml .json .tf .css .html .sql .dockerfile .proto .md": {
			"brackets": strings.Repeat("[", 100_000),
			"braces":   strings.Repeat("{", 1400),
			"random":   string(random[:1<<17]),
			"blanks":   strings.Repeat(" \n", 60_000),
			"comments": strings.Repeat("# x\n", 60_000),
			"tags":     strings.Repeat("<a>", 20_000),
		},
		".yaml": {
			"dashes":  strings.Repeat("- ", 12_000) + "a",
			"keys":    strings.Repeat("a: 1\n", 300_000),
			"nested":  indented("a:\n", 1200),
			"anchors": strings.Repeat("&a ", 10_000),
			"quoted":  "a: \"" + strings.Repeat("x\n ", 500_000) + "\"",
		},
		".json": {
			"pairs":   "{" + strings.Repeat("\"a\": \"TODO\",", 100_000) + "}",
			"slashes": strings.Repeat("/*", 500_000),
			"values":  strings.Repeat("1\n", 500_000),
		},
		".md": {
			"quotes":   strings.Repeat("> ", 100_000) + "a",
			"lists":    indented("- a\n", 600),
			"todo":     strings.Repeat("TODO\n\n", 100_000),
			"emphasis": strings.Repeat("*_", 200_000),
			"table":    strings.Repeat("| a ", 100_000) + "\n" + strings.Repeat("| - ", 100_000),
		},
		".html": {
			"todo":    strings.Repeat("<p>", 500) + "TODO" + strings.Repeat("</p>", 500),
			"scripts": strings.Repeat("<script>// x\n</script>", 50_000),
		},
		".groovy": {
			"no end": "class A {\n int f(int a, int b) {\n  if (b == 0) { throw new B(\"b\") }\n  return a.g(b)\n @Test\n" +
				"class A {\n def g(Closure c) { c.call(); c.call() }\n}\n",
		},
		".tsx": {
			"nested":  strings.Repeat("function f() {", 1200) + strings.Repeat("}", 1200),
			"members": "x = a" + strings.Repeat(".b", 200_000),
			"random":  string(random),
			"tags":    "x = " + strings.Repeat("<a>", 50_000),
		},
	}
}

func indented(line string, depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + line)
	}
	b.WriteString(strings.Repeat(" ", depth) + "pass\n")
	return b.String()
}

// hostileSource is a source, and the path at which it is judged.
type hostileSource struct{ name, path, text string }

func hostileSources() []hostileSource {
	all := hostileTests()
	for _, sources := range []map[string]map[string]string{hostile(), hostileOfJavaKin()} {
		for extensions, texts := range sources {
			for ext := range strings.FieldsSeq(extensions) {
				for name, text := range texts {
					all = append(all, hostileSource{ext + "/" + name, "a" + ext, text})
				}
			}
		}
	}
	return all
}

// TestHostileSources judges at most 64 KiB of each: a deep one is shorter, and a long one is only slower.
func TestHostileSources(t *testing.T) {
	for _, s := range hostileSources() {
		t.Run(s.name, func(t *testing.T) { t.Parallel(); judgeHostile(t, s.path, s.text[:min(len(s.text), 64<<10)]) })
	}
}

// BenchmarkHostileSources judges the whole of each, and fails where one takes more than two seconds of processor time:
// go test ./evidence -run '^$' -bench Hostile -benchtime 1x.
func BenchmarkHostileSources(b *testing.B) {
	all := hostileSources()
	for _, g := range grammars() {
		for _, sources := range []map[string]string{everywhere(), manyTokens()} {
			for name, text := range sources {
				all = append(all, hostileSource{g.extensions[0] + "/" + name, "a" + g.extensions[0], text})
			}
		}
	}
	for _, s := range all {
		b.Run(s.name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			start := spent(b)
			for b.Loop() {
				judgeHostile(b, s.path, s.text)
			}
			took := (spent(b) - start) / time.Duration(b.N)
			b.ReportMetric(took.Seconds(), "cpu-s")
			if took > 2*time.Second {
				b.Errorf("took %v", took)
			}
		})
	}
}

// spent is the processor time of this thread: on a busy machine the wall clock measures the others.
func spent(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func judgeHostile(t testing.TB, path, src string) {
	j := &Judge{Tree: memory{path: file(src)}.tree(), Limits: Limits{MaxFileBytes: 8 << 20}}
	r, err := j.Evidence(t.Context(), Claim{Evidence: cite(t, path+":1")})
	if err != nil || r.Verdict < report.Verified || r.Verdict > report.NotVerified {
		t.Errorf("%+v, %v", r, err)
	}
	t.Logf("%s %s", r.Verdict, r.Reason)
}

// twoMiB repeats s up to 2 MiB, the default limit of a file.
func twoMiB(s string) string { return strings.Repeat(s, 2<<20/len(s)) }

// everywhere are sources of at most 2 MiB that are hostile in any
// language: to its parser's stack, its scanner, its lists, its memory.
func everywhere() map[string]string {
	return map[string]string{
		"brackets":      strings.Repeat("(", 100_000),
		"one line":      "x = \"" + twoMiB("()")[:2<<20-8] + "\"",
		"open quotes":   twoMiB("\"'`"),
		"invalid UTF-8": twoMiB("\xff"),
	}
}

// manyTokens are sources of one token over and over, in any language: slow to read, and no larger in memory than everywhere's.
func manyTokens() map[string]string {
	return map[string]string{
		"words":      twoMiB("ab "),
		"operators":  twoMiB("a:"),
		"comments":   twoMiB("//\n"),
		"hashes":     twoMiB("#\n"),
		"backticks":  twoMiB("`"),
		"angles":     twoMiB("<"),
		"raw string": twoMiB("r#\""),
		"calls":      twoMiB("a()\n"),
	}
}

// hostileIn is the variable that makes a run of this test a judge of everywhere's sources in the language of that extension.
const hostileIn = "ACTA_TEST_HOSTILE_IN"

// TestHostileFilesOfEveryLanguageAreBounded judges every source of everywhere in every
// language, a process a language, so that its memory is the parsers' own: within 500 MB.
func TestHostileFilesOfEveryLanguageAreBounded(t *testing.T) {
	if ext, ok := os.LookupEnv(hostileIn); ok {
		for name, src := range everywhere() {
			t.Run(name, func(t *testing.T) { judgeHostile(t, "a"+ext, src) })
		}
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("%s\n", status)
		return
	}
	for _, g := range grammars() {
		ext := g.extensions[0]
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+strings.Split(t.Name(), "/")[0]+"$", "-test.v")
			cmd.Env = append(os.Environ(), hostileIn+"="+ext)
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "--- PASS: "+strings.Split(t.Name(), "/")[0]+"/brackets") {
				t.Fatalf("%v\n%s", err, out)
			}
			// The system's account of a child begins with what its parent held, so the child tells of itself.
			_, status, _ := strings.Cut(string(out), "VmHWM:")
			var peak int
			if _, err := fmt.Sscanf(status, "%d kB", &peak); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if peak > 500_000 {
				t.Errorf("it took %d MB", peak/1000)
			}
			t.Logf("%d MB", peak/1000)
		})
	}
}

// hostileTests are tests of which it takes long to ask whether they can fail.
func hostileTests() []hostileSource {
	imports := strings.Repeat("import { a } from './a';\n", 20_000)
	python := func(line string, times int) string {
		return "def test_a():\n" + strings.Repeat("    "+line+"\n", times)
	}
	return []hostileSource{
		{"test/imports", "a.test.js", imports + "it('a', () => {\n" + strings.Repeat("  expect(1).toBe(2);\n", 500) + "});\n"},
		{"test/same", "a_test.py", python("assert a == a", 12_000)},
		{"test/handlers", "a_test.py", python("try: f()\n    except Exception: pass", 20_000)},
		{"test/long", "a_test.py", python("assert 'a' == \"b\"", 50_000)},
		{"test/doubles", "a_test.py", python("a = Mock(); a.b.return_value = 1", 400) + "    assert a.b() == 1\n"},
		{"test/names", "a_test.py", python("assert len([1]) == sum([2])", 500) + strings.Repeat("def f():\n    return g()\n", 20_000)},
	}
}
