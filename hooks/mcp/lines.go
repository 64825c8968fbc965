package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLine is the longest line that is read, in bytes.
const maxLine = 8 << 20

// JSON-RPC's codes of what is no request (specification, 5.1).
const (
	parseError     = -32700
	invalidRequest = -32600
)

// lines hands on the lines that are messages, and answers the others itself: the library ends the
// session at the first one that it cannot read.
type lines struct {
	in     io.Closer
	reader *bufio.Reader
	out    io.Writer
	rest   []byte // of a message that is being handed on
}

func newLines(in io.ReadCloser, out io.Writer) *lines {
	return &lines{in: in, reader: bufio.NewReaderSize(in, 64<<10), out: out}
}

func (l *lines) Close() error { return l.in.Close() }

func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, long, err := l.line()
		if len(line) == 0 && err != nil {
			return 0, err
		}
		if code, why := unreadable(line, long); code != 0 {
			if err := l.refuse(code, why); err != nil {
				return 0, err
			}
		} else if len(line) > 0 {
			l.rest = append(line, '\n')
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// line is the next line without its end, and whether it was longer than is kept.
func (l *lines) line() (line []byte, long bool, err error) {
	for {
		part, err := l.reader.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			line, long = append(line, part...)[:1], true // what it was is not asked
		} else if !long {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), long, err
		}
	}
}

// unreadable says why a line is no message; a code of 0 says that it is one, or is empty.
func unreadable(line []byte, long bool) (code int, why string) {
	switch {
	case long:
		return invalidRequest, fmt.Sprintf("a line of more than %d bytes is not read", maxLine)
	case len(line) == 0:
		return 0, ""
	case !json.Valid(line):
		return parseError, "expected one JSON-RPC message a line, and found something that is not JSON"
	case line[0] == '[':
		return invalidRequest, "batches are not supported; write one message a line"
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		return invalidRequest, "expected a JSON-RPC message: " + err.Error()
	}
	var keys map[string]json.RawMessage
	_ = json.Unmarshal(line, &keys) // it is an object
	switch {
	case string(keys["id"]) == "null":
		return invalidRequest, "the id of a request is a string or a number, and not null"
	case keys["method"] == nil && keys["result"] == nil && keys["error"] == nil:
		return invalidRequest, "the message has no method"
	}
	return 0, ""
}

// refuse answers what has no id that could be known.
func (l *lines) refuse(code int, why string) error {
	answer, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": why},
	})
	if err != nil {
		return err
	}
	_, err = l.out.Write(append(answer, '\n'))
	return err
}

// whole writes one message at a time, whoever writes it.
type whole struct {
	io.WriteCloser
	mu sync.Mutex
}

func (w *whole) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.WriteCloser.Write(p)
}
