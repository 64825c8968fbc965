package judge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/policy"
)

// Example judges a rule's example: its commit as a hook would, and where others
// come after it, all of them as verify does.
func Example(ctx context.Context, r *check.Rule, release string) (*Result, error) {
	e := r.Example
	before := maps.Clone(e.Base)
	if before == nil {
		before = map[string]string{}
	}
	if e.Policy != "" {
		before[policy.Path] = e.Policy
	}
	if e.Plan != nil {
		before[policy.Default().Plan] = planFile(e.Plan)
	}
	base := memory(before)
	p, err := readPolicy(ctx, &base, release)
	if err != nil {
		return nil, err
	}
	story := &story{policy: p, cache: newCache(), owner: exampleOwners(e.Claims), runs: exampleRuns(e.Runs)}
	result := &Result{Report: diag.Report{Acta: release, Range: "staged"}}
	for _, step := range append([]check.Step{{Files: e.Files, Message: e.Message}}, e.Then...) {
		if err := story.tell(ctx, step, before, result); err != nil {
			return nil, err
		}
		before = story.files
	}
	if len(e.Then) == 0 {
		return result, nil
	}
	return result, story.regressions(ctx, result)
}

// story is the commits of an example, told one by one.
type story struct {
	policy *policy.Policy
	cache  *cache
	files  map[string]string // after the last commit
	spoken []partSaid
	deeds  []*deed
	trees  map[string]evidence.Tree
	owner  Owners
	runs   Runs
}

// exampleOwners knows the leases of an example; nil without any.
func exampleOwners(claims map[string]string) Owners {
	if len(claims) == 0 {
		return nil
	}
	return func(key string) *check.Owner {
		for _, unit := range slices.Sorted(maps.Keys(claims)) {
			if key == unit || strings.HasPrefix(key, unit+"/") {
				return &check.Owner{Unit: key, Claimed: unit, Agent: claims[unit]}
			}
		}
		return nil
	}
}

// exampleRuns knows the session of an example; nil without one.
func exampleRuns(runs []check.RecordedRun) Runs {
	if runs == nil {
		return nil
	}
	return func(context.Context, string) ([]check.RecordedRun, error) { return runs, nil }
}

// tell judges the next commit.
func (s *story) tell(ctx context.Context, step check.Step, before map[string]string, result *Result) error {
	s.files = maps.Clone(before)
	maps.Copy(s.files, step.Files)
	base, tree := memory(before), memory(s.files)
	sub := &subject{
		message: parser.Parse([]byte(step.Message)), tree: tree, base: &base, policy: s.policy,
		names: []string{"executor-01"}, cache: s.cache, owner: s.owner, runs: s.runs, earlier: s.spoken,
		changed: func(context.Context, bool) ([]string, int, error) {
			return slices.Sorted(maps.Keys(step.Files)), 1, nil
		},
	}
	out, err := sub.judge(ctx)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(step.Message))
	id := hex.EncodeToString(sum[:20])
	for _, said := range out.spoken {
		said.commit = id
		s.spoken = append(s.spoken, said)
	}
	d := &deed{id: id, message: sub.message, said: heard(out)}
	d.then = &evidence.Judge{Tree: tree, Base: &base, Cache: s.cache.Cache}
	if s.deeds = append(s.deeds, d); s.trees == nil {
		s.trees = map[string]evidence.Tree{}
	}
	s.trees[d.id] = tree
	result.Commits, result.Acts, result.Adapts = result.Commits+1, result.Acts+out.acts, result.Adapts+out.adapts
	result.Add(telling(out.findings), out.verdicts)
	return nil
}

// regressions follows what the commits claim to the last of them.
func (s *story) regressions(ctx context.Context, result *Result) error {
	last := s.deeds[len(s.deeds)-1].id
	t := &timeline{
		deeds: s.deeds, head: last,
		follower: func(_ context.Context, commit string) (*evidence.Follower, error) {
			return &evidence.Follower{Judge: &evidence.Judge{Tree: s.trees[commit], Cache: s.cache.Cache}}, nil
		},
		since: func(context.Context, string, []string) ([]string, error) { return []string{last}, nil },
		held: func(context.Context, string, []string) (policy.Tier, []parser.Waive, error) {
			return s.policy.DefaultTier, nil, nil
		},
		failed: func(_ context.Context, _ *deed, err error) error { return err },
	}
	followed, err := t.follow(ctx)
	if err != nil {
		return err
	}
	findings, _, err := check.RunRange(ctx, check.Rules(), &check.RangeInput{Policy: s.policy, Followed: followed})
	result.Add(findings, nil)
	return err
}

