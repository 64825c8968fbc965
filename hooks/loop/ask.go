package loop

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"time"

	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
)

// The three roles, as errors and the record name them.
const (
	executor  = "executor"
	assessor  = "assessor"
	navigator = "navigator"
)

// maxReply bounds a reply, in bytes: a plan of 10,000 units has about 4 MB.
const maxReply = 64 << 20

const waitDelay = 2 * time.Second

// unusableError is an invalid reply, or a refusal of its result; it is handed back once.
type unusableError struct{ error }

func unusable(format string, args ...any) error { return &unusableError{fmt.Errorf(format, args...)} }

func isUnusable(err error) bool {
	var m *unusableError
	return errors.As(err, &m)
}

// consult asks a role until use accepts its reply, at most twice: the second request contains the unusableError.
func (w *run) consult(
	ctx context.Context, t *turn, role, command string, request map[string]any, use func(reply []byte) error,
) error {
	for attempt := 1; ; attempt++ {
		reply, err := w.ask(ctx, t, role, command, request)
		if err == nil {
			err = use(reply)
		}
		if err == nil || !isUnusable(err) {
			return err
		}
		w.Witness.OnRefusal(t.unit.Key, role, attempt == 2, err)
		if attempt == 2 {
			return err
		}
		request["error"] = err.Error()
	}
}

func (w *run) ask(ctx context.Context, t *turn, role, command string, request map[string]any) ([]byte, error) {
	in, err := state.JSONLine(request)
	if err != nil {
		return nil, err
	}
	limited, cancel := ctx, func() {}
	if w.Timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, w.Timeout)
	}
	defer cancel()
	cmd := exec.CommandContext(limited, "sh", "-c", command)
	program.Group(cmd) // so that its children end with it
	cmd.Cancel = func() error { return program.Kill(cmd.Process) }
	cmd.Dir, cmd.WaitDelay, cmd.ExtraFiles = w.top, waitDelay, w.lock.inherited()
	cmd.Env = append(slices.Clone(w.Env),
		"ACTA_UNIT="+t.unit.Key, "ACTA_SESSION="+w.Caller.Session, "ACTA_ACTOR="+w.Caller.Name)
	out := &boundedBuffer{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), out, w.Stderr
	err = cmd.Run()
	if cmd.Process != nil {
		// Children that still run could change files during the commit.
		_ = program.Kill(cmd.Process)
	}
	return out.Bytes(), w.failure(ctx, limited, role, command, out, err)
}

func (w *run) failure(ctx, limited context.Context, role, command string, out *boundedBuffer, err error) error {
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("stopped while the %s worked: %w", role, context.Cause(ctx))
	case limited.Err() != nil:
		return unusable("the %s was ended: it took longer than %s", role, w.Timeout)
	case out.isTruncated:
		return unusable("the %s printed more than %d bytes", role, maxReply)
	case errors.As(err, &exit) && program.IsMissing(exit):
		return &NoAgentError{role, command}
	case errors.As(err, &exit):
		return unusable("the %s failed: %v", role, err)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return fmt.Errorf("the %s cannot be run: %w", role, err)
	}
	return nil
}

type boundedBuffer struct {
	bytes.Buffer
	isTruncated bool
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxReply {
		b.isTruncated = true
		return 0, io.ErrShortWrite
	}
	return b.Buffer.Write(p)
}
