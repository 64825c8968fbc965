package evidence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

const loginSource = `import db


def login(user):
    return db.open(user)


def logout(user):
    pass
`

// repository is the tree of most tests here.
func repository() memory {
	return memory{
		"src/auth.py":    file(loginSource),
		"src/empty.py":   file(""),
		"README.md":      file("# Title\n\nProse.\n"),
		"Makefile":       file("all:\n\tgo build\n\n# TODO\n"),
		"all.nim":        file("build()\nrun()\n\n# TODO\n"),
		"Dockerfile":     file("FROM x\nRUN y\n"),
		"logo.png":       file("\x89PNG\x00\x01"),
		"big.py":         {content: "x = 1\n", size: 3 << 20},
		"model.bin":      file("version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 5\n"),
		"vendored":       {kind: Submodule, content: "c0ffee"},
		"link.py":        {kind: Symlink, content: "src/auth.py"},
		"code":           {kind: Symlink, content: "src"},
		"out":            {kind: Symlink, content: "../elsewhere.py"},
		"abs":            {kind: Symlink, content: "/etc/passwd"},
		"dangling":       {kind: Symlink, content: "src/none.py"},
		"loop":           {kind: Symlink, content: "loop"},
		"a b/c d.py":     file("x = 1\n"),
		"año/señal.py":   file("x = 1\n"),
		"script.hs":      file("-- TODO\n\nx = 1\npass\n"),
		"crlf.py":        file("def f():\r\n    # TODO\r\n    pass\r\n\r\n"),
		"bom.py":         file("\ufeff\nx = 1\n"),
		"latin.py":       file("x = '\xe9'\n# \xe9\n\xe9\n"),
		"nofinal.py":     file("x = 1\ny = 2"),
		"feed.py":        file("x = 1\n\f\ny = 2\n"),
		"CHANGELOG":      file("1.0: first\n"),
		"page.html":      file("<!-- TODO -->\n"),
		"unfinished.sql": file("-- TODO: schema\n"),
	}
}

