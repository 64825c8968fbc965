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

// Apart is a work tree of one tree, in a folder of its own, that is gone once it is closed, or once this process has
// ended, however that comes.
type Apart struct {
	// Dir is its top; Mark is for the environment of what runs there, which ends with it.
	Dir, Mark string

	keeper *exec.Cmd
	alive  io.Closer
}

// keeperScript makes the work tree, and waits for the end of its input, which is that of who asked for it. What still
// runs with the mark is ended before the folder goes. It is the only one to touch the folder's registration, so nothing
// can be half done when somebody is killed. Git stops where it reads the registration of another work tree that is just
// being removed, so it is asked again.
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

// Apart makes a work tree of a tree. HEAD there is detached, at HEAD here. No hook and no filter of the repository
// runs.
func (r *Repo) Apart(ctx context.Context, tree ID) (*Apart, error) {
	top, err := r.Top(ctx)
	if err != nil {
		return nil, err
	}
	filters, err := r.withoutFilters(ctx)
	if err != nil {
		return nil, err
	}
	root := filepath.Join(os.TempDir(), "acta-prove-"+rand.Text()[:12])
	a := &Apart{Dir: filepath.Join(root, filepath.Base(top)), Mark: "ACTA_PROVE=" + root}
	args := append([]string{"-c", keeperScript, "sh", root, a.Dir, string(tree), a.Mark}, r.guards("worktree")...)
	a.keeper = exec.Command("sh", args...) // it outlives ctx: it cleans up
	a.keeper.Dir, a.keeper.Env = r.dir, slices.Concat(r.env, settled[:], filters)
	complaints := &head{}
	a.keeper.Stderr = complaints
	program.Detach(a.keeper)
	in, errIn := a.keeper.StdinPipe()
	out, errOut := a.keeper.StdoutPipe()
	if err := errors.Join(errIn, errOut, a.keeper.Start()); err != nil {
		return nil, err
	}
	a.alive = in
	said := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(out).ReadString('\n')
		said <- line
	}()
	select {
	case line := <-said:
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

// Close removes the work tree, and ends what runs in it.
func (a *Apart) Close() {
	_ = a.alive.Close()
	_ = a.keeper.Wait()
}
