package weaker_test

import (
	"context"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/weaker"
)

// treeOf is a tree by its paths.
func treeOf(files map[string]string) *evidence.Tree {
	return &evidence.Tree{
		Stat: func(_ context.Context, path string) (evidence.Entry, error) {
			if _, ok := files[path]; ok {
				return evidence.Entry{Path: path, Kind: evidence.File, ID: path + files[path], Mode: "100644"}, nil
			}
			for file := range files {
				if strings.HasPrefix(file, path+"/") {
					return evidence.Entry{Path: path, Kind: evidence.Folder}, nil
				}
			}
			return evidence.Entry{}, nil
		},
		Size: func(_ context.Context, e evidence.Entry) (int64, error) { return int64(len(files[e.Path])), nil },
		Read: func(_ context.Context, e evidence.Entry) ([]byte, error) { return []byte(files[e.Path]), nil },
		Paths: func(context.Context) (all []string, _ error) {
			for path := range files {
				all = append(all, path)
			}
			return all, nil
		},
	}
}

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
