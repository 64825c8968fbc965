package repo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/acta-git/acta/excerpt"
)

// readCommit reads a commit whose message may be long: the headers, and of the message what is kept.
func (a *answer) readCommit(r *io.LimitedReader) error {
	lines := bufio.NewReader(r)
	for begins := true; ; {
		part, err := lines.ReadSlice('\n')
		a.content = append(a.content, part...)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) && !errors.Is(err, io.EOF) {
			return err
		}
		if len(a.content) > excerpt.Most {
			a.content, a.err = nil, fmt.Errorf("%w: the headers of commit %s are longer than 1 MiB", ErrDamaged, a.id)
		}
		if a.err != nil || begins && len(part) == 1 || errors.Is(err, io.EOF) {
			break
		}
		begins = err == nil
	}
	message, rest, err := excerpt.Read(lines)
	if a.err == nil {
		a.content, a.beyond = append(a.content, message...), rest
	}
	if err == nil && r.N > 0 {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// Reencoded is a commit's message in UTF-8, as `git log` shows it to everybody: git knows the encodings. One that it
// does not know, or that the message is not written in, it leaves as it is.
func (r *Repo) Reencoded(ctx context.Context, c Commit) ([]byte, excerpt.Rest, error) {
	if c.Encoding == "" {
		return c.Message, c.Beyond, nil
	}
	cmd := r.command(ctx, "rev-list", "--max-count=1", "--encoding=UTF-8", "--format=%B", string(c.ID), "--")
	var out excerpt.Writer
	if err := r.outputTo(ctx, cmd, &out); err != nil {
		return nil, excerpt.Rest{}, err
	}
	_, message, ok := bytes.Cut(out.Text, []byte("\n")) // the first line is «commit <id>»
	if !ok {
		return nil, excerpt.Rest{}, fmt.Errorf("git rev-list shows no message of %s", c.ID)
	}
	if out.Rest.Size == 0 {
		message = bytes.TrimSuffix(message, []byte("\n"))
	}
	return message, out.Rest, nil
}
