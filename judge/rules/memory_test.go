package rules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
	"github.com/acta-git/acta/report/results"
)

// files is a snapshot in memory: what stands at each path. A value that begins with linkTo is a symbolic link.
type files map[string]string

const (
	linkTo = "-> "
	gone   = "\x00gone" // in what a commit writes: it removes the file
)

func (f files) tree() evidence.Tree { return evidence.Tree{Files: f} }

func (f files) Stat(_ context.Context, name string) (evidence.Entry, error) {
	e := evidence.Entry{Path: name}
	content, ok := f[name]
	switch {
	case ok && strings.HasPrefix(content, linkTo):
		e.Kind, e.ID, e.Mode = evidence.Symlink, content, "120000"
	case ok:
		e.Kind, e.ID, e.Mode = evidence.File, content, "100644"
	default:
		for _, below := range slices.Sorted(maps.Keys(f)) {
			if strings.HasPrefix(below, name+"/") {
				e.Kind, e.Mode, e.ID = evidence.Folder, "040000", e.ID+below+f[below]
			}
		}
	}
	return e, nil
}

func (f files) Size(_ context.Context, e evidence.Entry) (int64, error) { return int64(len(e.ID)), nil }

func (f files) Read(_ context.Context, e evidence.Entry) ([]byte, error) {
	return []byte(strings.TrimPrefix(e.ID, linkTo)), nil
}

func (f files) Paths(context.Context) ([]string, error) { return slices.Sorted(maps.Keys(f)), nil }

func (files) Renamed(context.Context, *evidence.Tree, string) (string, error) { return "", nil }

// over is what stands where f is written over other files.
func (f files) over(base files) files {
	all := maps.Clone(base)
	if all == nil {
		all = files{}
	}
	maps.Copy(all, f)
	maps.DeleteFunc(all, func(_, content string) bool { return content == gone })
	return all
}

