package main

import (
	"time"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/worklog"
)

// What commands print as JSON, where no package below has a type for it. The
// schemas in docs/schema are made from these types.

// nextUnit is what `acta plan next` prints.
type nextUnit struct {
	Key  string     `json:"key"`
	Unit *plan.Unit `json:"unit"`
	Next string     `json:"next,omitempty"`
}

// planDiff is what `acta plan diff` prints.
type planDiff struct {
	Path  string     `json:"path"`
	Moves []planMove `json:"moves"`
	Lines []string   `json:"lines"`
}

type planMove struct {
	Kind  plan.MoveKind `json:"kind"`
	Unit  string        `json:"unit"`
	Key   string        `json:"key"`
	From  string        `json:"from"`
	To    string        `json:"to"`
	Words string        `json:"words"`
}

// planOwner is what `acta plan owner` prints; of a unit that nobody holds only its name.
type planOwner struct {
	Unit      string     `json:"unit"`
	Claimed   string     `json:"claimed,omitempty"`
	Agent     string     `json:"agent,omitempty"`
	ClaimedAt *time.Time `json:"claimed_at,omitempty"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
}

// vagueItem is a line of `acta plan lint`.
type vagueItem struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Unit   string `json:"unit"`
	Item   string `json:"item"`
}

// diagnosed is what `acta doctor` prints.
type diagnosed struct {
	Acta  string `json:"acta"`
	Fires bool   `json:"fires"`
	*hooks.Diagnosis
}

// policyInForce is what `acta policy` prints.
type policyInForce struct {
	Acta   string         `json:"acta"`
	Path   string         `json:"path"`
	Values []policy.Value `json:"values"`
}

// votedScore is what `acta score feedback` prints.
type votedScore struct {
	Actor string `json:"actor"`
	Delta int    `json:"delta"`
	Score int    `json:"score"`
}

// malformedTask is a line of `acta heartbeat lint`.
type malformedTask struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// nextTask is what `acta heartbeat next` prints.
type nextTask struct {
	ID          string `json:"id"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
	Verify      string `json:"verify"`
	MaxAttempts int    `json:"max_attempts"`
	Line        int    `json:"line"`
}

// taskVerdict is what `acta heartbeat verify` prints of a task.
type taskVerdict struct {
	ID            string       `json:"id"`
	Verdict       diag.Verdict `json:"verdict"`
	Contradiction bool         `json:"contradiction"`
	Attempts      int          `json:"attempts"`
}

// retained is what `acta worklog gc` prints.
type retained struct {
	DryRun bool `json:"dry_run"`
	worklog.Retained
}
