package syntax

/*
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

// tree-sitter's own hooks for this (alloc.h).
extern void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

// Bytes that tree-sitter has requested on this thread, freed ones included. A parse runs on one thread.
static _Thread_local int64_t requested;

// Without memory the process aborts, as with tree-sitter's own allocator.
static void *counted(void *at, size_t size) {
	if (at == NULL) abort();
	requested += (int64_t)size;
	return at;
}
static void *acta_malloc(size_t size) { return counted(malloc(size ? size : 1), size); }
static void *acta_calloc(size_t count, size_t size) {
	return counted(count && size ? calloc(count, size) : calloc(1, 1), count * size);
}
static void *acta_realloc(void *at, size_t size) { return counted(realloc(at, size ? size : 1), size); }
static void acta_count(void) { ts_set_allocator(acta_malloc, acta_calloc, acta_realloc, free); }
// acta_trim returns freed memory to the system.
static void acta_trim(void) {
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}
static void acta_begin(void) { requested = 0; }
static int64_t acta_requested(void) { return requested; }
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
	// parseWork bounds the bytes that a parser requests, freed ones included. Every step requests some, so the bound
	// counts steps, and is the same on every machine under any load. Code of 1 MiB requests at most 45 MB; a second of
	// processor time requests 30 to 1300 MB.
	parseWork = 48 << 20
	// workPerByte bounds the requested bytes per byte read, beside workAtStart: a parser that tries many alternatives
	// reads slowly. Code takes 20 to 50.
	workPerByte = 200
	workAtStart = 8 << 20
	// parseRead bounds the bytes that a parser reads, rereading included. Code is read at most twice.
	parseRead = 24 << 20
	// parseTime ends a parse that requests nothing any more. It gives no verdict: the caller gets an error that is not
	// Unreadable.
	parseTime = 30 * time.Second
	// parseTurn is how long the parser works between checks of the limits, if it reads nothing meanwhile. Some grammars
	// never get past a missing bracket. A longer parse is resumed.
	parseTurn = time.Second / 2
	// trimBytes is how many requested bytes of a parse make its memory go back to the system: the C library would keep
	// it, per thread.
	trimBytes = 32 << 20
	// pieceSize is how much of a source the parser gets at a time, in bytes.
	pieceSize = 4 << 10
)

// countOnce puts counters around tree-sitter's allocations. The allocator stays the same, so earlier memory can be
// freed.
var countOnce = sync.OnceFunc(func() { C.acta_count() })

// Unreadable is the reason why a source cannot be judged.
type Unreadable string

// Error returns the reason.
func (u Unreadable) Error() string { return string(u) }

// Parse parses src within the limits. The error is Unreadable if the content is at fault, else ctx's error or errHangs.
//
// tree-sitter checks its own limit only between tokens, and some grammars read to the end of the file for each, after
// an unclosed quote say. So the parser gets the source in pieces, and the source ends early at a limit.
func (g *Grammar) Parse(ctx context.Context, src []byte) (*Tree, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	countOnce()
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(g.language)
	parser.SetOperationLimit(int(parseTurn.Microseconds()))
	runtime.LockOSThread() // its memory is counted per thread
	defer runtime.UnlockOSThread()
	C.acta_begin()
	in := &boundedSource{ctx: ctx, src: src, end: -1}
	tree, err := in.parse(parser)
	if int64(C.acta_requested()) > trimBytes {
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
	errHangs       = fmt.Errorf("parsing it has not ended after %v", parseTime)
	errWork        = Unreadable(fmt.Sprintf("parsing it takes more than %d MiB of work", parseWork>>20))
	errWorkPerByte = Unreadable("parsing it takes too much work for its length")
	errRead        = Unreadable(fmt.Sprintf("parsing it reads it over and over, more than %d MiB", parseRead>>20))
)

// boundedSource gives a source to the parser, which may go back in it. err is the limit reached; from then on the
// source ends wherever the parser reads on.
type boundedSource struct {
	ctx context.Context
	src []byte
	// end is the end of the last piece, -1 before the first.
	end       int
	bytesRead int
	err       error
}

// parse parses the source, a turn at a time. The limits are checked at the end too, so that no clock decides.
func (b *boundedSource) parse(parser *sitter.Parser) (tree *sitter.Tree, err error) {
	for range parseTime / parseTurn {
		tree, err = parser.ParseInputCtx(b.ctx, nil, sitter.Input{Read: b.read, Encoding: sitter.InputEncodingUTF8})
		if b.err == nil {
			b.err = b.limitError()
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
func (b *boundedSource) read(offset uint32, _ sitter.Point) []byte {
	at := int(offset)
	if b.err == nil {
		b.err = b.limitError()
	}
	// Only checked here: the end of a turn depends on the machine.
	if b.err == nil && int64(C.acta_requested()) > int64(workAtStart+workPerByte*b.bytesRead) {
		b.err = errWorkPerByte
	}
	if at >= len(b.src) || b.err != nil && at == b.end {
		return nil
	}
	if b.err != nil {
		// The lexer rereads a character that a piece cuts off, and would read address 0 if it got nothing.
		b.end = at + 1
		return []byte{'\n'}
	}
	b.end = min(at+pieceSize, len(b.src))
	b.bytesRead += b.end - at
	return b.src[at:b.end]
}

func (b *boundedSource) limitError() error {
	switch {
	case b.ctx.Err() != nil:
		return b.ctx.Err()
	case int64(C.acta_requested()) > parseWork:
		return errWork
	case b.bytesRead > parseRead:
		return errRead
	}
	return nil
}
