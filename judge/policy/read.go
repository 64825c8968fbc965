package policy

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	message "github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// Error is a policy file that cannot be used: the place and the problem.
type Error struct {
	// Line and Column count from 1; 0 where the place is not known.
	Line, Column int
	Message      string
}

// Error begins with the place, as compilers write it.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", Path, e.Line, e.Column, e.Message)
}

// ConfigError is a configuration that forbids or prevents a command: exit code 2.
type ConfigError struct{ Err error }

// Error is the error of the cause.
func (e *ConfigError) Error() string { return e.Err.Error() }

// Unwrap is the cause.
func (e *ConfigError) Unwrap() error { return e.Err }

// policyFile is the YAML as written; docs/policy.md names every key.
type policyFile struct {
	Version *int      `yaml:"version"`
	Acta    string    `yaml:"acta"`
	Since   string    `yaml:"since"`
	Plan    planEntry `yaml:"plan"`
	Require string    `yaml:"require"`
	Actors  struct {
		Agents []string `yaml:"agents"`
		Exempt []string `yaml:"exempt"`
	} `yaml:"actors"`
	DefaultTier string           `yaml:"default_tier"`
	Tiers       []tierEntry      `yaml:"tiers"`
	Rules       map[string]any   `yaml:"rules"`
	Waivable    []string         `yaml:"waivable"`
	Accepted    []AcceptedCommit `yaml:"accepted"`
	Evidence    struct {
		MaxLines     *int   `yaml:"max_lines"`
		MaxFileBytes *int64 `yaml:"max_file_bytes"`
	} `yaml:"evidence"`
	Worklog struct {
		Record   any  `yaml:"record"`
		KeepDays *int `yaml:"keep_days"`
	} `yaml:"worklog"`
	Tests     []string                 `yaml:"tests"`
	Results   Results                  `yaml:"results"`
	Verifiers map[string]verifierEntry `yaml:"verifiers"`
	Complete  struct {
		Verifier string `yaml:"verifier"`
	} `yaml:"complete"`
	Env   []string `yaml:"env"`
	Prove Prove    `yaml:"prove"`
	Score struct {
		Timezone string         `yaml:"timezone"`
		Notify   *verifierEntry `yaml:"notify"`
	} `yaml:"score"`
}

// planEntry names the plans: patterns of Markdown files, or a mapping.
type planEntry struct {
	Intent  string   `yaml:"intent"`
	Working patterns `yaml:"working"`
}

// UnmarshalYAML reads either form.
func (e *planEntry) UnmarshalYAML(n ast.Node) error {
	if n.Type() != ast.MappingType && n.Type() != ast.MappingValueType {
		return e.Working.UnmarshalYAML(n)
	}
	type mapping planEntry
	return yaml.NodeToValue(n, (*mapping)(e), yaml.Strict())
}

// patterns are one pattern, or a list of them.
type patterns []string

// UnmarshalYAML reads either form.
func (p *patterns) UnmarshalYAML(n ast.Node) error {
	if n.Type() == ast.SequenceType {
		return yaml.NodeToValue(n, (*[]string)(p))
	}
	var one string
	err := yaml.NodeToValue(n, &one)
	*p = patterns{one}
	return err
}

type tierEntry struct {
	Tier     string   `yaml:"tier"`
	Paths    []string `yaml:"paths"`
	MaxFiles int      `yaml:"max_files"`
	MaxLines int      `yaml:"max_lines"`
}

