package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/acta-git/acta/repo/repotest"
	"github.com/acta-git/acta/report"
)

// A vector is a txtar file: base/… the files before the commit, commit/… those
// of the commit (a file absent there stays, one listed in "delete" goes away), the message, and
// what is expected: the exit code, a line a finding and a line a verdict.
//
// Every vector goes through every entry point: `acta check`, the commit-msg hook under
// real git, and `acta verify`; the two commands in processes that answer many calls. The three must give the same findings byte for byte, with commit blanked.
func TestVectorsThroughEveryEntryPoint(t *testing.T) {
	files, err := filepath.Glob("testdata/vectors/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 30 {
		t.Fatalf("found %d vectors; the harness looks in the wrong place", len(files))
	}
	acta := newWorkers(t)
	for _, file := range files {
		if sha256Names() && !oneOfEachKind.MatchString(file) {
			continue // what is judged there does not depend on how objects are named
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			v := newVector(t, archive)
			reports := v.reports(archive)
			staged := v.check(acta, reports)
			var hooked answer
			if oneOfEachKind.MatchString(file) || v.part("message") != asStored(v.part("message")) {
				hooked = v.commit()
			} else {
				hooked = v.hook(acta)
			}
			landed := v.verify(acta, reports)
			if reports != nil { // which the hook is not given
				hooked.findings, hooked.code = staged.findings, staged.code
			}
			if staged.findings != hooked.findings || staged.findings != landed.findings {
				t.Errorf("the entry points disagree\ncheck:  %s\nhook:   %s\nverify: %s", staged.findings, hooked.findings, landed.findings)
			}
			if staged.verdicts != hooked.verdicts || staged.verdicts != landed.verdicts {
				t.Errorf("the entry points disagree\ncheck:  %s\nhook:   %s\nverify: %s", staged.verdicts, hooked.verdicts, landed.verdicts)
			}
			if staged.results != landed.results {
				t.Errorf("the entry points disagree on results\ncheck:  %s\nverify: %s", staged.results, landed.results)
			}
			if staged.code != hooked.code || staged.code != landed.code {
				t.Errorf("exit codes: check %d, hook %d, verify %d", staged.code, hooked.code, landed.code)
			}
			v.expect(file, archive, staged)
		})
	}
}

type vector struct {
	*testing.T
	dir, acta, home string
	part            func(name string) string
}

type answer struct {
	code               int
	findings, verdicts string
	results            string
	summary            string // in the form of the vector's expect
}

func newVector(t *testing.T, archive *txtar.Archive) *vector {
	t.Helper()
	home := t.TempDir()
	v := &vector{T: t, home: home, dir: filepath.Join(home, "repository"), acta: actaCommand(t)}
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
	}
	v.part = func(name string) string { return parts[name] }
	repotest.Init(t, v.dir)
	var history strings.Builder
	v.history(&history, archive, "base/", "", "Base")
	for n := 1; parts[fmt.Sprint("message", n)] != ""; n++ { // earlier commits, if any
		v.history(&history, archive, fmt.Sprintf("commit%d/", n), fmt.Sprint("delete", n), parts[fmt.Sprint("message", n)])
	}
	// A pack of few objects would be taken apart by one more process.
	if _, errs, code := v.run(history.String(), "git", "-c", "fastimport.unpackLimit=0", "fast-import", "--quiet"); code != 0 {
		t.Fatal(errs)
	}
	v.files(archive, "commit/", "delete", v.remove, v.write)
	v.git("add", "--all")
	return v
}

// history adds a commit to what fast-import reads, and its files to the work tree.
func (v *vector) history(b *strings.Builder, archive *txtar.Archive, files, deleted, message string) {
	v.Helper()
	message = strings.TrimSpace(message) + "\n" // as `git commit -m` stores it
	fmt.Fprintf(b, "commit refs/heads/main\ncommitter executor-01 <executor-01@agents.invalid> 1769437935 +0000\ndata %d\n%s\n",
		len(message), message)
	v.files(archive, files, deleted, func(path string) {
		v.remove(path)
		fmt.Fprintf(b, "D %s\n", path)
	}, func(path string, data []byte) {
		v.write(path, data)
		fmt.Fprintf(b, "M 100644 inline %s\ndata %d\n%s\n", path, len(data), data)
	})
}

// files are those that a commit removes, and those that it writes.
func (v *vector) files(archive *txtar.Archive, prefix, deleted string, remove func(string), write func(string, []byte)) {
	for _, f := range archive.Files {
		if path, ok := strings.CutPrefix(f.Name, prefix); ok {
			write(path, f.Data)
		}
	}
	for path := range strings.Lines(v.part(deleted)) {
		remove(strings.TrimSpace(path))
	}
}

