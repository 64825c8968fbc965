package policy

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

var testRules = []string{"loose", "tight", "guard"}

func read(t *testing.T, text string) (Policy, error) {
	t.Helper()
	return Read([]byte(text), testRules, func(id string) bool { return id != "guard" })
}

func mustRead(t *testing.T, text string) Policy {
	t.Helper()
	p, err := read(t, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEveryKeyIsOptional(t *testing.T) {
	want := Default()
	for _, text := range []string{"", "# only a comment\n", "version: 1\n", "---\n"} {
		got := mustRead(t, text)
		got.overrides, got.lines = nil, nil
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q reads as %+v", text, got)
		}
	}
}

const full = `version: 1
acta: ">=0.1, <2"
since: 3f2c
plan: {intent: wishes/, working: plan/now.json}
require: agents
actors: {agents: ["*[bot]@*", "executor-*"], exempt: ["dependabot[bot]@*"]}
default_tier: LIGHT
tiers:
  - {tier: STRICT, paths: ["**/auth/**"]}
  - {tier: EXEMPT, max_files: 1, max_lines: 10}
rules: {loose: off, tight: {STANDARD: error, LIGHT: warning}}
waivable: [loose]
accepted:
  - {commit: 3F2C3f2c3f2c3f2c3f2c3f2c3f2c3f2c3f2c3f2c, reason: history}
evidence: {max_lines: 10, max_file_bytes: 100}
`

func TestReadsEveryKey(t *testing.T) {
	p := mustRead(t, full)
	if p.Releases != ">=0.1, <2" || p.Since != "3f2c" || p.Intent != "wishes" || p.Plan != "plan/now.json" {
		t.Errorf("scalars: %+v", p)
	}
	if p.Require != RequireAgents || p.DefaultTier != Light || !p.CanWaive("loose") || p.CanWaive("tight") {
		t.Errorf("require, default tier or waivable: %+v", p)
	}
	if p.MaxLines != 10 || p.MaxFileBytes != 100 || len(p.AcceptedCommits) != 1 || p.AcceptedCommits[0] != (AcceptedCommit{strings.Repeat("3f2c", 10), "history"}) {
		t.Errorf("limits or accepted: %+v", p)
	}
	for _, c := range []struct {
		rule string
		tier Tier
		want string
	}{
		{"loose", Strict, "off"}, {"loose", Exempt, "off"}, {"tight", Standard, "error"}, {"tight", Light, "warning"},
		{"tight", Strict, "unset"}, {"guard", Strict, "unset"},
	} {
		got := "unset"
		if l, ok := p.Override(c.rule, c.tier); ok {
			got = LevelName(l)
		}
		if got != c.want {
			t.Errorf("%s in %v is %s, want %s", c.rule, c.tier, got, c.want)
		}
	}
}

func TestErrorsNameLineAndColumn(t *testing.T) {
	for _, c := range []struct{ text, at, says string }{
		{"version: 2\n", "1:10", "version 2"},
		{"version: 1\nrequre: all\n", "2:1", `unknown key "requre"; did you mean "require"?`},
		{"plan:\n  wroking: x\n", "2:3", `unknown key "wroking"; did you mean "working"?`},
		{"tiers:\n  - {tier: STRICT, path: [\"a\"]}\n", "2:20", `unknown key "path"; did you mean "paths"?`},
		{"version: 1\nmax_file_bytes: 3\n", "2:1", `unknown key "max_file_bytes"; it belongs under evidence`},
		{"tiers: [{tier: STRICT}]\nscore: {notify: {max_lines: 3}}\n", "2:18", `it belongs under tiers or evidence`},
		{"plan: {colour: red}\n", "1:8", `unknown key "colour"`},
		{"rules: {lose: off}\n", "1:15", `there is no rule "lose"; did you mean "loose"?`},
		{"require: some\n", "1:10", `"some"`},
		{"default_tier: HARD\n", "1:15", `"HARD"`},
		{"tiers:\n  - {tier: STRICT, paths: [\"a\"]}\n  - {tier: SOFT}\n", "3:12", `"SOFT"`},
		{"tiers:\n  - {tier: STRICT, paths: [\"[\"]}\n", "2:28", "path pattern"},
		{"rules:\n  nonsense: off\n", "2:13", `"nonsense"`},
		{"rules:\n  loose: loud\n", "2:10", "loud"},
		{"rules: {tight: {STANDERD: error}}\n", "", "STANDERD"},
		{"waivable: [loose, guard]\n", "1:19", "integrity"},
		{"waivable: [nix]\n", "1:12", "nix"},
		{"accepted:\n  - {commit: abc}\n", "2:", "reason"},
		{"accepted:\n  - {commit: 3f2c3f2, reason: history}\n", "2:", "full id"},
		{"accepted:\n  - {commit: main, reason: history}\n", "2:", "full id"},
		{"evidence: {max_lines: 0}\n", "1:23", "max_lines"},
		{"evidence: {max_file_bytes: -1}\n", "1:", "max_file_bytes"},
		{"acta: newest\n", "1:7", "newest"},
		{"score: {timezone: Berlin}\n", "1:19", "Berlin"},
		{"score: {timezone: Local}\n", "1:19", "Local"},
		{"verifiers: {a/b: {run: [x]}}\n", "1:", "a/b"},
		{"complete: {verifier: tests}\n", "1:22", `there is no verifier "tests"; name it under verifiers`},
		{"verifiers: {tests: {run: [x]}}\ncomplete:\n  verifier: test\n", "3:13", `there is no verifier "test"; name it under verifiers`},
		{"verifiers:\n  a:\n    timeout: 3s\n", "3:", "no program"},
		{"verifiers:\n  a: {run: ['']}\n", "2:", "no program"},
		{"verifiers:\n  a: {run: [x], timeout: 0s}\n", "2:26", "timeout"},
		{"verifiers:\n  a: {run: [x], timeout: 30}\n", "2:26", "timeout"},
		{"verifiers:\n  a: {run: [x], shell: true}\n", "2:17", "shell"},
		{"verifiers:\n  a: {run: x -y}\n", "2:", ""},
		{"score:\n  notify: {}\n", "2:11", "score.notify names no program"},
		{"score:\n  notify: {timeout: 3s}\n", "2:11", "score.notify names no program"},
		{"score:\n  notify: {run: []}\n", "2:11", "score.notify names no program"},
		{"score:\n  notify: {run: ['']}\n", "2:11", "score.notify names no program"},
		{"score:\n  notify: {run: [x], timeout: 25h}\n", "2:31", "timeout"},
		{"score:\n  notify: {webhook: 'https://alerts.example/'}\n", "2:12", "webhook"},
		{"score:\n  notify: {url: 'https://alerts.example'}\n", "2:12", "url"},
		{"tiers: [\n", "", ""},
		{"version: [1]\n", "1:", ""},
		{"version: 1\nversion: 1\n", "2:1", "version"},
		{"version: 1\n---\nversion: 1\n", "", "more than one"},
	} {
		_, err := read(t, c.text)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%q gives %v", c.text, err)
			continue
		}
		if e.Line < 1 || e.Column < 1 || !strings.HasPrefix(fmt.Sprintf("%d:%d", e.Line, e.Column), c.at) || !strings.Contains(e.Message, c.says) {
			t.Errorf("%q gives %v, want %s … %s", c.text, err, c.at, c.says)
		}
	}
}