func judged(t *testing.T, m memory, base memory, c Claim) Result {
	t.Helper()
	j := &Judge{Tree: m.tree(), Cache: NewCache()}
	if base != nil {
		b := base.tree()
		j.Base = &b
	}
	r, err := j.Evidence(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEvidenceIsJudgedByFormExistenceRangeAndSubstance(t *testing.T) {
	for _, c := range []struct {
		evidence string
		kind     Kind
		want     string // as describe writes it
		message  string // of the first problem
		hint     string // of the first problem
	}{
		{"src/auth.py:4-5", "", "verified", "", ""},
		{"src/auth.py:8-9", "", "not_verified contradiction checklist_evidence_empty_impl",
			"Empty implementation detected at 'src/auth.py:8-9'. Contains only pass/TODO/NotImplementedError. Add actual implementation code.",
			"write the body of logout (8-9, pass), or report the item as skipped with a reason"},
		{"src/auth.py:8#logout", "", "not_verified contradiction checklist_evidence_empty_impl",
			"Empty implementation detected at 'src/auth.py:8'. Contains only pass/TODO/NotImplementedError. Add actual implementation code.", "*"},
		{"src/auth.py:6-7", "", "not_verified checklist_evidence_empty_impl", "*", "cite the lines of the code itself"},
		{"src/auth.py:9-12", "", "not_verified checklist_evidence_line_out_of_range",
			"Evidence line 12 exceeds file length (9 lines). Use a valid line number within 1-9.", ""},
		{"src/auth.py:20-30", "", "not_verified checklist_evidence_line_out_of_range",
			"Evidence line 20 exceeds file length (9 lines). Use a valid line number within 1-9.", ""},
		{"src/empty.py:1", "", "not_verified checklist_evidence_line_out_of_range",
			"Evidence line 1 exceeds file length (0 lines). Use a valid line number within 1-0.", "the file is empty: cite it by its path alone, src/empty.py"},
		{"src/atuh.py:4", "", "not_verified checklist_evidence_file_not_found",
			"Evidence file not found: src/atuh.py. Verify the file path is correct and the file exists.", ""},
		{"auth.py:4-5", "", "not_verified checklist_evidence_file_not_found", "*", "src/auth.py:4-5"},
		{"src:4", "", "not_verified checklist_evidence_file_not_found", "Evidence file not found: src is a folder, not a file.", "cite a file below it"},
		{"around src/auth.py:4", "", "not_verified checklist_evidence_format_invalid",
			"Evidence 'around src/auth.py:4' has invalid format. Required format: <file_path>:<line> or <file_path>:<start>-<end>. Examples: 'auth.py:42', 'src/auth.py:42-58'.",
			"src/auth.py:4"},
		{"around nothing.py:4", "", "not_verified checklist_evidence_file_not_found", "*", "*"},
		{"a b/c d.py:1", "", "verified", "", ""},
		{"año/señal.py:1", "", "verified", "", ""},
		{"vendored:3", "", "not_verified checklist_evidence_file_not_found", "Evidence file not found: vendored is a submodule, which has no lines here.", "cite it by its path alone: vendored"},
		{"vendored/x.py:3", "", "unclear evidence_unclear",
			"Evidence 'vendored/x.py:3' is unclear: it lies in the submodule vendored, whose content is not in this repository.", ""},
		{"link.py:4-5", "", "verified", "", ""},
		{"link.py:8-9", "", "not_verified contradiction checklist_evidence_empty_impl", "*", "*"},
		{"code/auth.py:4-5", "", "verified", "", ""},
		{"code/none.py:4-5", "", "not_verified checklist_evidence_file_not_found", "*", "*"},
		{"out:1", "", "unclear evidence_unclear", "Evidence 'out:1' is unclear: out is a symbolic link that leaves the repository.", ""},
		{"abs:1", "", "unclear evidence_unclear", "Evidence 'abs:1' is unclear: abs is a symbolic link that leaves the repository.", ""},
		{"dangling:1", "", "not_verified checklist_evidence_file_not_found",
			"Evidence file not found: dangling is a symbolic link to src/none.py, which does not exist.", "*"},
		{"loop:1", "", "unclear evidence_unclear", "Evidence 'loop:1' is unclear: it leads through more than 40 symbolic links.", ""},
		{"logo.png:1", "", "unclear evidence_unclear", "Evidence 'logo.png:1' is unclear: it is a binary file, which has no lines.", "*"},
		{"model.bin:1", "", "unclear evidence_unclear",
			"Evidence 'model.bin:1' is unclear: it is a git-lfs pointer, and its content is not in the repository.", "*"},
		{"big.py:1", "", "unclear evidence_unclear",
			"Evidence 'big.py:1' is unclear: the file is 3145728 bytes long, and at most 2097152 are read.", ""},
		{"README.md:3", "", "unclear evidence_unclear", "Evidence 'README.md:3' is unclear: it is prose, and the item asks for code.", "*"},
		{"README.md:3", KindText, "verified", "", ""},
		{"README.md:2", KindText, "not_verified checklist_evidence_empty_impl", "*", "*"},
		{"README.md:3", KindTest, "unclear evidence_unclear", "*", "*"},
		{"README.md:3", kindAsset, "verified", "", ""},
		{"CHANGELOG:1", KindText, "verified", "", ""},
		{"Makefile:1-2", "", "verified", "", ""},
		{"all.nim:1-2", "", "unclear evidence_unclear", "Evidence 'all.nim:1-2' is unclear: acta has no grammar for .nim, so it only looked for blank lines and TODOs.", "docs/languages.md lists the files that acta can parse"},
		{"all.nim:3-4", "", "not_verified checklist_evidence_empty_impl", "*", "*"},
		{"Makefile:3-4", "", "not_verified checklist_evidence_empty_impl", "*", "*"},
		{"Dockerfile:1-2", "", "verified", "", ""},
		{"script.hs:1-2", "", "not_verified checklist_evidence_empty_impl", "*", "*"},
		{"script.hs:4", "", "not_verified checklist_evidence_empty_impl", "*", "*"},
		{"script.hs:1-3", "", "unclear evidence_unclear", "Evidence 'script.hs:1-3' is unclear: acta has no grammar for .hs, so it only looked for blank lines and TODOs.", "docs/languages.md lists the files that acta can parse"},
		{"page.html:1", "", "not_verified checklist_evidence_empty_impl", "*", "*"},
		{"unfinished.sql:1", "", "not_verified checklist_evidence_empty_impl", "*", "*"},
		{"crlf.py:1-3", "", "not_verified contradiction checklist_evidence_empty_impl", "*", "*"},
		{"crlf.py:4", "", "not_verified checklist_evidence_empty_impl", "*", "*"},
		{"crlf.py:5", "", "not_verified checklist_evidence_line_out_of_range", "*", ""},
		{"bom.py:1", "", "not_verified checklist_evidence_empty_impl", "*", "*"},
		{"bom.py:2", "", "verified", "", ""},
		{"latin.py:1", "", "verified", "", ""},
		{"latin.py:2", "", "not_verified checklist_evidence_empty_impl", "*", "*"},
		{"nofinal.py:2", "", "verified", "", ""},
		{"nofinal.py:3", "", "not_verified checklist_evidence_line_out_of_range", "*", ""},
		{"feed.py:2", "", "not_verified checklist_evidence_empty_impl", "*", "*"},
		{"feed.py:3", "", "verified", "", ""},
	} {
		t.Run(c.evidence+" "+string(c.kind), func(t *testing.T) {
			r := judged(t, repository(), nil, Claim{Evidence: cite(t, c.evidence), Kind: c.kind})
			if got := describe(r); got != c.want {
				t.Fatalf("%s (%s), want %s", got, r.Reason, c.want)
			}
			var first Problem
			if len(r.Problems) > 0 {
				first = r.Problems[0]
			}
			if c.message != "*" && first.Message != c.message {
				t.Errorf("message %q, want %q", first.Message, c.message)
			}
			if c.hint != "*" && first.Hint != c.hint {
				t.Errorf("hint %q, want %q", first.Hint, c.hint)
			}
		})
	}
}

func TestMalformedEvidenceIsRefusedWithACorrection(t *testing.T) {
	const general = "a path starts at the top of the repository, and lines count from 1"
	for _, c := range []struct{ written, hint, want string }{
		{`src\auth.py:4`, "src/auth.py:4", "src/auth.py:4"},
		{"src/auth.py#L4-L5", "src/auth.py:4-5", "src/auth.py:4-5"},
		{"/etc/hosts:1", "", general},
		{"/:1", "", general},
		{"", "", general},
	} {
		e := parser.Evidence{Text: parser.Text{Value: c.written}, Err: "bad", Hint: c.hint}
		r := judged(t, repository(), nil, Claim{Evidence: e})
		if got := describe(r); got != "not_verified checklist_evidence_format_invalid" || r.Problems[0].Hint != c.want {
			t.Errorf("%q: %s with hint %q, want hint %q", c.written, got, r.Problems[0].Hint, c.want)
		}
		if want := fmt.Sprintf(formatInvalid, c.written); r.Problems[0].Message != want {
			t.Errorf("%q: message %q", c.written, r.Problems[0].Message)
		}
	}
}

func TestEvidenceThatNoParserMakesIsRefused(t *testing.T) {
	for _, e := range []parser.Evidence{{}, {Path: "src/auth.py", Start: 5, End: 4}, {Path: "src/auth.py", Start: -1}, {Path: "src/auth.py", End: 3}} {
		r := judged(t, repository(), nil, Claim{Evidence: e})
		if e.Start == 0 && e.End == 3 && r.Verdict != report.Verified {
			continue // a bare path, whatever its end
		}
		if r.Verdict != report.NotVerified || r.Problems[0].Code != codeFormatInvalid {
			t.Errorf("%+v: %+v", e, r)
		}
	}
}

func TestOutOfRangeNamesTheSpanOfAMentionedSymbol(t *testing.T) {
	for item, want := range map[string]string{
		"Add login() to the service": "login stands at src/auth.py:4-5",
		"Add `logout`":               "logout stands at src/auth.py:8-9",
		"Add register()":             "",
		"Add a login page":           "",
	} {
		r := judged(t, repository(), nil, Claim{Evidence: cite(t, "src/auth.py:40-50"), Item: item})
		if got := r.Problems[0].Hint; got != want {
			t.Errorf("%s: hint %q, want %q", item, got, want)
		}
	}
}

func TestAnItemMayAskForPresenceOnly(t *testing.T) {
	tree := memory{"a.py": file("def is_present(name):\n    return name is not None and len(name) > 0\n")}
	for item, want := range map[string]report.Verdict{
		"Reject empty names": report.Verified,
		"Add isBlank":        report.Verified,
		"Validate names":     report.Unclear,
	} {
		if r := judged(t, tree, nil, Claim{Evidence: cite(t, "a.py:1-2"), Item: item, Kind: KindCode}); r.Verdict != want {
			t.Errorf("%s: %s (%s), want %s", item, r.Verdict, r.Reason, want)
		}
	}
}

func TestMovedEvidenceIsCorrectedInItsHint(t *testing.T) {
	r := judged(t, repository(), nil, Claim{Evidence: cite(t, "src/auth.py:1-2#login")})
	want := Problem{Code: codeMoved, Path: "src/auth.py", Line: 4, EndLine: 5,
		Message: "Evidence 'src/auth.py:1-2' has moved: login stands at 4-5.", Hint: "src/auth.py:4-5#login"}
	if len(r.Problems) != 1 || r.Problems[0] != want || r.Verdict != report.Verified {
		t.Errorf("%+v", r)
	}
}

func TestWideSpansAreReportedAndStillJudged(t *testing.T) {
	m := memory{"a.py": file(strings.Repeat("x = 1\n", 500)), "c.py": file(strings.Repeat("x = 1\n", 500) + "def f():\n    return 1\n"), "b.py": file("def f():\n" + strings.Repeat("    pass\n", 500))}
	for evidence, want := range map[string]string{
		"a.py:1-400":   "verified",
		"c.py:1-450#f": "verified evidence_moved",
		"a.py:1-401":   "verified evidence_too_wide",
		"b.py:1-450":   "not_verified contradiction checklist_evidence_empty_impl evidence_too_wide",
	} {
		if got := describe(judged(t, m, nil, Claim{Evidence: cite(t, evidence)})); got != want {
			t.Errorf("%s: %s, want %s", evidence, got, want)
		}
	}
	j := &Judge{Tree: m.tree(), Limits: Limits{MaxLines: 10, MaxFileBytes: 100}}
	if r, err := j.Evidence(t.Context(), Claim{Evidence: cite(t, "a.py:1")}); err != nil || describe(r) != "unclear evidence_unclear" {
		t.Errorf("over a limit of 100 bytes: %s, %v", describe(r), err)
	}
}

func TestBarePathsAreForWhatHasNoLinesAndIsChanged(t *testing.T) {
	base := memory{
		"logo.png": file("\x89PNG\x00old"), "same.png": file("\x00"), "run.sh": {content: "go\n", mode: "100644"},
		"old/name.py": file("x = 1\n"), "text.py": file("x = 1\n"), "sub": {kind: Submodule, content: "aaa"},
		"link": {kind: Symlink, content: "a"}, "emptied.py": file("x\n"), "still.py": file(""),
	}
	now := memory{
		"logo.png": file("\x89PNG\x00new"), "same.png": file("\x00"), "run.sh": {content: "go\n", mode: "100755"},
		"new/name.py": file("x = 1\n"), "text.py": file("x = 2\ny = 3\n"), "sub": {kind: Submodule, content: "bbb"},
		"link": {kind: Symlink, content: "b"}, "emptied.py": file(""), "still.py": file(""), "added.bin": file("\x00"),
		"pointer.bin": file("version https://git-lfs.github.com/spec/v1\n"), "dir/x": file("x"),
		"linked": {kind: Symlink, content: "dir"},
	}
	for path, want := range map[string]string{
		"logo.png": "verified", "run.sh": "verified", "new/name.py": "verified", "sub": "verified", "link": "verified",
		"emptied.py": "verified", "added.bin": "verified", "pointer.bin": "verified",
		"same.png": "unclear evidence_unclear", "still.py": "unclear evidence_unclear",
		"text.py": "not_verified checklist_evidence_format_invalid", "gone.png": "not_verified checklist_evidence_file_not_found",
		"linked/x": "unclear evidence_unclear", "dir": "not_verified checklist_evidence_file_not_found",
	} {
		r := judged(t, now, base, Claim{Evidence: cite(t, path), Kind: kindAsset})
		if got := describe(r); got != want {
			t.Errorf("%s: %s (%s), want %s", path, got, r.Reason, want)
		}
	}
	r := judged(t, now, base, Claim{Evidence: cite(t, "text.py")})
	if r.Problems[0].Hint != "text.py:1-2" {
		t.Errorf("text.py: hint %q", r.Problems[0].Hint)
	}
	if got := describe(judged(t, now, nil, Claim{Evidence: cite(t, "logo.png")})); got != "verified" {
		t.Errorf("in a root commit: %s", got)
	}
}

func TestABarePathOfSourceThatHoldsNoCodeIsUnclear(t *testing.T) {
	now := memory{
		"a.py": file(""), "b.go": file("package b\x00"), "pkg/__init__.py": file(""), "conftest.py": file(""), "index.d.ts": file(""),
		"py.typed": file(""), "dir/.gitkeep": file(""), "film.ts": file("G\x00\x00"), "run.py": {content: "", mode: "100755"},
	}
	base := memory{"run.py": {content: "", mode: "100644"}}
	for _, c := range []struct {
		path string
		kind Kind
		want string
	}{
		{"a.py", "", "unclear evidence_unclear"}, {"a.py", KindCode, "unclear evidence_unclear"}, {"a.py", KindTest, "unclear evidence_unclear"},
		{"a.py", kindAsset, "verified"}, {"b.go", "", "unclear evidence_unclear"}, {"film.ts", kindAsset, "verified"}, {"run.py", "", "verified"},
		{"pkg/__init__.py", "", "verified"}, {"conftest.py", "", "verified"}, {"index.d.ts", "", "verified"}, {"py.typed", "", "verified"}, {"dir/.gitkeep", "", "verified"},
	} {
		if got := describe(judged(t, now, base, Claim{Evidence: cite(t, c.path), Kind: c.kind})); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.path, c.kind, got, c.want)
		}
	}
}

