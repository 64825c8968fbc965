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
)

// batch is the process that serves objects: `git cat-file --batch-command`,
// started at the first request. git before 2.36 has no such mode; there two
// processes do the same, --batch and --batch-check, each started when needed.
//
// One request is one line, one answer a header line and, for contents, the
// bytes and a line feed. Requests are serialised. Whatever breaks that order (a
// cancelled request, a process that died) ends the process; the next request starts another.
type batch struct {
	life context.Context // ends the processes even between requests
	repo *Repo

	mu     sync.Mutex
	procs  map[verb]*process // by mode; both verbs share one where git has --batch-command
	old    bool              // git before 2.36
	closed bool
}

// verb is a command of `cat-file --batch-command`.
type verb string

const (
	contents verb = "contents"
	info     verb = "info"
)

// header is the first line of an answer.
type header struct {
	id   ID
	kind plumbing.ObjectType
	size int64
}

var (
	errAbsent    = errors.New("git has no such object")
	errAmbiguous = errors.New("the name is ambiguous")
	errClosed    = errors.New("the repository was closed")
)

// read asks for the content of an object by any name that git knows. Content is
// read into memory only where want says so; nil wants everything.
func (b *batch) read(ctx context.Context, name string, want func(header) bool) (header, []byte, error) {
	var content []byte
	h, err := b.ask(ctx, contents, name, func(out *bufio.Reader, h header) error {
		if h.id != "" && (want == nil || want(h)) {
			content = make([]byte, h.size)
			if _, err := io.ReadFull(out, content); err != nil {
				return err
			}
		} else if _, err := io.CopyN(io.Discard, out, h.size); err != nil {
			return err
		}
		if end, err := out.ReadByte(); err != nil || end != '\n' {
			return errors.Join(fmt.Errorf("no line feed after %d bytes of %s", h.size, name), err)
		}
		return nil
	})
	return h, content, err
}

// stat asks for type and size alone.
func (b *batch) stat(ctx context.Context, name string) (header, error) {
	return b.ask(ctx, info, name, nil)
}

func (b *batch) ask(ctx context.Context, v verb, name string, body func(*bufio.Reader, header) error) (header, error) {
	if err := speakable(name); err != nil {
		return header{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	h, err := b.exchange(ctx, v, name, body)
	if failed := (*commandError)(nil); !b.old && errors.As(err, &failed) && strings.Contains(failed.stderr, "unknown option `batch-command'") {
		b.old = true
		h, err = b.exchange(ctx, v, name, body)
	}
	if err == nil && h.id == "" {
		return header{}, ErrSHA256
	}
	return h, err
}

// maxName is the longest name that is asked for, in bytes. No path is longer than
// 4,096, so no ref is, and git cuts what it says of a longer name.
const maxName = 4000

// speakable refuses what would break the protocol of one line a request: git
// before 2.42 cannot end them with NUL. No ref name holds a control character.
func speakable(name string) error {
	if name == "" {
		return fmt.Errorf("%w: an empty name names no object", ErrNotFound)
	}
	if len(name) > maxName {
		return fmt.Errorf("%w: a name of %d bytes; %d are the most that git looks up", ErrNotFound, len(name), maxName)
	}
	if strings.ContainsFunc(name, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		return fmt.Errorf("%w: %q holds a control character, and no name of an object does", ErrNotFound, name)
	}
	return nil
}

// exchange is one request and its answer. Errors of the answer itself (absent,
// ambiguous) leave the process as it is; all others end it.
func (b *batch) exchange(ctx context.Context, v verb, name string, body func(*bufio.Reader, header) error) (header, error) {
	for _, c := range []context.Context{ctx, b.life} {
		if c.Err() != nil {
			return header{}, fmt.Errorf("reading %s: %w", name, context.Cause(c))
		}
	}
	p, err := b.process(ctx, v)
	if err != nil {
		return header{}, err
	}
	stop := context.AfterFunc(ctx, p.kill)
	h, err := p.converse(b.line(v, name), name, body)
	if undisturbed := stop(); undisturbed && (err == nil || errors.Is(err, errAbsent) || errors.Is(err, errAmbiguous)) {
		return h, err
	}
	ended := p.end()
	for mode, q := range b.procs {
		if p == q {
			delete(b.procs, mode)
		}
	}
	if b.life.Err() != nil {
		ctx = b.life
	}
	if ctx.Err() == nil && ended == nil {
		ended = fmt.Errorf("git ended in the middle of an answer: %w", err)
	}
	return header{}, b.repo.failure(ctx, p.cmd, ended, p.stderr.String())
}

func (b *batch) line(v verb, name string) string {
	if b.old {
		return name + "\n"
	}
	return string(v) + " " + name + "\n"
}

// process is the one that answers a verb, started if need be.
func (b *batch) process(ctx context.Context, v verb) (*process, error) {
	if b.closed {
		return nil, errClosed
	}
	mode, option := contents, "--batch-command"
	if b.old {
		mode, option = v, map[verb]string{contents: "--batch", info: "--batch-check"}[v]
	}
	if p := b.procs[mode]; p != nil {
		return p, nil
	}
	p := &process{cmd: b.repo.command(b.life, "cat-file", option), stderr: &head{}}
	if err := p.start(); err != nil {
		return nil, b.repo.failure(ctx, p.cmd, err, "")
	}
	if b.procs == nil {
		b.procs = map[verb]*process{}
	}
	b.procs[mode] = p
	return p, nil
}

func (b *batch) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for _, p := range b.procs {
		_ = p.end()
	}
	b.procs = nil
}

// process is one running cat-file.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *head

	mu    sync.Mutex // guards ended: the process's number is another's after it
	ended bool
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
	if !p.ended {
		_ = kill(p.cmd.Process) // it may have ended by itself; then there is nothing to do
	}
}

// end kills the process, if it still runs, and tells how it ended. One that died
// of its own complaint keeps its exit code, and Wait collects the complaint.
func (p *process) end() error {
	_ = p.in.Close()
	p.kill()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	return p.cmd.Wait()
}

// converse sends a request and reads the whole answer.
func (p *process) converse(request, name string, body func(*bufio.Reader, header) error) (header, error) {
	if _, err := io.WriteString(p.in, request); err != nil {
		return header{}, err
	}
	line, err := p.out.ReadString('\n')
	if err != nil {
		return header{}, err
	}
	h, err := parseHeader(strings.TrimSuffix(line, "\n"), name)
	if err != nil || body == nil {
		return h, err
	}
	return h, body(p.out, h)
}

// parseHeader reads «<id> <type> <size>», or «<name> missing» and its like. The
// id is "" for a SHA-256 name, so that the rest of the answer is still read.
func parseHeader(line, name string) (header, error) {
	if why, ok := strings.CutPrefix(line, name+" "); ok {
		switch why {
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
	var h header
	var err error
	if h.id, err = parseID(f[0]); err != nil && !errors.Is(err, ErrSHA256) {
		return header{}, err
	}
	if h.kind, err = plumbing.ParseObjectType(f[1]); err != nil {
		return header{}, fmt.Errorf("git cat-file answered %q: %w", line, err)
	}
	if h.size, err = strconv.ParseInt(f[2], 10, 64); err != nil || h.size < 0 {
		return header{}, fmt.Errorf("git cat-file answered %q: the size is no number", line)
	}
	return h, nil
}