// Read reads a policy file. rules are all rule ids; waivable reports which of them a policy may list as waivable. Any
// error is an *Error.
func Read(data []byte, rules []string, waivable func(rule string) bool) (Policy, error) {
	r := reader{policy: Default(), rules: rules}
	if line, err := message.CheckYAML(data); err != nil {
		return Policy{}, &Error{Line: line, Column: 1, Message: err.Error()}
	}
	tree, err := parser.ParseBytes(data, 0)
	if err != nil {
		return Policy{}, yamlError(err)
	}
	r.tree = tree
	if err := yaml.UnmarshalWithOptions(data, &r.file, yaml.Strict()); err != nil && !isEmpty(tree) {
		return Policy{}, yamlError(err)
	}
	if len(tree.Docs) > 1 {
		return Policy{}, &Error{Line: 1, Column: 1, Message: "more than one YAML document; write one"}
	}
	r.scalars()
	r.tiers()
	r.overrides()
	r.waivables(waivable)
	r.accepted()
	atLeastOne(&r, "evidence.max_lines", r.file.Evidence.MaxLines, &r.policy.MaxLines)
	atLeastOne(&r, "evidence.max_file_bytes", r.file.Evidence.MaxFileBytes, &r.policy.MaxFileBytes)
	r.worklog()
	r.verifiers()
	r.env()
	r.timezone()
	if n := r.file.Score.Notify; n != nil {
		r.policy.Notify = new(r.program("$.score.notify", "score.notify", *n))
	}
	r.results()
	r.prove()
	if r.err != nil {
		return Policy{}, r.err
	}
	lines := map[string]int{}
	for _, doc := range tree.Docs {
		linesOf(doc.Body, "", lines)
	}
	if len(lines) > 0 {
		r.policy.lines = lines
	}
	return r.policy, nil
}

func isEmpty(tree *ast.File) bool {
	return !slices.ContainsFunc(tree.Docs, func(d *ast.DocumentNode) bool { return d.Body != nil })
}

func yamlError(err error) error {
	if at, ok := errors.AsType[yaml.Error](err); ok && at.GetToken() != nil {
		e := &Error{Line: at.GetToken().Position.Line, Column: at.GetToken().Position.Column, Message: at.GetMessage()}
		if unknown, ok := errors.AsType[*yaml.UnknownFieldError](err); ok {
			e.Message = unknownKey(unknown.Token.Value)
		}
		return e
	}
	return &Error{Line: 1, Column: 1, Message: err.Error()}
}

// reader turns a file into a policy. err is its first error.
type reader struct {
	tree   *ast.File
	file   policyFile
	policy Policy
	rules  []string
	err    error
}

// fail notes an error at a YAML path such as `$.tiers[1].tier`, unless there was one before.
func (r *reader) fail(path, format string, args ...any) {
	if r.err != nil {
		return
	}
	e := &Error{Line: 1, Column: 1, Message: fmt.Sprintf(format, args...)}
	r.err = e
	p, err := yaml.PathString(path)
	if err != nil {
		return
	}
	if node, err := p.FilterFile(r.tree); err == nil && node != nil && node.GetToken() != nil {
		e.Line, e.Column = node.GetToken().Position.Line, node.GetToken().Position.Column
	}
}

// each fails at every entry of a list that is not valid; message has a place for the entry.
func (r *reader) each(path string, list []string, isValid func(string) bool, message string) {
	for i, entry := range list {
		if !isValid(entry) {
			r.fail(fmt.Sprintf("%s[%d]", path, i), message, entry)
		}
	}
}

func (r *reader) scalars() {
	f, p := &r.file, &r.policy
	if f.Version != nil && *f.Version != 1 {
		r.fail("$.version", "version %d is not known; this release reads version 1", *f.Version)
	}
	p.Releases, p.Since = f.Acta, f.Since
	if slices.ContainsFunc(constraints(f.Acta), func(c constraint) bool { return c.version == "" }) {
		r.fail("$.acta", "%q does not name releases; write for example \">=0.1\"", f.Acta)
	}
	if f.Plan.Intent != "" {
		p.Intent = strings.Trim(f.Plan.Intent, "/")
	}
	for _, name := range f.Plan.Working {
		switch name = strings.Trim(name, "/"); {
		case !strings.HasSuffix(strings.ToLower(name), ".md"):
			p.Plan = name
		case !doublestar.ValidatePattern(name):
			r.fail("$.plan", "%q is not a path pattern", name)
		default:
			p.Boxes = append(p.Boxes, name)
		}
	}
	p.Agents, p.ExemptActors = f.Actors.Agents, f.Actors.Exempt
	p.Require = cmp.Or(Require(f.Require), p.Require)
	if !slices.Contains([]Require{RequireNone, RequireAgents, RequireAll}, p.Require) {
		r.fail("$.require", "require must be none, agents or all, not %q", f.Require)
	}
	if f.DefaultTier != "" {
		p.DefaultTier = r.tier("$.default_tier", f.DefaultTier)
	}
}

