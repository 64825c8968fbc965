package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneFindingForOneMistake: what agents commonly get wrong is told once, in at most 6 lines a finding with what sums up.
func TestOneFindingForOneMistake(t *testing.T) {
	v, acta := mistaken(t), newWorkers(t)
	const login, logout = "Done: Add login() | src/auth.py:1-2\n", "Done: Add logout() | src/auth.py:5-6\n"
	for _, c := range []struct {
		name, report, want string
	}{
		{"a wrong path", "Done: Add login() | auth.py:1-2\n" + logout, "checklist_evidence_file_not_found"},
		{"a file that is not staged", "Done: Add login() | src/new.py:1-2\n" + logout, "checklist_evidence_file_not_found"},
		{"a line beyond the end", "Done: Add login() | src/auth.py:42-58\n" + logout, "checklist_evidence_line_out_of_range"},
		{"no bar", "Done: Add login(): src/auth.py:1-2\n" + logout, "checklist_evidence_required"},
		{"another text of the item", "Done: Add the login | src/auth.py:1-2\n" + logout, "checklist_items_mismatch"},
		{"an item left out", login, "checklist_items_mismatch"},
		{"a pending item", login + "Pending: Add logout()\n", "checklist_item_pending"},
		{"no evidence", login + "Done: Add logout()\n", "checklist_evidence_required"},
		{"skipped without a reason", login + "Skipped: Add logout()\n", "checklist_reason_required"},
		{"a TODO", login + "Done: Add logout() | src/left.py:1-3\n", "checklist_evidence_empty_impl"},
		{"a pass", login + "Done: Add logout() | src/left.py:6-7\n", "checklist_evidence_empty_impl"},
		{"lines outside of the change", login + "Done: Add logout() | old.py:1-2\n", "evidence_not_in_diff"},
		{"other lines outside of the change", login + "Done: Add logout() | old.py:5-6\n", "evidence_not_in_diff"},
		{"another function's lines", login + "Done: Add logout() | src/auth.py:1-2#login\n", "evidence_reused evidence_unclear"},
		{"one span for two items", "Done: Add login() | src/auth.py:1-6\nDone: Add logout() | src/auth.py:1-6\n", "evidence_reused"},
		// What is said twice is no untruth.
		{"one span twice in a line", login + "Done: Add logout() | src/auth.py:5-6, src/auth.py:5-6\n", ""},
		{"no report", "Everything works.\n", "checklist_missing"},
		{"an absolute path", "Done: Add login() | /src/auth.py:1-2\n" + logout, "checklist_evidence_format_invalid"},
		{"a link of a web page", "Done: Add login() | src/auth.py#L1-L2\n" + logout, "checklist_evidence_format_invalid"},
		{"a folder", "Done: Add login() | src\n" + logout, "checklist_evidence_file_not_found"},
		{"a binary", "Done: Add login() | logo.png:1\n" + logout, "evidence_unclear"},
	} {
		v.mistake(acta, c.name, "ACT: T01 login\n\n"+c.report, c.want)
	}
	v.mistake(acta, "a task that is not there", "ACT: T09 login\n\n"+login+logout, "plan_unit_unknown")
	v.mistake(acta, "a task that is complete", "ACT: T02 more\n\n"+login, "act_not_allowed")
	v.mistake(acta, "a title in lower case", "act: T01 login\n\n"+login+logout, "report_unread")
}

// mistaken is a repository with a plan and staged work, to make mistakes about.
func mistaken(t *testing.T) *vector {
	t.Helper()
	home := t.TempDir()
	v := &vector{T: t, home: home, dir: filepath.Join(home, "r"), acta: actaCommand(t)}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(v.dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	write("old.py", "def logout(user):\n    user.leave()\n\n\ndef name(user):\n    return user.name\n")
	write("working_plan/current.json", `{"id": "ROOT", "type": "parent", "status": "in_progress", "children": [
  {"id": "T01", "type": "atomic", "checklist": [{"item": "Add login()"}, {"item": "Add logout()"}]},
  {"id": "T02", "type": "atomic", "status": "complete"}
]}`)
	write("src/left.py", "def logout(user):\n    # TODO: write it\n    raise NotImplementedError\n\n\ndef leave(user):\n    pass\n")
	v.git("init", "--quiet", "--initial-branch=main")
	v.git("add", ".")
	v.git("commit", "--quiet", "-m", "Base")
	write("src/auth.py", "def login(user):\n    return user.check()\n\n\ndef logout(user):\n    user.session.close()\n")
	write("logo.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	v.git("add", ".")
	write("src/new.py", "def login(user):\n    return user.check()\n")
	return v
}

// mistake checks a message whose findings are of these rules.
func (v *vector) mistake(acta workers, name, message, want string) {
	v.Helper()
	out, errs, code := acta.in(v, message, "check", "--message", "-", "--format", "json")
	var report struct{ Findings []struct{ Rule string } }
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		v.Fatalf("%s: %v, exit code %d\n%s%s", name, err, code, out, errs)
	}
	var rules []string
	for _, f := range report.Findings {
		rules = append(rules, f.Rule)
	}
	if strings.Join(rules, " ") != want {
		v.Errorf("%s: %v, want %s", name, rules, want)
	}
	if text, _, _ := acta.in(v, message, "check", "--message", "-"); strings.Count(text, "\n") > 6*max(1, len(rules)) {
		v.Errorf("%s prints\n%s", name, text)
	}
}
