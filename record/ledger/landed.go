package ledger

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
)

// spotChecks is how many random commits of the cache are judged again on every use; a shorter history is judged
// completely. If one commit in a hundred was edited, three uses in four miss it, but twenty uses find it with 99.8%.
const spotChecks = 32

// cacheFormat changes with the meaning of the cached data.
const cacheFormat = 10

type branchReader struct {
	*Repositories
	repo *repo.Repo
	dir  string // where each worker opens the repository again
	// cache keeps the results of judging, by commit. git always lists the commits, and some are judged again on every
	// use; if one differs, the cache is discarded.
	cache state.Cache
}

// scoredCommits are the tip's commits that could be judged, in no order.
func (l *branchReader) scoredCommits(
	ctx context.Context, tip repo.ID, terms *judge.ScoreTerms,
) ([]*judge.ScoredCommit, error) {
	ids, searchEnd, err := judge.ClaimingCommits(ctx, l.repo, tip, terms.Excluded, terms.Policy)
	if err != nil {
		return nil, err
	}
	if searchEnd != nil {
		l.warn(fmt.Sprintf("older commits are not counted: %v", searchEnd))
	}
	var known commitsByID
	if len(ids) > spotChecks {
		if known, err = l.readCache(ctx, ids); err != nil {
			return nil, err
		}
	}
	var missing []repo.ID
	var all []*judge.ScoredCommit
	for _, id := range ids {
		if a := known[string(id)]; a != nil {
			all = append(all, a)
		} else {
			missing = append(missing, id)
		}
	}
	judged, err := l.judge(ctx, missing)
	if err != nil {
		return nil, err
	}
	all = append(all, judged...)
	if len(ids) > spotChecks && len(judged) > 0 {
		l.writeCache(ctx, all, known)
	}
	return all, nil
}

type commitsByID map[string]*judge.ScoredCommit

// writeCache writes the cache, with commits of other branches unless they are the majority.
func (l *branchReader) writeCache(ctx context.Context, all []*judge.ScoredCommit, known commitsByID) {
	kept := commitsByID{}
	if len(known) <= 2*len(all) {
		maps.Copy(kept, known)
	}
	for _, a := range all {
		kept[a.Commit] = a
	}
	if err := l.cache.Write(ctx, kept); err != nil {
		l.warn(fmt.Sprintf("what was judged is not kept for the next time: %v", err))
	}
}

func (l *branchReader) readCache(ctx context.Context, ids []repo.ID) (known commitsByID, err error) {
	if !l.cache.Read(&known) {
		return nil, nil
	}
	var checked []repo.ID
	for _, i := range rand.Perm(len(ids)) {
		if known[string(ids[i])] != nil {
			checked = append(checked, ids[i])
		}
		if len(checked) == spotChecks {
			break
		}
	}
	again, err := l.judge(ctx, checked)
	if err != nil {
		return nil, err
	}
	for _, a := range again {
		if !state.EncodesEqual(a, known[a.Commit]) {
			l.warn(fmt.Sprintf("%s and git disagree about commit %.12s; the cache was discarded, and every commit is judged "+
				"again", l.cache.Path(), a.Commit))
			return nil, nil
		}
	}
	return known, nil
}

// judge judges commits, on all cores. Commits that cannot be judged are left out, with a warning.
func (l *branchReader) judge(ctx context.Context, ids []repo.ID) ([]*judge.ScoredCommit, error) {
	found, failed := make([]*judge.ScoredCommit, len(ids)), make([]error, len(ids))
	workers, working := errgroup.WithContext(ctx)
	n := min(runtime.GOMAXPROCS(0), len(ids))
	for first := range n {
		workers.Go(func() error {
			r, err := l.open(working, l.dir)
			if err != nil {
				return err
			}
			defer r.Close()
			h := judge.NewHistory(r, nil)
			for i := first; i < len(ids); i += n {
				found[i], failed[i] = h.Score(working, ids[i])
			}
			return working.Err()
		})
	}
	if err := workers.Wait(); err != nil {
		return nil, err
	}
	for i, err := range failed {
		if err != nil {
			l.warn(fmt.Sprintf("commit %.12s is not counted: %v", ids[i], err))
		}
	}
	return slices.DeleteFunc(found, func(a *judge.ScoredCommit) bool { return a == nil }), nil
}

