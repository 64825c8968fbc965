package hooks

import (
	"bytes"
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

// installed reports whether acta has something at a hook: a script, or a line in the files of a tool that owns it.
func (s *scratch) installed(ctx context.Context, hook string) bool {
	dirs := []string{s.g.HooksDir}
	if isGlobal(s.g.HooksDir) { // whose scripts hand on to the repository's own
		dirs = append(dirs, filepath.Join(s.g.CommonDir, "hooks"))
	}
	for _, dir := range dirs {
		if path, err := folder(dir).ours(hook); err == nil && path != "" && recorded(path) != "" {
			return true // one that names no executable only hands on to the repository's hook
		}
	}
	return s.named(hook)
}

// named reports whether the files of another tool name acta's hook.
func (s *scratch) named(hook string) bool {
	return s.framework(hook) ||
		owner{"husky", filepath.Join(s.g.Top, ".husky")}.asks(hook) != "" || owner{"lefthook", s.g.Top}.asks(hook) != ""
}

// framework reports whether the configuration of the pre-commit framework names acta's hook, by its id or its command.
func (s *scratch) framework(hook string) bool {
	data, err := state.ReadFile(filepath.Join(s.g.Top, ".pre-commit-config.yaml"))
	return err == nil && (bytes.Contains(data, []byte("acta-"+hook)) || bytes.Contains(data, []byte("acta hook "+hook)) ||
		hook == "pre-push" && bytes.Contains(data, []byte("acta verify")))
}

// remedy is what has acta asked at a hook, by the tool that writes the hooks here.
func (s *scratch) remedy(hook string) string {
	switch own := cmp.Or(ownerOf(s.g), comingOwner(s.g.Top)); {
	case own.name != "" && own.asks(hook) == "":
		return fmt.Sprintf("add the lines to %s that `acta install` prints", own.files(hook)[0])
	case own.name == "husky":
		return "let npm install husky: `npm install`"
	case own.name == "lefthook":
		return "run `lefthook install`"
	case s.framework(hook):
		return "run `pre-commit install --hook-type " + hook + "`"
	}
	return "run `acta install`"
}

// problems lists what disables hooks here, or would elsewhere.
func (s *scratch) problems(ctx context.Context) []string {
	all := slices.Concat(hooksPaths(ctx, s.g, s.env), s.hidden(), s.switches(), s.scripts())
	if s.framework("commit-msg") && !s.installed(ctx, "pre-applypatch") {
		all = append(all,
			"the pre-commit framework has no hook for git am: CI must ask again, or `acta install` beside it adds one")
	}
	if all == nil {
		return []string{}
	}
	return all
}

// Unreached says where core.hooksPath names a folder that a work tree does not have, so that git runs no hook there;
// nothing where git finds its hooks, or looks for them in the repository.
func Unreached(ctx context.Context, g repo.Layout) []string {
	if isThere(g.HooksDir) && g.HooksDir != os.DevNull {
		return nil
	}
	return hooksPaths(ctx, g, nil)
}

// hooksPaths says where core.hooksPath is set, which replaces the repository's hooks.
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
		case filepath.IsAbs(path) && !isThere(path):
			out = append(out, fmt.Sprintf("%s is %s in the %s configuration, which is not there, as after a work tree is "+
				"deleted: no hook runs; `git config --%s --unset-all %s`, then `acta install`",
				keyHooksPath, path, scope, scope, keyHooksPath))
		}
	}
	return out
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// hidden says where hooks of acta's lie that core.hooksPath hides.
func (s *scratch) hidden() []string {
	own := folder(filepath.Join(s.g.CommonDir, "hooks"))
	if filepath.Clean(s.g.HooksDir) == string(own) || !own.hasOurs() || folder(s.g.HooksDir).hasOurs() ||
		s.named("commit-msg") {
		return nil
	}
	return []string{fmt.Sprintf("%s holds acta's hooks, but git does not run them, because %s is %s; run `acta install`",
		own, keyHooksPath, s.g.HooksDir)}
}

// switches lists variables of the environment that make other tools skip their hooks.
func (s *scratch) switches() []string {
	var out []string
	for _, v := range s.env {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case name == "SKIP" && strings.Contains(value, "acta"):
			out = append(out, "SKIP="+value+" is set: the pre-commit framework skips these hooks")
		case (name == "HUSKY" || name == "LEFTHOOK") && (value == "0" || value == "false"):
			out = append(out, v+" is set: "+strings.ToLower(name)+" runs no hook")
		}
	}
	return out
}

// scripts lists what is wrong with acta's own files.
func (s *scratch) scripts() []string {
	var out []string
	dir := folder(s.g.HooksDir)
	for _, p := range Points() {
		path, err := dir.ours(p.Name)
		if err != nil || path == "" {
			continue
		}
		if !isExecutable(path) {
			out = append(out, path+" is not executable, so git skips it; run `acta install`")
		}
		if binary := recorded(path); binary != "" && !isExecutable(binary) {
			out = append(out, fmt.Sprintf("%s starts %s, which is not there; run `acta install`", path, binary))
		}
	}
	return out
}

var installedLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^installed='(.*)'$`) })

// recorded is the executable that a script starts.
func recorded(path string) string {
	data, err := state.ReadFile(path)
	if err != nil {
		return ""
	}
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
