package gate

import (
	_ "embed"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

//go:embed suppressions.txt
var suppressionsText string

// suppression is an entry of suppressions.txt.
type suppression struct {
	globs
	lang.Pattern
}

// suppressions are those of suppressions.txt.
var suppressions = sync.OnceValue(func() (all []suppression) {
	for _, w := range lang.Table(suppressionsText) {
		names := strings.Fields(strings.TrimSuffix(w.Word, ":"))
		all = append(all, suppression{names, lang.Lazy(strings.Join(w.When, ""))})
	}
	return all
})

// suppressed is what a source of a path is suppressed by.
func suppressed(name string) (lang.Pattern, bool) {
	file := path.Base(name)
	for _, s := range suppressions() {
		if s.match(file) {
			return s.Pattern, true
		}
	}
	return lang.Pattern{}, false
}

// wholeFile matches a suppression that is for the whole file.
var wholeFile = lang.Lazy(`@ts-nocheck|(ruff|flake8):\s*noqa|mypy:\s*(ignore|disable|allow)|#!\[|@file:|` +
	`pylint:\s*skip-file|` +
	`pyright:\s*(ignore|basic|report\w+\s*=\s*(false|none))|^\s*/\*\s*eslint-disable\s*[^-\s]*\s*\*/`)

var fromHere = lang.Lazy(`/\*\s*eslint-disable[\s*]`)

// coversMore reports a suppression that is for more than a line: for the file, or all that follows.
func coversMore(line string) bool { return wholeFile.MatchString(line) || fromHere.MatchString(line) }

// suppressions reports the suppressions that were added to code that stands, of all sources of one kind together:
// code that moves takes its own along.
func (c *comparison) suppressions() {
	grown, by := map[string]int{}, map[string]int{}
	for _, f := range c.files {
		if p, ok := suppressed(f.Path); ok && f.Before != nil {
			start, end := syntax.SharedLines(f.Before, f.After)
			by[f.Path] = count(p, f.After[start:len(f.After)-end]) - count(p, f.Before[start:len(f.Before)-end])
			grown[path.Ext(f.Path)] += by[f.Path]
		}
	}
	for i := range c.files {
		f := &c.files[i]
		p, ok := suppressed(f.Path)
		if !ok || f.Before == nil || f.After == nil || grown[path.Ext(f.Path)] <= 0 {
			continue
		}
		if by[f.Path] > 0 {
			c.suppressedIn(f, p)
		}
	}
}

// count is how many lines of a source match a pattern.
func count(p lang.Pattern, src []byte) (n int) {
	if src == nil || !p.Match(src) {
		return 0
	}
	for _, line := range linesOf(src) {
		if p.MatchString(line) {
			n++
		}
	}
	return n
}

// indexOf is where a pattern matches in a line, -1 where it does not.
func indexOf(p lang.Pattern, line string) int {
	if at := p.FindIndex([]byte(line)); at != nil {
		return at[0]
	}
	return -1
}

// suppressedIn reports the suppressions that one source got: the first that stands on code that stood, or the first.
func (c *comparison) suppressedIn(f *File, p lang.Pattern) {
	before, after := linesOf(f.Before), linesOf(f.After)
	had, stood := map[string]int{}, map[string]int{}
	for _, line := range before {
		if indexOf(p, line) >= 0 {
			had[strings.TrimSpace(line)]++
		}
		stood[code(p, line)]++
	}
	left := maps.Clone(stood)
	first, standing, named, inTests := 0, 0, true, false
	for i, line := range after {
		left[code(p, line)]--
		inTests = (inTests || i > 0 && testModule.MatchString(after[i-1]+"\n"+line)) && line != "}"
		key := strings.TrimSpace(line)
		if indexOf(p, line) < 0 || had[key] > 0 {
			had[key]--
			continue
		}
		named = named && names.MatchString(line[indexOf(p, line):])
		of := code(p, line)
		if inTests || neverRun.MatchString(of) {
			continue
		}
		for k := i + 1; len(of) <= len("//") && k < len(after); k++ { // neither blank nor a bare comment
			of = code(p, after[k])
		}
		on := wholeFile.MatchString(line) || len(of) > 2 && stood[of] > 0
		if on {
			standing++
		}
		if first == 0 || on && standing == 1 {
			first = i + 1
		}
	}
	narrowed := slices.ContainsFunc(before, func(s string) bool { return coversMore(s) && had[strings.TrimSpace(s)] > 0 })
	if first == 0 || standing == 0 && named || narrowed && !coversMore(after[first-1]) {
		return
	}
	delete(left, "")
	changes := slices.ContainsFunc(slices.Collect(maps.Values(left)), func(n int) bool { return n != 0 })
	c.found = append(c.found, Loosening{Form: "suppression added", Subject: f.Path + ": " + p.FindString(after[first-1]),
		After:   (&source{f.Path, f.After, after}).place(first, first),
		Message: fmt.Sprintf("«%s» suppresses what is asked of code", brief(after[first-1])),
		Excuse:  c.whySuppressed(f.Path, standing, named && changes), CodeChanged: changes})
}

// testModule matches where the tests in a source of Rust begin.
var testModule = lang.Lazy(`^#\[cfg\(test\)\]\n(pub )?mod \w+ \{$`)

// neverRun matches code of which no test asks anything.
var neverRun = lang.Lazy(`TYPE_CHECKING|__name__|NotImplemented|ImportError|unreachable|@(abc\.)?abstract`)

// code is a line without its suppression, and without blanks around it.
func code(p lang.Pattern, line string) string {
	if at := indexOf(p, line); at >= 0 {
		line = strings.TrimRight(line[:at], "/*# \t")
	}
	return strings.TrimSpace(line)
}

// names matches a suppression that says what it suppresses, or why.
var names = lang.Lazy(`(ignore|disable(-next-line|-line)?|noqa|nolint|nosec|todo|expect-error|suppress|` +
	`Lint|NOLINT\w*|mypy|ty)\s*[:\[( ]` +
	`\s*["']?[\w@]|Suppress\w*\(\s*\{?\s*"|(allow|dialyzer)[( ]+\{?\s*[\w:]`)

// whySuppressed says why a source may suppress more. fits: each of its suppressions names what it is for, and the code
// of the file changes with them.
func (c *comparison) whySuppressed(name string, standing int, fits bool) string {
	switch {
	case standing == 0:
		return "it comes with code that is new or changed"
	case fits:
		return "it names what it suppresses, in a file whose code changes"
	case ofTests.MatchString(name):
		return "it is for tests alone"
	case takenFrom.MatchString(name) || strings.HasSuffix(name, ".pyi"):
		return "what it is in is made or taken over"
	}
	for _, f := range c.files {
		if f.Path != name && isManifest(f.Path) && string(f.Before) != string(f.After) {
			return "checkers may change with " + f.Path
		}
	}
	return ""
}

// takenFrom matches the sources that a program writes, others wrote, or nothing that is built holds.
var takenFrom = lang.Lazy(`(?i)(^|/)(node_modules|dist|out|vendor(ed)?|third_party|generated|gen|venv|target|` +
	`docs?|site|examples?|samples?|snippets|demos?|playground|benchmarks?|templates?|fixtures?|snapshots?|\.\w+)/|` +
	`(_pb2|\.min)\.`)

// isManifest reports whether a path is that of a manifest.
func isManifest(name string) bool { return isPlace("manifest", strings.ToLower(path.Base(name))) }
