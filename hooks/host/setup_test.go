package host

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// What was written for a host is taken out again, and what stood there before is left, byte for byte but for space
// before a bracket.
func TestSettingsAreTakenOutAgain(t *testing.T) {
	files := []string{
		"", "# Mine\n\n- one\n", "# Mine", "a\r\nb\r\n", "\n\n", "text\n\n\n",
		"{\n  \"model\": \"m\",\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"command\": \"say done\"}]}\n    ]\n  },\n  \"mcpServers\": {\n    \"x\": {\"command\": \"y\"}\n  },\n  \"z\": [ ]\n}\n",
		"{\"a\": {\"b\": []}}", "[mcp_servers.x]\ncommand = \"y\"\n",
	}
	for _, h := range Hosts() {
		for _, s := range Settings(h, Parts{MCP: true, Guard: true}) {
			for _, before := range files {
				isJSON := strings.HasSuffix(s.Path, ".json")
				if isJSON != strings.HasPrefix(before, "{") && before != "" {
					continue
				}
				after, err := s.Add([]byte(before))
				if err != nil || string(after) == before {
					t.Fatalf("%s of %q: %v", s.Path, before, err)
				}
				if again, err := s.Add(after); err != nil || string(again) != string(after) {
					t.Errorf("%s of %q: a second time it is\n%s\n%v", s.Path, before, again, err)
				}
				got, err := s.Remove(after)
				switch {
				case err != nil:
					t.Fatal(err)
				case strings.TrimSpace(before) == "":
					if len(got) > 0 {
						t.Errorf("%s: left is %q", s.Path, got)
					}
				case isJSON:
					got = []byte(strings.Replace(strings.Replace(string(got), ",\n  \"version\": 1", "", 1), ",\"version\": 1", "", 1)) // which Cursor wants
					if !reflect.DeepEqual(decoded(t, got), decoded(t, []byte(before))) || !strings.HasPrefix(string(got), before[:strings.LastIndexAny(before[:len(before)-2], "]}")]) {
						t.Errorf("%s of\n%s\nis\n%s", s.Path, before, got)
					}
				case string(got) != before:
					t.Errorf("%s of %q is %q", s.Path, before, got)
				}
				if got, err := s.Remove([]byte(before)); err != nil || string(got) != before {
					t.Errorf("%s: nothing was there to be removed, and it is %q, %v", s.Path, got, err)
				}
			}
		}
	}
}

func decoded(t *testing.T, text []byte) (v map[string]any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return v
}

// A block is written anew in its place, and what was added around it stays; one without an end is nobody's.
func TestTheInstructionsAreWrittenAnewInTheirPlace(t *testing.T) {
	s := (claude{}).instructions()
	whole, err := s.Add([]byte("# Mine\n"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(whole), "\n") - 2; n > 25 {
		t.Errorf("the block has %d lines, and 25 are what an agent is asked to read", n)
	}
	old := strings.Replace(string(whole), "## Closing a task", "## As it was once", 1) + "\nMine, too\n"
	got, err := s.Add([]byte(old))
	if err != nil || string(got) != string(whole)+"\nMine, too\n" {
		t.Errorf("%v:\n%s", err, got)
	}
	if got, err = s.Remove(got); err != nil || string(got) != "# Mine\n\nMine, too\n" {
		t.Errorf("%v: %q", err, got)
	}
	open := "<!-- acta:begin -->\nmine\n"
	if got, err := s.Add([]byte(open)); err != nil || !strings.HasPrefix(string(got), open+"\n<!-- acta:begin -->\n") {
		t.Errorf("%v: %q", err, got)
	}
}

func TestServersThatAreThereStay(t *testing.T) {
	for _, mine := range []string{"[mcp_servers.acta]\ncommand = \"/opt/acta\"\n", "[ mcp_servers . \"acta\" ]\ncommand = \"x\"\n"} {
		if got, err := (codex{}).servers().Add([]byte(mine)); err != nil || string(got) != mine {
			t.Errorf("%q, %v", got, err)
		}
	}
	if _, err := (codex{}).servers().Add([]byte("mcp_servers = {x = {command = \"y\"}}\n")); err == nil || !strings.Contains(err.Error(), "add acta by hand") {
		t.Errorf("got %v", err)
	}
	mine := `{"mcpServers": {"acta": {"command": "/opt/acta", "args": ["mcp"]}}}`
	if got, err := (claude{}).servers().Add([]byte(mine)); err != nil || string(got) != mine {
		t.Errorf("%q, %v", got, err)
	}
}

// Beside another's hook in one group ours alone goes.
func TestAHookBesideOursStays(t *testing.T) {
	got, err := (claude{}).hooks(false).Remove([]byte(`{"hooks": {"Stop": [{"matcher": "x", "hooks": [{"command": "acta agent hook --host claude --verbose-log"}, {"command": "say done"}]}], "SessionEnd": [{"hooks": [{"command": "acta agent hook --host claude"}]}]}}`))
	if want := `{"hooks": {"Stop": [{"matcher": "x", "hooks": [{"command": "say done"}]}]}}`; err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}
