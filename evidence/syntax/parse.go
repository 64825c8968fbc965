package syntax

/*
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__APPLE__)
#include <malloc/malloc.h>
#define acta_size malloc_size
#elif defined(_WIN32)
#include <malloc.h>
#define acta_size _msize
#else
#include <malloc.h>
#define acta_size malloc_usable_size
#endif

// tree-sitter's own hooks for this (alloc.h).
extern void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

// What tree-sitter holds, in bytes, as far as this thread asked for it. A parse
// runs on one thread from end to end.
static _Thread_local int64_t held;
// What tree-sitter has asked for on this thread, in bytes, given back or not.
static _Thread_local int64_t asked;

// Where there is no memory left, the process ends, as tree-sitter's own allocator has it.
static void *counted(void *at) {
	if (at == NULL) abort();
	held += (int64_t)acta_size(at);
	return at;
}
static void *acta_malloc(size_t size) { asked += (int64_t)size; return counted(malloc(size ? size : 1)); }
static void *acta_calloc(size_t count, size_t size) { asked += (int64_t)(count * size); return counted(count &&
	size ? calloc(count, size) : calloc(1, 1)); }
static void *acta_realloc(void *at, size_t size) {
	asked += (int64_t)size;
	if (at != NULL) held -= (int64_t)acta_size(at);
	return counted(realloc(at, size ? size : 1));
}
static void acta_free(void *at) {
	if (at != NULL) held -= (int64_t)acta_size(at);
	free(at);
}
static void acta_count(void) { ts_set_allocator(acta_malloc, acta_calloc, acta_realloc, acta_free); }
// acta_trim gives what was freed back to the system, where the allocator would keep it.
static void acta_trim(void) {
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}
static void acta_begin(void) { held = asked = 0; }
static int64_t acta_held(void) { return held; }
static int64_t acta_asked(void) { return asked; }
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
)

const (
	// parseWork bounds what a parser asks for from end to end, in bytes, given back or not: each of its steps
	// asks for some, so it counts the steps, and says the same on every machine under any load. Code of one MiB asks for
	// 45 MB at most, and less dense code of two is read as well; a second of processor time asks for 30 to 1300 MB.
	parseWork = 48 << 20
	// workOfByte bounds what it asks for, beside workAtFirst, by each byte that it has read: where it tries many ways at
	// once it reads on slowly. Code takes 20 to 50 bytes of work a byte.
	workOfByte  = 200
	workAtFirst = 8 << 20
	// parseRead bounds what a parser reads, in bytes, what it reads again included. Code is read twice at most.
	parseRead = 24 << 20
	// parseTime ends a parse that asks for nothing any more. It is no verdict: whoever asked learns that it could not be
	// decided.
	parseTime = 30 * time.Second
	// parseTurn is how long the parser works before the limits are looked at, if it reads nothing meanwhile. Some
	// grammars never get past a missing bracket. What takes longer goes on where it stopped.
	parseTurn = time.Second / 2
	// trimBytes is what a parse holds after which its memory goes back to the system: the C library would keep it, for
	// each thread.
	trimBytes = 32 << 20
	// piece is how much of a source the parser is given at a time, in bytes.
	piece = 4 << 10
)

// countOnce puts the counters before tree-sitter's allocations. They allocate where
// it does, so what it holds already is freed as before.
var countOnce = sync.OnceFunc(func() { C.acta_count() })

// Unreadable says why the content of a source cannot be judged.
type Unreadable string

// Error is the reason itself.
func (u Unreadable) Error() string { return string(u) }

// Parse parses src within parseTime and parseWork. The error is Unreadable where
// the content is at fault, else ctx's or that parsing has not ended.
//
// tree-sitter looks at its own limit between two tokens, and some grammars read to
// the end of the file for each: a quote that none closes, say. So the source is
// handed to it in pieces, and ends early where a limit is reached.
func (g *Grammar) Parse(ctx context.Context, src []byte) (*Tree, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	countOnce()
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(g.language)
	parser.SetOperationLimit(int(parseTurn.Microseconds()))
	runtime.LockOSThread() // its memory is counted there
	defer runtime.UnlockOSThread()
	C.acta_begin()
	in := &bounded{ctx: ctx, src: src, end: -1}
	tree, err := in.parse(parser)
	if in.held > trimBytes {
		defer C.acta_trim()
	}
	if tree != nil {
		defer tree.Close()
	}
	if err != nil {
		return nil, err
	}
	return g.Tree(tree.RootNode())
}

var (
	errHangs = fmt.Errorf("parsing it has not ended after %v", parseTime)
	errWork  = Unreadable(fmt.Sprintf("parsing it takes more than %d MiB of work", parseWork>>20))
	errWays  = Unreadable("parsing it takes too much work for its length")
	errRead  = Unreadable(fmt.Sprintf("parsing it reads it over and over, more than %d MiB", parseRead>>20))
)

// bounded hands a source to the parser, which may go back in it. err says which
// limit was reached; from then on the source ends wherever the parser reads on.
type bounded struct {
	ctx context.Context
	src []byte
	// end is where the piece before ended, -1 before the first.
	end int
	// held is what the parse held at the last piece, in bytes.
	held int64
	// taken is how much the parser was given, in bytes.
	taken int
	err   error
}

// parse parses the source, a turn at a time. The limits hold at the end as between turns, so that no clock decides.
func (b *bounded) parse(parser *sitter.Parser) (tree *sitter.Tree, err error) {
	for range parseTime / parseTurn {
		tree, err = parser.ParseInputCtx(b.ctx, nil, sitter.Input{Read: b.read, Encoding: sitter.InputEncodingUTF8})
		if b.err == nil {
			b.err = b.limit()
		}
		switch {
		case b.err != nil:
			return tree, b.err
		case !errors.Is(err, sitter.ErrOperationLimit):
			return tree, err
		}
	}
	return nil, errHangs
}

// read is called by the parser, on its thread.
func (b *bounded) read(offset uint32, _ sitter.Point) []byte {
	at := int(offset)
	b.held = int64(C.acta_held())
	if b.err == nil {
		b.err = b.limit()
	}
	// Asked here alone, for where a turn ends depends on the machine.
	if b.err == nil && int64(C.acta_asked()) > int64(workAtFirst+workOfByte*b.taken) {
		b.err = errWays
	}
	if at >= len(b.src) || b.err != nil && at == b.end {
		return nil
	}
	if b.err != nil {
		// The lexer asks again for a character that a piece cuts off, and reads at address 0 where nothing comes.
		b.end = at + 1
		return []byte{'\n'}
	}
	b.end = min(at+piece, len(b.src))
	b.taken += b.end - at
	return b.src[at:b.end]
}

// limit returns the error of the limit that has been reached, nil while there is none.
func (b *bounded) limit() error {
	switch {
	case b.ctx.Err() != nil:
		return b.ctx.Err()
	case int64(C.acta_asked()) > parseWork:
		return errWork
	case b.taken > parseRead:
		return errRead
	}
	return nil
}
