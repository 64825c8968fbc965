package policy

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	message "github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
	"github.com/bmatcuk/doublestar/v4"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
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
	Results   resultsEntry             `yaml:"results"`
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
	for _, step := range []func() error{
		r.scalars, r.tiers, r.overrides, func() error { return r.waivables(waivable) }, r.accepted, r.limits, r.worklog,
		r.verifiers, r.complete, r.env, r.timezone, r.notify, r.results, r.prove,
	} {
		if err := step(); err != nil {
			return Policy{}, err
		}
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

type reader struct {
	tree   *ast.File
	file   policyFile
	policy Policy
	rules  []string
}

// errorAt is an error at a YAML path such as `$.tiers[1].tier`.
func (r *reader) errorAt(path, format string, args ...any) error {
	e := &Error{Line: 1, Column: 1, Message: fmt.Sprintf(format, args...)}
	p, err := yaml.PathString(path)
	if err != nil {
		return e
	}
	if node, err := p.FilterFile(r.tree); err == nil && node != nil && node.GetToken() != nil {
		e.Line, e.Column = node.GetToken().Position.Line, node.GetToken().Position.Column
	}
	return e
}

func (r *reader) scalars() error {
	f, p := &r.file, &r.policy
	if f.Version != nil && *f.Version != 1 {
		return r.errorAt("$.version", "version %d is not known; this release reads version 1", *f.Version)
	}
	p.Releases, p.Since = f.Acta, f.Since
	if slices.ContainsFunc(constraints(f.Acta), func(c constraint) bool { return c.version == "" }) {
		return r.errorAt("$.acta", "%q does not name releases; write for example \">=0.1\"", f.Acta)
	}
	if f.Plan.Intent != "" {
		p.Intent = strings.Trim(f.Plan.Intent, "/")
	}
	for _, name := range f.Plan.Working {
		switch name = strings.Trim(name, "/"); {
		case !strings.HasSuffix(strings.ToLower(name), ".md"):
			p.Plan = name
		case !doublestar.ValidatePattern(name):
			return r.errorAt("$.plan", "%q is not a path pattern", name)
		default:
			p.Boxes = append(p.Boxes, name)
		}
	}
	p.Agents, p.ExemptActors = f.Actors.Agents, f.Actors.Exempt
	if f.Require != "" {
		p.Require = Require(f.Require)
		if !slices.Contains([]Require{RequireNone, RequireAgents, RequireAll}, p.Require) {
			return r.errorAt("$.require", "require must be none, agents or all, not %q", f.Require)
		}
	}
	if f.DefaultTier != "" {
		t, err := r.tier("$.default_tier", f.DefaultTier)
		if err != nil {
			return err
		}
		p.DefaultTier = t
	}
	return nil
}

func (r *reader) tier(path, name string) (Tier, error) {
	if t, ok := ParseTier(name); ok {
		return t, nil
	}
	return 0, r.errorAt(path, "%q is not a tier; use STRICT, STANDARD, LIGHT or EXEMPT", name)
}

func (r *reader) tiers() error {
	for i, e := range r.file.Tiers {
		at := fmt.Sprintf("$.tiers[%d]", i)
		t, err := r.tier(at+".tier", e.Tier)
		if err != nil {
			return err
		}
		for j, glob := range e.Paths {
			if !doublestar.ValidatePattern(glob) {
				return r.errorAt(fmt.Sprintf("%s.paths[%d]", at, j), "%q is not a path pattern", glob)
			}
		}
		if e.MaxFiles < 0 || e.MaxLines < 0 {
			return r.errorAt(at, "max_files and max_lines must be 0 or more")
		}
		r.policy.TierRules = append(r.policy.TierRules, TierRule{t, e.Paths, e.MaxFiles, e.MaxLines})
	}
	return nil
}

func (r *reader) overrides() error {
	r.policy.overrides = map[string]map[Tier]report.Severity{}
	for _, id := range slices.Sorted(maps.Keys(r.file.Rules)) {
		value, at := r.file.Rules[id], "$.rules."+id
		if !slices.Contains(r.rules, id) {
			return r.errorAt(at, "there is no rule %q%s; `acta explain` lists them", id, DidYouMean(id, r.rules))
		}
		byTier := map[Tier]report.Severity{}
		switch v := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				t, err := r.tier(at, name)
				if err != nil {
					return err
				}
				if byTier[t], err = r.level(at, v[name]); err != nil {
					return err
				}
			}
		default:
			l, err := r.level(at, v)
			if err != nil {
				return err
			}
			for t := range tierNames {
				byTier[t] = l
			}
		}
		r.policy.overrides[id] = byTier
	}
	return nil
}

