package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// tree reads every source of a repository's newest commit, as if one change had brought a few of them each.
func tree(repository, scratch string) ([]*change, error) {
	list, err := git(repository, "ls-tree", "-r", "-z", "--format=%(objecttype) %(objectname) %(path)", "HEAD")
	if err != nil {
		return nil, err
	}
	var paths []string
	var wanted strings.Builder
	for entry := range strings.SplitSeq(strings.TrimSuffix(list, "\x00"), "\x00") {
		fields := strings.SplitN(entry, " ", 3)
		if len(fields) == 3 && fields[0] == "blob" && usable(fields[2]) {
			paths = append(paths, fields[2])
			fmt.Fprintln(&wanted, fields[1])
		}
	}
	cmd := exec.Command("git", "-C", repository, "-c", "safe.directory=*", "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(wanted.String())
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git cat-file in %s: %w", repository, err)
	}
	var all gathered
	r := bufio.NewReader(bytes.NewReader(out))
	for _, path := range paths {
		text, err := object(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if err := all.take(scratch, path, text); err != nil {
			return nil, err
		}
	}
	return all.changes, nil
}

// object reads one answer of git cat-file --batch; one that a partial clone has not is empty.
func object(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return nil, nil
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return nil, err
	}
	text := make([]byte, size+1)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, err
	}
	return text[:size], nil
}

// every is the act that claims every function of the change.
func (c *change) every(functions [][]*function) []*act {
	a := &act{change: c}
	for i := range c.sources {
		s := &c.sources[i]
		for _, f := range functions[i] {
			if f.End-f.Start >= maxSpan || f.isStub() {
				continue
			}
			place, text := fmt.Sprintf("%s:%d-%d", s.path, f.Start, f.End), strings.Join(f.lines[f.Start-1:f.End], "\n")
			a.claims = append(a.claims,
				&claim{class: wholeFunction, language: f.dialect.name, item: "Write function", place: place, text: text})
		}
	}
	if len(a.claims) == 0 {
		return nil
	}
	return []*act{a}
}

var (
	stubWhy   = regexp.MustCompile(`, ([a-z ]+)\)`)
	ofOneName = regexp.MustCompile(`^\S+ \((?:lines? )?[\d, –-]+\) `)
	number    = regexp.MustCompile(`\d+`)
)

// reasonOf is a verdict's reason without the names and lines of its place.
func reasonOf(reason string) string {
	if strings.HasPrefix(reason, "stub: ") {
		if m := stubWhy.FindStringSubmatch(reason); m != nil {
			return "stub, " + m[1]
		}
	}
	if strings.HasPrefix(reason, "a stub stands beside real code") {
		return "a stub stands beside real code"
	}
	reason, _, _ = strings.Cut(ofOneName.ReplaceAllString(reason, ""), " and ")
	return number.ReplaceAllString(strings.Split(reason, "; ")[0], "N")
}

// byWords are the reasons for which words decide that a function is refused; an empty body is so whatever it says.
var byWords = []string{"stub, placeholder return", "stub, not implemented", "stub, todo only"}

// words are the regular expressions of Acta's vocabulary: what stands behind the first colon of a line, and the lines
// that go on with a blank.
func words(source string) ([]string, error) {
	text, err := os.ReadFile(source)
	if err != nil {
		return nil, err
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if _, word, ok := strings.Cut(line, ": "); ok && line[0] != '#' && line[0] != ' ' {
			out = append(out, word)
		} else if line[0] == ' ' {
			out[len(out)-1] += line
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no words", filepath.Base(source))
	}
	return out, nil
}

// once is "1 in N".
func once(part, whole int) string {
	if part == 0 {
		return ""
	}
	return fmt.Sprintf("1 in %d", whole/part)
}

// printCounts writes how many functions each reason and each word of the vocabulary touches.
func (t *tables) printCounts(w io.Writer) error {
	all := func(judged) bool { return true }
	languages, _ := t.count(all, func(c judged) string { return c.language })
	fmt.Fprintf(w, "%d functions of %d languages.\n", len(t.claims), len(languages))
	t.table(w, "Honest functions of whole trees by language", "language", all, func(c judged) string { return c.language })
	counts, reasons := t.count(func(c judged) bool {
		return c.verdict != "verified"
	}, func(c judged) string { return reasonOf(c.reason) })
	slices.SortStableFunc(reasons, func(a, b string) int { return counts[b].n - counts[a].n })
	fmt.Fprintf(w,
		"\n### Why a function is not verified\n\n| reason | refused | | unclear | |\n| --- | --- | --- | --- | --- |\n")
	for _, reason := range reasons {
		c := counts[reason]
		all := len(t.claims)
		fmt.Fprintf(w, "| %s | %d | %s | %d | %s |\n", reason, c.refused, once(c.refused, all), c.unclear,
			once(c.unclear, all))
	}
	list, err := words("evidence/lang/vocabulary.txt")
	if err != nil {
		return err
	}
	fmt.Fprintf(w,
		"\n### Words of the vocabulary\n\n| word | functions that hold it | refused by words | | unclear |\n| --- | --- | "+
			"--- | --- | --- |\n")
	for _, word := range list {
		expression, err := regexp.Compile(`(?i)\b(` + word + `)`)
		if err != nil {
			return fmt.Errorf("%s: %w", word, err)
		}
		var c count
		for _, j := range t.claims {
			switch {
			case !expression.MatchString(j.text):
			case j.verdict == "not_verified" && !slices.Contains(byWords, reasonOf(j.reason)):
				c.n++
			default:
				c.add(j.verdict)
			}
		}
		cell := strings.ReplaceAll(word, "|", "\\|")
		fmt.Fprintf(w, "| `%s` | %d | %d | %s | %d |\n", cell, c.n, c.refused, once(c.refused, len(t.claims)), c.unclear)
	}
	return nil
}
