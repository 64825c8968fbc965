package ledger

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/report"
)

var noon = time.Date(2026, 1, 26, 12, 0, 0, 0, time.UTC)

// sumOf adds up what rows and votes earn.
func sumOf(rows []Row, votes ...Vote) (sum, local int) {
	for _, e := range Replay(rows, votes, time.UTC) {
		sum += e.Points
		if e.IsLocal {
			local += e.Points
		}
	}
	return sum, local
}

func claim(kind score.Kind, commit string, verdict report.Verdict, evidence string, keys ...string) Row {
	return Row{Kind: kind, Commit: commit, Time: noon, Actor: "executor-01", Unit: "T01", Item: "Add login()", IsRequired: true, Verdict: verdict, Evidence: evidence, Keys: keys}
}

func TestWhatRowsEarn(t *testing.T) {
	at := func(r Row, change func(*Row)) Row {
		change(&r)
		return r
	}
	refused := claim(score.Refused, "", report.NotVerified, "a:1")
	false1 := claim(score.Landed, "c1", report.NotVerified, "a:1")
	for name, c := range map[string]struct {
		rows       []Row
		sum, local int
	}{
		"verified":                         {[]Row{claim(score.Landed, "c1", report.Verified, "a:1", "k")}, 10, 0},
		"cited again":                      {[]Row{claim(score.Landed, "c1", report.Verified, "a:1", "k"), claim(score.Landed, "c2", report.Verified, "a:1", "k")}, 10, 0},
		"one of several is new":            {[]Row{claim(score.Landed, "c1", report.Verified, "a:1", "k"), claim(score.Landed, "c2", report.Verified, "a:1", "k", "l")}, 20, 0},
		"what is false marks nothing":      {[]Row{false1, claim(score.Landed, "c2", report.Verified, "a:1", "k")}, -5, 0},
		"refused":                          {[]Row{refused}, -15, -15},
		"refused thrice":                   {[]Row{refused, refused, at(refused, func(r *Row) { r.IsContradiction = true })}, -45, -45},
		"refused on two days":              {[]Row{refused, at(refused, func(r *Row) { r.Time = noon.AddDate(0, 0, 1) })}, -30, -30},
		"refused by two":                   {[]Row{refused, at(refused, func(r *Row) { r.Actor = "executor-02" })}, -30, -30},
		"refused and landed":               {[]Row{refused, false1}, -15, 0},
		"landed the next day":              {[]Row{refused, at(false1, func(r *Row) { r.Time = noon.AddDate(0, 0, 1) })}, -30, -15},
		"refused and mended":               {[]Row{refused, claim(score.Landed, "c1", report.Verified, "a:1", "k")}, -5, -15},
		"a refused push landed after all":  {[]Row{at(refused, func(r *Row) { r.Commit = "c1" }), at(false1, func(r *Row) { r.Time = noon.AddDate(0, 0, 1) })}, -15, 0},
		"a refused push":                   {[]Row{at(refused, func(r *Row) { r.Commit = "c9" })}, -15, -15},
		"picked again":                     {[]Row{false1, at(false1, func(r *Row) { r.Commit, r.PickedFrom = "c2", []string{"c1"} })}, -15, 0},
		"picked and worse":                 {[]Row{false1, at(false1, func(r *Row) { r.Commit, r.PickedFrom, r.IsContradiction = "c2", []string{"c1"}, true })}, -60, 0},
		"picked from elsewhere":            {[]Row{at(false1, func(r *Row) { r.PickedFrom = []string{"c9"} })}, -15, 0},
		"picked, and another lie":          {[]Row{false1, at(false1, func(r *Row) { r.Commit, r.PickedFrom, r.Item = "c2", []string{"c1"}, "Add logout()" })}, -30, 0},
		"a task twice a day":               {[]Row{claim(score.Task, "", report.Verified, ""), claim(score.Task, "", report.Verified, "")}, 10, 10},
		"unclear":                          {[]Row{claim(score.Landed, "c1", report.Unclear, "a:1")}, -2, 0},
		"two repositories hold one commit": {[]Row{false1, false1}, -15, 0},
	} {
		if sum, local := sumOf(c.rows); sum != c.sum || local != c.local {
			t.Errorf("%s: %d, local %d; want %d, %d", name, sum, local, c.sum, c.local)
		}
	}
}

// The first of two commits of one second is paid, whatever their ids.
func TestParentsCountBeforeTheirChildren(t *testing.T) {
	first, then := claim(score.Landed, "cc", report.Verified, "a:1", "k"), claim(score.Landed, "aa", report.Verified, "a:1", "k")
	then.Rank, then.Actor = 1, "executor-02"
	for _, rows := range [][]Row{{first, then}, {then, first}} {
		if all := Replay(rows, nil, time.UTC); all[0].Actor != "executor-01" || all[0].Points != 10 || all[1].Points != 0 {
			t.Errorf("%+v", all)
		}
	}
}

