package host

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser/shell"
	"github.com/acta-git/acta/repo/state"
)

// guard vetoes a tool use that would surely bypass the hooks of the agent's repository, by the text of its command.
// Everything else may run; commits are judged afterwards.
func (c *call) guard(ctx context.Context) error {
	top, err := c.repo.Top(ctx)
	if err != nil || top == "" { // no repository, nothing to guard
		return nil
	}
	g := guard{top: top, dir: cmp.Or(c.dir, top)}
	reason := g.checkCommand(c.use.command)
	if i := slices.IndexFunc(c.use.files, g.isState); i >= 0 {
		reason = "to write " + c.use.files[i]
	}
	if reason == "" {
		return nil
	}
	text := fmt.Sprintf("acta: %s would go around the hooks that check commits, so it is not run. Commit with the "+
		"hooks: a refusal says what to fix; report unfinished items as «Skipped: ITEM | reason».", reason)
	c.answer.reply, c.answer.VetoReason, c.answer.Dir = c.Host.veto(c.name, text), reason, c.dir
	return nil
}

type guard struct {
	// top is the top of the work tree, dir the command's folder; "" if that is not known.
	top, dir string
}

// checkCommand says why a command line must not run, "" if it may.
func (g guard) checkCommand(line string) string {
	runs, ok := shell.Read(line, shell.Mode{})
	if !ok {
		return ""
	}
	for _, run := range runs {
		if i := slices.IndexFunc(run.OutputFiles, g.isState); i >= 0 {
			return "to write " + run.OutputFiles[i]
		}
		if g.isInTree(g.dir) && setsHooksPath(slices.Concat(run.Variables, run.Words)) {
			return "to set core.hooksPath by the environment"
		}
		if reason := g.checkProgram(expandBraces(run.Words)); reason != "" {
			return reason
		}
		if slices.Contains([]string{"cd", "pushd"}, run.Words[0]) {
			g.dir = g.resolve(strings.Join(run.Words[1:], " "))
		}
	}
	return ""
}

// expandBraces expands the innermost braces of each word, like a shell: --no-{verify,edit}.
func expandBraces(words []string) (all []string) {
	for _, word := range words {
		open := strings.LastIndexByte(word, '{')
		to := strings.IndexByte(word[max(open, 0):], '}')
		if open >= 0 && to > 0 && strings.Contains(word[open:open+to], ",") {
			for one := range strings.SplitSeq(word[open+1:open+to], ",") {
				all = append(all, word[:open]+one+word[open+to+1:])
			}
			continue
		}
		all = append(all, word)
	}
	return all
}

func setsHooksPath(sets []string) bool {
	isNamed, isEmpty := false, true
	for _, set := range sets {
		name, value, _ := strings.Cut(set, "=")
		isNamed = isNamed ||
			strings.HasPrefix(name, "GIT_CONFIG_") && strings.Contains(strings.ToLower(value), "core.hookspath")
		isEmpty = isEmpty && (!strings.HasPrefix(name, "GIT_CONFIG_VALUE_") || hasNoHooks(value))
	}
	return isNamed && isEmpty
}

var readOnlyPrograms = strings.Fields("echo printf grep egrep fgrep rg ag man which type ls cat less head tail stat " +
	"file diff wc awk jq gh read export")

