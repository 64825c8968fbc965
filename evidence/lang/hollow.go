package lang

import "strings"

// Hollow is how a function of a language is left without what it does: what stands in front of its body and gives
// something back, so that nothing behind it runs.
type Hollow struct {
	// Return is the statement, with %s for what it gives back, and %b for the body where it stands around that. "": the
	// language has none.
	Return string
	// Gives are what it gives back, by the declared result.
	Gives []Given
}

// Given is what is given back where the declared result matches, the likeliest first. An empty value is none.
type Given struct {
	When   Pattern
	Values []string
}

// newHollow reads «hollow: STATEMENT», and below it a line «RESULT => VALUE | VALUE» each.
func newHollow(w Word) Hollow {
	h := Hollow{Return: w.Why}
	for _, line := range w.When {
		when, values, _ := strings.Cut(line, "=>")
		g := Given{When: Lazy(strings.TrimSpace(when))}
		for value := range strings.SplitSeq(values, " | ") {
			g.Values = append(g.Values, strings.TrimSpace(value))
		}
		h.Gives = append(h.Gives, g)
	}
	return h
}

// Values are what may be given back for a declared result, "" for none; $ in a value is the result itself.
func (h Hollow) Values(result string) []string {
	for _, g := range h.Gives {
		if !g.When.MatchString(result) {
			continue
		}
		var all []string
		for _, value := range g.Values {
			all = append(all, strings.ReplaceAll(value, "$", result))
		}
		return all
	}
	return nil
}

// IsAround reports whether the statement stands around the body.
func (h Hollow) IsAround() bool { return strings.Contains(h.Return, "%b") }

// Statement gives a value back.
func (h Hollow) Statement(value, body string) string {
	return strings.NewReplacer("%s", value, "%b", body).Replace(h.Return)
}
