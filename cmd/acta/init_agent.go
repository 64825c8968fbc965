package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2/maybe"
	"github.com/sergi/go-diff/diffmatchpatch"

	"github.com/acta-git/acta/agent"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
)

// runInitAgent adds acta's hooks to the configuration of an agent's host. What is there stays as it is.
func (c command) runInitAgent(ctx context.Context, r *repo.Repo, o initOptions) error {
	host, err := agent.FindHost(o.agent)
	if err != nil {
		return usagef("--agent: %v", err)
	}
	top, err := r.Top(ctx)
	if err != nil {
		return err
	}
	if top == "" {
		return usagef("acta init needs a work tree, and this repository has none")
	}
	path := agent.SettingsPath(host)
	file := filepath.Join(top, filepath.FromSlash(path))
	if linked, err := filepath.EvalSymlinks(file); err == nil {
		file = linked // the link stays one
	}
	before, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	after, err := agent.AddHooks(host, before)
	if err != nil {
		return &judge.ConfigError{Err: fmt.Errorf("%s: %w", path, err)}
	}
	switch {
	case bytes.Equal(before, after):
		c.Stdout.Printf("%s: has acta's hooks already\n", path)
		return nil
	case o.dryRun:
		c.Stdout.Printf("%s: would be written\n", path)
		_, err := io.WriteString(c.Stdout, addedLines(string(before), string(after)))
		return err
	}
	if err := writeSettings(file, after); err != nil {
		return err
	}
	c.Stdout.Printf("%s: written\n", path)
	_, err = io.WriteString(c.Stdout, hostHint(host))
	return err
}

func hostHint(h agent.Host) string {
	if h == agent.Codex {
		return "\nCodex asks before it runs a hook that is new or has changed: answer in /hooks.\n"
	}
	return ""
}

// writeSettings writes a configuration whole, with the permissions that it has.
func writeSettings(file string, data []byte) error {
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return maybe.WriteFile(file, data, mode)
}

// addedLines are the lines of a file that a change touches, with some around them.
func addedLines(before, after string) string {
	d := diffmatchpatch.New()
	a, b, lines := d.DiffLinesToChars(before, after)
	var out strings.Builder
	for _, part := range d.DiffCharsToLines(d.DiffMain(a, b, false), lines) {
		mark := map[diffmatchpatch.Operation]string{diffmatchpatch.DiffInsert: "+", diffmatchpatch.DiffDelete: "-", diffmatchpatch.DiffEqual: " "}[part.Type]
		for line := range strings.Lines(part.Text) {
			out.WriteString(mark + strings.TrimRight(line, "\r\n") + "\n")
		}
	}
	return out.String()
}
