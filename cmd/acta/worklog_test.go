package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/acta-git/acta/record/worklog"
)

// worklogBench is a repository, and its work trees, in which processes record at once.
type worklogBench struct {
	*testing.T
	acta, dir string
	env       []string
}

func newWorklogBench(t *testing.T) *worklogBench {
	home := t.TempDir()
	b := &worklogBench{t, actaCommand(t), filepath.Join(home, "r"), append(os.Environ(), gitEnv(home)...)}
	if err := os.Mkdir(b.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	b.run(b.dir, "git", "init", "-q", "-b", "main")
	b.run(b.dir, "git", "commit", "-q", "--allow-empty", "-m", "Base")
	return b
}

// run returns what a command prints; it must end well and complain of nothing.
func (b *worklogBench) run(dir, name string, args ...string) string {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, b.env
	var out, complaint strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil || name == b.acta && complaint.Len() > 0 {
		b.Errorf("%s %v: %v: %s", name, args, err, complaint.String())
	}
	return strings.TrimSpace(out.String())
}

func (b *worklogBench) log(dir, session, what string) {
	b.run(dir, b.acta, "worklog", "log", "--session", session, "--action", "Edit", "--status", "completed", "--context", what)
}

// stored is the document in the session's ref, and how often the ref was written.
func (b *worklogBench) stored(session string) (contexts map[string]int, writes int) {
	document := b.run(b.dir, "git", "show", "refs/worklog/"+session+":worklog.yaml")
	s, err := worklog.ReadSession([]byte(document))
	if err != nil {
		b.Fatal(err)
	}
	var shown worklog.Session
	if err := json.NewDecoder(bytes.NewReader([]byte(b.run(b.dir, b.acta, "worklog", "show", session, "--format", "json")))).Decode(&shown); err != nil {
		b.Fatal(err)
	}
	if len(shown.Entries) != len(s.Entries) {
		b.Errorf("%s: %d entries are shown, and %d stored", session, len(shown.Entries), len(s.Entries))
	}
	contexts = map[string]int{}
	for _, e := range s.Entries {
		contexts[e.Context]++
	}
	commits := b.run(b.dir, "git", "rev-list", "refs/worklog/"+session)
	return contexts, strings.Count(commits, "\n") + 1
}

// account holds that every entry is there, once.
func (b *worklogBench) account(session string, want []string) {
	contexts, writes := b.stored(session)
	for _, w := range want {
		if contexts[w] != 1 {
			b.Errorf("%s: the entry %q is there %d times", session, w, contexts[w])
		}
	}
	if delete(contexts, "execution is done"); len(contexts) != len(want) { // its checkpoint comes with the end
		b.Errorf("%s: %d entries, and %d were written", session, len(contexts), len(want))
	}
	if writes*5 > len(want) {
		b.Errorf("%s: the ref was written %d times for %d entries", session, writes, len(want))
	}
}

// Ten processes at a time write to one session, and no entry is lost.
func TestManyProcessesRecordInOneSession(t *testing.T) {
	const writers, each = 10, 8
	b := newWorklogBench(t)
	id := b.run(b.dir, b.acta, "worklog", "start", "--task", "many at once")
	var want []string
	var all sync.WaitGroup
	for w := range writers {
		for i := range each {
			want = append(want, fmt.Sprintf("writer %d entry %d", w, i))
		}
		all.Go(func() {
			for i := range each {
				b.log(b.dir, id, fmt.Sprintf("writer %d entry %d", w, i))
			}
		})
	}
	all.Wait()
	b.run(b.dir, b.acta, "worklog", "finish", "--outcome", "success")
	b.account(id, want)
}

// Ten sessions run at once in five work trees; each has its own entries, and nothing else.
func TestManySessionsRunAtOnce(t *testing.T) {
	const sessions, trees, each = 10, 5, 10
	b := newWorklogBench(t)
	dirs := []string{b.dir}
	for i := 1; i < trees; i++ {
		dir := fmt.Sprintf("%s-%d", b.dir, i)
		b.run(b.dir, "git", "worktree", "add", "-q", "--detach", dir)
		dirs = append(dirs, dir)
	}
	ids := make([]string, sessions)
	var all sync.WaitGroup
	for n := range sessions {
		all.Go(func() {
			dir := dirs[n%trees]
			ids[n] = b.run(dir, b.acta, "worklog", "start", "--task", fmt.Sprint("session ", n))
			for i := range each {
				b.log(dir, ids[n], fmt.Sprintf("session %d entry %d", n, i))
			}
			b.run(dir, b.acta, "worklog", "finish", "--session", ids[n], "--outcome", "success")
		})
	}
	all.Wait()
	for n, id := range ids {
		var want []string
		for i := range each {
			want = append(want, fmt.Sprintf("session %d entry %d", n, i))
		}
		b.account(id, want)
	}
	if n := strings.Count(b.run(b.dir, b.acta, "worklog", "list"), "stored"); n != sessions {
		t.Errorf("%d sessions are listed", n)
	}
}
