package hooks

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
)

// maxAncestors is how many processes may stand between a hook of git and acta: shells, and other tools of hooks.
const maxAncestors = 8

// amends reports whether the commit that is about to be made certainly takes HEAD's place. git tells a hook nothing of
// it: what does is git's own command line, or where nobody can read that, the author's date, which an amend keeps.
func amends(ctx context.Context, r *repo.Repo, env program.Env) bool {
	for pid, n := os.Getppid(), 0; n < maxAncestors && pid > 1; n++ {
		command, parent := process(pid)
		if at := slices.Index(command, "commit"); at > 0 && strings.HasPrefix(filepath.Base(command[0]), "git") {
			return slices.ContainsFunc(command[at:], func(option string) bool {
				return len(option) > len("--a") && strings.HasPrefix("--amend", option)
			})
		}
		pid = parent
	}
	head, err := r.Head(ctx)
	when := head.Author.When
	return err == nil && env.Get("GIT_AUTHOR_DATE") == fmt.Sprintf("@%d %s", when.Unix(), when.Format("-0700"))
}

// process is the command line of a process and its parent, as Linux tells them; nothing elsewhere.
func process(pid int) (command []string, parent int) {
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	line, err1 := state.ReadFile(filepath.Join(dir, "cmdline"))
	stat, err2 := state.ReadFile(filepath.Join(dir, "stat"))
	if err1 != nil || err2 != nil {
		return nil, 0
	}
	// «pid (name) state ppid …»: the name may hold anything.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) > 1 {
		parent, _ = strconv.Atoi(string(fields[1]))
	}
	return strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00"), parent
}
