package tests_test

import (
	"math/rand/v2"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/acta-git/acta/tests"
)

// Whichever lines of a file of tests change: where what differs is said to ask no less, the whole asks no less.
func TestWhatIsQuietAsksNoLess(t *testing.T) {
	rounds := 100
	if n, err := strconv.Atoi(os.Getenv("ACTA_NARROW")); err == nil { // a long search
		rounds = n
	}
	byEnding := map[string][]string{}
	for _, c := range cases(t) {
		for name, content := range c.before {
			if filler[path.Ext(name)] != "" && content != "" && !strings.Contains(name, "conftest") {
				byEnding[path.Ext(name)] = append(byEnding[path.Ext(name)], content)
			}
		}
	}
	for ending, sources := range byEnding {
		t.Run(ending, func(t *testing.T) {
			t.Parallel()
			slices.Sort(sources)
			random := rand.New(rand.NewPCG(5, uint64(len(ending))))
			sure := 0
			for range rounds {
				name := map[string]string{".go": "a_test.go", ".php": "tests/ATest.php", ".rb": "spec/a_spec.rb",
					".py": "tests/test_a.py"}[ending]
				if name == "" {
					name = "tests/a.test" + ending
				}
				content := sources[random.IntN(len(sources))]
				for range random.IntN(4) { // which stand beside each other
					content += "\n" + opening.ReplaceAllString(sources[random.IntN(len(sources))], "")
				}
				was := widened(map[string]string{name: content}, 6)
				is := map[string]string{name: changedLines(random, was[name], sources)}
				if was[name] == is[name] {
					continue
				}
				change := tests.Change{Before: treeOf(was), After: treeOf(is), Paths: []string{name}}
				if quiet, err := change.IsQuiet(t.Context(), name); err != nil {
					t.Fatal(err)
				} else if !quiet {
					continue
				}
				sure++
				if found := said(compare(t, was, is)); found != "" {
					t.Fatalf("%s\n==== became\n%s\n==== which asks less:\n%s", was[name], is[name], found)
				}
			}
			if sure == 0 {
				t.Error("none of them is quiet, so nothing was compared")
			}
			t.Logf("%d of %d are quiet", sure, rounds)
		})
	}
}

// opening is what stands once in a source, at its beginning.
var opening = regexp.MustCompile(`(?m)^(package .*|<\?php)$`)

// changedLines is a source in which some lines are gone, twice there, or those of another source.
func changedLines(random *rand.Rand, src string, others []string) string {
	lines := strings.SplitAfter(src, "\n")
	for range 1 + random.IntN(2) {
		from := random.IntN(len(lines))
		to := min(len(lines), from+1+random.IntN(3))
		var come []string
		switch random.IntN(3) {
		case 0:
			come = slices.Concat(lines[from:to], lines[from:to])
		case 1:
			other := strings.SplitAfter(others[random.IntN(len(others))], "\n")
			at := random.IntN(len(other))
			come = other[at:min(len(other), at+1+random.IntN(4))]
		}
		lines = slices.Concat(lines[:from], come, lines[to:])
	}
	return strings.Join(lines, "")
}
