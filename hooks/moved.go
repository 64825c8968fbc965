package hooks

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// Move is a HEAD that names another commit than when somebody last looked.
type Move struct {
	// Head is what it names now, Before what it named then; "" for no commit.
	Head, Before repo.ID
	// Stood are commits that were there when the looking began, and Refs patterns of refs that are taken for such.
	// Judged are those that HEAD named at looks since.
	Stood, Judged []repo.ID
	Refs          []string
	// Since is when the looking began.
	Since time.Time
	// GitDir is the work tree's git directory, CommonDir the one that all share, Others those of work trees in which
	// others work.
	GitDir, CommonDir string
	Others            []string
	// Session is the worklog's that the agent works in, "" where it has none: `Ran:` lines are held to its runs.
	Session string
}

// Moved judges the commits that HEAD has got since somebody last looked, however it got them: no hook of git's need
// have run. It is for who looks again and again at a work tree in which one agent works, and leaves out what is
// somebody else's: what stood before, what was fetched, what other work trees have, and what a rebase only made anew
// of what stood, where it did not hold then either. The policy is that of the commit which the new ones stand on.
//
// Where a commit could not be judged, and none is refused, that is the error. The result, if there is one, has the
// findings and verdicts of those commits alone that are refused.
func Moved(ctx context.Context, r *repo.Repo, m Move) (*Answer, error) {
	if m.Head == "" {
		return &Answer{}, nil
	}
	d := refJudge{repo: r, push: judge.NewPush(r).WithRuns(Runs(r, m.Session)), bases: []string{baseBelow}}
	known := m.known(ctx, r)
	u := batch{[]update{{ref: "HEAD", old: string(m.Before), new: string(m.Head)}}, known}
	results, err := d.judge(ctx, u)
	if err != nil || (&Answer{Results: results}).Code() == 0 {
		return &Answer{}, err
	}
	// What costs more to read is read only where something is refused.
	if more := m.elsewhere(); len(more) > 0 {
		u.known.IDs = append(u.known.IDs, more...)
		if results, err = d.judge(ctx, u); err != nil {
			return &Answer{}, err
		}
	}
	for _, result := range results {
		copied, err := m.copied(ctx, d, result)
		if err != nil {
			return &Answer{}, err
		}
		if result.refusedAlone(copied); result.Count(report.Error) > 0 {
			return &Answer{Results: []Result{result}}, nil
		}
	}
	// What could not be judged, or not in time, is nothing that holds.
	var undecided []error
	for _, result := range results {
		undecided = append(undecided, result.Undecided...)
	}
	return &Answer{}, errors.Join(undecided...)
}

// known is what is nobody's news: what stood, what was judged, what remotes have but for what was pushed to them from
// here, what the last fetch brought, and where other work trees are.
func (m *Move) known(ctx context.Context, r *repo.Repo) repo.KnownCommits {
	pushed, before := m.pushed()
	known := repo.KnownCommits{
		IDs: slices.Concat(m.Stood, m.Judged, before), Refs: append(slices.Clone(m.Refs), "refs/remotes/*"), Except: pushed,
	}
	if len(m.Refs) > 0 { // but for the branch here
		if branch, err := r.HeadBranch(ctx); err == nil {
			known.Except = append(known.Except, branch)
		}
	}
	for _, dir := range m.Others {
		if stamp, err := repo.HeadStamp(dir, m.CommonDir); err == nil && repo.IsID(stamp) {
			known.IDs = append(known.IDs, repo.ID(stamp))
		}
	}
	if info, err := os.Stat(filepath.Join(m.GitDir, "FETCH_HEAD")); err == nil && !info.ModTime().Before(m.Since) {
		if ids, err := r.RemoteFetchHeads(ctx); err == nil {
			known.IDs = append(known.IDs, ids...)
		}
	}
	return known
}

// pushed are the remote-tracking refs that last moved because of a push from here, which is nothing that a remote
// brought, or were written by hand; before is what they named until then. A ref's log tells (git-reflog(1)).
func (m *Move) pushed() (refs []string, before []repo.ID) {
	logs := filepath.Join(m.CommonDir, "logs")
	_ = filepath.WalkDir(filepath.Join(logs, "refs", "remotes"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // what cannot be read is no push
		}
		if info, err := d.Info(); err != nil || info.ModTime().Before(m.Since) {
			return nil
		}
		moves := reflog(path)
		last := len(moves) - 1
		if last < 0 || moves[last].brought() {
			return nil
		}
		for last > 0 && !moves[last-1].brought() && !moves[last-1].when.Before(m.Since) {
			last--
		}
		name, err := filepath.Rel(logs, path)
		if err == nil {
			refs, before = append(refs, filepath.ToSlash(name)), append(before, moves[last].from())
		}
		return nil
	})
	return refs, slices.DeleteFunc(before, func(id repo.ID) bool { return id == "" })
}

// logged is a line of a ref's log.
type logged struct {
	old, new, why string
	when          time.Time
}

// brought reports a move that another repository's branch made, not one of this.
func (l logged) brought() bool { return l.why != "" && !strings.HasPrefix(l.why, "update by push") }

