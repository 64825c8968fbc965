package mcp

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// patientTransport is a transport that, at the end of input, waits for the calls before it: the library would cancel
// them, so that a requested commit would be interrupted, or a client that closes early would get no answer.
type patientTransport struct{ sdk.Transport }

func (t patientTransport) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	p := &patientConn{Connection: c, openCalls: map[jsonrpc.ID]bool{}}
	p.changed.L = &p.mu
	return p, nil
}

type patientConn struct {
	sdk.Connection
	mu        sync.Mutex
	openCalls map[jsonrpc.ID]bool // calls without answers
	isClosed  bool
	changed   sync.Cond
}

// Read answers an invalid message itself. The library would end the session, and leave earlier calls unanswered.
func (c *patientConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := c.Connection.Read(ctx)
		if answer := invalidAnswer(m, err); answer != nil {
			if err := c.Connection.Write(ctx, answer); err != nil {
				return nil, err
			}
			continue
		}
		if errors.Is(err, io.EOF) {
			c.wait(ctx)
		}
		if r, ok := m.(*jsonrpc.Request); ok && err == nil && r.IsCall() {
			c.change(func() { c.openCalls[r.ID] = true })
		}
		return m, err
	}
}

// invalidAnswer is the error that answers an invalid message, nil for a valid one.
func invalidAnswer(m jsonrpc.Message, err error) *jsonrpc.Response {
	answer := &jsonrpc.Response{Error: &jsonrpc.Error{
		Code:    jsonrpc.CodeInvalidRequest,
		Message: "a request needs a method and an id; the method of a notification begins with notifications/",
	}}
	if _, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return answer
	}
	switch m := m.(type) {
	case *jsonrpc.Response:
		if answer.ID = m.ID; m.Result == nil && m.Error == nil {
			return answer
		}
	case *jsonrpc.Request:
		if !m.IsCall() && !strings.HasPrefix(m.Method, "notifications/") {
			return answer
		}
	}
	return nil
}

func (c *patientConn) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.change(func() { delete(c.openCalls, r.ID) })
	}
	return err
}

func (c *patientConn) Close() error {
	c.change(func() { c.isClosed = true })
	return c.Connection.Close()
}

// change changes what wait waits for.
func (c *patientConn) change(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do()
	c.changed.Broadcast()
}

func (c *patientConn) wait(ctx context.Context) {
	defer context.AfterFunc(ctx, func() { c.change(func() {}) })()
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.openCalls) > 0 && !c.isClosed && ctx.Err() == nil {
		c.changed.Wait()
	}
}
