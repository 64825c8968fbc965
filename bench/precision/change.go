package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A change is what one commit did: the sources after it, and which of their lines it added.
type change struct {
	id         string // the commit, or the number of a group of plain files
	base, tree string // trees before and after; both empty for plain files
	sources    []source
	subject    string
	others     map[string][]string // how paths that are no sources are cited
	stubs      int                 // functions that say themselves that they are not written
}

type source struct {
	path  string
	bytes []byte
	file  string   // where the bytes lie for ctags
	hunks [][2]int // the first and last added line of each
	form  bool     // the change has the same code as before, and other comments, blanks or order
}

func (s *source) adds(from, to int) (some, all bool) {
	n := 0
	for _, h := range s.hunks {
		n += max(0, min(h[1], to)-max(h[0], from)+1)
	}
	return n > 0, n == to-from+1
}

// addsCode reports whether the change added a line of code from a line to another: who only comments a function has not
// written it.
func (s *source) addsCode(kinds []lineKind, from, to int) bool {
	for _, h := range s.hunks {
		for line := max(h[0], from); line <= min(h[1], to, len(kinds)); line++ {
			if kinds[line-1] == codeLine {
				return true
			}
		}
	}
	return false
}

func git(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "safe.directory=*"}, args...)...)
	var words strings.Builder
	cmd.Stderr = &words
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s in %s: %w: %s", args[0], dir, err, strings.TrimSpace(words.String()))
	}
	return string(out), nil
}

// plain are characters that a path may have here, so that no citation needs quotes.
var plain = regexp.MustCompile(`^[\w./+@-]+$`)

// left out are sources that nobody wrote by hand.
var leftOut = regexp.MustCompile(
	`(^|/)(vendor|node_modules|third_party|deps|dist|generated|docs?)/|\.pb\.|_generated\.|\.gen\.`)

func usable(path string) bool {
	return dialectOf(path) != nil && plain.MatchString(path) && !leftOut.MatchString(path)
}

// maxSource is the size of the largest source read, in bytes.
const maxSource = 400_000

// commits reads the newest commits of a repository that change sources, or others, too, at most n; scratch takes the
// sources.
func commits(repository, scratch string, n int, others bool) ([]*change, error) {
	list, err := git(repository, "log", "--no-merges", "--format=%H %P", "-n", strconv.Itoa(n*12), "HEAD")
	if err != nil {
		return nil, err
	}
	var out []*change
	for line := range strings.Lines(list) {
		ids := strings.Fields(line)
		if len(ids) != 2 || len(out) == n {
			continue
		}
		c := &change{id: ids[0]}
		if err := c.read(repository, scratch, ids[1]); err != nil {
			fmt.Fprintf(os.Stderr, "left out, since it cannot be read: %s: %v\n", c.id, err) // a partial clone
			continue
		}
		if len(c.sources) > 0 || others && len(c.others) > 0 {
			out = append(out, c)
		}
	}
	return out, nil
}

// maxFiles is how many files a commit may change; more is a mechanical change.
const maxFiles = 40

func (c *change) read(repository, scratch, parent string) error {
	diff, err := git(repository, "diff", "-U0", "-M", "--ignore-cr-at-eol", "--no-color", "--no-ext-diff",
		"--diff-filter=AMR", "--src-prefix=a/", "--dst-prefix=b/", parent, c.id)
	if err != nil {
		return err
	}
	hunks := added(diff)
	if len(hunks) > maxFiles {
		return nil
	}
	trees, err := git(repository, "rev-parse", parent+"^{tree}", c.id+"^{tree}")
	if err != nil {
		return err
	}
	c.base, c.tree = strings.Fields(trees)[0], strings.Fields(trees)[1]
	subject, err := git(repository, "log", "-1", "--format=%s", c.id)
	if err != nil {
		return err
	}
	c.subject = strings.TrimSpace(subject)
	if c.others, err = notRead(repository, parent, c.id, hunks); err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(hunks)) {
		if !usable(path) {
			continue
		}
		text, err := git(repository, "cat-file", "blob", c.id+":"+path)
		if err != nil {
			return err
		}
		if err := c.take(scratch, path, []byte(text), hunks[path]); err != nil {
			return err
		}
		if n := len(c.sources); n > 0 && c.sources[n-1].path == path {
			c.sources[n-1].form = formats.MatchString(subject) || changesForm(diff, path)
		}
	}
	return nil
}

