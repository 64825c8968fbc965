package weaker

import (
	"testing"

	"github.com/acta-git/acta/evidence"
)

// Of each unit a blank is left, in whichever order they are, and of what stands apart all.
func TestWhatStandsApartFromUnits(t *testing.T) {
	f := &file{Outline: &evidence.Outline{Source: []byte("ab(c)d e[f]g")},
		units: []*unit{{start: 8, end: 11}, {start: 2, end: 5}}}
	if got, want := f.apartFromUnits(), "ab d e g"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
