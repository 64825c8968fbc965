package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestFindingsAreOrderedByPlaceThenByWhatTheySay(t *testing.T) {
	base := Finding{Rule: "m", Severity: Warning, Path: "m", Line: 5, Column: 5, EndLine: 5, Unit: "m", Item: "m", Message: "m", Hint: "m"}
	for what, earlier := range map[string]func(*Finding){
		"path": func(f *Finding) { f.Path, f.Line = "a", 9 }, "line": func(f *Finding) { f.Line, f.Column = 4, 9 },
		"column": func(f *Finding) { f.Column, f.Rule = 4, "z" }, "rule": func(f *Finding) { f.Rule, f.Message = "a", "z" },
		"message": func(f *Finding) { f.Message, f.Unit = "a", "z" }, "unit": func(f *Finding) { f.Unit, f.Item = "a", "z" },
		"item": func(f *Finding) { f.Item, f.EndLine = "a", 9 }, "end": func(f *Finding) { f.EndLine, f.Hint = 4, "z" },
		"hint": func(f *Finding) { f.Hint, f.Severity = "a", Error }, "severity": func(f *Finding) { f.Severity = Note },
	} {
		f := base
		earlier(&f)
		if f.Compare(base) >= 0 || base.Compare(f) <= 0 {
			t.Errorf("by its %s %+v does not come before %+v", what, f, base)
		}
	}
	other := base
	other.Commit = "another"
	if base.Compare(other) != 0 {
		t.Error("a range keeps its own order of commits")
	}
	if got := Normalize([]Finding{base, other}); len(got) != 2 {
		t.Errorf("the same finding of two commits is told once: %+v", got)
	}
}

func TestSeveritiesAndVerdictsReadBack(t *testing.T) {
	for s := Note; s <= Error; s++ {
		var back Severity
		text, err := s.MarshalText()
		if err != nil || back.UnmarshalText(text) != nil || back != s || string(text) != s.String() {
			t.Errorf("%v is written %q and read %v, %v", s, text, back, err)
		}
	}
	for v := Verified; v <= NotVerified; v++ {
		var back Verdict
		text, err := v.MarshalText()
		if err != nil || back.UnmarshalText(text) != nil || back != v || string(text) != v.String() {
			t.Errorf("%v is written %q and read %v, %v", v, text, back, err)
		}
	}
	for _, bad := range []string{"", "fatal", "Error", "Severity(0)", "Verdict(0)"} {
		if s, v := Severity(0), Verdict(0); s.UnmarshalText([]byte(bad)) == nil || v.UnmarshalText([]byte(bad)) == nil {
			t.Errorf("%q is read as %v and %v", bad, s, v)
		}
	}
	for _, zero := range []fmt.Stringer{Severity(0), Severity(9), Verdict(0), Verdict(9)} {
		if got := zero.String(); !strings.Contains(got, "(") {
			t.Errorf("what is none has the name %q", got)
		}
	}
	if Note >= Warning || Warning >= Error || Verified >= Skipped || Skipped >= Unclear || Unclear >= NotVerified {
		t.Error("the worst is the greatest")
	}
}

func TestAReportCountsWhatItIsTold(t *testing.T) {
	var r Report
	r.Add(
		[]Finding{{Rule: "b", Severity: Error, Path: "b"}, {Rule: "a", Severity: Warning, Path: "a"}, {Rule: "a", Severity: Warning, Path: "a"}},
		[]ClaimVerdict{{Verdict: Verified}, {Verdict: NotVerified}, {Verdict: Verified}, {Verdict: Unclear}, {Verdict: Skipped}},
	)
	r.Add([]Finding{{Rule: "a", Severity: Error, Path: "a"}}, nil)
	if want := (Counts{Verified: 2, NotVerified: 1, Unclear: 1, Skipped: 1}); r.Claims != want || len(r.Verdicts) != 5 {
		t.Errorf("%+v", r.Claims)
	}
	var order []string
	for _, f := range r.Findings {
		order = append(order, f.Path+" "+f.Severity.String())
	}
	if want := []string{"a warning", "b error", "a error"}; !slices.Equal(order, want) { // each commit's are sorted, and stay together
		t.Errorf("%q, want %q", order, want)
	}
	if r.Count(Error) != 2 || r.Count(Warning) != 1 || r.Count(Note) != 0 {
		t.Errorf("%d errors, %d warnings, %d notes", r.Count(Error), r.Count(Warning), r.Count(Note))
	}
}

