package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestConstraintsAreReadAsWritten(t *testing.T) {
	for _, c := range []struct {
		text     string
		admits   []string
		refuses  []string
		unusable bool
	}{
		{text: "", admits: []string{"0.0.1", "9.9.9"}},
		{text: " >= 0.1 , < 2 ", admits: []string{"0.1.0", "1.99.0"}, refuses: []string{"0.0.9", "2.0.0"}},
		{text: "v0.1", admits: []string{"0.1.0", "v0.1.0"}, refuses: []string{"0.1.1"}},
		{text: "=0.1.0", admits: []string{"0.1.0"}, refuses: []string{"0.1.1"}},
		{text: "<0.2,", admits: []string{"0.1.9"}, refuses: []string{"0.2.0"}},
		{text: ">0.1.0", admits: []string{"0.1.1"}, refuses: []string{"0.1.0", "0.1.0-rc1"}},
		{text: "~0.1", unusable: true}, {text: ">=", unusable: true}, {text: "0.1.0.0", unusable: true}, {text: "latest", unusable: true},
	} {
		p, err := read(t, "acta: \""+c.text+"\"\n")
		if (err != nil) != c.unusable {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		for _, release := range c.admits {
			if !p.Admits(release) {
				t.Errorf("%q keeps %s from judging", c.text, release)
			}
		}
		for _, release := range c.refuses {
			if p.Admits(release) {
				t.Errorf("%q lets %s judge", c.text, release)
			}
		}
	}
}

func TestYAMLIsReadAsPeopleWriteIt(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		holds func(p *Policy) bool
	}{
		"a comment behind a value":      {"require: all # of us\n", func(p *Policy) bool { return p.Require == RequireAll }},
		"quotes":                        {"\"require\": 'all'\n", func(p *Policy) bool { return p.Require == RequireAll }},
		"a tier in small letters":       {"default_tier: strict\n", func(p *Policy) bool { return p.DefaultTier == Strict }},
		"ends of lines as Windows does": {"require: all\r\ndefault_tier: LIGHT\r\n", func(p *Policy) bool { return p.Require == RequireAll && p.DefaultTier == Light }},
		"a document that begins":        {"---\nrequire: all\n", func(p *Policy) bool { return p.Require == RequireAll }},
		"an anchor and what names it":   {"actors: {agents: &a [x], exempt: *a}\n", func(p *Policy) bool { return slices.Equal(p.ExemptActors, []string{"x"}) }},
		"slashes around a folder":       {"plan: {intent: /wishes/, working: plan.json/}\n", func(p *Policy) bool { return p.Intent == "wishes" && p.Plan == "plan.json" }},
		"a list over lines":             {"waivable:\n- loose\n- tight\n", func(p *Policy) bool { return p.CanWaive("loose") && p.CanWaive("tight") && !p.CanWaive("guard") }},
		"a key without a value":         {"waivable:\n", func(p *Policy) bool { return p.Waivable == nil }},
		"a rule that is off, unquoted":  {"rules:\n  loose: off\n", func(p *Policy) bool { l, set := p.Override("loose", Light); return set && l == 0 }},
		"a rule in one tier":            {"rules: {loose: {strict: warning}}\n", func(p *Policy) bool { _, set := p.Override("loose", Light); return !set }},
		"an id in capitals":             {"accepted: [{commit: " + strings.Repeat("AB", 20) + ", reason: r}]\n", func(p *Policy) bool { return p.AcceptedCommits[0].Commit == strings.Repeat("ab", 20) }},
	} {
		p, err := read(t, c.text)
		if err != nil || !c.holds(&p) {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}

func TestWhatIsNoPolicyIsRefusedAndNeverGuessed(t *testing.T) {
	for name, text := range map[string]string{
		"a list":                         "- require\n",
		"a text":                         "require all\n",
		"a tab":                          "plan:\n\tworking: x\n",
		"a number for a text of a list":  "actors: {agents: {a: b}}\n",
		"a rule with a number":           "rules: {loose: 3}\n",
		"a rule that is on":              "rules: {loose: true}\n",
		"a rule with a list":             "rules: {loose: [error]}\n",
		"a tier that is no word":         "default_tier: 3\n",
		"a key twice":                    "require: all\nrequire: none\n",
		"an anchor that nobody sets":     "waivable: *none\n",
		"bytes":                          "\x00\x01",
		"a report that no path fits":     "results: {junit: ['a[b']}\n",
		"a test that is to pass":         "results: {require: {test: passed}}\n",
		"code that is to be covered":     "results: {require: {code: covered}}\n",
		"a proof by an empty word":       "prove: {command: [make, ' ']}\n",
		"a plan in no path":              "plan: {working: ['docs/a[b.md']}\n",
		"an acceptance without a reason": "accepted: [{commit: " + strings.Repeat("a", 40) + ", reason: ' '}]\n",
		"an id that is not hexadecimal":  "accepted: [{commit: " + strings.Repeat("g", 40) + ", reason: r}]\n",
	} {
		p, err := read(t, text)
		var place *Error
		if !errors.As(err, &place) || place.Line < 1 || place.Column < 1 || place.Message == "" {
			t.Errorf("%s is read as %+v, %v", name, p, err)
		}
	}
}

// What the parser of YAML takes minutes and gigabytes for is counted first.
func TestAPolicyIsBounded(t *testing.T) {
	var anchors, documents strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&anchors, "&a%d ", i)
	}
	for range 2_000 {
		documents.WriteString("a\n---\n")
	}
	for text, want := range map[string]string{
		"rules: " + strings.Repeat("[", 50_000):          ":1:1: it has more than 100 lists and mappings in one another",
		"a: 1\nrules: " + strings.Repeat("{a: ", 10_000): ".acta.yaml:2:",
		strings.Repeat("- ", 50_000):                     "lists and mappings in one another",
		"a: [" + anchors.String()[:100_000] + "]":        "more than 1000 anchors, aliases and documents",
		documents.String():                               "more than 1000 anchors, aliases and documents",
		"a: " + strings.Repeat("<", 2_000):               "more than 1000 of one sign in a row",
		"# " + strings.Repeat("x", 128<<10):              "at most 131072 are read",
	} {
		if _, err := read(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v", text, err)
		}
	}
	paths := strings.Repeat("\"**/*.md\", \"*.go\", \"a[b]{c,d}\", ", 300)
	if _, err := read(t, "tiers: [{tier: LIGHT, paths: ["+paths+"x]}] # "+strings.Repeat("-", 500)+"\n"); err != nil {
		t.Error(err)
	}
}

func TestAPatternOfActorsIsAboutTheWholeName(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"executor-*", "executor-", true}, {"executor-*", "an executor-1", false}, {"*@agents.invalid", "a@agents.invalid", true},
		{"a.b", "axb", false}, {"a?b", "a b", true}, {"a?b", "ab", false}, {"[bot]", "b", false}, {"(x|y)", "x", false},
		{"*", "", true}, {"", "", true}, {"", "a", false}, {"Ä*", "äb", true}, {"a*", "a\nb", true},
	} {
		if got := wildcard(c.pattern).MatchString(c.name); got != c.want {
			t.Errorf("%q is about %q: %v", c.pattern, c.name, got)
		}
	}
}
