package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/acta-git/acta/evidence"
)

// sourceFile is a file whose stubs are asked for.
type sourceFile struct {
	path string // as it is printed, with forward slashes
	// read returns its content, nil where there is no file any more.
	read func(ctx context.Context, maxSize int64) ([]byte, error)
	// before returns the version whose stubs do not count; nil: all of them count.
	before func(ctx context.Context, maxSize int64) (evidence.Source, error)
}

// tooLarge is the error of a file that is larger than acta reads.
func tooLarge(path string, maxSize int64) error {
	return fmt.Errorf("%s: it is larger than %d bytes", path, maxSize)
}

// onDisk reads a file. What is no regular file any more holds nothing.
func onDisk(path, name string) func(ctx context.Context, maxSize int64) ([]byte, error) {
	return func(_ context.Context, maxSize int64) ([]byte, error) {
		info, err := os.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, err
		case !info.Mode().IsRegular():
			return nil, nil
		case info.Size() > maxSize:
			return nil, tooLarge(path, maxSize)
		}
		return os.ReadFile(name)
	}
}

// stubs returns what the file holds.
func (f sourceFile) stubs(ctx context.Context, maxSize int64) ([]evidence.Stub, error) {
	src, err := f.read(ctx, maxSize)
	if err != nil || src == nil {
		return nil, err
	}
	if f.before == nil {
		return evidence.Stubs(ctx, f.path, src)
	}
	before, err := f.before(ctx, maxSize)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return evidence.AddedStubs(ctx, nil, before, evidence.Source{Path: f.path, Bytes: src})
}

// reading is a file on its way: what it holds is sent when it is known.
type reading struct {
	file   sourceFile
	result chan result
}

type result struct {
	stubs []evidence.Stub
	err   error
}

// ahead is how many files, for each core, may wait to be printed. It bounds what
// is held in memory, and how long a slow file keeps the others back.
const ahead = 32

// readAll reads files on all cores and hands what each holds, or why it could not
// be read, to print, in the order of the files. It calls tick from time to time,
// from the goroutine that prints. It ends at the first error of print, or when ctx is done.
func readAll(
	ctx context.Context, files []sourceFile, maxSize int64,
	print func(path string, stubs []evidence.Stub, err error) error, tick func(),
) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cores := runtime.GOMAXPROCS(0)
	work, order := make(chan reading), make(chan reading, ahead*cores)
	for range cores {
		go func() {
			for r := range work {
				stubs, err := r.file.stubs(ctx, maxSize)
				r.result <- result{stubs, err}
			}
		}()
	}
	go func() {
		defer close(work)
		defer close(order)
		for _, f := range files {
			r := reading{f, make(chan result, 1)}
			select {
			case order <- r:
				work <- r
			case <-ctx.Done():
				return
			}
		}
	}()
	ticker := time.NewTicker(progressEvery)
	defer ticker.Stop()
	for r := range order {
		got, err := await(ctx, r.result, ticker.C, tick)
		if err == nil {
			err = print(r.file.path, got.stubs, got.err)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

func await(ctx context.Context, results <-chan result, ticks <-chan time.Time, tick func()) (result, error) {
	for {
		select {
		case got := <-results:
			return got, ctx.Err()
		case <-ticks:
			tick()
		}
	}
}
