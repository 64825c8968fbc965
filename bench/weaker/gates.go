package main

import (
	"context"
	_ "embed" // the table
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/judge/snapshot"
)

// loosening is one way to ask less of a gate, or to see tests: the first place of a file that fits is written anew.
type loosening struct {
	change
	path *regexp.Regexp
	// test is a file of tests that comes with it, the path and what it holds; "" for none.
	test, holds string
}

// aside is what no test runs, settings are configurations that are programs: neither is asked whether it sees tests.
var (
	aside = regexp.MustCompile(`(?i)(^|/)(docs?|examples?|bench\w*|scripts?|website|vendor|play\w*|templates?|samples?|` +
		`snippets|bin|fuzz)/`)
	settings = regexp.MustCompile(`^\.github/|(^|/)(setup|conf|noxfile|__main__|cake)\.(py|cs)$|config\.[cm]?[jt]s$|` +
		`\.d\.ts$`)
)

// perForm is how often a form is applied to the files of one repository.
const perForm = 6

//go:embed loosenings.txt
var looseningTable string

// readLoosenings reads loosenings.txt.
func readLoosenings() (all []loosening, err error) {
	for _, e := range table(looseningTable) {
		if e.key == "form" {
			all = append(all, loosening{change: change{form: e.text}})
			continue
		}
		l := &all[len(all)-1]
		switch e.key {
		case "in", "code":
			l.of = e.key
			l.path, err = regexp.Compile(e.text)
		case "test":
			l.test = e.text
		case "holds":
			l.holds = unescaped.Replace(e.text)
		default:
			var ok bool
			if ok, err = l.read(e); !ok {
				err = fmt.Errorf("what is %q?", e.key)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("loosenings.txt: %w", err)
		}
	}
	return all, nil
}

// loosen loosens gates of the newest commit of a repository, and counts what is found.
func (r *recall) loosen(ctx context.Context, dir string, misses *list) error {
	all, err := readLoosenings()
	if err != nil {
		return err
	}
	git, paths, err := open(ctx, dir)
	if err != nil {
		return err
	}
	defer git.Close()
	main := mainLanguage(paths)
	done := map[string]int{}
	for _, name := range paths {
		fits := slices.DeleteFunc(slices.Clone(all), func(l loosening) bool { return !l.isFor(name) })
		if len(fits) == 0 || aside.MatchString(name) {
			continue
		}
		src, err := snapshot.File(ctx, git.newest, name)
		if err != nil {
			return err
		}
		if src == nil || len(src) > maxSource {
			continue
		}
		language := languageOf(name)
		if !isDialect(language) {
			language = main
		}
		for _, l := range fits {
			after, ok := apply(l.by, string(src))
			if !ok || after == string(src) || done[language+l.form] == perForm {
				continue
			}
			done[language+l.form]++
			files := map[string][]byte{name: []byte(after)}
			if l.test != "" {
				files[l.test] = []byte(l.holds)
			}
			if err := r.judge(ctx, language, l.form, dir+":"+name, misses, weaker.Change{
				Before: &git.newest, After: git.with(files), Paths: slices.Sorted(maps.Keys(files)),
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// isFor reports whether a file of a path is one to loosen.
func (l *loosening) isFor(name string) bool {
	return l.path.MatchString(name) && !(l.of == "code" && (evidence.HoldsTests(name) || settings.MatchString(name)))
}

// languageOf is the language of a source by its name, as the tables call it.
func languageOf(name string) string {
	language := evidence.LanguageOf(name)
	if language == "tsx" {
		return "typescript"
	}
	return language
}

// isDialect reports a language of which there are tests to change.
func isDialect(language string) bool {
	return language != "" && strings.Contains(dialectTable, "\nlanguage "+language)
}

// mainLanguage is the one that most of the sources have.
func mainLanguage(paths []string) string {
	counts := map[string]int{}
	best := ""
	for _, name := range paths {
		language := languageOf(name)
		if !isDialect(language) {
			continue
		}
		if counts[language]++; counts[language] > counts[best] {
			best = language
		}
	}
	return best
}

// with is the tree of the newest commit with another content of some files; none of those where that is empty.
func (r *reader) with(files map[string][]byte) *evidence.Tree {
	tree := r.newest
	tree.Files = changed{tree.Files, files}
	return &tree
}

type changed struct {
	evidence.Files
	content map[string][]byte
}

func (c changed) Stat(ctx context.Context, at string) (evidence.Entry, error) {
	src, ok := c.content[at]
	switch {
	case ok && len(src) == 0:
		return evidence.Entry{}, nil
	case ok:
		return evidence.Entry{Path: at, Kind: evidence.File, Mode: "100644", ID: "changed " + at}, nil
	}
	return c.Files.Stat(ctx, at)
}

func (c changed) Size(ctx context.Context, e evidence.Entry) (int64, error) {
	if src, ok := c.content[e.Path]; ok {
		return int64(len(src)), nil
	}
	return c.Files.Size(ctx, e)
}

func (c changed) Read(ctx context.Context, e evidence.Entry) ([]byte, error) {
	if src, ok := c.content[e.Path]; ok {
		return src, nil
	}
	return c.Files.Read(ctx, e)
}

func (c changed) Paths(ctx context.Context) ([]string, error) {
	paths, err := c.Files.Paths(ctx)
	return slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(paths, maps.Keys(c.content))))), err
}
