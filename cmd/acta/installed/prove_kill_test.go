//go:build unix

package installed_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/acta-git/acta/repo/repotest"
)

// A proof that is ended or killed at any moment leaves neither a work tree nor what ran in it.
func TestNothingIsLeftOfAProofThatIsKilled(t *testing.T) {
	w := repotest.NewWorkTree(t)
	w.Commit("Start")
	w.Write("lib.sh", "one() {\n\techo 1\n}\n\ntwo() {\n\techo 2\n}\n")
	w.Commit("ACT: T01 lib\n\nDone: Add one() and two() to lib.sh | lib.sh:1-7\n")
	temporary := filepath.Join(filepath.Dir(w.Dir), "tmp")
	if err := os.Mkdir(temporary, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temporary)
	before := w.Git("status", "--porcelain") + w.Git("worktree", "list")
	signals := []os.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	for i := range 40 {
		cmd := exec.Command(acta, "prove", "-j", "2", "--", "sh", "-c", ". ./lib.sh; sleep 0.05 & wait")
		cmd.Dir = w.Dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i) * 8 * time.Millisecond)
		_ = cmd.Process.Signal(signals[i%len(signals)])
		_ = cmd.Wait()
		left, after := "", ""
		for range 200 {
			// A process that is just being started shows neither arguments nor environment of its own.
			left, after = leftOf(w, temporary), w.Git("status", "--porcelain")+w.Git("worktree", "list")
			if left == "" && after == before {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		if left != "" || after != before {
			t.Fatalf("after %d ms %s leaves %s\n%s", i*8, signals[i%len(signals)], left, after)
		}
	}
}

// leftOf lists the files, registrations and processes that a proof has left. A process that was given the folder's name
// counts too: it may not have made the folder yet.
func leftOf(w *repotest.WorkTree, temporary string) string {
	files, _ := filepath.Glob(filepath.Join(temporary, "acta-prove-*"))
	registered, _ := filepath.Glob(filepath.Join(w.Dir, ".git", "worktrees", "*"))
	var running []string
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range processes {
		environment, _ := os.ReadFile(filepath.Join(name, "environ"))
		arguments, _ := os.ReadFile(filepath.Join(name, "cmdline"))
		if strings.Contains(string(environment)+string(arguments), "ACTA_PROVE="+temporary) {
			running = append(running, name)
		}
	}
	if len(files)+len(registered)+len(running) == 0 {
		return ""
	}
	return fmt.Sprint(files, registered, running)
}
