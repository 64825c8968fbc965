package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress is the line on a terminal that tells how far a long run is.
type progress struct {
	out  io.Writer
	off  bool
	what string // what is counted, in the plural

	done, total int
	started     time.Time
	bar         *progressbar.ProgressBar // nil while nothing is shown
}

const (
	// progressAfter is how long a run takes before it shows how far it is.
	progressAfter = time.Second
	// progressEvery is how often the line is drawn anew.
	progressEvery = 100 * time.Millisecond
)

// watch starts a line about a run that starts now.
func (c command) watch(what string) *progress {
	return &progress{out: c.Stderr.Raw(), off: !c.isWatched(), what: what, started: time.Now()}
}

// tick draws the line when it is time to. A line that cannot be drawn is no reason to stop.
func (p *progress) tick() {
	if p.off || time.Since(p.started) < progressAfter {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions(p.total,
			progressbar.OptionSetWriter(p.out),
			progressbar.OptionSetDescription("acta: "+p.what),
			progressbar.OptionShowCount(),
			progressbar.OptionThrottle(progressEvery),
			progressbar.OptionClearOnFinish(),
		)
	}
	_ = p.bar.Set(p.done)
}

// clear takes the line back, so that another can be printed.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// isWatched reports whether standard error is a terminal that lines can be redrawn on.
func (c command) isWatched() bool {
	f, ok := c.Stderr.Raw().(*os.File)
	return ok && isTerminal(f, c.Getenv)
}