func (v *vector) write(name string, data []byte) {
	v.Helper()
	path := filepath.Join(v.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, data, 0o666)); err != nil {
		v.Fatal(err)
	}
}

func (v *vector) remove(name string) {
	v.Helper()
	if err := os.Remove(filepath.Join(v.dir, name)); err != nil {
		v.Fatal(err)
	}
}

func (v *vector) run(stdin, name string, args ...string) (stdout, stderr string, code int) {
	v.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin = v.dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), gitEnv(v.home)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		v.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func (v *vector) git(args ...string) {
	v.Helper()
	if out, errs, code := v.run("", "git", args...); code != 0 {
		v.Fatalf("git %v: %s%s", args, out, errs)
	}
}

// reports writes what stands below results/ beside the repository, and returns the options that name it: the report
// results/junit/a.xml is given with --junit.
func (v *vector) reports(archive *txtar.Archive) (options []string) {
	v.Helper()
	for _, f := range archive.Files {
		rest, ok := strings.CutPrefix(f.Name, "results/")
		if !ok {
			continue
		}
		kind, _, _ := strings.Cut(rest, "/")
		path := filepath.Join(v.home, f.Name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, f.Data, 0o666)); err != nil {
			v.Fatal(err)
		}
		options = append(options, "--"+kind, filepath.Join("..", f.Name))
	}
	return options
}

func (v *vector) check(acta workers, reports []string) answer {
	v.Helper()
	args := append([]string{"check", "--message", "-", "--format", "json"}, reports...)
	return v.ask(acta, v.part("message"), args)
}

// commit makes the commit through a hook that keeps what acta printed. A refused
// commit is then made with --no-verify, so that verify finds it.
func (v *vector) commit() answer {
	v.Helper()
	out, code := filepath.Join(v.home, "hook.json"), filepath.Join(v.home, "hook.code")
	hook := fmt.Sprintf("#!/bin/sh\n'%s' hook commit-msg --format json \"$1\" >'%s'\ncode=$?\necho $code >'%s'\nexit $code\n", v.acta, out, code)
	path := filepath.Join(v.dir, ".git", "hooks", "commit-msg")
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(hook), 0o755)); err != nil {
		v.Fatal(err)
	}
	_, errs, gitCode := v.run(v.part("message"), "git", "commit", "--quiet", "--allow-empty", "-F", "-")
	printed, err := os.ReadFile(out)
	if err != nil {
		v.Fatalf("the hook did not run: %v\n%s", err, errs)
	}
	var hookCode int
	if said, err := os.ReadFile(code); err != nil {
		v.Fatal(err)
	} else if _, err := fmt.Sscan(string(said), &hookCode); err != nil {
		v.Fatal(err)
	}
	if (hookCode == 0) != (gitCode == 0) {
		v.Fatalf("the hook said %d and git %d: %s", hookCode, gitCode, errs)
	}
	if gitCode != 0 {
		if _, errs, code := v.run(v.part("message"), "git", "commit", "--quiet", "--allow-empty", "--no-verify", "-F", "-"); code != 0 {
			v.Fatalf("git commit --no-verify: %s", errs)
		}
	}
	return v.read("hook", string(printed), errs, hookCode)
}

// oneOfEachKind are the vectors that real git runs the hook for, and those that are judged under SHA-256; for the others a
// worker answers the hook.
var oneOfEachKind = regexp.MustCompile("/(act_(anchor_moved|honest|missing_report|not_removed|removed_file|stub)|boxes_(honest|ticked)|" +
	"cherry_pick|empty_act|fixup|guard_(adapt_alone|plan_malformed|reopen|scope_outside)|intent_covered|joined_github|lang_go|" +
	"observation_one|path_spaces_unicode|plain_no_claim|policy_(invalid|weakened)|relation_rename|report_(file_broken|in_prose)|" +
	"reused_changed_since|revert|title_invisible|unit_conflict|waive|weaker_declared)\\.txtar$")

// asStored is a message as git hands it to the hook: without blanks at the ends of lines, and one empty line for many.
func asStored(message string) string {
	message = regexp.MustCompile(`[ \t\r]+\n`).ReplaceAllString(message, "\n")
	return strings.Trim(regexp.MustCompile(`\n{3,}`).ReplaceAllString(message, "\n\n"), "\n") + "\n"
}