func TestWhatComparesWithTheBaseSaysSo(t *testing.T) {
	base := memory{"same.png": file("\x00"), "same.py": file("x = 1\n"), "cut.py": file("x = 1\ny = 2\n"), "folder/a": file("a")}
	now := memory{"same.png": file("\x00"), "same.py": file("x = 1\n"), "cut.py": file("x = 1\n"), "folder": file("a"), "empty.py": file("")}
	for evidence, want := range map[string]bool{
		"same.png": true, "same.py": true, "-same.py:1": true, "-cut.py:3": true, "-cut.py:1-2": true, "-never.py": true, "-folder:1": true,
		"-same.py": false, "none.png": false, "empty.py": false, "same.py:2": false, "empty.py:1": false,
	} {
		r := judged(t, now, base, Claim{Evidence: cite(t, evidence)})
		if len(r.Problems) == 0 {
			t.Fatalf("%s: %s", evidence, describe(r))
		}
		for _, p := range r.Problems {
			if p.IsRelative != want {
				t.Errorf("%s: %s compares: %v, want %v", evidence, p.Code, p.IsRelative, want)
			}
		}
	}
	if r := judged(t, now, nil, Claim{Evidence: cite(t, "-same.py")}); !r.Problems[0].IsRelative {
		t.Errorf("without a base: %+v", r.Problems)
	}
}

