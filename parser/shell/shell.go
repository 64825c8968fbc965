// Package shell finds the programs that a Unix shell script starts, from its text. It is the only importer of
// mvdan.cc/sh.
package shell

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/acta-git/acta/report"
)

// maxScript is the longest script that is read, in bytes. It bounds how deep the parser goes into brackets.
const maxScript = 64 << 10

// Run is a program that a script starts.
type Run struct {
	// Words are the program and its arguments, without quotes; expansions stay as written.
	Words []string
	// Line counts from 1 in the script.
	Line int
	// IgnoredBy says why a failure of the program is ignored; "" if it is not.
	IgnoredBy string
	// OutputFiles are the files that its output goes to, Variables those set only for it, as NAME=VALUE.
	OutputFiles, Variables []string
}

// Mode is a script's options, at its start or as set so far.
type Mode struct{ ErrExit, PipeFail bool }

// Read lists the programs that a script starts, in order, without unreachable ones and substitutions. If the parser
// cannot read the script, each line counts as words; ok is false then.
func Read(src string, m Mode) (runs []Run, ok bool) {
	left := 4 * maxScript
	return read(strings.ReplaceAll(src, "\r\n", "\n"), m, map[string]*function{}, &left)
}

func read(src string, m Mode, functions map[string]*function, left *int) (runs []Run, ok bool) {
	if len(src) > maxScript {
		return nil, false
	}
	r := scriptReader{src: src, Mode: m, checksExit: exitCheck().MatchString(src), functions: functions, left: left}
	file, err := syntax.NewParser().Parse(strings.NewReader(src), "")
	if err != nil {
		return readWords(src), false
	}
	r.list(file.Stmts, "")
	isCalledByName := len(r.runs) == 0 || strings.Contains(src, "$@") || strings.Contains(src, "$1")
	for _, f := range r.declared { // another file, a trap or an argument may name it
		if name := f.Name.Value; !functions[name].isCalled && (isCalledByName || strings.Count(src, name) > 1) {
			r.inner([]*syntax.Stmt{f.Body}, "")
		}
	}
	return r.runs, true
}

// exitCheck matches text that reads the exit code of the program before.
var exitCheck = report.LazyRegexp(`\$\?|PIPESTATUS|\bexit \$|\bexit "\$|\bexit \$\{|\$LASTEXITCODE`)

// readWords reads another script: the words of each line.
func readWords(src string) []Run {
	var all []Run
	for i, line := range strings.Split(src, "\n") {
		line, _, _ = strings.Cut(line, " #")
		if words := strings.Fields(line); len(words) > 0 && !strings.HasPrefix(words[0], "#") {
			all = append(all, Run{Words: words, Line: i + 1})
		}
	}
	return all
}

type scriptReader struct {
	src string
	Mode
	// checksExit: some statement looks at exit codes by itself.
	checksExit bool
	// hasEnded: the script has ended. trap is a trap that makes it succeed, whatever fails; "" without one.
	hasEnded bool
	trap     string
	runs     []Run
	// functions are those of this script and of those around, declared those of this one. left is how many bytes calls
	// of functions may add to what is read.
	functions map[string]*function
	declared  []*syntax.FuncDecl
	left      *int
}

type function struct {
	body     string
	isCalled bool
}

// call returns the body with arguments in the place of "$@".
func (f *function) call(arguments []string) string {
	n := len(arguments)
	all := cmp.Or(Line(arguments[min(strings.Count(f.body, "shift"), n):]), `""`)
	return strings.NewReplacer(`"$@"`, all, `"$*"`, all, "$@", all, "$*", all, `"${@:2}"`, Line(arguments[min(1, n):])).
		Replace(f.body)
}

// list reads statements in order. If the shell goes on after a failure, only the last one's failure counts.
func (r *scriptReader) list(stmts []*syntax.Stmt, ignoredBy string) {
	for i, s := range stmts {
		if r.hasEnded {
			return
		}
		by := ignoredBy
		if by == "" && i+1 < len(stmts) {
			by = r.ignoredBy(s, stmts[i+1:])
		}
		r.statement(s, by)
	}
}

// ignoredBy says why a failure of a statement before others is ignored; "" if it is not.
func (r *scriptReader) ignoredBy(s *syntax.Stmt, next []*syntax.Stmt) string {
	if alwaysSucceeds(next[0]) && next[0].Pos().Line() == s.End().Line() {
		if after := r.source(next[0]); !strings.HasPrefix(after, "echo") {
			return "; " + after
		}
	}
	if r.ErrExit || r.checksExit {
		return ""
	}
	if last := next[len(next)-1]; alwaysSucceeds(last) {
		return "; " + r.source(last)
	}
	return "the next statement decides"
}

