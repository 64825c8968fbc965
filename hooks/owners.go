package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acta-git/acta/repo"
)

// owner is a tool that writes the hook files of a repository itself, anew whenever
// it likes. Its users say in its own files what its hooks run.
type owner interface {
	install(write bool) ([]Action, error)
	uninstall() ([]Action, error)
	// comes says what the tool will do to hooks that are installed before it.
	comes() Action
}

// ownerOf is the tool that owns the repository's hooks, nil when none does.
func ownerOf(g repo.Layout) owner {
	if own := filepath.Dir(g.HooksDir); filepath.Base(g.HooksDir) == "_" &&
		(filepath.Base(own) == ".husky" || isFile(filepath.Join(g.HooksDir, "h"))) {
		return husky(own)
	}
	for _, p := range Points() {
		data, err := os.ReadFile(folder(g.HooksDir).path(p.Name))
		if err == nil && bytes.Contains(data, []byte("call_lefthook")) {
			return lefthook(g.Top)
		}
	}
	return nil
}

// comingOwner is the tool that a work tree is set up for, and that will own the hooks once
// somebody installs it in this clone, as `npm install` does; nil when there is none.
func comingOwner(top string) owner {
	if top == "" {
		return nil
	}
	if info, err := os.Stat(filepath.Join(top, ".husky")); err == nil && info.IsDir() ||
		callsHusky(filepath.Join(top, "package.json")) {
		return husky(filepath.Join(top, ".husky"))
	}
	if slices.ContainsFunc(lefthookFiles(), func(name string) bool { return isFile(filepath.Join(top, name)) }) {
		return lefthook(top)
	}
	return nil
}

// allOwners are the tools in whose files there may be lines of acta's.
func allOwners(g repo.Layout) []owner {
	if g.Top == "" {
		return nil
	}
	all := []owner{husky(filepath.Join(g.Top, ".husky")), lefthook(g.Top)}
	if own := ownerOf(g); own != nil && !slices.Contains(all, own) {
		all = append(all, own)
	}
	return all
}

// callsHusky reports whether a script of a package.json calls husky.
func callsHusky(path string) bool {
	data, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	var npm struct{ Scripts map[string]string }
	if err := json.Unmarshal(data, &npm); err != nil {
		return false // npm cannot read it either
	}
	calls := func(script string) bool { return slices.Contains(strings.Fields(script), "husky") }
	return slices.ContainsFunc(slices.Collect(maps.Values(npm.Scripts)), calls)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// husky is the folder of the user's hooks, .husky. husky sets core.hooksPath to
// the folder _ in it, which it writes anew with every npm install
// (typicode.github.io/husky: "How To").
type husky string

// lineTag ends the lines that Install adds to files of somebody else.
const lineTag = "# acta-hook"

func (h husky) line(p Point) string {
	return guarded(p, `"$1"`, `"$@"`) + " " + lineTag
}

// asks reports whether the user's hook has acta's line.
func (h husky) asks(p Point) bool {
	data, err := os.ReadFile(h.path(p))
	return err == nil && bytes.Contains(data, []byte(h.line(p)))
}

func (h husky) path(p Point) string { return filepath.Join(string(h), p.Name) }

func (h husky) comes() Action {
	return Action{
		string(h),
		"husky is not active in this clone yet; `npm install` will set core.hooksPath, and git then skips acta's hooks",
	}
}

func (h husky) install(write bool) ([]Action, error) {
	var done []Action
	if write {
		if err := repo.CheckStaysIn(filepath.Dir(string(h)), filepath.Base(string(h))); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(string(h), 0o777); err != nil {
			return nil, err
		}
	}
	defer folder(h).lock()()
	if err := folder(h).removeStrays(); err != nil {
		return nil, err
	}
	for _, f := range scripts("", keptNowhere, Default) {
		if !write && !h.asks(f.Point) {
			done = append(done, Action{
				h.path(f.Point), "not changed, because husky manages the hooks; add this line to it, or run `acta install " +
					"--write`:\n    " +
					h.line(f.Point),
			})
			continue
		}
		did, err := h.add(f.Point)
		if err != nil {
			return done, err
		}
		done = append(done, Action{h.path(f.Point), did})
	}
	return done, nil
}

// add appends the line to the user's hook. A file whose last line does not end
// goes on having such a line, by which cut knows it.
func (h husky) add(p Point) (string, error) {
	data, mode, err := readOrNone(h.path(p))
	if err != nil {
		return "", err
	}
	if h.asks(p) {
		return "has acta's line already", nil
	}
	text := string(data)
	if text == "" || strings.HasSuffix(text, "\n") {
		text += h.line(p) + "\n"
	} else {
		text += "\n" + h.line(p)
	}
	return "added acta's line", writeFile(h.path(p), text, mode)
}

func (h husky) uninstall() ([]Action, error) {
	defer folder(h).lock()()
	if err := folder(h).removeStrays(); err != nil {
		return nil, err
	}
	var done []Action
	for _, p := range Points() {
		data, mode, err := readOrNone(h.path(p))
		if err != nil {
			return done, err
		}
		text := cutTagged(string(data))
		if text == string(data) {
			continue
		}
		if text == "" {
			err = os.Remove(h.path(p))
		} else {
			err = writeFile(h.path(p), text, mode)
		}
		if err != nil {
			return done, err
		}
		done = append(done, Action{h.path(p), "took acta's line out"})
	}
	if len(done) > 0 {
		_ = os.Remove(string(h)) // when nothing else is in it
	}
	return done, nil
}

// cutTagged removes the lines that end with lineTag.
func cutTagged(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		switch {
		case strings.HasSuffix(line, lineTag):
			return strings.TrimSuffix(b.String(), "\n")
		case !strings.HasSuffix(line, lineTag+"\n"):
			b.WriteString(line)
		}
	}
	return b.String()
}

