package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/syntax"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// maxDiffLines bounds the differing lines of two versions of a file: the comparison is quadratic.
const maxDiffLines = 20_000

var errChanges = syntax.Unreadable(
	fmt.Sprintf("more than %d lines of the file differ, too many to compare", maxDiffLines))

// comparison says how the lines of two versions of a file correspond.
type comparison struct {
	// isRemoved says for each old line whether the new version lacks it.
	isRemoved []bool
	// from is the old line of each new line, counted from 1; 0 for an added line.
	from []int32
	// isTouched says for each new line whether it is added and not blank, or stands next to a removed line.
	isTouched []bool
	// mayBeRemoved and mayBeTouched also count edits that are shifted over equal lines: an added function may as well
	// begin with the brace that ends the one above it. Each diff decides that differently.
	mayBeRemoved, mayBeTouched []bool
}

// compare compares the lines of two versions of a file, with the cache: it can take a fifth of a second. why says why
// they cannot be compared.
func (j *call) compare(before *Tree, old Entry, after *Tree, now Entry) (*comparison, string) {
	key := cacheKey{id: old.ID, path: now.ID}
	c, err := j.Cache.orNew(old.ID, now.ID).comparisons.get(key, comparisonBytes, func() (*comparison, int, error) {
		oldBytes, why := j.version(before, old)
		newBytes, whyNot := j.version(after, now)
		if why = cmp.Or(why, whyNot); why != "" {
			return nil, 0, cmp.Or(j.Err, error(syntax.Unreadable(why)))
		}
		c, ok := compareLines(newText(oldBytes), newText(newBytes), maxDiffLines)
		if !ok {
			return nil, 0, errChanges
		}
		return c, 2*len(c.isRemoved) + 6*len(c.from), nil
	})
	if err != nil {
		return nil, err.Error()
	}
	return c, ""
}

// version reads one version of a file by lines; why says why it cannot.
func (j *call) version(tree *Tree, entry Entry) (src []byte, why string) {
	size := j.size(tree, entry)
	if limit := j.Limits.maxFileBytes(); size > limit {
		return nil, fmt.Sprintf("the file is %d bytes long, and at most %d are read", size, limit)
	}
	src = j.Reads.read(tree, entry)
	if j.Err != nil {
		return nil, unreadReason
	}
	if isBinary(src) {
		return nil, noLinesReason
	}
	return src, ""
}

// compareLines compares two versions line by line; ok is false if more than limit lines differ.
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
	c = &comparison{isRemoved: make([]bool, len(a)), from: make([]int32, len(b)), isTouched: make([]bool, len(b))}
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
	c.markChanges(a, b, codes)
	return c, true
}

// markChanges sets isRemoved and isTouched, and the two shifted variants.
func (c *comparison) markChanges(a, b []rune, codes map[string]rune) {
	blank := map[rune]bool{}
	for line, code := range codes {
		blank[code] = strings.TrimSpace(line) == ""
	}
	isAdded, newPlace := make([]bool, len(b)), make([]int, len(a)+1) // the new place of each old line, from 1
	for i, from := range c.from {
		isAdded[i] = from == 0
		newPlace[from] = i + 1
		c.isTouched[i] = isAdded[i] && !blank[b[i]]
	}
	precedingLines := make([]int, len(a)) // how many new lines precede each old line
	for i, n := 0, 0; i < len(a); i++ {
		if c.isRemoved[i] = newPlace[i+1] == 0; !c.isRemoved[i] {
			n = newPlace[i+1] - 1
		}
		if precedingLines[i] = n; !c.isRemoved[i] {
			n++
		}
	}
	touch := func(touched []bool, i, after int) {
		for at := max(precedingLines[i]-1, 0); !blank[a[i]] && at <= min(precedingLines[i]+after, len(b)-1); at++ {
			touched[at] = true
		}
	}
	for i, isRemoved := range c.isRemoved {
		if isRemoved {
			touch(c.isTouched, i, 0)
		}
	}
	c.mayBeRemoved, c.mayBeTouched = slices.Clone(c.isRemoved), slices.Clone(c.isTouched)
	eachShift(b, isAdded, func(i int) { c.mayBeTouched[i] = c.mayBeTouched[i] || !blank[b[i]] })
	eachShift(a, c.isRemoved, func(i int) {
		c.mayBeRemoved[i] = true
		touch(c.mayBeTouched, i, 1)
	})
}

// eachShift calls do for each line over which a run of edited lines can be shifted.
func eachShift(lines []rune, edited []bool, do func(i int)) {
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

// encode gives each line a rune, equal lines the same, so that a diff of runes is a diff of lines.
func encode(t text, codes map[string]rune) []rune {
	out := make([]rune, t.count())
	for i := range out {
		line := t.at(i + 1)
		code, ok := codes[line]
		if !ok {
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