func (r *scriptReader) statement(s *syntax.Stmt, ignoredBy string) {
	if s.Negated && ignoredBy == "" {
		ignoredBy = "!"
	}
	if s.Background && ignoredBy == "" && !strings.Contains(r.src, "wait") {
		ignoredBy = "&"
	}
	switch n := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		r.binary(n, ignoredBy)
	case *syntax.Subshell:
		r.inner(n.Stmts, ignoredBy)
	case *syntax.Block:
		r.list(n.Stmts, ignoredBy)
	case *syntax.IfClause:
		r.branch(n, ignoredBy)
	case *syntax.WhileClause:
		r.inner(n.Do, ignoredBy)
	case *syntax.ForClause:
		r.inner(n.Do, ignoredBy)
	case *syntax.CaseClause:
		for _, item := range n.Items {
			r.inner(item.Stmts, ignoredBy)
		}
	case *syntax.FuncDecl:
		if body := n.Body; n.Name != nil {
			r.functions[n.Name.Value] = &function{body: r.src[body.Pos().Offset():body.End().Offset()]}
			r.declared = append(r.declared, n)
		}
	case *syntax.TimeClause:
		if n.Stmt != nil {
			r.statement(n.Stmt, ignoredBy)
		}
	case *syntax.CallExpr:
		r.call(n, s.Redirs, ignoredBy)
	}
}

// inner reads nested statements; the script goes on even if they exit.
func (r *scriptReader) inner(stmts []*syntax.Stmt, ignoredBy string) {
	r.list(stmts, ignoredBy)
	r.hasEnded = false
}

func (r *scriptReader) binary(n *syntax.BinaryCmd, ignoredBy string) {
	by, hadEnded := ignoredBy, r.hasEnded
	switch n.Op {
	case syntax.AndStmt:
		r.statement(n.X, ignoredBy)
		if r.source(n.X) == "false" {
			return
		}
	case syntax.OrStmt:
		if by == "" && alwaysSucceeds(n.Y) {
			by = "|| " + r.source(n.Y)
		}
		r.statement(n.X, by)
		if alwaysSucceeds(n.X) {
			return
		}
	default:
		if by == "" && !r.PipeFail && !r.checksExit {
			by = "| " + r.source(n.Y)
		}
		r.statement(n.X, by)
	}
	r.statement(n.Y, ignoredBy)
	r.hasEnded = hadEnded || r.hasEnded && n.Op == syntax.AndStmt && alwaysSucceeds(n.X)
}

// branch reads an if. Its condition counts if one of its branches fails.
func (r *scriptReader) branch(n *syntax.IfClause, ignoredBy string) {
	by := ignoredBy
	if by == "" && !failurePattern().MatchString(r.source(n)) {
		by = "if"
	}
	condition := *n.Cond[len(n.Cond)-1]
	condition.Negated = false // its branches say what a failure does
	r.inner(append(slices.Clone(n.Cond[:len(n.Cond)-1]), &condition), by)
	if len(n.Cond) != 1 || r.source(n.Cond[0]) != "false" {
		r.inner(n.Then, ignoredBy)
	}
	switch {
	case n.Else == nil:
	case len(n.Else.Cond) == 0:
		r.inner(n.Else.Then, ignoredBy)
	default:
		r.branch(n.Else, ignoredBy)
	}
}

// failurePattern matches text that ends a script with a failure.
var failurePattern = report.LazyRegexp(`\b(exit|return)\s+("?\$|[1-9]|-1)|\bfalse\b|[A-Za-z_]+=|\(\(`)

