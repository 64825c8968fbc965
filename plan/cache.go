package plan

import "sync"

// Cache keeps plans that were read, by the name of their content. What it returns
// is shared, and must not be changed. It is safe for concurrent use; nil keeps nothing.
type Cache struct {
	mu   sync.Mutex
	kept map[string]*cached
}

// maxCached bounds how many plans are kept before others take their place: a commit looks at the plan before and
// after it, a merge at those of its parents and of where they part.
const maxCached = 16

type cached struct {
	index *Index // nil where there is an error of lax
	// strict and lax are the errors of Read and Parse.
	strict, lax error
}

// Read is [Read] of the content that name stands for; equal names, equal contents.
// An error of load is returned as it is.
func (c *Cache) Read(name string, load func() ([]byte, error)) (*Index, error) {
	p := c.get(name, load)
	if p.strict != nil {
		return nil, p.strict
	}
	return p.index, nil
}

// Parse is [Parse] of the content that name stands for.
func (c *Cache) Parse(name string, load func() ([]byte, error)) (*Index, error) {
	p := c.get(name, load)
	return p.index, p.lax
}

func (c *Cache) get(name string, load func() ([]byte, error)) *cached {
	if c != nil && name != "" {
		c.mu.Lock()
		defer c.mu.Unlock()
		if p := c.kept[name]; p != nil {
			return p
		}
	}
	data, err := load()
	if err != nil {
		return &cached{strict: err, lax: err}
	}
	p := &cached{}
	root, err := Read(data)
	if p.strict = err; err != nil {
		root, p.lax = Parse(data)
	}
	if p.lax == nil {
		p.index = NewIndex(root)
	}
	if c != nil && name != "" {
		if c.kept == nil || len(c.kept) == maxCached {
			c.kept = map[string]*cached{}
		}
		c.kept[name] = p
	}
	return p
}
