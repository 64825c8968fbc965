// Command acta-serve is the score API and the web page, and writes the page of a range to a file. `acta serve` and
// `acta report` run it, so that hooks need not link its libraries. See docs/score.md.
package main

import (
	"os"

	"github.com/acta-git/acta/report"
)

func main() {
	c := command{Stdout: os.Stdout, Stderr: report.NewTerminal(os.Stderr, false), Env: os.Environ()}
	os.Exit(c.Main(os.Args))
}
