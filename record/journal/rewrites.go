package journal

import (
	"context"
	"encoding/json"
	"time"

	"github.com/acta-git/acta/repo/state"
)

// Rewrite is a commit that git replaced: amended or rebased.
type Rewrite struct {
	// Command is the command: "amend" or "rebase".
	Command string `json:"by"`
	// Old and New are full commit ids. A squash turns several old ones into the same new one.
	Old string `json:"old"`
	New string `json:"new"`
	// Time is when git reported it.
	Time time.Time `json:"time"`
}

func rewrites(commonDir string) Chain {
	return Chain{Path: state.Path(commonDir, "rewrites.jsonl")}
}

// AddRewrites records rewritten commits in the local state; commonDir is the git directory that the work trees share.
// It returns a Repair if it had to repair the log first.
func AddRewrites(ctx context.Context, commonDir string, all []Rewrite) (*Repair, error) {
	entries := make([]any, len(all))
	for i, r := range all {
		entries[i] = r
	}
	return rewrites(commonDir).Append(ctx, entries...)
}

// VerifyRewrites verifies the log of rewritten commits.
func VerifyRewrites(commonDir string) (State, error) { return rewrites(commonDir).verify(nil) }

// Rewrites maps every rewritten commit to its latest replacement.
func Rewrites(commonDir string) (map[string]string, error) {
	next := map[string]string{}
	err := rewrites(commonDir).each(func(line []byte) error {
		var r Rewrite
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		// A commit that is rewritten to itself, or back to an earlier id, ends a chain.
		delete(next, r.New)
		if r.Old != r.New {
			next[r.Old] = r.New
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	last := make(map[string]string, len(next))
	for old := range next {
		last[old] = followRewrites(next, old)
	}
	return last, nil
}

// followRewrites follows a chain to its end. A commit's id depends on those of its ancestors, and steps back were left
// out, so there are no cycles; the number of steps is bounded anyway.
func followRewrites(next map[string]string, at string) string {
	for range next {
		to, ok := next[at]
		if !ok {
			break
		}
		at = to
	}
	return at
}
