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

// PrePush is git's pre-push hook: it judges the commits that a push would add to the remote, ref by ref, and may refuse
// the push. git passes the remote and its address, and a line for each ref: local name, local id, remote name, remote
// id (githooks(5)).
//
// The remote's commits are those last fetched and those that git names now. The policy is that of the remote's ref; of
// a new ref, that of the remote's default branch, else of the commit below the new ones. An empty remote, such as a new
// mirror, gets that of origin's default branch.
func PrePush(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	updates, err := readUpdates(c.Stdin, 4, 3)
	if err != nil || len(updates) == 0 {
		return &Answer{}, err
	}
	var known repo.KnownCommits
	bases := []string{baseBefore, baseBelow, "refs/remotes/origin/HEAD"}
	if len(c.Args) > 1 && c.Args[1] == "." { // within this repository
		known.Refs = []string{"refs/heads/*", "refs/tags/*", "refs/remotes/*"}
	} else if len(c.Args) == 1 || len(c.Args) > 1 && c.Args[0] != c.Args[1] { // else git has only its address
		remote := "refs/remotes/" + c.Args[0]
		known.Refs, bases = []string{remote + "/*"}, slices.Insert(bases, 1, remote+"/HEAD")
	}
	for _, u := range updates {
		if !isZero(u.old) {
			known.IDs = append(known.IDs, repo.ID(u.old))
		}
	}
	judging := refJudge{repo: r, history: judge.NewHistory(r, nil), followsClaims: true, bases: bases}
	refs, err := judging.judge(ctx, batch{updates, known})
	return &Answer{Results: refs}, err
}

// PreReceive is git's pre-receive hook on a server: it judges the commits that each ref of a push would get, and may
// refuse the push. git passes a line for each ref: old id, new id, name (githooks(5)). The new objects lie in
// quarantine, where git's environment lets them be read.
//
// A new ref gets the commits that no ref has, apart from the worklog and notes, which are not judged. A new default
// branch gets all its commits: other refs may have been judged by a looser policy. An existing ref gets the commits
// that neither it nor the default branch has: a branch with a looser policy is judged again when it is merged. The
// policy is that of the ref now; of a new ref, that of the default branch, HEAD.
func PreReceive(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	updates, err := readUpdates(c.Stdin, 3, 0)
	if err != nil || len(updates) == 0 {
		return &Answer{}, err
	}
	standard, unborn := repo.ID(""), ""
	head, err := r.Head(ctx)
	switch {
	case err == nil:
		standard = head.ID
	case errors.Is(err, repo.ErrUnborn):
		if unborn, err = r.HeadBranch(ctx); err != nil {
			return nil, err
		}
	}
	created := batch{knownCommits: repo.KnownCommits{Refs: []string{"refs/*"}}}
	for _, dir := range unjudgedPrefixes {
		created.knownCommits.Except = append(created.knownCommits.Except, dir+"*")
	}
	batches := []batch{}
	for _, u := range updates {
		if isZero(u.old) && u.ref != unborn {
			created.updates = append(created.updates, u)
			continue
		}
		b := batch{updates: []update{u}}
		if !isZero(u.old) {
			b.knownCommits.IDs = append(b.knownCommits.IDs, repo.ID(u.old))
		}
		if standard != "" {
			b.knownCommits.IDs = append(b.knownCommits.IDs, standard)
		}
		batches = append(batches, b)
	}
	judging := refJudge{repo: r, history: judge.NewHistory(r, nil), followsClaims: true, bases: []string{baseBefore}}
	if standard != "" {
		judging.bases = append(judging.bases, string(standard))
	}
	refs, err := judging.judge(ctx, append(batches, created)...)
	return &Answer{Results: refs}, err
}

type update struct {
	ref      string
	old, new string // ids; zeros for none
}

// maxLine bounds a line of a hook's input, in bytes: a ref's name may be as long as a path (4096 on Linux), and a
// pre-push line has two.
const maxLine = 1 << 16

// readUpdates reads the lines of standard input, and returns those that bring commits. The second field of a line is
// the new id, the third the ref's name; old is the position of the old id. A line with another number of fields than
// want is an error.
func readUpdates(in io.Reader, want, old int) ([]update, error) {
	var all []update
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), " ")
		if len(fields) != want {
			return nil, fmt.Errorf("git passed the line %q; expected %d fields", lines.Text(), want)
		}
		if u := (update{ref: fields[2], old: fields[old], new: fields[1]}); u.bringsCommits() {
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
		name := bases[i]
		switch name {
		case baseBelow:
			id = parentOfOldest(ctx, d.repo, commits)
			continue
		case baseBefore:
			name = u.old
		case baseItself:
			name = u.ref
		}
		if isZero(name) {
			continue
		}
		if c, err := d.repo.Commit(ctx, name); err == nil {
			id = c.ID
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

// ReferenceTransaction is git's reference-transaction hook, which `acta install --seal` adds: it judges the commits
// that a branch gets, however they were made, and may refuse the update. git calls it for every change of any ref, in
// several states, with a line for each: old id, new id, name (githooks(5)). Only the state "prepared" can be refused,
// and only branches are judged: HEAD and the refs of a rebase, merge or bisection must move freely, or the repository
// would be left half way.
//
// New commits are those that no branch, tag or remote has, and that the last fetch did not bring: this committer did
// not make those. A branch may go back to any commit in its reflog. The policy is that of the present branch; of a new
// branch, that of the commit below the new ones.
func ReferenceTransaction(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	if len(c.Args) == 0 || c.Args[0] != "prepared" {
		return &Answer{}, nil
	}
	updates, err := readUpdates(c.Stdin, 3, 0)
	if err != nil {
		return nil, err
	}
	// git leaves the old id out of some updates; the ref still names it.
	d := refJudge{repo: r, history: judge.NewHistory(r, nil), bases: []string{baseBefore, baseItself, baseBelow}}
	answer := &Answer{}
	for _, u := range updates {
		if !strings.HasPrefix(u.ref, "refs/heads/") {
			continue
		}
		results, err := d.judgeBranch(ctx, u)
		if err != nil {
			return nil, err
		}
		answer.Results = append(answer.Results, results...)
	}
	return answer, nil
}

func (d refJudge) judgeBranch(ctx context.Context, u update) ([]Result, error) {
	known := repo.KnownCommits{Refs: []string{"refs/heads/*", "refs/tags/*", "refs/remotes/*"}}
	results, err := d.judge(ctx, batch{[]update{u}, known})
	if err == nil && (&Answer{Results: results}).Code() == 0 {
		return results, nil
	}
	// Reflog and FETCH_HEAD are read only after a refusal.
	before, _ := d.repo.Reflog(ctx, u.ref)
	fetched, _ := d.repo.FetchHeads(ctx)
	if known.IDs = slices.Concat(before, fetched); len(known.IDs) == 0 {
		return results, err
	}
	return d.judge(ctx, batch{[]update{u}, known})
}
