package parser

import (
	"reflect"
	"strings"
	"testing"

	"github.com/acta-git/acta/report"
)

func TestEvidenceThatIsWellFormed(t *testing.T) {
	for _, c := range []struct {
		text string
		want Evidence
	}{
		{"src/auth.py:42", Evidence{Path: "src/auth.py", Start: 42, End: 42}},
		{"src/auth.py:42-58", Evidence{Path: "src/auth.py", Start: 42, End: 58}},
		{"src/auth.py:42-42", Evidence{Path: "src/auth.py", Start: 42, End: 42}},
		{"src/auth.py:42-58#login", Evidence{Path: "src/auth.py", Start: 42, End: 58, Symbol: "login"}},
		{"src/auth.py:42#Class.method", Evidence{Path: "src/auth.py", Start: 42, End: 42, Symbol: "Class.method"}},
		{"src/auth.py:42#login()", Evidence{Path: "src/auth.py", Start: 42, End: 42, Symbol: "login"}},
		{"src/a.rs:3#Foo::bar", Evidence{Path: "src/a.rs", Start: 3, End: 3, Symbol: "Foo::bar"}},
		{"a.go:3#(*T).Method", Evidence{Path: "a.go", Start: 3, End: 3, Symbol: "(*T).Method"}},
		{"C#/Program.cs:3#Main", Evidence{Path: "C#/Program.cs", Start: 3, End: 3, Symbol: "Main"}},
		{"-src/legacy.py:10-40", Evidence{Path: "src/legacy.py", Start: 10, End: 40, IsRemoved: true}},
		{"-src/legacy.py", Evidence{Path: "src/legacy.py", IsRemoved: true}},
		{"logo.png", Evidence{Path: "logo.png"}},
		{"LICENSE", Evidence{Path: "LICENSE"}},
		{"Makefile:3", Evidence{Path: "Makefile", Start: 3, End: 3}},
		{"Dockerfile:10-12", Evidence{Path: "Dockerfile", Start: 10, End: 12}},
		{".github/workflows/ci.yml:3", Evidence{Path: ".github/workflows/ci.yml", Start: 3, End: 3}},
		{"my file.py:3", Evidence{Path: "my file.py", Start: 3, End: 3}},
		{"müll/日本 語.py:3-4", Evidence{Path: "müll/日本 語.py", Start: 3, End: 4}},
		{"around auth.py:42", Evidence{Path: "around auth.py", Start: 42, End: 42}},
		{"app/[id]/(group)/page.tsx:3", Evidence{Path: "app/[id]/(group)/page.tsx", Start: 3, End: 3}},
		{"(group)/page.tsx:3", Evidence{Path: "(group)/page.tsx", Start: 3, End: 3}},
		{"./src/auth.py:3", Evidence{Path: "src/auth.py", Start: 3, End: 3}},
		{"src//a/./auth.py:3", Evidence{Path: "src/a/auth.py", Start: 3, End: 3}},
		{"-./src/auth.py:3", Evidence{Path: "src/auth.py", Start: 3, End: 3, IsRemoved: true}},
		{"..hidden/a.py:3", Evidence{Path: "..hidden/a.py", Start: 3, End: 3}},
		{"a..b/c...py:3", Evidence{Path: "a..b/c...py", Start: 3, End: 3}},
		{"`src/auth.py:42`", Evidence{Path: "src/auth.py", Start: 42, End: 42}},
		{"`src/auth.py`:42-58", Evidence{Path: "src/auth.py", Start: 42, End: 58}},
		{`"src/auth.py:42"`, Evidence{Path: "src/auth.py", Start: 42, End: 42}},
		{`"-f.py":42`, Evidence{Path: "-f.py", Start: 42, End: 42}},
		{"(src/auth.py:42)", Evidence{Path: "src/auth.py", Start: 42, End: 42}},
		{"src/auth.py:42.", Evidence{Path: "src/auth.py", Start: 42, End: 42}},
		{"src/auth.py:42-58;", Evidence{Path: "src/auth.py", Start: 42, End: 58}},
		{"src/auth.py:007", Evidence{Path: "src/auth.py", Start: 7, End: 7}},
		{"src/auth.py :42", Evidence{Path: "src/auth.py", Start: 42, End: 42}},
		{"a:b.py:3", Evidence{Path: "a:b.py", Start: 3, End: 3}},
	} {
		got := ParseEvidence(c.text, report.Pos{})
		if len(got) != 1 {
			t.Errorf("%q: %d places", c.text, len(got))
			continue
		}
		if got[0].Text.Value != c.text {
			t.Errorf("%q is kept as %q", c.text, got[0].Text.Value)
		}
		got[0].Text = Text{}
		if got[0] != c.want {
			t.Errorf("%q\ngot  %+v\nwant %+v", c.text, got[0], c.want)
		}
	}
}

