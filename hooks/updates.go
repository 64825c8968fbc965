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

type update struct {
	ref      string
	old, new string // ids; zeros for none
}

// maxLine bounds a line of a hook's input, in bytes: a ref's name may be as long as a path (4096 on Linux), and a
// pre-push line has two.
const maxLine = 1 << 16

// readUpdates reads the lines of standard input, and returns those that bring commits. parse makes an update of a
// line's fields; a line with another number of fields is an error.
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

// bringsCommits is false for deletions, unchanged refs, the worklog, git's notes, and symbolic refs.
func (u update) bringsCommits() bool {
	return !isZero(u.new) && u.old != u.new && !strings.HasPrefix(u.new, "ref:") &&
		!slices.ContainsFunc(unjudgedPrefixes[:], func(dir string) bool { return strings.HasPrefix(u.ref, dir) })
}

// unjudgedPrefixes are refs that are not judged: the worklog, its summaries, and git's notes. Commits that only they
// have count as unknown, or commits could reach a branch through them unjudged.
var unjudgedPrefixes = [...]string{"refs/worklog/", "refs/worklog-summary/", "refs/notes/"}

// isZero reports an id of zeros, git's sign for none.
func isZero(id string) bool { return strings.Trim(id, "0") == "" }

// currentCommit is the commit that the ref names now; "" if there is none, or if it is not here.
func (u update) currentCommit(ctx context.Context, r *repo.Repo) repo.ID {
	if isZero(u.old) {
		return ""
	}
	c, err := r.Commit(ctx, u.old)
	if err != nil {
		return ""
	}
	return c.ID
}

// parentOfOldest is the parent of the oldest of some commits; "" for a root commit.
func parentOfOldest(ctx context.Context, r *repo.Repo, commits []repo.ID) repo.ID {
	isListed := map[repo.ID]bool{}
	for _, id := range commits {
		isListed[id] = true
		c, err := r.Commit(ctx, string(id))
		if err != nil {
			return ""
		}
		// Parents come first, so a parent that is not listed yet is not among the commits.
		for _, p := range c.Parents {
			if !isListed[p] {
				return p
			}
		}
	}
	return ""
}

type batch struct {
	updates      []update
	knownCommits repo.KnownCommits
}

type refJudge struct {
	repo    *repo.Repo
	history *judge.History
	// bases name the commit whose policy judges an update: revisions, or the names below; the first that exists counts.
	bases []string
	// followsClaims: earlier claims are judged at the new commit too.
	followsClaims bool
}

// Bases that are not revisions: the ref's old commit by the hook's input or by the ref itself, and the parent of the
// oldest new commit.
const (
	baseBefore = "(before)"
	baseItself = "(itself)"
	baseBelow  = "(below)"
)

// base is the first of some bases that exists, "" for none.
func (d refJudge) base(ctx context.Context, u update, commits []repo.ID, bases ...string) (id repo.ID) {
	for i := 0; i < len(bases) && id == ""; i++ {
		switch name := bases[i]; name {
		case baseBefore:
			id = u.currentCommit(ctx, d.repo)
		case baseBelow:
			id = parentOfOldest(ctx, d.repo, commits)
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

func (d refJudge) judge(ctx context.Context, batches ...batch) ([]Result, error) {
	var results []Result
	for _, b := range batches {
		commits, err := d.newCommits(ctx, b)
		if err != nil {
			return nil, err
		}
		for i, u := range b.updates {
			if len(commits[i]) == 0 {
				continue
			}
			result, err := d.history.JudgeUpdate(ctx, judge.Update{
				Commits: commits[i], Range: u.old + ".." + u.new, FollowClaims: d.followsClaims,
				Base: d.base(ctx, u, commits[i], d.bases...), Before: d.base(ctx, u, commits[i], baseBefore, baseBelow),
			})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", u.ref, err)
			}
			results = append(results, Result{u.ref, result})
		}
	}
	return results, nil
}

// newCommits lists the new commits of each update. Most refs of a large push bring nothing of their own, so git is
// asked once for all of them, and then for each that does.
func (d refJudge) newCommits(ctx context.Context, b batch) ([][]repo.ID, error) {
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
	all, err := d.repo.NewCommits(ctx, named, b.knownCommits)
	if err != nil {
		return nil, err
	}
	commits := make([][]repo.ID, len(tips))
	for i, tip := range tips {
		switch {
		case !slices.Contains(all, tip):
		case len(named) == 1:
			commits[i] = all
		default:
			if commits[i], err = d.repo.NewCommits(ctx, []repo.ID{tip}, b.knownCommits); err != nil {
				return nil, err
			}
		}
	}
	return commits, nil
}
