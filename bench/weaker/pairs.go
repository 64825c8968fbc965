package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/weaker"
)

// pairs counts labelled pairs of trees by corpus and label: all, then by the worst that is said, and last those of
// which nothing is said.
type pairs map[string][5]int

// measure judges each pair that stands in a folder as CORPUS/CASE/before, CORPUS/CASE/after and CORPUS/CASE/label.
func (p pairs) measure(ctx context.Context, dir string, findings *list) error {
	labels, err := filepath.Glob(filepath.Join(dir, "*", "*", "label"))
	if err != nil {
		return err
	}
	if len(labels) == 0 {
		return fmt.Errorf("expected pairs as CORPUS/CASE/{before,after,label} in %s, found none", dir)
	}
	for _, file := range labels {
		label, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		at := filepath.Dir(file)
		corpus := filepath.Base(filepath.Dir(at)) + " | " + strings.TrimSpace(string(label))
		worst, err := judgePair(ctx, at, corpus, findings)
		if err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		for _, key := range []string{corpus, "all | " + strings.TrimSpace(string(label))} {
			counts := p[key]
			counts[0]++
			counts[1+worst]++
			p[key] = counts
		}
	}
	return nil
}

// judgePair returns the worst that is said of a pair: an index of severities, or their number where nothing is.
func judgePair(ctx context.Context, at, corpus string, findings *list) (int, error) {
	before, after := treeIn(filepath.Join(at, "before")), treeIn(filepath.Join(at, "after"))
	old, err := before.Paths(ctx)
	if err != nil {
		return 0, err
	}
	now, err := after.Paths(ctx)
	if err != nil {
		return 0, err
	}
	paths := slices.Compact(slices.Sorted(slices.Values(append(old, now...))))
	paths = slices.DeleteFunc(paths, func(path string) bool {
		a, err := os.ReadFile(filepath.Join(at, "before", path))
		b, other := os.ReadFile(filepath.Join(at, "after", path))
		return err == nil && other == nil && string(a) == string(b)
	})
	account, err := weaker.Compare(ctx, weaker.Change{Before: before, After: after, Paths: paths})
	if err != nil {
		return 0, err
	}
	worst := len(severities)
	for _, w := range account.Weakenings {
		worst = min(worst, severity(w))
		if err := findings.add("%s\t%s\t%s\t%s\t%s\t%s\t%s", severities[severity(w)], corpus,
			filepath.Base(at), w.Kind, w.Form, w.Message, w.Excuse); err != nil {
			return 0, err
		}
	}
	if worst == len(severities) {
		return worst, findings.add("none\t%s\t%s", corpus, filepath.Base(at))
	}
	return worst, nil
}

func treeIn(dir string) *evidence.Tree { return &evidence.Tree{Files: folder(dir), Name: dir} }

// folder is a folder as package evidence reads a tree.
type folder string

func (f folder) in(path string) string { return filepath.Join(string(f), filepath.FromSlash(path)) }

func (f folder) Stat(_ context.Context, path string) (evidence.Entry, error) {
	info, err := os.Lstat(f.in(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return evidence.Entry{}, nil
	case err != nil:
		return evidence.Entry{}, err
	case info.IsDir():
		return evidence.Entry{Path: path, Kind: evidence.Folder, ID: f.in(path)}, nil
	}
	return evidence.Entry{Path: path, Kind: evidence.File, ID: f.in(path), Mode: "100644"}, nil
}

func (f folder) Size(_ context.Context, e evidence.Entry) (int64, error) {
	info, err := os.Stat(f.in(e.Path))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (f folder) Read(_ context.Context, e evidence.Entry) ([]byte, error) {
	return os.ReadFile(f.in(e.Path))
}

func (f folder) Paths(context.Context) ([]string, error) {
	var all []string
	err := fs.WalkDir(os.DirFS(string(f)), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			all = append(all, path)
		}
		return err
	})
	return all, err
}

func (folder) Renamed(context.Context, *evidence.Tree, string) (string, error) { return "", nil }

func (p pairs) table() string {
	var b strings.Builder
	b.WriteString("| corpus | label | pairs | an error | a warning | a note | nothing |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, key := range slices.Sorted(maps.Keys(p)) {
		c := p[key]
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", key, c[0], c[1], c[2], c[3], c[4])
	}
	return b.String()
}