func TestEvidenceThatIsMalformedIsCorrectedWhereItCanBe(t *testing.T) {
	for _, c := range []struct{ text, err, hint string }{
		{`src\auth.py:42`, "backslashes", "src/auth.py:42"},
		{`src\a b\auth.py:42-58#login`, "backslashes", "src/a b/auth.py:42-58#login"},
		{`src\logo.png`, "backslashes", "src/logo.png"},
		{`-src\auth.py:42`, "backslashes", "-src/auth.py:42"},
		{"src/a.py:42:7", "a column", "src/a.py:42"},
		{"src/a.py:42:7-58:3", "a column", "src/a.py:42-58"},
		{"src/a.py:42:7:", "a column", "src/a.py:42"},
		{"src/a.py:42:def login():", "text after", "src/a.py:42"},
		{"src/a.py:9-3", "the range ends", "src/a.py:3-9"},
		{"src/a.py:9-3#x", "the range ends", "src/a.py:3-9#x"},
		{"-src/a.py:9-3", "the range ends", "-src/a.py:3-9"},
		{`src\a.py:L42`, "write lines", "src/a.py:42"},
		{"auth.py line 42", "prose", "auth.py:42"},
		{"auth.py at line 42", "prose", "auth.py:42"},
		{"auth.py: line 42", "prose", "auth.py:42"},
		{"auth.py (line 42)", "prose", "auth.py:42"},
		{"auth.py lines 42-58", "prose", "auth.py:42-58"},
		{"auth.py lines 42 to 58", "prose", "auth.py:42-58"},
		{"`auth.py` Line 42", "prose", "auth.py:42"},
		{"line 42 in auth.py", "prose", "auth.py:42"},
		{"lines 42-58 of src/my auth.py", "prose", "src/my auth.py:42-58"},
		{"Line 42 in file auth.py", "prose", "auth.py:42"},
		{"[auth.py:42](src/auth.py#L42)", "a Markdown link", "src/auth.py:42"},
		{"[the code](src/auth.py:42-58)", "a Markdown link", "src/auth.py:42-58"},
		{"src/a.py:42-58 login and logout", "text after", "src/a.py:42-58"},
		{"src/a.py:42-", "not finished", "src/a.py:42"},
		{"src/a.py:42#", "not finished", "src/a.py:42"},
		{"src/../a.py:3", "«..»", "a.py:3"},
		{"src/../a.png", "«..»", "a.png"},
		{"src/", "names a folder", ""},
		{"src/:3", "names a folder", ""},
		{"./42", "lines without a path", ""},
		{"../a.py:3", "leaves the repository", ""},
		{"src/../../a.py:3", "leaves the repository", ""},
		{`..\a.py:3`, "backslashes", ""},
		{"/home/me/a.py:3", "an absolute path", ""},
		{"/home/me/a.py", "an absolute path", ""},
		{"/home/me/a.py#L3", "an absolute path", ""},
		{"~/a.py:3", "an absolute path", ""},
		{`C:\a.py:3`, "an absolute path", ""},
		{"C:/a.py:3", "an absolute path", ""},
		{`\\host\a.py:3`, "an absolute path", ""},
		{"https://example.com/a.py:3", "a URL", ""},
		{"https://example.com/a.py#L3", "a URL", ""},
		{"src/a.py:0", "lines count from 1", ""},
		{"src/a.py:0-5", "lines count from 1", ""},
		{"src/a.py:99999999999999999999", "no file has a line", ""},
		{"src/a.py:2147483648", "no file has a line", ""},
		{"src/a.py:", "a line number must follow", ""},
		{"src/a.py:login", "a line number must follow", ""},
		{"src/a.py:-58", "a line number must follow", ""},
		{"src/a.py#login", "a symbol comes after a line", ""},
		{"L42", "lines without a path", ""},
		{"42-58", "lines without a path", ""},
		{"line 42", "lines without a path", ""},
		{":42", "lines without a path", ""},
		{"-", "no path", ""},
		{".", "the repository itself", ""},
		{"- src/a.py:3", "white space after", ""},
		{strings.Repeat("x", maxPlace) + ":3", "longer than any path", ""},
	} {
		got := ParseEvidence(c.text, report.Pos{})
		if len(got) != 1 || got[0].Err == "" || !strings.Contains(got[0].Err, c.err) || got[0].Hint != c.hint || got[0].Text.Value != c.text {
			t.Errorf("%.60q\ngot  %+v\nwant error %q, hint %q", c.text, got, c.err, c.hint)
		}
	}
}

