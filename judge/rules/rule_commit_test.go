package rules

import (
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/plan"
)

func TestValuesAreComparedAndNotBytes(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"a": 1, "b": [true, null, "x"]}`, "{\"b\":[true,null,\"x\"],\r\n\"a\":1}\n", true},
		{`{"a": 1}`, `{"a": 1.0}`, true},
		{`[100]`, `[1e2]`, true},
		{`{"a": "\u00e9"}`, `{"a": "é"}`, true},
		{"\ufeff[]", `[]`, true},
		{`{"a": 1}`, `{"a": 2}`, false},
		{`{"a": 1}`, `{"a": "1"}`, false},
		{`{"a": 1}`, `{"a": 1, "b": null}`, false},
		{`[1, 2]`, `[2, 1]`, false},
		{`[1]`, `[1, 1]`, false},
		{`[9007199254740993]`, `[9007199254740992]`, false},
		{`[1e400]`, `[1e401]`, false},
		{`[]`, `{}`, false},
		{`null`, `false`, false},
	} {
		a, okA := parseJSON([]byte(c.a))
		b, okB := parseJSON([]byte(c.b))
		if !okA || !okB {
			t.Fatalf("%s or %s does not parse", c.a, c.b)
		}
		if equalJSON(a, b) != c.same || equalJSON(b, a) != c.same {
			t.Errorf("%s and %s: the same is %v", c.a, c.b, !c.same)
		}
	}
	for _, bad := range []string{"", "{", `{"a": 1} {"a": 2}`, "goal: login"} {
		if _, ok := parseJSON([]byte(bad)); ok {
			t.Errorf("%q parses", bad)
		}
	}
}

const (
	planAt   = "working_plan/current.json"
	intentAt = "user_intent/project.json"
	firstAt  = "user_intent/amendments/001.md"
)

func TestPlanInvalid(t *testing.T) {
	broken := files{
		planAt: "{\"id\": \"ROOT\", \"type\": \"parent\", \"children\": [\n  {\"id\": \"T01\", \"type\": \"atomic\",}\n]}\n",
	}
	testRule(t, plan.RuleInvalid, []row{
		{"no JSON", commit{message: "Plan\n", base: files{}, files: broken}, one("error " + planAt + ":2"),
			"The plan cannot be read"},
		{"a link where the plan was", commit{message: "Plan\n", base: planOf(pendingT01), files: files{planAt: linkTo + "a"}},
			one("error " + planAt + ":0"), "acta does not follow links"},
		{"a link where none was", commit{message: "Plan\n", base: files{}, files: files{planAt: linkTo + "a"}}, nil, ""},
		{"broken before as well", commit{message: "Work\n", base: broken, files: files{"a": "b"}}, nil, ""},
		{"as another parent has it", commit{message: "Merge\n", base: files{}, files: broken, merged: []files{broken}},
			nil, ""},
		{"a plan", commit{message: "Plan\n", base: files{}, files: planOf(pendingT01)}, nil, ""},
		{"no plan any more", commit{message: "Plan\n", base: broken, files: files{planAt: gone}}, nil, ""},
	})
}

func TestIntentModified(t *testing.T) {
	base := files{intentAt: `{"goal": "Login and logout"}`}
	testRule(t, "intent_modified", []row{
		{"changed", commit{message: "Tidy up\n", base: base, files: files{intentAt: `{"goal": "Login"}`}},
			one("error " + intentAt + ":1"), "user_intent/amendments"},
		{"removed", commit{message: "Tidy up\n", base: base, files: files{intentAt: gone}},
			one("error " + intentAt + ":1"), "The commit removes this file"},
		{"no JSON any more", commit{message: "Tidy up\n", base: base, files: files{intentAt: "{"}},
			one("error " + intentAt + ":1"), ""},
		{"of the same value",
			commit{message: "Format\n", base: base, files: files{intentAt: "{ \"goal\":\"Login and logout\" }\n"}}, nil, ""},
		{"for the first time", commit{message: "Ask\n", base: files{}, files: base}, nil, ""},
		{"as another parent has it",
			commit{message: "Merge\n", base: base, files: files{intentAt: "{}"}, merged: []files{{intentAt: "{}"}}}, nil, ""},
		{"no JSON before", commit{message: "Mend\n", base: files{intentAt: "{"}, files: base}, nil, ""},
	})
}

func TestAmendmentModified(t *testing.T) {
	base := files{firstAt: "Twelve characters.\n"}
	second := files{"user_intent/amendments/002.md": "And a digit.\n"}
	testRule(t, "intent_modified", []row{
		{"changed", commit{message: "Fix a typo\n", base: base, files: files{firstAt: "Eight characters.\n"}},
			one("error " + firstAt + ":1"), "restore it"},
		{"removed", commit{message: "Tidy up\n", base: base, files: files{firstAt: gone}}, one("error " + firstAt + ":1"),
			""},
		{"more at its end", commit{message: "Ask\n", base: base, files: files{firstAt: "Twelve characters.\nOr more.\n"}},
			nil, ""},
		{"a new one", commit{message: "Ask\n", base: base, files: second}, nil, ""},
		{"a new one in an ACT", commit{message: "ACT: T01 login\n", base: base, files: second},
			one("error user_intent/amendments/002.md:1"), "commit the amendment alone, in a commit of its own"},
		{"a new one in a cherry-picked ACT", commit{
			message: "ACT: T01 login\n\n(cherry picked from commit " +
				"1111111111111111111111111111111111111111)\n", base: base, files: second}, nil, ""},
		{"in a folder that the policy names", commit{message: "Fix\n", policy: "plan: {intent: asked}\n",
			base: files{"asked/amendments/1.md": "a\n"}, files: files{"asked/amendments/1.md": "b\n"}}, one("error asked/amendments/1.md:1"), ""},
		{"as another parent has it",
			commit{message: "Merge\n", base: base, files: files{firstAt: "b"}, merged: []files{{firstAt: "b"}}}, nil, ""},
	})
}

func TestStubAdded(t *testing.T) {
	const stub, real = "def reset(user):\n    raise NotImplementedError\n", "def reset(user):\n    user.reset()\n"
	testRule(t, "stub_added", []row{
		{"new", commit{message: "Outline\n", base: files{}, files: files{"a.py": stub}}, one("warning a.py:1"),
			"reset has no implementation"},
		{"emptied", commit{message: "Simplify\n", base: files{"a.py": real}, files: files{"a.py": stub}},
			one("warning a.py:1"), ""},
		{"there before",
			commit{message: "More\n", base: files{"a.py": stub}, files: files{"a.py": stub + "\n\ndef go():\n    run()\n"}},
			nil, ""},
		{"from another file",
			commit{message: "Move\n", base: files{"a.py": stub}, files: files{"a.py": gone, "b.py": stub}}, nil, ""},
		{"as another parent has it",
			commit{message: "Merge\n", base: files{}, files: files{"a.py": stub}, merged: []files{{"a.py": stub}}}, nil, ""},
		{"complete though empty",
			commit{message: "Add\n", base: files{}, files: files{"a.py": "class Lost(Exception):\n    pass\n"}}, nil, ""},
		{"in a path that is held lightly",
			commit{message: "Outline\n", base: files{}, files: files{"a.py": stub, "b.py": stub},
				tiers: map[string]policy.Tier{"a.py": policy.Light}}, one("warning b.py:1"), ""},
		{"too large to read",
			commit{message: "Add\n", base: files{}, policy: "evidence: {max_file_bytes: 10}\n", files: files{"a.py": stub}},
			nil, ""},
		{"no language", commit{message: "Add\n", base: files{}, files: files{"a.txt": stub}}, nil, ""},
		{"said already, and no refusal",
			commit{message: "Add\n", base: files{}, files: files{"a.py": stub}, advised: true}, nil, ""},
		{"said already, and a refusal", commit{message: "Add\n", base: files{}, files: files{"a.py": stub}, advised: true,
			policy: "rules: {stub_added: error}\n"}, one("error a.py:1"), ""},
	})
}

func TestPolicyInvalid(t *testing.T) {
	testRule(t, PolicyInvalid, []row{
		{"an unknown key", commit{message: "Policy\n", base: files{}, files: files{policy.Path: "version: 1\nrulez: {}\n"}},
			one("error .acta.yaml:2"), "rulez"},
		{"a link", commit{message: "Policy\n", base: files{}, files: files{policy.Path: linkTo + "a"}},
			one("error .acta.yaml:1"), "The policy must be a regular file"},
		{"a policy", commit{message: "Policy\n", base: files{}, files: files{policy.Path: "version: 1\n"}}, nil, ""},
		{"none any more",
			commit{message: "Policy\n", base: files{policy.Path: "version: 1\n"}, files: files{policy.Path: gone}}, nil, ""},
		{"broken before as well",
			commit{message: "Work\n", base: files{policy.Path: "rulez: {}\n"}, files: files{"a": "b"}}, nil, ""},
	})
}

func TestPolicyWeakened(t *testing.T) {
	change := func(was, now string) commit {
		return commit{message: "Tidy up the policy\n", policy: was, base: files{
			policy.Path: was, "src/auth/a.py": "a = 1\n",
		}, files: files{policy.Path: now}}
	}
	since := func(reaches ...string) commit {
		c := change("since: "+strings.Repeat("2", 40)+"\n", "since: "+strings.Repeat("1", 40)+"\n")
		c.reaches = reaches
		return c
	}
	strict := change("default_tier: STRICT\n", "default_tier: STRICT\nrules: {evidence_regressed: off}\n")
	strict.tier = policy.Strict
	waived := change("waivable: [policy_weakened]\n", "rules: {evidence_regressed: off}\n")
	waived.tier = policy.Strict
	waived.message += "\nWaive: policy_weakened | .acta.yaml | We agreed on it today\n"
	moved := change("version: 1\n", "plan: {working: plan.json}\n")
	moved.base[planAt] = planOf(pendingT01)[planAt]
	kept := change("version: 1\n", "plan: {working: plan.json}\n")
	kept.base[planAt], kept.files["plan.json"] = moved.base[planAt], moved.base[planAt]
	testRule(t, PolicyWeakened, []row{
		{"a rule is off", change("version: 1\n", "rules: {evidence_regressed: off}\n"), one("warning .acta.yaml:1"),
			"evidence_regressed: error to off in STRICT"},
		{"a rule is off, held strictly", strict, one("error .acta.yaml:1"), ""},
		{"waived", waived, one("warning .acta.yaml:1"), "waived: We agreed on it today"},
		{"a rule asks for more", change("version: 1\n", "rules: {evidence_unclear: error}\n"), nil, ""},
		{"a path is exempt", change("version: 1\n", "tiers:\n  - {tier: EXEMPT, paths: [\"src/**\"]}\n"),
			one("warning .acta.yaml:1"), "STANDARD to EXEMPT"},
		{"more can be waived", change("version: 1\n", "waivable: [evidence_unclear]\n"), one("warning .acta.yaml:1"),
			"waivable"},
		{"a later beginning", since(), one("warning .acta.yaml:1"), "commits before 111111111111 are not judged"},
		{"an earlier beginning", since(strings.Repeat("1", 40)), nil, ""},
		{"the plan lies where nothing is", moved, one("warning .acta.yaml:1"),
			"plan.working: working_plan/current.json to plan.json"},
		{"the plan lies where it was moved to", kept, nil, ""},
		{"it cannot be read, which is said elsewhere", change("version: 1\n", "rulez: {}\n"), nil, ""},
		{"it could not be read before", change("", "version: 1\n"), nil, ""},
		{"another comment", change("version: 1\n", "version: 1 # the first\n"), nil, ""},
	})
}
