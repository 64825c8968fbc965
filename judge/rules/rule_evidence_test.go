package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// citing is an ACT that cites one place for one item, in a commit that writes the files over others.
func citing(item, place string, base, written files) commit {
	return commit{message: "ACT: T01 login\n\nDone: " + item + " | " + place + "\n", base: base, files: written}
}

func TestEvidenceFormat(t *testing.T) {
	testRule(t, "checklist_evidence_format_invalid", []row{
		{"words", citing("Add login()", "src/auth.py line 5", nil, loginFile()), one("error message:3"), ""},
		{"what can mean one thing only", citing("Add login()", "src/auth.py#L5-L8", nil, loginFile()),
			one("note message:3"), ""},
		{"a place", citing("Add login()", "src/auth.py:5-8", nil, loginFile()), nil, ""},
	})
}

func TestEvidenceFileNotFound(t *testing.T) {
	testRule(t, "checklist_evidence_file_not_found", []row{
		{"no such file", citing("Add login()", "auth.py:5-8", nil, loginFile()), one("error message:3"), "src/auth.py"},
		{"a file", citing("Add login()", "src/auth.py:5-8", nil, loginFile()), nil, ""},
		{"one of two", citing("Add login()", "src/auth.py:5-8, src/session.py:1", nil, loginFile()),
			one("error message:3"), "src/session.py"},
	})
}

func TestEvidenceOutOfRange(t *testing.T) {
	testRule(t, "checklist_evidence_line_out_of_range", []row{
		{"beyond the end", citing("Add `login`", "src/auth.py:42-58", nil, loginFile()), one("error src/auth.py:8"),
			"login stands at src/auth.py:5-8"},
		{"to the end", citing("Add `login`", "src/auth.py:5-8", nil, loginFile()), nil, ""},
	})
}

func TestEvidenceEmptyImplementation(t *testing.T) {
	light := citing("Add logout()", "src/auth.py:1-2", nil, loginFile())
	light.tier = policy.Light
	exempt := light
	exempt.tier = policy.Exempt
	testRule(t, "checklist_evidence_empty_impl", []row{
		{"a stub", citing("Add logout()", "src/auth.py:1-2", nil, loginFile()), one("error src/auth.py:1"), ""},
		{"a stub, held lightly", light, one("error src/auth.py:1"), ""},
		{"a stub where nothing is asked", exempt, nil, ""},
		{"code", citing("Add login()", "src/auth.py:5-8", nil, loginFile()), nil, ""},
	})
}

func TestEvidencePartialStub(t *testing.T) {
	strict := citing("Add login()", "src/auth.py:1-8", nil, loginFile())
	strict.tier = policy.Strict
	testRule(t, "evidence_partial_stub", []row{
		{"code and a stub", citing("Add login()", "src/auth.py:1-8", nil, loginFile()), one("warning src/auth.py:1"), ""},
		{"held strictly", strict, one("error src/auth.py:1"), ""},
		{"code alone", citing("Add login()", "src/auth.py:5-8", nil, loginFile()), nil, ""},
	})
}

func TestEvidenceUnclear(t *testing.T) {
	docs := files{"docs/login.md": "# Login\n\nHow to log in.\n"}
	waived := citing("Add login()", "docs/login.md:1-3", nil, docs)
	waived.tier, waived.policy = policy.Strict, "waivable: [evidence_unclear]\n"
	waived.message += "Waive: evidence_unclear | docs/login.md:1-3 | The page is the login\n"
	testRule(t, "evidence_unclear", []row{
		{"prose for code", citing("Add login()", "docs/login.md:1-3", nil, docs), one("warning docs/login.md:1"),
			"it is prose"},
		{"waived", waived, one("warning docs/login.md:1"), "waived: The page is the login"},
		{"another rule says why", citing("Add login()", "src/auth.py:1-8", nil, loginFile()), nil, ""},
		{"code", citing("Add login()", "src/auth.py:5-8", nil, loginFile()), nil, ""},
	})
}

func TestEvidenceTooWide(t *testing.T) {
	wide := citing("Add login()", "src/auth.py:5-8", nil, loginFile())
	wide.policy = "evidence: {max_lines: 3}\n"
	exact := wide
	exact.policy = "evidence: {max_lines: 4}\n"
	testRule(t, "evidence_too_wide", []row{
		{"wider than the policy allows", wide, one("warning src/auth.py:5"), "spans 4 lines"},
		{"as wide", exact, nil, ""},
	})
}

