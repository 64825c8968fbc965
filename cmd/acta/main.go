// Command acta holds coding agents to what they say they did. See README.md, and
// `acta --help` for its commands; docs/ci.md fixes its output and exit codes.
package main

import "os"

func main() {
	c := command{Stdin: os.Stdin, Stdout: terminal(os.Stdout), Stderr: terminal(os.Stderr)}
	os.Exit(c.Main(os.Args))
}
