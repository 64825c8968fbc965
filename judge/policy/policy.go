// Package policy reads .acta.yaml: bytes in, a Policy out. Every key is optional. An unknown key is an error with line
// and column, so that a misspelled rule is never taken for a configured one.
//
// The caller decides from which revision the bytes come: always from the base, never from what is being judged. The
// package must never import repo or judge.
package policy

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/acta-git/acta/report"
	"golang.org/x/mod/semver"
	"golang.org/x/text/unicode/norm"
)

// Path is where a policy lives, at the top of the repository.
const Path = ".acta.yaml"

// Policy is a policy file, with defaults for missing keys.
type Policy struct {
	// Releases is which releases may judge, as written («>=0.1»); "" is all.
	Releases string
	// Since is a commit; commits before it are not judged. "" judges all.
	Since string
	// Intent is the folder of requests, Plan the file of the working plan.
	Intent, Plan string
	// Boxes are patterns of the Markdown files whose boxes are tasks.
	Boxes []string
	// Require says which commits must be ACT, ADAPT or For.
	Require Require
	// Agents and ExemptActors are patterns in which only * and ? are special.
	Agents, ExemptActors []string
	DefaultTier          Tier
	TierRules            []TierRule
	// Waivable lists the rules that a Waive trailer may turn into a warning.
	Waivable []string
	// AcceptedCommits is history with findings that cannot be rewritten.
	AcceptedCommits []AcceptedCommit
	// MaxLines is the widest span judged without evidence_too_wide, MaxFileBytes the largest file that is parsed.
	MaxLines     int
	MaxFileBytes int64
	// SkipRecord: sessions record nothing.
	SkipRecord bool
	// KeepDays is for how many days the summaries of sessions are kept.
	KeepDays int
	// Tests are the commands that run tests; nil for the usual runners.
	Tests []string
	// Verifiers are the programs that judge tasks of HEARTBEAT.md, by name.
	Verifiers map[string]Verifier
	// CompleteVerifier names the verifier that a task must pass to be completed, "" for none.
	CompleteVerifier string
	// Env names the variables that programs of the policy get, besides PATH, HOME, LANG and TZ.
	Env []string
	// Timezone is where the days of scores and attempts begin and end.
	Timezone *time.Location
	// Notify reports a lockdown to the operator; nil for no report.
	Notify *Verifier

	// Prove says which claims need a proof, and by which command.
	Prove Prove
	// Results names the test and coverage reports that are compared with claims.
	Results Results

	overrides map[string]map[Tier]report.Severity
	lines     map[string]int // of each key in the file
}

// Switches turn parts of the record off, or on. Flags and ACTA_* variables set them, and first the policy; a set switch
// is never reset.
type Switches struct {
	// NoWorklog records no operations.
	NoWorklog bool `json:"no_worklog,omitempty"`
	// SkipVerify verifies no changes of status.
	SkipVerify bool `json:"skip_verify,omitempty"`
	// NoCheckpoints makes no checkpoints.
	NoCheckpoints bool `json:"no_checkpoints,omitempty"`
	// VerboseLog records whole results of tools, secrets masked.
	VerboseLog bool `json:"verbose_log,omitempty"`
}

// Or joins two sets of switches.
func (s Switches) Or(o Switches) Switches {
	return Switches{
		NoWorklog: s.NoWorklog || o.NoWorklog, SkipVerify: s.SkipVerify || o.SkipVerify,
		NoCheckpoints: s.NoCheckpoints || o.NoCheckpoints, VerboseLog: s.VerboseLog || o.VerboseLog,
	}
}

// Require says which commits must name their unit.
type Require string

// The commits that must name their unit: none, those of agents, or all.
const (
	RequireNone   Require = "none"
	RequireAgents Require = "agents"
	RequireAll    Require = "all"
)

// AcceptedCommit is a landed commit whose findings are accepted, and why.
type AcceptedCommit struct {
	Commit string `yaml:"commit"`
	Reason string `yaml:"reason"`
}

