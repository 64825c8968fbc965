package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acta-git/acta/record/worklog"
)

// degraded are the calls that must not stand in the work's way, whatever the record meets. SESSION stands for the id.
var degraded = []struct {
	name string
	args []string
	in   string
}{
	{"start", []string{"worklog", "start", "--task", "More"}, ""},
	{"log", []string{"worklog", "log", "--session", "SESSION", "--action", "Bash", "--status", "failed", "--context", "go test ./...", "--exit-code", "1"}, ""},
	{"checkpoint", []string{"worklog", "checkpoint", "--session", "SESSION"}, ""},
	{"finish", []string{"worklog", "finish", "--session", "SESSION", "--outcome", "success"}, ""},
	{"post-commit", []string{"hook", "post-commit"}, ""},
	{"agent hook", []string{"agent", "hook", "--host", "claude"},
		`{"session_id":"s","cwd":"TOP","hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"go test ./..."},"error":"Exit code 1"}`},
}

// degradation is what is in the record's way.
type degradation struct {
	// spoil puts it there, lift takes it away; nil for nothing to do.
	spoil, lift func(b *worklogBench, session string)
	// within runs a call inside of it: the arguments go behind these. nil runs it as it is.
	within []string
	// silent are the calls of which nothing need be said: it is not in their way.
	silent string
}

// spoilt is a degradation by shell commands at the top of the repository; $s is the path of the session's files without their ends.
func spoilt(spoil, lift, silent string) degradation {
	by := func(script string) func(*worklogBench, string) {
		return func(b *worklogBench, session string) {
			if script != "" {
				b.run(b.dir, "sh", "-ec", "s=.git/acta/sessions/"+session+"; id="+session+"\n"+script)
			}
		}
	}
	return degradation{spoil: by(spoil), lift: by(lift), silent: silent}
}

func inside(script string) degradation {
	return degradation{within: []string{"sh", "-ec", script + "\nexec \"$@\"", "sh"}}
}

func degradations(t *testing.T) map[string]degradation {
	all := map[string]degradation{
		// Every write of a byte to a file fails, as on a full disk, for git as well.
		"no room": inside("ulimit -f 0"),
		// As where the disk is read-only, and for root as well: nothing can be made there.
		"no folder":              spoilt("mv .git/acta/sessions .git/acta/away; : >.git/acta/sessions", "rm .git/acta/sessions; mv .git/acta/away .git/acta/sessions", "post-commit"),
		"no state":               spoilt("mv .git/acta .git/away; : >.git/acta", "rm .git/acta; mv .git/away .git/acta", "post-commit"),
		"a locked ref":           spoilt("mkdir -p .git/refs/worklog; : >.git/refs/worklog/$id.lock", "rm .git/refs/worklog/$id.lock", "start"),
		"no objects":             spoilt("mv .git/objects .git/away; : >.git/objects", "rm .git/objects; mv .git/away .git/objects", ""),
		"a garbled line":         spoilt(`printf 'garbage\n' >>$s.jsonl`, "", "start"),
		"a torn line":            spoilt(`printf '{"prev":"x","ent' >>$s.jsonl`, "", "start"),
		"zeros":                  spoilt(`head -c 4096 /dev/zero >>$s.jsonl`, "", "start"),
		"no head":                spoilt(`rm $s.jsonl.head`, "", "start log checkpoint finish post-commit agent hook"),
		"a garbled head":         spoilt(`echo garbage >$s.jsonl.head`, "", "start log checkpoint finish post-commit agent hook"),
		"a garbled count":        spoilt(`echo garbage >$s.flushed`, "", "start log checkpoint finish post-commit agent hook"),
		"a wrong count":          spoilt(`echo '{"lines":9999}' >$s.flushed`, "", "start log checkpoint finish post-commit agent hook"),
		"a garbled start":        spoilt(`echo garbage >$s.json`, "", "start"),
		"a log that is a folder": spoilt(`mv $s.jsonl $s.away; mkdir $s.jsonl`, `rmdir $s.jsonl; mv $s.away $s.jsonl`, "start"),
		"no git":                 inside("PATH=" + t.TempDir()),
	}
	// With a mount of its own, where the machine lets a test have one: besides those above.
	if exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", t.TempDir()).Run() != nil {
		t.Log("no mounts here: a disk that is full or read-only is left to what stands for it")
		return all
	}
	mounted := func(script string) degradation {
		d := inside(script)
		d.within = append([]string{"unshare", "-rm"}, d.within...)
		return d
	}
	all["a full disk"] = mounted(`kept=$(mktemp -d); cp -a .git/acta/. $kept; mount -t tmpfs -o size=64k none .git/acta; cp -a $kept/. .git/acta; rm -r $kept; ! head -c 1M /dev/zero 2>/dev/null >.git/acta/fill`)
	all["a read-only disk"] = mounted(`mount --bind .git .git; mount -o remount,ro,bind .git`)
	return all
}

