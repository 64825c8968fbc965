package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/acta-git/acta/evidence"
)

// given is a file that is read from memory.
func given(path, src string) sourceFile {
	return sourceFile{path: path, read: func(context.Context) ([]byte, error) { return []byte(src), nil }}
}

func TestFilesArePrintedInOrderHoweverLongEachTakes(t *testing.T) {
	var files []sourceFile
	var reading, most atomic.Int32
	first := make(chan struct{})
	for i := range 2000 {
		f := given(fmt.Sprintf("f%04d.py", i), fmt.Sprintf("def f%d(): pass\n", i))
		read := f.read
		f.read = func(ctx context.Context) ([]byte, error) {
			if i == 0 {
				<-first // until the others wait for it
			}
			if n := reading.Add(1); n > most.Load() {
				most.Store(n)
			}
			if i == 40 {
				close(first)
			}
			return read(ctx)
		}
		files = append(files, f)
	}
	var printed []string
	err := readAll(t.Context(), files, false, func(path string, stubs []evidence.Function, err error) error {
		reading.Add(-1)
		if err != nil || len(stubs) != 1 || fmt.Sprintf("f%04s.py", stubs[0].Symbol[1:]) != path {
			t.Errorf("%s: %v, %v", path, stubs, err)
		}
		printed = append(printed, path)
		return nil
	})
	if err != nil || len(printed) != len(files) || !slices.IsSorted(printed) {
		t.Errorf("%v, %d files printed", err, len(printed))
	}
	if most.Load() >= 1000 {
		t.Errorf("%d files were held at a time", most.Load())
	}
}

func TestReadingEndsAtTheFirstErrorOfPrint(t *testing.T) {
	stop := errors.New("broken pipe")
	var files []sourceFile
	for i := range 5000 {
		files = append(files, given(fmt.Sprintf("f%d.py", i), ""))
	}
	n := 0
	err := readAll(t.Context(), files, false, func(string, []evidence.Function, error) error { n++; return stop })
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("%v after %d files", err, n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := readAll(ctx, files, false, func(string, []evidence.Function, error) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was stopped", err)
	}
}

func TestPathsAreInTheOrderOfAWalk(t *testing.T) {
	want := []string{"a", "a/b", "a/b/x", "a/b-c/x", "a-b", "a.go", "b"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, walkOrder)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