// Default is the policy of a repository without a policy file.
func Default() Policy {
	return Policy{
		Intent:       "user_intent",
		Plan:         "working_plan/current.json",
		Require:      RequireNone,
		DefaultTier:  Standard,
		MaxLines:     400,
		MaxFileBytes: 2 << 20,
		KeepDays:     90,
		Timezone:     time.UTC,
	}
}

// Override returns the severity that the policy gives the rule in the tier, 0 for off; false if it sets none.
func (p *Policy) Override(rule string, tier Tier) (report.Severity, bool) {
	s, ok := p.overrides[rule][tier]
	return s, ok
}

// LevelName is a severity as policies write it.
func LevelName(s report.Severity) string {
	if s == 0 {
		return "off"
	}
	return s.String()
}

// OnlyRule is the built-in policy with every rule off but one.
func OnlyRule(rule string, rules []string) Policy {
	p := Default()
	p.overrides = map[string]map[Tier]report.Severity{}
	for _, id := range rules {
		if id != rule {
			p.overrides[id] = map[Tier]report.Severity{Exempt: 0, Light: 0, Standard: 0, Strict: 0}
		}
	}
	return p
}

// CanWaive reports whether the policy lets a Waive trailer turn the rule into a warning.
func (p *Policy) CanWaive(rule string) bool { return slices.Contains(p.Waivable, rule) }

func anyMatch(patterns, names []string) bool {
	for _, pattern := range patterns {
		re := wildcard(pattern)
		if slices.ContainsFunc(names, re.MatchString) {
			return true
		}
	}
	return false
}

// wildcard turns a pattern in which only * and ? are special into an expression
// over the whole name; case does not matter, as it does not in addresses.
func wildcard(pattern string) *regexp.Regexp {
	quoted := regexp.QuoteMeta(pattern)
	quoted = strings.ReplaceAll(quoted, `\*`, `.*`)
	quoted = strings.ReplaceAll(quoted, `\?`, `.`)
	return regexp.MustCompile(`(?is)^` + quoted + `$`)
}

// Admits reports whether the policy lets a release («0.1.0») judge.
func (p *Policy) Admits(release string) bool {
	for _, c := range constraints(p.Releases) {
		order := semver.Compare("v"+strings.TrimPrefix(release, "v"), c.version)
		if !strings.Contains(c.operator, [...]string{"<", "=", ">"}[order+1]) {
			return false
		}
	}
	return true
}

type constraint struct{ operator, version string }

// constraints splits «>=0.1, <2»; a constraint that cannot be read has version "".
func constraints(s string) []constraint {
	var out []constraint
	for field := range strings.SplitSeq(s, ",") {
		field = strings.TrimSpace(field)
		if field == "" {
			continue
		}
		version := strings.TrimLeft(field, "<>=")
		c := constraint{operator: cmp.Or(strings.TrimSuffix(field, version), "=")}
		isKnown := slices.Contains([]string{">=", "<=", ">", "<", "="}, c.operator)
		if v := "v" + strings.TrimPrefix(strings.TrimSpace(version), "v"); isKnown && semver.IsValid(v) {
			c.version = v
		}
		out = append(out, c)
	}
	return out
}

// IsAgent reports whether a name or address matches the policy's agents.
func (p *Policy) IsAgent(name string) bool {
	return anyMatch(p.Agents, []string{name, PlainName(name)})
}

// MaxName is the longest name of an actor, in bytes.
const MaxName = 256

// PlainName is a name as a reader sees it: no characters without a width, no white space around it, one form of each
// letter.
func PlainName(name string) string {
	return strings.Join(strings.Fields(strings.Map(func(c rune) rune {
		if unicode.In(c, unicode.Cf, unicode.Cc, unicode.Mn) && !unicode.IsSpace(c) {
			return -1
		}
		return c
	}, norm.NFKC.String(name))), " ")
}

// SameName reports whether two names are one actor's.
func SameName(a, b string) bool { return strings.EqualFold(PlainName(a), PlainName(b)) }
