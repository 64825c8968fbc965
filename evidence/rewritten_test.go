package evidence

import (
	"context"
	"testing"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// A change that leaves the tokens of the cited lines as they were shows nothing for an item that asks for code.
func TestAChangeOfFormIsNoChangeOfCode(t *testing.T) {
	const (
		f     = "def f(a):\n    if a:\n        return 'x'\n    return g(a)\n"
		other = "def other(b):\n    return send(b, 2)\n"
		last  = "LIMIT = 5\n"
	)
	for name, c := range map[string]struct {
		item, base, now, cite string
		kind                  Kind
		outside               bool
	}{
		"a comment in old code":               {base: f, now: "def f(a):\n    # check\n    if a:\n        return 'x'\n    return g(a)\n", cite: "a.py:1-5", outside: true},
		"a comment behind old code":           {base: f, now: "def f(a):\n    if a:  # check\n        return 'x'\n    return g(a)\n", cite: "a.py:1-4", outside: true},
		"a docstring in old code":             {base: f, now: "def f(a):\n    \"\"\"Checks.\"\"\"\n    if a:\n        return 'x'\n    return g(a)\n", cite: "a.py:1-5", outside: true},
		"blanks and quotes":                   {base: f, now: "def f( a ):\n    if a:\n        return \"x\"\n    return g(a)\n", cite: "a.py:1-4", outside: true},
		"a reorder":                           {base: f + other, now: other + f, cite: "a.py:3-6", outside: true},
		"a reorder of lines outside":          {base: last + other, now: other + last, cite: "a.py:3", outside: true},
		"a first line of what was reordered":  {base: f + other, now: other + f, cite: "a.py:3", outside: true},
		"blanks, for an item about form":      {item: "Reformat with black", base: f, now: "def f( a ):\n    if a:\n        return \"x\"\n    return g(a)\n", cite: "a.py:1-4"},
		"a comment, for an item of kind text": {kind: KindText, base: f, now: "def f(a):\n    # check\n    if a:\n        return 'x'\n    return g(a)\n", cite: "a.py:1-5"},
		"a statement under another condition": {base: "def f(a):\n    if a:\n        g(a)\n    h(a)\n", now: "def f(a):\n    if a:\n        g(a)\n        h(a)\n", cite: "a.py:1-4"},
		"another name":                        {base: f, now: "def g(a):\n    if a:\n        return 'x'\n    return g(a)\n", cite: "a.py:1-4"},
		"a second of the same code":           {base: f, now: f + "\n\n" + f, cite: "a.py:7-10"},
		"a copy under another class":          {base: "class A:\n    def f(self):\n        return run(self)\n", now: "class A:\n    def f(self):\n        return run(self)\n\nclass B:\n    def f(self):\n        return run(self)\n", cite: "a.py:6-7"},
		"an instruction to a tool":            {base: f, now: "def f(a):\n    if a:  # noqa: B950\n        return 'x'\n    return g(a)\n", cite: "a.py:1-4"},
		"an instruction for something new":    {item: "Add f", base: f, now: "def f(a):\n    if a:  # noqa: B950\n        return 'x'\n    return g(a)\n", cite: "a.py:1-4", outside: true},
		"an instruction less":                 {base: "def f(a):\n    return g(a)  # noqa\n", now: "def f(a):\n    return g(a)\n", cite: "a.py:1-2"},
		"a statement less":                    {base: f, now: "def f(a):\n    return g(a)\n", cite: "a.py:1-2"},
		"sorted, in a file with new code":     {base: last + f + other, now: other + f + last + "x = 1\n", cite: "a.py:7"},
		"the same, for something new":         {item: "Add f", base: last + f + other, now: other + f + last + "\nx = 1\n", cite: "a.py:7", outside: true},
		"a comment, where the rest does more": {base: f + other, now: "def f(a):\n    # check\n    if a:\n        return 'x'\n    return g(a)\n" + other + last, cite: "a.py:1-5"},
		"a blank in a string":                 {base: "logo = '  %s'\n", now: "logo = '   %s'\n", cite: "a.py:1"},
		"an import more":                      {base: f, now: "import x\n" + f, cite: "a.py:1-5"},
	} {
		base := memory{"a.py": file(c.base)}.tree()
		j := &Judge{Tree: memory{"a.py": file(c.now)}.tree(), Base: &base, Cache: NewCache()}
		r, err := j.Evidence(context.Background(), Claim{Evidence: parser.ParseEvidence(c.cite, report.Pos{})[0], Item: c.item, Kind: c.kind})
		if err != nil {
			t.Fatal(err)
		}
		if r.IsOutside != c.outside || c.outside != (r.Verdict == report.Unclear) || r.fails(codeNotInDiff) != c.outside {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// What an earlier step of the unit touched in form alone is not the unit's either.
func TestAnEarlierChangeOfFormIsNoChangeOfCode(t *testing.T) {
	const f, commented = "def f():\n    return a()\n", "def f():\n    return a()  # now\n"
	base := oneFile(commented)
	for name, c := range map[string]struct {
		from    string
		outside bool
	}{
		"form": {f, true},
		"code": {"def f():\n    return b()\n", false},
	} {
		j := &Judge{Tree: oneFile(commented), Base: &base, Earlier: pastOf(c.from, commented), Cache: NewCache()}
		r, err := j.Evidence(context.Background(), Claim{Evidence: parser.ParseEvidence("a.py:1-2", report.Pos{})[0]})
		if err != nil {
			t.Fatal(err)
		}
		if r.IsOutside != c.outside {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// In a commit of comments and prose alone, these are what there is to cite, but not for something new.
func TestACommitOfCommentsShowsThem(t *testing.T) {
	const f = "def f(a):\n    return g(a)\n"
	const commented = "# One of two.\ndef f(a):\n    return g(a)\n"
	for name, c := range map[string]struct {
		item string
		now  memory
		cite string
		want report.Verdict
	}{
		"a comment":                   {"Explain f", memory{"a.py": file(commented)}, "a.py:1", report.Verified},
		"a comment in code":           {"Explain f", memory{"a.py": file("def f(a):\n    # One of two.\n    return g(a)\n")}, "a.py:2", report.Verified},
		"code with a comment":         {"Explain f", memory{"a.py": file("def f(a):\n    # One of two.\n    return g(a)\n")}, "a.py:1-3", report.Unclear},
		"prose":                       {"Explain f", memory{"a.py": file(f), "a.md": file("# F\n\nIt is one of two.\n")}, "a.md:1-3", report.Verified},
		"a comment for new code":      {"Add g", memory{"a.py": file(commented)}, "a.py:1", report.NotVerified},
		"for new code of its file":    {"Add g() to a.py", memory{"a.py": file(commented)}, "a.py:1", report.NotVerified},
		"a comment for other code":    {"Hash words in f", memory{"a.py": file(commented)}, "a.py:1", report.Unclear},
		"a comment for its words":     {"Fixed some typos (in f)", memory{"a.py": file(commented)}, "a.py:1", report.Verified},
		"a comment for its form":      {"Wrap long lines", memory{"a.py": file(commented)}, "a.py:1", report.Verified},
		"a comment beside other code": {"Explain f", memory{"a.py": file(commented + "x = 1\n")}, "a.py:1", report.NotVerified},
		"prose beside other code":     {"Explain f", memory{"a.py": file(f + "x = 1\n"), "a.md": file("# F\n\nIt is one of two.\n")}, "a.md:1-3", report.Unclear},
		"a comment beside data":       {"Explain f", memory{"a.py": file(commented), "a.json": file("{}\n")}, "a.py:1", report.NotVerified},
		"only a TODO":                 {"Explain f", memory{"a.py": file("# TODO\n" + f)}, "a.py:1", report.NotVerified},
	} {
		base := memory{"a.py": file(f)}.tree()
		paths, _ := c.now.Paths(t.Context())
		j := &Judge{Tree: c.now.tree(), Base: &base, Cache: NewCache(), Change: changed(paths), Prose: &Prose{}}
		r, err := j.Evidence(context.Background(), Claim{Evidence: parser.ParseEvidence(c.cite, report.Pos{})[0], Item: c.item})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.want {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// Documentation that is cited alone belongs to what it documents, and shows prose, no code.
func TestDocumentationIsProse(t *testing.T) {
	const f, commented = "def f(a):\n    return g(a)\n", "# One of two.\ndef f(a):\n    \"\"\"One.\"\"\"\n    return g(a)\n"
	for name, c := range map[string]struct {
		now, cite string
		kind      Kind
		want      report.Verdict
	}{
		"a comment":               {commented, "a.py:1", "", report.NotVerified},
		"a comment, anchored":     {commented, "a.py:1#f", "", report.NotVerified},
		"a comment for text":      {commented, "a.py:1#f", KindText, report.Verified},
		"a docstring":             {commented, "a.py:3", "", report.NotVerified},
		"a docstring for text":    {commented, "a.py:3#f", KindText, report.Verified},
		"code with documentation": {commented + "x = 1\n", "a.py:1-4", KindText, report.Verified},
		"a comment of a stub":     {"# One of two.\ndef f(a):\n    pass\n", "a.py:1", "", report.NotVerified},
		"a docstring of a stub":   {"def f(a):\n    \"\"\"One.\"\"\"\n", "a.py:2", "", report.NotVerified},
		"a comment of nothing":    {f + "\n# One of two.\n", "a.py:4", "", report.NotVerified},
		"only a TODO":             {"# TODO\n" + f, "a.py:1", "", report.NotVerified},
	} {
		base := oneFile("x = 0\n")
		j := &Judge{Tree: oneFile(c.now), Base: &base, Cache: NewCache()}
		r, err := j.Evidence(context.Background(), Claim{Evidence: parser.ParseEvidence(c.cite, report.Pos{})[0], Kind: c.kind})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.want || r.fails(codeMoved) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
