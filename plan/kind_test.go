package plan

import "testing"

func TestItemsAboutProseAreText(t *testing.T) {
	for item, want := range map[string]string{
		"Describe x in docs/api.rst":                            "text",
		"Describe login() in `docs/auth.md`":                    "text",
		"Add a section to README":                               "text",
		"Add the change to CHANGELOG.md and README.md":          "text",
		"Add login() to src/auth.py":                            "code",
		"Add login() to src/auth.py and describe it in auth.md": "code",
		"Add a parser of README files to reader.go":             "code",
		"Add login() to auth":                                   "code",
		"Return Markdown from the page":                         "code",
	} {
		if got := KindOf(item); got != want {
			t.Errorf("%q is %s, want %s", item, got, want)
		}
	}
}

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
