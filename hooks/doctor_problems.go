package hooks

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
)

// isInstalled reports whether acta is installed at a hook: as a script, or as a line in the files of a hook manager.
func (s *scratch) isInstalled(ctx context.Context, hook string) bool {
	dirs := []string{s.g.HooksDir}
	if isGlobal(s.g.HooksDir) { // its scripts run the repository's own, too
		dirs = append(dirs, filepath.Join(s.g.CommonDir, "hooks"))
	}
	for _, dir := range dirs {
		if path, err := folder(dir).ourScript(hook); err == nil && path != "" && scriptBinary(path) != "" {
			return true // a script without an executable only runs the repository's hook
		}
	}
	return s.isNamed(hook)
}

func (s *scratch) isNamed(hook string) bool {
	return s.hasFrameworkHook(hook) ||
		owner{"husky", filepath.Join(s.g.Top, ".husky")}.callingFile(hook) != "" ||
		owner{"lefthook", s.g.Top}.callingFile(hook) != ""
}

// hasFrameworkHook reports whether the configuration of the pre-commit framework names acta's hook, by id or command.
func (s *scratch) hasFrameworkHook(hook string) bool {
	file := filepath.Join(s.g.Top, ".pre-commit-config.yaml")
	return contains(file, "acta-"+hook) || contains(file, "acta hook "+hook) ||
		hook == "pre-push" && contains(file, "acta verify")
}

func (s *scratch) remedy(hook string) string {
	skips := s.skipVariables()
	switch own := cmp.Or(ownerOf(s.g), futureOwner(s.g.Top)); {
	case own.name != "" && own.callingFile(hook) == "":
		return fmt.Sprintf("add the lines to %s that `acta install` prints", own.files(hook)[0])
	case len(skips) > 0 && (own.name != "" || s.hasFrameworkHook(hook)):
		return skips[0]
	case own.name == "husky":
		return "let npm install husky: `npm install`"
	case own.name == "lefthook":
		return "run `lefthook install`"
	case s.hasFrameworkHook(hook):
		return "run `pre-commit install --hook-type " + hook + "`"
	}
	return "run `acta install`"
}

func (s *scratch) problems(ctx context.Context) []string {
	all := slices.Concat(hooksPaths(ctx, s.g, s.env), s.hiddenHooks(), s.skipVariables(), s.scriptProblems())
	if s.hasFrameworkHook("commit-msg") && !s.isInstalled(ctx, "pre-applypatch") {
		all = append(all,
			"the pre-commit framework has no hook for git am: CI must check again, or run `acta install` to add one")
	}
	if all == nil {
		return []string{}
	}
	return all
}

// HooksPathProblems says where core.hooksPath names a folder that a work tree lacks, or one of another tool that hides
// acta's hooks; nothing if git finds its hooks.
func HooksPathProblems(ctx context.Context, g repo.Layout) []string {
	if exists(g.HooksDir) && g.HooksDir != os.DevNull {
		return (&scratch{g: g}).hiddenHooks()
	}
	return hooksPaths(ctx, g, nil)
}

// hooksPaths lists settings of core.hooksPath that disable the repository's hooks.
func hooksPaths(ctx context.Context, g repo.Layout, env []string) []string {
	var out []string
	set := config(ctx, g, env, "--show-scope", "--type=path", "--get-all", keyHooksPath)
	for entry := range strings.SplitSeq(set, "\n") {
		scope, path, ok := strings.Cut(entry, "\t")
		switch {
		case !ok:
		case path == os.DevNull || path == "":
			out = append(out, fmt.Sprintf("%s is %q in the %s configuration: no hook runs", keyHooksPath, path, scope))
		case !filepath.IsAbs(path) && !g.IsBare:
			out = append(out,
				fmt.Sprintf(
					"%s is the relative path %s in the %s configuration: a work tree or a commit without that folder runs no hook",
					keyHooksPath, path, scope))
		case filepath.IsAbs(path) && !exists(path):
			out = append(out, fmt.Sprintf("%s is %s in the %s configuration, which is not there, as after a work tree is "+
				"deleted: no hook runs; `git config --%s --unset-all %s`, then `acta install`",
				keyHooksPath, path, scope, scope, keyHooksPath))
		}
	}
	return out
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (s *scratch) hiddenHooks() []string {
	own := folder(filepath.Join(s.g.CommonDir, "hooks"))
	if filepath.Clean(s.g.HooksDir) == string(own) || !own.hasOurs() || folder(s.g.HooksDir).hasOurs() ||
		s.isNamed("commit-msg") {
		return nil
	}
	return []string{fmt.Sprintf("%s holds acta's hooks, but git does not run them, because %s is %s; run `acta install`",
		own, keyHooksPath, s.g.HooksDir)}
}

func (s *scratch) skipVariables() []string {
	var out []string
	for _, v := range s.env {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case name == "SKIP" && strings.Contains(value, "acta"):
			out = append(out, "SKIP="+value+" is set: the pre-commit framework skips these hooks; unset SKIP")
		case (name == "HUSKY" || name == "LEFTHOOK") && (value == "0" || value == "false"):
			out = append(out, v+" is set: "+strings.ToLower(name)+" runs no hook; unset "+name)
		}
	}
	return out
}

func (s *scratch) scriptProblems() []string {
	var out []string
	dir := folder(s.g.HooksDir)
	for _, p := range Points() {
		path, err := dir.ourScript(p.Name)
		if err != nil || path == "" {
			continue
		}
		if !isExecutable(path) {
			out = append(out, path+" is not executable, so git skips it; run `acta install`")
		}
		if binary := scriptBinary(path); binary != "" && !isExecutable(binary) {
			out = append(out, fmt.Sprintf("%s starts %s, which is not there; run `acta install`", path, binary))
		}
	}
	return out
}

var installedLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^installed='(.*)'$`) })

func scriptBinary(path string) string {
	data, _ := state.ReadFile(path) // no line if it cannot be read
	m := installedLine().FindSubmatch(data)
	if m == nil {
		return ""
	}
	return strings.ReplaceAll(string(m[1]), `'\''`, "'")
}

func config(ctx context.Context, g repo.Layout, env []string, args ...string) string {
	out, err := repo.Command(ctx, cmp.Or(g.Top, g.GitDir), env, append([]string{"config"}, args...)...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(out), "\n")
}
