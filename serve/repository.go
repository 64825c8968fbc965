package serve

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// Repository is one that is shown. What it says is read when it is asked for, and
// kept until its refs or its local state change.
type Repository struct {
	// Name tells it from the others that are shown.
	Name string

	dir               string
	env               []string
	gitDir, commonDir string
	record            cached[*record]
	planned           cached[*planned]
	claims            cached[*judge.ClaimsReport]
	board             cached[*Board]
}

// OpenRepository is the repository that dir lies in. env is the environment that
// git runs in.
func OpenRepository(ctx context.Context, dir string, env []string) (*Repository, error) {
	r := &Repository{dir: dir, env: repo.ForeignEnv(env)}
	return r, r.with(ctx, func(git *repo.Repo) error {
		g, err := git.Layout(ctx)
		if err != nil {
			return err
		}
		top := cmp.Or(g.Top, strings.TrimSuffix(g.CommonDir, string(filepath.Separator)+".git"))
		r.Name = strings.TrimSuffix(filepath.Base(top), ".git")
		r.gitDir, r.commonDir, err = git.Dirs(ctx)
		return err
	})
}

// Distinguish gives repositories of one name different ones: by the folder above, or else by number.
func Distinguish(all []*Repository) {
	same := map[string]int{}
	for _, r := range all {
		same[r.Name]++
	}
	taken := map[string]bool{}
	for _, r := range all {
		name := r.Name
		if same[name] > 1 {
			name = filepath.Base(filepath.Dir(filepath.Dir(r.commonDir))) + "/" + name
		}
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s (%d)", r.Name, n)
		}
		taken[name] = true
		r.Name = name
	}
}

// with opens the repository for as long as do needs it.
func (r *Repository) with(ctx context.Context, do func(*repo.Repo) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	git, err := repo.Open(ctx, r.dir, repo.Options{Env: r.env})
	if err != nil {
		return err
	}
	defer git.Close()
	return do(git)
}

// record is what was done.
type record struct {
	sessions []worklog.ListedSession
	// verdicts of each commit, with the evidence that sessions do not tell.
	verdicts map[string][]report.ClaimVerdict
	warnings []string
}

// readRecord reads the sessions and the verdicts of HEAD's history.
func (r *Repository) readRecord(ctx context.Context) (*record, error) {
	return r.record.get(ctx, r.workPrint(), func(ctx context.Context) (*record, error) {
		out := &record{verdicts: map[string][]report.ClaimVerdict{}}
		return out, r.with(ctx, func(git *repo.Repo) error {
			h, err := judge.NewHistory(git, nil).Record(ctx, "HEAD")
			if err != nil {
				return err
			}
			if out.sessions, out.warnings, err = worklog.SessionsWith(ctx, git, r.commonDir, h); err != nil {
				return err
			}
			for _, d := range h.Parts {
				out.verdicts[string(d.Commit.ID)] = append(out.verdicts[string(d.Commit.ID)], d.Verdicts...)
			}
			return nil
		})
	})
}

// planned is HEAD's plan, and who works on what.
type planned struct {
	path   string
	root   *plan.Unit
	owners lease.Leases
}

func (r *Repository) readPlan(ctx context.Context) (*planned, error) {
	return r.planned.get(ctx, r.workPrint(), func(ctx context.Context) (*planned, error) {
		out := &planned{}
		return out, r.with(ctx, func(git *repo.Repo) (err error) {
			out.path, out.root, err = snapshot.Head(git).Plan(ctx)
			if err != nil && !errors.Is(err, repo.ErrUnborn) {
				return err
			}
			out.owners, err = lease.Read(r.commonDir)
			return err
		})
	})
}

// held is who holds a unit now; "" for nobody.
func (p *planned) held(key string, now time.Time) string {
	c, ok := p.owners[key]
	if !ok || c.ExpiresAt != nil && !now.Before(*c.ExpiresAt) {
		return ""
	}
	return c.Agent
}

