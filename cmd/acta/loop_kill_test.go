//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// The plan of the kill test, and every commit that working through it makes, each once.
const killPlan = `{
  "id": "ROOT",
  "type": "parent",
  "status": "pending",
  "children": [
    {
      "id": "S01",
      "type": "parent",
      "status": "pending",
      "children": [
        {
          "id": "T01",
          "type": "atomic",
          "status": "pending",
          "failure_threshold": 0.0,
          "checklist": [
            {"item": "Add one() to T01.py"}
          ]
        },
        {
          "id": "T02",
          "type": "atomic",
          "status": "pending",
          "failure_threshold": 0.0,
          "checklist": [
            {"item": "Add one() to T02.py"}
          ]
        }
      ]
    }
  ]
}
`

var killCommits = []string{
	"First", "ACT: S01/T01", "ADAPT: S01/T01", "ACT: S01/T02", "ADAPT: S01/T02", "ADAPT: S01", "ADAPT: ROOT",
}

// tick counts what happens, and kills the loop when it is time: the process group of the loop, git
// included, or the loop alone. It is called by a git in front of git, by a hook in the midst of git, and by the agents;
// it starts no process.
const tick = `#!/bin/sh
printf . >>"$TICKS"
read -r ticks <"$TICKS"
if [ ${#ticks} -ge "$KILL_AT" ]; then kill -9 "$KILL$LOOP" 2>/dev/null; fi
:
`

const killExecutor = `tick; printf 'def one():\n' >$UNIT.py; tick; printf '    return compute(1)\n' >>$UNIT.py; ` +
	`echo '{"outcome": "success", "checklist": [{"item": "Add one() to '$UNIT'.py", "status": "done", "evidence": "'$UNIT'.py:1-2"}]}'; tick`

// killed is a repository whose loop is killed.
type killed struct {
	*testing.T
	dir, acta string
	env       []string
}

func newKilled(t *testing.T, home string) *killed {
	t.Helper()
	k := &killed{T: t, dir: filepath.Join(home, "r"), acta: actaCommand(t)}
	k.env = append(os.Environ(), append(gitEnv(home),
		"PATH="+filepath.Join(home, "bin")+":"+filepath.Dir(k.acta)+":"+os.Getenv("PATH"), "TICKS="+os.DevNull, "KILL_AT=1")...)
	return k
}

// another is a copy of the repository.
func (k *killed) another(t *testing.T) *killed {
	t.Helper()
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(filepath.Dir(k.dir))); err != nil {
		t.Fatal(err)
	}
	return newKilled(t, home)
}

// begin makes the repository, and the git in front of git.
func (k *killed) begin() *killed {
	k.Helper()
	bin := filepath.Join(filepath.Dir(k.dir), "bin")
	git, err := exec.LookPath("git")
	if err != nil {
		k.Fatal(err)
	}
	for file, text := range map[string]string{
		bin + "/tick": tick,
		bin + "/git":  "#!/bin/sh\n. tick\nexec '" + git + "' \"$@\"\n",
		k.dir + "/.git/hooks/reference-transaction": "#!/bin/sh\nexec tick\n",
		k.dir + "/working_plan/current.json":        killPlan,
	} {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			k.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			k.Fatal(err)
		}
	}
	if out, code := k.run("git init -q -b main && git add . && git commit -q -m First && acta install", 0, ""); code != 0 {
		k.Fatal(out)
	}
	return k
}

