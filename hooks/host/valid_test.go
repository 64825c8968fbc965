package host

import (
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

var sessionSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	return jsonschema.NewCompiler().Compile("../../docs/schema/worklog.json")
})

// validSession holds a session's JSON against docs/schema/worklog.json.
func validSession(t *testing.T, text string) error {
	t.Helper()
	s, err := sessionSchema()
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}
