package policy

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/report"
)

// everything sets each key that there is.
const everything = full + `worklog: {record: "off", keep_days: 7}
tests: [make test, pytest]
results: {junit: ["out/**/*.xml"], coverage: [lcov.info], require: {test: ran, code: executed}}
verifiers:
  tests: {run: [go, test, ./...], timeout: 2m}
  mail: {run: [./mail]}
complete: {verifier: tests}
env: [CI, GOFLAGS]
prove: {command: [make, test], require: [T01, STRICT]}
score:
  timezone: Europe/Berlin
  notify: {run: [mail, -s]}
`

func TestValuesAreWhatIsInForce(t *testing.T) {
	p := mustRead(t, everything)
	want := []Value{
		{"acta", ">=0.1, <2", 2},
		{"since", "3f2c", 3},
		{"plan.intent", "wishes", 4},
		{"plan.working", "plan/now.json", 4},
		{"require", "agents", 5},
		{"actors.agents", "*[bot]@*, executor-*", 6},
		{"actors.exempt", "dependabot[bot]@*", 6},
		{"default_tier", "LIGHT", 7},
		{"tiers[0]", "STRICT for **/auth/**", 9},
		{"tiers[1]", "EXEMPT for any file, in commits of at most 1 files, in commits of at most 10 lines", 10},
		{"rules.loose", "off", 11},
		{"rules.tight", "error in STANDARD, warning in LIGHT", 11},
		{"waivable", "loose", 12},
		{"accepted[0]", strings.Repeat("3f2c", 10) + ": history", 14},
		{"evidence.max_lines", "10", 15},
		{"evidence.max_file_bytes", "100", 15},
		{"worklog.record", "off", 16},
		{"worklog.keep_days", "7", 16},
		{"tests", "make test, pytest", 17},
		{"results.junit", "out/**/*.xml", 18},
		{"results.coverage", "lcov.info", 18},
		{"results.require.test", "ran", 18},
		{"results.require.code", "executed", 18},
		{"verifiers.mail", `["./mail"], at most 30s`, 21},
		{"verifiers.tests", `["go" "test" "./..."], at most 2m0s`, 20},
		{"complete.verifier", "tests", 22},
		{"env", "CI, GOFLAGS", 23},
		{"prove.command", "make, test", 24},
		{"prove.require", "T01, STRICT", 24},
		{"score.timezone", "Europe/Berlin", 26},
		{"score.notify", `["mail" "-s"], at most 30s`, 27},
	}
	got := p.Values()
	for i, v := range got {
		if i >= len(want) || v != want[i] {
			t.Errorf("value %d is %+v", i, v)
		}
	}
	if len(got) != len(want) {
		t.Errorf("there are %d values, want %d", len(got), len(want))
	}
}

func TestValuesOfAnEmptyPolicyAreTheDefaults(t *testing.T) {
	p := mustRead(t, "")
	for _, v := range p.Values() {
		if v.Line != 0 {
			t.Errorf("%s has line %d, and no file sets it", v.Key, v.Line)
		}
		if v.Key == "complete.verifier" || v.Key == "score.notify" {
			t.Errorf("%s is in force without being set: %q", v.Key, v.Value)
		}
	}
	if !slices.Contains(p.Values(), Value{"worklog.record", "on", 0}) || !slices.Contains(p.Values(), Value{"default_tier", "STANDARD", 0}) {
		t.Errorf("%v", p.Values())
	}
}

func TestARuleSetAlikeInEveryTierIsOneWord(t *testing.T) {
	for text, want := range map[string]string{
		"off": "off", "warning": "warning", "error": "error", "false": "off",
		"{STRICT: error, STANDARD: error, LIGHT: error, EXEMPT: error}":   "error",
		"{STRICT: error, STANDARD: error, LIGHT: error}":                  "error in STRICT, error in STANDARD, error in LIGHT",
		"{STRICT: error, STANDARD: warning, LIGHT: 'off', EXEMPT: false}": "error in STRICT, warning in STANDARD, off in LIGHT, off in EXEMPT",
	} {
		p := mustRead(t, "rules: {loose: "+text+"}\n")
		i := slices.IndexFunc(p.Values(), func(v Value) bool { return v.Key == "rules.loose" })
		if i < 0 || p.Values()[i].Value != want {
			t.Errorf("%s reads as %v, want %q", text, p.Values(), want)
		}
	}
}

