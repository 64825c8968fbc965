package lang

import (
	"slices"
	"strings"
	"testing"
)

func TestEveryLineOfRolesNamesARoleAndNoKindStandsTwice(t *testing.T) {
	known := map[string]string{}
	for _, w := range Table(rolesText) {
		if !slices.Contains(roleNames, w.Name) {
			t.Errorf("roles.txt names %q, which is no role", w.Name)
		}
		for kind := range strings.FieldsSeq(w.Text) {
			if before := known[kind]; before != "" {
				t.Errorf("%s is %s, and %s", kind, before, w.Name)
			}
			known[kind] = w.Name
		}
	}
	if len(known) < 500 || len(roleNames) != int(Disables)+1 {
		t.Errorf("%d kinds, %d names of roles", len(known), len(roleNames))
	}
}
