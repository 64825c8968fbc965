package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a line diff says, patch makes of the one file the other; and it is short where little differs.
func TestALineDiffLeadsFromOneFileToTheOther(t *testing.T) {
	var long []string
	for i := range maxCompared {
		long = append(long, fmt.Sprint("line ", i))
	}
	changed := slices.Clone(long)
	changed[5], changed[7000] = "another", "and another"
	for _, c := range []struct {
		name          string
		before, after []string
		lines         int
	}{
		{"nothing", []string{"a"}, []string{"a"}, 0},
		{"from nothing", nil, []string{"a", "b"}, 3},
		{"to nothing", []string{"a", "b"}, nil, 3},
		{"in between", []string{"a", "b", "c"}, []string{"a", "x", "c"}, 5},
		{"moved", []string{"a", "b", "c", "d"}, []string{"c", "a", "b", "d"}, 6},
		{"far apart", long, changed, -1},
		{"all of a long one", long, slices.Concat([]string{"first"}, long[1:5000], []string{"last"}), -1},
		{"both ends", slices.Concat([]string{"x"}, long[:3000], []string{"y"}), slices.Concat([]string{"p"}, long[:3000], []string{"q"}), 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			diff := lineDiff(c.before, c.after)
			if c.lines >= 0 && len(diff) != c.lines {
				t.Errorf("%d lines:\n%s", len(diff), strings.Join(diff, "\n"))
			}
			if got := patched(t, c.before, diff); !slices.Equal(got, c.after) {
				t.Errorf("%d lines come of it, want %d", len(got), len(c.after))
			}
		})
	}
}

// patched is what git makes of lines with a diff.
func patched(t *testing.T, lines, diff []string) []string {
	t.Helper()
	if len(diff) == 0 {
		return lines
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	join := func(lines []string) string { return strings.Join(append(slices.Clone(lines), ""), "\n") }
	if err := os.WriteFile(file, []byte(join(lines)), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", "apply", "-p0", "--unidiff-zero", "-")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), gitEnv(dir)...)
	cmd.Stdin = strings.NewReader("--- f\n+++ f\n" + join(diff))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}
