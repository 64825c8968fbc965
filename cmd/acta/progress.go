package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progress is the line on a terminal that tells how far a long run is.
type progress struct {
	out  io.Writer
	off  bool
	what string // what is counted, in the plural

	done, total int
	started     time.Time
	drawn       time.Time // the zero time while nothing is shown
}

const (
	// progressAfter is how long a run takes before it shows how far it is.
	progressAfter = time.Second
	// progressEvery is how often the line is drawn anew.
	progressEvery = 100 * time.Millisecond
)

// watch starts a line about a run that starts now.
func (c command) watch(what string) *progress {
	return &progress{out: c.Stderr, off: !c.isWatched(), what: what, started: time.Now()}
}

// tick draws the line when it is time to.
func (p *progress) tick() {
	now := time.Now()
	if p.off || now.Sub(p.started) < progressAfter || now.Sub(p.drawn) < progressEvery {
		return
	}
	p.drawn = now
	fmt.Fprintf(p.out, "\racta: %d of %d %s\x1b[K", p.done, p.total, p.what)
}

// clear takes the line back, so that another can be printed.
func (p *progress) clear() {
	if !p.drawn.IsZero() {
		p.drawn = time.Time{}
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

// isWatched reports whether standard error is a terminal. The null device is a
// character device too.
func (c command) isWatched() bool {
	f, ok := c.Stderr.(*os.File)
	if !ok || c.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