// counting counts how often files are read.
type counting struct {
	Files
	reads *int
}

func (c counting) Read(ctx context.Context, e Entry) ([]byte, error) {
	*c.reads++
	return c.Files.Read(ctx, e)
}

func TestTwoVersionsAreComparedOnce(t *testing.T) {
	base := memory{"a.lock": file(strings.Repeat("x\n", 50) + "old\n")}
	now := memory{"a.lock": file(strings.Repeat("x\n", 50) + "new\n")}
	tree, old := now.tree(), base.tree()
	reads := 0
	tree.Files = counting{tree.Files, &reads}
	j := &Judge{Tree: tree, Base: &old, Cache: NewCache()}
	for range 40 {
		if r, err := j.Evidence(t.Context(), Claim{Evidence: cite(t, "-a.lock:51")}); err != nil || r.Verdict != report.Verified {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if reads != 1 {
		t.Errorf("the new version was read and compared %d times", reads)
	}
}

func TestRemovalsCompareTheBaseWithTheTree(t *testing.T) {
	old := "import a\n\n\ndef gone():\n    return 1\n\n\ndef kept():\n    return 2\n\n\ndef half():\n    x = 1\n    return x\n"
	now := "import a\n\n\ndef kept():\n    return 2\n\n\ndef half():\n    return x\n"
	base := memory{"a.py": file(old), "legacy.py": file("x = 1\n"), "same.py": file("x = 1\n"), "b.bin": file("\x00"), "dir/x.py": file("1\n")}
	tree := memory{"a.py": file(now), "same.py": file("x = 1\n"), "new.py": file("x = 1\n"), "b.bin": file("\x00\x01")}
	for evidence, want := range map[string]string{
		"-legacy.py":     "verified",
		"-legacy.py:1":   "verified",
		"-legacy.py:2":   "not_verified checklist_evidence_line_out_of_range",
		"-dir":           "verified",
		"-same.py":       "not_verified evidence_not_removed",
		"-same.py:1":     "not_verified evidence_not_removed",
		"-never.py":      "unclear evidence_unclear",
		"-never.py:3-4":  "unclear evidence_unclear",
		"-new.py":        "not_verified evidence_not_removed",
		"-new.py:1":      "unclear evidence_unclear",
		"-a.py:4-5":      "verified",
		"-a.py:4-7":      "verified",
		"-a.py:2-5":      "verified",
		"-a.py:6-7":      "verified",
		"-a.py:8-9":      "not_verified evidence_not_removed",
		"-a.py:12-14":    "unclear evidence_unclear",
		"-a.py:13":       "verified",
		"-a.py:4-99":     "not_verified checklist_evidence_line_out_of_range",
		"-b.bin:1":       "unclear evidence_unclear",
		"-legacy.py:1#x": "verified",
	} {
		r := judged(t, tree, base, Claim{Evidence: cite(t, evidence), Kind: KindRemoval})
		if got := describe(r); got != want {
			t.Errorf("%s: %s (%s), want %s", evidence, got, r.Reason, want)
		}
	}
	if got := describe(judged(t, tree, nil, Claim{Evidence: cite(t, "-legacy.py")})); got != "unclear evidence_unclear" {
		t.Errorf("without a base: %s", got)
	}
}

// broken fails to do one thing.
type broken struct {
	Files
	at string
}

var errBroken = errors.New("broken")

func (b broken) err(at string) error {
	if b.at == at {
		return errBroken
	}
	return nil
}

func (b broken) Stat(ctx context.Context, path string) (Entry, error) {
	e, err := b.Files.Stat(ctx, path)
	return e, cmp.Or(b.err("stat"), err)
}

func (b broken) Size(ctx context.Context, e Entry) (int64, error) {
	n, err := b.Files.Size(ctx, e)
	return n, cmp.Or(b.err("size"), err)
}

func (b broken) Read(ctx context.Context, e Entry) ([]byte, error) {
	src, err := b.Files.Read(ctx, e)
	return src, cmp.Or(b.err("read"), err)
}

func (b broken) Paths(ctx context.Context) ([]string, error) {
	paths, err := b.Files.Paths(ctx)
	return paths, cmp.Or(b.err("paths"), err)
}

func TestAReaderThatFailsIsAnError(t *testing.T) {
	for _, name := range []string{"stat", "size", "read", "paths"} {
		tree := Tree{Files: broken{repository(), name}}
		evidence := "src/auth.py:4-5"
		if name == "paths" {
			evidence = "src/none.py:4-5"
		}
		for _, e := range []string{evidence, strings.TrimSuffix(evidence, ":4-5")} {
			if name != "stat" && name != "paths" && !strings.Contains(e, ":") {
				continue
			}
			r, err := (&Judge{Tree: tree}).Evidence(t.Context(), Claim{Evidence: cite(t, e)})
			if !errors.Is(err, errBroken) || r.Verdict != 0 {
				t.Errorf("%s, %s: %+v, %v; want an error and an empty result", name, e, r, err)
			}
		}
	}
}

func TestACancelledContextIsAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	j := &Judge{Tree: repository().tree(), Cache: NewCache()}
	if r, err := j.Evidence(ctx, Claim{Evidence: cite(t, "src/auth.py:4-5")}); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v; want context.Canceled", r, err)
	}
	// the failure must not stay in the cache
	if r, err := j.Evidence(t.Context(), Claim{Evidence: cite(t, "src/auth.py:4-5")}); err != nil || r.Verdict != report.Verified {
		t.Errorf("afterwards: %+v, %v", r, err)
	}
}