// from is the commit that the ref named before, "" for none.
func (l logged) from() repo.ID {
	if isZero(l.old) {
		return ""
	}
	return repo.ID(l.old)
}

// reflog are the last moves of a ref, the latest last; none where there is no log. A line has the old id, the new one,
// who, seconds, zone, a tab, and why.
func reflog(file string) (all []logged) {
	data, whole, err := state.ReadEnd(file, maxEnd)
	if err != nil {
		return nil
	}
	if !whole {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	for line := range strings.Lines(string(data)) {
		head, why, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		fields := strings.Fields(head)
		if len(fields) < 4 {
			continue
		}
		seconds, _ := strconv.ParseInt(fields[len(fields)-2], 10, 64)
		all = append(all, logged{fields[0], fields[1], why, time.Unix(seconds, 0)})
	}
	return all
}

// elsewhere are the commits that HEAD of other work trees has named, as far as their logs go: a branch that was left
// there since is no news here.
func (m *Move) elsewhere() (ids []repo.ID) {
	for _, dir := range m.Others {
		for _, l := range reflog(filepath.Join(dir, "logs", "HEAD")) {
			if !isZero(l.new) {
				ids = append(ids, repo.ID(l.new))
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// maxCopied bounds the commits that are looked through for what a rebase made anew.
const maxCopied = 2000

// copied are the refused commits of a result that a rebase made of what stood before, and which did not hold there,
// either: same author, same time, same message. What it left behind is what HEAD named before, or ORIG_HEAD.
func (m *Move) copied(ctx context.Context, d refJudge, result Result) (map[string]bool, error) {
	copied := map[string]bool{}
	left := []repo.ID{m.Before}
	if orig, err := d.repo.Commit(ctx, "ORIG_HEAD"); err == nil {
		left = append(left, orig.ID)
	}
	left = slices.DeleteFunc(left, func(id repo.ID) bool { return id == "" })
	if len(left) == 0 {
		return copied, nil
	}
	dropped, err := d.repo.NewCommits(ctx, left, repo.KnownCommits{IDs: []repo.ID{m.Head}})
	if err != nil || len(dropped) == 0 || len(dropped) > maxCopied {
		return copied, err
	}
	made, err := d.repo.NewCommits(ctx, left, repo.KnownCommits{IDs: m.Stood, Refs: m.Refs})
	if err != nil {
		return nil, err
	}
	for id := range refusedCommits(result) {
		now, err := d.repo.Commit(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, old := range dropped {
			was, err := d.repo.Commit(ctx, string(old))
			if err != nil {
				return nil, err
			}
			if slices.Contains(made, old) || was.Author.Name != now.Author.Name || was.Author.Email != now.Author.Email ||
				!was.Author.When.Equal(now.Author.When) || !bytes.Equal(was.Message, now.Message) {
				continue
			}
			before, err := d.push.Judge(ctx, judge.Update{Commits: []repo.ID{old}, Base: below(ctx, d.repo, []repo.ID{old})})
			if err != nil {
				return nil, err
			}
			copied[id] = copied[id] || before.Code() != 0
		}
	}
	return copied, nil
}

// refusedCommits are those that have an error.
func refusedCommits(result Result) map[string]bool {
	all := map[string]bool{}
	for _, f := range result.Findings {
		if f.Severity == report.Error {
			all[f.Commit] = true
		}
	}
	return all
}

// refusedAlone leaves in a result what is about refused commits, but for some.
func (r *Result) refusedAlone(but map[string]bool) {
	refused := refusedCommits(*r)
	keep := func(commit string) bool { return refused[commit] && !but[commit] }
	r.Findings = slices.DeleteFunc(r.Findings, func(f report.Finding) bool { return !keep(f.Commit) })
	r.Verdicts = slices.DeleteFunc(r.Verdicts, func(v report.ClaimVerdict) bool { return !keep(v.Commit) })
}

// RefusedCommits are the commits of an answer of Moved, in the order in which they were made.
func (a *Answer) RefusedCommits() (ids []repo.ID) {
	for _, result := range a.Results {
		for _, f := range result.Findings {
			if f.Severity == report.Error && !slices.Contains(ids, repo.ID(f.Commit)) {
				ids = append(ids, repo.ID(f.Commit))
			}
		}
	}
	return ids
}

// errNoWayBack: nobody knows how a commit can be taken back by one command.
var errNoWayBack = errors.New("the commit is not on the way from HEAD")

// CommitsToUndo counts the commits, itself included, that must be taken back from HEAD so that a commit leaves its
// history and all work stays; an error where a merge lies between, or it has no parent.
func CommitsToUndo(ctx context.Context, r *repo.Repo, head, id repo.ID) (int, error) {
	for n, at := 1, head; ; n++ {
		c, err := r.Commit(ctx, string(at))
		switch {
		case err != nil:
			return 0, err
		case len(c.Parents) != 1:
			return 0, errNoWayBack
		case at == id:
			return n, nil
		}
		at = c.Parents[0]
	}
}
