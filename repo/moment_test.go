package repo

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// A date is believed between those of the parents and now, however long the chain of false ones is.
func TestMomentsAreBetweenTheParentsAndNow(t *testing.T) {
	s := newScratch(t)
	empty := s.git("write-tree")
	now := time.Date(2026, 1, 26, 12, 0, 0, 0, time.UTC)
	commit := func(when time.Time, parents ...string) string {
		args := []string{"commit-tree", empty, "-m", fmt.Sprint(when, len(parents))}
		for _, p := range parents {
			args = append(args, "-p", p)
		}
		s.date = when
		return s.git(args...)
	}
	hour := func(n int) time.Time { return now.Add(time.Duration(n) * time.Hour) }
	root := commit(hour(-10))
	back := commit(hour(-9000), root)
	again := commit(hour(-8000), back)
	late := commit(hour(-5), again)
	future := commit(hour(3), late)
	side := commit(hour(-7), root)
	merge := commit(hour(-6), future, side)
	honest := commit(hour(-1), merge)
	alone := commit(hour(9))
	r := s.open()
	got, err := r.CommitTimes(context.Background(), ID(honest), now)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		id   string
		want CommitTime
	}{
		"the first": {root, CommitTime{hour(-10).Unix(), 0}}, "dated back": {back, CommitTime{hour(-10).Unix(), 1}},
		"on one that was": {again, CommitTime{hour(-10).Unix(), 2}}, "as dated": {late, CommitTime{hour(-5).Unix(), 0}},
		"not come yet": {future, CommitTime{hour(-5).Unix(), 1}}, "on a side": {side, CommitTime{hour(-7).Unix(), 0}},
		"a merge": {merge, CommitTime{hour(-5).Unix(), 2}}, "after all": {honest, CommitTime{hour(-1).Unix(), 0}},
	} {
		if got[ID(c.id)] != c.want {
			t.Errorf("%s: %+v, want %+v", name, got[ID(c.id)], c.want)
		}
	}
	if got, err = r.CommitTimes(context.Background(), ID(alone), now); err != nil || got[ID(alone)].Unix != now.Unix() {
		t.Errorf("a first commit that has not come yet: %+v, %v", got, err)
	}
}
