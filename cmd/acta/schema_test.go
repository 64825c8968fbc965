package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/attest"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/report"
)

const schemaFolder = "https://github.com/acta-git/acta/docs/schema/"

// printedAs is the type of what each schema made from one describes.
var printedAs = map[string]struct {
	printed any
	title   string
}{
	"check":              {report.Report{}, "What acta check, acta verify and acta hook print with --format json"},
	"tests":              {report.Tests{}, "What acta tests --format json prints"},
	"cite":               {citeResult{}, "What acta cite --format json prints"},
	"attest-claims":      {attest.Verdict{}, "The predicate of the project's own that acta attest writes, of type " + attest.ClaimsType},
	"claims":             {judge.ClaimsReport{}, "What acta drift --format json prints"},
	"stubs":              {stub{}, "A line of acta stubs --format jsonl"},
	"score":              {ledger.Score{}, "What acta score --format json prints"},
	"score-history":      {[]ledger.Score{}, "What acta score history --format json prints"},
	"score-explain":      {[]ledger.Point{}, "What acta score explain --format json prints"},
	"score-feedback":     {votedScore{}, "What acta score feedback --format json prints"},
	"plan-next":          {nextUnit{}, "What acta plan next --format json prints"},
	"plan-owner":         {planOwner{}, "What acta plan owner --format json prints"},
	"plan-lint":          {vagueItem{}, "A line of acta plan lint --format jsonl"},
	"audit":              {loggedLine{}, "A line of acta audit --format jsonl, and of the logs of docs/worklog.md"},
	"doctor":             {doctorOutput{}, "What acta doctor --format json prints"},
	"policy":             {policyOutput{}, "What acta policy --format json prints"},
	"heartbeat-next":     {nextTask{}, "What acta heartbeat next --format json prints"},
	"heartbeat-verdicts": {[]taskVerdict{}, "What acta heartbeat verify --format json prints"},
	"worklog-list":       {[]worklog.Row{}, "What acta worklog list --format json prints"},
}

// loggedLine is an entry of a log with what chains it to the one before.
type loggedLine struct {
	Prev string `json:"prev"`
	journal.Entry
}

// madeSchema is the schema of a type. Readers get [] and never null, and keys may be added at the end of an object.
func madeSchema(t *testing.T, name string) []byte {
	t.Helper()
	words := func(enum ...any) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Enum: enum} }
	of := printedAs[name]
	s, err := jsonschema.ForType(reflect.TypeOf(of.printed), &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[report.Severity](): words("note", "warning", "error"),
		reflect.TypeFor[report.Verdict]():  words("verified", "skipped", "unclear", "not_verified"),
		reflect.TypeFor[evidence.State]():  {Type: "string"},
		reflect.TypeFor[json.RawMessage](): {},
		reflect.TypeFor[plan.Unit]():       {Ref: schemaFolder + "plan.json#/$defs/unit"},
	}})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	loosen(s)
	s.Schema, s.ID, s.Title = "https://json-schema.org/draft/2020-12/schema", schemaFolder+name+".json", of.title
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(data, '\n')
}

func loosen(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Ref != "" {
		s.Types = nil
	}
	if slices.Contains(s.Types, "array") {
		s.Type, s.Types = "array", nil
	}
	if len(s.Properties) > 0 {
		s.AdditionalProperties = nil
	}
	for _, p := range s.Properties {
		loosen(p)
	}
	loosen(s.Items)
	loosen(s.AdditionalProperties)
}

