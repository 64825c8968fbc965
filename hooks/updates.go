package hooks

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
)

// update is a ref that is to name another commit than before.
type update struct {
	ref      string
	old, new string // ids; zeros where there is none
}

// maxLine bounds a line that git hands to a hook, in bytes: a ref's name may be
// as long as a path (4096 on Linux), and a pre-push line holds two.
const maxLine = 1 << 16

// readUpdates reads the lines of standard input, and those of them that bring commits.
// parse takes the fields of a line apart; a line that it does not know is an error.
func readUpdates(in io.Reader, want int, parse func(fields []string) update) ([]update, error) {
	var all []update
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), " ")
		if len(fields) != want {
			return nil, fmt.Errorf("git passed the line %q; expected %d fields", lines.Text(), want)
		}
		if u := parse(fields); u.bringsCommits() {
			all = append(all, u)
		}
	}
	return all, lines.Err()
}

// bringsCommits leaves out what is no work: a deletion, a ref that stays where it
// is, the worklog and git's notes, and a symbolic ref's target.
func (u update) bringsCommits() bool {
	return !isZero(u.new) && u.old != u.new && !strings.HasPrefix(u.new, "ref:") &&
		!slices.ContainsFunc(unjudged[:], func(dir string) bool { return strings.HasPrefix(u.ref, dir) })
}

// unjudged are the refs that nobody looks at: the worklog, its summaries, and git's notes. What only they have is known
// to nobody, or a commit could come in by them and go on to a branch.
var unjudged = [...]string{"refs/worklog/", "refs/worklog-summary/", "refs/notes/"}

// isZero reports the id of zeros by which git says that there is nothing.
func isZero(id string) bool { return strings.Trim(id, "0") == "" }

// current is the commit that the ref names now; "" where it names none, or none that is here.
func (u update) current(ctx context.Context, r *repo.Repo) repo.ID {
	if isZero(u.old) {
		return ""
	}
	c, err := r.Commit(ctx, u.old)
	if err != nil {
		return ""
	}
	return c.ID
}

// below is the commit that the oldest of some commits stands on: "" for a history of its own.
func below(ctx context.Context, r *repo.Repo, commits []repo.ID) repo.ID {
	listed := map[repo.ID]bool{}
	for _, id := range commits {
		listed[id] = true
		c, err := r.Commit(ctx, string(id))
		if err != nil {
			return ""
		}
		// Parents come before children, so a parent that is not listed yet never will be.
		for _, p := range c.Parents {
			if !listed[p] {
				return p
			}
		}
	}
	return ""
}

// batch is updates that are held against the same known history.
type batch struct {
	updates []update
	known   repo.KnownCommits
}

// refJudge judges what refs get.
type refJudge struct {
	repo *repo.Repo
	push *judge.Push
	// bases name the commit whose policy judges the commits that an update brings, by revisions and by the names that
	// follow: the first that there is.
	bases []string
	// follow: earlier claims are followed, too.
	follow bool
}

// What a base may be that is no revision: where the ref stands, by what git says or by itself, and what the oldest of
// the new commits stands on.
const (
	baseBefore = "(before)"
	baseItself = "(itself)"
	baseBelow  = "(below)"
)

// base is the commit whose policy judges the commits that an update brings, "" for none.
func (d refJudge) base(ctx context.Context, u update, commits []repo.ID) (id repo.ID) {
	for i := 0; i < len(d.bases) && id == ""; i++ {
		switch name := d.bases[i]; name {
		case baseBefore:
			id = u.current(ctx, d.repo)
		case baseBelow:
			id = below(ctx, d.repo, commits)
		default:
			if name == baseItself {
				name = u.ref
			}
			if c, err := d.repo.Commit(ctx, name); err == nil {
				id = c.ID
			}
		}
	}
	return id
}

// judge judges the updates of the batches, and leaves out those that bring nothing new.
func (d refJudge) judge(ctx context.Context, batches ...batch) ([]Result, error) {
	var results []Result
	for _, b := range batches {
		brought, err := d.brought(ctx, b)
		if err != nil {
			return nil, err
		}
		for i, u := range b.updates {
			if len(brought[i]) == 0 {
				continue
			}
			in := judge.Update{
				Commits: brought[i], Base: d.base(ctx, u, brought[i]), Range: u.old + ".." + u.new, FollowClaims: d.follow,
			}
			if in.Before = u.current(ctx, d.repo); in.Before == "" {
				in.Before = below(ctx, d.repo, brought[i])
			}
			result, err := d.push.Judge(ctx, in)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", u.ref, err)
			}
			results = append(results, Result{u.ref, result})
		}
	}
	return results, nil
}

// brought lists for each update the commits that it brings. Most refs of a large
// push bring nothing of their own: git is asked once for all of them, and then for
// those that do.
func (d refJudge) brought(ctx context.Context, b batch) ([][]repo.ID, error) {
	tips := make([]repo.ID, len(b.updates))
	for i, u := range b.updates {
		c, err := d.repo.Commit(ctx, u.new)
		if err != nil && !errors.Is(err, repo.ErrNotFound) { // a tag may name a file
			return nil, fmt.Errorf("%s: %w", u.ref, err)
		}
		tips[i] = c.ID
	}
	named := slices.DeleteFunc(slices.Clone(tips), func(id repo.ID) bool { return id == "" })
	if len(named) == 0 {
		return make([][]repo.ID, len(tips)), nil
	}
	all, err := d.repo.NewCommits(ctx, named, b.known)
	if err != nil {
		return nil, err
	}
	brought := make([][]repo.ID, len(tips))
	for i, tip := range tips {
		switch {
		case !slices.Contains(all, tip):
		case len(named) == 1:
			brought[i] = all
		default:
			if brought[i], err = d.repo.NewCommits(ctx, []repo.ID{tip}, b.known); err != nil {
				return nil, err
			}
		}
	}
	return brought, nil
}
