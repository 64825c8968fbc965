package judge

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
)

// History reads the history of a repository, judges commits and keeps what it read. It serves one goroutine.
type History struct {
	repo *repo.Repo
	// runs are the runs that `Ran:` lines are compared with; if nil, those of notes.
	runs RunsOfSession
	// notes are the notes of RunNotes, once read.
	notes map[repo.ID][]byte
	// Evidence and Plans cache parsed files.
	Evidence *evidence.Cache
	Plans    *plan.Cache

	// outcomes are the commits that were judged alone: several refs of a push may bring the same.
	outcomes map[outcomeKey]*outcome
	// parts are the parts of judged commits; judgedCommits lists those commits, parents first.
	parts         map[outcomeKey][]judgedPart
	judgedCommits []judgedCommit
	policies      map[string]*policy.Policy // by the id of the policy file

	mu sync.Mutex // of the following: claims are judged several at a time
	// logs are the logs that were made, by the policy's since and their tips; lastLogs the last that git read, by since.
	logs, lastLogs map[string]*repo.Log
}

// outcomeKey is a commit under a policy: the same commit may be judged by the policies of two refs.
type outcomeKey struct {
	Commit repo.ID
	Policy *policy.Policy
}

// NewHistory prepares to read a repository. If runs is not nil, the runs that an ACT claims are compared with its
// session's, and each recorded one gets a verdict.
func NewHistory(r *repo.Repo, runs RunsOfSession) *History {
	return &History{
		repo: r, runs: runs, Evidence: evidence.NewCache(), Plans: &plan.Cache{}, outcomes: map[outcomeKey]*outcome{},
		parts: map[outcomeKey][]judgedPart{}, policies: map[string]*policy.Policy{}, logs: map[string]*repo.Log{},
		lastLogs: map[string]*repo.Log{},
	}
}

// remember keeps a judged commit and what the parts of its message say. For a commit that names no unit and reverts
// nothing, it keeps only the ids, to save memory.
func (h *History) remember(c commit, p *policy.Policy, parts []judgedPart) {
	m := c.message
	j := judgedCommit{id: c.ID, parents: c.Parents}
	if len(m.Reverts) > 0 || slices.ContainsFunc(m.Parts, func(p parser.Part) bool { return p.Kind != parser.None }) {
		j.commit = &c
		h.parts[outcomeKey{c.ID, p}] = parts
	}
	h.judgedCommits = append(h.judgedCommits, j)
}

// judgedCommit is a commit that was judged in this run; commit is nil if its message names no unit.
type judgedCommit struct {
	id      repo.ID
	parents []repo.ID
	commit  *commit
}

// PolicyOf is the policy of a commit, read once; that of "" is the built-in one.
func (h *History) PolicyOf(ctx context.Context, commit repo.ID) (*policy.Policy, error) {
	from, file := snapshot.Snapshot{}, snapshot.BuiltinPolicy
	if commit != "" {
		if _, err := h.repo.Commit(ctx, string(commit)); err != nil {
			return nil, fmt.Errorf("the policy of %.12s cannot be read: %w", commit, err)
		}
		from = snapshot.At(h.repo, string(commit))
		var err error
		if file, err = from.PolicyHash(ctx); err != nil {
			return nil, err
		}
	}
	if p := h.policies[file]; p != nil {
		return p, nil
	}
	p, err := from.Policy(ctx)
	if err == nil {
		h.policies[file] = p
	}
	return p, err
}

func (h *History) judgeOf(tree repo.ID, p *policy.Policy) *evidence.Judge {
	return &evidence.Judge{Tree: snapshot.Tree(h.repo, tree), Cache: h.Evidence, Limits: limits(p)}
}

func limits(p *policy.Policy) evidence.Limits {
	return evidence.Limits{MaxLines: p.MaxLines, MaxFileBytes: p.MaxFileBytes}
}
