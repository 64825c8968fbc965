package evidence

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// maxDiffLines bounds the lines that differ between two versions of a file; the comparison is quadratic.
const maxDiffLines = 20_000

var tooManyDiffer = fmt.Sprintf("more than %d lines of the file differ, too many to compare", maxDiffLines)

// comparison says how the lines of two versions of a file relate.
type comparison struct {
	// gone says of each line of the old version whether the new one lacks it.
	gone []bool
	// from says of each line of the new version which of the old one it is, counted from 1; 0 for a new line.
	from []int32
	// touched says of each line of the new version whether it is new and not blank, or stands next to a line that is gone.
	touched []bool
	// mayGone and mayTouch are gone and touched, and besides what is so where the edits are moved over lines that read the
	// same: an added function may as well begin with the brace that ends the one above. Which it is, each diff decides for
	// itself.
	mayGone, mayTouch []bool
}

// compare compares the lines of two versions of a file, once however many claims cite them: it can take a fifth of a
// second. why says that they cannot be compared.
func (j *Judge) compare(ctx context.Context, before *Tree, old Entry, after *Tree, now Entry) (c *comparison,
	why string, err error) {
	key := cacheKey{id: old.ID, path: now.ID}
	kept := &j.Cache.of(old.ID, now.ID).comparisons
	found, err := kept.get(key, comparisonBytes, func() (compared, int, error) {
		was, why, err := j.version(ctx, before, old)
		if err != nil || why != "" {
			return compared{why: why}, 0, err
		}
		is, why, err := j.version(ctx, after, now)
		if err != nil || why != "" {
			return compared{why: why}, 0, err
		}
		c, ok := compareLines(newText(was), newText(is), maxDiffLines)
		if !ok {
			return compared{why: tooManyDiffer}, 0, nil
		}
		return compared{comparison: c}, 2*len(c.gone) + 6*len(c.from), nil
	})
	return found.comparison, found.why, err
}

// version reads one version of a file that lines can be compared in; why says that there is none.
func (j *Judge) version(ctx context.Context, tree *Tree, entry Entry) (src []byte, why string, err error) {
	size, err := tree.Size(ctx, entry)
	if err != nil {
		return nil, "", err
	}
	if limit := j.Limits.maxFileBytes(); size > limit {
		return nil, fmt.Sprintf("the file is %d bytes long, and at most %d are read", size, limit), nil
	}
	if src, err = tree.Read(ctx, entry); err != nil {
		return nil, "", err
	}
	if isBinary(src) {
		return nil, noLines, nil
	}
	return src, "", nil
}

// compareLines compares two versions line by line; ok is false when more than so many lines differ.
func compareLines(old, new text, limit int) (c *comparison, ok bool) {
	codes := map[string]rune{}
	a, b := encode(old, codes), encode(new, codes)
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	tail := 0
	for tail < min(len(a), len(b))-same && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	if len(a)+len(b)-2*(same+tail) > limit {
		return nil, false
	}
	differ := diffmatchpatch.New()
	differ.DiffTimeout = 0 // the answer must not depend on the clock
	diffs := differ.DiffMainRunes(a[same:len(a)-tail], b[same:len(b)-tail], false)
	c = &comparison{gone: make([]bool, len(a)), from: make([]int32, len(b)), touched: make([]bool, len(b))}
	line, at := 0, 0
	keep := func(n int) {
		for range n {
			line++
			c.from[at] = int32(line)
			at++
		}
	}
	keep(same)
	for _, d := range diffs {
		switch n := len([]rune(d.Text)); d.Type {
		case diffmatchpatch.DiffEqual:
			keep(n)
		case diffmatchpatch.DiffDelete:
			line += n
		case diffmatchpatch.DiffInsert:
			at += n
		}
	}
	keep(tail)
	c.mark(a, b, codes)
	return c, true
}

// mark notes what is gone and touched, and what else may be: see mayGone.
func (c *comparison) mark(a, b []rune, codes map[string]rune) {
	blank := map[rune]bool{}
	for line, code := range codes {
		blank[code] = strings.TrimSpace(line) == ""
	}
	added, stands := make([]bool, len(b)), make([]int, len(a)+1) // where a line of the old version stands now, from 1
	for i, from := range c.from {
		added[i] = from == 0
		stands[from] = i + 1
		c.touched[i] = added[i] && !blank[b[i]]
	}
	beside := make([]int, len(a)) // how many lines of the new version come before a line of the old one
	for i, n := 0, 0; i < len(a); i++ {
		if c.gone[i] = stands[i+1] == 0; !c.gone[i] {
			n = stands[i+1] - 1
		}
		if beside[i] = n; !c.gone[i] {
			n++
		}
	}
	touch := func(touched []bool, i, after int) {
		for at := max(beside[i]-1, 0); !blank[a[i]] && at <= min(beside[i]+after, len(b)-1); at++ {
			touched[at] = true
		}
	}
	for i, gone := range c.gone {
		if gone {
			touch(c.touched, i, 0)
		}
	}
	c.mayGone, c.mayTouch = slices.Clone(c.gone), slices.Clone(c.touched)
	moves(b, added, func(i int) { c.mayTouch[i] = c.mayTouch[i] || !blank[b[i]] })
	moves(a, c.gone, func(i int) {
		c.mayGone[i] = true
		touch(c.mayTouch, i, 1)
	})
}

// moves calls do for each line over which a run of edited lines can be moved, as the lines that it takes in and gives
// up read the same.
func moves(lines []rune, edited []bool, do func(i int)) {
	for i := 0; i < len(lines); i++ {
		if !edited[i] {
			continue
		}
		end := i
		for end < len(lines) && edited[end] {
			end++
		}
		for k := 1; i-k >= 0 && !edited[i-k] && lines[i-k] == lines[end-k]; k++ {
			do(i - k)
		}
		for k := 0; end+k < len(lines) && !edited[end+k] && lines[end+k] == lines[i+k]; k++ {
			do(end + k)
		}
		i = end - 1
	}
}

// encode gives each line a rune, equal lines the same, so that a diff of runes is one of lines.
func encode(t text, codes map[string]rune) []rune {
	out := make([]rune, t.count())
	for i := range out {
		line := t.at(i + 1)
		code, known := codes[line]
		if !known {
			code = rune(len(codes) + 1)
			if code >= 0xd800 { // the halves of surrogate pairs are no characters
				code += 0x800
			}
			codes[line] = code
		}
		out[i] = code
	}
	return out
}
