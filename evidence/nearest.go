package evidence

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

const (
	// maxCompared bounds how many names are compared letter by letter.
	maxCompared = 200
	// maxNear is how many names are returned.
	maxNear = 3
	// typo is the distance up to which a name counts as misspelt, whatever else is
	// near; at most one letter in four may be wrong.
	typo = 2
	// longestName bounds what is compared, in bytes; PATH_MAX of Linux is 4,096.
	longestName = 1024
)

// MatchPath returns the names of paths that are nearest to a name that is not
// among them, the nearest first, at most three, none that is far off. A misspelt
// name comes first, then the same file name in another folder, then the smaller
// edit distance. The work is bounded: a cheap measure chooses what is compared.
func MatchPath(paths []string, name string) []string {
	if name == "" || len(name) > longestName {
		return nil
	}
	var near []ranked
	for _, c := range candidates(paths, name) {
		if r := rank(c, name); r >= 0 {
			near = append(near, ranked{c, r})
		}
	}
	slices.SortFunc(near, byRank)
	var names []string
	for _, n := range near[:min(len(near), maxNear)] {
		names = append(names, n.name)
	}
	return names
}

type ranked struct {
	name string
	rank int
}

func byRank(a, b ranked) int { return cmp.Or(a.rank-b.rank, cmp.Compare(a.name, b.name)) }

// candidates returns the names with the smallest lower bound of their distance,
// and those with the same file name.
func candidates(paths []string, name string) []string {
	var letters [256]int
	for i := range len(name) {
		letters[name[i]]++
	}
	base := path.Base(name)
	all := make([]ranked, 0, len(paths))
	for _, p := range paths {
		if len(p) > longestName || p == "" {
			continue
		}
		r := ranked{p, bound(p, name, letters)}
		if path.Base(p) == base {
			r.rank -= longestName // always compared
		}
		all = append(all, r)
	}
	slices.SortFunc(all, byRank)
	names := make([]string, 0, maxCompared)
	for _, r := range all[:min(len(all), maxCompared)] {
		names = append(names, r.name)
	}
	return slices.Compact(names)
}

// bound is a lower bound of the edit distance: the letters that one name has and the other lacks.
func bound(p, name string, letters [256]int) int {
	common := 0
	for i := range len(p) {
		if letters[p[i]] > 0 {
			letters[p[i]]--
			common++
		}
	}
	return max(len(p), len(name)) - common
}

// rank orders near names; -1 is too far off to be meant.
func rank(candidate, name string) int {
	d := distance(candidate, name)
	switch {
	case strings.EqualFold(candidate, name):
		return 0
	case d <= typo && 4*d <= len(name):
		return d
	case path.Base(candidate) == path.Base(name):
		return 1000 + d
	case d <= len(name)*2/5:
		return 1_000_000 + d
	}
	return -1
}

// distance is the edit distance of two names in letters.
func distance(a, b string) int {
	differ := diffmatchpatch.New()
	differ.DiffTimeout = 0 // a name is short, and the answer must not depend on the clock
	return differ.DiffLevenshtein(differ.DiffMain(a, b, false))
}
