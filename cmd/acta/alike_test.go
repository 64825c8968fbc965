package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/tools/txtar"
)

var wantedLines = regexp.MustCompile(`(?m)^(\d+(?:-\d+)?) (?:code|test|text) `)

// corpus writes the sources of every language's cases below dir, and a large one, and returns a claim for each of their spans.
func corpus(t *testing.T, dir string) string {
	t.Helper()
	archives, err := filepath.Glob("../../evidence/lang/*/cases/*.txtar")
	if err != nil || len(archives) < 40 {
		t.Fatalf("%d archives of cases: %v", len(archives), err)
	}
	message := "ACT: judge the corpus\n\n"
	claimed := map[string]bool{}
	claim := func(place string) {
		if !claimed[place] {
			claimed[place] = true
			message += fmt.Sprintf("Done: Write part %d | %s\n", len(claimed), place)
		}
	}
	for i := 0; i < len(archives); i += 6 { // a sixth has enough of each verdict
		archive := archives[i]
		cases, err := txtar.ParseFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		folder := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(archive), "../../evidence/"), ".txtar"), "/", "-")
		for _, f := range cases.Files {
			if source, isWant := strings.CutSuffix(f.Name, ".want"); isWant {
				for _, m := range wantedLines.FindAllStringSubmatch(string(f.Data), -1) {
					claim(folder + "/" + source + ":" + m[1])
				}
				continue
			}
			writeBelow(t, dir, folder+"/"+f.Name, string(f.Data))
		}
	}
	var large strings.Builder
	large.WriteString("def charge(card):\n    pass\n")
	for i := 0; large.Len() < 900_000; i++ {
		fmt.Fprintf(&large, "\ndef rate_%d(amount, days):\n    if days > %d:\n        return amount * %d + days\n    return amount\n", i, i%31, i)
	}
	writeBelow(t, dir, "large.py", large.String())
	claim("large.py:1-2")
	claim("large.py:4-7")
	return message
}

func writeBelow(t *testing.T, dir, path, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// busily runs all of fs at once, while as many loops as there are cores take what time they get.
func busily(fs ...func()) {
	var done atomic.Bool
	for range runtime.NumCPU() {
		go func() {
			for n := 0; !done.Load(); n++ {
			}
		}()
	}
	defer done.Store(true)
	var group sync.WaitGroup
	for _, f := range fs {
		group.Go(f)
	}
	group.Wait()
}

// What is judged, and how, is the same on a machine that has nothing else to do and on one that is busy.
func TestACorpusIsJudgedAlikeIdleAndBusy(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	message := filepath.Join(home, "message")
	writeBelow(t, home, "message", corpus(t, dir))
	acta := actaCommand(t)
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), gitEnv(home)...)
		var complaint strings.Builder
		cmd.Stderr = &complaint
		out, err := cmd.Output()
		if err != nil && (name != acta || cmd.ProcessState.ExitCode() != exitFindings) {
			t.Errorf("%s %v: %v: %s", name, args, err, &complaint)
		}
		return strings.TrimSpace(string(out))
	}
	run("git", "init", "--quiet")
	run("git", "commit", "--quiet", "--allow-empty", "-m", "begin")
	run("git", "add", "--all")
	run("git", "commit", "--quiet", "--no-verify", "-F", message)
	landed := "HEAD.." + run("git", "rev-parse", "HEAD")
	run("git", "reset", "--quiet", "--soft", "HEAD~1") // so that one repository is there for both
	check := func() string { return run(acta, "check", "--message", message, "--format", "json") }
	verify := func() string { return run(acta, "verify", landed, "--format", "json") }
	verdicts := map[string]string{"check": check(), "verify": verify()}
	busily(
		func() { sameVerdicts(t, "acta check", verdicts["check"], check()) },
		func() { sameVerdicts(t, "acta verify", verdicts["verify"], verify()) })
	for _, name := range slices.Sorted(maps.Keys(verdicts)) {
		for _, verdict := range []string{`"verified"`, `"unclear"`, `"not_verified"`} {
			if n := strings.Count(verdicts[name], verdict); n < 20 {
				t.Errorf("acta %s: %d claims are %s: the corpus is not judged", name, n, verdict)
			}
		}
	}
}

func sameVerdicts(t *testing.T, command, idle, busy string) {
	t.Helper()
	if idle == busy {
		return
	}
	one, other := strings.Split(idle, "\n"), strings.Split(busy, "\n")
	for i := range min(len(one), len(other)) {
		if one[i] != other[i] {
			t.Errorf("%s says at line %d\nidle %s\nbusy %s", command, i+1, one[i], other[i])
			return
		}
	}
	t.Errorf("%s says %d lines idle and %d busy", command, len(one), len(other))
}
