package repo

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acta-git/acta/repo/program"
)

// TempWorkTree is a work tree of one tree in a folder of its own. It is removed by Close, or when this process ends in
// any way.
type TempWorkTree struct {
	// Dir is its top. Programs that run there need Mark in their environment: Close kills those that have it.
	Dir, Mark string

	keeper *exec.Cmd
	stdin  io.Closer
}

// keeperScript makes the work tree, waits until its input is closed, kills every process that has the mark, and removes
// the folder. Only this script touches git's registration of the work tree, so killing acta leaves no half-made one.
// git fails while another work tree's registration is being removed, so it is tried again.
const keeperScript = `
trap '' PIPE
again() {
	for try in 1 2 3 4; do "$@" 2>/dev/null && return; sleep 0.1; done
	"$@"
}
root=$1 dir=$2 tree=$3 mark=$4 mask=$(umask)
shift 4
umask 077
mkdir "$root" && again git "$@" worktree add -q -f --detach --no-checkout "$dir" HEAD && (
	umask "$mask"
	unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_PREFIX
	cd "$dir" && git "$@" read-tree "$tree" && git "$@" checkout-index -q -a
) && echo ready
exec >/dev/null
cat
for round in 1 2 3 4 5; do
	left=$(grep -lsFxz "$mark" /proc/[0-9]*/environ)
	[ -n "$left" ] || break
	for p in $left; do p=${p#/proc/}; kill -9 "${p%/environ}"; done
done 2>/dev/null
again git "$@" worktree remove -f -f "$dir" 2>/dev/null
rm -rf "$root"
`

// NewTempWorkTree makes a work tree of a tree, with HEAD detached at the present HEAD. No hooks or filters run.
func (r *Repo) NewTempWorkTree(ctx context.Context, tree ID) (*TempWorkTree, error) {
	top, err := r.Top(ctx)
	if err != nil {
		return nil, err
	}
	filters, err := r.noFilterEnv(ctx)
	if err != nil {
		return nil, err
	}
	root := filepath.Join(os.TempDir(), "acta-prove-"+rand.Text()[:12])
	a := &TempWorkTree{Dir: filepath.Join(root, filepath.Base(top)), Mark: "ACTA_PROVE=" + root}
	args := append([]string{"-c", keeperScript, "sh", root, a.Dir, string(tree), a.Mark}, r.gitOptions("worktree")...)
	a.keeper = exec.Command("sh", args...) // outlives ctx: it cleans up
	a.keeper.Dir, a.keeper.Env = r.dir, slices.Concat(r.env, fixedEnv[:], filters)
	complaints := &headBuffer{}
	a.keeper.Stderr = complaints
	program.Detach(a.keeper)
	in, errIn := a.keeper.StdinPipe()
	out, errOut := a.keeper.StdoutPipe()
	if err := errors.Join(errIn, errOut, a.keeper.Start()); err != nil {
		return nil, err
	}
	a.stdin = in
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(out).ReadString('\n')
		answer <- line
	}()
	select {
	case line := <-answer:
		if line == "" {
			err = fmt.Errorf("git made no work tree in %s", root)
		}
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		a.Close()
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(complaints.String()))
	}
	return a, nil
}

// Close removes the work tree, and kills the programs that run in it.
func (a *TempWorkTree) Close() {
	_ = a.stdin.Close()
	_ = a.keeper.Wait()
}
