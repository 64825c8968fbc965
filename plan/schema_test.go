package plan

import (
	"bytes"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The schema and Read agree on trees, and on what is malformed as far as a schema can say it.
func TestTheSchemaAgreesWithRead(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../docs/schema/plan.json")
	if err != nil {
		t.Fatal(err)
	}
	valid := func(text string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(v)
	}
	r := &random{Rand: rand.New(rand.NewPCG(5, 6))}
	for range 200 {
		made := r.unit(0)
		for _, text := range []string{r.file(made), string(bytes.TrimSpace(Write(made)))} {
			if err := valid(text); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
	}
	for _, unit := range []string{
		`{"id": "T", "type": "task"}`, `{"id": "T", "status": "done"}`, `{"id": "T", "failure_threshold": 1.5}`, `{"id": "A/B"}`,
		`{"id": "A B"}`, `{"id": ""}`, `{}`, `{"id": 7}`, `{"id": "T", "type": "atomic", "children": [{"id": "U"}]}`, `{"id": "T", "children": {}}`,
		`{"id": "T", "depends_on": "U"}`, `{"id": "T", "checklist": ["a"]}`, `{"id": "T", "checklist": [{"item": " "}]}`, `[]`,
		`{"id": "T", "checklist": [{"item": "a", "kind": "prose"}]}`, `{"id": "T", "checklist": [{"item": "a", "required": 1}]}`,
		`{"id": "T", "assessments": [{"slice": ""}]}`, `{"id": "T", "replans": [{"note": "n"}]}`, `{"id": "T", "description": 1}`,
	} {
		text := in(unit)
		_, err := Read([]byte(text))
		if err == nil || valid(text) == nil {
			t.Errorf("%s: Read says %v, the schema %v", unit, err, valid(text))
		}
	}
	for _, unit := range []string{`{"id": "T", "status": null, "type": null, "children": null, "x": {"y": 1}}`, `{"id": "T", "checklist": [{"item": "a", "kind": null}]}`} {
		text := in(unit)
		if _, err := Read([]byte(text)); err != nil || valid(text) != nil {
			t.Errorf("%s: Read says %v, the schema %v", unit, err, valid(text))
		}
	}
}

// The plan that docs/plan.md shows can be read, and stands there as Write prints it.
func TestThePageShowsAPlan(t *testing.T) {
	page, err := os.ReadFile("../docs/plan.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```json\n")
	shown, _, found := strings.Cut(rest, "```\n")
	root, err := Read([]byte(shown))
	if err != nil || !found {
		t.Fatal(err)
	}
	if got := string(Write(root)); got != shown {
		t.Errorf("got\n%s", got)
	}
	if vague := Lint(root); len(vague) > 0 {
		t.Errorf("the page is vague: %v", vague)
	}
}
