package hooks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/parser"
)

func TestUpdatesThatBringCommits(t *testing.T) {
	zero, one, two := strings.Repeat("0", 40), strings.Repeat("1", 40), strings.Repeat("2", 40)
	in := strings.Join([]string{
		one + " " + two + " refs/heads/main",
		zero + " " + two + " refs/tags/v1",
		one + " " + zero + " refs/heads/gone",
		one + " " + one + " refs/heads/still",
		zero + " ref:refs/heads/main refs/heads/alias",
		zero + " " + two + " refs/worklog/s1",
		zero + " " + two + " refs/notes/commits",
		zero + " " + two + " refs/heads/refs/notes/odd",
	}, "\n")
	got, err := readUpdates(strings.NewReader(in), 3, 0)
	var refs []string
	for _, u := range got {
		refs = append(refs, u.ref)
	}
	if want := []string{"refs/heads/main", "refs/tags/v1", "refs/heads/refs/notes/odd"}; err != nil || !slices.Equal(refs, want) {
		t.Errorf("got %v (%v), want %v", refs, err, want)
	}
	for _, bad := range []string{"one two", "one two three four", " ", strings.Repeat("x", maxLine+1)} {
		if _, err := readUpdates(strings.NewReader(bad), 3, 0); err == nil {
			t.Errorf("%.20q is read", bad)
		}
	}
}

func TestContentEndsAboveWhatGitAdds(t *testing.T) {
	for _, c := range []struct{ content, rest, comment string }{
		{"subject\n", "", ""},
		{"subject", "", ""},
		{"", "", ""},
		{"", "\n# Please enter\n#\n", ""},
		{"subject\n", "\n# Please enter\n", ""},
		{"subject\n\n# not the last\n\nbody\n", "\n\n# Please enter\n\n", ""},
		{"subject\n", "\n# ------------------------ >8 ------------------------\n# Do not\ndiff --git\n+text\n", ""},
		{"subject\n# text here\n", "\n; Please enter\n", ";"},
		{"subject\n", "// Please enter\n//\n", "//"},
	} {
		if got := contentEnd([]byte(c.content+c.rest), c.comment); got != len(c.content) {
			t.Errorf("%q ends at %d, want %d", c.content+c.rest, got, len(c.content))
		}
	}
}

// Whatever a message is, adding who made it changes nothing that it says.
func FuzzAddedLinesChangeNoClaim(f *testing.F) {
	f.Add("ACT: T\n\nDone: x | a.py:1-2\n")
	f.Add("ACT: T\n\nDone: x | a.py:1,\n")
	f.Add("ADAPT: T\n\nProse that ends\n\nCo-Authored-By: x <x@y>\n")
	f.Add("fix\n\n- [x] x | a.py:1\n  more")
	f.Add("ACT: T\nDone: x | a.py:1\n\nActor: other\n\n(cherry picked from commit 1234)\n")
	f.Fuzz(func(t *testing.T, message string) {
		out := appendLines([]byte(message), []byte("Actor: a\nSession: s\n"))
		if out == nil {
			return
		}
		before, after := parser.Parse([]byte(message)), parser.Parse(out)
		p, q := before.Parts[0], after.Parts[0]
		if said(p) != said(q) || q.Actor.Value != "a" || q.Session.Value != "s" {
			t.Errorf("%q became %q", message, out)
		}
	})
}

// said is what a part claims, without who claims it.
func said(p *parser.Part) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %d", p.Kind, p.Unit.Value, len(p.UnreadLines))
	for _, c := range p.Claims {
		fmt.Fprintf(&b, "\n%s %q %q %q", c.Status, c.Item.Value, c.EvidenceText.Value, c.Reason.Value)
	}
	return b.String()
}

func TestShellWordsOfGitAreUnquoted(t *testing.T) {
	for word, want := range map[string]string{`'a person'`: "a person", `'O'\''Neill'`: "O'Neill", `'hey'\!''`: "hey!", `''`: "", `plain`: "plain"} {
		if got := unquote(word); got != want {
			t.Errorf("%s is %q, want %q", word, got, want)
		}
	}
}
