package judge

import (
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
)

// Of a judged commit that says nothing of units no message stays in memory, and of those that do all stays.
func TestOfAJudgedCommitWhatIsAskedStays(t *testing.T) {
	h := NewHistory(nil, nil)
	p := policy.Default()
	for message, stays := range map[string]bool{
		"Fix a thing\n\nA body: with a colon.\n\nSigned-off-by: A <a@example.org>\n": false,
		"Write f\n\nFor: T01\n":                  true,
		"ACT: T01 add f\n\n- [x] f | a.py:1-3\n": true,
		"ADAPT: T01 plan it\n":                   true,
		"Revert \"f\"\n\nThis reverts commit 0123456789012345678901234567890123456789.\n": true,
	} {
		h.judgedCommits = nil
		h.remember(commit{repo.Commit{ID: repo.ID(message)}, parser.Parse([]byte(message))}, &p, nil)
		if j := h.judgedCommits[0]; j.id != repo.ID(message) || (j.commit != nil) != stays {
			t.Errorf("%q: %+v", message, j)
		}
		if _, known := h.parts[outcomeKey{repo.ID(message), &p}]; known != stays {
			t.Errorf("%q: its parts are kept: %v", message, known)
		}
	}
}