func TestEvidenceThatCanMeanOneThingOnlyIsReadAndNoted(t *testing.T) {
	for list, want := range map[string]string{
		"src/a.py#L42-L58": "src/a.py:42-58", "src/a.py#L42": "src/a.py:42", "src/a.py#42": "src/a.py:42", "src/a.py#L42C3-L58C9": "src/a.py:42-58",
		"src/a.py:L42": "src/a.py:42", "src/a.py:L42-L58": "src/a.py:42-58", "src/a.py:42–58": "src/a.py:42-58", "src/a.py:42—58#x": "src/a.py:42-58#x",
		"src/a.py:42..58": "src/a.py:42-58", "src/a.py:42 - 58": "src/a.py:42-58", "src/a.py:42 to 58": "src/a.py:42-58", "src/a.py: 42": "src/a.py:42",
		"src/a.py:42 (login)": "src/a.py:42", "src/a.py:42-58#login [the check]": "src/a.py:42-58#login", "the check (src/a.py:4-6)": "src/a.py:4-6",
		"src/a.py:42; b.py:3": "src/a.py:42, b.py:3", "src/a.py:42 and b.py:3-4": "src/a.py:42, b.py:3-4", "a.py:1; 4-6 and b.py:2,9": "a.py:1, a.py:4-6, b.py:2, b.py:9",
		"a.py:4-6,8-10": "a.py:4-6, a.py:8-10", "-a.py#L3": "-a.py:3",
	} {
		var got []string
		noted := false
		for _, e := range ParseEvidence(list, report.Pos{}) {
			got = append(got, e.String())
			noted = noted || e.Note != ""
			if e.Err != "" {
				t.Errorf("%q: %+v", list, e)
			}
		}
		if strings.Join(got, ", ") != want || !noted {
			t.Errorf("%q: got %q (noted: %v), want %q", list, got, noted, want)
		}
	}
}

func TestPathsInQuotes(t *testing.T) {
	for text, want := range map[string]Evidence{
		`"a,b.py":3-9#x`: {Path: "a,b.py", Start: 3, End: 9, Symbol: "x"}, `"a,b.py:3"`: {Path: "a,b.py", Start: 3, End: 3},
		`-"log 12:30.txt"`: {Path: "log 12:30.txt", IsRemoved: true}, `"x:12.md":4`: {Path: "x:12.md", Start: 4, End: 4},
		`"this and that.go":1`: {Path: "this and that.go", Start: 1, End: 1}, `"src/a.py":3`: {Path: "src/a.py", Start: 3, End: 3}, `"a;b"`: {Path: "a;b"},
	} {
		got := ParseEvidence(text+", b.py:1", report.Pos{})
		if len(got) != 2 || got[0].Text.Value != text {
			t.Errorf("%s: %+v", text, got)
			continue
		}
		got[0].Text = Text{}
		if got[0] != want {
			t.Errorf("%s: got %+v, want %+v", text, got[0], want)
		}
		if again := ParseEvidence(want.String(), report.Pos{}); len(again) != 1 || again[0].Path != want.Path || again[0].Start != want.Start || again[0].Note != "" {
			t.Errorf("%s is written %s, and that reads %+v", text, want, again)
		}
	}
}

func TestEvidenceKeepsWhatItKnowsOfAMalformedPlace(t *testing.T) {
	e := ParseEvidence("src/a.py#login()", report.Pos{})[0]
	if e.Path != "src/a.py" || e.Symbol != "login" {
		t.Errorf("got %+v", e)
	}
	if e = ParseEvidence("/home/me/src/a.py:3-9#x", report.Pos{})[0]; e.Path != "/home/me/src/a.py" || e.Start != 3 || e.End != 9 || e.Symbol != "x" {
		t.Errorf("got %+v", e)
	}
}

