package serve

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/report"
)

// view is the data of a page. The templates compute nothing.
type view struct {
	Title string
	// Report: the page is a file without a server.
	Report *reportHead
	Repos  []string
	// SelectedRepo is the one shown repository of several.
	SelectedRepo string
	Mark         string // see getEvents
	Pill         pill
	// ScoreUnread says what to do if the score cannot be read, which differs from having none.
	ScoreUnread string
	Days        []pill
	Board       []boardRow
	ByRepo      []repoRow
	MoreRepos   int
	Log         []logDay
	More        int // omitted entries
	Plans       []planView
	Claims      claimsView
	Notes       []string
	IsSignedIn  bool
}

type pill struct {
	Day
	// Tier decides the colour: the penalty, else the reward, else normal; none without a score.
	Tier, TierText string
	Sign           string // pos, neg or none
	Percent        int    // of the target, 0 to 100
}

// tierTexts are the tiers that pages call otherwise.
var tierTexts = map[string]string{"none": "no score", "normal": "on watch"}

func pillOf(d Day) pill {
	p := pill{Day: d, Sign: "none", Tier: "none"}
	if d.Score != nil {
		p.Tier, p.Sign = d.Tier(), signOf(*d.Score)
		if d.Target > 0 {
			p.Percent = min(100, max(0, *d.Score*100/d.Target))
		}
	}
	p.TierText = cmp.Or(tierTexts[p.Tier], p.Tier)
	return p
}

func signOf(n int) string {
	if n < 0 {
		return "neg"
	}
	return "pos"
}

// Label is the pill's text for screen readers.
func (p pill) Label() string {
	if p.Score == nil {
		return "No score yet"
	}
	return fmt.Sprintf("Score %d of a target of %d, %s, %s today", *p.Score, p.Target, p.TierText,
		report.Plural(p.NotVerified, "failure"))
}

type boardRow struct {
	Rank int
	pill
	Week int // points of the last eight days
	Bars []bar
}

// bar is one of an actor's last days: its height from 0 to 10, and its sign.
type bar struct {
	Height int
	Sign   string
	Text   string
}

func boardOf(b *Board) []boardRow {
	var rows []boardRow
	for _, days := range b.Actors {
		row := boardRow{pill: pillOf(today(days))}
		for _, d := range lastDays(days) {
			n := d.Points()
			row.Week += n
			row.Bars = append(row.Bars, bar{barHeight(n, d.Target), signOf(n), fmt.Sprintf("%s: %d", d.Date, n)})
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b boardRow) int {
		return cmp.Or(cmp.Compare(b.Points(), a.Points()), cmp.Compare(b.Week, a.Week), cmp.Compare(a.Actor, b.Actor))
	})
	for i := range rows {
		rows[i].Rank = i + 1
	}
	return rows
}

// barHeight is from 0 to 10; the target gives 10.
func barHeight(n, target int) int {
	if n == 0 || target <= 0 {
		return 0
	}
	return min(10, max(1, (max(n, -n)*10+target/2)/target))
}

type logDay struct {
	Date, Text string
	Entries    []logEntry
}

type logEntry struct {
	*worklog.Operation
	Repo, Clock, Text, Session, Short, CommitURL string
	Claims                                       []claimLine
}

type claimLine struct {
	Item, Verdict, VerdictText string
	Evidence, Reason           string
	URL                        string
	// State is its present state; "" if it is not followed.
	State string
}

const maxEntries = 60

func (b *builder) logOf(limit int) (days []logDay, more int) {
	var all []logEntry
	for _, r := range b.repos {
		for _, s := range r.record.sessions {
			for i := range s.Entries {
				all = append(all, b.entry(r.Repository, r.record, s, &s.Entries[i]))
			}
		}
	}
	newestFirst(all, func(e logEntry) string { return e.Time })
	if limit > 0 && len(all) > limit {
		all, more = all[:limit], len(all)-limit
	}
	for _, e := range all {
		date := e.Time[:min(len(e.Time), len(time.DateOnly))]
		if len(days) == 0 || days[len(days)-1].Date != date {
			days = append(days, logDay{Date: date, Text: dateText(date)})
		}
		days[len(days)-1].Entries = append(days[len(days)-1].Entries, e)
	}
	return days, more
}

// newestFirst sorts by a time; entries of one second are reversed, since they came in that order.
func newestFirst[T any](all []T, at func(T) string) {
	slices.Reverse(all)
	slices.SortStableFunc(all, func(a, b T) int { return cmp.Compare(at(b), at(a)) })
}

func dateText(date string) string {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return t.Format("Monday, 2006-01-02, UTC")
}

