package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/acta-git/acta/repo/state"
)

// Rewrite is a commit that git replaced: amended or rebased.
type Rewrite struct {
	// Command is the command: "amend" or "rebase".
	Command string `json:"by"`
	// Old and New are full commit ids. A squash turns several old ones into the same new one.
	Old  string    `json:"old"`
	New  string    `json:"new"`
	Time time.Time `json:"time"`
}

func rewrites(commonDir string) Chain {
	return Chain{Path: state.Path(commonDir, "rewrites.jsonl")}
}

// AddRewrites records rewritten commits in the local state; commonDir is the git directory that the work trees share.
func AddRewrites(ctx context.Context, commonDir string, all []Rewrite) ([]string, error) {
	entries := make([]any, len(all))
	for i, r := range all {
		entries[i] = r
	}
	return rewrites(commonDir).Append(ctx, func() ([]any, error) { return entries, nil })
}

// VerifyRewrites verifies the log of rewritten commits.
func VerifyRewrites(commonDir string) (State, error) {
	s, _, err := rewrites(commonDir).verify(nil)
	return s, err
}

// Rewrites maps every rewritten commit to its latest replacement.
func Rewrites(commonDir string) (map[string]string, error) {
	log := rewrites(commonDir)
	data, err := state.ReadFile(log.Path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	next, n, hash := map[string]string{}, 0, ""
	for line := range Lines(data) {
		n++
		if fault := follows(n, line, hash); fault != nil {
			return nil, fmt.Errorf("%s:%d: %s", log.Path, n, fault.Reason)
		}
		var r Rewrite
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", log.Path, n, err)
		}
		// A commit that is rewritten to itself, or back to an earlier id, ends a chain.
		delete(next, r.New)
		if r.Old != r.New {
			next[r.Old] = r.New
		}
		hash = hashLine(line)
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
