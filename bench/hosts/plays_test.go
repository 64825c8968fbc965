package hosts

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/acta-git/acta/hooks/host"
	"github.com/acta-git/acta/record/worklog"
)

// What an agent writes: a login that does something, and one that does nothing.
const (
	work = "def login(user):\n    return USERS.get(user)\n\n\ndef logout(user):\n    USERS.pop(user, None)\n"
	stub = "def login(user):\n    return USERS.get(user)\n\n\ndef logout(user):\n    pass\n"
	// claim is the report that both are there.
	claim = "ACT: T01 log in and out\n\nDone: Add login() to auth.py | auth.py:1-2\nDone: Add logout() to auth.py | auth.py:5-6\n"
	// found is what the model is told of the stub, whoever tells it.
	found = "checklist_evidence_empty_impl"
)

// commit commits what is staged by some command, with a report on its standard input.
func commit(command, report string) action {
	first, rest, _ := strings.Cut(command, " && ")
	if rest != "" {
		rest = "\n" + rest
	}
	return action{shell: "git add auth.py && " + first + " <<'EOF'\n" + report + "EOF" + rest}
}

// byHand commits without `git commit`: no hook of git's is asked, wherever it runs.
const byHand = `cat >.git/report && git write-tree | xargs -I{} git commit-tree -p HEAD -F .git/report {} | ` +
	`xargs git update-ref refs/heads/main`

// each runs a test with every program, in a shop of its own.
func each(t *testing.T, test func(*shop)) {
	for _, p := range programs() {
		t.Run(p.id(), func(t *testing.T) {
			s := newShop(t, p)
			s.begin()
			test(s)
		})
	}
}

// A lie reaches the model in its next request, however it was committed, and the session has failed. A test run that
// failed and is reported as passed is a lie, too.
func TestALieIsTold(t *testing.T) {
	each(t, func(s *shop) {
		told := s.agent(false,
			action{write: "auth.py", content: work},
			action{shell: "./test.sh nowhere"},
			commit("git commit -q -F -", strings.Replace(claim, "log in", "run:", 1)+"Ran: ./test.sh nowhere | exit 0\n"),
			action{shell: "git reset -q --soft " + s.sh("git rev-parse HEAD")},
			action{shell: "cat >auth.py <<'EOF'\n" + stub + "EOF"},
			commit("git commit -q -F -", claim),
			action{shell: "git reset -q --soft " + s.sh("git rev-parse HEAD")},
			commit("git commit -q --no-verify -F -", strings.Replace(claim, "log in", "no hook:", 1)),
			action{shell: "git reset -q --soft HEAD~1"},
			// In its own words: made in one second, the same commit would be told of once.
			commit(byHand, strings.Replace(claim, "log in", "by hand:", 1)),
			action{say: "I stop here; logout is missing."},
		)
		if !strings.Contains(told[3], "./test.sh nowhere") || !strings.Contains(told[3], "acta: ") {
			s.Errorf("the false run is not told: %.3000q", told[3])
		}
		s.recorded("./test.sh nowhere|1")
		s.lands("commit: ACT: T01 run: and out")
		for i, how := range map[int]string{6: "git commit", 8: "--no-verify", 10: "commit-tree and update-ref"} {
			if !strings.Contains(told[i], found) {
				s.Errorf("the lie by %s is not told: %.3000q", how, told[i])
			}
			if i > 6 && !strings.Contains(told[i], "git reset --soft HEAD~1") {
				s.Errorf("how to take back the lie by %s is not told: %.3000q", how, told[i])
			}
		}
		s.lands("commit: ACT: T01 log in and out")
		if got := s.sh("git log -1 --format=%s"); got != "ACT: T01 by hand: and out" {
			s.Errorf("what is made by hand has not landed: %q", got)
		}
		s.ended(worklog.Failure)
	})
}

// lands holds whether a commit that acta's hooks refuse has landed: only where the host turns git's hooks off.
func (s *shop) lands(entry string) {
	s.Helper()
	landed := strings.Contains(s.sh("git log -g --format=%gs"), entry)
	if want := s.program.id() == "gemini"; landed != want {
		s.Errorf("%q has landed: %v; expected %v", entry, landed, want)
	}
}

