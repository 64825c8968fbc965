package host

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// validSession holds a session's JSON against docs/schema/worklog.json.
func validSession(t *testing.T, text string) error {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile("../../docs/schema/worklog.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}