func TestVotesCountOnce(t *testing.T) {
	v := Vote{ID: "1", Word: Up, At: noon, Voter: "Ada", Actor: "executor-01", Commit: "c1"}
	here := v
	here.IsLocal = true
	for name, c := range map[string]struct {
		votes      []Vote
		sum, local int
	}{
		"on a commit":               {[]Vote{v}, 3, 0},
		"in note and log":           {[]Vote{here, v}, 3, 0},
		"in the log alone":          {[]Vote{here}, 3, 3},
		"two by one":                {[]Vote{v, {ID: "2", Word: Up, At: noon, Voter: "Ada", Actor: "executor-01"}}, 6, 0},
		"two by one about a commit": {[]Vote{v, {ID: "2", Word: Up, At: noon.Add(1), Voter: " ada\u200b", Actor: "executor-01", Commit: "c1"}}, 3, 0},
		"one who thinks again":      {[]Vote{v, {ID: "0", Word: Down, At: noon.Add(1), Voter: "Ada", Actor: "executor-01", Commit: "c1"}}, -10, 0},
		"of one id, at odds":        {[]Vote{v, {ID: "1", Word: Down, At: noon.Add(time.Second), Voter: "Ada", Actor: "executor-01"}}, 3, 0},
		"down, in a note too":       {[]Vote{{ID: "3", Word: Down, At: noon, Actor: "executor-01"}}, -10, 0},
	} {
		if sum, local := sumOf(nil, c.votes...); sum != c.sum || local != c.local {
			t.Errorf("%s: %d, local %d; want %d, %d", name, sum, local, c.sum, c.local)
		}
	}
}

// In whatever order rows and votes arrive, and however often the same ones do, every day of everybody is the same; and no floor falls.
func TestArrivalChangesNothing(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		var rows []Row
		var votes []Vote
		for i := range 40 {
			r := claim(score.Landed, fmt.Sprintf("c%d", random.IntN(8)), report.Verified+report.Verdict(random.IntN(4)), fmt.Sprintf("a:%d", random.IntN(3)), fmt.Sprint(random.IntN(12)))
			// Of one commit all is the same but the claim.
			r.Time, r.Rank = noon.Add(time.Duration(r.Commit[1]-'0')*7*time.Hour), int(r.Commit[1]-'0')%3
			r.Index, r.Item, r.Actor = i, fmt.Sprint("item ", random.IntN(3)), fmt.Sprint("executor-", random.IntN(2))
			if random.IntN(4) == 0 {
				r.Kind, r.Commit, r.Keys, r.Time = score.Refused, "", nil, noon.Add(time.Duration(random.IntN(90))*time.Hour)
			}
			rows = append(rows, r)
			if random.IntN(4) == 0 {
				votes = append(votes, Vote{ID: fmt.Sprint(random.IntN(5)), Word: []string{Up, Down}[random.IntN(2)], At: r.Time, Actor: r.Actor, IsLocal: random.IntN(2) == 0})
			}
		}
		want := scoresOf(rows, votes)
		for range 3 {
			again, more := append(slices.Clone(rows), rows[random.IntN(len(rows))]), slices.Clone(votes)
			random.Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
			random.Shuffle(len(more), func(i, j int) { more[i], more[j] = more[j], more[i] })
			if got := scoresOf(again, more); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: in another order\n%+v\nwas\n%+v", seed, got, want)
			}
		}
		for actor, scores := range want {
			for i := range scores[1:] {
				if scores[i+1].Floor < scores[i].Floor || scores[i+1].Target < scores[i+1].Floor {
					t.Fatalf("seed %d: the floor of %q falls: %+v", seed, actor, scores)
				}
			}
		}
	}
}

func scoresOf(rows []Row, votes []Vote) map[string][]Score {
	all := Replay(rows, votes, time.UTC)
	day := score.DayOf(noon)
	out := map[string][]Score{}
	for _, actor := range append(actorsOf(all), "") {
		out[actor] = Scores(all, actor, day-2, day+9)
	}
	return out
}

// A day on which nothing happened has the score 0; before anything did there is no score.
func TestNoHistoryIsNoScore(t *testing.T) {
	all := Replay([]Row{claim(score.Landed, "c1", report.Verified, "a:1", "k")}, nil, time.UTC)
	day := score.DayOf(noon)
	s := Scores(all, "", day-1, day+1)
	if s[0].Score != nil || s[1].Score == nil || *s[1].Score != 10 || s[2].Score == nil || *s[2].Score != 0 {
		t.Errorf("%+v", s)
	}
	if s[0].Penalty != "none" || s[0].Interval != 15 || s[2].Penalty != "tightened" || s[2].Interval != 12 || s[2].Date != "2026-01-27" {
		t.Errorf("%+v", s)
	}
	if s := Scores(all, "nobody", day, day); s[0].Score != nil {
		t.Errorf("%+v", s)
	}
}
