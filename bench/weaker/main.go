package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// options are what is asked on the command line.
type options struct {
	commits, mutants int
	findings, misses string
	languages        string
	recall, gates    bool
	pairs            bool
}

func main() {
	var s options
	flag.IntVar(&s.commits, "commits", 500, "how many commits of a repository are judged, evenly over its history")
	flag.IntVar(&s.mutants, "mutants", 40, "how many tests of a repository are changed in each form")
	flag.StringVar(&s.findings, "findings", "", "a file for a line for each finding")
	flag.StringVar(&s.misses, "misses", "", "a file for a line for each change of a mutator that was not found")
	flag.StringVar(&s.languages, "languages", "", "only these, separated by commas, of -recall")
	flag.BoolVar(&s.recall, "recall", false, "change tests and count what is found, instead of judging history")
	flag.BoolVar(&s.gates, "gates", false, "loosen gates and count what is found, instead of judging history")
	flag.BoolVar(&s.pairs, "pairs", false, "judge the labelled pairs of a folder, instead of history")
	flag.Parse()
	err := s.measure(context.Background(), flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "weaker:", err)
		os.Exit(3)
	}
}

// measure judges what the arguments name.
func (s *options) measure(ctx context.Context, folders []string) error {
	if s.pairs {
		return s.labelled(ctx, folders)
	}
	repositories, err := find(folders)
	if err != nil {
		return err
	}
	return s.run(ctx, repositories)
}

// labelled judges the pairs of folders.
func (s *options) labelled(ctx context.Context, folders []string) error {
	findings, err := listOf(s.findings)
	if err != nil {
		return err
	}
	all := pairs{}
	for _, dir := range folders {
		if err := all.measure(ctx, dir, findings); err != nil {
			return err
		}
	}
	fmt.Print(all.table())
	return nil
}

// find returns the repositories in folders, or the folders themselves.
func find(folders []string) ([]string, error) {
	var all []string
	for _, f := range folders {
		for _, pattern := range []string{f + "/HEAD", f + "/.git", f + "/*/HEAD", f + "/*/.git", f + "/*/repo/HEAD"} {
			found, err := filepath.Glob(pattern)
			if err != nil {
				return nil, err
			}
			for _, at := range found {
				all = append(all, filepath.Dir(at))
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no git repository is in %s", strings.Join(folders, ", "))
	}
	return all, nil
}

func (s *options) run(ctx context.Context, repositories []string) error {
	findings, err := listOf(s.findings)
	if err != nil {
		return err
	}
	misses, err := listOf(s.misses)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	var readers errgroup.Group
	readers.SetLimit(2)
	history, caught := newTally(), newRecall()
	for _, dir := range repositories {
		readers.Go(func() error {
			one, mutants := newTally(), newRecall()
			var err error
			switch {
			case s.recall:
				err = mutants.measure(ctx, dir, s, misses)
			case s.gates:
				err = mutants.loosen(ctx, dir, misses)
			default:
				err = one.measure(ctx, dir, s.commits, findings)
			}
			mu.Lock()
			defer mu.Unlock()
			history.add(one)
			caught.add(mutants)
			if !s.recall && !s.gates {
				fmt.Print(one.line(nameOf(dir)))
			}
			if err != nil {
				return fmt.Errorf("%s: %w", dir, err)
			}
			return nil
		})
	}
	failed := readers.Wait()
	switch {
	case s.recall:
		fmt.Print(caught.table())
	case s.gates:
		fmt.Print(caught.byForm())
	default:
		fmt.Print(history.line("all"), "\n", history.table())
	}
	return failed
}

// nameOf is how a repository is called: the last folder of its path that says something.
func nameOf(dir string) string {
	if base := filepath.Base(dir); base != "repo" && base != ".git" {
		return base
	}
	return filepath.Base(filepath.Dir(dir))
}

// list is a file of lines, or nothing.
type list struct {
	mu   sync.Mutex
	file *os.File
}

func listOf(name string) (*list, error) {
	if name == "" {
		return &list{}, nil
	}
	file, err := os.Create(name)
	return &list{file: file}, err
}

func (l *list) add(format string, args ...any) error {
	if l.file == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := fmt.Fprintf(l.file, format+"\n", args...)
	return err
}
