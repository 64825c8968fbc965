package weaker_test

import (
	"context"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/weaker"
)

// treeOf is a tree by its paths.
func treeOf(files map[string]string) *evidence.Tree { return &evidence.Tree{Files: memory(files)} }

type memory map[string]string

func (m memory) Stat(_ context.Context, path string) (evidence.Entry, error) {
	if _, ok := m[path]; ok {
		return evidence.Entry{Path: path, Kind: evidence.File, ID: path + m[path], Mode: "100644"}, nil
	}
	for file := range m {
		if strings.HasPrefix(file, path+"/") {
			return evidence.Entry{Path: path, Kind: evidence.Folder}, nil
		}
	}
	return evidence.Entry{}, nil
}

func (m memory) Size(_ context.Context, e evidence.Entry) (int64, error) {
	return int64(len(m[e.Path])), nil
}

func (m memory) Read(_ context.Context, e evidence.Entry) ([]byte, error) {
	return []byte(m[e.Path]), nil
}

func (m memory) Paths(context.Context) (all []string, _ error) {
	for path := range m {
		all = append(all, path)
	}
	return all, nil
}

func (memory) Renamed(context.Context, *evidence.Tree, string) (string, error) { return "", nil }

func TestAGateThatAsksLessIsCounted(t *testing.T) {
	const path = ".github/workflows/ci.yml"
	workflow := "on: push\njobs:\n  test:\n    steps:\n      - run: pytest -q\n"
	before := treeOf(map[string]string{path: workflow})
	after := treeOf(map[string]string{path: strings.Replace(workflow, "-q", "-q || true", 1)})
	account, err := weaker.Compare(t.Context(), weaker.Change{Before: before, After: after, Paths: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	if account.Gates != 1 || len(account.Weakenings) != 1 {
		t.Fatalf("%+v", account)
	}
	w := account.Weakenings[0]
	if w.Kind != weaker.Gate || w.Before.Line != 5 || w.After.Text != "      - run: pytest -q || true" {
		t.Errorf("%+v", w)
	}
	account, err = weaker.Compare(t.Context(), weaker.Change{After: after, Paths: []string{path}})
	if err != nil || len(account.Weakenings) != 0 {
		t.Errorf("a tree before which nothing stands: %+v, %v", account, err)
	}
}
