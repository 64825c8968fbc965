package worklog

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// Stats say how well the record works, each measure against its target. Where nothing is known a value is nil, neither 0 nor 1.
type Stats struct {
	Capture  CaptureRate  `json:"capture_rate"`
	Verified VerifiedRate `json:"verification_success_rate"`
	Course   CourseRate   `json:"course_correction_rate"`
	Skip     SkipRate     `json:"skip_rate"`
	Overhead Overhead     `json:"token_overhead"`
}

// CaptureRate is the share of the operations that the tier wants which are recorded: Recorded of Recorded and Missed.
// What git does not show and nobody recorded is in neither.
type CaptureRate struct {
	Value    *float64 `json:"value"`
	Target   float64  `json:"target"` // at least
	Recorded int      `json:"recorded"`
	Missed   int      `json:"missed"`
	Sessions int      `json:"sessions"`
}

// VerifiedRate is the share of the verifications that passed, by their last reading. Skipped ones are in neither.
type VerifiedRate struct {
	Value   *float64 `json:"value"`
	Target  float64  `json:"target"` // at least
	Passed  int      `json:"passed"`
	Failed  int      `json:"failed"`
	Skipped int      `json:"skipped"`
}

// CourseRate is the share of the checkpoints after which the plan was changed.
type CourseRate struct {
	Value       *float64 `json:"value"`
	Target      float64  `json:"target"` // at least
	Checkpoints int      `json:"checkpoints"`
	Corrections int      `json:"course_corrections"`
}

// SkipRate is the share of the sessions in which a switch left something out.
type SkipRate struct {
	Value    *float64 `json:"value"`
	Target   float64  `json:"target"` // at most
	Sessions int      `json:"sessions"`
	Skipped  int      `json:"skipped"`
	// ByFlag is the share of each switch alone.
	ByFlag map[string]*float64 `json:"by_flag"`
}

// Overhead is the average of total_tokens of a session, by tier, and of all tiers together, each weighted by its sessions.
type Overhead struct {
	Value    map[string]*float64 `json:"value"`
	Weighted *float64            `json:"weighted_average"`
	Most     float64             `json:"weighted_target"` // at most
	Target   map[string]float64  `json:"target"`          // at most
	Sessions map[string]int      `json:"sessions"`
	Estimate string              `json:"estimate"`
}

// The targets of the issue that asked for the worklog.
const (
	captureTarget  = 0.95
	verifiedTarget = 0.98
	courseTarget   = 0.10
	skipTarget     = 0.12
	weightedTarget = 300
)

// overheadTargets are in tokens a session.
func overheadTargets() map[string]float64 {
	return map[string]float64{
		policy.Strict.String(): 750, policy.Standard.String(): 300, policy.Light.String(): 60, policy.Exempt.String(): 0,
	}
}

// estimate is how tokens are counted, for whoever reads the figures.
const estimate = "tokens are estimated: the bytes that the agent must read or write because of acta, divided by four"

// Statistics measures every session that was recorded and is known here: those of the local state, of refs/worklog and
// of the summaries, each once. Sessions that commits alone tell of are not counted: nobody meant to record them here.
func Statistics(ctx context.Context, r *repo.Repo, commonDir, release string) (*Stats, []string, error) {
	o := newObserver(ctx, r, commonDir, release)
	all, warnings, err := Patterns(ctx, r)
	if err != nil {
		return nil, warnings, err
	}
	foreign, more, err := o.present(ctx, commonDir, all)
	if err != nil {
		return nil, warnings, err
	}
	return measure(all, foreign, o.switched), append(warnings, more...), nil
}

// present adds the sessions whose record is here. foreign are those that only a ref tells of: which switches were on is not known.
func (o *observer) present(ctx context.Context, commonDir string, all map[string]Pattern) (foreign map[string]bool, warnings []string, err error) {
	live, err := LiveSessions(commonDir)
	if err != nil {
		warnings = append(warnings, fmt.Sprintf("the sessions that run here cannot be read: %v", err))
	}
	here := map[string]bool{}
	for _, l := range live {
		s, unread, err := l.Session()
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("session %s cannot be read: %v", l.ID, err))
			continue
		}
		here[l.ID], all[l.ID] = true, o.pattern(ctx, s, unread, l)
	}
	refs, err := o.repo.Refs(ctx, RefPrefix)
	if err != nil {
		return nil, warnings, err
	}
	foreign = map[string]bool{}
	marks := summedMarks(commonDir)
	for _, ref := range refs {
		id := strings.TrimPrefix(ref.Name, RefPrefix)
		if _, summed := all[id]; summed || here[id] || !IsSessionID(id) {
			continue
		}
		p, err := o.stored(ctx, ref)
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("%s cannot be read: %v", ref.Name, err))
			continue
		}
		all[id] = *p
		_, ours := marks[id]
		foreign[id] = !ours
	}
	return foreign, warnings, nil
}

