package worklog

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/judge/policy"
)

// A session that records nothing is in nobody's way, and is chosen where there is no other.
func TestASessionThatRecordsNothingIsPassedOver(t *testing.T) {
	common := t.TempDir()
	begin := func(id string, s policy.Switches, after time.Duration) *LocalSession {
		l, err := Start(t.Context(), common, Beginning{ID: id, Tier: "STRICT", Started: when.Add(after), WorkTree: "/r/.git", Switches: s})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	quiet := begin("20260126_143215-aaaa", policy.Switches{NoWorklog: true}, 0)
	chosen := func(want *LocalSession) {
		t.Helper()
		if l, err := FindRunning(common, "/r/.git", ""); err != nil || l.ID != want.ID {
			t.Errorf("%v, %v; want %s", l, err, want.ID)
		}
	}
	chosen(quiet)
	loud := begin("20260126_143216-bbbb", policy.Switches{SkipVerify: true}, time.Second)
	chosen(loud)
	begin("20260126_143217-cccc", policy.Switches{NoWorklog: true}, 2*time.Second)
	chosen(loud)
	if l, err := FindRunning(common, "/r/.git", quiet.ID); err != nil || l.ID != quiet.ID {
		t.Errorf("by its id: %v, %v", l, err)
	}
	if _, err := loud.End(t.Context(), when, Success); err != nil {
		t.Fatal(err)
	}
	if _, err := FindRunning(common, "/r/.git", ""); !errors.Is(err, ErrNoSession) || !strings.Contains(err.Error(), "2 sessions run in this work tree") {
		t.Errorf("of two that record nothing: %v", err)
	}
}

// What stands for a beginning that cannot be read is said, and not written over it.
func TestALostBeginningIsSaid(t *testing.T) {
	for damage, why := range map[string]string{
		"{":                       "unexpected end of JSON input",
		`{"session_id": "other"}`: `it tells of session "other"`,
		`{"session_id": "20260126_143215-aaaa", "tier": "LAX"}`: `its tier must be STRICT, STANDARD, LIGHT or EXEMPT, not "LAX"`,
	} {
		common := t.TempDir()
		l, err := Start(t.Context(), common, Beginning{ID: "20260126_143215-aaaa", Tier: "STRICT", Started: when})
		if err != nil {
			t.Fatal(err)
		}
		if again, err := FindRunning(common, "", l.ID); err != nil || again.ReadWarning() != "" {
			t.Errorf("%v, %q", err, again.ReadWarning())
		}
		if err := os.WriteFile(l.file(".json"), []byte(damage), 0o666); err != nil {
			t.Fatal(err)
		}
		lost, err := FindRunning(common, "", l.ID)
		if err != nil || lost.Tier != "STANDARD" || !strings.Contains(lost.ReadWarning(), "tier STANDARD without task and switches: "+l.file(".json")+": "+why) {
			t.Errorf("%v, %q", err, lost.ReadWarning())
		}
		if err := lost.Rename(t.Context(), "Another"); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadFile(l.file(".json")); err != nil || string(left) != damage {
			t.Errorf("%v: %s was written over it", err, left)
		}
	}
}

// A session whose beginning can no longer be read is found where no other runs.
func TestASessionThatLostItsBeginningIsChosen(t *testing.T) {
	common := t.TempDir()
	lost, err := Start(t.Context(), common, Beginning{ID: "20260126_143215-aaaa", Tier: "STRICT", Started: when, WorkTree: "/r/.git"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(lost.file(".json"), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if l, err := FindRunning(common, "/r/.git", ""); err != nil || l.ID != lost.ID {
		t.Errorf("%v, %v", l, err)
	}
	other, err := Start(t.Context(), common, Beginning{ID: "20260126_143216-bbbb", Tier: "STRICT", Started: when, WorkTree: "/r/.git"})
	if err != nil {
		t.Fatal(err)
	}
	if l, err := FindRunning(common, "/r/.git", ""); err != nil || l.ID != other.ID {
		t.Errorf("beside another: %v, %v", l, err)
	}
	if _, err := lost.End(t.Context(), when, Success); err != nil {
		t.Fatal(err)
	}
	if _, err := FindRunning(common, "/elsewhere", ""); !errors.Is(err, ErrNoSession) {
		t.Errorf("elsewhere: %v", err)
	}
}
