package judge

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// Result is the report of what was judged and, for a single commit, the anchors
// that its evidence can be given.
type Result struct {
	diag.Report
	Anchors []check.Anchor
	// Undecided are the commits of a range that could not be judged, and why.
	Undecided []error
	// Warnings say what kept a commit that claims nothing from being judged, or what could not be known of one that does.
	Warnings []string
}

// Code is the exit code that the result asks for (docs/output.md): 3 when a
// commit could not be judged, else 1 with an error among the findings, else 0.
func (r *Result) Code() int {
	switch {
	case len(r.Undecided) > 0:
		return 3
	case r.Count(diag.Error) > 0:
		return 1
	}
	return 0
}

// Refusals are the findings of severity error in words, each followed by what to do about it.
func (r *Result) Refusals() []string {
	var all []string
	for _, f := range r.Findings {
		if f.Severity != diag.Error {
			continue
		}
		line := fmt.Sprintf("%s [%s]", f.Message, f.Rule)
		if f.Path != "" {
			line = fmt.Sprintf("%s:%d: %s", f.Path, f.Line, line)
		}
		all = append(all, line)
		if f.Hint != "" {
			all = append(all, "    "+f.Hint)
		}
	}
	return all
}

// ConfigError is a policy that forbids or prevents judging: exit code 2.
type ConfigError struct{ Err error }

func (e *ConfigError) Error() string { return e.Err.Error() }
func (e *ConfigError) Unwrap() error { return e.Err }

// subject is one commit to be judged, there already or about to be made.
type subject struct {
	message *parser.Message
	tree    evidence.Tree
	// base is the snapshot before; nil for a root commit.
	base *evidence.Tree
	// work reads the work tree; nil where the commit is made from none.
	work func(ctx context.Context, path string, limit int64) ([]byte, error)
	// prefetch reads ahead what will be asked of the paths in tree; nil where that gains nothing.
	prefetch func(ctx context.Context, paths []string) error
	// changed lists the paths that differ from base, and counts changed lines where asked to.
	changed func(ctx context.Context, lines bool) (paths []string, n int, err error)
	// names are the author's name and address, and the like of co-authors.
	names []string
	merge bool
	// merged returns the snapshots of a merge's further parents.
	merged func(ctx context.Context) ([]evidence.Tree, error)
	landed bool
	// advised: what only warns about the commit has been said already.
	advised bool
	policy  *policy.Policy
	cache   *cache
	// past is the history behind the commit; nil where there is none to read.
	past *past
	// owner says who holds a unit, by its key; nil asks nothing.
	owner Owners
	// runs are the commands that were run in a session; nil asks nothing.
	runs Runs
	// unread says which runs could not be read.
	unread []string
	// earlier are the ACTs and ADAPTs before a commit that is in no repository, the oldest first.
	earlier []partSaid
	// spoken is what the parts of the message that have been judged say, in their order.
	spoken []partSaid
	// planBefore is the plan before the commit, read once.
	planBefore func() (*plan.Index, error)
}

// outcome is what judging one subject gives, part by part.
type outcome struct {
	id      repo.ID // of the commit; "" for one that is about to be made
	message *parser.Message

	findings []diag.Finding
	verdicts []diag.ClaimVerdict
	kinds    []evidence.Kind // of the items that verdicts are about
	// compares are the findings that compare the commit with its parent, compared the verdicts, by index, that rest on it.
	compares []diag.Finding
	compared map[int]bool
	anchors  []check.Anchor
	cut      []string   // the evidence that history cut by a shallow clone may belong to
	cutActs  []string   // what the same keeps from being known of ACTs
	spoken   []partSaid // what its parts say, in their order
	acts     int
	adapts   int
	// takenBack are the commits that it reverts, where it does.
	takenBack []string
	// reverted are the parts of a joined message that it takes back itself, by index.
	reverted map[int]bool
}

