package check

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Invocation is a program that a shell's command line would run, wherever it stands in it.
type Invocation struct {
	// Words are the program and its arguments, without quotes and without what only runs the program; none where only
	// variables are set, or a file is written. What the line does not say itself is left out of a word.
	Words []string
	// Vars are the variables that it is given, or that are set for what follows: NAME=value.
	Vars []string
	// Writes are the files that its output goes to.
	Writes []string
	// Dir is the folder that the line has changed to before, as it is written; "" is where the line begins. Lost says
	// that it is one that the line does not name.
	Dir  string
	Lost bool
}

// maxNested bounds how many shells within shells are read.
const maxNested = 8

// Invocations are the programs that a shell's command line runs, in the order in which they stand: also those of
// functions, substitutions, and of scripts that another shell is handed: as an argument, by a document or by echo. What
// a line only names is none: an argument, a pattern, a message, a document. ok is false for what is no shell, or longer
// than 16 KiB.
func Invocations(line string) (all []Invocation, ok bool) {
	l := &invocationLister{vars: map[string]string{}}
	ok = l.list(line)
	return l.all, ok
}

// invocationLister lists the programs of one line.
type invocationLister struct {
	all []Invocation
	// vars are the variables that the line sets, as far as it says to what.
	vars   map[string]string
	dir    string
	lost   bool
	nested int
}

// list adds the programs of a line, or of a script in it.
func (l *invocationLister) list(line string) bool {
	if len(line) > maxSimple || l.nested > maxNested {
		return false
	}
	file, _, err := parseCommand(line)
	if err != nil {
		return false
	}
	l.nested++
	defer func() { l.nested-- }()
	// A folder that a subshell changes to is its own.
	type place struct {
		dir  string
		lost bool
		own  bool
	}
	var around []place
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n.(type) {
		case nil:
			last := len(around) - 1
			if around[last].own {
				l.dir, l.lost = around[last].dir, around[last].lost
			}
			around = around[:last]
			return true
		case *syntax.Subshell, *syntax.CmdSubst:
			around = append(around, place{l.dir, l.lost, true})
		default:
			around = append(around, place{})
		}
		switch n := n.(type) {
		case *syntax.Stmt:
			l.statementRuns(n)
		case *syntax.BinaryCmd:
			l.piped(n)
		case *syntax.DeclClause: // export, local, …
			l.add(Invocation{Vars: l.set(n.Args)}, nil)
		}
		return true
	})
	return true
}

// statementRuns adds the program of a statement, with the files that it writes.
func (l *invocationLister) statementRuns(s *syntax.Stmt) {
	var run Invocation
	document := ""
	for _, r := range s.Redirs {
		switch r.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrInOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
			run.Writes = append(run.Writes, l.text(r.Word))
		case syntax.Hdoc, syntax.DashHdoc:
			document = l.text(r.Hdoc)
		case syntax.WordHdoc:
			document = l.text(r.Word)
		}
	}
	simple, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		if len(run.Writes) > 0 {
			l.add(run, nil)
		}
		return
	}
	run.Vars = l.set(simple.Assigns)
	c := l.called(simple, run.Vars)
	run.Vars, run.Words = c.setup, c.words
	l.add(run, &document)
}

// called is what a simple command runs in the end.
func (l *invocationLister) called(simple *syntax.CallExpr, vars []string) call {
	c := call{setup: vars}
	for _, w := range simple.Args {
		if n, ok := w.Parts[0].(*syntax.ParamExp); ok && len(w.Parts) == 1 && n.Param != nil {
			c.words = append(c.words, strings.Fields(l.vars[n.Param.Value])...) // as the shell splits it
			continue
		}
		c.words = append(c.words, l.text(w))
	}
	c.unwrapAll()
	return c
}

// unwrapAll takes away the programs that only run another, those among them by whose end nobody could tell how the
// other ended.
func (c *call) unwrapAll() {
	for c.unwrap(); len(c.words) > 1; c.unwrap() {
		switch path.Base(c.words[0]) {
		case "sudo", "doas":
			c.words = withoutOptions(c.words[1:], "-u", "-g", "-C", "-D", "-p")
		case "xargs":
			c.words = withoutOptions(c.words[1:], "-n", "-I", "-L", "-P", "-d", "-s", "-a", "-E")
		case "setsid", "stdbuf", "ionice":
			c.words = withoutOptions(c.words[1:], "-i", "-o", "-e", "-c", "-n")
		default:
			return
		}
	}
}

