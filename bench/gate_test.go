package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	gateFiles = 5000 // files of the repository
	gateItems = 10   // items of the report, each citing a file of its own
)

// BenchmarkGate measures what `acta hook commit-msg` costs as a whole process,
// over a Go hook that does nothing: the two, and a mere start of acta, in turn. An
// operation is one turn of the three.
func BenchmarkGate(b *testing.B) {
	dir := b.TempDir()
	noop, acta := build(b, dir)
	repository, message := gateRepository(b, dir, gateFiles*3/4)
	runs := []struct {
		name string
		args []string
	}{
		{"noop", []string{noop, message}},
		{"start", []string{acta, "--version"}},
		{"hook", []string{acta, "hook", "commit-msg", message}},
	}
	took := map[string][]float64{}
	for _, r := range runs { // once to warm up
		timed(b, repository, r.args)
	}
	b.ResetTimer()
	for range b.N {
		for _, r := range runs {
			took[r.name] = append(took[r.name], timed(b, repository, r.args))
		}
	}
	b.StopTimer()
	for _, r := range runs {
		measured(b, took, r.name, "noop")
	}
}

// build compiles the no-op hook, and acta as install.sh does.
func build(b *testing.B, dir string) (noop, acta string) {
	b.Helper()
	source := filepath.Join(dir, "noop.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o666); err != nil {
		b.Fatal(err)
	}
	noop, acta = filepath.Join(dir, "noop"), filepath.Join(dir, "acta")
	must(b, ".", nil, "go", "build", "-o", noop, source)
	static := exec.Command("go", "build", "-C", "..", "-tags", "urfave_cli_no_docs,netgo,osusergo", "-ldflags", "-linkmode=external -extldflags=-static", "-o", acta, "./cmd/acta")
	if runtime.GOOS != "linux" || static.Run() != nil {
		must(b, "..", nil, "go", "build", "-tags", "urfave_cli_no_docs", "-o", acta, "./cmd/acta")
	}
	return noop, acta
}

// gateRepository makes a repository of gateFiles files, the first so many
// committed and packed and all others staged, and the message of an honest ACT over the last gateItems, in three languages.
func gateRepository(b *testing.B, dir string, committed int) (repository, message string) {
	b.Helper()
	repository = filepath.Join(dir, "repository")
	must(b, dir, nil, "git", "init", "--quiet", "--initial-branch=main", repository)
	for i := range gateFiles {
		if i == committed {
			commitAll(b, repository)
		}
		path := filepath.Join(repository, fmt.Sprintf("src/p%02d/s%d", i%50, i%7), fmt.Sprintf("f%04d%s", i, extension(i)))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(sourceFile(i)), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	must(b, repository, nil, "git", "add", "--all")
	// git commit notes the trees in the index before it calls a hook.
	must(b, repository, nil, "git", "write-tree")
	var text strings.Builder
	text.WriteString("ACT: M01/S01/T01 ten items\n\n")
	for n := range gateItems {
		i := gateFiles - 1 - n
		fmt.Fprintf(&text, "Done: Add work%d | src/p%02d/s%d/f%04d%s:%d-%d\n", i, i%50, i%7, i, extension(i), 10, 12)
	}
	message = filepath.Join(repository, ".git", "COMMIT_EDITMSG")
	if err := os.WriteFile(message, []byte(text.String()), 0o666); err != nil {
		b.Fatal(err)
	}
	return repository, message
}

func commitAll(b *testing.B, repository string) {
	b.Helper()
	must(b, repository, nil, "git", "add", "--all")
	must(b, repository, nil, "git", "-c", "user.name=a", "-c", "user.email=a@agents.invalid", "commit", "--quiet", "-m", "Base")
	// As a clone is.
	must(b, repository, nil, "git", "gc", "--quiet")
}

func extension(i int) string { return []string{".py", ".go", ".ts"}[i%3] }

// sourceFile is about 120 lines of code in the language of file i.
func sourceFile(i int) string {
	var b strings.Builder
	switch extension(i) {
	case ".go":
		b.WriteString("package p\n\n")
		for n := range 20 {
			fmt.Fprintf(&b, "// work%d works.\nfunc work%d(a, b int) int {\n\tif a > b {\n\t\treturn a - b\n\t}\n\treturn b*%d + a\n}\n\n", n, n, i+n)
		}
	case ".ts":
		for n := range 20 {
			fmt.Fprintf(&b, "export function work%d(a: number, b: number): number {\n  if (a > b) {\n    return a - b;\n  }\n  return b * %d + a;\n}\n", n, i+n)
		}
	default:
		for n := range 20 {
			fmt.Fprintf(&b, "def work%d(a, b):\n    \"\"\"Work.\"\"\"\n    if a > b:\n        return a - b\n    return b * %d + a\n\n", n, i+n)
		}
	}
	return b.String()
}

// timed runs a command as git runs a hook and returns its wall time in milliseconds.
func timed(b *testing.B, dir string, args []string) float64 {
	b.Helper()
	start := time.Now()
	must(b, dir, []string{"GIT_INDEX_FILE=.git/index", "GIT_EDITOR=:"}, args[0], args[1:]...)
	return float64(time.Since(start).Microseconds()) / 1000
}

func must(b *testing.B, dir string, env []string, name string, args ...string) {
	b.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

// asked is the number that the environment names, another one where it names none.
func asked(b *testing.B, name string, otherwise int) int {
	b.Helper()
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		b.Fatalf("%s: %v", name, err)
	}
	return n
}

// measured reports the least and the median of what one took, and of what that is over the base.
func measured(b *testing.B, took map[string][]float64, name, base string) {
	b.Helper()
	b.ReportMetric(median(took[name]), name+"-ms")
	b.ReportMetric(slices.Min(took[name]), name+"-least-ms")
	if name != base {
		b.ReportMetric(over(took[name], took[base]), name+"-over-"+base+"-ms")
		b.ReportMetric(slices.Min(took[name])-slices.Min(took[base]), name+"-over-"+base+"-least-ms")
	}
}

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

// over is the median of the differences turn by turn, so that a machine that slows down meanwhile does not count.
func over(took, base []float64) float64 {
	var all []float64
	for i := range took {
		all = append(all, took[i]-base[i])
	}
	return median(all)
}
