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

// Move is a HEAD that names another commit than at the last look.
type Move struct {
	// Head is its commit now, Before the one at the last look; "" for none.
	Head, Before repo.ID
	// OldCommits are commits from before the first look, OldRefs patterns of refs whose commits count as old.
	// JudgedCommits are HEAD's commits at looks since.
	OldCommits, JudgedCommits []repo.ID
	OldRefs                   []string
	// Since is the time of the first look.
	Since time.Time
	// GitDir is the work tree's git directory, CommonDir the shared one, OtherTrees those of work trees in which others
	// work.
	GitDir, CommonDir string
	OtherTrees        []string
	// Session is the agent's worklog, "" for none: `Ran:` lines are checked against its runs.
	Session string
}

// JudgeMove judges the commits that HEAD has got since the last look, however they were made; no git hook need have
// run. It serves hosts that look repeatedly at one agent's work tree, and leaves out others' commits: old and fetched
// ones, those of other work trees, and copies that a rebase made of old commits that did not hold either. The policy is
// that of the commit below the new ones.
//
// If a commit could not be judged, and none is refused, that is the error. A result contains only findings and verdicts
// of refused commits.
func JudgeMove(ctx context.Context, r *repo.Repo, m Move) (*Answer, error) {
	if m.Head == "" {
		return &Answer{}, nil
	}
	d := refJudge{repo: r, history: judge.NewHistory(r, Runs(r, m.Session)), bases: []string{baseBelow}}
	known := m.knownCommits(ctx, r)
	u := batch{[]update{{ref: "HEAD", old: string(m.Before), new: string(m.Head)}}, known}
	results, err := d.judge(ctx, u)
	if err != nil || (&Answer{Results: results}).Code() == 0 {
		return &Answer{}, err
	}
	// The rest is slow to read, and read only after a refusal.
	if more := m.otherHeads(); len(more) > 0 {
		u.knownCommits.IDs = append(u.knownCommits.IDs, more...)
		if results, err = d.judge(ctx, u); err != nil {
			return &Answer{}, err
		}
	}
	for _, result := range results { // that of HEAD, if it still has new commits
		rewritten, err := m.rewritten(ctx, d, result)
		if err != nil {
			return &Answer{}, err
		}
		if result.keepRefused(rewritten); result.Count(report.Error) > 0 {
			return &Answer{Results: results}, nil
		}
		if len(result.Undecided) > 0 { // a commit that could not be judged in time does not count as verified
			return &Answer{}, errors.New(strings.Join(result.Undecided, "\n"))
		}
	}
	return &Answer{}, nil
}

