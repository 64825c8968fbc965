package repo

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/acta-git/acta/parser/excerpt"
)

// batch is the process that serves objects: `git cat-file --batch-command`,
// started at the first request. git before 2.36 has no such mode; there two
// processes do the same, --batch and --batch-check, each started when needed.
//
// One request is one line, one answer a header line and, for contents, the
// bytes and a line feed. Answers come in the order of the requests, so many can
// be written before the first answer is read: a query, which costs one round
// trip to the process however many they are. Flights are serialised. Whatever
// breaks that order (a cancelled query, a process that died) ends the process;
// the next query starts another.
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

// query is a number of requests that are written at once.
type query struct {
	verb  verb
	names []string
	// kind and most say which contents are read into memory: those of objects of a kind, plumbing.InvalidObject for any,
	// of at most so many bytes, 0 for any.
	kind plumbing.ObjectType
	most int64
}

// wants reports whether a content is read into memory.
func (q query) wants(h header) bool {
	return (q.kind == plumbing.InvalidObject || h.kind == q.kind) && (q.most == 0 || h.size <= q.most)
}

// answer is what git says of one name. Its error is errAbsent or errAmbiguous,
// and the answers after it are as good as those before.
type answer struct {
	header
	name    string       // what was asked for
	content []byte       // nil where it was not asked for or not wanted
	beyond  excerpt.Rest // of a commit's message, what is not in content
	err     error
}

// read asks for an object by any name that git knows, with its content where it is of a kind.
func (b *batch) read(ctx context.Context, name string, kind plumbing.ObjectType) (answer, error) {
	return b.ask(ctx, query{verb: contents, names: []string{name}, kind: kind})
}

// stat asks for type and size alone.
func (b *batch) stat(ctx context.Context, name string) (header, error) {
	a, err := b.ask(ctx, query{verb: info, names: []string{name}})
	return a.header, err
}

// ask sends a query of one name.
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

// send makes a query whose names checkName has passed, and returns the answers in their order. Its error is one of the
// process: it came after those answers.
func (b *batch) send(ctx context.Context, q query) ([]answer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	got, err := b.exchange(ctx, q)
	if failed := (*commandError)(nil); !b.old && errors.As(err, &failed) &&
		strings.Contains(failed.stderr, "unknown option `batch-command'") {
		b.old = true // and nothing was answered
		got, err = b.exchange(ctx, q)
	}
	return got, err
}

// maxRestarts is how often git may die under queries that read ahead before the
// rest is left to single reads.
const maxRestarts = 3

// prefetch sends a query of objects that will be asked for. git dies of some corrupt objects, and of
// some that it cannot fetch: the name that it died at is passed over and the rest
// is sent again. A name without an answer is no error here: whoever asks for it
// alone is told what is wrong. Errors are those that stop everything: ctx is done,
// the Repo was closed, there is no git.
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

// maxName is the longest name that is asked for, in bytes. No path is longer than
// 4,096, so no ref is, and git cuts what it says of a longer name.
const maxName = 4000

// checkName refuses what would break the protocol of one line a request: git
// before 2.42 cannot end them with NUL. No ref name holds a control character.
func checkName(name string) error {
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

// exchange has a query answered by the process that runs, or by a new one. An error ends it.
func (b *batch) exchange(ctx context.Context, q query) (got []answer, err error) {
	for _, c := range []context.Context{ctx, b.life} {
		if c.Err() != nil {
			return nil, fmt.Errorf("reading %s: %w", q.names[0], context.Cause(c))
		}
	}
	p, err := b.process(ctx, q.verb)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, p.kill)
	wait := b.repo.patience("cat-file")
	late := time.AfterFunc(wait, func() {
		b.repo.silent.Store(true)
		p.kill()
	})
	err = p.converse(b.requests(q), func() (err error) {
		got, err = p.answers(q, func() { late.Reset(wait) })
		return err
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
	if b.life.Err() != nil {
		ctx = b.life
	}
	if !inTime {
		ended = errSilent
	}
	if ctx.Err() == nil && ended == nil {
		ended = fmt.Errorf("git ended in the middle of an answer: %w", err)
	}
	return got, b.repo.failure(ctx, p.cmd, ended, p.stderr.String())
}

func (b *batch) requests(q query) string {
	var s strings.Builder
	for _, name := range q.names {
		if !b.old {
			s.WriteString(string(q.verb) + " ")
		}
		s.WriteString(name + "\n")
	}
	return s.String()
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

// answer reads one answer, to its end. Its error is a broken conversation.
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
