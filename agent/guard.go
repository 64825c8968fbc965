package agent

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/repo"
)

// This file is the guard, for which a host asks before a tool runs: it keeps a tool from running that would only go
// around what checks commits. It reads commands as a shell does, so that what a command merely names, in a pattern, a
// message or a document, is nothing to it. Whatever it cannot read may run: what is committed is judged afterwards.

// guard vetoes the use of a tool that would go around the hooks of the repository that the agent works in.
func (h Hook) guard(ctx context.Context, e event, a *Answer) error {
	r, err := repo.Open(ctx, e.dir, repo.Options{Env: repo.ForeignEnv(h.Env)})
	if err != nil {
		return err
	}
	defer r.Close()
	top, err := r.Top(ctx)
	if err != nil || top == "" {
		return nil // no repository: nothing is checked here
	}
	g := guard{top: top, dir: cmp.Or(e.dir, top)}
	why := g.command(e.use.command, 0)
	for _, file := range e.use.files {
		if why == "" && g.isState(g.dir, file) {
			why = "to write " + file
		}
	}
	if why == "" {
		return nil
	}
	text := fmt.Sprintf("acta: %s would go around what checks commits here, so it is not run. Commit with the hooks: "+
		"where one refuses, it says what to mend; what is not done is reported as «Skipped: ITEM | reason».", why)
	warnings := a.Warnings
	*a = h.Host.veto(e.name, text)
	a.Warnings, a.Vetoed, a.Dir = warnings, why, e.dir
	return nil
}

// guard says what of a command goes around.
type guard struct {
	// top is the work tree's, dir where the command begins.
	top, dir string
}

// command is why a command line is not to be run, "" for no reason. depth is how many command lines it stands in.
func (g guard) command(line string, depth int) string {
	runs, _ := check.Invocations(line)
	if depth > 4 {
		return ""
	}
	for _, run := range runs {
		if why := g.run(run, depth); why != "" {
			return why
		}
	}
	return ""
}

// run is the same of one program.
func (g guard) run(run check.Invocation, depth int) string {
	dir := g.dir
	switch {
	case filepath.IsAbs(run.Dir):
		dir = run.Dir
	case run.Dir != "":
		dir = filepath.Join(dir, run.Dir)
	}
	for _, file := range slices.Concat(run.Writes, written(run.Words)) {
		if g.isState(dir, file) {
			return "to write " + file
		}
	}
	elsewhere := !run.Lost && !g.isHere(dir)
	if len(run.Words) == 0 {
		if elsewhere {
			return ""
		}
		return hooksPathIn(run.Vars)
	}
	args := run.Words[1:]
	switch path.Base(run.Words[0]) {
	case "git":
		return g.git(dir, run, depth)
	case "acta":
		if why := actaCall(args); !elsewhere {
			return why
		}
	case "find":
		runs := func(w string) bool { return w == "-exec" || w == "-execdir" || w == "-ok" }
		if i := slices.IndexFunc(args, runs); i >= 0 {
			return g.command(quoted(args[i+1:]), depth+1)
		}
	}
	if elsewhere {
		return ""
	}
	return hooksPathIn(run.Vars)
}

// isHere reports whether a folder is in the work tree, or so that nobody can tell.
func (g guard) isHere(dir string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	inside, err := filepath.Rel(g.top, dir)
	return err != nil || filepath.IsLocal(inside)
}

// isState reports a file of git's hooks or of acta's own state, of whatever repository: .git/hooks, .git/acta.
func (g guard) isState(dir, file string) bool {
	if file == "" {
		return false
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	parts := strings.Split(filepath.ToSlash(filepath.Clean(file)), "/")
	for i, part := range parts[:len(parts)-1] {
		if part == ".git" && (parts[i+1] == "hooks" || parts[i+1] == "acta") {
			return g.isHere(filepath.FromSlash(strings.Join(parts[:i], "/") + "/"))
		}
	}
	return false
}

// written are the files that a program writes or takes away, as far as its arguments tell.
func written(words []string) []string {
	if len(words) < 2 {
		return nil
	}
	program, args := path.Base(words[0]), words[1:]
	files := slices.DeleteFunc(slices.Clone(args), func(w string) bool { return strings.HasPrefix(w, "-") })
	option := func(of ...string) bool {
		return slices.ContainsFunc(args, func(w string) bool {
			return slices.ContainsFunc(of, func(o string) bool { return strings.HasPrefix(w, o) })
		})
	}
	switch program {
	case "rm", "rmdir", "unlink", "shred", "mv", "touch", "tee", "truncate", "rename":
		return files
	case "cp", "ln", "install", "rsync":
		if option("-t", "--target-directory") || len(files) == 0 {
			return files
		}
		return files[len(files)-1:]
	case "chmod":
		if len(files) > 0 && !makesExecutable(files[0]) || option("-x") {
			return files
		}
	case "sed", "perl":
		if option("-i", "--in-place", "-pi") {
			return files
		}
	case "find":
		if option("-delete") || slices.Contains(args, "rm") {
			return files
		}
	case "dd":
		for _, w := range args {
			if file, ok := strings.CutPrefix(w, "of="); ok {
				return []string{file}
			}
		}
	}
	return nil
}

// makesExecutable reports a mode of chmod's by which a hook can run.
func makesExecutable(mode string) bool {
	return strings.ContainsAny(mode, "1357") || strings.ContainsAny(mode, "+=") && strings.Contains(mode, "x")
}

// actaCall is why acta is not to be called: it would take itself away.
func actaCall(args []string) string {
	if slices.Contains(args, "--help") || slices.Contains(args, "--dry-run") {
		return ""
	}
	names := slices.DeleteFunc(slices.Clone(args), func(w string) bool { return strings.HasPrefix(w, "-") })
	switch {
	case len(names) > 0 && names[0] == "uninstall":
		return "acta uninstall"
	case len(names) > 0 && names[0] == "init" && slices.Contains(args, "--remove"):
		return "acta init --remove"
	}
	return ""
}

// hooksPathIn is why variables are not to be set: they give git another folder of hooks, that has none.
func hooksPathIn(vars []string) string {
	values := map[string]string{}
	for _, v := range vars {
		name, value, _ := strings.Cut(v, "=")
		values[name] = value
	}
	for name, value := range values {
		n, isKey := strings.CutPrefix(name, "GIT_CONFIG_KEY_")
		to, given := values["GIT_CONFIG_VALUE_"+n]
		if isKey && strings.EqualFold(value, "core.hooksPath") && (!given || isHollow(to)) {
			return "GIT_CONFIG_KEY_" + n + "=core.hooksPath"
		}
		if name == "GIT_CONFIG_PARAMETERS" && strings.Contains(strings.ToLower(value), "core.hookspath") {
			return "GIT_CONFIG_PARAMETERS with core.hooksPath"
		}
	}
	return ""
}

// isHollow reports a folder in which no hooks can be: none, a device, one outside of work trees that holds nothing.
func isHollow(folder string) bool {
	if folder == "" || strings.HasPrefix(path.Clean(folder), "/dev") {
		return true
	}
	if !filepath.IsAbs(folder) {
		return false
	}
	files, err := os.ReadDir(folder)
	return err != nil || len(files) == 0
}

// quoted is a command line of words.
func quoted(words []string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		if w == ";" || w == "&&" || w == "+" {
			all[i] = ";"
		}
	}
	return strings.Join(all, " ")
}