// run runs a line of shell in a process group of its own; at is when the loop is killed, 0 for never.
func (k *killed) run(line string, at int, group string) (string, int) {
	ticks := filepath.Join(k.TempDir(), "ticks")
	cmd := exec.Command("sh", "-c", "LOOP=$$; export LOOP; "+line)
	cmd.Dir, cmd.SysProcAttr = k.dir, &syscall.SysProcAttr{Setpgid: true}
	cmd.Env = append(k.env, "TICKS="+ticks, fmt.Sprintf("KILL_AT=%d", at), "KILL="+group)
	if at == 0 {
		cmd.Env = append(cmd.Env, "KILL_AT=1000000")
	}
	out, err := os.Create(filepath.Join(filepath.Dir(ticks), "out"))
	if err != nil {
		k.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out // a file, so that what outlives the loop is not waited for
	_ = cmd.Run()                     // the exit code says it
	said, err := os.ReadFile(out.Name())
	if err != nil {
		k.Fatal(err)
	}
	return string(said), cmd.ProcessState.ExitCode()
}

var lockNamed = regexp.MustCompile(`git's lock file (\S+\.lock) exists`)

// until runs the loop until it is killed or done. A lock that a killed git left is removed as the loop asks for.
func (k *killed) until(at int, group string) (wasKilled bool) {
	example, err := filepath.Abs("../../docs/examples/loop")
	if err != nil {
		k.Fatal(err)
	}
	line := "exec acta loop --actor executor-01 --executor '" + "UNIT=${ACTA_UNIT##*/}; " + strings.ReplaceAll(killExecutor, "'", `'\''`) + "' " +
		"--assessor 'tick; " + example + "/assessor.sh; tick' --navigator 'tick; " + example + "/navigator.sh; tick'"
	for {
		said, code := k.run(line, at, group)
		lock := lockNamed.FindStringSubmatch(said)
		switch {
		case code == -1:
			return true
		case code == 0:
			return false
		case code == exitUndecided && lock != nil && strings.HasPrefix(lock[1], filepath.Join(k.dir, ".git")+"/"):
			if err := os.Remove(lock[1]); err != nil {
				k.Fatal(err)
			}
		default:
			k.Fatalf("exit code %d\n%s\n%s", code, said, k.log())
		}
	}
}

func (k *killed) log() string {
	out, _ := k.run("git log --graph --oneline; git status; cat working_plan/current.json", 0, "")
	return out
}

// Killed again and again, at any instant, the loop makes each commit once and loses nothing.
func TestTheLoopGoesOnWhereItWasKilled(t *testing.T) {
	points := 50
	if testing.Short() {
		points = 5
	}
	const perRepository = 5
	begun := newKilled(t, t.TempDir()).begin()
	for seed := range points / perRepository {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r, k := rand.New(rand.NewPCG(5, uint64(seed))), begun.another(t)
			for n, whole := 0, 0; n < perRepository; {
				group := []string{"", "-"}[r.IntN(2)] // the loop alone, or all of its group
				if k.until(1+r.IntN(50), group) {
					n++
					continue
				}
				k.done()
				if whole++; whole > perRepository {
					t.Fatal("the loop is not killed")
				}
				k = begun.another(t)
			}
			k.until(0, "")
			k.done()
		})
	}
}

// done asks for everything that must be there in the end.
func (k *killed) done() {
	k.Helper()
	said, _ := k.run("git log --reverse --format=%s", 0, "")
	var titles []string
	for line := range strings.Lines(said) {
		f := strings.Fields(line)
		titles = append(titles, strings.Join(f[:min(2, len(f))], " "))
	}
	if got, want := strings.Join(titles, "\n"), strings.Join(killCommits, "\n"); got != want {
		k.Errorf("got\n%s\nwant\n%s\n%s", got, want, k.log())
	}
	if said, code := k.run("git status --porcelain && git fsck --no-dangling --no-progress", 0, ""); said != "" || code != 0 {
		k.Errorf("the work tree or the repository is not clean: %s", said)
	}
	if said, code := k.run("cat T01.py T02.py && ls .git", 0, ""); code != 0 || strings.Count(said, "return compute(1)") != 2 || strings.Contains(said, "acta-loop.index") {
		k.Errorf("a file is not what it should be: %s", said)
	}
	if said, code := k.run("acta verify $(git rev-list --max-parents=0 HEAD)..HEAD", 0, ""); code != 0 || !strings.Contains(said, "2 verified; 0 errors, 0 warnings") {
		k.Errorf("exit code %d: %s", code, said)
	}
}
