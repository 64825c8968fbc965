package evidence

import "slices"

// Differing is what differs between two versions of a file, with all that is no function and the functions that name
// what differs of that, one behind the other.
type Differing struct {
	Before, After []byte
	// Out are the functions that are left out, by what others call them; both versions have them.
	Out map[string]bool
}

// DifferingOf tells two versions of a file apart; nil where leaving out the rest saves little, or no layout says how.
func DifferingOf(c *Cache, path string, before, after []byte) *Differing {
	n := narrow(c, path, before, after, ofOwn)
	if n == nil {
		return nil
	}
	d := &Differing{n.before.rest(), n.after.rest(), map[string]bool{}}
	if len(d.Before)+len(d.After) > (len(before)+len(after))*maxNarrowed/100 {
		return nil
	}
	for _, p := range n.after.shared {
		d.Out[p.name] = true
	}
	return d
}

// rest is the version without what is left out.
func (s *side) rest() (left []byte) {
	slices.SortFunc(s.shared, func(x, y part) int { return x.start - y.start })
	at := 0
	for _, p := range s.shared {
		left, at = append(left, s.src[at:p.start]...), p.end
	}
	return append(left, s.src[at:]...)
}
