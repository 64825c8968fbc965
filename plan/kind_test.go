package plan

import "testing"

func TestAFreeIdIsTheNextNumber(t *testing.T) {
	root := sketch(t, "M01 i\n  S01 i\n    T01 c\n    T7 p\n    Tidy p\n")
	for _, c := range []struct {
		parent string
		form   string
		want   string
	}{{"S01", Atomic, "T08"}, {"R", Atomic, "T08"}, {"R", Parent, "M02"}, {"M01", Parent, "S02"}, {"M01/S01", Parent, "S02"}} {
		if got := FreeID(root, c.parent, &Unit{Type: c.form}); got != c.want {
			t.Errorf("a %s below %s is %s, want %s", c.form, c.parent, got, c.want)
		}
	}
}
