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
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// Repository is a repository on the pages. Its data are read on demand, and cached until its refs or its local state
// change.
type Repository struct {
	// Name distinguishes it from the others.
	Name string

	dir               string
	env               []string
	gitDir, commonDir string
	record            cached[*record]
	planState         cached[*planState]
	claims            cached[*judge.ClaimsReport]
	board             cached[*Board]
}

// OpenRepository opens the repository of dir. env is git's environment.
func OpenRepository(ctx context.Context, dir string, env []string) (*Repository, error) {
	r := &Repository{dir: dir, env: repo.ForeignEnv(env)}
	return r, r.withRepo(ctx, func(git *repo.Repo) error {
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

// Distinguish makes the names of repositories unique: by the folder above, or else by number.
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

func (r *Repository) withRepo(ctx context.Context, do func(*repo.Repo) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	git, err := repo.Open(ctx, r.dir, repo.Options{Env: r.env})
	if err != nil {
		return err
	}
	defer git.Close()
	return do(git)
}

type record struct {
	sessions []worklog.ListedSession
	// verdicts are by commit, with the evidence that sessions lack.
	verdicts map[string][]report.ClaimVerdict
	warnings []string
}

func (r *Repository) readRecord(ctx context.Context) (*record, error) {
	return r.record.get(ctx, r.workFingerprint(), func(ctx context.Context) (*record, error) {
		out := &record{verdicts: map[string][]report.ClaimVerdict{}}
		return out, r.withRepo(ctx, func(git *repo.Repo) error {
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

type planState struct {
	path   string
	root   *plan.Unit
	owners lease.Leases
}

func (r *Repository) readPlan(ctx context.Context) (*planState, error) {
	return r.planState.get(ctx, r.workFingerprint(), func(ctx context.Context) (*planState, error) {
		out := &planState{}
		return out, r.withRepo(ctx, func(git *repo.Repo) (err error) {
			out.path, out.root, err = snapshot.Head(git).Plan(ctx)
			if err != nil && !errors.Is(err, repo.ErrUnborn) {
				return err
			}
			out.owners, err = lease.Read(r.commonDir)
			return err
		})
	})
}

func (p *planState) holder(key string, now time.Time) string {
	c, ok := p.owners[key]
	if !ok || c.ExpiresAt != nil && !now.Before(*c.ExpiresAt) {
		return ""
	}
	return c.Agent
}

func (r *Repository) readClaims(ctx context.Context) (*judge.ClaimsReport, error) {
	return r.claims.get(ctx, r.workFingerprint(), func(ctx context.Context) (out *judge.ClaimsReport, err error) {
		err = r.withRepo(ctx, func(git *repo.Repo) error {
			out, err = judge.NewHistory(git, nil).Claims(ctx, "", "HEAD")
			if errors.Is(err, repo.ErrUnborn) {
				out, err = &judge.ClaimsReport{Acta: report.Release}, nil
			}
			return err
		})
		return out, err
	})
}

// fingerprint is equal as long as nothing on the pages can have changed: HEAD, the refs in any backend, and the local
// state. It starts no process: it reads file times, and the commit of HEAD, because two commits may fall into one tick
// of a file system's clock.
func (r *Repository) fingerprint() string { return r.fingerprintOf(func(string) bool { return true }) }

// workFingerprint is fingerprint without files that only affect scores: feedback and logs.
func (r *Repository) workFingerprint() string {
	return r.fingerprintOf(func(path string) bool {
		notes := string(filepath.Separator) + filepath.Join("refs", "notes") + string(filepath.Separator)
		return !strings.Contains(path, notes) && !strings.Contains(filepath.Base(path), "-log.")
	})
}

func (r *Repository) fingerprintOf(isCounted func(path string) bool) string {
	sum := sha256.New()
	stamp, _ := repo.HeadStamp(r.gitDir, r.commonDir) // "" if it cannot be read
	sum.Write([]byte(stamp))
	addFile(sum, filepath.Join(r.gitDir, "HEAD"))
	for _, file := range []string{"packed-refs", "config", "shallow"} { // config names the default branch
		addFile(sum, filepath.Join(r.commonDir, file))
	}
	for _, dir := range []string{"refs", "acta"} {
		_ = filepath.WalkDir(filepath.Join(r.commonDir, dir), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil // gone or missing
			case d.IsDir() && d.Name() == "cache":
				return fs.SkipDir
			case !d.IsDir() && !strings.HasSuffix(path, ".lock") && isCounted(path):
				addFile(sum, path)
			}
			return nil
		})
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func addFile(sum hash.Hash, path string) {
	if info, err := os.Lstat(path); err == nil {
		sum.Write(fmt.Appendf(nil, "%s\x00%d\x00%d\x00", path, info.Size(), info.ModTime().UnixNano()))
	}
}

func (s *Server) names() []string {
	return report.Map(s.options.Repos, func(r *Repository) string { return r.Name })
}

// selectedRepos are the repositories in a request's ?repo= parameters; all without one.
func (s *Server) selectedRepos(names []string) ([]*Repository, error) {
	if len(names) == 0 {
		return s.options.Repos, nil
	}
	var out []*Repository
	for _, name := range names {
		i := slices.IndexFunc(s.options.Repos, func(r *Repository) bool { return r.Name == name })
		if i < 0 {
			known := strings.Join(s.names(), ", ")
			return nil, refusalf(http.StatusNotFound, "there is "+known, "there is no repository %q here", name)
		}
		if !slices.Contains(out, s.options.Repos[i]) {
			out = append(out, s.options.Repos[i])
		}
	}
	return out, nil
}

func (r *Repository) reachable(ctx context.Context) error {
	return r.withRepo(ctx, func(git *repo.Repo) error {
		_, err := git.Head(ctx)
		if errors.Is(err, repo.ErrUnborn) {
			return nil
		}
		return err
	})
}

// Same reports whether two are one work tree.
func (r *Repository) Same(o *Repository) bool { return r.gitDir == o.gitDir }

const makeTime = 2 * time.Minute

// cached is a value that is made again when its fingerprint changes. Concurrent callers make it once. Errors are not
// cached.
type cached[T any] struct {
	last  atomic.Pointer[made[T]]
	group singleflight.Group
}

type made[T any] struct {
	fingerprint string
	value       T
}

// get is the value for a fingerprint. If a caller goes away, the value is still made for the others.
func (c *cached[T]) get(ctx context.Context, print string, create func(context.Context) (T, error)) (v T, err error) {
	done := c.group.DoChan(print, func() (any, error) {
		if last := c.last.Load(); last != nil && last.fingerprint == print {
			return last.value, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), makeTime)
		defer cancel()
		v, err := create(ctx)
		if err == nil {
			c.last.Store(&made[T]{print, v})
		}
		return v, err
	})
	select {
	case <-ctx.Done():
		return v, ctx.Err()
	case r := <-done:
		if r.Err != nil {
			return v, r.Err
		}
		return r.Val.(T), nil
	}
}