func TestPlacesAreAsPreciseAsWhatIsKnown(t *testing.T) {
	for want, f := range map[string]Finding{
		"a.py": {Path: "a.py"}, "a.py:3:1": {Path: "a.py", Line: 3}, "a.py:3:7": {Path: "a.py", Line: 3, Column: 7},
		"commit message": {}, "commit message:2:5": {Line: 2, Column: 5}, `a\nb.py:1:1`: {Path: "a\nb.py", Line: 1},
	} {
		if got := f.place(); got != want {
			t.Errorf("%+v is at %q, want %q", f, got, want)
		}
	}
}

func TestWhatFindingsShareIsSaidOnce(t *testing.T) {
	finding := func(line int, hint, rule string) Finding {
		return Finding{Rule: rule, Severity: Error, Path: "a", Line: line, Message: "m", Hint: hint}
	}
	for name, c := range map[string]struct {
		findings []Finding
		hints    int
	}{
		"one hint":                  {[]Finding{finding(1, "h", "r"), finding(2, "h", "r"), finding(3, "h", "r")}, 1},
		"one hint of two rules":     {[]Finding{finding(1, "h", "r"), finding(2, "h", "s")}, 2},
		"another one between":       {[]Finding{finding(1, "h", "r"), finding(2, "i", "r"), finding(3, "h", "r")}, 3},
		"a finding without a hint":  {[]Finding{finding(1, "h", "r"), finding(2, "", "r"), finding(3, "h", "r")}, 2},
		"nothing that can be shown": {[]Finding{finding(1, "", "r")}, 0},
	} {
		if got := strings.Count(findingsText(c.findings), "\n    "); got != c.hints {
			t.Errorf("%s: %d hints in\n%s", name, got, findingsText(c.findings))
		}
	}
}