// hook has a worker answer the hook as git calls it, and makes the commit with the message that it leaves, or, where
// it refuses, with the one that it was given.
func (v *vector) hook(acta workers) answer {
	v.Helper()
	file := filepath.Join(".git", "COMMIT_EDITMSG")
	v.write(file, []byte(v.part("message")))
	got := v.ask(acta, "", []string{"hook", "commit-msg", "--format", "json", file},
		"GIT_INDEX_FILE=.git/index", "GIT_EDITOR=:", "GIT_PREFIX=")
	if got.code != 0 {
		v.write(file, []byte(v.part("message")))
	}
	v.git("commit", "--quiet", "--allow-empty", "-F", file)
	return got
}

func (v *vector) verify(acta workers, reports []string) answer {
	v.Helper()
	args := append([]string{"verify", "--format", "json"}, reports...)
	return v.ask(acta, "", append(args, "HEAD~1..HEAD"))
}

// ask has a worker answer a command, in an environment with more variables.
func (v *vector) ask(acta workers, stdin string, args []string, more ...string) answer {
	v.Helper()
	got := acta.run(v.T, call{v.dir, stdin, append(gitEnv(v.home), more...), args})
	return v.read(args[0], got.Stdout, got.Stderr, got.Code)
}

var (
	anchorForm = regexp.MustCompile(`#[^,"; ]*`)
	commitForm = regexp.MustCompile(`\b[0-9a-f]{12}\b`)
)

// sha256Names reports whether git makes repositories whose objects are named by SHA-256 (git(1), GIT_DEFAULT_HASH).
func sha256Names() bool { return os.Getenv("GIT_DEFAULT_HASH") == "sha256" }

// read takes the report apart. Anchors that the hook appended are taken out of the verdicts' evidence.
func (v *vector) read(from, out, errs string, code int) answer {
	v.Helper()
	var report struct {
		Findings []map[string]any `json:"findings"`
		Verdicts []map[string]any `json:"verdicts"`
		Results  report.Results   `json:"results"`
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		v.Fatalf("%s printed no report (exit code %d): %v\n%s%s", from, code, err, out, errs)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "exit %d\n", code)
	for _, f := range report.Findings {
		f["commit"] = ""
		if from == "verify" { // which says what settles it
			hint, _, _ := strings.Cut(f["hint"].(string), "if it has landed, ")
			f["hint"] = strings.TrimSuffix(hint, "; ")
		}
		fmt.Fprintf(&b, "%s %s %s:%v:%v %s\n", f["severity"], f["rule"], f["path"], f["line"], f["column"], f["item"])
		fmt.Fprintf(&b, "  %s\n", f["message"])
		if f["hint"] != "" {
			fmt.Fprintf(&b, "  hint: %s\n", f["hint"])
		}
	}
	for _, d := range report.Verdicts {
		d["commit"] = ""
		d["evidence"] = anchorForm.ReplaceAllString(d["evidence"].(string), "")
		contradiction := ""
		if d["contradiction"] == true {
			contradiction = " (contradiction)"
		}
		fmt.Fprintf(&b, "%s%s: %s\n", d["verdict"], contradiction, d["item"])
	}
	for i := range report.Results.Claims {
		c := &report.Results.Claims[i]
		c.Commit = ""
		fmt.Fprintf(&b, "results of %s: %s\n", c.Item, c.Words())
	}
	results, err := json.Marshal(report.Results)
	if err != nil {
		v.Fatal(err)
	}
	findings, err1 := json.MarshalIndent(report.Findings, "", " ")
	verdicts, err2 := json.MarshalIndent(report.Verdicts, "", " ")
	if err := errors.Join(err1, err2); err != nil {
		v.Fatal(err)
	}
	return answer{code, string(findings), string(verdicts), string(results), b.String()}
}

func (v *vector) expect(file string, archive *txtar.Archive, got answer) {
	v.Helper()
	want := v.part("expect")
	if sha256Names() {
		// Commits have other names there; all else is the same.
		got.summary, want = commitForm.ReplaceAllString(got.summary, "COMMIT"), commitForm.ReplaceAllString(want, "COMMIT")
	}
	if got.summary == want {
		return
	}
	if os.Getenv("ACTA_UPDATE") == "" || sha256Names() {
		v.Errorf("got\n%s\nwant\n%s", got.summary, want)
		return
	}
	updated := false
	for i := range archive.Files {
		if archive.Files[i].Name == "expect" {
			archive.Files[i].Data, updated = []byte(got.summary), true
		}
	}
	if !updated {
		archive.Files = append(archive.Files, txtar.File{Name: "expect", Data: []byte(got.summary)})
	}
	if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
		v.Fatal(err)
	}
}