func (r *reader) level(path string, value any) (report.Severity, error) {
	switch value {
	case "off", false: // a reader of YAML 1.1 takes a bare off for false
		return 0, nil
	case "warning":
		return report.Warning, nil
	case "error":
		return report.Error, nil
	}
	return 0, r.errorAt(path, "a rule must be off, warning or error, not %v", value)
}

func (r *reader) waivables(waivable func(string) bool) error {
	for i, id := range r.file.Waivable {
		at := fmt.Sprintf("$.waivable[%d]", i)
		if !slices.Contains(r.rules, id) {
			return r.errorAt(at, "there is no rule %q%s; `acta explain` lists them", id, DidYouMean(id, r.rules))
		}
		if !waivable(id) {
			return r.errorAt(at, "%s guards the integrity of the record and cannot be waived", id)
		}
	}
	r.policy.Waivable = r.file.Waivable
	return nil
}

func (r *reader) accepted() error {
	for i, a := range r.file.Accepted {
		at := fmt.Sprintf("$.accepted[%d]", i)
		if a.Commit == "" || strings.TrimSpace(a.Reason) == "" {
			return r.errorAt(at, "an accepted commit needs both commit and reason")
		}
		// The beginning of an id is no promise: another commit can be made to have it.
		if len(a.Commit) != 40 && len(a.Commit) != 64 || strings.Trim(strings.ToLower(a.Commit), "0123456789abcdef") != "" {
			return r.errorAt(at,
				"name an accepted commit by its full id, 40 or 64 hex digits, not %q; git rev-parse COMMIT prints it",
				a.Commit)
		}
		r.policy.AcceptedCommits = append(r.policy.AcceptedCommits, AcceptedCommit{strings.ToLower(a.Commit), a.Reason})
	}
	return nil
}

func (r *reader) limits() error {
	e := &r.file.Evidence
	return cmp.Or(atLeastOne(r, "evidence.max_lines", e.MaxLines, &r.policy.MaxLines),
		atLeastOne(r, "evidence.max_file_bytes", e.MaxFileBytes, &r.policy.MaxFileBytes))
}

// atLeastOne takes over a number that is given, which is 1 or more.
func atLeastOne[N int | int64](r *reader, key string, value, into *N) error {
	if value == nil {
		return nil
	}
	if *value < 1 {
		return r.errorAt("$."+key, "%s must be 1 or more, not %d", key[strings.LastIndexByte(key, '.')+1:], *value)
	}
	*into = *value
	return nil
}

func (r *reader) worklog() error {
	switch w := &r.file.Worklog; w.Record {
	case nil, true, "on":
	case false, "off":
		r.policy.SkipRecord = true
	default:
		return r.errorAt("$.worklog.record", "record must be on or off, not %v", w.Record)
	}
	if err := atLeastOne(r, "worklog.keep_days", r.file.Worklog.KeepDays, &r.policy.KeepDays); err != nil {
		return err
	}
	for i, pattern := range r.file.Tests {
		if strings.TrimSpace(pattern) == "" {
			return r.errorAt(fmt.Sprintf("$.tests[%d]", i),
				"a pattern of test runs must be a command or the beginning of one, and must not be empty")
		}
	}
	r.policy.Tests = r.file.Tests
	return nil
}