// knownCommits are the commits that are not new: old and judged ones, those of remotes unless pushed from here, those
// of the last fetch, and HEADs of other work trees.
func (m *Move) knownCommits(ctx context.Context, r *repo.Repo) repo.KnownCommits {
	pushed, before := m.pushed()
	known := repo.KnownCommits{
		IDs: slices.Concat(m.OldCommits, m.JudgedCommits, before), Refs: append(slices.Clone(m.OldRefs), "refs/remotes/*"),
		Except: pushed,
	}
	if len(m.OldRefs) > 0 { // except the branch here
		if branch, err := r.HeadBranch(ctx); err == nil {
			known.Except = append(known.Except, branch)
		}
	}
	for _, dir := range m.OtherTrees {
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

// pushed are the remote-tracking refs that last moved because of a push from here, or were written by hand; before are
// their commits until then. A ref's log tells (git-reflog(1)).
func (m *Move) pushed() (refs []string, before []repo.ID) {
	logs := filepath.Join(m.CommonDir, "logs")
	_ = filepath.WalkDir(filepath.Join(logs, "refs", "remotes"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // skip unreadable logs
		}
		if info, err := d.Info(); err != nil || info.ModTime().Before(m.Since) {
			return nil
		}
		moves := reflog(path)
		last := len(moves) - 1
		if last < 0 || moves[last].isFromRemote() {
			return nil
		}
		for last > 0 && !moves[last-1].isFromRemote() && !moves[last-1].when.Before(m.Since) {
			last--
		}
		if name, err := filepath.Rel(logs, path); err == nil {
			refs = append(refs, filepath.ToSlash(name))
			if old := moves[last].old; !isZero(old) {
				before = append(before, repo.ID(old))
			}
		}
		return nil
	})
	return refs, before
}

type refMove struct {
	old, new, reason string
	when             time.Time
}

func (l refMove) isFromRemote() bool {
	return l.reason != "" && !strings.HasPrefix(l.reason, "update by push")
}

// reflog are the last moves of a ref. A line has the old id, the new one, a name, seconds, zone, a tab, the reason.
func reflog(file string) (all []refMove) {
	data, _ := state.ReadEnd(file, maxEnd) // none if it cannot be read
	for line := range strings.Lines(string(data)) {
		head, why, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		fields := strings.Fields(head)
		if len(fields) < 4 {
			continue
		}
		seconds, _ := strconv.ParseInt(fields[len(fields)-2], 10, 64)
		all = append(all, refMove{fields[0], fields[1], why, time.Unix(seconds, 0)})
	}
	return all
}

// otherHeads are the commits in the HEAD logs of other work trees: branches that were left there are not new here.
func (m *Move) otherHeads() (ids []repo.ID) {
	for _, dir := range m.OtherTrees {
		for _, l := range reflog(filepath.Join(dir, "logs", "HEAD")) {
			if !isZero(l.new) {
				ids = append(ids, repo.ID(l.new))
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// maxCopied bounds the commits that are compared with a rebase's.
const maxCopied = 2000

// rewritten are the refused commits that a rebase made of old commits that did not hold either: same author, time and
// message. The commits before the rebase are reachable from Before or ORIG_HEAD.
func (m *Move) rewritten(ctx context.Context, d refJudge, result Result) (map[string]bool, error) {
	rewritten := map[string]bool{}
	left := []repo.ID{m.Before}
	if orig, err := d.repo.Commit(ctx, "ORIG_HEAD"); err == nil {
		left = append(left, orig.ID)
	}
	left = slices.DeleteFunc(left, func(id repo.ID) bool { return id == "" })
	if len(left) == 0 {
		return rewritten, nil
	}
	dropped, err := d.repo.NewCommits(ctx, left, repo.KnownCommits{IDs: []repo.ID{m.Head}})
	if err != nil || len(dropped) == 0 || len(dropped) > maxCopied {
		return rewritten, err
	}
	new, err := d.repo.NewCommits(ctx, left, repo.KnownCommits{IDs: m.OldCommits, Refs: m.OldRefs})
	if err != nil {
		return nil, err
	}
	for _, id := range result.refused() {
		now, err := d.repo.Commit(ctx, string(id))
		if err != nil {
			return nil, err
		}
		for _, old := range dropped {
			was, err := d.repo.Commit(ctx, string(old))
			if err != nil {
				return nil, err
			}
			if slices.Contains(new, old) || was.Author.Name != now.Author.Name || was.Author.Email != now.Author.Email ||
				!was.Author.When.Equal(now.Author.When) || !bytes.Equal(was.Message, now.Message) {
				continue
			}
			commits := []repo.ID{old}
			update := judge.Update{Commits: commits, Base: parentOfOldest(ctx, d.repo, commits)}
			before, err := d.history.JudgeUpdate(ctx, update)
			if err != nil {
				return nil, err
			}
			rewritten[string(id)] = rewritten[string(id)] || before.Code() != 0
		}
	}
	return rewritten, nil
}

// refused are the refused commits, in the order in which they were made.
func (r *Result) refused() (ids []repo.ID) {
	for _, f := range r.Findings {
		if f.Severity == report.Error && !slices.Contains(ids, repo.ID(f.Commit)) {
			ids = append(ids, repo.ID(f.Commit))
		}
	}
	return ids
}

func (r *Result) keepRefused(except map[string]bool) {
	refused := r.refused()
	keep := func(commit string) bool { return slices.Contains(refused, repo.ID(commit)) && !except[commit] }
	r.Findings = slices.DeleteFunc(r.Findings, func(f report.Finding) bool { return !keep(f.Commit) })
	r.Verdicts = slices.DeleteFunc(r.Verdicts, func(v report.ClaimVerdict) bool { return !keep(v.Commit) })
}

// RefusedCommits are the refused commits of an answer of JudgeMove, in the order in which they were made.
func (a *Answer) RefusedCommits() (ids []repo.ID) {
	for _, result := range a.Results {
		ids = append(ids, result.refused()...)
	}
	return ids
}

// CommitsToUndo counts the commits to undo from HEAD, down to this one, so that the commit leaves the history and the
// work stays; an error if a merge lies between, or if it has no parent.
func CommitsToUndo(ctx context.Context, r *repo.Repo, head, id repo.ID) (int, error) {
	for n, at := 1, head; ; n++ {
		c, err := r.Commit(ctx, string(at))
		switch {
		case err != nil:
			return 0, err
		case len(c.Parents) != 1:
			return 0, errors.New("the commit is not on a straight line from HEAD")
		case at == id:
			return n, nil
		}
		at = c.Parents[0]
	}
}
