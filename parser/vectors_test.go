package parser

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what the parser reads into testdata")

// vector is one message of testdata and how it is read.
type vector struct {
	name    string
	message []byte
	want    string
}

// vectors reads testdata/*.txtar: pairs of files NAME.msg and NAME.want. The name
// may say what is done to the message: «.crlf» ends its lines so, «.esc» reads
// each line as the inside of a quoted Go string, «.cut» takes the final newline away.
func vectors(t testing.TB) []vector {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors in testdata (%v)", err)
	}
	var out []vector
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for i, f := range a.Files {
			name, ok := strings.CutSuffix(f.Name, ".msg")
			if !ok {
				continue
			}
			found++
			v := vector{name: strings.TrimSuffix(filepath.Base(file), ".txtar") + "/" + name, message: transform(t, name, f.Data)}
			if i+1 < len(a.Files) && a.Files[i+1].Name == name+".want" {
				v.want = string(a.Files[i+1].Data)
			}
			out = append(out, v)
		}
		if found == 0 {
			t.Fatalf("%s holds no vector", file)
		}
	}
	return out
}

func transform(t testing.TB, name string, data []byte) []byte {
	s := string(data)
	if strings.Contains(name, ".esc") {
		u, err := strconv.Unquote(`"` + strings.ReplaceAll(strings.ReplaceAll(s, `"`, `\"`), "\n", `\n`) + `"`)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s = u
	}
	if strings.Contains(name, ".crlf") {
		s = strings.ReplaceAll(s, "\n", "\r\n")
	}
	if strings.Contains(name, ".cut") {
		s = strings.TrimSuffix(s, "\n")
	}
	return []byte(s)
}

func TestVectors(t *testing.T) {
	if *update {
		updateVectors(t)
	}
	for _, v := range vectors(t) {
		t.Run(v.name, func(t *testing.T) {
			if got := dump(checkMessage(t, v.message)); got != v.want {
				t.Errorf("message\n%s\ngot\n%s\nwant\n%s", v.message, got, v.want)
			}
		})
	}
}

// TestVectorTrailersAreWhatGitReads puts the real messages through git as well.
func TestVectorTrailersAreWhatGitReads(t *testing.T) {
	all := vectors(t)
	var messages [][]byte
	for _, v := range all {
		messages = append(messages, v.message)
	}
	for i, want := range storedTrailers(t, messages) {
		if got := printTrailers(Parse(messages[i]).Trailers); got != want {
			t.Errorf("%s\ngot  %q\ngit  %q", all[i].name, got, want)
		}
	}
}

func updateVectors(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var out []txtar.File
		for _, f := range a.Files {
			if strings.HasSuffix(f.Name, ".want") {
				continue
			}
			out = append(out, f)
			if name, ok := strings.CutSuffix(f.Name, ".msg"); ok {
				out = append(out, txtar.File{Name: name + ".want", Data: []byte(dump(Parse(transform(t, name, f.Data))))})
			}
		}
		a.Files = out
		if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// dump prints what was read, a line each. A place that is malformed is followed
// by its error and hint.
func dump(m *Message) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("subject %q", m.Subject.Value)
	for _, d := range m.Invalid {
		line("invalid %d:%d+%d %s", d.Span.Start.Line, d.Span.Start.Column, d.Span.End.Offset-d.Span.Start.Offset, d.Message)
	}
	if m.IsAutosquash {
		line("autosquash")
	}
	if m.IsSquash {
		line("joined")
	}
	for _, x := range m.Reverts {
		line("reverts %s", x.Value)
	}
	for _, x := range m.CherryPickedFrom {
		line("cherry-picked %s", x.Value)
	}
	for _, tr := range m.Trailers {
		line("trailer %q %q", tr.Key.Value, tr.Value.Value)
	}
	for i := range m.Parts {
		dumpPart(m.Parts[i], line)
	}
	return b.String()
}

func dumpPart(p *Part, line func(string, ...any)) {
	line("part %s %q %q", map[Kind]string{None: "none"}[p.Kind]+string(p.Kind), p.Unit.Value, p.Summary.Value)
	if c := p.Conflict; c != nil {
		line("  conflict %q %q", c.First.Value, c.Second.Value)
	}
	for _, c := range p.Claims {
		rest := ""
		if !c.HasBar {
			rest = " without bar"
		}
		line("  %d %s %q from %s%s", c.Item.Span.Start.Line, c.Status, c.Item.Value, c.Source, rest)
		if c.Reason.Value != "" {
			line("    reason %q", c.Reason.Value)
		}
		for _, e := range c.Evidence {
			if e.Err == "" {
				line("    %d:%d %s", e.Text.Span.Start.Line, e.Text.Span.Start.Column, strings.ToValidUTF8(e.String(), "\ufffd"))
			} else {
				line("    %d:%d %q %s (hint %q)", e.Text.Span.Start.Line, e.Text.Span.Start.Column, e.Text.Value, e.Err, e.Hint)
			}
		}
	}
	for _, x := range []struct {
		name  string
		value Text
	}{{"outcome", p.Outcome}, {"actor", p.Actor}, {"session", p.Session}, {"reason", p.Reason}, {"tier", p.Tier}} {
		if x.value.Value != "" {
			line("  %s %q", x.name, x.value.Value)
		}
	}
	for _, x := range p.Files {
		line("  report %q", x.Value)
	}
	for _, x := range p.Runs {
		line("  ran %q exit %d %s%s", x.Command.Value, x.Exit, x.Counts, x.Err)
	}
	for _, x := range p.Waivers {
		line("  waive %q at %q for %q %s", x.Rule.Value, x.Place.Value, x.Reason.Value, x.Err)
	}
	for _, x := range p.Weakenings {
		line("  weakened %q for %q %s", x.Subject.Value, x.Reason.Value, x.Err)
	}
	for _, x := range p.Observations {
		line("  observation %q %q", x.Perspective.Value, x.Fact.Value)
	}
	for _, x := range p.Reopen {
		line("  reopen %q", x.Value)
	}
	for _, x := range p.Replan {
		line("  replan %q %q", x.First.Value, x.Second.Value)
	}
	for _, x := range p.Reassess {
		line("  reassess %q %q", x.First.Value, x.Second.Value)
	}
	for _, u := range p.UnreadLines {
		line("  unread %d %s %q in the way %q", u.Line.Span.Start.Line, u.Reason, u.Line.Value, u.Obstacle.Value)
	}
}
