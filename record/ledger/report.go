package ledger

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// Report is what `acta verify --report` sends about a range. It may come in several parts, in any order, and
// repeatedly: known verdicts do not change.
type Report struct {
	// Release is that of the acta that judged.
	Release string `json:"acta"`
	// Repository is its name, the same from every CI job.
	Repository string `json:"repository"`
	// Range is BASE..HEAD with full ids, Commit its head.
	Range  string `json:"range"`
	Commit string `json:"commit"`
	// PolicyHash identifies the policy that judged the range; see snapshot.Snapshot.PolicyHash.
	PolicyHash string `json:"policy_hash"`
	// IsLanded: the commit is on the default branch. Only such commits score.
	IsLanded bool `json:"landed"`
	// Zone is the policy's time zone, by its IANA name, which defines days.
	Zone     string            `json:"timezone"`
	Verdicts []ReportedVerdict `json:"verdicts"`
	Feedback []Vote            `json:"feedback"`
}

// ReportedVerdict is a Row in a report.
type ReportedVerdict struct {
	Row
	// Day is that of Time in the report's zone, YYYY-MM-DD.
	Day string `json:"day"`
	// PolicyHash identifies the policy that judged the claim: that of the commit's first parent.
	PolicyHash string `json:"policy_hash"`
}

// Received is a ledger's answer to a report.
type Received struct {
	// Verdicts is how many the report contains, New how many of them are new to the ledger.
	Verdicts int `json:"verdicts"`
	New      int `json:"new"`
}

// The longest texts of a report, in bytes, and how many days a day may differ from the day in UTC.
const (
	maxText   = 4 << 10
	maxHash   = 128
	dayMargin = 1
	maxKeys   = 4000 // such a claim cites whole files; code beyond is not recognized again
)

// Validate says why a report cannot be stored. Later readers of the report rely on it.
func (r *Report) Validate() error {
	if strings.TrimSpace(r.Repository) == "" || r.Commit == "" || r.PolicyHash == "" || r.Release == "" {
		return fmt.Errorf("a report names its repository, commit, policy_hash and acta's release")
	}
	if err := checkTexts(map[string]string{
		"repository": r.Repository, "range": r.Range, "policy_hash": r.PolicyHash, "acta": r.Release,
	}); err != nil {
		return err
	}
	if _, err := time.LoadLocation(r.Zone); err != nil || r.Zone == "Local" {
		return fmt.Errorf("there is no time zone %q", r.Zone)
	}
	if !isID(r.Commit) || len(r.PolicyHash) > maxHash || len(r.Release) > maxHash {
		return fmt.Errorf("%q is no commit's full id, or the policy_hash or release is longer than %d bytes", r.Commit,
			maxHash)
	}
	type place struct {
		commit string
		index  int
	}
	seen := map[place]bool{}
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		if err := v.validate(); err != nil {
			return err
		}
		at := place{v.Commit, v.Index}
		if seen[at] {
			return fmt.Errorf("verdict %d of commit %s occurs twice", v.Index, v.Commit)
		}
		seen[at] = true
	}
	for i := range r.Feedback {
		if err := r.Feedback[i].validate(); err != nil {
			return err
		}
	}
	return nil
}

func (v *ReportedVerdict) validate() error {
	if err := checkTexts(map[string]string{
		"actor": v.Actor, "unit": v.Unit, "item": v.Item, "evidence": v.Evidence, "reason": v.Reason,
		"policy_hash": v.PolicyHash,
	}); err != nil {
		return err
	}
	if !isID(v.Commit) {
		return fmt.Errorf("%q is no commit's full id", v.Commit)
	}
	if v.Time.After(time.Now().AddDate(0, 0, dayMargin)) {
		return fmt.Errorf("a verdict of commit %s is of %s, which is in the future", v.Commit,
			v.Time.UTC().Format(time.DateOnly))
	}
	day, err := score.ParseDay(v.Day)
	if utc := score.DayOf(v.Time.UTC()); err != nil || day < utc-dayMargin || day > utc+dayMargin {
		return fmt.Errorf("the day %q is not that of %s", v.Day, v.Time.UTC().Format(time.RFC3339))
	}
	if v.Actor == "" || v.Verdict == 0 || !isNumber(v.Index) || !isNumber(v.Rank) ||
		v.IsContradiction && v.Verdict != report.NotVerified {
		return fmt.Errorf("a verdict of commit %s has no actor or verdict, or an impossible number or contradiction",
			v.Commit)
	}
	if len(v.Keys) > maxKeys || len(v.PickedFrom) > maxKeys {
		return fmt.Errorf("a verdict of commit %s has more than %d keys", v.Commit, maxKeys)
	}
	for _, s := range slices.Concat(v.Keys, v.PickedFrom) {
		if s == "" || len(s) > maxHash || strings.ContainsRune(s, 0) {
			return fmt.Errorf("%q is no key", s)
		}
	}
	return nil
}

func (v *Vote) validate() error {
	if err := checkTexts(map[string]string{"by": v.Voter, "actor": v.Actor}); err != nil {
		return err
	}
	if !v.isValid() || strings.ContainsRune(v.ID, 0) || v.Commit != "" && !isID(v.Commit) {
		return fmt.Errorf("the feedback %q is no vote", v.ID)
	}
	return nil
}

// checkTexts refuses texts, by their names, that not every database can store.
func checkTexts(texts map[string]string) error {
	for name, s := range texts {
		if len(s) > maxText || strings.ContainsRune(s, 0) {
			return fmt.Errorf("%s is longer than %d bytes or holds a NUL byte: %.40q", name, maxText, s)
		}
	}
	return nil
}