// formats is how the author of a commit says that it changes the form of code.
var formats = regexp.MustCompile(`(?i)\b(re)?format(s|ted|ting)?\b|\b(code ?style|whitespace|prettier|gofmt|rustfmt)\b`)

// changesForm reports whether a diff takes the same code from a file that it adds, without comments, blanks and commas
// at the end of lines: who claims that says so.
func changesForm(diff, path string) bool {
	d := dialectOf(path)
	_, of, _ := strings.Cut(diff, "\n+++ b/"+path+"\n")
	of, _, _ = strings.Cut(of, "\ndiff --git ")
	count := map[string]int{}
	for line := range strings.Lines(of) {
		sign := map[byte]int{'-': -1, '+': 1}[line[0]]
		code := strings.TrimSpace(line[1:])
		if sign == 0 || d.kinds([]string{code})[0] == commentLine {
			continue
		}
		code, _, _ = strings.Cut(code, " "+d.comment)
		count[strings.TrimSuffix(strings.Join(strings.Fields(code), ""), ",")] += sign
	}
	delete(count, "")
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

func (c *change) take(scratch, path string, text []byte, hunks [][2]int) error {
	if len(text) == 0 || len(text) > maxSource || bytes.IndexByte(text, 0) >= 0 {
		return nil
	}
	file := filepath.Join(scratch, c.id, fmt.Sprint(len(c.sources))+filepath.Ext(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	c.sources = append(c.sources, source{path: path, bytes: text, file: file, hunks: hunks})
	return os.WriteFile(file, text, 0o644)
}

var hunkHeader = regexp.MustCompile(`^@@ -\S+ \+(\d+)(?:,(\d+))? @@`)

// added reads the added lines of every file from a diff without context.
func added(diff string) map[string][][2]int {
	out := map[string][][2]int{}
	path := ""
	scan := bufio.NewScanner(strings.NewReader(diff))
	scan.Buffer(nil, 64<<20)
	for scan.Scan() {
		line := scan.Text()
		if p, ok := strings.CutPrefix(line, "+++ b/"); ok {
			path = p
			continue
		}
		if m := hunkHeader.FindStringSubmatch(line); m != nil && path != "" {
			from, _ := strconv.Atoi(m[1])
			count := 1
			if m[2] != "" {
				count, _ = strconv.Atoi(m[2])
			}
			if count > 0 {
				out[path] = append(out[path], [2]int{from, from + count - 1})
			}
		}
		if strings.HasPrefix(line, "diff --git ") {
			path = ""
		}
	}
	return out
}

// gathered are sources that stand for changes of a few files each.
type gathered struct{ changes []*change }

func (g *gathered) take(scratch, path string, text []byte) error {
	const together = 5
	if n := len(g.changes); n == 0 || len(g.changes[n-1].sources) == together {
		g.changes = append(g.changes, &change{id: fmt.Sprint(n + 1)})
	}
	all := [2]int{1, bytes.Count(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) + 1}
	return g.changes[len(g.changes)-1].take(scratch, path, text, [][2]int{all})
}

// folder reads the sources of a plain folder, a few a change, as if each of at most n changes had brought them.
func folder(root, scratch string, n int) ([]*change, error) {
	var all gathered
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() || len(all.changes) > n {
			return err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil || !usable(filepath.ToSlash(relative)) {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return all.take(scratch, filepath.ToSlash(relative), text)
	})
	return all.changes, err
}
