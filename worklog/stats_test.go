package worklog

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// statistics measures a clone.
func (c *clone) statistics() *Stats {
	c.Helper()
	s, warnings, err := Statistics(context.Background(), c.repo, c.common())
	if err != nil || len(warnings) > 0 {
		c.Fatal(err, warnings)
	}
	return s
}

func printedStats(t *testing.T, s *Stats, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Where nothing is known no figure has a value, and every target is said.
func TestNothingKnownIsNoFigure(t *testing.T) {
	c := newClone(t)
	var got map[string]struct{ Value, Target map[string]*float64 }
	if err := json.Unmarshal(printedStats(t, c.statistics(), "json"), &got); err != nil {
		t.Fatal(err)
	}
	overhead := got["token_overhead"]
	for tier, target := range map[string]float64{"STRICT": 750, "STANDARD": 300, "LIGHT": 60, "EXEMPT": 0} {
		if v, ok := overhead.Value[tier]; !ok || v != nil || *overhead.Target[tier] != target {
			t.Errorf("%s: %v of %v", tier, v, overhead.Target[tier])
		}
	}
}

// Every session counts once, whole, stored or summed up, here and in a clone.
func TestEverySessionCountsOnce(t *testing.T) {
	c := newClone(t)
	is := func(c *clone, sessions int, average float64) {
		t.Helper()
		o := c.statistics().Overhead
		if o.Sessions["STRICT"] != sessions || *o.Value["STRICT"] != average || *o.Weighted != average || o.Value["LIGHT"] != nil {
			t.Errorf("%d sessions cost %v on average, of all tiers %v; want %d and %v", o.Sessions["STRICT"], *o.Value["STRICT"], *o.Weighted, sessions, average)
		}
	}
	l := c.begin()
	c.record(l, Operation{Action: Edit, Context: "e", Tokens: 10})
	is(c, 1, 10)
	c.end(l)
	is(c, 1, 10)
	l = c.begin()
	c.record(l, Operation{Action: Edit, Context: "e", Tokens: 20})
	c.end(l)
	is(c, 2, 15)
	d := c.cloned()
	d.git("fetch", "-q", c.dir, "refs/worklog/*:refs/worklog/*", "refs/worklog-summary/*:refs/worklog-summary/*")
	is(d, 2, 15)
	text := string(printedStats(t, c.statistics(), "text"))
	for _, said := range []string{
		"tokens, STRICT           15  (target: at most 750)  on average of 2 sessions", "tokens, LIGHT     not known", "tokens, all tiers", "divided by four",
	} {
		if !strings.Contains(text, said) {
			t.Errorf("the text lacks %q:\n%s", said, text)
		}
	}
}
