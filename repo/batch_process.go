package repo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/acta-git/acta/parser/excerpt"
	"github.com/acta-git/acta/repo/program"
)

// process is the process that answers a verb; it is started if necessary.
func (b *batch) process(ctx context.Context, v verb) (*process, error) {
	if b.isClosed {
		return nil, errClosed
	}
	mode, option := contents, "--batch-command"
	if b.isOldGit {
		mode, option = v, map[verb]string{contents: "--batch", info: "--batch-check"}[v]
	}
	if p := b.procs[mode]; p != nil {
		return p, nil
	}
	if b.repo.timedOut.Load() {
		return nil, b.repo.failure(ctx, b.repo.command(ctx, "cat-file"), errTimeout, "")
	}
	p := &process{cmd: b.repo.command(b.lifetime, "cat-file", option), stderr: &headBuffer{}}
	if err := p.start(); err != nil {
		return nil, b.repo.failure(ctx, p.cmd, err, "")
	}
	if b.procs == nil {
		b.procs = map[verb]*process{}
	}
	b.procs[mode] = p
	return p, nil
}

// process is one running cat-file.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *headBuffer

	mu       sync.Mutex // guards ended, after which the process id may be reused
	hasEnded bool
}

func (p *process) start() error {
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 32<<10)
	p.cmd.Stderr = p.stderr
	return p.cmd.Start()
}

func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.hasEnded {
		_ = program.Kill(p.cmd.Process) // it may have ended already
	}
}

// end kills the process, if it still runs, and returns how it ended. A process that failed by itself keeps its exit
// code; Wait collects its complaint.
func (p *process) end() error {
	_ = p.in.Close()
	p.kill()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hasEnded = true
	return p.cmd.Wait()
}

// roundTrip sends requests and reads the answers. git stops reading when its own output pipe is full, so a caller that
// first writes many requests could deadlock. Another goroutine writes them; it has ended when roundTrip returns.
func (p *process) roundTrip(requests string, read func() error) error {
	written := make(chan error, 1)
	go func() {
		_, err := io.WriteString(p.in, requests)
		written <- err
	}()
	err := read()
	if err != nil {
		_ = p.in.Close() // ends the writing goroutine
	}
	return errors.Join(err, <-written)
}

func (p *process) answers(q query, onAnswer func()) (all []answer, err error) {
	for _, name := range q.names {
		a, err := p.answer(q, name)
		if err != nil {
			return all, err
		}
		onAnswer()
		all = append(all, a)
	}
	return all, nil
}

func (p *process) content(q query, a *answer) error {
	var err error
	switch h := a.header; {
	case !q.wantsContent(h):
		_, err = io.CopyN(io.Discard, p.out, h.size)
	case h.kind == plumbing.CommitObject && h.size > excerpt.MaxBytes:
		err = a.readCommit(&io.LimitedReader{R: p.out, N: h.size})
	default:
		a.content = make([]byte, h.size)
		_, err = io.ReadFull(p.out, a.content)
	}
	if err != nil {
		return err
	}
	if end, err := p.out.ReadByte(); err != nil || end != '\n' {
		return errors.Join(fmt.Errorf("no line feed after %d bytes of %s", a.size, a.name), err)
	}
	return nil
}

// parseHeader reads «<id> <type> <size>», or «<name> missing» and the like.
func parseHeader(line, name string) (header, error) {
	if status, ok := strings.CutPrefix(line, name+" "); ok {
		switch status {
		case "missing", "submodule":
			return header{}, errAbsent
		case "ambiguous":
			return header{}, errAmbiguous
		}
	}
	f := strings.Split(line, " ")
	if len(f) != 3 {
		return header{}, fmt.Errorf("git cat-file answered %q", line)
	}
	id, errID := parseID(f[0])
	kind, errKind := plumbing.ParseObjectType(f[1])
	size, errSize := strconv.ParseInt(f[2], 10, 64)
	if err := errors.Join(errID, errKind, errSize); err != nil || size < 0 {
		return header{}, fmt.Errorf("git cat-file answered %q: %w", line, err)
	}
	return header{id, kind, size}, nil
}
