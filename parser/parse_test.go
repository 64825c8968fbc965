package parser

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/acta-git/acta/report"
)

// checkMessage holds what must be true of every message, whatever its bytes.
func checkMessage(t *testing.T, data []byte) *Message {
	t.Helper()
	m := Parse(data)
	data = data[:min(len(data), MaxMessage)]
	if m.String() != string(data) {
		t.Fatalf("%.200q prints back as %.200q", data, m.String())
	}
	for _, tr := range m.Trailers {
		checkText(t, data, tr.Key, gitUnfold)
		checkText(t, data, tr.Value, gitUnfold)
	}
	for _, x := range messageTexts(m) {
		checkText(t, data, x, unfold)
	}
	for _, d := range m.Invalid {
		if d.Message == "" || d.Span.Of(data) == nil {
			t.Fatalf("%q: defect %+v", data, d)
		}
	}
	if len(m.Parts) == 0 || len(m.Parts) > 1 && !m.IsSquash {
		t.Fatalf("%q: %d parts, joined %v", data, len(m.Parts), m.IsSquash)
	}
	for i := range m.Parts {
		checkPart(t, data, m.Parts[i])
	}
	return m
}

func checkPart(t *testing.T, data []byte, p *Part) {
	t.Helper()
	if p.Kind == None && (p.Unit.Value != "" || len(p.Claims) > 0 || p.Conflict != nil) {
		t.Fatalf("%q: a part of no kind says %+v", data, p)
	}
	noTitle := p.Kind == None && len(p.UnreadLines) == 1 && p.UnreadLines[0].Reason == UnreadNoTitle
	if p.Kind != Act && len(p.UnreadLines) > 0 && !noTitle {
		t.Fatalf("%q: unread lines in a part of kind %q", data, p.Kind)
	}
	if p.Kind != None && p.Unit.Value == "" && p.Conflict == nil {
		t.Fatalf("%q: %s names no task and that is no conflict", data, p.Kind)
	}
	for _, c := range p.Claims {
		if !c.LacksBar {
			checkEvidence(t, data, c.EvidenceText, c.Evidence)
		}
	}
	for _, u := range p.UnreadLines {
		if u.Reason == "" || u.Line.Value == "" || u.Obstacle.Value == "" {
			t.Fatalf("%q: unread %+v", data, u)
		}
	}
}

// checkEvidence holds that the places are those of the list, in order.
func checkEvidence(t *testing.T, data []byte, cited Text, places []Evidence) {
	t.Helper()
	if cited.Value == "" {
		if len(places) > 0 {
			t.Fatalf("%q: %d places without a list", data, len(places))
		}
		return
	}
	var read []string
	for _, e := range places {
		read = append(read, e.Text.Value)
		if e.Err == "" && (e.Path == "" || e.Start > e.End || e.Hint != "" || e.Start < 0) {
			t.Fatalf("%q: well formed, and yet %+v", data, e)
		}
		if e.Err == "" {
			if again := ParseEvidence(e.String(), report.Pos{}); len(again) != 1 || again[0].Err != "" || again[0].String() != e.String() || again[0].Path != e.Path || again[0].IsRemoved != e.IsRemoved {
				t.Fatalf("%q: %q reads as %+v when it is printed as %q", data, e.Text.Value, again, e.String())
			}
		}
		if e.Hint != "" {
			for _, again := range ParseEvidence(e.Hint, report.Pos{}) {
				if again.Err != "" {
					t.Fatalf("%q: the hint %q of %q is malformed: %s", data, e.Hint, e.Text.Value, again.Err)
				}
			}
		}
	}
	rest := cited.Value
	for _, text := range read {
		between, after, ok := strings.Cut(rest, text)
		if parted := strings.NewReplacer("and", "", "&", "", "+", "", ";", "", ",", "").Replace(between); !ok || strings.Trim(parted, white) != "" {
			t.Fatalf("%q: the list %q is read as %q", data, cited.Value, read)
		}
		rest = after
	}
}

