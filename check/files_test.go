package check

import (
	"context"
	"maps"
	"slices"

	"github.com/acta-git/acta/evidence"
)

// files is a snapshot in memory: what stands at each path.
type files map[string]string

func (f files) tree() evidence.Tree {
	return evidence.Tree{
		Stat: func(_ context.Context, path string) (evidence.Entry, error) {
			e := evidence.Entry{Path: path}
			if content, ok := f[path]; ok {
				e.Kind, e.ID, e.Mode = evidence.File, content, "100644"
			}
			return e, nil
		},
		Size:  func(_ context.Context, e evidence.Entry) (int64, error) { return int64(len(e.ID)), nil },
		Read:  func(_ context.Context, e evidence.Entry) ([]byte, error) { return []byte(e.ID), nil },
		Paths: func(context.Context) ([]string, error) { return slices.Sorted(maps.Keys(f)), nil },
	}
}

// changes lists the paths that two snapshots differ in.
func changes(before, after files) []string {
	all := maps.Clone(before)
	maps.Copy(all, after)
	for path := range all {
		was, had := before[path]
		if is, has := after[path]; had == has && was == is {
			delete(all, path)
		}
	}
	return slices.Sorted(maps.Keys(all))
}
