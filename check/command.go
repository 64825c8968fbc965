package check

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// maxCommand is how long a command line may be to be read, in bytes. It bounds how deep the parser goes into brackets.
const maxCommand = 4 << 10

// command is a shell command line as far as its exit code tells of the programs that it runs.
type command struct {
	// calls are the programs of an `&&` chain, whose exit code is that of the line; nil where it need not be.
	calls []call
	// ending are the programs that the exit code of the line may be of, all those that it names anywhere.
	ending, all []call
	// text is the line as far as it was not understood.
	text string
}

// call is a program that is run with its arguments.
type call struct {
	// words are the program and its arguments, without quotes, redirections and
	// what only runs the program: env, time, timeout, sh -c.
	words []string
	// setup is what prepares it earlier in its chain: a folder that is changed to, a variable, a file that is sourced.
	setup []string
	// timed: where it takes too long, the exit code is that of timeout.
	timed bool
}

// readCommand reads a command line. What several statements end with is not worked out: it may be of any program that
// they name, and so it may after `set`, which makes lists and pipelines end otherwise.
func readCommand(line string) command {
	if len(line) > maxCommand {
		return command{text: line}
	}
	file, line, err := parseCommand(line)
	if err != nil {
		return command{text: line}
	}
	r := commandReader{line: line, scripts: map[*syntax.CallExpr]command{}}
	c := command{all: r.inside(file)}
	c.ending = c.all
	if len(file.Stmts) != 1 {
		return c
	}
	ending, chain := r.statement(file.Stmts[0])
	for _, call := range ending {
		if chain && !prepares(call.words[0]) && !cannotFail(call.words[0]) {
			c.calls = append(c.calls, call)
		}
	}
	if !slices.ContainsFunc(c.all, func(c call) bool { return c.words[0] == "set" }) {
		c.ending = append(ending, r.given...)
	}
	return c
}

// parseCommand parses a command line, which it returns as it was parsed: no-break spaces and the like look like blanks
// and are none for a shell.
func parseCommand(line string) (*syntax.File, string, error) {
	line = strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, line)
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	return file, line, err
}

// maxSimple is how long a command line may be whose simple commands are listed, in bytes: nothing is proved by
// them, so more of a long script may be read than is for a claim.
const maxSimple = 16 << 10

// SimpleCommands are the simple commands of a shell's command line, each as its words, in order: those of pipelines,
// conditions and substitutions among them, and not those of a function, which is only defined. Quotes are taken off,
// and what a variable or a substitution gives is left out. ok is false for what is no shell, or longer than 16 KiB.
func SimpleCommands(line string) (all [][]string, ok bool) {
	if len(line) > maxSimple {
		return nil, false
	}
	file, _, err := parseCommand(line)
	if err != nil {
		return nil, false
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			return false
		case *syntax.CallExpr:
			words := make([]string, len(n.Args))
			for i, w := range n.Args {
				words[i], _ = written(w)
			}
			if len(words) > 0 {
				all = append(all, words)
			}
		}
		return true
	})
	return all, true
}

// commandReader reads the programs of one line.
type commandReader struct {
	line  string
	setup []string // of the calls to come
	given []call   // whose exit code that of a chain may be though they are none of its calls: what variables are given
	// scripts are those that were read: each is asked for more than once, and scripts nest.
	scripts map[*syntax.CallExpr]command
}

// statement lists the programs that the exit code of a statement may be of; chain: it is 0 where all of them ended so,
// else that of the one that did not. They are none of a statement that hides it: where another takes over (`||`), where
// it is turned around, and where nobody waits for it.
func (r *commandReader) statement(s *syntax.Stmt) (calls []call, chain bool) {
	if s.Negated || s.Background || s.Coprocess || s.Disown {
		return nil, false
	}
	switch n := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		return r.joined(n)
	case *syntax.Subshell:
		if len(n.Stmts) == 1 {
			return r.statement(n.Stmts[0])
		}
	case *syntax.Block:
		if len(n.Stmts) == 1 {
			return r.statement(n.Stmts[0])
		}
	case *syntax.TimeClause:
		if n.Stmt != nil {
			return r.statement(n.Stmt)
		}
	case *syntax.DeclClause:
		r.setup = append(r.setup, r.assigned(n.Args)...)
		return nil, true
	case *syntax.CallExpr:
		return r.simple(n)
	}
	return r.inside(s), false
}

// joined is statement for two of them with an operator in between.
func (r *commandReader) joined(n *syntax.BinaryCmd) (calls []call, chain bool) {
	switch n.Op {
	case syntax.AndStmt:
		first, chainX := r.statement(n.X)
		second, chainY := r.statement(n.Y)
		return append(first, second...), chainX && chainY
	case syntax.OrStmt:
		return nil, false
	}
	calls, _ = r.statement(n.Y) // of a pipeline
	return calls, false
}

// simple is statement for a simple command, which may only prepare those to come.
func (r *commandReader) simple(n *syntax.CallExpr) (calls []call, chain bool) {
	c := r.unwrapped(n)
	switch {
	case len(n.Args) == 0:
		r.setup, r.given = c.setup, append(r.given, r.inside(n)...)
		return nil, true
	case len(c.words) == 0: // only options were left behind what runs another
		return nil, false
	case prepares(c.words[0]):
		r.setup = append(r.setup, strings.Join(c.words, " "))
	}
	inner, ok := r.script(n, c)
	if !ok {
		return []call{c}, true
	}
	ending := within(c, inner.ending)
	if inner.calls == nil {
		return ending, false
	}
	if len(ending) > len(inner.calls) {
		r.given = append(r.given, ending...)
	}
	return within(c, inner.calls), true
}

