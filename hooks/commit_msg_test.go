package hooks

import (
	"testing"

	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
)

// anchorsOf gives every cited place of a message the anchor that symbols names for it.
func anchorsOf(message string, symbols map[string]string) []rules.Anchor {
	var out []rules.Anchor
	for _, e := range citations([]byte(message)) {
		if s := symbols[e.Text.Value]; s != "" {
			out = append(out, rules.Anchor{Evidence: e, Symbol: s})
		}
	}
	return out
}

func TestAnchorsAreAppendedWhereTheEvidenceStands(t *testing.T) {
	symbols := map[string]string{"a.py:1-2": "f", "b.py:3": "C.g"}
	for name, c := range map[string]struct{ file, message, want string }{
		"plain": {
			file: "ACT: T\n\nDone: x | a.py:1-2, b.py:3\n",
			want: "ACT: T\n\nDone: x | a.py:1-2#f, b.py:3#C.g\n",
		},
		"some have none": {
			file: "ACT: T\n\nDone: x | c.py:9, b.py:3\n",
			want: "ACT: T\n\nDone: x | c.py:9, b.py:3#C.g\n",
		},
		"comments and spaces that git will clean": {
			file:    "# a comment\nACT: T\n\n\n\nDone: x | a.py:1-2   \n# another\n",
			message: "ACT: T\n\nDone: x | a.py:1-2\n",
			want:    "# a comment\nACT: T\n\n\n\nDone: x | a.py:1-2#f   \n# another\n",
		},
		"wrapped and folded": {
			file: "ACT: T\n\nDone: x | a.py:1-2,\n b.py:3\n",
			want: "ACT: T\n\nDone: x | a.py:1-2#f,\n b.py:3#C.g\n",
		},
		"CRLF": {
			file: "ACT: T\r\n\r\nDone: x | a.py:1-2\r\n",
			want: "ACT: T\r\n\r\nDone: x | a.py:1-2#f\r\n",
		},
		"task list": {
			file: "ACT: T\n\n- [x] x | a.py:1-2\n",
			want: "ACT: T\n\n- [x] x | a.py:1-2#f\n",
		},
		"backticks": {
			file: "ACT: T\n\nDone: x | `a.py:1-2`\n",
			want: "", // or anchored; see below
		},
		"a message that is another": {
			file:    "ACT: T\n\nDone: x | a.py:1-2\nDone: y | z.py:1\n",
			message: "ACT: T\n\nDone: x | a.py:1-2\n",
			want:    "",
		},
	} {
		if c.message == "" {
			c.message = c.file
		}
		got := string(appendAnchors([]byte(c.file), []byte(c.message), anchorsOf(c.message, symbols)))
		if name == "backticks" {
			// However it is placed, the message must go on citing the same lines.
			if again := citations([]byte(got)); got != "" && (len(again) != 1 || again[0].Path != "a.py" || again[0].Symbol != "f") {
				t.Errorf("%s: %q cites %+v", name, got, again)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, c.want)
		}
	}
}

// Whatever a message is, anchoring never changes what it claims.
func FuzzAnchorsNeverChangeTheClaims(f *testing.F) {
	f.Add("ACT: T\n\nDone: x | a.py:1-2, b.py:3\n")
	f.Add("ACT: T\n\n- [x] x | a.py:1-2\n\nDone: y | b.py:3,\n  a.py:1\n\nCo-Authored-By: x\n")
	f.Add("feat: x\n\nAct: T\nDone: x | a.py:1-2\r\n")
	f.Fuzz(func(t *testing.T, message string) {
		var anchors []rules.Anchor
		for _, e := range citations([]byte(message)) {
			if e.Symbol == "" && e.Start > 0 {
				anchors = append(anchors, rules.Anchor{Evidence: e, Symbol: "S.f"})
			}
		}
		out := appendAnchors([]byte(message), []byte(message), anchors)
		if out == nil {
			return
		}
		before, after := parser.Parse([]byte(message)), parser.Parse(out)
		for i, p := range before.Parts {
			if q := after.Parts[i]; p.Kind != q.Kind || p.Unit.Value != q.Unit.Value || len(p.Claims) != len(q.Claims) || len(p.UnreadLines) != len(q.UnreadLines) {
				t.Errorf("%q became %q", message, out)
			}
		}
	})
}

func TestGitBooleans(t *testing.T) {
	for value, want := range map[string]bool{"false": true, "No": true, "off": true, "0": true, "": false, "true": false, "yes": false} {
		if isFalse(value) != want {
			t.Errorf("%q is false: %v", value, !want)
		}
	}
}
