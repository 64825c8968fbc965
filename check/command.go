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
	// calls are the programs of an `&&` chain, whose exit code is that of the line.
	// They are nil where it need not be: in a pipeline, a list, in the background, in what is no shell.
	calls []call
	// ending are the programs that the exit code of the line may be of: the last of a list or a pipeline, all of an `&&` chain.
	ending []call
	// all are the programs that the line names anywhere.
	all []call
	// text is the line as far as it was not understood.
	text string
}

// call is a program that is run with its arguments.
type call struct {
	// words are the program and its arguments, without quotes, redirections and
	// what only runs the program: env, time, timeout, sh -c.
	words []string
	// setup is what comes before it in its chain and prepares it: a folder that is changed to, a variable, a file that is sourced.
	setup []string
	// timed: where it takes too long, the exit code is that of timeout.
	timed bool
}

// readCommand reads a command line.
func readCommand(line string) command {
	if len(line) > maxCommand {
		return command{text: line}
	}
	file, line, err := parseCommand(line)
	if err != nil {
		return command{text: line}
	}
	r := commandReader{line: line, scripts: map[*syntax.CallExpr]command{}}
	var c command
	syntax.Walk(file, func(n syntax.Node) bool {
		if simple, ok := n.(*syntax.CallExpr); ok {
			c.all = append(c.all, r.call(simple, func(c *command) []call { return c.all })...)
			r.pipefail = r.pipefail || setsPipefail(simple)
		}
		return true
	})
	c.ending = r.ending(file.Stmts)
	if len(file.Stmts) == 1 && r.chain(file.Stmts[0]) {
		c.calls = r.calls
	}
	return c
}

// setsPipefail reports `set -o pipefail`, with which a pipeline ends in 0 only where all its programs do.
func setsPipefail(n *syntax.CallExpr) bool {
	words := make([]string, len(n.Args))
	for i, w := range n.Args {
		words[i] = w.Lit()
	}
	return len(words) > 1 && words[0] == "set" && slices.Contains(words, "pipefail")
}

// parseCommand parses a command line, which it returns as it was parsed: no-break spaces and the like look like blanks and
// are none for a shell.
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

// mostSimple is how long a command line may be whose simple commands are listed, in bytes: nothing is proved by
// them, so more of a long script may be read than is for a claim.
const mostSimple = 16 << 10

// SimpleCommands are the simple commands of a shell's command line, each as its words, in order: those of pipelines, conditions
// and substitutions among them, and not those of a function, which is only defined. Quotes are taken off, and what a variable or a
// substitution gives is left out. ok is false for what is no shell, or longer than 16 KiB.
func SimpleCommands(line string) (all [][]string, ok bool) {
	if len(line) > mostSimple {
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

// commandReader gathers the calls of a chain.
type commandReader struct {
	line  string
	setup []string // of the calls to come
	calls []call
	// pipefail: somewhere the line sets it. errexit: `set -e` holds where ending reads.
	pipefail, errexit bool
	// scripts are those that were read: each is asked for more than once, and scripts nest.
	scripts map[*syntax.CallExpr]command
}

// chain adds the calls of a statement; false where its exit code is not theirs.
func (r *commandReader) chain(s *syntax.Stmt) bool {
	if s.Negated || s.Background || s.Coprocess || s.Disown {
		return false
	}
	switch n := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		return n.Op == syntax.AndStmt && r.chain(n.X) && r.chain(n.Y)
	case *syntax.Subshell:
		return len(n.Stmts) == 1 && r.chain(n.Stmts[0])
	case *syntax.Block:
		return len(n.Stmts) == 1 && r.chain(n.Stmts[0])
	case *syntax.TimeClause:
		return n.Stmt != nil && r.chain(n.Stmt)
	case *syntax.DeclClause:
		r.setup = append(r.setup, r.assigned(n.Args)...)
		return true
	case *syntax.CallExpr:
		return r.simple(n)
	}
	return false
}

// ending are the programs that the exit code of a list of statements may be of: those of the last one, those that end the
// list where they fail (`set -e`), and what a function runs that is called there.
func (r *commandReader) ending(list []*syntax.Stmt) (all []call) {
	defer func(pipefail, errexit bool) { r.pipefail, r.errexit = pipefail, errexit }(r.pipefail, r.errexit)
	for len(list) > 1 {
		n, pipes := handsOn(list)
		if n == len(list) {
			break
		}
		list, r.pipefail = list[:n], r.pipefail || pipes
	}
	for i, s := range list {
		r.errexit = errexitAfter(s, r.errexit)
		if i == len(list)-1 {
			all = append(all, r.endingOf(s)...)
			break
		}
		if !r.errexit || s.Negated || s.Background {
			continue
		}
		if and, ok := s.Cmd.(*syntax.BinaryCmd); ok && and.Op == syntax.AndStmt { // of these only the last one ends the list
			s = and.Y
		}
		all = append(all, slices.DeleteFunc(r.endingOf(s), func(c call) bool { return prepares(c.words[0]) || cannotFail(c.words[0]) })...)
	}
	for _, s := range list {
		f, ok := s.Cmd.(*syntax.FuncDecl)
		if ok && slices.ContainsFunc(all, func(c call) bool { return c.words[0] == f.Name.Value }) {
			all = append(all, r.endingOf(f.Body)...)
		}
	}
	return all
}

// errexitAfter reports whether `set -e` holds behind a statement, before which it holds or does not.
func errexitAfter(s *syntax.Stmt, before bool) bool {
	switch n := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		if n.Op == syntax.AndStmt {
			return errexitAfter(n.Y, errexitAfter(n.X, before))
		}
	case *syntax.CallExpr:
		if len(n.Args) < 2 || n.Args[0].Lit() != "set" {
			break
		}
		for i, w := range n.Args[1:] {
			switch word := w.Lit(); {
			case word == "--":
				return before
			case word == "errexit":
				before = n.Args[i].Lit() != "+o" // the word before it
			case len(word) > 1 && strings.Contains(word, "e") && (word[0] == '-' || word[0] == '+'):
				before = word[0] == '-'
			}
		}
	}
	return before
}

