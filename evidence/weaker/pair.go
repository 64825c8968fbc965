package weaker

import (
	"slices"

	"github.com/acta-git/acta/evidence/lang"
)

// pairOf is a unit or an assertion before and after; nil for a new or removed one.
type pairOf[T any] struct {
	before, after T
	isUnchanged   bool
}

type pair = pairOf[*unit]

const (
	// minLikeness is the percentage of shared words that makes two units one that was moved or renamed.
	minLikeness = 60
	// maxPairs bounds how many pairs are compared.
	maxPairs = 1 << 16
)

// pairing matches units or assertions: pairs, and the unmatched rest of each side.
type pairing[T any] struct {
	before, after []T
	pairs         []pairOf[T]
}

// match pairs equal elements, in the order of before.
func (p *pairing[T]) match(same func(b, a T) bool) {
	p.before = slices.DeleteFunc(p.before, func(b T) bool {
		k := slices.IndexFunc(p.after, func(a T) bool { return same(b, a) })
		if k >= 0 {
			p.pairs = append(p.pairs, pairOf[T]{before: b, after: p.after[k]})
			p.after = slices.Delete(p.after, k, k+1)
		}
		return k >= 0
	})
}

// matchInFile pairs the units of one file, the surest pairs first: equal text, name and kind, name.
func matchInFile(p *pairing[*unit]) {
	// Several units may have one name, as under #[cfg(unix)] and #[cfg(windows)].
	p.match(func(b, a *unit) bool { return samePlace(b, a) && b.text() == a.text() })
	p.match(samePlace)
	p.match(func(b, a *unit) bool { return b.symbol == a.symbol })
}

func samePlace(b, a *unit) bool { return b.symbol == a.symbol && b.isTest == a.isTest }

// matchAcrossFiles pairs the rest of all files: by symbol, by name, by likeness.
func matchAcrossFiles(p *pairing[*unit]) {
	p.match(func(b, a *unit) bool { return samePlace(b, a) && likeness(b, a) >= minLikeness/2 })
	p.match(func(b, a *unit) bool { return b.name == a.name && likeness(b, a) >= minLikeness/2 })
	likely := map[pair]int{}
	var found []pair
	if len(p.before)*len(p.after) <= maxPairs {
		for _, b := range p.before {
			for _, a := range p.after {
				if value := likeness(b, a); value >= minLikeness {
					found = append(found, pair{before: b, after: a})
					likely[found[len(found)-1]] = value
				}
			}
		}
	}
	slices.SortStableFunc(found, func(x, y pair) int { return likely[y] - likely[x] })
	for _, f := range found {
		p.match(func(b, a *unit) bool { return b == f.before && a == f.after })
	}
}

// likeness is the percentage of words that two units share.
func likeness(b, a *unit) int { return lang.Likeness(b.words, a.words) }
