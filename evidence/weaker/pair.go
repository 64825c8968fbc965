package weaker

import (
	"cmp"
	"slices"

	"github.com/acta-git/acta/evidence/lang"
)

// pair is a unit before and after; one of them is nil for what is gone or new.
type pair struct {
	before, after *unit
	// stands: it asks what it did.
	stands bool
}

const (
	// alike is how much of their words two units must share to be one that was moved or renamed, in parts of 100.
	alike = 60
	// maxLikely bounds how many pairs are looked at for likeness.
	maxLikely = 1 << 16
)

// pairing finds what became of units: the pairs that were found, and what is left on each side.
type pairing struct {
	before, after []*unit
	pairs         []pair
}

// take pairs what has a key in common, in the order of what stood before.
func (p *pairing) take(key func(u *unit) string, ok func(b, a *unit) bool) {
	waiting := map[string][]*unit{}
	for _, a := range p.after {
		waiting[key(a)] = append(waiting[key(a)], a)
	}
	var rest []*unit
	taken := map[*unit]bool{}
	for _, b := range p.before {
		k := key(b)
		at := slices.IndexFunc(waiting[k], func(a *unit) bool { return ok(b, a) })
		if at < 0 {
			rest = append(rest, b)
			continue
		}
		taken[waiting[k][at]] = true
		p.pairs = append(p.pairs, pair{before: b, after: waiting[k][at]})
		waiting[k] = slices.Delete(slices.Clone(waiting[k]), at, at+1)
	}
	p.before = rest
	p.after = slices.DeleteFunc(slices.Clone(p.after), func(a *unit) bool { return taken[a] })
}

// withinFile pairs the units of one file by how sure it is: what stands as it did, what has one name and kind, or name.
func withinFile(before, after []*unit) (pairs []pair, rest [2][]*unit) {
	p := &pairing{before: before, after: after}
	always := func(_, _ *unit) bool { return true }
	for _, key := range []func(u *unit) string{
		// Of those of one name, as under #[cfg(unix)] and #[cfg(windows)], first what stands as it did.
		func(u *unit) string { return samePlace(u) + "\x00" + u.text() },
		samePlace,
		func(u *unit) string { return u.symbol },
	} {
		p.take(key, always)
	}
	return p.pairs, [2][]*unit{p.before, p.after}
}

// acrossFiles pairs what is left of all files: by symbol, by name, by likeness.
func acrossFiles(before, after []*unit) []pair {
	p := &pairing{before: before, after: after}
	likely := func(b, a *unit) bool { return likeness(b, a) >= alike/2 }
	p.take(func(u *unit) string { return u.symbol + kindOf(u) }, likely)
	p.take(func(u *unit) string { return u.name }, likely)
	return append(p.pairs, p.likely()...)
}

// samePlace is what units of one name and kind have in common.
func samePlace(u *unit) string { return u.symbol + kindOf(u) }

func kindOf(u *unit) string {
	if u.test {
		return "\x00test"
	}
	return ""
}

// likely pairs what is left by likeness, the most alike first, and leaves the rest alone.
func (p *pairing) likely() (pairs []pair) {
	type candidate struct {
		b, a  int
		value int
	}
	var found []candidate
	if len(p.before)*len(p.after) <= maxLikely {
		for i, b := range p.before {
			for k, a := range p.after {
				if value := likeness(b, a); value >= alike {
					found = append(found, candidate{i, k, value})
				}
			}
		}
	}
	slices.SortStableFunc(found, func(x, y candidate) int {
		return cmp.Or(y.value-x.value, x.b-y.b, x.a-y.a)
	})
	usedB, usedA := map[int]bool{}, map[int]bool{}
	for _, c := range found {
		if !usedB[c.b] && !usedA[c.a] {
			usedB[c.b], usedA[c.a] = true, true
			pairs = append(pairs, pair{before: p.before[c.b], after: p.after[c.a]})
		}
	}
	for i, b := range p.before {
		if !usedB[i] {
			pairs = append(pairs, pair{before: b})
		}
	}
	for k, a := range p.after {
		if !usedA[k] {
			pairs = append(pairs, pair{after: a})
		}
	}
	return pairs
}

// likeness is how many of their words two units share, in parts of 100.
func likeness(b, a *unit) int { return lang.Likeness(b.words, a.words) }