// Whatever is in the record's way, the call ends well and says so, and what was kept before is written when it can be.
func TestTheRecordStandsInNobodysWay(t *testing.T) {
	t.Parallel()
	made, acta := newWorklogBench(t), newWorkers(t)
	session := made.run(made.dir, made.acta, "worklog", "start", "--task", "Add the login")
	var kept []string
	for i := range 3 {
		kept = append(kept, fmt.Sprint("kept ", i))
		made.log(made.dir, session, kept[i])
	}
	made.run(made.dir, "git", "commit", "-q", "--allow-empty", "-m", "ACT: T01 x\n\nSkipped: X | nobody needs it any more\n")
	for name, d := range degradations(t) {
		for _, call := range degraded {
			t.Run(name+"/"+call.name, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "r")
				b := &worklogBench{t, made.acta, dir, append(made.env[:len(made.env):len(made.env)], "ACTA_SESSION="+session)}
				if err := os.CopyFS(dir, os.DirFS(made.dir)); err != nil {
					t.Fatal(err)
				}
				if d.spoil != nil {
					d.spoil(b, session)
				}
				b.degradedCall(d, call.name, call.args, strings.ReplaceAll(call.in, "TOP", dir), session)
				if d.lift != nil {
					d.lift(b, session)
				}
				b.recovered(acta, session, kept)
			})
		}
	}
}

func (b *worklogBench) degradedCall(d degradation, name string, args []string, in, session string) {
	b.Helper()
	line := append(append([]string{}, d.within...), b.acta)
	for _, a := range args {
		line = append(line, strings.ReplaceAll(a, "SESSION", session))
	}
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = b.dir, b.env, strings.NewReader(in)
	var out, complaint strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &complaint
	err := cmd.Run()
	warned := strings.Contains(complaint.String(), "acta: warning: ")
	if err != nil || !warned && !strings.Contains(d.silent, name) {
		b.Errorf("%v; it says %q", err, complaint.String())
	}
	if id := strings.TrimSpace(out.String()); name == "start" && !worklog.IsSessionID(id) {
		b.Errorf("start prints %q", id)
	}
	b.Log(complaint.String())
}

// recovered holds that what was kept before is in the session's ref when it has ended.
func (b *worklogBench) recovered(acta workers, session string, want []string) {
	b.Helper()
	run := func(args ...string) string { // it may complain: it has ended already, or something cannot be read
		b.Helper()
		got := acta.run(b.T, call{Dir: b.dir, Env: b.env, Args: append([]string{"worklog"}, args...)})
		if got.Code != exitClean {
			b.Errorf("acta worklog %v: exit code %d: %s", args, got.Code, got.Stderr)
		}
		return got.Stdout
	}
	run("finish", "--session", session, "--outcome", "success")
	stored := run("show", session, "--format", "yaml")
	for _, w := range want {
		if !strings.Contains(stored, "context: "+w+"\n") {
			b.Errorf("%q is lost", w)
		}
	}
	run("start", "--task", "Next")
	if left, err := filepath.Glob(filepath.Join(b.dir, ".git", "acta", "sessions", session+".running")); err != nil || len(left) > 0 {
		b.Errorf("the session still runs: %v, %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(b.dir, ".git", "acta", "sessions")); err != nil {
		b.Error(err)
	}
}
