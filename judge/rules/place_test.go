package rules

import (
	"slices"
	"testing"

	"github.com/acta-git/acta/plan"
)

func TestPlacesInTheWordsOfAPlan(t *testing.T) {
	for text, want := range map[string][]Place{
		"Add login() to `src/auth.py`":        {{"src/auth.py", true}},
		"Move src/auth.py:12-40 to lib/":      {{"src/auth.py", true}, {"lib/", true}},
		"Mend ./src/auth.py#login.":           {{"src/auth.py", true}},
		"Cover tests/**/*.py":                 {{"tests/**/*.py", true}},
		"Write the README and .gitignore":     {{"README", true}, {".gitignore", true}},
		"":                                    nil,
		"... -- ** ./":                        nil,
		"Change «docs/api.md», (web/page.ts)": {{"docs/api.md", true}, {"web/page.ts", true}},
	} {
		got := slices.DeleteFunc(placesIn(text), func(p Place) bool { return !p.IsSure })
		if !slices.Equal(got, want) {
			t.Errorf("%q names %v, want %v", text, got, want)
		}
	}
	for _, p := range placesIn("and/or user.check") {
		if p.IsSure && p.Text == "and/or" {
			t.Errorf("%q is taken for a file", p.Text)
		}
	}
}

func TestAPlaceHoldsItsFiles(t *testing.T) {
	for _, c := range []struct {
		place, file string
		want        bool
	}{
		{"src/auth.py", "src/auth.py", true},
		{"auth.py", "src/auth.py", true}, // the folders above may be left out
		{"auth.py", "src/oauth.py", false},
		{"src/auth.py", "src/auth.pyc", false},
		{"docs/", "docs/api.md", true},
		{"docs/", "pkg/docs/api.md", true},
		{"docs/", "docs", false}, // the folder is no file of it
		{"docs/", "mydocs/api.md", false},
		{"tests/**/*.py", "tests/unit/auth.py", true},
		{"tests/**/*.py", "tests/auth.py", true},
		{"tests/**/*.py", "src/auth.py", false},
		{"*.md", "docs/deep/api.md", true},
		{"[", "[", true}, // a pattern that is none is a name
		{"src/*.{py", "src/auth.py", false},
	} {
		if got := (Place{c.place, true}).Contains(c.file); got != c.want {
			t.Errorf("%q holds %q: %v", c.place, c.file, got)
		}
	}
	if (Place{"*", false}).Contains("src/auth.py") {
		t.Error("a star of prose holds every file")
	}
}

// What a unit names, the open units below it name for it; what is complete below says nothing of what is left.
func TestPlacesOfAUnitAreThoseOfWhatIsOpenBelow(t *testing.T) {
	u := &plan.Unit{Description: "Work in src/", Children: []*plan.Unit{
		{Status: plan.Pending, Checklist: []plan.Item{{Text: "Add login() to a/open.py"}}},
		{Status: plan.Complete, Checklist: []plan.Item{{Text: "Add login() to a/done.py"}}},
	}}
	var sure []string
	for _, p := range NamedPlaces(u) {
		if p.IsSure {
			sure = append(sure, p.Text)
		}
	}
	if want := []string{"src/", "a/open.py"}; !slices.Equal(sure, want) {
		t.Errorf("%q, want %q", sure, want)
	}
}
