package ledger

import "testing"

func TestWhatCannotBeKeptIsRefused(t *testing.T) {
	for name, change := range map[string]func(*Report){
		"no repository": func(r *Report) { r.Repository = " " },
		"no commit":     func(r *Report) { r.Commit = "main" },
		"no policy":     func(r *Report) { r.PolicyHash = "" },
		"a zone":        func(r *Report) { r.Zone = "Mars/Base" },
		"a NUL":         func(r *Report) { r.Verdicts[0].Item = "a\x00b" },
		"a NUL policy":  func(r *Report) { r.PolicyHash = "a\x00b" },
		"a NUL release": func(r *Report) { r.Release = "a\x00b" },
		"a rank":        func(r *Report) { r.Verdicts[0].Rank = 1 << 31 },
		"a place":       func(r *Report) { r.Verdicts[0].Index = 1 << 31 },
		"an actor":      func(r *Report) { r.Verdicts[0].Actor = "" },
		"a verdict":     func(r *Report) { r.Verdicts[0].Verdict = 0 },
		"a day":         func(r *Report) { r.Verdicts[0].Day = "2026-01-29" },
		"a key":         func(r *Report) { r.Verdicts[0].Keys = []string{""} },
		"twice":         func(r *Report) { r.Verdicts = append(r.Verdicts, r.Verdicts[0]) },
		"a vote": func(r *Report) {
			r.Feedback = []Vote{{ID: "1", Word: "sideways", At: noon, Actor: "a"}}
		},
		"a contradicted": func(r *Report) { r.Verdicts[0].IsContradiction = true },
	} {
		r := someReport(1)
		change(r)
		if r.Validate() == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if err := someReport(1).Validate(); err != nil {
		t.Error(err)
	}
}