// checkText holds that the span, unfolded, gives the value.
func checkText(t *testing.T, data []byte, x Text, unfold func(string) string) {
	t.Helper()
	if x.Value == "" && x.Span.Start == x.Span.End {
		return
	}
	raw := x.Span.Of(data)
	if raw == nil || x.Span.Start.Line < 1 || x.Span.Start.Column < 1 {
		t.Fatalf("%q: %q has the span %+v", data, x.Value, x.Span)
	}
	if got := unfold(string(raw)); got != x.Value {
		t.Fatalf("%q: %q at %v unfolds to %q", data, x.Value, x.Span, got)
	}
	before := data[:x.Span.Start.Offset]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	if x.Span.Start.Line != line || x.Span.Start.Column != column {
		t.Fatalf("%q: %q stands at %d:%d, not at %+v", data, x.Value, line, column, x.Span.Start)
	}
}

// unfold is the rule of doc.go for values: an independent reading of it.
func unfold(raw string) string {
	var words []string
	for i, line := range strings.Split(raw, "\n") {
		if i > 0 && strings.HasPrefix(line, "#") {
			continue
		}
		if line = strings.Trim(line, " \t\r\n"); line != "" {
			words = append(words, line)
		}
	}
	return strings.Join(words, " ")
}

// gitUnfold is the rule of doc.go for trailers.
func gitUnfold(raw string) string {
	raw = strings.Trim(raw, " \t\r\n")
	for {
		i := strings.IndexByte(raw, '\n')
		if i < 0 {
			return raw
		}
		raw = raw[:i] + " " + strings.TrimLeft(raw[i:], " \t\r\n")
	}
}

// messageTexts is every Text of a message but its trailers, found by reflection so that a new field is not forgotten.
func messageTexts(m *Message) []Text {
	var out []Text
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			if x, ok := v.Interface().(Text); ok {
				out = append(out, x)
				return
			}
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i))
				}
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		}
	}
	for _, v := range []any{m.Subject, m.Parts, m.Reverts, m.CherryPickedFrom} {
		walk(reflect.ValueOf(v))
	}
	return out
}

func TestEveryMessageOfTheCorpusPrintsBackAndHasItsSpans(t *testing.T) {
	checked := 0
	for _, data := range corpus(8_000) {
		checkMessage(t, data)
		checked++
	}
	if checked < 8_000 {
		t.Errorf("checked %d messages only", checked)
	}
}

func FuzzParse(f *testing.F) {
	for _, data := range corpus(300) {
		f.Add(data)
	}
	for _, v := range vectors(f) {
		f.Add(v.message)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := checkMessage(t, data)
		if !reflect.DeepEqual(m, Parse(data)) {
			t.Fatalf("%q: two readings differ", data)
		}
	})
}

func TestMessageLimitIsInclusive(t *testing.T) {
	head, tail := "ACT: T1 x\n\n", "\n\nDone: a | b.py:1\n"
	message := func(size int) []byte {
		return []byte(head + strings.Repeat("x", size-len(head)-len(tail)) + tail)
	}
	m := checkMessage(t, message(MaxMessage))
	if len(m.Invalid) != 0 || len(m.Parts[0].Claims) != 1 || len(m.Trailers) != 1 {
		t.Errorf("%d bytes: invalid %v, %d claims", MaxMessage, m.Invalid, len(m.Parts[0].Claims))
	}
	m = checkMessage(t, message(MaxMessage+len(tail)))
	if len(m.Invalid) != 1 || m.Invalid[0].Span.Start.Offset != MaxMessage || m.Parts[0].Kind != Act || len(m.Parts[0].Claims) != 0 {
		t.Errorf("a longer message: invalid %v, part %+v", m.Invalid, m.Parts[0])
	}
	// A rune cut in two by the limit is no defect of the message.
	long := append(bytes.Repeat([]byte("x"), MaxMessage-1), "é"...)
	if m = checkMessage(t, long); len(m.Invalid) != 1 || !utf8.Valid(long) {
		t.Errorf("a rune at the limit: invalid %v", m.Invalid)
	}
}

