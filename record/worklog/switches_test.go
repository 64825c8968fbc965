package worklog

import (
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo/program"
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
				read := func(int) ([]Todo, bool) {
					verified = true
					return []Todo{{Content: "x"}}, true
				}
				if _, _, err := r.VerifyTodos(t.Context(), when, TodoChange{Intended: []Todo{{Content: "x"}}, Reader: reading(read)}); err != nil {
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
			if refs, err := r.Repo.Refs(t.Context(), refPrefix); err != nil || (len(refs) == 0) != c.switches.NoWorklog {
				t.Errorf("%s: refs %v %v", c.name, refs, err)
			}
		}
	}
}

func TestVariablesSwitch(t *testing.T) {
	for name, want := range map[string]policy.Switches{
		"ACTA_NO_WORKLOG": {NoWorklog: true}, "ACTA_SKIP_VERIFY": {SkipVerify: true}, "ACTA_NO_CHECKPOINTS": {NoCheckpoints: true}, "ACTA_VERBOSE_LOG": {VerboseLog: true},
	} {
		for value, isOn := range map[string]bool{"1": true, "true": true, "": false, "0": false, "no": false} {
			got := EnvSwitches(program.Env{name + "=" + value})
			if isOn && got != want || !isOn && got != (policy.Switches{}) {
				t.Errorf("%s=%q: %+v", name, value, got)
			}
		}
	}
}
