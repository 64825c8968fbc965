package weaker

import (
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

// pairing finds what became of units or assertions: the pairs that were found, and what is left on each side.
type pairing[T any] struct {
	was, is []T
	pairs   [][2]T
}

// take pairs what is the same, in the order of what stood before.
func (p *pairing[T]) take(same func(b, a T) bool) {
	p.was = slices.DeleteFunc(p.was, func(b T) bool {
		k := slices.IndexFunc(p.is, func(a T) bool { return same(b, a) })
		if k >= 0 {
			p.pairs = append(p.pairs, [2]T{b, p.is[k]})
			p.is = slices.Delete(p.is, k, k+1)
		}
		return k >= 0
	})
}

// withinFile pairs the units of one file by how sure it is: what stands as it did, what has one name and kind, or name.
func withinFile(p *pairing[*unit]) {
	// Of those of one name, as under #[cfg(unix)] and #[cfg(windows)], first what stands as it did.
	p.take(func(b, a *unit) bool { return samePlace(b, a) && b.text() == a.text() })
	p.take(samePlace)
	p.take(func(b, a *unit) bool { return b.symbol == a.symbol })
}

// samePlace reports whether units have one name and kind.
func samePlace(b, a *unit) bool { return b.symbol == a.symbol && b.test == a.test }

// acrossFiles pairs what is left of all files: by symbol, by name, by likeness, the most alike first.
func acrossFiles(p *pairing[*unit]) {
	p.take(func(b, a *unit) bool { return samePlace(b, a) && likeness(b, a) >= alike/2 })
	p.take(func(b, a *unit) bool { return b.name == a.name && likeness(b, a) >= alike/2 })
	likely := map[[2]*unit]int{}
	var found [][2]*unit
	if len(p.was)*len(p.is) <= maxLikely {
		for _, b := range p.was {
			for _, a := range p.is {
				if value := likeness(b, a); value >= alike {
					likely[[2]*unit{b, a}] = value
					found = append(found, [2]*unit{b, a})
				}
			}
		}
	}
	slices.SortStableFunc(found, func(x, y [2]*unit) int { return likely[y] - likely[x] })
	for _, f := range found {
		p.take(func(b, a *unit) bool { return b == f[0] && a == f[1] })
	}
}

// likeness is how many of their words two units share, in parts of 100.
func likeness(b, a *unit) int { return lang.Likeness(b.words, a.words) }
