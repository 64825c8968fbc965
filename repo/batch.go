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
	"time"

	"github.com/acta-git/acta/parser/excerpt"
	"github.com/acta-git/acta/repo/program"
	"github.com/go-git/go-git/v5/plumbing"
)

// batch is the process that serves objects: `git cat-file --batch-command`, started at the first request. git before
// 2.36 lacks this mode; there two processes do the same, --batch and --batch-check.
//
// A request is one line; an answer is a header line and, for contents, the bytes and a line feed. Answers come in the
// order of the requests, so a query writes many requests before it reads the first answer: one round trip. Queries run
// one after the other. If a query is cancelled or the process dies, the process is ended; the next query starts
// another.
type batch struct {
	lifetime context.Context // also ends the processes between requests
	repo     *Repo

	mu       sync.Mutex
	procs    map[verb]*process // by mode; with --batch-command both verbs share one
	isOldGit bool              // git before 2.36
	isClosed bool
}

// verb is a command of `cat-file --batch-command`.
type verb string

const (
	contents verb = "contents"
	info     verb = "info"
)

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

// query is a number of requests that are written at once.
type query struct {
	verb  verb
	names []string
	// kind and maxSize select the contents that are read into memory: objects of this kind of at most so many bytes (0:
	// any).
	kind    plumbing.ObjectType
	maxSize int64
}

// answer is git's answer about one name. err is errAbsent or errAmbiguous; the answers after it are valid.
type answer struct {
	header
	name        string       // the requested name
	content     []byte       // nil if not requested or not wanted
	messageRest excerpt.Tail // the part of a commit's message that content lacks
	err         error
}

// read reads an object by any name that git knows; its content only if it is of this kind.
func (b *batch) read(ctx context.Context, name string, kind plumbing.ObjectType) (answer, error) {
	return b.ask(ctx, query{verb: contents, names: []string{name}, kind: kind})
}

func (b *batch) stat(ctx context.Context, name string) (header, error) {
	a, err := b.ask(ctx, query{verb: info, names: []string{name}})
	return a.header, err
}

func (b *batch) ask(ctx context.Context, q query) (answer, error) {
	if err := checkName(q.names[0]); err != nil {
		return answer{}, err
	}
	got, err := b.send(ctx, q)
	if err != nil {
		return answer{}, err
	}
	return got[0], got[0].err
}

// send sends a query whose names passed checkName, and returns the answers in order. Its error is that of the process,
// after those answers.
func (b *batch) send(ctx context.Context, q query) ([]answer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	got, err := b.exchange(ctx, q)
	if failed := (*commandError)(nil); !b.isOldGit && errors.As(err, &failed) &&
		strings.Contains(failed.stderr, "unknown option `batch-command'") {
		b.isOldGit = true // nothing was answered
		got, err = b.exchange(ctx, q)
	}
	return got, err
}

// maxRestarts is how often git may die during one prefetch; after that objects are read one by one.
const maxRestarts = 3

// prefetch reads objects ahead. git dies of some corrupt objects, and of some that it cannot fetch: prefetch skips the
// name at which git died and sends the rest again. A name without an answer is no error; reading it alone reports the
// cause. Errors are those that stop everything: ctx is done, the Repo was closed, git is missing.
func (b *batch) prefetch(ctx context.Context, q query) (all []answer, err error) {
	for deaths := 0; len(q.names) > 0 && deaths <= maxRestarts; deaths++ {
		got, err := b.send(ctx, q)
		all = append(all, got...)
		if died := (*commandError)(nil); !errors.As(err, &died) {
			return all, err
		}
		q.names = q.names[len(got)+1:]
	}
	return all, nil
}

// maxName is the longest name that is looked up, in bytes. Paths, and so refs, have at most 4,096, and git truncates
// its messages about longer names.
const maxName = 4000

// checkName refuses names that break the protocol of one line a request: git before 2.42 cannot end them with NUL. No
// ref name holds a control character.
func checkName(name string) error {
	if name == "" {
		return fmt.Errorf("%w: an empty name names no object", ErrNotFound)
	}
	if len(name) > maxName {
		return fmt.Errorf("%w: a name of %d bytes; at most %d are allowed", ErrNotFound, len(name), maxName)
	}
	if strings.ContainsFunc(name, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		return fmt.Errorf("%w: %q contains a control character, which no object name may contain", ErrNotFound, name)
	}
	return nil
}

// exchange sends a query to the running process, or to a new one. An error ends the process.
func (b *batch) exchange(ctx context.Context, q query) (got []answer, err error) {
	for _, c := range []context.Context{ctx, b.lifetime} {
		if c.Err() != nil {
			return nil, fmt.Errorf("reading %s: %w", q.names[0], context.Cause(c))
		}
	}
	p, err := b.process(ctx, q.verb)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, p.kill)
	wait := b.repo.timeout("cat-file")
	late := time.AfterFunc(wait, func() {
		b.repo.timedOut.Store(true)
		p.kill()
	})
	err = p.roundTrip(b.requests(q), func() error {
		for _, name := range q.names {
			a, err := p.answer(q, name)
			if err != nil {
				return err
			}
			late.Reset(wait)
			got = append(got, a)
		}
		return nil
	})
	inTime := late.Stop()
	if undisturbed := stop(); undisturbed && inTime && err == nil {
		return got, nil
	}
	ended := p.end()
	for mode, q := range b.procs {
		if p == q {
			delete(b.procs, mode)
		}
	}
	if b.lifetime.Err() != nil {
		ctx = b.lifetime
	}
	if !inTime {
		ended = errTimeout
	}
	if ctx.Err() == nil && ended == nil {
		ended = fmt.Errorf("git ended in the middle of an answer: %w", err)
	}
	return got, b.repo.failure(ctx, p.cmd, ended, p.stderr.String())
}

func (b *batch) requests(q query) string {
	var s strings.Builder
	for _, name := range q.names {
		if !b.isOldGit {
			s.WriteString(string(q.verb) + " ")
		}
		s.WriteString(name + "\n")
	}
	return s.String()
}

func (b *batch) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.isClosed = true
	for _, p := range b.procs {
		_ = p.end()
	}
	b.procs = nil
}

func (p *process) answer(q query, name string) (answer, error) {
	line, err := p.out.ReadString('\n')
	if err != nil {
		return answer{}, err
	}
	h, err := parseHeader(strings.TrimSuffix(line, "\n"), name)
	if errors.Is(err, errAbsent) || errors.Is(err, errAmbiguous) {
		return answer{name: name, err: err}, nil
	}
	if err != nil {
		return answer{}, err
	}
	a := answer{header: h, name: name}
	if q.verb == contents {
		err = p.content(q, &a)
	}
	return a, err
}

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

func (p *process) content(q query, a *answer) error {
	var err error
	switch h := a.header; {
	case h.kind != q.kind || q.maxSize > 0 && h.size > q.maxSize:
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