func (s *subject) judge(ctx context.Context) (*outcome, error) {
	out := &outcome{message: s.message, compared: map[int]bool{}}
	s.spoken = nil
	s.planBefore = sync.OnceValues(func() (*plan.Index, error) { return s.readPlanBefore(ctx) })
	if s.past != nil {
		defer s.past.asking.Wait()
	}
	s.changed = once(s.changed)
	var parts []*check.Output
	for i := range s.message.Parts {
		part := &s.message.Parts[i]
		switch part.Kind {
		case parser.Act:
			out.acts++
		case parser.Adapt:
			out.adapts++
		}
		s.askAhead(ctx, part)
		o, err := s.judgePart(ctx, part, check.Rules())
		if err != nil {
			return nil, err
		}
		s.spoken = append(s.spoken, heardOf(part, o))
		parts = append(parts, o)
	}
	if s.message.Joined {
		var found [][]diag.Finding
		for _, o := range parts {
			found = append(found, o.Findings)
		}
		out.reverted = settleParts(s.message, found)
	}
	for i, o := range parts {
		if out.reverted[i] {
			s.spoken[i].kind = parser.None
		}
		out.add(o)
	}
	out.spoken = s.spoken
	o, err := s.judgeCommit(ctx)
	if err != nil {
		return nil, err
	}
	o.Findings = slices.DeleteFunc(o.Findings, out.says)
	out.add(o)
	return out, nil
}

// says reports whether a finding of the outcome names the same place: a stub that is
// cited is no news beside that.
func (o *outcome) says(f diag.Finding) bool { return repeats(f, o.findings) }

// repeats reports whether a stub is added where a finding about a claim stands.
func repeats(f diag.Finding, findings []diag.Finding) bool {
	return f.Rule == check.StubAdded && slices.ContainsFunc(findings, func(g diag.Finding) bool {
		return g.Rule != f.Rule && g.Path == f.Path && g.Commit == f.Commit && g.Line <= f.EndLine && f.Line <= max(g.Line, g.EndLine)
	})
}

// telling leaves out warnings of added stubs beside errors of the same commit: first things first. They come back once those are mended.
func telling(findings []diag.Finding) []diag.Finding {
	refused := map[string]bool{}
	for _, f := range findings {
		refused[f.Commit] = refused[f.Commit] || f.Severity == diag.Error
	}
	return slices.DeleteFunc(findings, func(f diag.Finding) bool {
		return f.Rule == check.StubAdded && f.Severity < diag.Error && refused[f.Commit]
	})
}

// once remembers what changed, so that git is asked at most twice however many parts a message has.
func once(ask func(context.Context, bool) ([]string, int, error)) func(context.Context, bool) ([]string, int, error) {
	type answer struct {
		paths []string
		lines int
	}
	known := map[bool]answer{}
	return func(ctx context.Context, lines bool) ([]string, int, error) {
		if a, ok := known[lines]; ok {
			return a.paths, a.lines, nil
		}
		paths, n, err := ask(ctx, lines)
		if err == nil {
			known[lines] = answer{paths, n}
		}
		return paths, n, err
	}
}

func (s *subject) judgePart(ctx context.Context, part *parser.Part, rules []*check.Rule) (*check.Output, error) {
	in, err := s.input(ctx, part)
	if err != nil {
		return nil, err
	}
	if s.prefetch != nil {
		defer s.lookForRenames(ctx, cited(in.Claims))()
	}
	if in.Tier, err = s.tier(ctx, part, in.Claims); err != nil {
		return nil, err
	}
	return check.Run(ctx, rules, in)
}

func (o *outcome) add(found *check.Output) {
	for i := range found.Compared {
		o.compared[len(o.verdicts)+i] = true
	}
	o.compares = append(o.compares, found.Compares...)
	o.findings = append(o.findings, found.Findings...)
	o.verdicts = append(o.verdicts, found.Verdicts...)
	o.kinds = append(o.kinds, found.Kinds...)
	o.anchors = append(o.anchors, found.Anchors...)
	o.cut = append(o.cut, found.Cut...)
	o.cutActs = append(o.cutActs, found.CutActs...)
}

