package weaker

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// Numbers in a test that are no expectation, but say how much is tried, and how long a test may take.

// limit is such a number, or the range of inputs of a property.
type limit struct {
	form, text string
	low, high  float64
}

// lastNumber is a timeout that a call of a test is given behind its function, at the end of what is such a call.
var lastNumber = lang.Lazy(`\}\s*,\s*(\d[\d_]*)\s*\)\s*;?\s*$`)

// maxBehind bounds in how many bytes at the end it stands.
const maxBehind = 100

const (
	formTimeout = "timeout raised"
	formRuns    = "fewer runs"
	formRange   = "range cut"
)

var (
	lowest  = lang.Lazy(`\bmin(?:_value|Inclusive)?\s*[:=]\s*(-?\d[\d_.]*)`)
	highest = lang.Lazy(`\bmax(?:_value|Inclusive)?\s*[:=]\s*(-?\d[\d_.]*)`)
	counted = lang.Lazy(`-?\d[\d_]*(?:\.\d+)?`)
)

// limitsOf are the limits in a text, in its order by form.
func limitsOf(text string) []limit {
	all := limitsLike(lastNumber, formTimeout, text[max(0, len(text)-maxBehind):])
	known := frameworkOf("")
	for i, patterns := range [][]lang.Pattern{known.timeouts, known.runs, known.ranges} {
		for _, p := range patterns {
			all = append(all, limitsLike(p, []string{formTimeout, formRuns, formRange}[i], text)...)
		}
	}
	return all
}

// limitsLike are those in a text that a pattern finds.
func limitsLike(p lang.Pattern, form, text string) (all []limit) {
	for _, m := range p.In(text).FindAllStringSubmatch(text, -1) {
		given := strings.Join(m[1:], "")
		one := limit{form, strings.TrimSpace(m[0]), math.Inf(-1), math.Inf(1)}
		low, high := lowest.FindStringSubmatch(given), highest.FindStringSubmatch(given)
		switch numbers := counted.FindAllString(given); {
		case low != nil || high != nil:
			one.low, one.high = number64(low, one.low), number64(high, one.high)
		case len(numbers) == 1 && (form != formRange || counted.ReplaceAllString(given, "") == ""):
			one.high = number64([]string{"", numbers[0]}, one.high)
		case len(numbers) == 2:
			one.low, one.high = number64([]string{"", numbers[0]}, 0), number64([]string{"", numbers[1]}, 0)
		}
		all = append(all, one)
	}
	return all
}

// number64 is the number that a match has in its group, or what stands for none.
func number64(m []string, none float64) float64 {
	if m == nil {
		return none
	}
	if f, err := strconv.ParseFloat(strings.ReplaceAll(m[1], "_", ""), 64); err == nil {
		return f
	}
	return none
}

// loosened is the first limit of a text that lets more pass than that of an earlier one; ok is false without one. What
// has others has others is not compared.
func loosened(was, is string) (d demand, ok bool) {
	if was == is { // of most functions, and expressions cost more
		return d, false
	}
	before, after := limitsOf(was), limitsOf(is)
	if len(before) != len(after) {
		return d, false
	}
	for i, a := range after {
		b := before[i]
		less := a.low >= b.low && a.high <= b.high && (a.low > b.low || a.high < b.high)
		if a.form == formTimeout && counted.ReplaceAllString(a.text, "") != counted.ReplaceAllString(b.text, "") {
			continue // in another unit, say
		}
		if a.form == b.form && less != (a.form == formTimeout) && (less || a.high > b.high) {
			d.form, d.message = a.form, fmt.Sprintf("%s, where it was %s", short(a.text), short(b.text))
			return d, true
		}
	}
	return d, false
}

// apartFromUnits is what stands in a file outside of its tests and functions, a blank in the place of each.
func (f *file) apartFromUnits() string {
	src := slices.Clone(f.Source)
	for _, u := range f.units {
		clear(src[u.start:u.end])
	}
	apart := src[:0]
	for i, b := range src {
		switch {
		case b != 0:
			apart = append(apart, b)
		case i == 0 || len(apart) == 0 || apart[len(apart)-1] != ' ':
			apart = append(apart, ' ')
		}
	}
	return string(apart)
}