func TestEvidenceSyntaxError(t *testing.T) {
	broken := files{"src/auth.py": "def login(user:\n    return user.check(]\n"}
	testRule(t, "evidence_syntax_error", []row{
		{"it does not parse", citing("Add login()", "src/auth.py:1-2", nil, broken), one("warning src/auth.py:1"), ""},
		{"it does", citing("Add login()", "src/auth.py:5-8", nil, loginFile()), nil, ""},
	})
}

func TestEvidenceNotRemoved(t *testing.T) {
	testRule(t, "evidence_not_removed", []row{
		{"still there", citing("Remove login()", "-src/auth.py:5-8", loginFile(), files{"a": "b"}), one("error message:3"),
			""},
		{"gone", citing("Remove login()", "-src/auth.py:5-8", loginFile(), files{"src/auth.py": gone}), nil, ""},
	})
}

func TestEvidenceMoved(t *testing.T) {
	testRule(t, "evidence_moved", []row{
		{"elsewhere", citing("Add login()", "src/auth.py:1-2#login", nil, loginFile()), one("note src/auth.py:5"), ""},
		{"where it is cited", citing("Add login()", "src/auth.py:5-8#login", nil, loginFile()), nil, ""},
	})
}

func TestEvidenceNotInDiff(t *testing.T) {
	other := files{"src/session.py": "def open_session(user):\n    return Session(user)\n"}
	testRule(t, "evidence_not_in_diff", []row{
		{"it stood there before", citing("Add login()", "src/auth.py:5-8", loginFile(), other),
			one("warning src/auth.py:5"), ""},
		{"it is new", citing("Open sessions", "src/session.py:1-2", loginFile(), other), nil, ""},
		{"there was nothing before", citing("Add login()", "src/auth.py:5-8", nil, loginFile()), nil, ""},
	})
}

// Of one unclear place the rule speaks that says why; where it is off or milder, the general one does.
func TestOneRuleSpeaksOfAnUnclearPlace(t *testing.T) {
	c := citing("Add login()", "src/auth.py:5-8", loginFile(), files{"a": "b"})
	for rules, want := range map[string]string{
		"{}":                          "evidence_not_in_diff",
		"{evidence_not_in_diff: off}": "evidence_unclear",
		"{evidence_unclear: error}":   "evidence_not_in_diff evidence_unclear",
	} {
		c.policy = "rules: " + rules + "\n"
		out, err := c.ask(t, Rules())
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, f := range out.Findings {
			if strings.HasPrefix(f.Rule, "evidence_") {
				found = append(found, f.Rule)
			}
		}
		if strings.Join(found, " ") != want {
			t.Errorf("%s: found %q, want %s", rules, found, want)
		}
	}
}

func TestEvidenceReused(t *testing.T) {
	two := reporting("Done: Add login() | src/auth.py:5-8\nDone: Validate the password | src/auth.py:5-8\n")
	blanks := reporting("Done: Add login() | src/auth.py:5-8\nDone: Validate the password | src/auth.py:4-8\n")
	parts := reporting("Done: Add login() | src/auth.py:5-8\nDone: Validate the password | src/auth.py:6-7\n")
	earlier := citing("Add login()", "src/auth.py:5-8", loginFile(), files{"a": "b"})
	earlier.cited = map[string]Citation{
		"src/auth.py:5-8": {Commit: strings.Repeat("1", 40), Unit: "T07", Item: "Check passwords"},
	}
	touched := citing("Add login()", "src/auth.py:5-8", nil, loginFile())
	touched.cited = earlier.cited
	testRule(t, "evidence_reused", []row{
		{"for two items", two, one("warning message:4"), "is already cited for 'Add login()'"},
		{"with blank lines at its edge", blanks, one("warning message:4"), ""},
		{"a part of it", parts, nil, ""},
		{"for another task, long ago", earlier, one("warning message:3"),
			"for 'Check passwords' of T07, in commit 111111111111"},
		{"touched since", touched, nil, ""},
	})
}

