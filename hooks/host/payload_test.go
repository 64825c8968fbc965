package host

import (
	"strings"
	"testing"
)

func parsed(t *testing.T, text string) payload {
	t.Helper()
	p, err := readPayload(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Hosts change the shape of what they send; what is something else than expected reads as nothing.
func TestAPayloadIsReadWhateverItsShape(t *testing.T) {
	p := parsed(t, `{"text": "a", "empty": "", "n": 3, "half": 1.5, "yes": true, "null": null, "o": {"text": "in"}, "written": " {\"text\": \"in\"}",
		"broken": "{", "list": [{"text": "one\n"}, "two", 3, {"other": "x"}], "argv": ["go", "test"], "sh": ["bash", "-lc", "cd a && go test"], "numbers": [1]}`)
	for what, c := range map[string][2]string{
		"the first text":           {p.text("none", "empty", "n", "text"), "a"},
		"no text":                  {p.text("n", "o"), ""},
		"a name that is a number":  {p.name("null", "n"), "3"},
		"a name that is a text":    {p.name("empty", "text", "n"), "a"},
		"parts":                    {p.parts("list"), "one\ntwo"},
		"a part alone":             {p.parts("o"), "in"},
		"parts that are a text":    {p.parts("text"), "a"},
		"an object":                {p.object("o").text("text"), "in"},
		"an object in a text":      {p.object("written").text("text"), "in"},
		"a command line":           {p.words("none", "text"), "a"},
		"words":                    {p.words("argv"), "go test"},
		"a shell's script":         {p.words("sh"), "cd a && go test"},
		"words that are none":      {p.words("numbers", "empty"), ""},
		"a result that is a text":  {payload{"tool_response": "ok"}.result(), "ok"},
		"a result that is none":    {payload{"error": nil}.result(), ""},
		"a result that is a list":  {payload{"output": []any{"a", 1.0}}.result(), `["a",1]`},
		"why it failed goes first": {payload{"output": "x", "error": "y"}.result(), "y"},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: got %q, want %q", what, c[0], c[1])
		}
	}
	if p.object("broken") != nil || p.object("text") != nil || p.has("null") || !p.has("n") || !p.flag("yes") || p.flag("n") {
		t.Error("what is there, and what is not")
	}
	if n := p.number("half", "n"); n == nil || *n != 3 || p.number("text") != nil {
		t.Errorf("a whole number: %v", n)
	}
	if all, ok := p.objects("list"); !ok || len(all) != 2 {
		t.Errorf("objects: %v, %t", all, ok)
	}
	if _, ok := p.objects("o"); ok {
		t.Error("an object is no list")
	}
	for text, says := range map[string]string{"[]": "is no JSON object", "null": "is null", "{": "is no JSON object"} {
		if _, err := readPayload(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestACommandIsKeptOnALineAndBounded(t *testing.T) {
	code := 2
	for name, c := range map[string]struct {
		use          *toolUse
		about, state string
	}{
		"over lines":  {shellUse("go test \\\n  ./...\n", nil), "go test ./...", "completed"},
		"it failed":   {shellUse("false", &code), "false", "failed"},
		"long":        {shellUse(strings.Repeat("é", maxCommand), nil), strings.Repeat("é", maxCommand/2) + "…", "completed"},
		"a sub-agent": {subAgentUse("initiated", "", " ", "look\nfurther"), "look", "initiated"},
		"of no words": {subAgentUse("initiated", "", "", ""), "a sub-agent", "initiated"},
	} {
		if c.use == nil || c.use.context != c.about || string(c.use.status) != c.state {
			t.Errorf("%s: got %+v", name, c.use)
		}
	}
	if shellUse(" \n", nil) != nil || fileUse("Edit", "", "") != nil {
		t.Error("of no command and no file there is a use")
	}
	if got := firstLine(" " + strings.Repeat("a", 300) + "\nmore"); len([]rune(got)) != maxLine || !strings.HasSuffix(got, "…") {
		t.Errorf("got %d characters", len([]rune(got)))
	}
}