// isNumber reports whether n fits the 32 bits that databases use.
func isNumber(n int) bool { return n >= 0 && n <= math.MaxInt32 }

func isID(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// reportedVerdict is a row in a report, truncated to a ledger's limits.
func reportedVerdict(r Row, policy string, zone *time.Location) ReportedVerdict {
	r.Time = r.Time.UTC()
	for _, text := range []*string{&r.Actor, &r.Unit, &r.Item, &r.Evidence, &r.Reason} {
		*text = truncate(*text)
	}
	r.Keys, r.PickedFrom = r.Keys[:min(len(r.Keys), maxKeys)], r.PickedFrom[:min(len(r.PickedFrom), maxKeys)]
	return ReportedVerdict{r, score.DayOf(r.Time.In(zone)).String(), policy}
}

func truncate(s string) string {
	if len(s) > maxText {
		s = s[:maxText]
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
}

// Votes are those of the report as a Store keeps them: none is of the future.
func (r *Report) Votes() []Vote {
	votes := slices.Clone(r.Feedback)
	clampTimes(votes, nil)
	return votes
}

// Range is the subject of a report.
type Range struct {
	// Base and Head are revisions; base "" means all commits that head reaches.
	Base, Head string
	// Name is the repository's name, the same from every CI job.
	Name string
	// IsLanded says whether head is on the default branch; nil asks git.
	IsLanded *bool
}

// Report reports a range of the first of the repositories: the verdicts of its ACT commits, as a replay counts them,
// and the votes in its notes. Commits that cannot be judged are left out, with a warning.
func (s *Repositories) Report(ctx context.Context, span Range) (*Report, error) {
	r, err := s.open(ctx, s.Dirs[0])
	if err != nil {
		return nil, err
	}
	defer r.Close()
	reads := &evidence.Reads{Ctx: ctx}
	head := evidence.ReadOf(reads, func() (repo.Commit, error) { return r.Commit(ctx, span.Head) })
	base := repo.Commit{}
	if span.Base != "" {
		base = evidence.ReadOf(reads, func() (repo.Commit, error) { return r.Commit(ctx, span.Base) })
	}
	terms := evidence.ReadOf(reads, func() (*judge.ScoreTerms, error) { return judge.ReadScoreTerms(ctx, r, head) })
	policyHash := evidence.ReadOf(reads, func() (string, error) {
		return snapshot.Base(r, string(base.ID)).PolicyHash(ctx)
	})
	isLanded := evidence.ReadOf(reads, func() (bool, error) {
		if span.IsLanded != nil {
			return *span.IsLanded, nil
		}
		_, tip := defaultTip(reads, r)
		beyond, err := r.Range(ctx, string(tip.ID), string(head.ID))
		return !slices.Contains(beyond, head.ID), cmp.Or(reads.Err, err)
	})
	votes := evidence.ReadOf(reads, func() ([]Vote, error) { return noteVotes(ctx, r) })
	moments := evidence.ReadOf(reads, func() (map[repo.ID]repo.CommitTime, error) {
		return r.CommitTimes(ctx, head.ID, time.Now())
	})
	if reads.Err != nil {
		return nil, reads.Err
	}
	out := &Report{
		Release: report.Release, Repository: span.Name, Range: string(head.ID), Commit: string(head.ID),
		PolicyHash: policyHash, IsLanded: isLanded, Zone: terms.Zone.String(), Verdicts: []ReportedVerdict{},
		Feedback: []Vote{},
	}
	excluded := terms.Excluded
	if base.ID != "" {
		out.Range = string(base.ID) + ".." + out.Range
		excluded = append([]repo.ID{base.ID}, excluded...)
	}
	if err := s.reportVerdicts(ctx, r, out, excluded, terms); err != nil {
		return nil, err
	}
	clampTimes(votes, moments)
	for _, v := range uniqueVotes(votes) {
		if !terms.Policy.IsAgent(v.Voter) && !policy.SameName(v.Voter, v.Actor) {
			v.Voter, v.Actor, v.At = truncate(v.Voter), truncate(v.Actor), v.At.UTC()
			out.Feedback = append(out.Feedback, v)
		}
	}
	return out, nil
}

// reportVerdicts adds the verdicts of the commits that the report's commit reaches and not does not, the oldest first.
func (s *Repositories) reportVerdicts(
	ctx context.Context, r *repo.Repo, out *Report, not []repo.ID, terms *judge.ScoreTerms,
) error {
	l := &branchReader{Repositories: s, repo: r, dir: s.Dirs[0]}
	ids, searchEnd, err := judge.ClaimingCommits(ctx, r, repo.ID(out.Commit), not, terms.Policy)
	if err != nil {
		return err
	}
	if searchEnd != nil {
		s.warn(fmt.Sprintf("older commits are not reported: %v", searchEnd))
	}
	accounts, err := l.judge(ctx, ids)
	if err != nil {
		return err
	}
	policies := map[string]string{} // by commit
	for _, a := range accounts {
		if len(a.Claims) == 0 {
			continue
		}
		c, err := r.Commit(ctx, a.Commit)
		if err != nil {
			return err
		}
		if policies[a.Commit], err = snapshot.Before(r, c).PolicyHash(ctx); err != nil {
			return err
		}
	}
	rows, _, err := rowsOf(ctx, r, repo.ID(out.Commit), accounts)
	if err != nil {
		return err
	}
	for _, row := range sortRows(rows) {
		row.Actor = cmp.Or(row.Actor, "unknown") // git accepts an author without a name
		out.Verdicts = append(out.Verdicts, reportedVerdict(row, policies[row.Commit], terms.Zone))
	}
	return nil
}