func TestCountsAreLimitedAndSaySo(t *testing.T) {
	claims := func(n int) *Message {
		return checkMessage(t, []byte("ACT: T1\n\n"+strings.Repeat("Done: a | b.py:1\n", n)))
	}
	if m := claims(maxClaims); len(m.Parts[0].Claims) != maxClaims || len(m.Invalid) != 0 {
		t.Errorf("%d claims: %d read, invalid %v", maxClaims, len(m.Parts[0].Claims), m.Invalid)
	}
	if m := claims(maxClaims + 5); len(m.Parts[0].Claims) != maxClaims || len(m.Invalid) != 1 {
		t.Errorf("%d claims: %d read, invalid %v", maxClaims+5, len(m.Parts[0].Claims), m.Invalid)
	}
	parts := func(n int) *Message {
		return checkMessage(t, []byte("squash\n\n"+strings.Repeat("* ACT: T1\n\nDone: a | b.py:1\n\n", n)))
	}
	if m := parts(maxParts); len(m.Parts) != maxParts || len(m.Invalid) != 0 {
		t.Errorf("%d titles: %d read, invalid %v", maxParts, len(m.Parts), m.Invalid)
	}
	if m := parts(maxParts + 1); len(m.Parts) != maxParts || len(m.Invalid) != 1 {
		t.Errorf("%d titles: %d read, invalid %v", maxParts+1, len(m.Parts), m.Invalid)
	}
	places := func(n int) []Evidence {
		m := checkMessage(t, []byte("ACT: T1\n\nDone: a | "+strings.TrimSuffix(strings.Repeat("b.py:1, ", n), ", ")+"\n"))
		return m.Parts[0].Claims[0].Evidence
	}
	if e := places(maxEvidence); len(e) != maxEvidence || e[maxEvidence-1].Err != "" {
		t.Errorf("%d places: %d read", maxEvidence, len(e))
	}
	if e := places(maxEvidence + 2); len(e) != maxEvidence+1 || e[maxEvidence].Err == "" {
		t.Errorf("%d places: %d read, the last %+v", maxEvidence+2, len(e), e[len(e)-1])
	}
}

// hostile are messages of MaxMessage bytes made to take time.
func hostile() map[string][]byte {
	repeat := func(head, s string) []byte {
		return []byte((head + strings.Repeat(s, MaxMessage/len(s)+1))[:MaxMessage])
	}
	const act = "ACT: T1\n\n"
	return map[string][]byte{
		"spaces": repeat("", " "), "lines": repeat("", "\n"), "blanks": repeat(act, " \n"), "one line": repeat(act, "x"),
		"claims": repeat(act, "Done: a |\n"), "long claim": repeat(act+"Done: a", "\nb | c"), "bullets": repeat(act, "- \n"),
		"tasks": repeat(act, "- [x] a | b:1\n"), "titles in one paragraph": repeat("x\n\n", "* ACT: T1\n"), "words": repeat("x\n\nOutcome: y\n", "Act: a b\n"),
		"places on lines": repeat(act+"Done: a |\n", "b:1\n"), "text below evidence": repeat(act+"Done: a | b:1\n", "text\n"), "items with bars": repeat(act+"Done: a | b:1", "\nc | d:1"), "rows": repeat(act, "| a | b:1 |\n"),
		"titles": repeat("", "ACT: T1\n\n"), "bulleted titles": repeat("", "* ACT: T1\n\n"),
		"names": repeat("", "* x\n\nAct: T1\n\n"), "bars": repeat(act+"Done: ", "| "), "commas": repeat(act+"Done: a | ", ","),
		"bad places": repeat(act, "Done: a | x line 3,y#L3\n"), "colons": repeat(act+"Done: a | ", ":1#"), "comments": repeat(act, "# Done: a | b\n"),
		"prose": repeat(act+"x\n", "Done: a\n"), "wraps": repeat(act+"x\n", "Done: a\nb\nc\nd\n"), "quotes": repeat(act, "> "), "log": repeat("Squashed commit of the following:\n\n", "commit abcdef\nAuthor: x\n\n    ACT: T1\n\n"),
		"bullet names": repeat("* ACT: T1\n\n", "* x\n\ny\n\n"), "conflicts": repeat(act, "Conflicts:\n\tx\n"), "trailers": repeat(act, "a:\n"), "folds": repeat(act+"A: 1\n", " \tx\n"),
		"scissors": repeat(act+"# "+cutLine, "Done: a | b\n"), "NUL": repeat(act+"\x00", "Done: a | b\n"), "invalid": repeat(act, "\xff"),
	}
}

