package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// WalkedCommit is a commit that Walk came by. What it holds is overwritten by the next one.
type WalkedCommit struct {
	ID ID
	// Parents are the ids of those that were fetched.
	Parents []ID
	// When is the committer's time, seconds since 1970.
	When uint64
	// Message is in UTF-8, as `git log` shows it.
	Message []byte
}

// Walk calls each for the commits that tip reaches and those of not do not, in the order of `git log`: by their dates,
// and no more than most, 0 for all. One process reads them, so it costs what `git log` does. An error of each ends it.
func (r *Repo) Walk(ctx context.Context, tip ID, not []ID, most int, each func(WalkedCommit) error) error {
	args := []string{"log", "-z", "--encoding=UTF-8", "--no-color", "--no-decorate", "--no-notes", "--no-patch",
		"--no-mailmap", "--format=tformat:%H %P%n%ct%n%B"}
	if most > 0 {
		args = append(args, fmt.Sprintf("--max-count=%d", most))
	}
	args = append(args, string(tip))
	if err := tip.check(); err != nil {
		return err
	}
	for _, id := range not {
		if err := id.check(); err != nil {
			return err
		}
		args = append(args, "^"+string(id))
	}
	w := &walker{each: each}
	if err := r.outputTo(ctx, r.command(ctx, append(args, "--")...), w); err != nil {
		if w.err != nil {
			return w.err
		}
		return err
	}
	if len(w.rest) > 0 {
		return fmt.Errorf("git log's answer ends in the middle of %.60q", w.rest)
	}
	return nil
}

// IsAncestor reports whether a commit has another one in its history, or is it.
func (r *Repo) IsAncestor(ctx context.Context, earlier, later ID) (bool, error) {
	if err := errors.Join(earlier.check(), later.check()); err != nil {
		return false, err
	}
	_, err := r.git(ctx, "merge-base", "--is-ancestor", string(earlier), string(later))
	if no := (*commandError)(nil); errors.As(err, &no) && no.code == 1 && no.stderr == "" {
		return false, nil
	}
	return err == nil, err
}

// walker takes what git prints apart.
type walker struct {
	each func(WalkedCommit) error
	rest []byte
	err  error
}

func (w *walker) Write(p []byte) (int, error) {
	n := len(p)
	for {
		end := bytes.IndexByte(p, 0)
		if end < 0 {
			w.rest = append(w.rest, p...)
			return n, nil
		}
		one := p[:end]
		if len(w.rest) > 0 {
			w.rest = append(w.rest, one...)
			one = w.rest
		}
		if w.err = w.take(one); w.err != nil {
			return 0, w.err
		}
		w.rest, p = w.rest[:0], p[end+1:]
	}
}

func (w *walker) take(one []byte) error {
	head, rest, ok := bytes.Cut(one, []byte{'\n'})
	when, message, more := bytes.Cut(rest, []byte{'\n'})
	names := strings.Fields(string(head))
	if !ok || !more || len(names) == 0 {
		return fmt.Errorf("git log answered %.60q", one)
	}
	c := WalkedCommit{Message: message}
	for i, name := range names {
		id, err := parseID(name)
		if err != nil {
			return err
		}
		if i == 0 {
			c.ID = id
		} else {
			c.Parents = append(c.Parents, id)
		}
	}
	var err error
	if c.When, err = strconv.ParseUint(string(when), 10, 64); err != nil {
		return fmt.Errorf("git log answered %.60q: %w", one, err)
	}
	return w.each(c)
}

// CommitTime is when a commit was made, as far as its history lets that be believed.
type CommitTime struct {
	// Unix is in seconds since 1970.
	Unix int64
	// Rank orders commits of one second: it is greater than that of every parent of the same second.
	Rank int
}

// Moments are those of the commits that a tip reaches. Whoever commits writes the date, so it is taken at its word only
// between the parents' and now: an earlier one is the latest of the parents', and so is one that has not come yet; that
// of a first commit is then now.
func (r *Repo) Moments(ctx context.Context, tip ID, now time.Time) (map[ID]CommitTime, error) {
	if err := tip.check(); err != nil {
		return nil, err
	}
	commits, err := r.list(ctx, "--topo-order", "--reverse", string(tip))
	if err != nil {
		return nil, err
	}
	all := make(map[ID]CommitTime, len(commits))
	for _, c := range commits {
		at, least := CommitTime{Unix: int64(min(c.when, math.MaxInt64))}, now.Unix()
		for i, p := range c.parents {
			if before := all[ID(p)].Unix; i == 0 || before > least {
				least = before
			}
		}
		if at.Unix > now.Unix() || len(c.parents) > 0 && at.Unix < least {
			at.Unix = least
		}
		for _, p := range c.parents {
			if before := all[ID(p)]; before.Unix == at.Unix {
				at.Rank = max(at.Rank, before.Rank+1)
			}
		}
		all[c.id] = at
	}
	return all, nil
}
