package lang

import "strings"

// Hollow is how to hollow out a function: a statement before its body returns a value, so that the body does not run.
type Hollow struct {
	// Return is the statement. %s stands for the value, and %b for the body if the statement encloses it. If it is
	// empty, functions of the language are never hollowed out.
	Return string
	// Results are the values to return, by declared result.
	Results []HollowResult
}

// HollowResult lists the values for results that Declared matches, the likeliest first. An empty value returns nothing.
type HollowResult struct {
	Declared Pattern
	Values   []string
}

// newHollow reads «hollow: STATEMENT», and below it lines «RESULT => VALUE | VALUE».
func newHollow(w Entry) Hollow {
	h := Hollow{Return: w.Text}
	for _, line := range w.Lines {
		result, values, _ := strings.Cut(line, "=>")
		g := HollowResult{Declared: Lazy(strings.TrimSpace(result))}
		for value := range strings.SplitSeq(values, " | ") {
			g.Values = append(g.Values, strings.TrimSpace(value))
		}
		h.Results = append(h.Results, g)
	}
	return h
}

// Values returns the values to try for a declared result. $ in a value becomes the result itself.
func (h Hollow) Values(result string) []string {
	for _, g := range h.Results {
		if !g.Declared.MatchString(result) {
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

// IsAround reports whether the statement encloses the body.
func (h Hollow) IsAround() bool { return strings.Contains(h.Return, "%b") }

// Statement returns the statement that returns a value.
func (h Hollow) Statement(value, body string) string {
	return strings.NewReplacer("%s", value, "%b", body).Replace(h.Return)
}
