package plan

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func TestDiffSaysEveryMoveInWords(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"T03 p\n", "T03 c\n", "T03: pending → complete"},
		{"T01 p\n", "T01 p\nM01 i\n  T02 p\n", "M01: added to R\nT02: added to M01"},
		{"M01 i\n  T02 p\n  T03 p\n", "M01 i\n  T03 p\n", "T02: removed"},
		{"M01 i\n  T01 p\n  T02 p\nM02 i\n  T03 p\n", "M01 i\n  T01 p\nM02 i\n  T03 p\n  T02 p\n", "T02: moved from M01 to M02"},
		{"T01 p\nT02 p\n", "T02 p\nT01 p\n", "R: children reordered: T02, T01"},
		{"T01 p \"a\"\n", "T01 p \"b\"\n", "T01: description: «a» → «b»"},
		{"T01 p\n", "T01 p\n  T02 p\n  T03 p\n", "T01: decomposed into T02, T03\nT02: added, a part of T01\nT03: added, a part of T01"},
		{"T01 p\n", "T01 p 0.25\n", "T01: failure_threshold 0.0 → 0.25"},
		{"T01 p [a; b]\n", "T01 p [a; c]\n", "T01: checklist: + «c», − «b»"},
		{"T01 p [a]\n", "T01 p [a?]\n", "T01: checklist: order, kinds or required items changed"},
		{"T01 p\nT02 p\n", "T01 p\nT02 p <T01\n", "T02: depends on «» → «T01»"},
		{"S01 p\n", "S01 p +\n", "S01: type atomic → parent"},
		{"T01 p [a]\n", "T01 p [a]\n", ""},
	} {
		before, after := sketch(t, c.before), sketch(t, c.after)
		if got := inWords(Diff(before, after)); got != c.want {
			t.Errorf("%s=>\n%sgot  %s\nwant %s", c.before, c.after, got, c.want)
		}
	}
	replanned, err := ReplanSlice(sketch(t, "M01 i\n  S01 i\n    T01 c\n"), "S01", "T01", "n", "t")
	if got := inWords(replanned.Moves()); err != nil || got != "S01: replans changed" {
		t.Errorf("got %s (%v)", got, err)
	}
	if got := len(Diff(nil, sketch(t, "T01 p\n"))); got != 2 {
		t.Errorf("a first plan is %d moves", got)
	}
}

func inWords(moves []Move) string {
	var all []string
	for _, m := range moves {
		all = append(all, m.String())
	}
	return strings.Join(all, "\n")
}

// Two plans without a move between them say the same, and each move there is one back.
func TestDiffIsEmptyOnlyBetweenEqualPlans(t *testing.T) {
	r := &random{Rand: rand.New(rand.NewPCG(3, 4))}
	differed := 0
	for range 1000 {
		a := r.unit(0)
		b := a.Clone()
		if nodes := NewIndex(b).Nodes; r.IntN(4) > 0 {
			u := nodes[r.IntN(len(nodes))].Unit
			o := r.unit(3)
			v := reflect.ValueOf(u).Elem()
			f := []string{"Type", "Description", "Status", "FailureThreshold", "Checklist", "Assessments", "Replans", "Children"}[r.IntN(8)]
			v.FieldByName(f).Set(reflect.ValueOf(o).Elem().FieldByName(f))
		}
		there, back := Diff(a, b), Diff(b, a)
		same := string(Write(a)) == string(Write(b))
		if same != (len(there) == 0) && !onlyDefaults(a, b) || (len(there) == 0) != (len(back) == 0) {
			t.Fatalf("moves %v and %v between\n%s\n%s", there, back, Write(a), Write(b))
		}
		if !same {
			differed++
		}
	}
	if differed < 300 {
		t.Fatalf("only %d pairs differed", differed)
	}
}

// onlyDefaults reports trees that differ in what is left out alone.
func onlyDefaults(a, b *Unit) bool {
	strip := func(u *Unit) string {
		return strings.NewReplacer(`, "kind": "code"`, "", "      \"checklist\": [],\n", "").Replace(string(Write(u)))
	}
	return strip(a) == strip(b)
}