// handsOn finds how many statements of a list remain without what hands on their exit code: `exit`, `exit $?`, `exit ${PIPESTATUS[0]}`,
// or `exit $rc` and what stands between it and `rc=$?`. pipes: the code is that of any program of a pipeline.
func handsOn(list []*syntax.Stmt) (n int, pipes bool) {
	last := len(list) - 1
	call, ok := list[last].Cmd.(*syntax.CallExpr)
	if s := list[last]; !ok || s.Negated || s.Background || len(call.Args) == 0 || len(call.Args) > 2 || call.Args[0].Lit() != "exit" {
		return len(list), false
	}
	if len(call.Args) == 1 {
		return last, false
	}
	name := variable(call.Args[1])
	if code, pipes := isExitCode(name); code {
		return last, pipes
	}
	for i := last - 1; i > 0 && name != ""; i-- {
		set, ok := list[i].Cmd.(*syntax.CallExpr)
		if !ok || len(set.Args) > 0 {
			continue
		}
		for _, a := range set.Assigns {
			if a.Name == nil || a.Name.Value != name {
				continue
			}
			if code, pipes := isExitCode(variable(a.Value)); code {
				return i, pipes
			}
			return len(list), false
		}
	}
	return len(list), false
}

// variable is the name of the variable whose value a word is, "" for another word.
func variable(w *syntax.Word) string {
	if w == nil || len(w.Parts) != 1 {
		return ""
	}
	part := w.Parts[0]
	if quoted, ok := part.(*syntax.DblQuoted); ok && len(quoted.Parts) == 1 {
		part = quoted.Parts[0]
	}
	p, ok := part.(*syntax.ParamExp)
	if !ok || p.Param == nil || p.Excl || p.Length || p.Width || p.Slice != nil || p.Repl != nil || p.Exp != nil {
		return ""
	}
	return p.Param.Value
}

// isExitCode reports whether a variable has the exit code of the statement before, or the codes of its pipeline.
func isExitCode(name string) (code, pipes bool) {
	pipes = name == "PIPESTATUS" || name == "pipestatus"
	return pipes || name == "?", pipes
}

// endingOf are the programs that the exit code of a statement may be of. They are none of one that hides it: where
// another takes over (`||`), where it is turned around, and where nobody waits for it.
func (r *commandReader) endingOf(s *syntax.Stmt) (all []call) {
	if s.Negated || s.Background || s.Coprocess || s.Disown {
		return nil
	}
	switch n := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		switch {
		case n.Op == syntax.OrStmt:
		case n.Op == syntax.AndStmt || r.pipefail:
			return append(r.endingOf(n.X), r.endingOf(n.Y)...)
		default:
			return r.endingOf(n.Y)
		}
	case *syntax.Subshell:
		return r.ending(n.Stmts)
	case *syntax.Block:
		return r.ending(n.Stmts)
	case *syntax.ForClause:
		return r.ending(n.Do)
	case *syntax.WhileClause:
		return r.ending(n.Do)
	case *syntax.IfClause:
		for ; n != nil; n = n.Else {
			all = append(all, r.ending(n.Then)...)
		}
	case *syntax.CaseClause:
		for _, i := range n.Items {
			all = append(all, r.ending(i.Stmts)...)
		}
	case *syntax.TimeClause:
		if n.Stmt != nil {
			return r.endingOf(n.Stmt)
		}
	case *syntax.CallExpr:
		if len(n.Args) == 0 {
			return r.substituted(n.Assigns)
		}
		return r.call(n, func(c *command) []call { return c.ending })
	}
	return all
}

