package plan

import "sync"

// Cache keeps parsed plans by the name of their content. They are shared and must not be changed. It is safe for
// concurrent use; nil keeps nothing.
type Cache struct {
	mu    sync.Mutex
	plans map[string]*cachedPlan
}

// maxCached is how many plans are kept: a commit needs the plan before and after it, a merge those of its parents and
// their merge base.
const maxCached = 16

type cachedPlan struct {
	index *Index // nil if parseErr is set
	// readErr and parseErr are the errors of Read and Parse.
	readErr, parseErr error
}

// Read is [Read] of the content with a name; equal names mean equal contents. It returns an error of load unchanged.
func (c *Cache) Read(name string, load func() ([]byte, error)) (*Index, error) {
	p := c.get(name, load)
	if p.readErr != nil {
		return nil, p.readErr
	}
	return p.index, nil
}

// Parse is [Parse] of the content with a name.
func (c *Cache) Parse(name string, load func() ([]byte, error)) (*Index, error) {
	p := c.get(name, load)
	return p.index, p.parseErr
}

func (c *Cache) get(name string, load func() ([]byte, error)) *cachedPlan {
	if c != nil && name != "" {
		c.mu.Lock()
		defer c.mu.Unlock()
		if p := c.plans[name]; p != nil {
			return p
		}
	}
	data, err := load()
	if err != nil {
		return &cachedPlan{readErr: err, parseErr: err}
	}
	p := &cachedPlan{}
	root, err := Read(data)
	if p.readErr = err; err != nil {
		root, p.parseErr = Parse(data)
	}
	if p.parseErr == nil {
		p.index = NewIndex(root)
	}
	if c != nil && name != "" {
		if c.plans == nil || len(c.plans) == maxCached {
			c.plans = map[string]*cachedPlan{}
		}
		c.plans[name] = p
	}
	return p
}