// TestSchemasAreMadeFromWhatIsPrinted: ACTA_UPDATE=1 writes them.
func TestSchemasAreMadeFromWhatIsPrinted(t *testing.T) {
	for name := range printedAs {
		file := filepath.Join("../../docs/schema", name+".json")
		made := madeSchema(t, name)
		if os.Getenv("ACTA_UPDATE") != "" {
			if err := os.WriteFile(file, made, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if published, err := os.ReadFile(file); err != nil || !bytes.Equal(published, made) {
			t.Errorf("%s is not what is printed (%v); run ACTA_UPDATE=1 go test ./cmd/acta -run SchemasAreMade", file, err)
		}
	}
}

// printers are calls that print JSON, by command, and the schema of what they print.
var printers = map[string][]struct{ args, schema string }{
	"hook pre-commit": {{"--format json", "check"}}, "hook commit-msg": {{"--format json message", "check"}}, "hook pre-applypatch": nil, // as commit-msg
	"check":  {{"--message message --format json", "check"}, {"--message message --format sarif", ""}},
	"cite":   {{"--format json", "cite"}, {"--since HEAD~3 --format json", "cite"}},
	"verify": {{"HEAD~3..HEAD --format json", "check"}, {"HEAD..HEAD --format json", "check"}, {"HEAD --format json", "check"}},
	"tests":  {{"HEAD~3..HEAD --format json", "tests"}, {"--staged --format json", "tests"}},
	"drift":  {{"--format json", "claims"}, {"HEAD..HEAD --format json", "claims"}},
	"prove":  {{"--format json -- true", "check"}},
	"stubs":  {{". --all --format jsonl", "stubs"}}, "explain": nil,
	"plan show": {{"--format json", "plan"}, {"T05 --format json", "plan"}}, "plan next": {{"--format json", "plan-next"}},
	"plan lint":  {{"--format jsonl", "plan-lint"}},
	"plan owner": {{"T05 --format json", "plan-owner"}, {"T06 --format json", "plan-owner"}},
	"score":      {{"--format json", "score"}, {"--actor nobody --format json", "score"}}, "score history": {{"--format json", "score-history"}},
	"score explain":  {{"2026-01-26 --format json", "score-explain"}, {"2020-01-01 --format json", "score-explain"}},
	"score feedback": {{"up --actor executor-02 --format json", "score-feedback"}}, "audit": {{"--format jsonl", "audit"}},
	"doctor": {{"--format json", "doctor"}}, "policy": {{"--format json", "policy"}}, "policy check": {{"--format json", "check"}, {"message --format json", "check"}},
	"heartbeat next":   {{"--format json", "heartbeat-next"}},
	"heartbeat verify": {{"--format json", "heartbeat-verdicts"}, {"none --format json", ""}},
	"worklog list":     {{"--format json", "worklog-list"}}, "worklog show": {{"--format json", "worklog"}},
}

// document is something that was printed, and the name of its schema.
type document struct {
	Schema string          `json:"schema"`
	Text   json.RawMessage `json:"text"`
	from   string
}

// TestWhatIsPrintedFitsItsSchema holds real output of every command that prints JSON to the published schemas, by two validators.
func TestWhatIsPrintedFitsItsSchema(t *testing.T) {
	acta := newWorkers(t)
	v := printingRepository(t, acta)
	var all []document
	app := command{Stdout: report.NewTerminal(nil, false), unknownCommand: new(error)}.app()
	for name, cmd := range jsonCommands(app.Commands, "") {
		calls, ok := printers[name]
		if !ok {
			t.Errorf("%q prints JSON, and no schema is named for it (%s)", name, cmd)
		}
		for _, call := range calls {
			if call.schema == "" {
				continue
			}
			args := strings.Fields(name + " " + call.args)
			out, errs, _ := acta.in(v, "", args...)
			before := len(all)
			for dec := json.NewDecoder(strings.NewReader(out)); ; {
				d := document{Schema: call.schema, from: strings.Join(args, " ")}
				if err := dec.Decode(&d.Text); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("acta %s: %v\n%s%s", d.from, err, out, errs)
				}
				all = append(all, d)
			}
			if len(all) == before {
				t.Errorf("acta %v prints nothing: %s", args, errs)
			}
		}
	}
	validateInGo(t, all)
	validateInPython(t, all)
}

// jsonCommands are the commands with a --format that is JSON, and the help of that option.
func jsonCommands(commands []*cli.Command, above string) map[string]string {
	found := map[string]string{}
	for _, c := range commands {
		if c.Hidden {
			continue
		}
		name := strings.TrimSpace(above + " " + c.Name)
		for _, f := range c.Flags {
			if s, ok := f.(*cli.StringFlag); ok && s.Name == "format" && strings.Contains(s.Usage, "json") {
				found[name] = s.Usage
			}
		}
		maps.Copy(found, jsonCommands(c.Subcommands, name))
	}
	return found
}

// published is a schema of docs/schema, ready to hold values to it. The library is one that costs no start of acta, as
// this binary is: another compiles its own schemas whenever a process starts.
func published(t testing.TB, name string) *jsonschema.Resolved {
	t.Helper()
	read := func(name string) (*jsonschema.Schema, error) {
		data, err := os.ReadFile(filepath.Join("../../docs/schema", name))
		if err != nil {
			return nil, err
		}
		var s jsonschema.Schema
		return &s, json.Unmarshal(data, &s)
	}
	s, err := read(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(&jsonschema.ResolveOptions{
		Loader: func(uri *url.URL) (*jsonschema.Schema, error) { return read(path.Base(uri.Path)) },
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return resolved
}

func validateInGo(t *testing.T, all []document) {
	t.Helper()
	files, err := filepath.Glob("../../docs/schema/*.json")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	schemas := map[string]*jsonschema.Resolved{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		schemas[name] = published(t, name)
	}
	for _, d := range all {
		var value any
		err := json.Unmarshal(d.Text, &value)
		if err = cmp.Or(err, schemas[d.Schema].Validate(value)); err != nil {
			t.Errorf("acta %s prints what is none of %s: %v\n%.2000s", d.from, d.Schema, err, d.Text)
		}
	}
}

// inPython compiles all schemas and validates the documents on standard input.
const inPython = `
import json, pathlib, re, sys, warnings
warnings.simplefilter("ignore")
import jsonschema
schemas = {f.stem: json.loads(f.read_text()) for f in pathlib.Path(sys.argv[1]).glob("*.json")}
store = {sys.argv[2] + name + ".json": schema for name, schema in schemas.items()}
def patterns(node):
    for key, value in (node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()):
        if key == "pattern" and isinstance(value, str):
            re.compile(value)
        patterns(value)
for name, schema in schemas.items():
    jsonschema.Draft202012Validator.check_schema(schema)
    patterns(schema)
for document in json.load(sys.stdin):
    schema = schemas[document["schema"]]
    resolver = jsonschema.RefResolver(sys.argv[2] + document["schema"] + ".json", schema, store=store)
    for error in jsonschema.Draft202012Validator(schema, resolver=resolver).iter_errors(document["text"]):
        print(document["schema"], error.json_path, error.message)
print(len(schemas), "schemas")
`

// validateInPython asks a validator of another language, where it is there; CI has it.
func validateInPython(t *testing.T, all []document) {
	t.Helper()
	if out, err := exec.Command("python3", "-c", "import jsonschema").CombinedOutput(); err != nil {
		if os.Getenv("ACTA_REQUIRE") == "all" {
			t.Errorf("python3-jsonschema is missing: %v\n%s", err, out)
		}
		return
	}
	data, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("python3", "-c", inPython, "../../docs/schema", schemaFolder)
	cmd.Stdin = bytes.NewReader(data)
	out, err := cmd.CombinedOutput()
	if lines := strings.Split(strings.TrimSpace(string(out)), "\n"); err != nil || len(lines) != 1 || !strings.HasSuffix(lines[0], " schemas") {
		t.Errorf("python's jsonschema: %v\n%s", err, out)
	}
}

// printingRepository has something of everything that is printed.
func printingRepository(t *testing.T, acta workers) *vector {
	t.Helper()
	v := settledHistory(t)
	for name, text := range map[string]string{
		"working_plan/current.json": `{"id": "ROOT", "type": "parent", "children": [
			{"id": "T05", "type": "atomic", "checklist": [{"item": "Add g() to g.py"}, {"item": "Make it work"}]}, {"id": "T06", "type": "atomic"}]}`,
		".acta.yaml":   "version: 1\n",
		"HEARTBEAT.md": "## Tasks\n- [ ] mail | Check for mail\n- [ ] mail\n",
		"message":      "ACT: T05 g\n\nDone: Add g() to g.py | gone.py:1\nSkipped: Make it work | It does already work\nOutcome: success\n",
		"g.py":         "def g(user):\n    return user.name\n",
		"h.py":         "def h(user):\n    return user.age + 1\n",
	} {
		path := filepath.Join(v.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	v.git("add", "working_plan", ".acta.yaml")
	v.git("commit", "--quiet", "-m", "Plan")
	v.git("add", "h.py")
	v.git("commit", "--quiet", "-m", "ACT: T06 h\n\nDone: Add h() | h.py:1-2\nActor: executor-02")
	v.git("add", "g.py")
	for _, args := range []string{
		"plan lease T05 --actor executor-01", "plan add ROOT --id T07 --description More", "worklog start --task Work --tier STRICT",
		"worklog log --action Edit --status completed --context x", "worklog checkpoint", "worklog finish --outcome success",
	} {
		if out, errs, code := acta.in(v, "", strings.Fields(args)...); code != exitClean {
			t.Fatalf("acta %s: %s%s", args, out, errs)
		}
	}
	acta.in(v, "", "hook", "commit-msg", "message")
	return v
}