func TestEvidenceListIsSplitAtCommas(t *testing.T) {
	for _, c := range []struct {
		list string
		want []string // places, or «!hint» for malformed ones
	}{
		{"", nil}, {" \t\n ", nil},
		{"a.py:1", []string{"a.py:1"}},
		{"a.py:1,b.py:2 ,  c d.py:3", []string{"a.py:1", "b.py:2", "c d.py:3"}},
		{"a.py:1,,b.py:2", []string{"a.py:1", "!", "b.py:2"}},
		{",a.py:1,", []string{"!", "a.py:1", "!"}},
		{"a.py:42,58", []string{"a.py:42", "a.py:58"}},
		{"a.py:42, L58-60, b.py:3", []string{"a.py:42", "a.py:58-60", "b.py:3"}},
		{"auth.py, line 42", []string{"auth.py", "!auth.py:42"}},
		{"a.py:1,\n  b.py:2,\r\n\tc.py:3", []string{"a.py:1", "b.py:2", "c.py:3"}},
		{"`a.py:1, b.py:2`", []string{"a.py:1", "b.py:2"}},
	} {
		var got []string
		for _, e := range ParseEvidence(c.list, report.Pos{}) {
			if e.Err != "" {
				got = append(got, "!"+e.Hint)
			} else {
				got = append(got, e.String())
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q\ngot  %q\nwant %q", c.list, got, c.want)
		}
	}
}

func TestEvidenceSpansCountFromWhereTheListStands(t *testing.T) {
	file := "{\n  \"evidence\": \"a.py:1,\n  é.py:2, , b.py:3\"}"
	at := strings.Index(file, "a.py")
	got := ParseEvidence(file[at:len(file)-2], report.NewLines([]byte(file)).Pos(at))
	if len(got) != 4 {
		t.Fatalf("got %+v", got)
	}
	lines := report.NewLines([]byte(file))
	for _, e := range got {
		if s := string(e.Text.Span.Of([]byte(file))); s != e.Text.Value {
			t.Errorf("the span of %q holds %q", e.Text.Value, s)
		}
		at := e.Text.Span
		if want := (report.Span{Start: lines.Pos(at.Start.Offset), End: lines.Pos(at.End.Offset)}); at != want {
			t.Errorf("%q has the span %+v, want %+v", e.Text.Value, e.Text.Span, want)
		}
	}
}

func TestPlaceIsTheEvidenceWithoutItsSymbol(t *testing.T) {
	for text, want := range map[string]string{
		"`./a.py:3-3#x`": "a.py:3", "a.py:3-9#T.m": "a.py:3-9", "-a.py:3-9": "-a.py:3-9", "-a.py": "-a.py", "./-a.py:3": "./-a.py:3", "./~": "./~", "--a": "-./-a", "logo.png": "logo.png", "a.py:9-3": "a.py:9-3",
	} {
		if got := ParseEvidence(text, report.Pos{})[0].Place(); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func FuzzParseEvidence(f *testing.F) {
	for _, s := range []string{
		"a.py:1, b.py:2-9#x", "-a.py", "src\\a.py:3", "a.py#L3-L9", "a.py:3:7", "a.py:9-3", "line 3 in a.py", "a.py line 3", ",,", "`a`:3", "a.py:3–9",
		"[a](b#L3)", "a.py:42; b.py:3", "../a:3", "/a:3", "a:0", "- a:3", "a.py: 3 to 4", "a.py:3\n, b.py:4\r\n", "(a.py:3)", "\"a:3\"", "a b:3;", "C:\\a:3", ":3", "#", "a#b",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, list string) {
		got := ParseEvidence(list, report.Pos{})
		checkEvidence(t, []byte(list), Text{Value: foldedList(list)}, got)
		for _, e := range got {
			checkText(t, []byte(list), e.Text, foldedList)
		}
		if !reflect.DeepEqual(got, ParseEvidence(list, report.Pos{})) {
			t.Fatalf("%q: two readings differ", list)
		}
	})
}

// foldedList unfolds a list, in which a line that begins with '#' is no comment.
func foldedList(list string) string {
	var words []string
	for _, line := range strings.Split(list, "\n") {
		if line = strings.Trim(line, white); line != "" {
			words = append(words, line)
		}
	}
	return strings.Join(words, " ")
}

func BenchmarkParseEvidence(b *testing.B) {
	for name, list := range map[string]string{
		"well formed": "src/auth.py:42-58#login, tests/test_auth.py:10-31",
		"malformed":   "auth.py line 42, src/a.py#L3-L9",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ParseEvidence(list, report.Pos{})
			}
		})
	}
}