func TestABlobIsParsedOnce(t *testing.T) {
	cache := NewCache()
	var models []*model
	for range 3 {
		m, err := cache.model(t.Context(), grammarOf("a.py"), Source{"a.py", []byte("x = 1\n"), "id"})
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, m)
	}
	if models[0] != models[1] || models[1] != models[2] {
		t.Error("the same blob was parsed more than once")
	}
	other, err := cache.model(t.Context(), grammarOf("a.pyi"), Source{"a.pyi", []byte("x = 1\n"), "id"})
	if err != nil || other == models[0] {
		t.Errorf("a name that changes the meaning shares a model (%v)", err)
	}
}

func TestTheCacheKeepsWhatThereIsRoomFor(t *testing.T) {
	var all cacheMap[int, string]
	found := 0
	ask := func(key int) {
		if got, err := all.get(key, 9, func() (string, int, error) { found++; return fmt.Sprint(key), 3, nil }); err != nil ||
			got != fmt.Sprint(key) {
			t.Errorf("%d: %q, %v", key, got, err)
		}
	}
	for key := range 5 {
		ask(key)
	}
	for key := range all.entries {
		ask(key)
	}
	if found != 5 || all.weight != 9 || len(all.entries) != 3 || len(all.order) != 3 || all.entries[4] == nil {
		t.Errorf("found %d times, %d kept of weight %d", found, len(all.entries), all.weight)
	}
	for n := range 500 { // in one order, where the oldest of five is never there any more
		ask(n % 5)
	}
	if found > 450 || all.weight != 9 || len(all.entries) != 3 {
		t.Errorf("of 500 readings again %d were none, %d kept of weight %d", found-5, len(all.entries), all.weight)
	}
	found = 6
	broken := errors.New("broken")
	if _, err := all.get(7, 9, func() (string, int, error) { return "", 1, broken }); err != broken {
		t.Errorf("%v, want %v", err, broken)
	}
	if ask(7); found != 7 {
		t.Error("an error was kept")
	}
}