// lefthook is the top of the work tree, where lefthook.yml is. lefthook writes its
// hook files anew when its configuration changes, and reads lefthook-local.yml on
// top of it (lefthook.dev: lefthookLocal).
type lefthook string

// lefthookLocal is what lefthook reads on top of its configuration, and is nobody's but this clone's.
const lefthookLocal = "lefthook-local.yml"

// lefthookHeader opens a lefthook-local.yml that Install has written.
const lefthookHeader = "# Local additions to lefthook.yml.\n" + markerLine + "\n"

// lefthookFiles are the names under which lefthook looks for its configuration (lefthook.dev: "Config file name").
func lefthookFiles() []string {
	var names []string
	for _, dir := range []string{"", ".", ".config/"} {
		for _, format := range []string{"yml", "yaml", "toml", "json", "jsonc"} {
			names = append(names, dir+"lefthook."+format)
		}
	}
	return names
}

func (l lefthook) comes() Action {
	return Action{
		string(l),
		"lefthook is not active in this clone yet; `lefthook install` will replace acta's hooks with its own",
	}
}

func (l lefthook) install(write bool) ([]Action, error) {
	local := filepath.Join(string(l), lefthookLocal)
	defer folder(l).lock()()
	if err := folder(l).removeStrays(); err != nil {
		return nil, err
	}
	for _, name := range append(lefthookFiles(), lefthookLocal) {
		data, err := os.ReadFile(filepath.Join(string(l), name))
		if err == nil && !write && bytes.Contains(data, []byte("acta hook commit-msg")) {
			return []Action{{filepath.Join(string(l), name), "has acta's lines already"}}, nil
		}
	}
	if !write {
		return []Action{{filepath.Join(string(l), "lefthook.yml"),
			"not changed, because lefthook manages the hooks; add these lines to it, or run `acta install --write`, which " +
				"puts them into " +
				"lefthook-local.yml; then run `lefthook install`:\n" + l.lines()}}, nil
	}
	data, mode, err := readOrNone(local)
	if err != nil {
		return nil, err
	}
	if len(data) > 0 && !holdsMarker(data) {
		return nil, fmt.Errorf(
			"acta did not write %s; add these lines to it by hand, then run `lefthook install`:\n%s", local,
			l.lines())
	}
	if err := writeFile(local, lefthookHeader+l.lines(), mode); err != nil {
		return nil, err
	}
	return []Action{{local, "written; now run `lefthook install`"}}, nil
}

func (l lefthook) lines() string {
	var b strings.Builder
	for _, f := range scripts("", keptNowhere, Default) {
		fmt.Fprintf(&b, "%s:\n  commands:\n    acta:\n", f.Name)
		if f.Stdin {
			b.WriteString("      use_stdin: true\n")
		}
		args := `{0}`
		if f.Message {
			args = `"{1}"`
		}
		fmt.Fprintf(&b, "      run: |\n        %s\n", guarded(f.Point, `"{1}"`, args))
	}
	return b.String()
}

func (l lefthook) uninstall() ([]Action, error) {
	defer folder(l).lock()()
	if err := folder(l).removeStrays(); err != nil {
		return nil, err
	}
	local := filepath.Join(string(l), lefthookLocal)
	data, _, err := readOrNone(local)
	if err != nil || !holdsMarker(data) {
		return nil, err
	}
	return []Action{{local, "removed; now run `lefthook install`"}}, os.Remove(local)
}

// guarded is a line of shell that asks acta where it is on PATH. These files are
// shared with people who may not have it: without acta, what claims something is
// refused and everything else passes. message names the file of the message.
func guarded(p Point, message, args string) string {
	ask := "acta hook " + p.Name + " " + args
	if !p.Message {
		return "! command -v acta >/dev/null || " + ask
	}
	return "if command -v acta >/dev/null; then " + ask +
		"; elif grep -Eiq '^(" + claimKeys() + ") *:' " + message +
		`; then echo "acta is not on PATH to check what this message claims" >&2; exit 1; fi`
}

// readOrNone reads a file, which need not be there, and the mode to write it with.
func readOrNone(path string) ([]byte, fs.FileMode, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0o644, nil
	}
	if err != nil {
		return nil, 0, err
	}
	data, err := os.ReadFile(path)
	return data, info.Mode().Perm(), err
}
