package serve

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// makeTime bounds how long one value may take to be made.
const makeTime = 2 * time.Minute

// cached is a value that is made again when the print of what it is made of
// changes. Many may ask at once: it is made once. An error is not kept.
type cached[T any] struct {
	mu    sync.Mutex
	print string
	value T
	there bool
	group singleflight.Group
}

// get is the value for a print. Who goes away while it is made does not end the
// making: others wait for it.
func (c *cached[T]) get(ctx context.Context, print string, create func(context.Context) (T, error)) (T, error) {
	if v, ok := c.known(print); ok {
		return v, nil
	}
	done := c.group.DoChan(print, func() (any, error) {
		if v, ok := c.known(print); ok {
			return v, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), makeTime)
		defer cancel()
		v, err := create(ctx)
		if err == nil {
			c.mu.Lock()
			c.print, c.value, c.there = print, v, true
			c.mu.Unlock()
		}
		return v, err
	})
	var none T
	select {
	case <-ctx.Done():
		return none, ctx.Err()
	case r := <-done:
		if r.Err != nil {
			return none, r.Err
		}
		return r.Val.(T), nil
	}
}

func (c *cached[T]) known(print string) (v T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.value, c.there && c.print == print
}
