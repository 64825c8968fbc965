package mcp

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// What is no message is answered and left out; what is one comes through as it was written.
func TestLinesHandOnMessagesAlone(t *testing.T) {
	for name, c := range map[string]struct{ in, out, answer string }{
		"a message":            {ping + "\n", ping + "\n", ""},
		"no end of line":       {ping, ping + "\n", ""},
		"empty lines":          {"\n \r\n" + ping + "\n\n", ping + "\n", ""},
		"no JSON":              {"hello\n" + ping + "\n", ping + "\n", `"code":-32700`},
		"half of one":          {ping[:20] + "\n" + ping + "\n", ping + "\n", `"code":-32700`},
		"a batch":              {"[" + ping + "]\n" + ping + "\n", ping + "\n", "batches are not supported"},
		"no method":            {`{"jsonrpc":"2.0","id":7}` + "\n" + ping + "\n", ping + "\n", "the message has no method"},
		"an id of null":        {`{"jsonrpc":"2.0","id":null,"method":"ping"}` + "\n" + ping + "\n", ping + "\n", "and not null"},
		"JSON and no message":  {`{"id":1}` + "\n" + ping + "\n", ping + "\n", `"code":-32600`},
		"a number":             {"7\n" + ping + "\n", ping + "\n", `"code":-32600`},
		"as long as may be":    {padded(maxLine) + "\n", padded(maxLine) + "\n", ""},
		"longer than may be":   {padded(maxLine+1) + "\n" + ping + "\n", ping + "\n", "a line of more than 8388608 bytes"},
		"long, and never ends": {padded(maxLine * 2), "", "a line of more than 8388608 bytes"},
		"nothing":              {"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var answer bytes.Buffer
			got, err := io.ReadAll(newLines(io.NopCloser(strings.NewReader(c.in)), &answer))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.out {
				t.Errorf("handed on %d bytes, want %d: %.80q", len(got), len(c.out), got)
			}
			if !strings.Contains(answer.String(), c.answer) || (c.answer == "") != (answer.Len() == 0) {
				t.Errorf("answered %q, want %q", answer.String(), c.answer)
			}
			if answer.Len() > 0 && (!strings.Contains(answer.String(), `"id":null`) || strings.Count(answer.String(), "\n") != 1) {
				t.Errorf("one answer, to nobody's id, was wanted: %q", answer.String())
			}
		})
	}
}

// padded is a message of so many bytes with the end of its line.
func padded(n int) string {
	head, tail := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"`, `"}}`
	return head + strings.Repeat("x", n-1-len(head)-len(tail)) + tail
}

// However small the pieces are in which bytes come and are asked for, the messages are the same.
func TestLinesInPieces(t *testing.T) {
	in := strings.Repeat(ping+"\nnonsense\n", 3)
	var answers bytes.Buffer
	l := newLines(io.NopCloser(iotest.OneByteReader(strings.NewReader(in))), &answers)
	if got, err := io.ReadAll(iotest.OneByteReader(l)); err != nil || string(got) != strings.Repeat(ping+"\n", 3) {
		t.Errorf("%q, %v", got, err)
	}
	if n := strings.Count(answers.String(), "-32700"); n != 3 {
		t.Errorf("%d of 3 lines were answered", n)
	}
}

// Where the answer cannot be written, or the input breaks off, the session ends with that error.
func TestLinesThatFail(t *testing.T) {
	gone := errors.New("gone")
	l := newLines(io.NopCloser(strings.NewReader("nonsense\n")), failingWriter{gone})
	if _, err := io.ReadAll(l); !errors.Is(err, gone) {
		t.Errorf("an answer that cannot be written: %v", err)
	}
	l = newLines(io.NopCloser(iotest.ErrReader(gone)), io.Discard)
	if _, err := io.ReadAll(l); !errors.Is(err, gone) {
		t.Errorf("input that breaks off: %v", err)
	}
}

type failingWriter struct{ error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.error }
