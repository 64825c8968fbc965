package worklog

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// Whatever a text holds, every reader of YAML reads it back: checked with the library that reads sessions.
func TestTextsReadBackFromYAML(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	runes := []rune("ab Z09_-.,:;#'\"\\/()[]{}&*!|>%@`?=+~<\t\n\r\x00\x1b\x7f\u0085\u2028\ufeff\ufffeé日😀nulltruey")
	texts := append([]string{"false", "Null", "YES", "Off", "y", "20260126_143315-0001", "20260126_143315-1234", "1e5", "0x1f", "_1", ".inf", "a  b", "go test ./... -run TestX -count=1"}, awkward...)
	for range 3000 {
		text := make([]rune, r.IntN(8))
		for i := range text {
			text[i] = runes[r.IntN(len(runes))]
		}
		texts = append(texts, string(text))
	}
	plain := 0
	for _, text := range texts {
		type item struct {
			Key  map[string]any `json:"key"`
			List []any          `json:"list"`
		}
		out, err := toYAML(item{map[string]any{"text": text}, []any{text, map[string]any{"in": []any{text}}, []any{}, map[string]any{}}})
		if err != nil {
			t.Fatal(err)
		}
		var back item
		if err := yaml.Unmarshal(out, &back); err != nil {
			t.Errorf("%q: %v\n%s", text, err, out)
			continue
		}
		in, _ := back.List[1].(map[string]any)
		inner, _ := in["in"].([]any)
		if back.Key["text"] != text || back.List[0] != text || len(inner) != 1 || inner[0] != text || len(back.List) != 4 {
			t.Errorf("%q reads as %#v from\n%s", text, back, out)
		}
		if !strings.Contains(string(out), `"`) {
			plain++
		}
	}
	if plain < 50 {
		t.Errorf("only %d of %d are plain", plain, len(texts))
	}
}