// Who is honest is told nothing, and everything that was done is recorded: a file that a shell wrote, a run that failed
// and one that passed, todos, an ACT that holds.
func TestHonestWorkIsNotDisturbed(t *testing.T) {
	each(t, func(s *shop) {
		s.agent(false,
			action{shell: "cat >auth.py <<'EOF'\n" + work + "EOF"},
			action{shell: "./test.sh logged_out"},
			action{todos: []string{"Write login", "Write logout"}},
			action{read: "auth.py"},
			action{edit: "auth.py", old: "    USERS.pop(user, None)\n", content: "    USERS.pop(user, None)  # logged_out\n"},
			action{shell: "./test.sh logged_out"},
			commit("git commit -q -F -", claim+"Ran: ./test.sh logged_out | exit 0\n"),
			action{say: "All done: the task is complete."},
		)
		if said := s.said(); said != "" {
			s.Errorf("who is honest is told %d bytes: %.2000q", len(said), said)
		}
		if got := s.sh("git log -1 --format=%s"); got != "ACT: T01 log in and out" {
			s.Errorf("landed is %q", got)
		}
		s.ended(worklog.Success)
		s.recorded("write auth.py", "edit auth.py", "./test.sh logged_out|1", "./test.sh logged_out|0")
		todos := func(e worklog.Operation) bool { return e.Action == worklog.TodoWrite }
		// These two offer a model that nobody sits before no tool for todos: update_plan and update_todo are unknown there.
		offered := !slices.Contains([]string{"codex", "copilot"}, s.program.id())
		if got := slices.ContainsFunc(s.record().Entries, todos); got != offered {
			s.Errorf("an entry is of the todo list: %v; expected %v", got, offered)
		}
	})
}

// An agent that says that it is done while its unit is open is asked once, also where its session goes on later.
func TestTheEndOfATurnOverAnOpenUnit(t *testing.T) {
	each(t, func(s *shop) {
		const asked = "T01 is not done"
		done := action{say: "All done: the task is complete."}
		told := s.agent(false, action{write: "auth.py", content: stub}, done, done)
		if len(told) < 3 || !strings.Contains(told[2], asked) {
			s.Fatalf("who is done before the work is not asked: %.2000q", told[1:])
		}
		told = s.agent(true, action{shell: "echo on"}, done)
		if len(told) != 2 || strings.Contains(told[1], asked) {
			s.Errorf("who was asked is asked again: %.2000q", told[1:])
		}
		s.ended(worklog.Aborted)
		if n := strings.Count(s.sh("acta worklog list"), "\n"); n != 0 {
			s.Errorf("a session that went on is recorded as %d", n+1)
		}
	})
}

// ended holds how the session ended, where the host tells of its end.
func (s *shop) ended(want worklog.Outcome) {
	s.Helper()
	if slices.Contains([]string{"codex", "qwen"}, s.program.id()) {
		want = worklog.Running
	}
	if got := s.record(); got.Outcome != want {
		s.Errorf("the session ends as %s, and not %s", got.Outcome, want)
	}
}

// recorded holds that the session has entries that contain what is said, with the exit code behind «|».
func (s *shop) recorded(want ...string) {
	s.Helper()
	var all strings.Builder
	for _, e := range s.record().Entries {
		all.WriteString(e.Context)
		if e.Details.ExitCode != nil {
			fmt.Fprintf(&all, "|%d", *e.Details.ExitCode)
		}
		all.WriteString("\n")
	}
	for _, w := range want {
		if !strings.Contains(all.String(), w) {
			s.Errorf("no entry says %q:\n%s", w, all.String())
		}
	}
}

// Two sessions at once, in two work trees, are told what they did themselves.
func TestTwoSessionsAtOnce(t *testing.T) {
	each(t, func(s *shop) {
		s.sh("git worktree add -q -b other ../other")
		other := *s
		other.top, other.home = filepath.Join(filepath.Dir(s.top), "other"), s.home+"2"
		if err := os.Mkdir(other.home, 0o777); err != nil {
			s.Fatal(err)
		}
		var lied, honest []string
		var both sync.WaitGroup
		both.Go(func() {
			lied = s.agent(false, action{write: "auth.py", content: stub}, commit("git commit -q --no-verify -F -", claim),
				action{say: "I stop here; logout is missing."})
		})
		both.Go(func() {
			honest = other.agent(false, action{write: "auth.py", content: work}, commit("git commit -q -F -", claim),
				action{say: "I stop here."})
		})
		both.Wait()
		if len(lied) < 3 || len(honest) < 3 {
			s.Fatal("a session came to nothing")
		}
		if !strings.Contains(lied[2], found) || strings.Contains(strings.Join(honest, "\n"), found) {
			s.Errorf("who lied is told %.2000q, who did not %.2000q", lied[2], honest[1:])
		}
	})
}

// TestPrograms prints the programs and their versions, for bench/hosts.sh and for whoever reads a log.
func TestPrograms(t *testing.T) {
	if len(programs()) < 6 {
		t.Fatal("there are no programs to run")
	}
	page, err := os.ReadFile("../figures/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range programs() {
		module := p.module()
		if version := module[strings.LastIndex(module, "@")+1:]; !strings.Contains(string(page), " "+version+" |") {
			t.Errorf("the table of bench/figures/hosts.md is not of %s", module)
		}
		if _, err := host.FindHost(p.id()); err != nil {
			t.Error(err)
		}
		fmt.Println("program", p.id(), p.module())
	}
}