// substituted are the programs that variables get their values from; the exit code is theirs where nothing else is run.
func (r *commandReader) substituted(all []*syntax.Assign) (calls []call) {
	for _, a := range all {
		syntax.Walk(a, func(n syntax.Node) bool {
			inner, ok := n.(*syntax.CmdSubst)
			if ok {
				calls = append(calls, r.ending(inner.Stmts)...)
			}
			return !ok
		})
	}
	return calls
}

// simple adds a simple command, or what it prepares; false where it runs a script whose exit code is not that of its programs.
func (r *commandReader) simple(n *syntax.CallExpr) bool {
	if len(n.Args) == 0 {
		r.setup = append(r.setup, r.assigned(n.Assigns)...)
		return true
	}
	c := r.unwrapped(n)
	if len(c.words) == 0 {
		return false
	}
	if prepares(c.words[0]) {
		r.setup = append(r.setup, strings.Join(c.words, " "))
		return true
	}
	if cannotFail(c.words[0]) {
		return true
	}
	inner, ok := r.script(n, c)
	if !ok {
		r.calls = append(r.calls, c)
		return true
	}
	for _, i := range inner.calls {
		r.calls = append(r.calls, call{i.words, slices.Concat(c.setup, i.setup), c.timed || i.timed})
	}
	return len(inner.calls) > 0
}

// prepares reports a program that only says where and how the next ones are run.
func prepares(program string) bool {
	return slices.Contains([]string{"cd", "pushd", "source", ".", "set"}, program)
}

func cannotFail(program string) bool {
	return slices.Contains([]string{"echo", "printf", "true", ":"}, program)
}

// call is what a simple command runs; of a script that it hands to a shell those that are asked for.
func (r *commandReader) call(n *syntax.CallExpr, of func(*command) []call) []call {
	if len(n.Args) == 0 {
		return nil
	}
	c := r.unwrapped(n)
	if len(c.words) == 0 { // only options were left behind what runs another
		return nil
	}
	if inner, ok := r.script(n, c); ok && inner.text == "" {
		calls := slices.Clone(of(&inner))
		for i := range calls {
			calls[i].timed = calls[i].timed || c.timed
		}
		return calls
	}
	return []call{c}
}

// unwrapped is a simple command without the programs that only run another.
func (r *commandReader) unwrapped(n *syntax.CallExpr) call {
	c := call{setup: append(slices.Clone(r.setup), r.assigned(n.Assigns)...)}
	for _, w := range n.Args {
		text, _ := r.word(w)
		c.words = append(c.words, text)
	}
	for len(c.words) > 1 {
		switch path.Base(c.words[0]) {
		case "env":
			c.words = c.words[1:]
			for len(c.words) > 1 && isAssignment(c.words[0]) {
				c.setup, c.words = append(c.setup, c.words[0]), c.words[1:]
			}
		case "timeout", "gtimeout":
			rest := withoutOptions(c.words[1:], "-k", "-s", "--kill-after", "--signal")
			if len(rest) < 2 {
				return c
			}
			c.words, c.timed = rest[1:], true // the first is the duration
		case "nice":
			c.words = withoutOptions(c.words[1:], "-n", "--adjustment")
		case "time", "nohup", "command", "exec":
			c.words = withoutOptions(c.words[1:])
		default:
			return c
		}
	}
	return c
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

// script reads what is handed to a shell as -c. What the shell before would expand is not read:
// quotes within quotes double, so that what is read again is soon too short to hold more.
func (r *commandReader) script(n *syntax.CallExpr, c call) (inner command, ok bool) {
	if len(c.words) < 3 || !slices.Contains([]string{"sh", "bash", "dash", "zsh"}, path.Base(c.words[0])) {
		return command{}, false
	}
	for i, w := range c.words[1 : len(c.words)-1] {
		if !strings.HasPrefix(w, "-") {
			return command{}, false
		}
		if !strings.HasPrefix(w, "--") && strings.Contains(w, "c") {
			text, literal := r.word(n.Args[len(n.Args)-len(c.words)+i+2])
			if !literal {
				return command{text: text}, true
			}
			if _, ok := r.scripts[n]; !ok {
				r.scripts[n] = readCommand(text)
			}
			return r.scripts[n], true
		}
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

// word is what a word says without its quotes; one that the shell would still expand is no literal, and as it is written.
func (r *commandReader) word(w *syntax.Word) (text string, literal bool) {
	if text, literal = written(w); literal {
		return text, true
	}
	return r.source(w), false
}

// written is what a word says without its quotes, and without what the shell would expand; literal reports that there is no such thing.
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
