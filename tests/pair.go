package tests

import (
	"cmp"
	"slices"
)

// pair is a unit before and after; one of them is nil for what is gone or new.
type pair struct{ before, after *unit }

const (
	// alike is how much of their words two units must share to be one that was moved or renamed, in parts of 100.
	alike = 60
	// maxLikely bounds how many pairs are looked at for likeness.
	maxLikely = 1 << 16
)

// pairUp finds what became of each unit: by path and symbol, by symbol in another file, by likeness.
func pairUp(before, after []*unit) []pair {
	var pairs []pair
	take := func(key func(u *unit) string, ok func(b, a *unit) bool) {
		waiting := map[string][]*unit{}
		for _, a := range after {
			waiting[key(a)] = append(waiting[key(a)], a)
		}
		var rest []*unit
		taken := map[*unit]bool{}
		for _, b := range before {
			k := key(b)
			at := slices.IndexFunc(waiting[k], func(a *unit) bool { return ok(b, a) })
			if at < 0 {
				rest = append(rest, b)
				continue
			}
			taken[waiting[k][at]] = true
			pairs = append(pairs, pair{b, waiting[k][at]})
			waiting[k] = slices.Delete(slices.Clone(waiting[k]), at, at+1)
		}
		before = rest
		after = slices.DeleteFunc(slices.Clone(after), func(a *unit) bool { return taken[a] })
	}
	always := func(_, _ *unit) bool { return true }
	// Of those of one name, as under #[cfg(unix)] and #[cfg(windows)], first what stands as it did.
	take(func(u *unit) string { return samePlace(u) + "\x00" + u.text() }, always)
	take(samePlace, always)
	take(func(u *unit) string { return u.file.Path + "\x00" + u.symbol }, always)
	take(
		func(u *unit) string { return u.symbol + kindOf(u) },
		func(b, a *unit) bool { return likeness(b, a) >= alike/2 },
	)
	take(func(u *unit) string { return u.name }, func(b, a *unit) bool { return likeness(b, a) >= alike/2 })
	return append(pairs, likely(before, after)...)
}

// samePlace is what units of one path, name and kind have in common.
func samePlace(u *unit) string { return u.file.Path + "\x00" + u.symbol + kindOf(u) }

func kindOf(u *unit) string {
	if u.test {
		return "\x00test"
	}
	return ""
}

// likely pairs what is left by likeness, the most alike first, and leaves the rest alone.
func likely(before, after []*unit) []pair {
	type candidate struct {
		b, a  int
		value int
	}
	var found []candidate
	if len(before)*len(after) <= maxLikely {
		for i, b := range before {
			for k, a := range after {
				if value := likeness(b, a); value >= alike {
					found = append(found, candidate{i, k, value})
				}
			}
		}
	}
	slices.SortStableFunc(found, func(x, y candidate) int {
		return cmp.Or(y.value-x.value, x.b-y.b, x.a-y.a)
	})
	var pairs []pair
	usedB, usedA := map[int]bool{}, map[int]bool{}
	for _, c := range found {
		if !usedB[c.b] && !usedA[c.a] {
			usedB[c.b], usedA[c.a] = true, true
			pairs = append(pairs, pair{before[c.b], after[c.a]})
		}
	}
	for i, b := range before {
		if !usedB[i] {
			pairs = append(pairs, pair{before: b})
		}
	}
	for k, a := range after {
		if !usedA[k] {
			pairs = append(pairs, pair{after: a})
		}
	}
	return pairs
}

// likeness is how many of their words two units share, in parts of 100.
func likeness(b, a *unit) int {
	shared, all := 0, 0
	for w, n := range b.words {
		m := a.words[w]
		shared += min(n, m)
		all += max(n, m)
	}
	for w, m := range a.words {
		if _, ok := b.words[w]; !ok {
			all += m
		}
	}
	if all == 0 {
		return 0
	}
	return shared * 100 / all
}
