package worklog

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/acta-git/acta/policy"
)

// Each switch removes exactly its part, whether it holds for the session or for a call.
func TestASwitchRemovesItsPart(t *testing.T) {
	const all = "todowrite [planning] verify edit bash [verification] [execution] act"
	for _, c := range []struct {
		name     string
		switches policy.Switches
		want     string
		results  bool
	}{
		{"none", policy.Switches{}, all, false},
		{"no_worklog", policy.Switches{NoWorklog: true}, "", false},
		{"skip_verify", policy.Switches{SkipVerify: true}, strings.Replace(all, "verify ", "", 1), false},
		{"no_checkpoints", policy.Switches{NoCheckpoints: true}, "todowrite verify edit bash act", false},
		{"verbose_log", policy.Switches{VerboseLog: true}, all, true},
	} {
		for _, ofSession := range []bool{false, true} {
			b := Beginning{Tier: "STRICT"}
			if ofSession {
				b.Switches = c.switches
			}
			r := newRecorder(t, b)
			if !ofSession {
				r.Switches = c.switches
			}
			verified := false
			for i, o := range steps(t, "todo:3 edit:a test:0 act") {
				o.Details.Result = "what the tool said"
				if _, err := r.Record(t.Context(), when, o); err != nil {
					t.Fatal(err)
				}
				if i > 0 {
					continue
				}
				read := func(context.Context, int) ([]Todo, bool, error) {
					verified = true
					return []Todo{{Content: "x"}}, true, nil
				}
				if _, err := r.VerifyTodos(t.Context(), when, TodoChange{Intended: []Todo{{Content: "x"}}, Read: read}); err != nil {
					t.Fatal(err)
				}
			}
			s, _, err := r.Session()
			if err != nil {
				t.Fatal(err)
			}
			results := slices.ContainsFunc(s.Entries, func(o Operation) bool { return o.Details.Result != "" })
			if got := outline(s.Entries); got != c.want || results != c.results || verified == c.switches.SkipVerify {
				t.Errorf("%s, of the session %v: got %q, results %v, verified %v", c.name, ofSession, got, results, verified)
			}
			if names := c.switches.Names(); len(names) > 1 || len(names) == 1 && names[0] != c.name {
				t.Errorf("%s is called %v", c.name, names)
			}
			if refs, err := r.Repo.Refs(t.Context(), RefPrefix); err != nil || (len(refs) == 0) != c.switches.NoWorklog {
				t.Errorf("%s: refs %v %v", c.name, refs, err)
			}
		}
	}
}

// A use is recorded once a session, switch and source, however many processes use it.
func TestUsesAreRecordedOnce(t *testing.T) {
	r := newRecorder(t, Beginning{Tier: "STRICT", Actor: "executor-01"})
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			other := &Recorder{Live: r.Live, Repo: r.Repo}
			for _, source := range []string{ByEnv, ByFlag, ByEnv} {
				if err := other.Switch(t.Context(), when, policy.Switches{SkipVerify: true, VerboseLog: source == ByFlag}, source); err != nil {
					t.Error(err)
				}
			}
			if want := (policy.Switches{SkipVerify: true, VerboseLog: true}); other.switches() != want {
				t.Errorf("%+v hold", other.switches())
			}
		})
	}
	all.Wait()
	common := filepath.Dir(filepath.Dir(r.dir))
	entries, _, err := Events(common).Read(0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		var p struct{ Switch, Source, Session string }
		if err := json.Unmarshal(e.Params, &p); err != nil || p.Session != r.ID || e.Cmd != "worklog switch" || e.Name != "executor-01" {
			t.Errorf("%v: %s", err, e.Line)
		}
		got = append(got, p.Switch+" "+p.Source)
	}
	slices.Sort(got)
	if want := "[skip_verify env skip_verify flag verbose_log flag]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestVariablesSwitch(t *testing.T) {
	for name, want := range map[string]policy.Switches{
		"ACTA_NO_WORKLOG": {NoWorklog: true}, "ACTA_SKIP_VERIFY": {SkipVerify: true}, "ACTA_NO_CHECKPOINTS": {NoCheckpoints: true}, "ACTA_VERBOSE_LOG": {VerboseLog: true},
	} {
		if got := SwitchVariables(want); len(got) != 1 || got[0] != name {
			t.Errorf("%+v is switched by %v", want, got)
		}
		for value, isOn := range map[string]bool{"1": true, "true": true, "": false, "0": false, "no": false} {
			got := EnvSwitches(func(key string) string {
				if key == name {
					return value
				}
				return ""
			})
			if isOn && got != want || !isOn && got != (policy.Switches{}) {
				t.Errorf("%s=%q: %+v", name, value, got)
			}
		}
	}
}
