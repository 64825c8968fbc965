package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/acta-git/acta/parser/shell"
)

// waitedFor are files of the work tree that acta reads, next to those of its state.
var waitedFor = []string{
	".acta.yaml", "working_plan/current.json", "HEARTBEAT.md", "package.json", "lefthook.yml", ".pre-commit-config.yaml",
	".claude/settings.json", "src/auth.py", ".git/COMMIT_EDITMSG", "../act",
}

// No command waits for a FIFO that stands in the place of a file.
func TestNothingWaitsForAFIFO(t *testing.T) {
	h := newTrapped(t, false)
	h.git("config --unset core.hooksPath")
	h.shell(".", "acta plan lease T02 --actor executor-01; acta worklog start --task x")
	var state []string
	for _, name := range slices.Sorted(maps.Keys(hostileCalls)) {
		for _, line := range hostileCalls[name] {
			h.shell(".", line)
		}
	}
	err := filepath.WalkDir(filepath.Join(h.dir, ".git/acta"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			state = append(state, path)
		}
		return err
	})
	if err != nil || len(state) < 5 {
		t.Fatal(state, err)
	}
	for i := range waitedFor {
		waitedFor[i] = filepath.Join(h.dir, waitedFor[i])
	}
	for _, files := range [][]string{state, waitedFor} {
		for _, file := range files {
			_ = os.MkdirAll(filepath.Dir(file), 0o777)
			_ = os.Remove(file)
			if err := syscall.Mkfifo(file, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range append(slices.Sorted(maps.Keys(hostileCalls)), "doctor") {
			lines := append([]string{"acta " + name}, hostileCalls[name]...)
			for i, line := range lines {
				if strings.Contains(line, "cp ../") || i > 0 && line == lines[0] {
					continue // the first is the shell's wait
				}
				if out := h.shell(".", "timeout 60 sh -c "+shell.Line([]string{line})+" </dev/null; echo ended: $?"); strings.HasSuffix(out, "ended: 124\n") {
					t.Errorf("%s waits:\n%s", line, out)
				}
			}
		}
	}
}
