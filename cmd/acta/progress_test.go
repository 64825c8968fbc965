package main

import (
	"os"
	"strings"
	"testing"
	"time"
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
	p.drawn = time.Now().Add(time.Hour) // it was drawn a moment ago
	p.tick()
	if want := "\racta: 3 of 7 commits\x1b[K"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	p.clear()
	p.clear()
	if want := "\r\x1b[K"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	p.off = true
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
	for _, c := range []command{{Stderr: null, Getenv: getenv}, {Stderr: file, Getenv: getenv}, {Stderr: &strings.Builder{}, Getenv: getenv}} {
		if c.isWatched() {
			t.Errorf("%v is taken for a terminal", c.Stderr)
		}
	}
}
