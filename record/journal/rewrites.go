package journal

import (
	"context"
	"encoding/json"
	"time"

	"github.com/acta-git/acta/repo/state"
)

// Rewrite is a commit that git made anew: amended, or rebased.
type Rewrite struct {
	// By is the command: "amend" or "rebase".
	By string `json:"by"`
	// Old and New are full commit ids. A squash turns several old ones into the same new one.
	Old string `json:"old"`
	New string `json:"new"`
	// Time is when git said so.
	Time time.Time `json:"time"`
}

// rewrites is the log in a repository's common git directory.
func rewrites(commonDir string) Chain {
	return Chain{Path: state.Path(commonDir, "rewrites.jsonl")}
}

// AddRewrites records rewritten commits in the state of a repository; commonDir is
// the git directory that its work trees share. A Repair is what it had to mend first.
func AddRewrites(ctx context.Context, commonDir string, all []Rewrite) (*Repair, error) {
	entries := make([]any, len(all))
	for i, r := range all {
		entries[i] = r
	}
	return rewrites(commonDir).Append(ctx, entries...)
}

// VerifyRewrites reports what was done to the record of rewritten commits.
func VerifyRewrites(commonDir string) (State, error) { return rewrites(commonDir).verify(nil) }

// Rewrites maps every rewritten commit to what it was last turned into, through
// as many rewrites as there were.
func Rewrites(commonDir string) (map[string]string, error) {
	next := map[string]string{}
	err := rewrites(commonDir).each(func(line []byte) error {
		var r Rewrite
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		// What is made anew under the same id, or made again from its own result, ends a chain.
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
		last[old] = lastOf(next, old)
	}
	return last, nil
}

// lastOf follows a chain. It has an end: a commit's id holds those of its ancestors,
// and what leads back was left out; the number of steps is bounded all the same.
func lastOf(next map[string]string, at string) string {
	for range next {
		to, ok := next[at]
		if !ok {
			break
		}
		at = to
	}
	return at
}
