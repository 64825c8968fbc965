package hooks

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/record/worklog"
)

func TestPrepareNamesWhoCommits(t *testing.T) {
	const act = "ACT: T01 add f\n\nDone: add f | f.py:1-3\n"
	named := map[string]string{"GIT_EDITOR": ":", "ACTA_ACTOR": "ada", "ACTA_SESSION": "s-1"}
	with := func(more ...string) map[string]string {
		env := maps.Clone(named)
		for i := 0; i < len(more); i += 2 {
			env[more[i]] = more[i+1]
		}
		return env
	}
	w, r := newRepository(t)
	for name, c := range map[string]struct {
		message string
		env     map[string]string
		source  string // git's second argument
		want    string // "" for as it was
	}{
		"an ACT":                      {act, named, "message", act + "Actor: ada\nSession: s-1\n"},
		"an ADAPT":                    {"ADAPT: T01 split\n", named, "message", "ADAPT: T01 split\n\nActor: ada\nSession: s-1\n"},
		"a plain commit":              {"Work\n", named, "message", ""},
		"a plain commit of a task":    {"Work\n", with("ACTA_UNIT", "T01"), "message", "Work\n\nActor: ada\nSession: s-1\n"},
		"what is named already stays": {act + "Actor: bob\n", named, "message", act + "Actor: bob\nSession: s-1\n"},
		"all is named already":        {act + "Actor: bob\nSession: s-2\n", named, "message", ""},
		"white space in a name":       {act, with("ACTA_ACTOR", " ada\tl. \n"), "message", act + "Actor: ada l.\nSession: s-1\n"},
		"nobody is known":             {act, byM, "message", ""},
		"a merge":                     {act, named, "merge", ""},
		"a squash":                    {act, named, "squash", ""},
		"a fixup":                     {"fixup! " + act, with("ACTA_UNIT", "T01"), "message", ""},
		"a revert":                    {"Revert \"ACT: T01 add f\"\n\nThis reverts commit " + strings.Repeat("1", 40) + ".\n", named, "message", ""},
		"a message without a line":    {"", with("ACTA_UNIT", "T01"), "", ""},
		"a message of blank lines":    {"\n\n", with("ACTA_UNIT", "T01"), "", ""},
		"one longer than is judged":   {act + strings.Repeat("words\n", parser.MaxMessage/6), named, "message", ""},
		"above an editor's comments": {act + "\n# Please enter\n# act: a comment\n", with("GIT_EDITOR", "vi"), "",
			act + "Actor: ada\nSession: s-1\n\n# Please enter\n# act: a comment\n"},
		"a title among the comments alone": {"\n# act: a comment\n", with("GIT_EDITOR", "vi"), "", ""},
	} {
		file := messageFile(w, c.message)
		a, err := PrepareCommitMsg(t.Context(), r, call(w, c.env, file, c.source))
		if err != nil || a.Code() != 0 || a.Warnings != nil {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
		if c.want == "" {
			c.want = c.message
		}
		if got := w.Read(".git/COMMIT_EDITMSG"); got != c.want {
			t.Errorf("%s:\n%.300swant\n%.300s", name, got, c.want)
		}
	}
}

func TestPrepareReadsGitsConfiguration(t *testing.T) {
	w, r := newRepository(t)
	w.Git("config", "acta.actor", "from-config")
	w.Git("config", "acta.session", "s-config")
	file := messageFile(w, "ACT: T02 x\n")
	if _, err := PrepareCommitMsg(t.Context(), r, call(w, map[string]string{"GIT_EDITOR": ":", "ACTA_ACTOR": "from-env"}, file)); err != nil {
		t.Fatal(err)
	}
	if got, want := w.Read(".git/COMMIT_EDITMSG"), "ACT: T02 x\n\nActor: from-env\nSession: s-config\n"; got != want {
		t.Errorf("%q, want %q: the environment comes first", got, want)
	}
}

func TestPrepareNamesTheSessionThatRuns(t *testing.T) {
	w, r := newRepository(t)
	gitDir, common, err := r.Dirs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l, _, err := worklog.Begin(t.Context(), r, gitDir, common, time.Date(2026, 1, 26, 15, 0, 0, 0, time.UTC), worklog.Beginning{})
	if err != nil || l == nil {
		t.Fatal(err)
	}
	if _, err := PrepareCommitMsg(t.Context(), r, call(w, byM, messageFile(w, "ACT: T02 x\n"))); err != nil {
		t.Fatal(err)
	}
	if got, want := w.Read(".git/COMMIT_EDITMSG"), "ACT: T02 x\n\nSession: "+l.ID+"\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPrepareLeavesAloneWhatGitMakesAgain(t *testing.T) {
	w, r := newRepository(t)
	env := map[string]string{"GIT_EDITOR": ":", "ACTA_ACTOR": "ada"}
	for _, name := range []string{"CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"} {
		w.Write(".git/"+name, "x\n")
		if _, err := PrepareCommitMsg(t.Context(), r, call(w, env, messageFile(w, "ACT: T02 x\n"))); err != nil {
			t.Fatal(err)
		}
		if got := w.Read(".git/COMMIT_EDITMSG"); got != "ACT: T02 x\n" {
			t.Errorf("with %s the message becomes %q", name, got)
		}
		if err := os.Remove(filepath.Join(w.CommonDir(), name)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPrepareNeedsItsFile(t *testing.T) {
	w, r := newRepository(t)
	for _, args := range [][]string{nil, {filepath.Join(w.Dir, "nowhere")}} {
		if _, err := PrepareCommitMsg(t.Context(), r, call(w, byM, args...)); err == nil {
			t.Errorf("%q are read", args)
		}
	}
}