// readClaims follows the verified claims of the history to HEAD.
func (r *Repository) readClaims(ctx context.Context) (*judge.ClaimsReport, error) {
	return r.claims.get(ctx, r.workPrint(), func(ctx context.Context) (out *judge.ClaimsReport, err error) {
		err = r.with(ctx, func(git *repo.Repo) error {
			out, err = judge.NewHistory(git, nil).Claims(ctx, "", "HEAD")
			if errors.Is(err, repo.ErrUnborn) {
				out, err = &judge.ClaimsReport{Acta: report.Release}, nil
			}
			return err
		})
		return out, err
	})
}

// print is equal as long as nothing that is shown can have changed: HEAD, the
// refs, whatever git keeps them in, and the local state. It starts no process: it
// looks at files, and reads the small ones that name where a branch stands, because
// two commits may come within one tick of a file system's clock.
func (r *Repository) print() string { return r.printOf(func(string) bool { return true }) }

// workPrint is print without what only scores are made of: feedback and the logs.
func (r *Repository) workPrint() string {
	return r.printOf(func(path string) bool {
		notes := string(filepath.Separator) + filepath.Join("refs", "notes") + string(filepath.Separator)
		return !strings.Contains(path, notes) && !strings.Contains(filepath.Base(path), "-log.")
	})
}

func (r *Repository) printOf(counts func(path string) bool) string {
	sum := sha256.New()
	head := note(sum, filepath.Join(r.gitDir, "HEAD"), true)
	if ref, ok := strings.CutPrefix(strings.TrimSpace(head), "ref: "); ok && !strings.Contains(ref, "..") {
		note(sum, filepath.Join(r.commonDir, filepath.FromSlash(ref)), true)
	}
	for _, file := range []string{"packed-refs", "config", "shallow"} { // config names the default branch
		note(sum, filepath.Join(r.commonDir, file), false)
	}
	note(sum, filepath.Join(r.commonDir, "reftable", "tables.list"), true)
	for _, dir := range []string{"refs", "acta"} {
		_ = filepath.WalkDir(filepath.Join(r.commonDir, dir), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil // it has gone, or was never there
			case d.IsDir() && d.Name() == "cache":
				return fs.SkipDir
			case !d.IsDir() && !strings.HasSuffix(path, ".lock") && counts(path):
				note(sum, path, false)
			}
			return nil
		})
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// note adds a file to a sum: what tells one state of it from another, and with content what it says.
func note(sum hash.Hash, path string, content bool) string {
	info, err := os.Lstat(path)
	if err != nil {
		return ""
	}
	sum.Write(fmt.Appendf(nil, "%s\x00%d\x00%d\x00", path, info.Size(), info.ModTime().UnixNano()))
	if !content || info.Size() > 4<<10 {
		return ""
	}
	data, err := state.ReadFile(path)
	if err != nil {
		return ""
	}
	sum.Write(data)
	return string(data)
}

// names are those of the repositories.
func (s *Server) names() []string {
	names := make([]string, len(s.o.Repos))
	for i, r := range s.o.Repos {
		names[i] = r.Name
	}
	return names
}

// chosen are the repositories that a request asks for by ?repo=, which may be given several times; else all.
func (s *Server) chosen(names []string) ([]*Repository, error) {
	if len(names) == 0 {
		return s.o.Repos, nil
	}
	var out []*Repository
	for _, name := range names {
		i := slices.IndexFunc(s.o.Repos, func(r *Repository) bool { return r.Name == name })
		if i < 0 {
			return nil, &badRequest{
				404, fmt.Sprintf("there is no repository %q here", name), "there is " + strings.Join(s.names(), ", "),
			}
		}
		if !slices.Contains(out, s.o.Repos[i]) {
			out = append(out, s.o.Repos[i])
		}
	}
	return out, nil
}

// reachable says what keeps HEAD from being read; a branch that is not born is no obstacle.
func (r *Repository) reachable(ctx context.Context) error {
	return r.with(ctx, func(git *repo.Repo) error {
		_, err := git.Head(ctx)
		if errors.Is(err, repo.ErrUnborn) {
			return nil
		}
		return err
	})
}

// Same reports whether two are one repository: work trees of it show the same history but for HEAD.
func (r *Repository) Same(o *Repository) bool { return r.gitDir == o.gitDir }

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