func TestASummaryNamesWhatThereIs(t *testing.T) {
	for want, r := range map[string]Report{
		"0 commits, 0 ACT, 0 ADAPT; no claims; 0 errors, 0 warnings": {},
		"2 commits, 1 ACT, 1 ADAPT; 1 verified, 2 not verified, 3 unclear, 4 skipped; 0 errors, 1 warning": {
			Commits: 2, Acts: 1, Adapts: 1, Claims: Counts{1, 2, 3, 4}, Findings: []Finding{{Severity: Warning}, {Severity: Note}},
		},
	} {
		if got := r.Summary(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestMarkdownSaysHowItWent(t *testing.T) {
	for want, r := range map[string]Report{
		"### Acta: clean\n":            {Findings: []Finding{{Severity: Warning, Rule: "r"}}},
		"### Acta: 1 error\n":          {Findings: []Finding{{Severity: Error, Rule: "r"}}},
		"### Acta: could not decide\n": {Findings: []Finding{{Severity: Error, Rule: "r"}}, Undecided: []string{"history is cut"}},
	} {
		var b strings.Builder
		if err := WriteMarkdown(&b, &r); err != nil || !strings.HasPrefix(b.String(), want) {
			t.Errorf("%v:\n%s", err, b.String())
		}
		if strings.Contains(b.String(), "history is cut") != (len(r.Undecided) > 0) {
			t.Errorf("what could not be decided:\n%s", b.String())
		}
	}
}

func TestMarkdownShowsAProof(t *testing.T) {
	proof := Proof{Command: "pytest", Tried: 3, Noticed: 1, Functions: []FunctionProof{
		{Item: "Add f", Path: "a.py", Line: 1, Symbol: "f", Answer: Noticed, Reason: "test_f", IsFlaky: true},
		{Item: "Add g", Path: "a.py", Line: 5, Symbol: "g", Answer: Unnoticed, Returned: "None"},
		{Item: "Add h", Path: "a.py", Line: 9, Symbol: "h", Answer: NotReached},
	}}
	r := proof.Report()
	var b strings.Builder
	if err := WriteMarkdown(&b, &r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"### Acta: 1 of 3 proved\n", "<code>a.py&#58;1 f</code> | noticed (flaky) | test&#95;f |",
		"Nothing fails when &#96;g&#96; returns None.", "<code>a.py&#58;9 h</code> | not reached |", "No test reaches &#96;h&#96;."} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestMarkdownShowsTheWorstFirst(t *testing.T) {
	var r Report
	for _, s := range []Severity{Note, Error, Warning, Error} {
		r.Findings = append(r.Findings, Finding{Severity: s, Rule: "r", Path: "a.py", Line: len(r.Findings) + 1, Message: "m"})
	}
	var b strings.Builder
	if err := WriteMarkdown(&b, &r); err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.Lines(b.String()) {
		if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| ") && strings.Contains(line, "a.py") {
			rows = append(rows, strings.TrimPrefix(cells[0], "| "))
		}
	}
	if want := []string{"error", "error", "warning", "note"}; !slices.Equal(rows, want) {
		t.Errorf("%q in\n%s", rows, b.String())
	}
}

func TestMarkdownTextIsNoMarkup(t *testing.T) {
	for in, want := range map[string]string{
		"plain words, 漢字": "plain words, 漢字", "@ada": "&#64;ada", "[x](y)": "&#91;x&#93;&#40;y&#41;", "a|b": "a&#124;b",
		"<b>": "&#60;b&#62;", "#12 !3": "&#35;12 &#33;3", "a\nb": `a&#92;nb`, "https://x": "https&#58;//x",
	} {
		if got := MarkdownText(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
	if got := code("`a`"); got != "<code>&#96;a&#96;</code>" {
		t.Errorf("%q", got)
	}
}

func TestOneLineIsOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a\tb": "a b", "a\nb": `a\nb`, "a\rb": `a\rb`, "\xff": `\xff`, "\u202e": `\u202e`, "ü👍": "ü👍", "�": "�",
	} {
		if got := OneLine(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestATerminalRemembersWhatWentWrong(t *testing.T) {
	broken := errors.New("no room")
	w := NewTerminal(&failing{after: 1, err: broken}, false)
	w.Printf("%s\n", "one")
	if w.Err() != nil || w.Lines() != 1 {
		t.Errorf("%v after %d lines", w.Err(), w.Lines())
	}
	w.Printf("%s\n", "two")
	w.Printf("%s\n", "three")
	if !errors.Is(w.Err(), broken) {
		t.Errorf("the first error is %v", w.Err())
	}
	var b strings.Builder
	if w := NewTerminal(&b, true); w.Raw() != &b {
		t.Error("the writer below is another")
	}
}

// failing is a writer that fails after a number of writes.
type failing struct {
	after int
	err   error
}

func (f *failing) Write(p []byte) (int, error) {
	if f.after--; f.after < 0 {
		return 0, f.err
	}
	return len(p), nil
}

func TestSpansAreStretchesOfOneText(t *testing.T) {
	src := []byte("one\ntwo\nthree")
	l := NewLines(src)
	for _, c := range []struct {
		start, end int
		want       string
		from, to   [2]int // line and column
	}{
		{0, 3, "one", [2]int{1, 1}, [2]int{1, 4}}, {4, 8, "two\n", [2]int{2, 1}, [2]int{3, 1}}, {8, 13, "three", [2]int{3, 1}, [2]int{3, 6}},
		{5, 5, "", [2]int{2, 2}, [2]int{2, 2}}, {0, 99, "one\ntwo\nthree", [2]int{1, 1}, [2]int{3, 6}},
	} {
		s := spanOf(l, c.start, c.end)
		if string(s.Of(src)) != c.want || [2]int{s.Start.Line, s.Start.Column} != c.from || [2]int{s.End.Line, s.End.Column} != c.to {
			t.Errorf("[%d, %d) is %+v and holds %q", c.start, c.end, s, s.Of(src))
		}
	}
	if !(Span{}).IsZero() || spanOf(l, 0, 1).IsZero() {
		t.Error("the zero span is no place, and alone is none")
	}
	for _, s := range []Span{{Start: Pos{Offset: -1}}, {Start: Pos{Offset: 2}, End: Pos{Offset: 1}}, {End: Pos{Offset: 14}}} {
		if s.Of(src) != nil {
			t.Errorf("%+v holds %q", s, s.Of(src))
		}
	}
}

func TestARowOfMarkdownSaysWhereAndWhat(t *testing.T) {
	f := Finding{Rule: "r_one", Severity: Error, Path: "a.py", Line: 3, Column: 2, Message: "bad | worse", Hint: "mend it",
		Unit: "T01", Item: "add f", Commit: strings.Repeat("a", 40)}
	want := "| error | <code>a.py&#58;3&#58;2</code><br>commit aaaaaaaaaaaa | bad &#124; worse<br>mend it<br><sub>T01, «add f»</sub> | " +
		"<code>r&#95;one</code> |\n"
	if got := f.row(nil); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	f = Finding{Rule: "r", Severity: Note, Message: "m"}
	if got := f.row(nil); strings.Contains(got, "<br>") || !strings.Contains(got, "message of the commit") {
		t.Errorf("%s", got)
	}
}