func planFile(items []check.Item) string {
	unit := &plan.Unit{ID: "T01", Type: plan.Atomic}
	for _, i := range items {
		unit.Checklist = append(unit.Checklist, plan.Item{Text: i.Text, Kind: string(i.Kind)})
	}
	return string(plan.Write(&plan.Unit{ID: "ROOT", Type: plan.Parent, Children: []*plan.Unit{unit}}))
}

// memory is a tree of the given files.
func memory(files map[string]string) evidence.Tree {
	return evidence.Tree{
		Stat: func(_ context.Context, path string) (evidence.Entry, error) {
			e := evidence.Entry{Path: path}
			if text, ok := files[path]; ok {
				sum := sha256.Sum256([]byte(text))
				e.Kind, e.ID, e.Mode = evidence.File, hex.EncodeToString(sum[:]), "100644"
			} else if slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(f string) bool { return strings.HasPrefix(f, path+"/") }) {
				e.Kind, e.Mode = evidence.Folder, "040000"
			}
			return e, nil
		},
		Size:  func(_ context.Context, e evidence.Entry) (int64, error) { return int64(len(files[e.Path])), nil },
		Read:  func(_ context.Context, e evidence.Entry) ([]byte, error) { return []byte(files[e.Path]), nil },
		Paths: func(context.Context) ([]string, error) { return slices.Sorted(maps.Keys(files)), nil },
	}
}

// WriteRules prints the documentation of all rules as one Markdown page.
func WriteRules(ctx context.Context, w io.Writer, rules []*check.Rule, release string) error {
	fmt.Fprint(w, "# Rules\n\nPrinted by `acta explain --format markdown`. Every output below is what the tool says of the example above it.\n")
	fmt.Fprint(w, "\n| rule | reports | STRICT | STANDARD | LIGHT | EXEMPT |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, r := range rules {
		s := r.Severity
		fmt.Fprintf(w, "| [`%s`](#%s) | %s | %s | %s | %s | %s |\n", r.ID, r.ID, r.Title, word(s.Strict), word(s.Standard), word(s.Light), word(s.Exempt))
	}
	for _, r := range rules {
		fmt.Fprintln(w)
		if err := WriteRule(ctx, w, r, release); err != nil {
			return err
		}
	}
	return nil
}

func word(s diag.Severity) string {
	if s == 0 {
		return "off"
	}
	return s.String()
}

// WriteRule prints a rule's page in Markdown: what it reports, an example, and what the tool says of it.
func WriteRule(ctx context.Context, w io.Writer, r *check.Rule, release string) error {
	result, err := Example(ctx, r, release)
	if err != nil {
		return fmt.Errorf("the example of %s: %w", r.ID, err)
	}
	s := r.Severity
	fmt.Fprintf(w, "## %s\n\n%s.\n\n%s\n\n", r.ID, upperFirst(r.Title), r.Doc)
	fmt.Fprintf(w, "Since %s. STRICT: %s, STANDARD: %s, LIGHT: %s, EXEMPT: %s.\n", r.Since, word(s.Strict), word(s.Standard), word(s.Light), word(s.Exempt))
	e := r.Example
	if e.Policy != "" {
		fence(w, "The policy, `.acta.yaml`:", e.Policy)
	}
	if e.Plan != nil {
		var items strings.Builder
		for _, i := range e.Plan {
			fmt.Fprintf(&items, "%s\n", i.Text)
		}
		fence(w, "The registered checklist of T01:", items.String())
	}
	if e.Claims != nil {
		var claims strings.Builder
		for _, unit := range slices.Sorted(maps.Keys(e.Claims)) {
			fmt.Fprintf(&claims, "%s by %s\n", unit, e.Claims[unit])
		}
		fence(w, "Leased in the repository:", claims.String())
	}
	if e.Runs != nil {
		var runs strings.Builder
		for _, r := range e.Runs {
			fmt.Fprintf(&runs, "%s, exit code %d\n", r.Command, *r.Exit)
		}
		fence(w, "Recorded in the session:", runs.String())
	}
	for _, path := range slices.Sorted(maps.Keys(e.Base)) {
		fence(w, "Before the commit, `"+path+"`:", e.Base[path])
	}
	for _, path := range slices.Sorted(maps.Keys(e.Files)) {
		fence(w, "In the commit, `"+path+"`:", e.Files[path])
	}
	fence(w, "The message:", e.Message)
	for _, step := range e.Then {
		for _, path := range slices.Sorted(maps.Keys(step.Files)) {
			fence(w, "In a later commit, `"+path+"`:", step.Files[path])
		}
		fence(w, "Its message:", step.Message)
	}
	var text strings.Builder
	if err := diag.WriteText(&text, &result.Report); err != nil {
		return err
	}
	fence(w, "What acta says:", text.String())
	return nil
}

func fence(w io.Writer, title, text string) {
	fmt.Fprintf(w, "\n%s\n\n```\n%s```\n", title, text)
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