func (b *builder) entry(r *Repository, rec *record, s worklog.ListedSession, op *worklog.Operation) logEntry {
	d := &op.Details
	e := logEntry{Operation: op, Repo: r.Name, Text: op.Context, Session: cmp.Or(s.Name, s.ID)}
	if t, err := time.Parse(time.RFC3339, op.Time); err == nil {
		e.Clock = t.UTC().Format("15:04")
	}
	if d.Proof != nil {
		e.Text = d.Proof.Line()
	}
	if d.Commit == "" {
		return e
	}
	e.Short, e.CommitURL = shortID(d.Commit), b.links.commit(r, d.Commit)
	for _, kind := range []parser.Kind{parser.Act, parser.Adapt, parser.PlanBox} {
		e.Text = strings.TrimSpace(strings.TrimPrefix(e.Text, string(kind)+": "))
	}
	if d.Unit != "" {
		e.Text = strings.TrimSpace(strings.TrimPrefix(e.Text, d.Unit))
	}
	for _, v := range rec.verdicts[d.Commit] {
		if v.Unit != d.Unit && (d.Unit == "" || parser.BoxFile(v.Unit) != d.Unit) {
			continue
		}
		e.Claims = append(e.Claims, b.line(r, d.Commit, v))
	}
	return e
}

func shortID(commit string) string { return commit[:min(len(commit), 9)] }

func (b *builder) line(r *Repository, commit string, v report.ClaimVerdict) claimLine {
	l := claimLine{Item: v.Item, Verdict: v.Verdict.String(), Evidence: plainEvidence(v.Evidence), Reason: v.Reason}
	l.VerdictText = strings.ReplaceAll(l.Verdict, "_", " ")
	switch {
	case v.IsContradiction:
		l.Verdict, l.VerdictText = "contradiction", "contradiction"
	case v.Status == string(parser.Pending) && strings.HasPrefix(v.Reason, "blocked: "): // an honest report
		l.Verdict, l.VerdictText = report.Skipped.String(), "blocked"
	}
	if v.Evidence != "" {
		l.URL = b.links.claim(r, commit, v.Unit, v.Item)
	}
	if c := b.claims[claimKey{r, commit, v.Unit, plan.ItemText(v.Item)}]; c != nil {
		l.State = c.State.String()
	}
	return l
}

func plainEvidence(list string) string {
	places := strings.Split(list, ",")
	for i, p := range places {
		p, _, _ = strings.Cut(strings.TrimSpace(p), "#")
		places[i] = p
	}
	return strings.Join(places, ", ")
}

type builder struct {
	repos  []repositoryData
	now    time.Time
	claims map[claimKey]*judge.Claim // as they are now
	links  links
}

// links are the pages of commits and claims, "" for none.
type links interface {
	commit(r *Repository, commit string) string
	claim(r *Repository, commit, unit, item string) string
}

type repositoryData struct {
	*Repository
	record *record
	plan   *planState
	claims *judge.ClaimsReport
}

// gatherData reads repositories, the parts of each in parallel. A failure becomes a note; the rest is shown.
func gatherData(ctx context.Context, repos []*Repository) (all []repositoryData, notes []string) {
	for _, r := range repos {
		one, errs := repositoryData{Repository: r}, [3]error{}
		var reading sync.WaitGroup
		reading.Go(func() { one.record, errs[0] = r.readRecord(ctx) })
		reading.Go(func() { one.plan, errs[1] = r.readPlan(ctx) })
		one.claims, errs[2] = r.readClaims(ctx)
		reading.Wait()
		for i, what := range []string{"the worklog", "the plan", "the state of the claims"} {
			if errs[i] != nil {
				notes = append(notes, fmt.Sprintf("%s of %s cannot be read: %v", what, r.Name, errs[i]))
			}
		}
		one.record, one.plan = cmp.Or(one.record, &record{}), cmp.Or(one.plan, &planState{})
		one.claims = cmp.Or(one.claims, &judge.ClaimsReport{})
		all, notes = append(all, one), append(notes, one.record.warnings...)
	}
	slices.Sort(notes)
	return all, slices.Compact(notes)
}

func (b *builder) fill(v *view, limit int) {
	v.Claims = b.indexClaims()
	v.Log, v.More = b.logOf(limit)
	for _, r := range b.repos {
		v.Plans = append(v.Plans, b.planOf(r))
	}
}

type serverLinks struct{ hasSeveral bool }

func (s serverLinks) commit(r *Repository, commit string) string {
	return s.at(r, "/commit/"+commit, url.Values{})
}

func (s serverLinks) claim(r *Repository, commit, unit, item string) string {
	return s.at(r, "/claim", url.Values{"commit": {commit}, "unit": {unit}, "item": {item}})
}

func (s serverLinks) at(r *Repository, path string, query url.Values) string {
	if s.hasSeveral {
		query.Set("repo", r.Name)
	}
	return (&url.URL{Path: path, RawQuery: query.Encode()}).String()
}
