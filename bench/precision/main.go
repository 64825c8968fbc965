package main

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

type settings struct {
	acta, misses, page string
	commits, functions int
	perCommit          int
	gate, counts       bool
	unreferenced       bool
	items              bool
	languages, corpora []string
}

func main() {
	var s settings
	flag.StringVar(&s.acta, "acta", "acta", "the executable to measure")
	flag.StringVar(&s.misses, "misses", "", "a folder for lists of every claim judged otherwise than it should be")
	flag.StringVar(&s.page, "page",
		"", "a page whose section between <!-- claims --> and <!-- /claims -->, or counts, is written anew")
	flag.IntVar(&s.commits, "commits", 60, "how many commits of a repository are rebuilt")
	flag.IntVar(&s.functions, "functions", 16,
		"how many functions of a repository are hollowed in every form, tests besides")
	flag.IntVar(&s.perCommit, "per-commit", 3, "how many of them one commit may give")
	flag.BoolVar(&s.gate, "gate", false, "exit with 1 where a figure misses its aim")
	flag.BoolVar(&s.counts, "counts", false,
		"claim every function of whole trees instead, and print the counts of each reason and word")
	flag.BoolVar(&s.unreferenced, "unreferenced", false,
		"hollow nothing, and print how many honest functions evidence_unreferenced speaks of")
	flag.BoolVar(&s.items, "items", false,
		"claim the subject of each commit for what it changed, and print how many hold")
	languages := flag.String("languages", "", "only these languages, separated by commas")
	flag.Parse()
	s.corpora = flag.Args()
	if *languages != "" {
		s.languages = strings.Split(*languages, ",")
	}
	missed, err := s.run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "precision:", err)
		os.Exit(3)
	}
	if missed && s.gate {
		os.Exit(1)
	}
}

// run measures every corpus and prints the tables; missed tells whether a figure misses its aim.
func (s *settings) run() (missed bool, err error) {
	acta, err := filepath.Abs(s.acta)
	if err != nil {
		return false, err
	}
	s.acta = acta
	forms := map[string][]*form{}
	for _, d := range dialects {
		if forms[d.name], err = formsOf(d.name); err != nil {
			return false, err
		}
	}
	roots, err := repositories(s.corpora)
	if err != nil {
		return false, err
	}
	var t tables
	if t.readings, err = readingsOf(readingsText); err != nil {
		return false, err
	}
	var floors map[string]float64
	if s.gate {
		if floors, err = floorsOf(floorsText); err != nil {
			return false, err
		}
	}
	for _, root := range roots {
		fmt.Fprintln(os.Stderr, "measuring", root)
		if err := s.measure(root, forms, &t); err != nil {
			return false, fmt.Errorf("%s: %w", root, err)
		}
	}
	if len(t.claims) == 0 {
		return false, fmt.Errorf("found no claim to make in %s", strings.Join(s.corpora, ", "))
	}
	if s.misses != "" {
		if err := t.writeMisses(s.misses); err != nil {
			return false, err
		}
	}
	var page bytes.Buffer
	section := "claims"
	switch {
	case s.counts:
		section = "counts"
		err = t.printCounts(&page)
	case s.unreferenced:
		section = "unreferenced"
		t.printUnreferenced(&page)
	case s.items:
		section = "items"
		t.printItems(&page)
	default:
		missed = t.print(&page, floors)
	}
	if err == nil && s.page != "" {
		err = replaceSection(s.page, section, page.String())
	}
	if err == nil {
		_, err = os.Stdout.Write(page.Bytes())
	}
	return missed, err
}

// repositories are the folders named, or where one holds repositories, those.
func repositories(corpora []string) ([]string, error) {
	var out []string
	for _, c := range corpora {
		if isRepository(c) {
			out = append(out, c)
			continue
		}
		var inside []string
		for _, pattern := range []string{"*", "*/*"} {
			found, err := filepath.Glob(filepath.Join(c, pattern))
			if err != nil {
				return nil, err
			}
			for _, f := range found {
				if isRepository(f) {
					inside = append(inside, f)
				}
			}
		}
		if len(inside) == 0 {
			inside = []string{c} // plain sources
		}
		out = append(out, inside...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("name folders of git repositories, or of sources")
	}
	return out, nil
}

func isRepository(dir string) bool {
	for _, inside := range []string{".git", "objects"} {
		if _, err := os.Stat(filepath.Join(dir, inside)); err == nil {
			return true
		}
	}
	return false
}

func (s *settings) measure(root string, forms map[string][]*form, t *tables) error {
	scratch, err := os.MkdirTemp("", "precision")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	changes, err := s.changes(root, filepath.Join(scratch, "sources"))
	if err != nil {
		return err
	}
	repository := ""
	if isRepository(root) {
		repository = root
	}
	acts, err := s.acts(changes, forms)
	if err != nil {
		return err
	}
	judged := filepath.Join(scratch, "judged")
	all := batches(acts, s.unreferenced)
	if err := place(judged, repository, all); err != nil {
		return err
	}
	if err := judge(s.acta, judged, all); err != nil {
		return err
	}
	for _, c := range changes {
		t.stubs += c.stubs
	}
	t.add(root, repository, acts)
	return nil
}

// changes reads what is claimed of a corpus.
func (s *settings) changes(root, scratch string) ([]*change, error) {
	switch {
	case !isRepository(root) && s.counts:
		return folder(root, scratch, math.MaxInt)
	case !isRepository(root):
		return folder(root, scratch, s.commits)
	case s.counts:
		return tree(root, scratch)
	}
	return commits(root, scratch, s.commits, s.items)
}

// acts rebuilds what changes did, and hollows functions of them.
func (s *settings) acts(changes []*change, forms map[string][]*form) ([]*act, error) {
	var out []*act
	left := s.functions
	for _, c := range changes {
		c.sources = slices.DeleteFunc(c.sources, func(src source) bool {
			return len(s.languages) > 0 && !slices.Contains(s.languages, dialectOf(src.path).name)
		})
		functions, err := c.functions()
		if err != nil {
			return nil, err
		}
		switch {
		case s.counts:
			out = append(out, c.every(functions)...)
			continue
		case s.items:
			out = append(out, c.subjectAct(functions)...)
			continue
		}
		out = append(out, c.honest(functions)...)
		if s.unreferenced || left <= 0 {
			continue
		}
		chosen, n := c.choose(functions, min(left, s.perCommit))
		left -= n
		out = append(out, c.hollowed(chosen, forms)...)
	}
	return out, nil
}

// replaceSection writes a page anew between the marks of one of its sections.
func replaceSection(page, section, text string) error {
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(old), "<!-- "+section+" -->\n")
	_, after, ends := strings.Cut(rest, "<!-- /"+section+" -->\n")
	if !begins || !ends {
		return fmt.Errorf("%s has no section between <!-- %s --> and <!-- /%s -->", page, section, section)
	}
	return os.WriteFile(page, []byte(before+"<!-- "+section+" -->\n"+text+"<!-- /"+section+" -->\n"+after), 0o644)
}
