package weaker

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"
)

// digest stands for a text that is kept only to be compared with others. It differs from run to run, so that no tree
// can be made in which two texts have one.
type digest uint64

var seed = maphash.MakeSeed()

func digestOf(text string) digest { return digest(maphash.String(seed, text)) }

// digestOfWords is that of a text, however it is laid out; 0 for one without words.
func digestOfWords(text string) digest {
	var all maphash.Hash
	all.SetSeed(seed)
	for w := range strings.FieldsSeq(text) {
		_, _ = all.WriteString(w)
		_ = all.WriteByte(' ')
	}
	if strings.TrimSpace(text) == "" {
		return 0
	}
	return digest(all.Sum64())
}

// set holds texts by their digests, in order.
type set []digest

func digestsOf(texts map[string]bool) set {
	s := make(set, 0, len(texts))
	for text, in := range texts {
		if in {
			s = append(s, digestOf(text))
		}
	}
	slices.Sort(s)
	return s
}

func (s set) has(text string) bool { return s.holds(digestOf(text)) }

func (s set) holds(d digest) bool {
	_, found := slices.BinarySearch(s, d)
	return found
}

// meets reports whether two sets have a text in common; the first is the smaller one as a rule.
func (s set) meets(other set) bool { return slices.ContainsFunc(s, other.holds) }

// bag counts words, in the order of their digests.
type bag []wordCount

type wordCount struct {
	word digest
	n    int
}

// bagOf counts words; it takes the list over.
func bagOf(words []digest) bag {
	slices.Sort(words)
	distinct := 0
	for i, w := range words {
		if i == 0 || w != words[i-1] {
			distinct++
		}
	}
	b := make(bag, 0, distinct)
	for i, w := range words {
		if i == 0 || w != words[i-1] {
			b = append(b, wordCount{word: w})
		}
		b[len(b)-1].n++
	}
	return b
}

// count is how often a word is there.
func (b bag) count(word string) int {
	by := func(c wordCount, d digest) int { return cmp.Compare(c.word, d) }
	at, found := slices.BinarySearchFunc(b, digestOf(word), by)
	if !found {
		return 0
	}
	return b[at].n
}

// shared is how many words two bags have in common, and how many they have together.
func (b bag) shared(a bag) (shared, all int) {
	for len(b) > 0 && len(a) > 0 {
		switch {
		case b[0].word < a[0].word:
			all += b[0].n
			b = b[1:]
		case b[0].word > a[0].word:
			all += a[0].n
			a = a[1:]
		default:
			shared += min(b[0].n, a[0].n)
			all += max(b[0].n, a[0].n)
			b, a = b[1:], a[1:]
		}
	}
	for _, c := range b {
		all += c.n
	}
	for _, c := range a {
		all += c.n
	}
	return shared, all
}
