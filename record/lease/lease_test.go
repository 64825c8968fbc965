package lease

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/acta-git/acta/repo/state"
)

var when = time.Date(2026, 1, 26, 14, 32, 15, 0, time.UTC)

// take claims a unit and says what came of it: "", or the error.
func take(t *testing.T, dir, unit, agent string, ttl time.Duration, at time.Time) string {
	t.Helper()
	_, err := Take(context.Background(), dir, unit, agent, ttl, at)
	return said(err)
}

func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestAUnitHasOneOwner(t *testing.T) {
	dir := t.TempDir()
	if c, err := Read(dir); c != nil || err != nil {
		t.Fatalf("before anybody claimed: %v, %v", c, err)
	}
	const held = "Task M01/S01/T01 is owned by executor-01, not executor-02"
	for _, step := range []struct{ unit, agent, says string }{
		{"M01/S01/T01", "executor-01", ""},
		{"M01/S01/T01", "executor-01", ""},
		{"M01/S01/T01", "executor-02", held},
		{"M01/S01", "executor-02", held}, // below it stands executor-01
		{"M01/S01/T02", "executor-02", ""},
		{"M01/S01", "executor-01", "Task M01/S01/T02 is owned by executor-02, not executor-01"},
		{"M01/S02", "executor-01", ""},
		{"M01/S02/T03", "executor-02", "Task M01/S02/T03 is owned by executor-01, not executor-02"},
		{"M01/S02/T03", "executor-01", ""},
		{"M01/S020", "executor-02", ""},
	} {
		if got := take(t, dir, step.unit, step.agent, 0, when); got != step.says {
			t.Errorf("%s claims %s: got %q, want %q", step.agent, step.unit, got, step.says)
		}
	}
	want := `{
  "M01/S01/T01": {
    "agent": "executor-01",
    "claimed_at": "2026-01-26T14:32:15Z"
  },`
	if data, err := os.ReadFile(state.Path(dir, fileName)); err != nil || !strings.HasPrefix(string(data), want) {
		t.Errorf("got %s, %v", data, err)
	}
}

// Claims of units that have nothing to do with each other are all kept, and one unit has one winner, however many ask
// at once.
func TestClaimsAtOnceAreTakenOneAfterTheOther(t *testing.T) {
	dir := t.TempDir()
	var asking sync.WaitGroup
	var won atomic.Int32
	for i := range 30 {
		asking.Go(func() {
			agent := fmt.Sprintf("executor-%02d", i)
			if got := take(t, dir, "M02/"+agent, agent, 0, when); got != "" {
				t.Error(got)
			}
			if got := take(t, dir, "M01", agent, 0, when); got == "" {
				won.Add(1)
			}
		})
	}
	asking.Wait()
	c, err := Read(dir)
	if err != nil || len(c) != 31 || won.Load() != 1 {
		t.Errorf("%d claims and %d winners, %v", len(c), won.Load(), err)
	}
}

// A file that says null has no claims.
func TestAnEmptyFileTakesClaims(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(state.Path(dir, ""), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(state.Path(dir, fileName), []byte("null"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := take(t, dir, "T01", "executor-01", 0, when); got != "" {
		t.Error(got)
	}
}

func TestHolderIsTheNearestClaim(t *testing.T) {
	now := when
	past := when.Add(-time.Second)
	c := Leases{
		"M01":         {Agent: "a"},
		"M01/S01/T01": {Agent: "b"},
		"M01/S01/T02": {Agent: "c", ExpiresAt: &past},
		"T09":         {Agent: "d"},
		"M02/S05":     {Agent: "e"},
	}
	for unit, want := range map[string]string{
		"M01": "M01 a", "M01/S01": "M01 a", "M01/S01/T01": "M01/S01/T01 b", "T01": "M01/S01/T01 b",
		"M01/S01/T02": "M01 a", "M03/S01/T09": "T09 d", "M02/S05/T11": "M02/S05 e", "M02": "", "M02/S051": "", "M0": "", "ROOT": "",
	} {
		got := ""
		if h := c.Holder(unit, now); h != nil {
			got = h.Unit + " " + h.Agent
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", unit, got, want)
		}
	}
}

func TestAClaimLapses(t *testing.T) {
	dir := t.TempDir()
	later := func(d time.Duration) time.Time { return when.Add(d) }
	for _, step := range []struct {
		agent     string
		ttl, at   time.Duration
		isRefused bool
	}{
		{"executor-01", time.Hour, 0, false},
		{"executor-02", 0, time.Hour - 1, true},
		{"executor-01", time.Hour, 30 * time.Minute, false}, // extends it
		{"executor-02", 0, 80 * time.Minute, true},
		{"executor-02", 0, 90 * time.Minute, false},
		{"executor-01", time.Hour, 100 * 24 * time.Hour, true}, // whose own claim is short takes nothing from one without end
	} {
		if got := take(t, dir, "T01", step.agent, step.ttl, later(step.at)); (got != "") != step.isRefused {
			t.Errorf("%s after %s: %q", step.agent, step.at, got)
		}
	}
}

func TestAClaimIsReleasedByItsOwnerOrByForce(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	take(t, dir, "M01/S01", "executor-01", 0, when)
	if h, err := Release(ctx, dir, "M01", "executor-01", false, when); h != nil || err != nil {
		t.Errorf("not claimed: %v, %v", h, err)
	}
	var owned *OwnedError
	if _, err := Release(ctx, dir, "M01/S01", "executor-02", false, when); !errors.As(err, &owned) || owned.Holder.Agent != "executor-01" {
		t.Errorf("somebody else's: %v", err)
	}
	var above *ParentLeaseError
	if _, err := Release(ctx, dir, "M01/S01/T01", "executor-01", true, when); !errors.As(err, &above) {
		t.Errorf("held above: %v", err)
	}
	if h, err := Release(ctx, dir, "M01/S01", "executor-02", true, when); err != nil || h == nil || h.Agent != "executor-01" {
		t.Errorf("forced: %v, %v", h, err)
	}
	if got := take(t, dir, "M01/S01", "executor-02", 0, when); got != "" {
		t.Error(got)
	}
}

func TestClaimsThatCannotBeReadAreNoFreePass(t *testing.T) {
	dir := t.TempDir()
	take(t, dir, "T01", "executor-01", 0, when)
	if err := os.WriteFile(state.Path(dir, fileName), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := take(t, dir, "T02", "executor-01", 0, when); !strings.Contains(got, "unit-claims.json cannot be read") {
		t.Errorf("got %q", got)
	}
}