func (r *scriptReader) call(n *syntax.CallExpr, redirections []*syntax.Redirect, ignoredBy string) {
	words := report.Map(n.Args, r.word)
	if len(words) == 0 || words[0] == "" {
		return
	}
	switch words[0] {
	case "set", "shopt":
		r.set(words[1:])
		return
	case "exit":
		r.hasEnded = true
		return
	case "trap":
		if len(words) > 2 && strings.Contains(words[1], "exit 0") {
			r.trap = strings.Join(words[:2], " ")
		}
		return
	}
	ignoredBy = cmp.Or(ignoredBy, r.trap)
	line := int(n.Pos().Line())
	inner, ok := innerScript(words)
	m := Mode{PipeFail: r.PipeFail, ErrExit: slices.Contains(words, "-ec")}
	if f := r.functions[words[0]]; f != nil && *r.left > 0 && len(f.body)*len(r.source(n)) < 16*maxScript {
		inner, m, ok, f.isCalled = f.call(words[1:]), r.Mode, true, true
		*r.left -= len(inner)
		delete(r.functions, words[0]) // it may run the program of its name
		defer func() { r.functions[words[0]] = f }()
	}
	if ok {
		runs, _ := read(inner, m, r.functions, r.left)
		for _, c := range runs {
			if c.Line = line; c.IgnoredBy == "" {
				c.IgnoredBy = ignoredBy
			}
			r.runs = append(r.runs, c)
		}
		return
	}
	run := Run{Words: words, Line: line, IgnoredBy: ignoredBy}
	run.Variables = report.Map(n.Assigns, func(a *syntax.Assign) string { return r.source(a) })
	for _, to := range redirections {
		switch to.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrInOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
			run.OutputFiles = append(run.OutputFiles, r.word(to.Word))
		}
	}
	r.runs = append(r.runs, run)
}

// innerScript is the script that a shell is given as -c, or eval.
func innerScript(words []string) (script string, ok bool) {
	if len(words) == 2 && words[0] == "eval" {
		return words[1], true
	}
	if !slices.Contains([]string{"sh", "bash", "dash", "zsh"}, path.Base(words[0])) {
		return "", false
	}
	i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") && strings.HasSuffix(w, "c") })
	if i < 1 || i+1 >= len(words) || len(words[i+1]) == len(words[0]) {
		return "", false
	}
	return words[i+1], true
}

func (r *scriptReader) set(options []string) {
	for i, o := range options {
		on := strings.HasPrefix(o, "-")
		if !on && !strings.HasPrefix(o, "+") {
			continue
		}
		if strings.Contains(o[1:], "e") {
			r.ErrExit = on
		}
		if strings.HasSuffix(o, "o") && i+1 < len(options) {
			switch options[i+1] {
			case "errexit":
				r.ErrExit = on
			case "pipefail":
				r.PipeFail = on
			}
		}
	}
}

// alwaysSucceeds reports a statement that never fails.
func alwaysSucceeds(s *syntax.Stmt) bool {
	switch n := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(n.Args) == 0 || s.Negated {
			return false
		}
		switch n.Args[0].Lit() {
		case "true", ":", "echo", "printf":
			return true
		case "exit", "return":
			return len(n.Args) == 2 && n.Args[1].Lit() == "0"
		}
	case *syntax.Block:
		return len(n.Stmts) > 0 && allAlwaysSucceed(n.Stmts)
	case *syntax.Subshell:
		return len(n.Stmts) > 0 && allAlwaysSucceed(n.Stmts)
	case *syntax.BinaryCmd:
		return n.Op == syntax.AndStmt && alwaysSucceeds(n.X) && alwaysSucceeds(n.Y)
	}
	return false
}

func allAlwaysSucceed(stmts []*syntax.Stmt) bool {
	return !slices.ContainsFunc(stmts, func(s *syntax.Stmt) bool { return !alwaysSucceeds(s) })
}

// source is a node as it is written, of one line.
func (r *scriptReader) source(n syntax.Node) string {
	text := r.src[n.Pos().Offset():n.End().Offset()]
	return strings.TrimRight(strings.Join(strings.Fields(text), " "), "; ")
}

// word is a word without its quotes; expansions stay as written.
func (r *scriptReader) word(w *syntax.Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, "\\\n", ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				if lit, ok := q.(*syntax.Lit); ok {
					b.WriteString(strings.ReplaceAll(lit.Value, `\"`, `"`))
				} else {
					b.WriteString(r.source(q))
				}
			}
		default:
			b.WriteString(r.source(p))
		}
	}
	return b.String()
}

// Line is the command line by which a shell runs a program with these arguments.
func Line(words []string) string {
	line := slices.Clone(words)
	for i, w := range words {
		quoted, err := syntax.Quote(w, syntax.LangBash) // only a NUL is an error, and no argument can have one
		if isSet := i == 0 && strings.Contains(w, "="); err == nil && (isSet || !plain().MatchString(w)) {
			line[i] = quoted
		}
	}
	return strings.Join(line, " ")
}

// plain matches words without characters that may be special to a shell.
var plain = report.LazyRegexp(`^[\pL\d_@%+=:,./-]+$`)