func TestTiersAndLevelsHaveNames(t *testing.T) {
	for _, tier := range []Tier{Exempt, Light, Standard, Strict} {
		for _, name := range []string{tier.String(), strings.ToLower(tier.String())} {
			if got, ok := ParseTier(name); !ok || got != tier {
				t.Errorf("%q is read as %v, %v", name, got, ok)
			}
		}
	}
	if got, ok := ParseTier("HARD"); ok {
		t.Errorf("HARD is read as %v", got)
	}
	for _, c := range []struct{ got, want fmt.Stringer }{{Tier(0), named("Tier(0)")}, {Strict, named("STRICT")}} {
		if c.got.String() != c.want.String() {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
	if got := LevelName(0) + LevelName(report.Warning); got != "offwarning" {
		t.Errorf("off and warning are %s", got)
	}
	if Exempt >= Light || Light >= Standard || Standard >= Strict {
		t.Error("a greater tier is stricter")
	}
}

type named string

func (n named) String() string { return string(n) }

func TestAFilesTierIsItsFirstMatch(t *testing.T) {
	p := mustRead(t, `tiers:
  - {tier: EXEMPT, paths: [docs/**, "*.md"]}
  - {tier: LIGHT, paths: ["**/*_test.py"], max_files: 2}
  - {tier: STRICT, paths: ["src/{auth,pay}/**"]}
`)
	for _, c := range []struct {
		path  string
		files int
		want  Tier
	}{
		{"docs/a/b.py", 9, Exempt}, {"README.md", 1, Exempt}, {"src/README.md", 1, Standard},
		{"src/auth/x_test.py", 2, Light}, {"src/auth/x_test.py", 3, Strict}, {"src/pay/x.py", 1, Strict},
		{"src/payments/x.py", 1, Standard}, {"a", 1, Standard},
	} {
		if got := p.PathTier(c.path, c.files, 0); got != c.want {
			t.Errorf("%s among %d: %v, want %v", c.path, c.files, got, c.want)
		}
	}
	if p.NeedsLines() {
		t.Error("no rule bounds the changed lines")
	}
}

func TestSwitchesAreAddedUp(t *testing.T) {
	a, b := Switches{NoWorklog: true}, Switches{SkipVerify: true, VerboseLog: true}
	if got := a.Or(b); got != (Switches{NoWorklog: true, SkipVerify: true, VerboseLog: true}) || got != b.Or(a) {
		t.Errorf("%+v", got)
	}
	all := Switches{true, true, true, true}
	if got := all.Or(Switches{}); got != all {
		t.Errorf("what is switched off is switched on: %+v", got)
	}
}

func TestOnlyTurnsEveryOtherRuleOff(t *testing.T) {
	p := OnlyRule("tight", testRules)
	for _, tier := range []Tier{Exempt, Light, Standard, Strict} {
		if _, set := p.Override("tight", tier); set {
			t.Errorf("tight is set in %v", tier)
		}
		for _, id := range []string{"loose", "guard"} {
			if l, set := p.Override(id, tier); !set || l != 0 {
				t.Errorf("%s in %v is %v, %v", id, tier, l, set)
			}
		}
	}
}

func TestWhoseCommitsMustNameTheirUnit(t *testing.T) {
	const actors = "actors: {agents: ['executor-*', '?-bot'], exempt: [executor-00]}\n"
	for _, c := range []struct {
		require string
		names   []string
		want    bool
	}{
		{"none", []string{"executor-01"}, false},
		{"agents", []string{"executor-01"}, true},
		{"agents", []string{"Ada", "ada@example.org"}, false},
		{"agents", []string{"Ada", "executor-02"}, true}, // a co-author
		{"agents", []string{"a-bot"}, true},
		{"agents", []string{"ab-bot"}, false},
		{"agents", []string{"executor-01", "executor-00"}, false}, // who is exempt takes all of it out
		{"all", []string{"Ada"}, true},
		{"all", []string{"executor-00"}, false},
		{"all", nil, true},
	} {
		p := mustRead(t, "require: "+c.require+"\n"+actors)
		if got, _ := p.Requires(Authorship{Names: c.names}); got != c.want {
			t.Errorf("require %s of %q: %v", c.require, c.names, got)
		}
	}
	p := mustRead(t, actors)
	if !p.IsAgent("EXECUTOR-7") || p.IsAgent("Ada") || p.IsAgent("") {
		t.Error("agents are those of the patterns, whatever their case")
	}
}

func TestNearNamesAreSuggested(t *testing.T) {
	known := []string{"require", "rules", "worklog", "evidence"}
	for name, want := range map[string]string{
		"requires": "require", "RULES": "rules", "rule": "rules", "work_log": "worklog", "evidance": "evidence",
		"rulse": "rules", "ruels": "rules", "sluer": "", "colour": "", "": "", "r": "", strings.Repeat("require", 20): "",
	} {
		if got := nearest(name, known); got != want {
			t.Errorf("%q is near %q, want %q", name, got, want)
		}
		if said := DidYouMean(name, known); (said == "") != (want == "") || want != "" && said != fmt.Sprintf("; did you mean %q?", want) {
			t.Errorf("of %q it says %q", name, said)
		}
	}
	if got := nearest("x", nil); got != "" {
		t.Errorf("without names %q is near", got)
	}
}

func TestWhatAProgramIsGivenHasLimits(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"env: [CI, 'A B']\n", `"A B" is not the name of a variable`},
		{"env: [1A]\n", "not the name of a variable"},
		{"env: ['']\n", "not the name of a variable"},
		{"verifiers: {a: {run: [x], timeout: -1s}}\n", "a timeout must be a time of at most 24h"},
		{"verifiers: {a: {run: [x], timeout: 24h1s}}\n", "a timeout must be a time of at most 24h"},
		{"verifiers: {a: {run: [x, \"a\\0b\"]}}\n", "an argument of a program must not contain a NUL byte"},
		{"verifiers: {'-a': {run: [x]}}\n", "not a verifier's name"},
		{"score: {notify: {run: [x, \"\\0\"]}}\n", "a NUL byte"},
		{"tests: [pytest, ' ']\n", "a pattern of test runs must be a command"},
		{"worklog: {keep_days: 0}\n", "keep_days must be 1 or more"},
		{"worklog: {record: maybe}\n", "record must be on or off, not maybe"},
		{"tiers: [{tier: LIGHT, max_files: -1}]\n", "max_files and max_lines must be 0 or more"},
	} {
		if _, err := read(t, c.text); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q gives %v, want %q", c.text, err, c.says)
		}
	}
	p := mustRead(t, "env: [_A1, b]\nverifiers: {a: {run: [x], timeout: 24h}, ü.1: {run: [y]}}\nworklog: {record: on}\n")
	if p.Verifiers["a"].Timeout != longestTimeout || p.Verifiers["ü.1"].Timeout != defaultTimeout || p.SkipRecord || len(p.Env) != 2 {
		t.Errorf("%+v", p)
	}
}