// checkProgram says why a command must not run, "" if it may. Any program may start one that its arguments name (sudo,
// flock, xargs), or a script after -c.
func (g guard) checkProgram(words []string) string {
	if slices.Contains(readOnlyPrograms, path.Base(words[0])) {
		return ""
	}
	for i, word := range words {
		program, args := strings.TrimPrefix(path.Base(word), `\`), words[i+1:]
		files := writtenFiles(program, args)
		if k := slices.IndexFunc(files, g.isState); k >= 0 {
			return "to write " + files[k]
		}
		why := ""
		switch {
		case program == "git":
			return g.checkGit(args)
		case strings.HasPrefix(program, "git-") && strings.Contains(word, "/"):
			return g.checkGit(append([]string{strings.TrimPrefix(program, "git-")}, args...))
		case program == "acta":
			why = g.checkActa(args)
		case program == "alias" && len(args) > 0:
			_, script, _ := strings.Cut(args[0], "=")
			why = g.checkCommand(script)
		case word == "-c" && len(args) > 0:
			why = g.checkCommand(args[0])
		}
		if why != "" {
			return why
		}
	}
	return ""
}

// resolve is a folder relative to the command's one, "" if that is not known.
func (g guard) resolve(dir string) string {
	switch {
	case dir == "" || strings.ContainsAny(dir, "$`~* ") || dir[0] == '-':
		return ""
	case filepath.IsAbs(dir):
		return dir
	case g.dir == "":
		return ""
	}
	return filepath.Join(g.dir, dir)
}

// isInTree reports whether a folder is surely in the work tree.
func (g guard) isInTree(dir string) bool {
	if dir == "" {
		return false
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	inside, err := filepath.Rel(g.top, dir)
	return err == nil && filepath.IsLocal(inside)
}

// isState reports whether a file belongs to git's hooks or to acta's own state: .git/hooks, .git/acta.
func (g guard) isState(file string) bool {
	if strings.Contains(file, "--git-path hooks") && g.isInTree(g.dir) {
		return true
	}
	if file = strings.TrimSuffix(file, "/*"); file == "" || g.dir == "" && !filepath.IsAbs(file) {
		return false
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(g.dir, file)
	}
	parts := strings.Split(filepath.ToSlash(filepath.Clean(file)), "/")
	for i, part := range parts[:len(parts)-1] {
		inGit, _ := path.Match(part, ".git") // either may be a pattern
		hooks, _ := path.Match(parts[i+1], "hooks")
		if inGit && part != "*" && (hooks || parts[i+1] == "acta") {
			return g.isInTree(filepath.FromSlash(strings.Join(parts[:i], "/") + "/"))
		}
	}
	return false
}

func writtenFiles(program string, args []string) []string {
	files := slices.DeleteFunc(slices.Clone(args), func(w string) bool { return strings.HasPrefix(w, "-") })
	option := func(begins string) bool { return strings.Contains(" "+strings.Join(args, " "), " "+begins) }
	switch program {
	case "rm", "rmdir", "unlink", "shred", "mv", "touch", "tee", "truncate", "curl", "wget", "patch", "unzip", "rsync":
		return files
	case "cp", "ln", "install":
		return files[max(0, len(files)-1):]
	}
	if program == "chmod" && (len(files) > 0 && !makesExecutable(files[0]) || option("-x")) ||
		(program == "sed" || program == "perl") && (option("-i") || option("--in-place") || option("-pi")) ||
		program == "tar" && option("-C") || program == "find" && (option("-delete") || slices.Contains(args, "rm")) {
		return files
	}
	return nil
}

func makesExecutable(mode string) bool {
	return strings.ContainsAny(mode, "1357") || strings.ContainsAny(mode, "+=") && strings.Contains(mode, "x")
}

// checkActa says why a call of acta must not run: it would uninstall acta.
func (g guard) checkActa(args []string) string {
	switch line := strings.Join(args, " "); {
	case !g.isInTree(g.dir) || slices.Contains(args, "--help") || slices.Contains(args, "--dry-run"):
	case strings.HasPrefix(line, "uninstall"):
		return "acta uninstall"
	case strings.HasPrefix(line, "init ") && slices.Contains(args, "--remove"):
		return "acta init --remove"
	}
	return ""
}

func (g guard) checkGit(args []string) string {
	hooksPath := false
	for len(args) > 1 && strings.HasPrefix(args[0], "-") {
		name, value, joined := strings.Cut(args[0], "=")
		args = args[1:]
		if !slices.Contains([]string{"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env"}, name) {
			continue
		}
		if !joined {
			value, args = args[0], args[1:]
		}
		switch key, set, _ := strings.Cut(value, "="); name {
		case "-C":
			g.dir = g.resolve(value)
		case "-c", "--config-env":
			hooksPath = hooksPath || strings.EqualFold(key, "core.hooksPath") || g.includesHooksPath(key, set)
			if alias := g.checkAlias(key, set); alias != "" {
				return alias
			}
		}
	}
	if len(args) == 0 || !g.isInTree(g.dir) {
		return ""
	}
	verifies := []string{"commit", "merge", "rebase", "am", "push", "pull"}
	asksHooks := append(verifies, "cherry-pick", "revert", "update-ref")
	switch {
	case hooksPath && slices.Contains(asksHooks, args[0]):
		return "git -c, which says where hooks are,"
	case slices.Contains(verifies, args[0]) && skipsHooks(args[0], args[1:]):
		return "git " + args[0] + " --no-verify"
	case slices.Contains([]string{"rebase", "bisect", "submodule"}, args[0]):
		for i, word := range args {
			_, script, _ := strings.Cut(word, "--exec=")
			if i > 0 && (args[i-1] == "-x" || args[i-1] == "--exec") || args[0] != "rebase" && i > 1 {
				script = word
			}
			if why := g.checkCommand(script); why != "" {
				return why
			}
		}
	case args[0] == "config" && len(args) > 2 && !strings.HasPrefix(args[len(args)-3], "--get"):
		key, value := args[len(args)-2], args[len(args)-1]
		switch {
		case g.includesHooksPath(key, value):
			return "git config " + key + " " + value
		case strings.EqualFold(key, "core.hooksPath") && hasNoHooks(value):
			return "git config core.hooksPath '" + value + "'"
		}
		return g.checkAlias(key, value)
	}
	return ""
}

// includesHooksPath reports whether a setting includes a file that sets core.hooksPath, or that is unreadable.
func (g guard) includesHooksPath(key, value string) bool {
	key = strings.ToLower(key)
	if key != "include.path" && !(strings.HasPrefix(key, "includeif.") && strings.HasSuffix(key, ".path")) {
		return false
	}
	if !filepath.IsAbs(value) {
		value = filepath.Join(g.top, ".git", value)
	}
	data, err := state.ReadFile(value)
	return err != nil || strings.Contains(strings.ToLower(string(data)), "hookspath")
}

func (g guard) checkAlias(key, value string) string {
	if !strings.HasPrefix(strings.ToLower(key), "alias.") {
		return ""
	}
	if script, ok := strings.CutPrefix(value, "!"); ok {
		return g.checkCommand(script)
	}
	return g.checkCommand("git " + value)
}

// valueOptions are the options that take the next word: of commit (true), and of the other commands.
var valueOptions = map[bool][]string{
	true: {"-m", "-F", "-C", "-c", "-t", "--message", "--file", "--author", "--date", "--template", "--reuse-message",
		"--reedit-message", "--fixup", "--squash", "--cleanup", "--trailer", "--pathspec-from-file"},
	false: {"-m", "-F", "--message", "--file", "-s", "--strategy", "-X", "--strategy-option", "-x", "--exec", "--onto",
		"-o", "--push-option", "--repo"},
}

// skipsHooks reports --no-verify, also abbreviated, and commit's -n.
func skipsHooks(command string, args []string) bool {
	isCommit := command == "commit"
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		word, letters := args[i], args[i]
		short := isCommit && len(word) > 1 && word[0] == '-' && word[1] != '-'
		value := strings.IndexAny(word, "mFCctSu") // what follows this letter is its value
		if value >= 0 {
			letters = word[:value]
		}
		switch {
		case strings.HasPrefix(word, "--no-veri") && strings.HasPrefix("--no-verify", word):
			return true
		case short && strings.Contains(letters, "n"):
			return true
		case slices.Contains(valueOptions[isCommit], word):
			i++
		case short && value == len(word)-1 && strings.Contains("mFCct", word[value:]):
			i++
		}
	}
	return false
}

// hasNoHooks reports whether a folder cannot have hooks: "", a device, or an empty or missing folder.
func hasNoHooks(folder string) bool {
	files, err := os.ReadDir(folder)
	return folder == "" || strings.HasPrefix(path.Clean(folder), "/dev") ||
		filepath.IsAbs(folder) && (err != nil || len(files) == 0)
}
