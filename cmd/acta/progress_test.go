package main

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/diag"
)

func TestProgressIsShownOnLongRunsAndTakenBack(t *testing.T) {
	var out strings.Builder
	p := progress{out: &out, what: "commits", total: 7, done: 3, started: time.Now().Add(time.Hour)}
	p.tick()
	p.clear()
	if out.String() != "" {
		t.Errorf("a short run shows %q", out.String())
	}
	p.started = time.Now().Add(-time.Hour)
	p.tick()
	if !strings.Contains(out.String(), "acta: commits") || !strings.Contains(out.String(), "3/7") {
		t.Errorf("%q does not say that 3 of 7 commits are done", out.String())
	}
	out.Reset()
	p.clear()
	if line := out.String(); strings.TrimSpace(line) != "" || !strings.HasSuffix(line, "\r") {
		t.Errorf("%q does not take the line back", line)
	}
	out.Reset()
	p = progress{out: &out, what: "commits", total: 7, done: 3, off: true}
	p.tick()
	if out.String() != "" {
		t.Errorf("it shows %q where nobody watches", out.String())
	}
}

func TestOnlyATerminalIsWatched(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	file, err := os.Create(t.TempDir() + "/stderr")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	getenv := func(string) string { return "" }
	for _, out := range []io.Writer{null, file, &strings.Builder{}} {
		if c := (command{Stderr: diag.NewTerminal(out, false), Getenv: getenv}); c.isWatched() {
			t.Errorf("%v is taken for a terminal", out)
		}
	}
}
