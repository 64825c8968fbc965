package score

import (
	"testing"

	"github.com/acta-git/acta/report"
)

func TestLifetimeIsWhatAllDaysAddUpTo(t *testing.T) {
	e := func(day Day, actor string, v report.Verdict, contradiction bool, points int) Entry {
		return Entry{Event: Event{Kind: Landed, Actor: actor, Day: day, Verdict: v, IsContradiction: contradiction}, Points: points}
	}
	entries := []Entry{
		e(0, "a", report.Verified, false, 10), e(0, "a", report.NotVerified, true, -45), e(40, "b", report.Verified, false, 10),
		e(41, "a", report.Verified, false, 0), e(41, "a", report.Unclear, false, -2), e(90, "a", report.Verified, false, 10),
	}
	for _, c := range []struct {
		actor    string
		from, to Day
		want     Lifetime
	}{
		{"a", 0, 0, Lifetime{-35, 1, 1, 1}},
		{"a", 39, 40, Lifetime{-35, 1, 1, 1}},
		{"a", 50, 60, Lifetime{-37, 2, 1, 1}},
		{"", 50, 50, Lifetime{-27, 3, 1, 1}},
		{"a", 90, 95, Lifetime{-27, 3, 1, 1}},
	} {
		days := standings(entries, c.actor, c.from, c.to)
		if got := days[len(days)-1].Lifetime; got != c.want {
			t.Errorf("%q up to day %d: %+v, want %+v", c.actor, c.to, got, c.want)
		}
	}
}
