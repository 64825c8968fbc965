package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// stages are the hooks that `git commit` calls, of those that acta installs; all
// of what acta installs by default that the pre-commit framework has a type for is installed for each.
var stages = []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-merge", "post-rewrite", "pre-push"}

// BenchmarkHooks measures `git commit` of ten files with a ten-item report, in a
// repository of gateFiles files: without hooks, with all that acta installs, and
// with the pre-commit framework and lefthook where they are on PATH, the same hook
// types installed and each doing nothing. An operation is one commit of each, in turn.
func BenchmarkHooks(b *testing.B) {
	dir := b.TempDir()
	_, acta := build(b, dir)
	plain, message := gateRepository(b, dir, gateFiles-gateItems)
	report, err := os.ReadFile(message)
	if err != nil {
		b.Fatal(err)
	}
	text := filepath.Join(dir, "message")
	if err := os.WriteFile(text, report, 0o666); err != nil {
		b.Fatal(err)
	}
	dir = filepath.Join(dir, "contestants")
	if err := os.Mkdir(dir, 0o777); err != nil {
		b.Fatal(err)
	}
	names := contestants(b, dir, plain, acta)
	took := map[string][]float64{}
	for _, name := range names { // once to warm up
		timedCommit(b, filepath.Join(dir, name), text)
	}
	b.ResetTimer()
	for range b.N {
		for _, name := range names {
			took[name] = append(took[name], timedCommit(b, filepath.Join(dir, name), text))
		}
	}
	b.StopTimer()
	for _, name := range names {
		measured(b, took, name, "none")
	}
}

// contestants makes a copy of the repository for each, with its hooks installed, and returns their names.
func contestants(b *testing.B, dir, plain, acta string) []string {
	b.Helper()
	install := map[string]func(repository string){
		"none": func(string) {},
		"acta": func(repository string) { must(b, repository, nil, acta, "install") },
		"pre-commit": func(repository string) {
			write(b, filepath.Join(repository, ".pre-commit-config.yaml"), "repos:\n- repo: local\n  hooks:\n"+
				"  - {id: nothing, name: nothing, entry: \"true\", language: system, always_run: true, pass_filenames: false}\n")
			for _, stage := range stages {
				must(b, repository, nil, "pre-commit", "install", "--hook-type", stage)
			}
			must(b, repository, nil, "git", "add", ".pre-commit-config.yaml")
		},
		"lefthook": func(repository string) {
			var config strings.Builder
			for _, stage := range stages {
				fmt.Fprintf(&config, "%s:\n  commands:\n    nothing:\n      run: \"true\"\n", stage)
			}
			write(b, filepath.Join(repository, "lefthook.yml"), config.String())
			must(b, repository, nil, "lefthook", "install")
		},
	}
	names := []string{"none", "acta", "pre-commit", "lefthook"}
	names = slices.DeleteFunc(names, func(name string) bool {
		_, err := exec.LookPath(name)
		return err != nil && name != "none" && name != "acta"
	})
	for _, name := range names {
		repository := filepath.Join(dir, name)
		must(b, dir, nil, "cp", "-r", plain, repository)
		install[name](repository)
	}
	return names
}

// timedCommit commits what is staged, takes it back, and returns the wall time of the commit in milliseconds.
func timedCommit(b *testing.B, repository, message string) float64 {
	b.Helper()
	who := []string{"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@agents.invalid", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@agents.invalid"}
	start := time.Now()
	must(b, repository, who, "git", "commit", "--quiet", "-F", message)
	took := float64(time.Since(start).Microseconds()) / 1000
	must(b, repository, nil, "git", "-c", "core.hooksPath="+os.DevNull, "reset", "--quiet", "--soft", "HEAD~1")
	return took
}

func write(b *testing.B, path, text string) {
	b.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
}