// measure adds the patterns up. switched are the switches of sessions that events tell of, also where nothing else does.
func measure(all map[string]Pattern, foreign map[string]bool, switched map[string][]string) *Stats {
	s := &Stats{
		Capture: CaptureRate{Target: captureTarget}, Verified: VerifiedRate{Target: verifiedTarget},
		Course: CourseRate{Target: courseTarget}, Skip: SkipRate{Target: skipTarget, ByFlag: map[string]*float64{}},
		Overhead: Overhead{Value: map[string]*float64{}, Most: weightedTarget, Target: overheadTargets(), Sessions: map[string]int{}, Estimate: estimate},
	}
	flags, tokens := map[string]int{}, map[string]int{}
	sessions := func(used []string) {
		s.Skip.Sessions++
		if len(used) > 0 {
			s.Skip.Skipped++
		}
		for _, name := range used {
			flags[name]++
		}
	}
	for id, p := range all {
		s.Capture.add(p)
		s.Verified.Passed += p.Summary.Verifications.Passed
		s.Verified.Failed += p.Summary.Verifications.Failed
		s.Verified.Skipped += p.Summary.Verifications.Skipped
		s.Course.Checkpoints += p.Summary.Checkpoints
		s.Course.Corrections += p.Corrections
		if !slices.Contains(p.Switches, switchWorklog) {
			s.Overhead.Sessions[p.Tier]++
			tokens[p.Tier] += p.Summary.Tokens
		}
		if !foreign[id] {
			sessions(p.Switches)
		}
	}
	for id, used := range switched {
		if _, known := all[id]; !known {
			sessions(slices.Compact(slices.Sorted(slices.Values(used))))
		}
	}
	s.Capture.Value = share(s.Capture.Recorded, s.Capture.Recorded+s.Capture.Missed)
	s.Verified.Value = share(s.Verified.Passed, s.Verified.Passed+s.Verified.Failed)
	s.Course.Value = share(s.Course.Corrections, s.Course.Checkpoints)
	s.Skip.Value = share(s.Skip.Skipped, s.Skip.Sessions)
	for _, name := range skips() {
		s.Skip.ByFlag[name] = share(flags[name], s.Skip.Sessions)
	}
	spent, sessionsInAll := 0, 0
	for tier := range s.Overhead.Target {
		s.Overhead.Sessions[tier] += 0 // each has a figure
		spent, sessionsInAll = spent+tokens[tier], sessionsInAll+s.Overhead.Sessions[tier]
		s.Overhead.Value[tier] = share(tokens[tier], s.Overhead.Sessions[tier])
	}
	s.Overhead.Weighted = share(spent, sessionsInAll)
	return s
}

func (c *CaptureRate) add(p Pattern) {
	if p.Tier == policy.Exempt.String() || slices.Contains(p.Switches, switchWorklog) {
		return // nothing was to be recorded
	}
	c.Sessions++
	c.Recorded += p.Captured
	c.Missed += p.Missed
}

// share is n of all; nil of nothing.
func share(n, all int) *float64 {
	if all == 0 {
		return nil
	}
	v := float64(n) / float64(all)
	return &v
}

// StatsFormats are those that Stats.Write knows.
func StatsFormats() []string { return []string{"text", "json"} }

// Write prints the statistics in one of StatsFormats.
func (s *Stats) Write(w io.Writer, format string) error {
	out := []byte(s.text())
	if format == "json" {
		var err error
		if out, err = indented(s); err != nil {
			return err
		}
	}
	_, err := w.Write(out)
	return err
}

func (s *Stats) text() string {
	var b strings.Builder
	row := func(name string, value, target, bound string, about string, args ...any) {
		line := fmt.Sprintf("%-26s %9s  (target: at %s %s)  ", name, value, bound, target) + fmt.Sprintf(about, args...)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	percent := func(v *float64) string {
		if v == nil {
			return "not known"
		}
		return fmt.Sprintf("%.1f %%", *v*100)
	}
	of := func(target float64) string { return fmt.Sprintf("%.0f %%", target*100) }
	row("operations recorded", percent(s.Capture.Value), of(s.Capture.Target), "least", "%d, and %d more that git shows or that cannot be read, in %d sessions", s.Capture.Recorded, s.Capture.Missed, s.Capture.Sessions)
	row("verifications passed", percent(s.Verified.Value), of(s.Verified.Target), "least", "%d passed, %d failed, %d skipped", s.Verified.Passed, s.Verified.Failed, s.Verified.Skipped)
	row("checkpoints that corrected", percent(s.Course.Value), of(s.Course.Target), "least", "%d of %d", s.Course.Corrections, s.Course.Checkpoints)
	row("sessions with a switch", percent(s.Skip.Value), of(s.Skip.Target), "most", "%d of %d", s.Skip.Skipped, s.Skip.Sessions)
	for _, name := range slices.Sorted(maps.Keys(s.Skip.ByFlag)) {
		fmt.Fprintf(&b, "  %-24s %9s\n", name, percent(s.Skip.ByFlag[name]))
	}
	tokens := func(name string, v *float64, target float64, sessions int) {
		value := "not known"
		if v != nil {
			value = fmt.Sprintf("%.0f", *v)
		}
		row("tokens, "+name, value, fmt.Sprintf("%.0f", target), "most", "on average of %d sessions", sessions)
	}
	all := 0
	for _, tier := range []string{"STRICT", "STANDARD", "LIGHT", "EXEMPT"} {
		tokens(tier, s.Overhead.Value[tier], s.Overhead.Target[tier], s.Overhead.Sessions[tier])
		all += s.Overhead.Sessions[tier]
	}
	tokens("all tiers", s.Overhead.Weighted, s.Overhead.Most, all)
	b.WriteString(s.Overhead.Estimate + "\n")
	return b.String()
}