// judgeCommit asks what is asked of the commit as a whole.
func (s *subject) judgeCommit(ctx context.Context) (*check.Output, error) {
	whole := &parser.Part{}
	raised := policy.Tier(0)
	for _, p := range s.message.Parts {
		whole.Waive = append(whole.Waive, p.Waive...)
		if t, ok := policy.ParseTier(p.Tier.Value); ok && t > raised {
			raised, whole.Tier = t, p.Tier
		}
	}
	in, err := s.input(ctx, whole)
	if err != nil {
		return nil, err
	}
	in.OfCommit, in.Advised = true, s.advised
	if in.Tier, err = s.tier(ctx, whole, nil); err != nil {
		return nil, err
	}
	if len(s.policy.TierRules) > 0 {
		in.PathTier = func(ctx context.Context, path string) (policy.Tier, error) {
			changed, lines, err := s.changed(ctx, s.policy.NeedsLines())
			return max(s.policy.PathTier(path, len(changed), lines), raised), err
		}
	}
	return check.Run(ctx, check.Rules(), in)
}

// input is all that the rules may know of a part, its tier excepted.
func (s *subject) input(ctx context.Context, part *parser.Part) (*check.Input, error) {
	if s.planBefore == nil {
		s.planBefore = sync.OnceValues(func() (*plan.Index, error) { return s.readPlanBefore(ctx) })
	}
	in := &check.Input{
		Message: s.message, Part: part, Policy: s.policy, Merge: s.merge, Merged: s.merged,
		Names:        append([]string{part.Actor.Value}, s.names...),
		EvidenceOnly: len(s.message.CherryPicked) > 0,
		Judge: &evidence.Judge{
			Tree: s.tree, Base: s.base, Work: s.work, Cache: s.cache.Cache, Landed: s.landed,
			Limits: evidence.Limits{MaxLines: s.policy.MaxLines, MaxFileBytes: s.policy.MaxFileBytes},
		},
	}
	in.PlanBefore, in.Plans = s.usablePlan, s.cache.plans
	in.PlanPath = func(ctx context.Context) (string, error) { return planPath(ctx, s.tree, s.policy) }
	in.LastAct = s.lastAct
	if part.Kind == parser.Act {
		in.LastAct = s.lastActHere
	}
	if s.past != nil {
		in.Reverted, in.Reaches, in.PlanChanged = s.reverted, s.past.reaches, s.past.planChanged
		in.Judge.Past = s.past.steps(part.Unit.Value)
		in.Cited = func(ctx context.Context, e parser.Evidence) (*check.Citation, error) {
			return s.past.cited(ctx, &s.tree, part.Unit.Value, e)
		}
	}
	in.Changed = func(ctx context.Context) ([]string, error) {
		paths, _, err := s.changed(ctx, false)
		return paths, err
	}
	in.Judge.OnlyProse = onlyProse(in)
	if s.owner != nil {
		in.Owner = s.ownerOf
	}
	if s.runs != nil {
		in.Runs = func(ctx context.Context) ([]check.RecordedRun, error) { return s.runs(ctx, part.Session.Value) }
	}
	var claims []check.Claim
	if part.Kind == parser.Act {
		var err error
		claims, in.FileErrors, err = s.reported(ctx, part)
		if err != nil {
			return nil, err
		}
		if in.Registered, err = s.registered(ctx, part.Unit.Value, claims); err != nil {
			return nil, err
		}
		if claims, err = s.followed(ctx, claims); err != nil {
			return nil, err
		}
	}
	in.Claims = check.Collect(claims, in.Registered)
	if s.prefetch != nil {
		if err := s.prefetch(ctx, cited(in.Claims)); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// onlyProse tells of the commit whether it changes nothing but comments and prose. Claims are judged several at a time: the first asks.
func onlyProse(in *check.Input) func(context.Context) (bool, error) {
	var once sync.Once
	var only bool
	var err error
	return func(ctx context.Context) (bool, error) {
		once.Do(func() {
			var paths []string
			if paths, err = in.Changed(ctx); err == nil {
				only, err = in.Judge.ChangesOnlyProse(ctx, paths)
			}
		})
		return only, err
	}
}

// lookForRenames lets git look for renames while the evidence is parsed, where a
// cited file is new. The function that it returns waits for git.
func (s *subject) lookForRenames(ctx context.Context, paths []string) (wait func()) {
	if s.base == nil || s.tree.Renamed == nil {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, name := range paths {
			if e, err := s.base.Stat(ctx, name); err == nil && e.Kind == evidence.Missing {
				_, _ = s.tree.Renamed(ctx, s.base, name) // whoever asks for it gets the error
				return
			}
		}
	}()
	return func() { <-done }
}

// registered is the unit's checklist in the plan before the commit; nil where there
// is no plan or the plan has no such unit. The ADAPTs of a joined message may have
// planned the unit before it acted: there the plan after it counts where before has
// no such unit, and where the claims report all that it asks for.
func (s *subject) registered(ctx context.Context, unit string, claims []check.Claim) ([]check.Item, error) {
	if unit == "" {
		return nil, nil
	}
	before, err := s.planBefore()
	if err != nil || before == nil {
		return nil, err
	}
	u := before.Find(unit)
	if s.message.Joined {
		after, err := s.planAfter(ctx)
		if err != nil {
			return nil, err
		}
		if n := after.Find(unit); n != nil && (u == nil || plan.Reports(itemsOf(claims), n.Checklist)) {
			u = n
		}
	}
	if u == nil || len(u.Checklist) == 0 {
		return nil, nil
	}
	var items []check.Item
	for _, i := range u.Checklist {
		items = append(items, check.Item{Text: i.Text, Kind: evidence.Kind(i.Kind), Optional: i.Optional})
	}
	return items, nil
}

func itemsOf(claims []check.Claim) []plan.Item {
	var items []plan.Item
	for _, c := range claims {
		items = append(items, plan.Item{Text: c.Item.Value})
	}
	return items
}

// reported joins the claims of the message with those of the files that Report: names.
func (s *subject) reported(ctx context.Context, part *parser.Part) ([]check.Claim, []check.FileError, error) {
	var claims []check.Claim
	for _, c := range part.Claims {
		claims = append(claims, check.Claim{Claim: c})
	}
	var bad []check.FileError
	for _, at := range part.Files {
		file := path.Clean(strings.Trim(at.Value, "`"))
		data, err := readFile(ctx, s.tree, file)
		if err != nil {
			return nil, nil, err
		}
		fail := check.FileError{At: at, Path: file, Message: "it is not in the commit"}
		if data == nil {
			bad = append(bad, fail)
			continue
		}
		report, err := parser.ParseReport(file, data)
		if err != nil {
			fail.Message = err.Error()
			var located *parser.ReportError
			if errors.As(err, &located) {
				fail.Line, fail.Column, fail.Message = located.Line, located.Column, located.Message
			}
			bad = append(bad, fail)
			continue
		}
		if task := report.TaskID.Value; task != "" && !parser.SameUnit(task, part.Unit.Value) {
			fail.Message = fmt.Sprintf("its task_id is %q, and this commit is an ACT of %s", task, part.Unit.Value)
			bad = append(bad, fail)
		}
		for _, c := range report.Claims {
			claims = append(claims, check.Claim{Claim: c, File: file})
		}
		if part.Outcome.Value == "" {
			part.Outcome = report.Outcome
		}
	}
	return claims, bad, nil
}

// tier asks git for the changes only where the policy's answer can depend on them.
func (s *subject) tier(ctx context.Context, part *parser.Part, claims []check.Claim) (policy.Tier, error) {
	raised, _ := policy.ParseTier(part.Tier.Value)
	if len(s.policy.TierRules) == 0 {
		return max(s.policy.DefaultTier, raised), nil
	}
	changed, lines, err := s.changed(ctx, s.policy.NeedsLines())
	if err != nil {
		return 0, err
	}
	paths := cited(claims)
	for _, name := range paths {
		target, err := s.target(ctx, name)
		if err != nil {
			return 0, err
		}
		paths = append(paths, target)
	}
	return s.policy.Tier(changed, paths, lines, raised), nil
}

// cited lists the paths of well-formed evidence.
func cited(claims []check.Claim) []string {
	var paths []string
	for _, c := range claims {
		for _, e := range c.Evidence {
			if e.Err == "" {
				paths = append(paths, e.Path)
			}
		}
	}
	return paths
}

// target is the path that a symbolic link leads to in one step, or the path
// itself: a claim about a strict file is strict under another name too.
func (s *subject) target(ctx context.Context, name string) (string, error) {
	e, err := s.tree.Stat(ctx, name)
	if err != nil || e.Kind != evidence.Symlink {
		return name, err
	}
	to, err := s.tree.Read(ctx, e)
	return path.Join(path.Dir(name), string(to)), err
}

// readFile returns the bytes of a regular file, nil where there is none.
func readFile(ctx context.Context, t evidence.Tree, path string) ([]byte, error) {
	e, err := t.Stat(ctx, path)
	if err != nil || e.Kind != evidence.File {
		return nil, err
	}
	return t.Read(ctx, e)
}

// readPolicy reads the base's policy. A missing file, or no base, is the default policy.
func readPolicy(ctx context.Context, base *evidence.Tree, release string) (*policy.Policy, error) {
	p := policy.Default()
	if base == nil {
		return &p, nil
	}
	data, err := readFile(ctx, *base, policy.Path)
	if err != nil || data == nil {
		return &p, err
	}
	if p, err = policy.Read(data, check.IDs(), check.Waivable); err != nil {
		return nil, &ConfigError{err}
	}
	if !p.Admits(release) {
		return nil, &ConfigError{fmt.Errorf("%s: this repository asks for acta %s, and this is %s; install a release that fits", policy.Path, p.Releases, release)}
	}
	return &p, nil
}

// withoutPolicy is what is left to ask of commits that claim nothing where the policy cannot be used: whether the one
// that they bring can be read. That nothing else was asked becomes a warning. Another error than a *ConfigError stays one.
func withoutPolicy(err error, warnings *[]string) (*policy.Policy, error) {
	var config *ConfigError
	if !errors.As(err, &config) {
		return nil, err
	}
	why := config.Error() + "; nothing else was asked of what claims nothing"
	if malformed := (*policy.Error)(nil); errors.As(err, &malformed) {
		why += ", and no claim passes until a commit without one mends the file"
	}
	*warnings = append(*warnings, why)
	only := policy.Only(check.PolicyInvalid, check.IDs())
	return &only, nil
}

// snapshot adapts a tree of the repository to what evidence reads.
func snapshot(r *repo.Repo, tree repo.ID) evidence.Tree {
	s := r.Snapshot(tree)
	return evidence.Tree{
		Name: string(tree),
		Renamed: func(ctx context.Context, earlier *evidence.Tree, path string) (string, error) {
			renamed, err := r.Renames(ctx, repo.ID(earlier.Name), tree)
			return renamed[path], err
		},
		Stat: func(ctx context.Context, path string) (evidence.Entry, error) {
			e, err := s.Entry(ctx, path)
			if errors.Is(err, repo.ErrNotFound) {
				return evidence.Entry{Path: path}, nil
			}
			if err != nil {
				return evidence.Entry{}, err
			}
			return evidence.Entry{Path: path, Kind: entryKind(e.Mode), ID: string(e.ID), Mode: e.Mode}, nil
		},
		Size: func(ctx context.Context, e evidence.Entry) (int64, error) { return s.Size(ctx, repo.ID(e.ID)) },
		Read: func(ctx context.Context, e evidence.Entry) ([]byte, error) { return s.Blob(ctx, repo.ID(e.ID)) },
		Paths: func(ctx context.Context) ([]string, error) {
			return s.Paths(ctx)
		},
	}
}

// prefetch reads ahead in the trees before and after a commit.
func prefetch(r *repo.Repo, p *policy.Policy, trees ...repo.ID) func(context.Context, []string) error {
	return func(ctx context.Context, paths []string) error {
		for _, tree := range trees {
			if err := r.Snapshot(tree).Prefetch(ctx, paths, p.MaxFileBytes); err != nil {
				return err
			}
		}
		return nil
	}
}

func entryKind(mode string) evidence.EntryKind {
	switch mode {
	case "040000":
		return evidence.Folder
	case "120000":
		return evidence.Symlink
	case "160000":
		return evidence.Submodule
	}
	return evidence.File
}

// isUnborn reports whether there is no commit yet.
func isUnborn(err error) bool { return errors.Is(err, repo.ErrUnborn) }
