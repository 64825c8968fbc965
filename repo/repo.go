package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Options of Open. The zero value suits a hook.
type Options struct {
	// Env is git's environment. nil is the process's own, with git's variables, as a hook needs it; see ForeignEnv for
	// another repository.
	Env []string
}

// Repo is one repository, read through git. Several goroutines may use it, but reads of objects wait for each other:
// parallel workers open their own.
type Repo struct {
	dir     string
	env     []string
	objects *batch
	commits cache[ID, Commit]
	trees   cache[ID, tree]
	sizes   cache[ID, int64]  // filled by Prefetch only
	blobs   cache[ID, []byte] // likewise
	// renames are by two trees, mergeBases by two commits.
	renames    cache[[2]ID, map[string]string]
	mergeBases cache[[2]ID, ID]

	mu     sync.Mutex
	layout *Layout

	timedOut atomic.Bool // a git process timed out

	outsideOnce sync.Once
	isOutside   bool // see isOutsideWorkTree
}

// Layout says where the parts of a repository are.
type Layout struct {
	// Top is the top folder of the work tree; "" when the repository is bare or
	// the directory lies inside the git directory.
	Top string
	// GitDir is the git directory of this work tree, CommonDir the one that all work trees share.
	GitDir, CommonDir string
	// HooksDir is where git looks for hooks, core.hooksPath included.
	HooksDir string
	IsBare   bool
	// ObjectFormat is "sha1" or "sha256".
	ObjectFormat string
}

const (
	// maxCachedTrees bounds the decoded trees, in entries (about 100 bytes each).
	maxCachedTrees = 200_000
	// maxCachedCommits bounds the decoded commits, in bytes of message.
	maxCachedCommits = 8 << 20
	// maxCachedSizes bounds the known sizes, in objects (about 100 bytes each).
	maxCachedSizes = 100_000
	// maxCachedBlobs bounds the contents of files, in bytes, and what one Prefetch reads.
	maxCachedBlobs = 32 << 20
	// maxCachedPairs bounds the answers about pairs of trees or commits.
	maxCachedPairs = 256
)

// Open prepares to read the repository of dir. It starts no process: a broken repository shows at the first read. When
// ctx is done, every process of the Repo ends. A missing directory is an error that wraps os.ErrNotExist.
func Open(ctx context.Context, dir string, o Options) (*Repo, error) {
	if dir == "" {
		dir = "."
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot open a repository: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("cannot open a repository: %s is a file, not a directory", dir)
	}
	env := o.Env
	if env == nil {
		env = os.Environ()
	}
	r := &Repo{dir: dir, env: slices.DeleteFunc(slices.Clone(env), isTraceVariable)}
	r.objects = &batch{lifetime: ctx, repo: r}
	r.commits.limit = maxCachedCommits
	r.trees.limit = maxCachedTrees
	r.sizes.limit = maxCachedSizes
	r.blobs.limit = maxCachedBlobs
	r.renames.limit, r.mergeBases.limit = maxCachedPairs, maxCachedPairs
	return r, nil
}

// Close ends the process that reads objects. It is safe to call twice and after an error.
func (r *Repo) Close() error {
	r.objects.close()
	return nil
}

// Layout returns where the parts of the repository are. It asks git once.
func (r *Repo) Layout(ctx context.Context) (Layout, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.layout == nil {
		g, err := r.askLayout(ctx)
		if err != nil {
			return Layout{}, err
		}
		r.layout = &g
	}
	return *r.layout, nil
}

// absolute is git 2.31's option; an older git prints it back unchanged.
const absolute = "--path-format=absolute"

func (r *Repo) askLayout(ctx context.Context) (Layout, error) {
	ask := []string{"rev-parse", absolute, "--git-dir", "--git-common-dir", "--git-path", "hooks", "--is-bare-repository",
		"--show-object-format", "--show-toplevel"}
	out, err := r.git(ctx, ask...)
	if failed, ok := errors.AsType[*commandError](err); ok && strings.Contains(failed.stderr, "empty string is not") {
		// core.hooksPath is empty: git runs no hooks and refuses --git-path hooks.
		out, err = r.git(ctx, append([]string{"-c", "core.hooksPath=" + os.DevNull}, ask...)...)
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if lines[0] == absolute {
		lines = lines[1:]
	}
	// The last question has no answer outside a work tree.
	if failed := (*commandError)(nil); errors.As(err, &failed) &&
		strings.Contains(failed.stderr, "must be run in a work tree") {
		lines, err = append(lines, ""), nil
	}
	if err != nil {
		return Layout{}, err
	}
	if len(lines) != 6 {
		return Layout{}, fmt.Errorf(
			"git rev-parse in %s: expected 6 lines, found %q; a path with a line break cannot be read", r.dir, out)
	}
	for _, i := range []int{0, 1, 2, 5} {
		if lines[i] == "" {
			continue
		}
		if !filepath.IsAbs(lines[i]) {
			lines[i] = filepath.Join(r.dir, lines[i])
		}
		if lines[i], err = filepath.Abs(lines[i]); err != nil {
			return Layout{}, err
		}
	}
	return Layout{
		GitDir: lines[0], CommonDir: lines[1], HooksDir: lines[2],
		IsBare: lines[3] == "true", ObjectFormat: lines[4], Top: lines[5],
	}, nil
}

// Config reads configuration with one call of git. The result holds only keys that are set, section and variable in
// lower case; the last value wins, and a key without a value is "true".
func (r *Repo) Config(ctx context.Context, keys ...string) (map[string]string, error) {
	// git also reads configuration outside a repository, and silently ignores an untrusted repository. Every repository
	// has this key.
	const proof = "core.repositoryformatversion"
	patterns := []string{regexp.QuoteMeta(proof)}
	asked := map[string]bool{}
	for _, k := range keys {
		k = canonicalKey(k)
		asked[k] = true
		patterns = append(patterns, regexp.QuoteMeta(k))
	}
	out, err := r.git(ctx, "config", "-z", "--get-regexp", "^("+strings.Join(patterns, "|")+")$")
	if err != nil && !foundNothing(err) {
		return nil, err
	}
	values := map[string]string{}
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		key, value, ok := strings.Cut(entry, "\n")
		if !ok {
			value = "true"
		}
		values[key] = value
	}
	if _, ok := values[proof]; !ok {
		if _, err := r.Layout(ctx); err != nil {
			return nil, err
		}
	}
	for key := range values {
		if !asked[key] {
			delete(values, key)
		}
	}
	return values, nil
}

// canonicalKey lowers section and variable, as git prints them, but not the subsection.
func canonicalKey(key string) string {
	first, last := strings.Index(key, "."), strings.LastIndex(key, ".")
	if first == last {
		return strings.ToLower(key)
	}
	return strings.ToLower(key[:first]) + key[first:last] + strings.ToLower(key[last:])
}

// cache holds answers that never change. When it is full it starts again, so a walk over a long history is bounded.
type cache[K comparable, V any] struct {
	limit int

	mu     sync.Mutex
	values map[K]V
	used   int
}

func (c *cache[K, V]) get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.values[key]
	return v, ok
}

// makeRoom empties the cache unless cost more fits, so that values added together stay together.
func (c *cache[K, V]) makeRoom(cost int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.used+cost > c.limit {
		c.values, c.used = nil, 0
	}
}

// put adds a value that uses cost of the limit.
func (c *cache[K, V]) put(key K, v V, cost int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.values[key]; ok {
		return
	}
	if c.values == nil || c.used+cost > c.limit {
		c.values, c.used = map[K]V{}, 0
	}
	c.values[key] = v
	c.used += cost
}
