package hooks

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/acta-git/acta/repo"
)

// Names lists the hook points that Install writes.
func Names() []string { return []string{"commit-msg"} }

// marker stands in the second line of every hook that Install writes. Uninstall
// takes back only files that hold it.
const marker = "# acta-hook: written by `acta install`, taken back by `acta uninstall`"

// chained is what Install appends to the name of a hook that was there before.
const chained = ".before-acta"

//go:embed commit_msg.sh
var commitMsgScript string

// Action is one thing that Install or Uninstall did.
type Action struct {
	Path, Did string
}

// Install writes the hooks where git will look for them, in front of nothing and
// behind whatever was there: a foreign hook is kept beside ours and run first,
// with its arguments, environment and stdin. Installing again changes nothing but
// the path of the executable. binary is its absolute path.
func Install(ctx context.Context, r *repo.Repo, binary string) ([]Action, error) {
	dir, err := folder(ctx, r)
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(binary) {
		return nil, fmt.Errorf("the path of the executable must be absolute, not %q", binary)
	}
	if own, ok := husky(dir); ok {
		return tellHusky(own), nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	var done []Action
	for _, name := range Names() {
		path := filepath.Join(dir, name)
		moved, err := setAside(path)
		if err != nil {
			return done, err
		}
		if moved {
			done = append(done, Action{path + chained, "kept the hook that was here; it runs first"})
		}
		if err := writeScript(path, script(commitMsgScript, binary)); err != nil {
			return done, err
		}
		done = append(done, Action{path, "installed"})
	}
	return done, nil
}

// Uninstall takes back what Install wrote and puts the hooks that were there before back in their place.
func Uninstall(ctx context.Context, r *repo.Repo) ([]Action, error) {
	dir, err := folder(ctx, r)
	if err != nil {
		return nil, err
	}
	var done []Action
	for _, name := range Names() {
		path := filepath.Join(dir, name)
		ours, err := isOurs(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return done, err
		}
		if !ours {
			done = append(done, Action{path, "left alone: acta did not write it"})
			continue
		}
		action, err := restore(path)
		if err != nil {
			return done, err
		}
		done = append(done, action)
	}
	return done, nil
}

// husky reports whether husky owns the folder: core.hooksPath is .husky/_, which
// it writes anew with every npm install, and its hooks find each other by their
// own names, so that none can be moved. own is the folder of the user's hooks.
func husky(dir string) (own string, ok bool) {
	own = filepath.Dir(dir)
	return own, filepath.Base(dir) == "_" && filepath.Base(own) == ".husky"
}

// tellHusky says what to add to the user's hooks; nothing is written there.
func tellHusky(own string) []Action {
	var todo []Action
	for _, name := range Names() {
		todo = append(todo, Action{filepath.Join(own, name), "not written, husky owns the hooks; add this line to it: acta hook " + name + ` "$1"`})
	}
	return todo
}

func restore(path string) (Action, error) {
	err := os.Rename(path+chained, path)
	if errors.Is(err, fs.ErrNotExist) {
		return Action{path, "removed"}, os.Remove(path)
	}
	return Action{path, "put back as it was"}, err
}

// folder is where git looks for hooks.
func folder(ctx context.Context, r *repo.Repo) (string, error) {
	g, err := r.Geometry(ctx)
	if err != nil {
		return "", err
	}
	if g.ObjectFormat == "sha256" {
		return "", fmt.Errorf("%s: %w; the hooks were not installed", g.GitDir, repo.ErrSHA256)
	}
	return g.HooksDir, nil
}

// setAside moves a hook that is not ours to its chained name.
func setAside(path string) (bool, error) {
	ours, err := isOurs(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || ours {
		return false, err
	}
	if _, err := os.Lstat(path + chained); err == nil {
		return false, fmt.Errorf("%s is not acta's, and %s is there already from an earlier installation; "+
			"merge the two by hand, remove one, and install again", path, path+chained)
	}
	return true, os.Rename(path, path+chained)
}

func isOurs(path string) (bool, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return false, err
	}
	if !info.Mode().IsRegular() {
		return false, nil // a link to somewhere is never ours
	}
	data, err := os.ReadFile(path)
	return bytes.Contains(data, []byte(marker)), err
}

// writeScript replaces the file whole, so that a commit running meanwhile never sees half a hook.
func writeScript(path, text string) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // gone already when all went well
	if _, err := tmp.WriteString(text); err != nil {
		return errors.Join(err, tmp.Close())
	}
	if err := errors.Join(tmp.Chmod(0o755), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// script fills in the marker, the executable's path and the chained name.
func script(template, binary string) string {
	quoted := "'" + strings.ReplaceAll(binary, "'", `'\''`) + "'"
	return strings.NewReplacer("@MARKER@", marker, "@ACTA@", quoted, "@CHAINED@", chained).Replace(template)
}
