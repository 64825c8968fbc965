package hooks

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
)

// owner is husky or lefthook, which rewrite the hook files of a repository at any time. Their users configure hooks in
// their own files; acta edits none of them.
type owner struct {
	name string // "" for none
	dir  string // the folder of its files: .husky, or for lefthook the top of the work tree
}

func ownerOf(g repo.Layout) owner {
	if own := filepath.Dir(g.HooksDir); filepath.Base(g.HooksDir) == "_" &&
		(filepath.Base(own) == ".husky" || isFile(filepath.Join(g.HooksDir, "h"))) {
		return owner{"husky", own}
	}
	for _, p := range Points() {
		if contains(folder(g.HooksDir).path(p.Name), "call_lefthook") {
			return owner{"lefthook", g.Top}
		}
	}
	return owner{}
}

// futureOwner is the hook manager that will own the hooks once it is installed in this clone, as by `npm install`.
func futureOwner(top string) owner {
	if top == "" {
		return owner{}
	}
	if info, err := os.Stat(filepath.Join(top, ".husky")); err == nil && info.IsDir() ||
		callsHusky(filepath.Join(top, "package.json")) {
		return owner{"husky", filepath.Join(top, ".husky")}
	}
	if slices.ContainsFunc(lefthookFiles(), func(name string) bool { return isFile(filepath.Join(top, name)) }) {
		return owner{"lefthook", top}
	}
	return owner{}
}

func callsHusky(path string) bool {
	data, _ := state.ReadFile(path)
	var npm struct{ Scripts map[string]string }
	if json.Unmarshal(data, &npm) != nil {
		return false // npm cannot read it either
	}
	calls := func(script string) bool { return slices.Contains(strings.Fields(script), "husky") }
	return slices.ContainsFunc(slices.Collect(maps.Values(npm.Scripts)), calls)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// lefthookFiles are the names of lefthook's configuration (lefthook.dev: "Config file name").
func lefthookFiles() []string {
	var names []string
	for _, dir := range []string{"", ".", ".config/"} {
		for _, format := range []string{"yml", "yaml", "toml", "json", "jsonc"} {
			names = append(names, dir+"lefthook."+format)
		}
	}
	return names
}

func (o owner) files(hook string) []string {
	switch o.name {
	case "":
		return nil
	case "husky":
		return []string{filepath.Join(o.dir, hook)}
	}
	names := append(lefthookFiles(), "lefthook-local.yml")
	i := max(slices.IndexFunc(names, func(name string) bool { return isFile(filepath.Join(o.dir, name)) }), 0)
	names = append(names[i:], names[:i]...)
	for i, name := range names {
		names[i] = filepath.Join(o.dir, name)
	}
	return names
}

func (o owner) callingFile(hook string) string {
	for _, path := range o.files(hook) {
		if contains(path, "acta hook "+hook) {
			return path
		}
	}
	return ""
}

func (o owner) missing() []Action {
	var all []Action
	for _, p := range Points() {
		if p.Set != Default || p.IsIdle || o.callingFile(p.Name) != "" {
			continue
		}
		path, did := o.files(p.Name)[0], "not changed; add "
		if o.name == "husky" {
			did += "this line, by which husky asks acta:\n    " + guardedCall(p, `"$1"`, `"$@"`)
			all = append(all, Action{path, did})
			continue
		}
		file, _ := state.ReadFile(path) // a new file gets the whole block
		if block := lefthookBlock(p, filepath.Ext(path), file); len(all) == 0 {
			did += "these lines, by which lefthook asks acta, and run `lefthook install`:\n" + block
			all = []Action{{path, did}}
		} else {
			all[0].Note += block
		}
	}
	return all
}

//go:embed lefthook.tmpl
var lefthookTemplate string

// lefthookBlock is the configuration by which lefthook calls acta at a hook, in the format of its file: the whole
// section of a new hook, else the lines to add to it, after a comment that says where.
func lefthookBlock(p Point, ending string, file []byte) string {
	args, format := `{0}`, "yaml"
	if p.HasMessage {
		args = `"{1}"`
	}
	for _, other := range []string{"toml", "json"} {
		if strings.HasPrefix(ending, "."+other) {
			format = other
		}
	}
	hasHook, list := lefthookSection(file, p.Name)
	var b strings.Builder
	formats := template.Must(template.New("").Delims("<<", ">>").Parse(lefthookTemplate))
	_ = formats.ExecuteTemplate(&b, format, map[string]any{ // a builder takes everything
		"Name": p.Name, "ReadsStdin": p.ReadsStdin, "Run": guardedCall(p, `"{1}"`, args), "HasHook": hasHook, "List": list,
	})
	return b.String()
}

// lefthookSection reports whether lefthook's YAML or JSON has a hook, and its list: commands, jobs, or "" for neither.
func lefthookSection(file []byte, hook string) (hasHook bool, list string) {
	at := regexp.MustCompile(`(?m)(^|")` + hook + `"?\s*:`).FindIndex(file)
	if at == nil {
		return false, ""
	}
	section := file[at[1]:]
	if next := regexp.MustCompile(`(?m)^[\w-]`).FindIndex(section); next != nil { // the next hook in YAML
		section = section[:next[0]]
	}
	return true, string(bytes.Trim(regexp.MustCompile(`\b(commands|jobs)"?\s*:`).Find(section), "\": \t"))
}

// guardedCall is a line of shell that calls acta if it is on PATH and intact: a truncated executable may exit with 0
// and print nothing. These files are shared with people who may lack acta: without it, an ACT or ADAPT is refused and
// everything else passes. message names the file of the message.
func guardedCall(p Point, message, args string) string {
	ask := "acta hook " + p.Name + " " + args
	if !p.HasMessage {
		return `[ -z "$(acta version 2>/dev/null)" ] || ` + ask
	}
	return `if [ -n "$(acta version 2>/dev/null)" ]; then ` + ask +
		"; elif grep -Eq '" + titlePattern + "' " + message +
		`; then echo "acta is not on PATH to check what this message claims" >&2; exit 1; fi`
}