func cacheAt(commonDir, release string) state.Cache {
	return state.NewCache(commonDir, "score", fmt.Sprint(cacheFormat, " ", release))
}

// rowsOf are the rows of judged commits, with the times of CommitTimes for the tip. Now is the clock's, whatever the
// query's day.
func rowsOf(
	ctx context.Context, r *repo.Repo, tip repo.ID, accounts []*judge.ScoredCommit,
) ([]Row, map[repo.ID]repo.CommitTime, error) {
	if len(accounts) == 0 {
		return nil, nil, nil
	}
	moments, err := r.CommitTimes(ctx, tip, time.Now())
	if err != nil {
		return nil, nil, err
	}
	claims := 0
	for _, a := range accounts {
		claims += len(a.Claims)
	}
	rows := make([]Row, 0, claims)
	for _, a := range accounts {
		at := moments[repo.ID(a.Commit)]
		for i, c := range a.Claims {
			rows = append(rows, Row{
				Kind: score.Landed, Commit: a.Commit, Time: time.Unix(at.Unix, 0), Rank: at.Rank, Index: i,
				Actor: actorName(c.Actor),
				Unit:  c.Unit, Item: c.Item,
				IsRequired: !c.IsOptional, Verdict: c.Verdict, IsContradiction: c.IsContradiction,
				Evidence: c.Evidence, Reason: c.Reason, Keys: c.Keys, PickedFrom: a.CherryPickedFrom,
			})
		}
	}
	chargeAuthors(accounts, rows)
	return rows, moments, nil
}

func actorName(s string) string { return strings.ToValidUTF8(s[:min(len(s), policy.MaxName)], "") }

// chargeAuthors charges failed claims to the commit's author, unless the ACT names a proven agent: one with verified
// claims under the same author, and not an author itself. A message can name anybody.
func chargeAuthors(accounts []*judge.ScoredCommit, rows []Row) {
	authors, isAuthor := make(map[string]string, len(accounts)), map[string]bool{}
	for _, a := range accounts {
		authors[a.Commit], isAuthor[strings.ToLower(a.Author)] = a.Author, true
	}
	proven := map[[2]string]bool{}
	of := func(row *Row) [2]string { return [2]string{policy.PlainName(row.Actor), authors[row.Commit]} }
	for i := range rows {
		if rows[i].Worth() > 0 {
			proven[of(&rows[i])] = true
		}
	}
	for i := range rows {
		if row := &rows[i]; row.Worth() < 0 && (!proven[of(row)] || isAuthor[strings.ToLower(row.Actor)]) {
			row.Actor = authors[row.Commit]
		}
	}
}

// UnlandedNotice says that ACTs of HEAD are not on the default branch, and so count nothing yet; "" for none.
func UnlandedNotice(ctx context.Context, r *repo.Repo) (string, error) {
	reads := &evidence.Reads{Ctx: ctx}
	branch, tip := defaultTip(reads, r)
	head := evidence.ReadOf(reads, func() (repo.Commit, error) { return r.Head(ctx) })
	if reads.Err != nil || head.ID == tip.ID {
		return "", reads.Err
	}
	log, err := r.Log(ctx, []repo.ID{head.ID}, []repo.ID{tip.ID}, 0, judge.MayAct)
	if err != nil {
		return "", err
	}
	n := 0
	for _, c := range log.Commits {
		if c.Text != nil {
			n++
		}
	}
	acts := fmt.Sprintf("%d ACTs of HEAD have", n)
	switch n {
	case 0:
		return "", nil
	case 1:
		acts = "1 ACT of HEAD has"
	}
	return fmt.Sprintf("%s not landed on %s, and counts nothing there yet; to see what it would count: acta score "+
		"--ref HEAD",
		acts, branch), nil
}

func defaultTip(reads *evidence.Reads, r *repo.Repo) (branch string, tip repo.Commit) {
	branch = evidence.ReadOf(reads, func() (string, error) { return r.DefaultBranch(reads.Ctx) })
	return branch, evidence.ReadOf(reads, func() (repo.Commit, error) { return r.Commit(reads.Ctx, branch) })
}