func TestErrorsOpenWithTheirPlace(t *testing.T) {
	_, err := read(t, "version: 1\nrequire: some\n")
	if err == nil || !strings.HasPrefix(err.Error(), ".acta.yaml:2:10: require must be none, agents or all") {
		t.Errorf("%v", err)
	}
	wrapped := &ConfigError{err}
	if wrapped.Error() != err.Error() || wrapped.Unwrap() != err {
		t.Errorf("%v", wrapped)
	}
}

func TestTheSameTiersHoldEveryPathAlike(t *testing.T) {
	const tiers = "tiers: [{tier: STRICT, paths: [a, b]}, {tier: LIGHT, max_files: 1, max_lines: 2}]\n"
	before := mustRead(t, tiers)
	for text, want := range map[string]bool{
		tiers: true, tiers + "require: all\n": true, "": false, tiers + "default_tier: LIGHT\n": false,
		strings.Replace(tiers, "[a, b]", "[b, a]", 1):             false,
		strings.Replace(tiers, "STRICT", "LIGHT", 1):              false,
		strings.Replace(tiers, "max_lines: 2", "max_lines: 3", 1): false,
		strings.Replace(tiers, "max_files: 1, ", "", 1):           false,
	} {
		after := mustRead(t, text)
		if before.HasSameTiers(&after) != want {
			t.Errorf("%q has the same tiers: %v", text, !want)
		}
	}
}

func TestSizesStandOnBothSidesOfEveryBound(t *testing.T) {
	one := mustRead(t, "tiers: [{tier: LIGHT, max_files: 3}]\n")
	two := mustRead(t, "tiers: [{tier: LIGHT, max_lines: 10}]\n")
	got := commitSizes(&one, &two)
	for _, want := range []struct{ files, lines int }{{1, 1}, {3, 10}, {4, 10}, {3, 11}, {4, 11}} {
		if !slices.Contains(got, want) {
			t.Errorf("%+v is missing in %v", want, got)
		}
	}
}

func TestKeysAreKnownByWhereTheyBelong(t *testing.T) {
	known := map[string][]string{}
	keysOf(reflect.TypeFor[policyFile](), "", known)
	for key, want := range map[string][]string{
		"max_lines": {"tiers", "evidence"}, "run": {"verifiers", "score.notify"}, "require": {"the top", "results", "prove"}, "nothing": nil,
	} {
		if got := known[key]; !slices.Equal(got, want) {
			t.Errorf("%s belongs under %q, want %q", key, got, want)
		}
	}
}
