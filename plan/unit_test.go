package plan

import (
	"errors"
	"strings"
	"testing"
)

const tree = `{
  "id": "ROOT", "type": "parent", "children": [
    {"id": "M01", "type": "parent", "children": [
      {"id": "S01", "type": "parent", "children": [
        {"id": "T01", "type": "atomic", "checklist": [{"item": "Add x", "required": true, "kind": "code"}], "later": {"kept": 1}}
      ]}
    ]},
    {"id": "M02", "type": "atomic"}
  ]
}`

func TestAUnitIsFoundByKeyAndByIdAlone(t *testing.T) {
	root, err := Read([]byte(tree))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"M01/S01/T01", "T01"} {
		u := root.Find(name)
		if u == nil || u.ID != "T01" || len(u.Checklist) != 1 || u.Checklist[0].Text != "Add x" || u.Checklist[0].Kind != "code" || u.Checklist[0].IsOptional {
			t.Errorf("%s is %+v", name, u)
		}
	}
	for _, name := range []string{"", "M01/T01", "S01/T01", "t01", "M01/S01/T01/", "ROOT/M02"} {
		if u := root.Find(name); u != nil {
			t.Errorf("%q is %+v", name, u)
		}
	}
}

func TestAnUnreadablePlanNamesThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"id\": 3\n}":     "2:9",
		"{\n  \"id\": \"a\",\n": "3:",
		"{}\n{}":                "2:1",
		"[]":                    "1:",
		"":                      "1:1",
	} {
		_, err := Read([]byte(text))
		var all Errors
		if !errors.As(err, &all) || !strings.HasPrefix(all[0].Error(), want) {
			t.Errorf("%q gives %v, want %s", text, err, want)
		}
	}
}

func TestItemsAreFoundExactlyAndWithoutCaseWhereOneFits(t *testing.T) {
	names := NameItems([]Item{{Text: "Add `Execute()`"}, {Text: "Add execute()"}, {Text: "Write  the docs"}, {Text: "Write the docs"}})
	for item, want := range map[string]int{
		"Add Execute()": 0, "Add `execute()`": 1, "ADD EXECUTE()": -1, "write the DOCS": 2, "Write the doc": -1,
	} {
		if got := names.Find(item); got != want {
			t.Errorf("Find(%q) = %d, want %d", item, got, want)
		}
	}
}