func (r *reader) tier(path, name string) Tier {
	t, ok := ParseTier(name)
	if !ok {
		r.fail(path, "%q is not a tier; use STRICT, STANDARD, LIGHT or EXEMPT", name)
	}
	return t
}

func (r *reader) tiers() {
	for i, e := range r.file.Tiers {
		at := fmt.Sprintf("$.tiers[%d]", i)
		t := r.tier(at+".tier", e.Tier)
		r.each(at+".paths", e.Paths, doublestar.ValidatePattern, "%q is not a path pattern")
		if e.MaxFiles < 0 || e.MaxLines < 0 {
			r.fail(at, "max_files and max_lines must be 0 or more")
		}
		r.policy.TierRules = append(r.policy.TierRules, TierRule{t, e.Paths, e.MaxFiles, e.MaxLines})
	}
}

func (r *reader) overrides() {
	r.policy.overrides = map[string]map[Tier]report.Severity{}
	for _, id := range slices.Sorted(maps.Keys(r.file.Rules)) {
		at, byTier := "$.rules."+id, map[Tier]report.Severity{}
		r.rule(at, id)
		switch v := r.file.Rules[id].(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				t := r.tier(at, name)
				byTier[t] = r.level(at, v[name])
			}
		default:
			for t := range tierNames {
				byTier[t] = r.level(at, v)
			}
		}
		r.policy.overrides[id] = byTier
	}
}

func (r *reader) rule(at, id string) {
	if !slices.Contains(r.rules, id) {
		r.fail(at, "there is no rule %q%s; `acta explain` lists them", id, DidYouMean(id, r.rules))
	}
}

func (r *reader) level(path string, value any) report.Severity {
	switch value {
	case "off", false: // a reader of YAML 1.1 takes a bare off for false
		return 0
	case "warning":
		return report.Warning
	case "error":
		return report.Error
	}
	r.fail(path, "a rule must be off, warning or error, not %v", value)
	return 0
}

func (r *reader) waivables(waivable func(string) bool) {
	for i, id := range r.file.Waivable {
		at := fmt.Sprintf("$.waivable[%d]", i)
		if r.rule(at, id); !waivable(id) {
			r.fail(at, "%s guards the integrity of the record and cannot be waived", id)
		}
	}
	r.policy.Waivable = r.file.Waivable
}

func (r *reader) accepted() {
	for i, a := range r.file.Accepted {
		at := fmt.Sprintf("$.accepted[%d]", i)
		if a.Commit == "" || strings.TrimSpace(a.Reason) == "" {
			r.fail(at, "an accepted commit needs both commit and reason")
		}
		// The beginning of an id is no promise: another commit can be made to have it.
		if len(a.Commit) != 40 && len(a.Commit) != 64 || strings.Trim(strings.ToLower(a.Commit), "0123456789abcdef") != "" {
			r.fail(at, "name an accepted commit by its full id, 40 or 64 hex digits, not %q; git rev-parse COMMIT prints it",
				a.Commit)
		}
		r.policy.AcceptedCommits = append(r.policy.AcceptedCommits, AcceptedCommit{strings.ToLower(a.Commit), a.Reason})
	}
}

// atLeastOne takes over a number that is given, which is 1 or more.
func atLeastOne[N int | int64](r *reader, key string, value, into *N) {
	if value == nil {
		return
	}
	if *into = *value; *value < 1 {
		r.fail("$."+key, "%s must be 1 or more, not %d", key[strings.LastIndexByte(key, '.')+1:], *value)
	}
}

func (r *reader) worklog() {
	switch w := &r.file.Worklog; w.Record {
	case nil, true, "on":
	case false, "off":
		r.policy.SkipRecord = true
	default:
		r.fail("$.worklog.record", "record must be on or off, not %v", w.Record)
	}
	atLeastOne(r, "worklog.keep_days", r.file.Worklog.KeepDays, &r.policy.KeepDays)
	for i, pattern := range r.file.Tests {
		if strings.TrimSpace(pattern) == "" {
			r.fail(fmt.Sprintf("$.tests[%d]", i),
				"a pattern of test runs must be a command or the beginning of one, and must not be empty")
		}
	}
	r.policy.Tests = r.file.Tests
}