func TestHostileMessagesAreRead(t *testing.T) {
	for name, data := range hostile() {
		if m := Parse(data); m.String() != string(data) {
			t.Errorf("%s does not print back", name)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	small := []byte("ACT: M01/S01/T02 password login\n\nLogin and logout work.\n\n" + strings.Repeat("Done: Add login method | src/auth.py:42-58#login\n", 10) + "Outcome: success\n")
	run := func(name string, data []byte) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				Parse(data)
			}
		})
	}
	run("report of ten items", small)
	for name, data := range hostile() {
		run(fmt.Sprintf("1 MiB of %s", name), data)
	}
}

func TestSubjectsThatAlmostAreTitles(t *testing.T) {
	const report = "\n\nDone: a | b.py:3\n"
	for _, subject := range []string{
		"Act: G1", "act: G1", "ACT(G1): x", "ACT G1: x", "[ACT] G1", "feat: ACT: G1", "feat(auth)!: act: G1", "(act) G1", "**ACT** G1", "Adapt: G1", "ACT - G1",
		"feat: greet (ACT: G1)", "greet ACT: G1", "Act : G1", "greet [act G1]", "\u0410\u0421\u0422: G1", "A\u200bC\u200dT G1", "A\u200bct: G1",
		"\uff21\uff23\uff34\uff1a G1", "\U0001d400\U0001d402\U0001d413: G1", "\x1b[0mACT: G1", "X\bACT: G1", "\u00c5CT: G1", "\u0391D\u0391P\u03a4: G1",
		"\u13aaCT: G1", "AC\u0301T: G1", "G1 x", "M01/S02/G1: x", "[G1] x",
	} {
		m := Parse([]byte(subject + report))
		if u := m.Parts[0].UnreadLines; m.Parts[0].Kind != None || len(u) != 1 || u[0].Reason != UnreadNoTitle || u[0].Line.Value != subject {
			t.Errorf("%q: %+v", subject, m.Parts)
		}
		if u := Parse([]byte(subject + "\n\nWhat was done.\n")).Parts[0].UnreadLines; u != nil {
			t.Errorf("%q without a report: %+v", subject, u)
		}
	}
	for _, subject := range []string{
		"act on feedback", "Act quickly", "Add actors: x", "fix: react to clicks", "Refactor: act as a proxy", "Revert \"ACT: G1\"", "fixup! act: G1", "Fix the contract",
		"\u0424\u0430\u043a\u0442: \u0432\u0445\u043e\u0434", "fix: what the (re)actor does", "compact: a list", "Names of an Act", "fix(re-act): x", "ABC-12 x", "G1-2 x", "G1", "Add G1 x", "Md5 x", "A/B tests", "\u30ed\u30b0\u30a4\u30f3: G1",
	} {
		if u := Parse([]byte(subject + report)).Parts[0].UnreadLines; u != nil {
			t.Errorf("%q: %+v", subject, u)
		}
	}
}
