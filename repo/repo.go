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

// Options of Open. The zero value is right inside a hook.
type Options struct {
	// Env is the environment that git runs in. nil is the process's own, git's
	// variables included, as a hook needs them; see ForeignEnv for another repository.
	Env []string
}

// Repo is one repository, read through git. It is safe for use by several
// goroutines, but reads of objects wait for each other: parallel workers open their own.
type Repo struct {
	dir     string
	env     []string
	objects *batch
	commits cache[Commit]
	trees   cache[tree]
	sizes   cache[int64]  // only what Prefetch put there
	blobs   cache[[]byte] // likewise

	mu     sync.Mutex
	layout *Layout

	silent atomic.Bool // a git gave no answer

	placing sync.Once
	alone   bool // see standsAlone

	renaming sync.Mutex
	renamed  map[[2]ID]map[string]string
	bases    map[[2]ID]ID // of two commits
}

// Layout is where the parts of a repository are.
type Layout struct {
	// Top is the top folder of the work tree; "" when the repository is bare or
	// the directory lies inside the git directory.
	Top string
	// GitDir is this work tree's git directory, CommonDir the one that all work trees share.
	GitDir, CommonDir string
	// HooksDir is where git looks for hooks; core.hooksPath counts.
	HooksDir string
	Bare     bool
	// Shallow: history is cut; see ErrShallow.
	Shallow bool
	// ObjectFormat is "sha1" or "sha256".
	ObjectFormat string

	index string // the index file; GIT_INDEX_FILE counts
}

const (
	// maxCachedTrees bounds the trees that are kept decoded, in entries (about 100 bytes each).
	maxCachedTrees = 200_000
	// maxCachedCommits bounds the commits that are kept decoded, in bytes of message.
	maxCachedCommits = 8 << 20
	// maxCachedSizes bounds the sizes of objects that are kept, in objects (about 100 bytes each).
	maxCachedSizes = 100_000
	// maxCachedBlobs bounds the contents of files that are kept, in bytes. It is
	// also the most that one Prefetch reads.
	maxCachedBlobs = 32 << 20
)

// Open prepares to read the repository that dir lies in. It starts no process:
// what is wrong with the repository shows at the first read. ctx bounds the life
// of the Repo: when it is done, every process of the Repo ends. A directory that
// is not there is an error that wraps os.ErrNotExist.
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
	r := &Repo{dir: dir, env: slices.DeleteFunc(slices.Clone(env), tracing)}
	r.objects = &batch{life: ctx, repo: r}
	r.commits.limit = maxCachedCommits
	r.trees.limit = maxCachedTrees
	r.sizes.limit = maxCachedSizes
	r.blobs.limit = maxCachedBlobs
	return r, nil
}

// Close ends the process that reads objects. It is safe to call twice and after an error.
func (r *Repo) Close() error {
	r.objects.close()
	return nil
}

// Layout tells where the parts of the repository are. It asks git once.
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

// absolute is git 2.31's option; an older git prints it back as it came.
const absolute = "--path-format=absolute"

func (r *Repo) askLayout(ctx context.Context) (Layout, error) {
	ask := []string{"rev-parse", absolute, "--git-dir", "--git-common-dir", "--git-path", "hooks", "--git-path", "index",
		"--is-bare-repository", "--is-shallow-repository", "--show-object-format", "--show-toplevel"}
	out, err := r.git(ctx, ask...)
	if failed, ok := errors.AsType[*commandError](err); ok && strings.Contains(failed.stderr, "empty string is not") {
		// core.hooksPath is empty: git runs no hook, and cannot say where it looks for them.
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
	if len(lines) != 8 {
		return Layout{}, fmt.Errorf(
			"git rev-parse in %s: expected 8 lines, found %q; a path with a line break cannot be read", r.dir, out)
	}
	for _, i := range []int{0, 1, 2, 3, 7} {
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
		GitDir: lines[0], CommonDir: lines[1], HooksDir: lines[2], index: lines[3],
		Bare: lines[4] == "true", Shallow: lines[5] == "true", ObjectFormat: lines[6], Top: lines[7],
	}, nil
}

// Config reads configuration with one call of git. The answer holds the keys
// that are set, section and variable in lower case (a sub-section keeps its
// case); the last value wins, and a key without a value is "true".
func (r *Repo) Config(ctx context.Context, keys ...string) (map[string]string, error) {
	// git reads configuration outside a repository too, and passes silently over
	// a repository that it does not trust. Every repository has this key.
	const proof = "core.repositoryformatversion"
	patterns := []string{regexp.QuoteMeta(proof)}
	asked := map[string]bool{}
	for _, k := range keys {
		k = canonicalKey(k)
		asked[k] = true
		patterns = append(patterns, regexp.QuoteMeta(k))
	}
	out, err := r.git(ctx, "config", "-z", "--get-regexp", "^("+strings.Join(patterns, "|")+")$")
	if none, ok := errors.AsType[*commandError](err); ok && none.code == 1 && none.stderr == "" {
		err = nil
	}
	if err != nil {
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

// canonicalKey lowers section and variable, as git prints them.
func canonicalKey(key string) string {
	first, last := strings.Index(key, "."), strings.LastIndex(key, ".")
	if first == last {
		return strings.ToLower(key)
	}
	return strings.ToLower(key[:first]) + key[first:last] + strings.ToLower(key[last:])
}

// cache holds decoded objects by id. When it is full it starts again, which is
// enough for a hook and bounds a walk over a long history.
type cache[V any] struct {
	limit int

	mu     sync.Mutex
	values map[ID]V
	used   int
}

func (c *cache[V]) get(id ID) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.values[id]
	return v, ok
}

// makeRoom empties the cache unless so much more fits, so that what is put
// together also stays together.
func (c *cache[V]) makeRoom(cost int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.used+cost > c.limit {
		c.values, c.used = nil, 0
	}
}

// put keeps a value that costs so much of the limit.
func (c *cache[V]) put(id ID, v V, cost int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.values[id]; ok {
		return // an id stands for one value only
	}
	if c.values == nil || c.used+cost > c.limit {
		c.values, c.used = map[ID]V{}, 0
	}
	c.values[id] = v
	c.used += cost
}