// prepares reports a program that only says where and how the next ones are run.
func prepares(program string) bool {
	return slices.Contains([]string{"cd", "pushd", "source", ".", "set"}, program)
}

func cannotFail(program string) bool {
	return slices.Contains([]string{"echo", "printf", "true", ":"}, program)
}

// inside are the programs that are named in a part of the line, those of scripts among them.
func (r *commandReader) inside(n syntax.Node) (all []call) {
	syntax.Walk(n, func(n syntax.Node) bool {
		simple, ok := n.(*syntax.CallExpr)
		if !ok {
			return true
		}
		c := r.unwrapped(simple)
		if inner, ok := r.script(simple, c); ok {
			all = append(all, within(c, inner.all)...)
		} else if len(c.words) > 0 {
			all = append(all, c)
		}
		return true
	})
	return all
}

// within are the calls of a script that another call runs.
func within(outer call, script []call) []call {
	var all []call
	for _, c := range script {
		all = append(all, call{c.words, slices.Concat(outer.setup, c.setup), outer.timed || c.timed})
	}
	return all
}

// unwrapped is a simple command without the programs that only run another.
func (r *commandReader) unwrapped(n *syntax.CallExpr) call {
	c := call{setup: append(slices.Clone(r.setup), r.assigned(n.Assigns)...)}
	for _, w := range n.Args {
		text, _ := r.word(w)
		c.words = append(c.words, text)
	}
	c.unwrap()
	return c
}

// unwrap takes away the programs that only run another.
func (c *call) unwrap() {
	for len(c.words) > 1 {
		switch path.Base(c.words[0]) {
		case "env":
			c.words = withoutOptions(c.words[1:], "-u", "--unset", "-C", "--chdir")
			for len(c.words) > 1 && isAssignment(c.words[0]) {
				c.setup, c.words = append(c.setup, c.words[0]), c.words[1:]
			}
		case "timeout", "gtimeout":
			rest := withoutOptions(c.words[1:], "-k", "-s", "--kill-after", "--signal")
			if len(rest) < 2 {
				return
			}
			c.words, c.timed = rest[1:], true // the first is the duration
		case "nice":
			c.words = withoutOptions(c.words[1:], "-n", "--adjustment")
		case "time", "nohup", "command", "exec":
			c.words = withoutOptions(c.words[1:])
		case "acta":
			if c.words[1] != "run" {
				return
			}
			c.words = withoutOptions(c.words[2:], "--session", "--junit")
		default:
			return
		}
	}
}

// withoutOptions drops the options before the first argument. Those that are named have a value of their own.
func withoutOptions(words []string, valued ...string) []string {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		drop := 1
		if slices.Contains(valued, words[0]) {
			drop = 2
		}
		words = words[min(drop, len(words)):]
	}
	return words
}

// script reads what is handed to a shell as -c; one that the shell before would expand is that call itself.
// Quotes within quotes double, so that what is read again is soon too short to hold more.
func (r *commandReader) script(n *syntax.CallExpr, c call) (inner command, ok bool) {
	if len(c.words) < 3 || !slices.Contains([]string{"sh", "bash", "dash", "zsh"}, path.Base(c.words[0])) {
		return command{}, false
	}
	for i, w := range c.words[1 : len(c.words)-1] {
		if !strings.HasPrefix(w, "-") {
			return command{}, false
		}
		if strings.HasPrefix(w, "--") || !strings.Contains(w, "c") {
			continue
		}
		text, literal := r.word(n.Args[len(n.Args)-len(c.words)+i+2])
		if _, read := r.scripts[n]; !read && literal {
			r.scripts[n] = readCommand(text)
		}
		if inner = r.scripts[n]; !literal || inner.text != "" {
			inner = command{ending: []call{c}, all: []call{c}}
		}
		return inner, true
	}
	return command{}, false
}

// isAssignment reports a word such as NAME=value.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && syntax.ValidName(name)
}

// assigned are variables that are set, each as NAME=value.
func (r *commandReader) assigned(all []*syntax.Assign) []string {
	var out []string
	for _, a := range all {
		switch {
		case a.Name == nil: // an option of export
		case a.Value == nil:
			out = append(out, r.source(a))
		default:
			value, _ := r.word(a.Value)
			out = append(out, a.Name.Value+"="+value)
		}
	}
	return out
}

// word is what a word says without its quotes; one that the shell would still expand is no literal, and as it is
// written.
func (r *commandReader) word(w *syntax.Word) (text string, literal bool) {
	if text, literal = written(w); literal {
		return text, true
	}
	return r.source(w), false
}

// written is what a word says without its quotes, and without what the shell would expand; literal reports that there
// is no such thing.
func written(w *syntax.Word) (text string, literal bool) {
	var b strings.Builder
	literal = true
	for _, p := range w.Parts {
		literal = addWritten(&b, p, false) && literal
	}
	return b.String(), literal
}

// addWritten adds a part of a word; false where the shell would expand it.
func addWritten(b *strings.Builder, p syntax.WordPart, quoted bool) bool {
	switch n := p.(type) {
	case *syntax.Lit:
		b.WriteString(unescaped(n.Value, quoted))
		return true
	case *syntax.SglQuoted:
		b.WriteString(n.Value)
		return !n.Dollar
	case *syntax.DblQuoted:
		literal := !n.Dollar
		for _, inner := range n.Parts {
			literal = addWritten(b, inner, true) && literal
		}
		return literal
	}
	return false
}

// unescaped drops the backslashes that a shell would; within double quotes most of them stand for themselves.
func unescaped(s string, quoted bool) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (!quoted || strings.IndexByte("$`\"\\\n", s[i+1]) >= 0) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// source is a part of the line as it is written.
func (r *commandReader) source(n syntax.Node) string {
	return r.line[n.Pos().Offset():n.End().Offset()]
}