// changes lists the paths that two snapshots differ in.
func changes(before, after files) []string {
	all := maps.Clone(after)
	maps.Copy(all, before)
	for path := range all {
		was, had := before[path]
		if is, has := after[path]; had == has && was == is {
			delete(all, path)
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// commit is a commit in memory that a test asks the rules about, and what they may ask of its repository.
type commit struct {
	message string
	// base are the files before, nil for a root commit; files are those that it writes.
	base, files files
	policy      string
	tier        policy.Tier // Standard unless given
	// merged are the snapshots of further parents, reverted the commits that the message takes back.
	merged   []files
	reverted []RevertedCommit
	// acts are the last ACTs, by unit; cited the earlier claims of other units, by place; planned is the snapshot of the
	// plan's last change; reaches are the commits that are in the history.
	acts    map[string]plan.Act
	cited   map[string]Citation
	planned files
	reaches []string
	// tiers are the tiers of paths that are held otherwise than the commit.
	tiers map[string]policy.Tier
	// owners are who holds units; nil asks nothing. runs are what was recorded.
	owners map[string]string
	runs   []RecordedRun
	// reports are those of results, by what they are given for.
	reports map[string]string
	// unreadable are the report files that could not be read; authors are whose commit it is.
	unreadable []FileError
	authors    []string
	// advised: only what may refuse is asked of the commit. fails: every answer of the repository is an error.
	advised, fails bool
	// fault lets a single answer be an error.
	fault *fault
	// account is what became of tests and gates; in is the range that the commit is judged in.
	account *weaker.Account
	in      RangeContext
}

// answers are those of a commit's repository.
type answers struct {
	*commit
	policy *policy.Policy
	before *evidence.Tree
	tree   evidence.Tree
}

var errNoAnswer = errors.New("git does not answer")

func (a answers) err() error {
	if a.fails {
		return errNoAnswer
	}
	return a.fault.err()
}

func (a answers) Changed(context.Context) ([]string, error) {
	return changes(a.base, a.files.over(a.base)), a.err()
}

func (a answers) Merged(context.Context) (all []evidence.Tree, err error) {
	for _, f := range a.merged {
		all = append(all, a.fault.over(f.tree()))
	}
	return all, a.err()
}

func (a answers) Tests(ctx context.Context) (*weaker.Account, error) {
	if a.account != nil || a.fails {
		return a.account, a.err()
	}
	return weaker.Compare(ctx,
		weaker.Change{Before: a.before, After: &a.tree, Paths: changes(a.base, a.files.over(a.base))})
}

func (a answers) AddsNoStub(context.Context) (bool, error) { return false, nil }

func (a answers) RevertedCommits(context.Context) ([]RevertedCommit, error) {
	return a.reverted, a.err()
}

func (a answers) PathTier(_ context.Context, path string) (policy.Tier, error) {
	return cmp.Or(a.tiers[path], a.tier, policy.Standard), a.err()
}

func (a answers) PlanPath(ctx context.Context) (string, error) {
	next, err := readPolicyOf(ctx, a.tree)
	return next.Plan, cmp.Or(err, a.err())
}

func (a answers) PlanBefore(ctx context.Context) (*plan.Index, error) {
	text, ok := a.base[a.policy.Plan]
	root, err := plan.Read([]byte(text))
	if !ok || err != nil {
		return nil, a.err()
	}
	return plan.NewIndex(root), a.err()
}

func (a answers) LastPlanChange(context.Context) (*evidence.Tree, error) {
	if a.planned == nil {
		return nil, a.err()
	}
	tree := a.planned.tree()
	return &tree, a.err()
}

func (a answers) LastAct(_ context.Context, key string) (plan.Act, error) {
	return a.acts[key], a.err()
}

func (a answers) EarlierCitation(_ context.Context, e parser.Evidence) (*Citation, error) {
	if c, ok := a.cited[e.Place()]; ok {
		return &c, a.err()
	}
	return nil, a.err()
}

func (a answers) HasAncestor(_ context.Context, _, earlier string) bool {
	return slices.Contains(a.reaches, earlier)
}

func (a answers) Owner(_ context.Context, unit string) (*Owner, error) {
	for held := unit; held != "."; held = path.Dir(held) {
		if agent, ok := a.owners[held]; ok {
			return &Owner{Unit: unit, LeasedUnit: held, Agent: agent}, a.err()
		}
	}
	return nil, a.err()
}

func (a answers) Runs(context.Context) ([]RecordedRun, error) { return a.runs, a.err() }

func (a answers) Proofs(context.Context) (all []report.Proof, err error) {
	for _, r := range a.runs {
		if r.Proof != nil {
			all = append(all, *r.Proof)
		}
	}
	return all, a.err()
}

// Since knows of a run's tree by its name: «now» is the commit's, any other one has the files that it is called.
func (a answers) CompareRun(_ context.Context, r *RecordedRun) (bool, []string, error) {
	if r.Trees[0] == "now" {
		return false, nil, a.err()
	}
	return true, strings.Fields(r.Trees[0]), a.err()
}

// readPolicyOf is the policy of a snapshot, the built-in one where there is none that can be read.
func readPolicyOf(ctx context.Context, t evidence.Tree) (policy.Policy, error) {
	e, err := t.Stat(ctx, policy.Path)
	if err != nil || e.Kind != evidence.File {
		return policy.Default(), err
	}
	data, err := t.Read(ctx, e)
	if err != nil {
		return policy.Default(), err
	}
	p, bad := policy.Read(data, IDs(), IsWaivable)
	if bad != nil {
		p = policy.Default()
	}
	return p, nil
}

// ask runs the rules over each part of the commit's message, and over the commit.
func (c commit) ask(t *testing.T, rules []*Rule) (*Output, error) {
	t.Helper()
	a := answers{commit: &c, tree: c.fault.over(c.files.over(c.base).tree())}
	pol := policy.Default()
	if c.policy != "" {
		var err error
		if pol, err = policy.Read([]byte(c.policy), IDs(), IsWaivable); err != nil {
			t.Fatal(err)
		}
	}
	a.policy = &pol
	if c.base != nil {
		tree := c.fault.over(c.base.tree())
		a.before = &tree
	}
	message := parser.Parse([]byte(c.message))
	whole := &parser.Part{}
	all := &Output{}
	for _, part := range message.Parts {
		whole.Waivers = append(whole.Waivers, part.Waivers...)
		in := a.input(message, part)
		if c.reports != nil {
			var err error
			if in.Results, err = a.results(t); err != nil {
				return nil, err
			}
		}
		out, err := Run(t.Context(), rules, in)
		if err != nil {
			return nil, err
		}
		all.Add(out)
	}
	in := a.input(message, whole)
	in.IsWholeCommit, in.SkipAdvice = true, c.advised
	out, err := Run(t.Context(), rules, in)
	if err == nil {
		all.Add(out)
	}
	return all, err
}

// results are what the reports say.
func (a answers) results(t *testing.T) (*Results, error) {
	t.Helper()
	set := &results.Set{}
	for _, kind := range slices.Sorted(maps.Keys(a.reports)) {
		if err := set.Add(results.Kind(kind), kind, []byte(a.reports[kind])); err != nil {
			t.Fatal(err)
		}
	}
	return NewResults(t.Context(), set, &a.tree)
}

// input is what is known of a part of the message.
func (a answers) input(message *parser.Message, part *parser.Part) *Input {
	in := &Input{
		Message: message, Part: part, Policy: a.policy, Tier: cmp.Or(a.tier,
			policy.Standard), Source: a, HasRuns: a.runs != nil,
		Authors: append([]string{part.Actor.Value}, a.authors...), IsMerge: len(a.merged) > 0,
		Judge: &evidence.Judge{
			Tree: a.tree, Base: a.before, Cache: evidence.NewCache(),
			Limits: evidence.Limits{MaxLines: a.policy.MaxLines, MaxFileBytes: a.policy.MaxFileBytes},
		},
	}
	in.Range = a.in
	if part.Kind != parser.Act {
		return in
	}
	in.FileErrors = a.unreadable
	if root, err := plan.Read([]byte(a.base[a.policy.Plan])); err == nil {
		if unit := plan.NewIndex(root).Find(part.Unit.Value); unit != nil {
			in.Registered = unit.Checklist
		}
	}
	var claims []Claim
	for _, c := range part.Claims {
		claims = append(claims, Claim{Claim: c})
	}
	for _, at := range part.Files {
		report, err := parser.ParseReport(at.Value, []byte(a.files[at.Value]))
		if a.unreadable != nil {
			break
		}
		if err != nil {
			in.FileErrors = append(in.FileErrors, FileError{At: at, ReportError: parser.ReportError{Path: at.Value, Message: err.Error()}})
			continue
		}
		for _, c := range report.Claims {
			claims = append(claims, Claim{Claim: c, File: at.Value})
		}
	}
	in.Claims = Collect(claims, in.Registered)
	return in
}

// row is a commit, and what a rule finds of it: «error src/a.py:3», the path being «message» for the commit's own.
type row struct {
	name string
	commit
	want []string
	// says stands in the message or the hint of each finding.
	says string
}

// testRule asks all rules about the commits, and holds what one of them finds to the rows. A rule without a row that
// it finds something of, or without one of which it finds nothing, is not tested.
func testRule(t *testing.T, id string, rows []row) {
	t.Helper()
	fires, silent := false, false
	for _, r := range rows {
		fires, silent = fires || len(r.want) > 0, silent || len(r.want) == 0
		t.Run(id+"/"+r.name, func(t *testing.T) {
			out, err := r.ask(t, Rules())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range out.Findings {
				if f.Rule != id {
					continue
				}
				got = append(got, fmt.Sprintf("%v %s:%d", f.Severity, cmp.Or(f.Path, "message"), f.Line))
				if !strings.Contains(f.Message+"\n"+f.Hint, r.says) {
					t.Errorf("%q and %q do not say %q", f.Message, f.Hint, r.says)
				}
			}
			if !slices.Equal(got, r.want) {
				t.Errorf("found %q, want %q; all: %s", got, r.want, listed(out.Findings))
			}
			r.missing(t, out)
		})
	}
	if !fires || !silent {
		t.Errorf("the rows of %s do not show both what it finds and what it does not", id)
	}
}

// listed is what was found, a finding a line.
func listed(all []report.Finding) string {
	var lines []string
	for _, f := range all {
		lines = append(
			lines, fmt.Sprintf("\n\t%v %s:%d: %s [%s] (%s)", f.Severity, f.Path, f.Line, f.Message, f.Rule, f.Hint),
		)
	}
	return strings.Join(lines, "")
}

// one is the finding of a rule, at the severity and place that are given.
func one(found string) []string { return []string{found} }