func TestLanguageOf(t *testing.T) {
	for path, want := range map[string]string{
		"a.py": "python", "a.pyi": "python", "A.PY": "python", "SConstruct": "python", "x/a.go": "go",
		"a.jsx": "javascript", "a.mjs": "javascript", "a.ts": "typescript", "a.d.ts": "typescript", "a.tsx": "tsx",
		"a.md": "markdown", "a.txt": "", "Dockerfile.dev": "dockerfile", "Dockerfile.md": "markdown", ".eslintrc.yml": "yaml", ".eslintrc": "json", "a.tf": "hcl", "Makefile": "", "": "", "py": "", ".py": "python", "a.py/b": "",
	} {
		if got := LanguageOf(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

func TestEveryQueryCompiles(t *testing.T) {
	for _, g := range grammars() {
		if _, err := compile(g.Language); err != nil {
			t.Error(err)
		}
	}
}

func TestSymbolsAreQualified(t *testing.T) {
	tree := memory{
		"a.py": file("class A:\n    class B:\n        def m(self):\n            def inner(): return 1\n            return inner\n\n\n@dec\ndef f():\n    return 1\n"),
		"a.js": file("it(\"adds\", () => {\n  function help() { go(); }\n  help();\n});\n"), // a title is no symbol
	}.tree()
	for path, want := range map[string]string{"a.py": "[A A.B A.B.m A.B.m.inner f]", "a.js": "[help]"} {
		o, err := tree.Outline(t.Context(), path)
		if err != nil || o == nil {
			t.Fatal(o, err)
		}
		var symbols []string
		for _, d := range o.Definitions {
			if !d.IsTitled {
				symbols = append(symbols, d.Symbol)
			}
		}
		if got := fmt.Sprint(symbols); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestOnlyCodeHasDefinitionsThatCouldBeStubs(t *testing.T) {
	for path, want := range map[string]bool{"a.py": true, "a.tsx": true, "a.sql": false, "a.yaml": false, "a.md": false, "a.xyz": false} {
		if got := HasDefinitions(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

// Prose that cannot be read as a whole is judged line by line.
func TestProseThatIsUnreadableIsJudgedByItsLines(t *testing.T) {
	src := "Text.\n\n" + strings.Repeat("(", maxNesting+1) + "\n"
	for lines, want := range map[string]string{"1": "verified", "2": "not_verified checklist_evidence_empty_impl"} {
		r := judged(t, memory{"a.md": file(src)}, nil, Claim{Evidence: cite(t, "a.md:"+lines), Kind: KindText})
		if got := describe(r); got != want {
			t.Errorf("%s: %s, want %s", lines, got, want)
		}
	}
}

func TestTheNearestNameIsTheSameFile(t *testing.T) {
	paths := []string{"src/auth.py", "src/author.py", "lib/auth.py", "lib/deep/down/session.py", "README.md", "src/auth_test.py", "a,b.py"}
	for name, want := range map[string]string{
		"session.py": "lib/deep/down/session.py",
		"auth.py":    "lib/auth.py",
		"Readme.md":  "README.md",
		"b.py":       "a,b.py",
		"zzzzzzzzz":  "",
		"":           "",
	} {
		if got := nearest(paths, name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