func TestEvidenceItemUnrelated(t *testing.T) {
	two := files{
		"src/auth.py": "def login(user):\n    return user.check()\n\n\ndef logout(user):\n    user.session.close()\n",
	}
	testRule(t, "evidence_item_unrelated", []row{
		{"nowhere", citing("Add `sign_out`", "src/auth.py:1-2", nil, two), one("error message:3"), "acta plan add"},
		{"no such file", citing("Log in by auth.go in src/auth.go", "src/auth.py:1-2", nil, two), one("error message:3"),
			"acta plan add"},
		{"another function", citing("Add `logout`", "src/auth.py:1-2", nil, two), nil, ""},
		{"a name that may be prose", citing("Log in by GitHub", "src/auth.py:1-2", nil, two), nil, ""},
		{"that function", citing("Add `logout`", "src/auth.py:5-6", nil, two), nil, ""},
		{"in another style", citing("Add `LogOut`", "src/auth.py:5-6", nil, two), nil, ""},
		{"not verified, which is said", citing("Add `sign_out`", "src/auth.py:3-4", nil, two), nil, ""},
	})
}

// A symbol is offered where evidence stands in the message, has none yet, and is what was written.
func TestAnchorsAreOffered(t *testing.T) {
	c := reporting("Done: Add login() | src/auth.py:5-8\nDone: Validate it | src/auth.py:6#login\n")
	out, err := c.ask(t, Rules())
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Anchors) != 1 || out.Anchors[0].Symbol != "login" || out.Anchors[0].Evidence.Place() != "src/auth.py:5-8" {
		t.Errorf("offered %+v", out.Anchors)
	}
}

func TestVerdictsTakeTheWorstOfThePlaces(t *testing.T) {
	for lines, want := range map[string]report.ClaimVerdict{
		"Done: Add login() | src/auth.py:5-8\n":                  {Verdict: report.Verified},
		"Done: Add login() | src/auth.py:5-8, src/auth.py:1-2\n": {Verdict: report.NotVerified, IsContradiction: true},
		"Done: Add login() | src/auth.py:5-8, docs/a.md:1-2\n":   {Verdict: report.Unclear},
		"Done: Add login() | src/auth.py line 5\n":               {Verdict: report.NotVerified, IsFormError: true},
		"Done: Add login()\n":                                    {Verdict: report.NotVerified, IsFormError: true},
		"Pending: Add login()\n": {Verdict: report.NotVerified, IsFormError: true,
			Reason: "reported as pending"},
		"Done: Add login() | src/auth.py:5-99\n":                {Verdict: report.NotVerified, IsFormError: true},
		"Done: Add login() | src/login.py:5-8\n":                {Verdict: report.NotVerified, IsFormError: true},
		"Done: Add login() | src/login.py:5, src/auth.py:1-2\n": {Verdict: report.NotVerified, IsContradiction: true},
		"Skipped: Add login() | The framework has one\n":        {Verdict: report.Skipped, Reason: "The framework has one"},
	} {
		c := reporting(lines)
		c.files = files{"docs/a.md": "# Login\nIt logs in.\n"}.over(loginFile())
		out, err := c.ask(t, Rules())
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Verdicts) != 1 {
			t.Fatalf("%q: %+v", lines, out.Verdicts)
		}
		v := out.Verdicts[0]
		if v.Verdict != want.Verdict || v.IsContradiction != want.IsContradiction || v.IsFormError != want.IsFormError || want.Reason != "" &&
			v.Reason != want.Reason {
			t.Errorf("%q: %+v, want %+v", lines, v, want)
		}
	}
}

// A verdict that rests on what the commit changes is told from one that rests on the file alone: an amend has two
// parents to be compared with.
func TestVerdictsThatCompareAreTold(t *testing.T) {
	c := reporting("Done: Validate it | src/auth.py:1-2\nDone: Add login() | src/auth.py:5-8\n")
	c.base, c.files = loginFile(), files{"a": "b"}
	a := answers{commit: &c, tree: files(loginFile()).tree()}
	base, pol := files(loginFile()).tree(), policy.Default()
	a.before, a.policy = &base, &pol
	message := parser.Parse([]byte(c.message))
	out, err := Run(t.Context(), Rules(), a.input(message, message.Parts[0]))
	if err != nil || len(out.Verdicts) != 2 || out.Verdicts[0].IsRelative || !out.Verdicts[1].IsRelative {
		t.Errorf("%+v, %v", out, err)
	}
	compared := slices.DeleteFunc(slices.Clone(out.Findings), func(f report.Finding) bool { return !f.IsRelative })
	if len(out.Findings) < 2 || len(compared) != 1 || compared[0].Rule != "evidence_not_in_diff" {
		t.Errorf("compared are %s, of %s", listed(compared), listed(out.Findings))
	}
}