// set remembers variables, and returns them as NAME=value.
func (l *invocationLister) set(assigns []*syntax.Assign) (all []string) {
	for _, a := range assigns {
		if a.Name == nil || a.Value == nil {
			continue
		}
		value := l.text(a.Value)
		l.vars[a.Name.Value] = value
		all = append(all, a.Name.Value+"="+value)
	}
	return all
}

// add adds a program, and those of the script that it is handed. document is what stands on its input.
func (l *invocationLister) add(run Invocation, document *string) {
	if len(run.Words) == 0 && len(run.Vars) == 0 && len(run.Writes) == 0 {
		return
	}
	run.Dir, run.Lost = l.dir, l.lost
	l.all = append(l.all, run)
	if len(run.Words) == 0 {
		return
	}
	switch program := path.Base(run.Words[0]); {
	case program == "cd" || program == "pushd":
		l.changeDir(withoutOptions(run.Words[1:]))
	case program == "eval":
		l.list(strings.Join(run.Words[1:], " "))
	case isShell(program):
		if script, ok := scriptOf(run.Words); ok {
			l.list(script)
		} else if document != nil && readsScript(run.Words) {
			l.list(*document)
		}
	}
}

// changeDir changes the folder of what follows.
func (l *invocationLister) changeDir(to []string) {
	switch {
	case len(to) != 1 || to[0] == "" || strings.HasPrefix(to[0], "~"):
		l.lost = true
	case filepath.IsAbs(to[0]):
		l.dir, l.lost = to[0], false
	default:
		l.dir = filepath.Join(l.dir, to[0])
	}
}

// piped adds the programs of a script that echo or printf hands to a shell.
func (l *invocationLister) piped(n *syntax.BinaryCmd) {
	to, toCall := n.Y.Cmd.(*syntax.CallExpr)
	from, fromCall := n.X.Cmd.(*syntax.CallExpr)
	if n.Op != syntax.Pipe || !toCall || !fromCall || len(from.Args) < 2 || !cannotFail(l.text(from.Args[0])) ||
		!readsScript(l.called(to, nil).words) {
		return
	}
	var said []string
	for _, w := range from.Args[1:] {
		said = append(said, strings.ReplaceAll(l.text(w), `\n`, "\n"))
	}
	l.list(strings.Join(withoutOptions(said), " "))
}

// readsScript reports a shell that runs what stands on its input: one that is given a file or -c runs that.
func readsScript(words []string) bool {
	if len(words) == 0 || !isShell(path.Base(words[0])) {
		return false
	}
	_, given := scriptOf(words)
	return !given && len(withoutOptions(words[1:], "-o")) == 0
}

func isShell(program string) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh", "ash"}, program)
}

// scriptOf is what a shell is handed as -c.
func scriptOf(words []string) (string, bool) {
	for i, w := range words[1:max(len(words)-1, 1)] {
		if !strings.HasPrefix(w, "-") {
			break
		}
		if !strings.HasPrefix(w, "--") && strings.Contains(w, "c") {
			return words[i+2], true
		}
	}
	return "", false
}

// text is what a word says without its quotes, and with what variables give that the line sets itself.
func (l *invocationLister) text(w *syntax.Word) string {
	if w == nil {
		return ""
	}
	var b strings.Builder
	l.addText(&b, w.Parts, false)
	return b.String()
}

func (l *invocationLister) addText(b *strings.Builder, parts []syntax.WordPart, quoted bool) {
	for _, p := range parts {
		switch n := p.(type) {
		case *syntax.DblQuoted:
			l.addText(b, n.Parts, true)
		case *syntax.ParamExp:
			if n.Param != nil {
				b.WriteString(l.vars[n.Param.Value])
			}
		default:
			addWritten(b, p, quoted)
		}
	}
}
