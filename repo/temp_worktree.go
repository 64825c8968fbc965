package repo

import (
	"bufio"
	"context"
	"crypto/rand"
	_ "embed"
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
//
//go:embed keeper.sh
var keeperScript string

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