func TestCommitTakesTheStrictestOfItsFiles(t *testing.T) {
	p := mustRead(t, full)
	for _, c := range []struct {
		changed, cited []string
		lines          int
		raised         Tier
		want           Tier
	}{
		{[]string{"README.md"}, nil, 3, 0, Exempt},
		{[]string{"README.md"}, nil, 11, 0, Light},
		{[]string{"README.md", "b"}, nil, 3, 0, Light},
		{[]string{"README.md", "src/auth/x.py"}, nil, 3, 0, Strict},
		{[]string{"README.md"}, []string{"auth/x.py"}, 3, 0, Strict},
		{nil, nil, 0, 0, Light},
		{nil, nil, 0, Strict, Strict},
		{[]string{"auth/x"}, nil, 0, Exempt, Strict},
	} {
		if got := p.Tier(c.changed, c.cited, c.lines, c.raised); got != c.want {
			t.Errorf("%v cited %v, %d lines, raised %v: %v, want %v", c.changed, c.cited, c.lines, c.raised, got, c.want)
		}
	}
	if !p.NeedsLines() {
		t.Error("max_lines needs no line counts")
	}
}

func TestOnlyStarAndQuestionMarkAreSpecialInActors(t *testing.T) {
	p := mustRead(t, full)
	for name, want := range map[string]bool{
		"1+claude[bot]@users.example":     true,
		"1+claudeb@users.example":         false,
		"executor-01":                     true,
		"EXECUTOR-01":                     true,
		"an executor-01":                  false,
		"dependabot[bot]@users.example":   false,
		"somebody":                        false,
		"1+dependabot[bot]@users.example": true,
	} {
		if got, _ := p.Requires(Authorship{Names: []string{name}}); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	all := &Policy{Require: RequireAll}
	if required, _ := all.Requires(Authorship{Names: []string{"anyone"}}); !required {
		t.Error("require all leaves someone out")
	}
}

func TestReleaseConstraint(t *testing.T) {
	for _, c := range []struct {
		constraint, release string
		want                bool
	}{
		{"", "0.1.0", true}, {">=0.1", "0.1.0", true}, {">=0.2", "0.1.0", false}, {">=0.1, <2", "2.0.0", false},
		{"0.1.0", "0.1.0", true}, {"=0.1.1", "0.1.0", false}, {">0.1", "0.1.1", true}, {"<=0.1", "0.1.0", true},
	} {
		p := Policy{Releases: c.constraint}
		if got := p.Admits(c.release); got != c.want {
			t.Errorf("%q admits %s: %v", c.constraint, c.release, got)
		}
	}
}

func TestHowTheOperatorIsTold(t *testing.T) {
	if n := mustRead(t, "score: {timezone: UTC}\n").Notify; n != nil {
		t.Errorf("%+v", n)
	}
	p := mustRead(t, "score: {notify: {run: [mail, '-s', Lockdown], timeout: 2m}}\n")
	if want := (Verifier{Run: []string{"mail", "-s", "Lockdown"}, Timeout: 2 * time.Minute}); !reflect.DeepEqual(*p.Notify, want) {
		t.Errorf("%+v", p.Notify)
	}
}

func TestVerifiersAndTheTimeZone(t *testing.T) {
	p := mustRead(t, "verifiers:\n  tests: {run: [go, test, ./...], timeout: 2m}\n  mail_2.x: {run: [./mail]}\nscore: {timezone: Europe/Berlin}\n")
	want := map[string]Verifier{"tests": {[]string{"go", "test", "./..."}, 2 * time.Minute}, "mail_2.x": {[]string{"./mail"}, 30 * time.Second}}
	if !reflect.DeepEqual(p.Verifiers, want) || p.Timezone.String() != "Europe/Berlin" {
		t.Errorf("%+v in %v", p.Verifiers, p.Timezone)
	}
	if _, offset := time.Date(2026, 7, 1, 0, 0, 0, 0, p.Timezone).Zone(); offset != 2*60*60 {
		t.Errorf("Berlin is %d s before UTC in summer", offset)
	}
}
