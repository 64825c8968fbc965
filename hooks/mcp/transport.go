package mcp

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// patient is a transport whose end of input waits for the calls that came before
// it: the library cancels them at the end, and a commit that was asked for would be
// broken off, or a client that asks and closes at once would get no answer.
type patient struct{ sdk.Transport }

func (t patient) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &patientConn{
		Connection: c, open: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1), closed: make(chan struct{}),
	}, nil
}

type patientConn struct {
	sdk.Connection
	mu       sync.Mutex
	open     map[jsonrpc.ID]bool // calls without an answer
	answered chan struct{}       // holds a token when a call was answered since somebody looked
	closed   chan struct{}
	once     sync.Once
}

func (c *patientConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if errors.Is(err, io.EOF) {
		c.wait(ctx)
	}
	if r, ok := m.(*jsonrpc.Request); ok && err == nil && r.IsCall() {
		c.mu.Lock()
		c.open[r.ID] = true
		c.mu.Unlock()
	}
	return m, err
}

func (c *patientConn) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.open, r.ID)
		c.mu.Unlock()
		select {
		case c.answered <- struct{}{}:
		default:
		}
	}
	return err
}

func (c *patientConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}

// wait returns when every call has its answer, or nobody reads any more.
func (c *patientConn) wait(ctx context.Context) {
	for {
		c.mu.Lock()
		left := len(c.open)
		c.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-c.answered:
		case <-c.closed:
			return
		case <-ctx.Done():
			return
		}
	}
}
