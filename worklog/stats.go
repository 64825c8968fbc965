package worklog

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/acta-git/acta/localstate"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// Stats say what the record costs an agent, in tokens a session, each figure against its target.
type Stats struct {
	Overhead Overhead `json:"token_overhead"`
}

// Overhead is the average of total_tokens of a session, by tier, and of all tiers together, each weighted by its
// sessions. A value of which nothing is known is nil.
type Overhead struct {
	Value    map[string]*float64 `json:"value"`
	Weighted *float64            `json:"weighted_average"`
	Most     float64             `json:"weighted_target"` // at most
	Target   map[string]float64  `json:"target"`          // at most
	Sessions map[string]int      `json:"sessions"`
	Estimate string              `json:"estimate"`
}

// weightedTarget is the target of all tiers together, in tokens a session.
const weightedTarget = 300

// overheadTargets are in tokens a session.
func overheadTargets() map[string]float64 {
	return map[string]float64{
		policy.Strict.String(): 750, policy.Standard.String(): 300, policy.Light.String(): 60, policy.Exempt.String(): 0,
	}
}

// estimate is how tokens are counted, for whoever reads the figures.
const estimate = "tokens are estimated: the bytes that the agent must read or write because of acta, divided by four"

// Statistics measures every session that was recorded and is known here, each once. Sessions that commits alone tell of
// are not counted: nobody meant to record them here.
func Statistics(ctx context.Context, r *repo.Repo, commonDir string) (*Stats, []string, error) {
	all, warnings, err := recorded(ctx, r, commonDir)
	if err != nil {
		return nil, warnings, err
	}
	o := Overhead{
		Value: map[string]*float64{}, Most: weightedTarget, Target: overheadTargets(), Sessions: map[string]int{},
		Estimate: estimate,
	}
	tokens := map[string]int{}
	for _, l := range all {
		o.Sessions[l.Tier]++
		tokens[l.Tier] += l.Summary.Tokens
	}
	spent, sessions := 0, 0
	for tier := range o.Target {
		o.Sessions[tier] += 0 // each has a figure
		spent, sessions = spent+tokens[tier], sessions+o.Sessions[tier]
		o.Value[tier] = share(tokens[tier], o.Sessions[tier])
	}
	o.Weighted = share(spent, sessions)
	return &Stats{o}, warnings, nil
}

// share is n of all; nil of nothing.
func share(n, all int) *float64 {
	if all == 0 {
		return nil
	}
	v := float64(n) / float64(all)
	return &v
}

// Write prints the statistics as text or JSON.
func (s *Stats) Write(w io.Writer, format string) error {
	out := []byte(s.text())
	if format == "json" {
		var err error
		if out, err = localstate.Indented(s); err != nil {
			return err
		}
	}
	_, err := w.Write(out)
	return err
}

func (s *Stats) text() string {
	var b strings.Builder
	row := func(name string, v *float64, target float64, sessions int) {
		value := "not known"
		if v != nil {
			value = fmt.Sprintf("%.0f", *v)
		}
		fmt.Fprintf(&b, "%-17s %9s  (target: at most %.0f)  on average of %d sessions\n", "tokens, "+name, value, target,
			sessions)
	}
	all := 0
	for _, tier := range []string{"STRICT", "STANDARD", "LIGHT", "EXEMPT"} {
		row(tier, s.Overhead.Value[tier], s.Overhead.Target[tier], s.Overhead.Sessions[tier])
		all += s.Overhead.Sessions[tier]
	}
	row("all tiers", s.Overhead.Weighted, s.Overhead.Most, all)
	b.WriteString(s.Overhead.Estimate + "\n")
	return b.String()
}
