package judge

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

const (
	// maxEarlier is how many ACTs before a range are looked at for claims.
	maxEarlier = 500
	// maxRecord bounds the commits that are read in search of them, those that only look like an ACT included.
	maxRecord = 4 * maxEarlier
	// maxHistory bounds how far back they are searched, in commits: git reads
	// about 75,000 messages a second.
	maxHistory = 50_000
)

// speaking are the lines by which a message may be an ACT or an ADAPT, or revert
// one; every such message has one of them.
var speaking = [...]string{`(^|[^[:alnum:]_-])(act|adapt)[[:space:]]*:`, `this reverts commit `}

// gatherer collects from a repository what claims are followed through.
type gatherer struct {
	repo   *repo.Repo
	policy *policy.Policy
	cache  *cache
	// runs are the commands that were run in a session; nil asks nothing.
	runs Runs
	// ids are the commits of the range, the oldest first, and outcomes what judging
	// them gave; those without one are judged when their claims are followed.
	ids      []repo.ID
	outcomes []*outcome
	unjudged map[repo.ID]bool // could not be judged, and that is said already

	base, head repo.Commit // base.ID is "" where there is nothing before the range
	deeds      []*deed
	changed    []string // what differs between the snapshot before the oldest deed and the last one
	followers  map[string]*evidence.Follower
	renamed    map[repo.ID]map[string]string // what newPath knows of a commit
	planPaths  map[string]string             // where the plan lies by the policy of a content id, "" for one that cannot be read
	touched    map[string]bool               // the paths that the range changes, as they were called before it
	earlier    map[string]string             // where the range finds the files of earlier claims that were renamed before it
	undecided  []error
	warnings   []string
}

// timeline gathers what the claims of the range, and of the ACTs before it, are followed through.
func (g *gatherer) timeline(ctx context.Context) (*timeline, error) {
	if g.base.ID != "" {
		if err := g.before(ctx); err != nil {
			return nil, err
		}
	}
	if err := g.within(ctx); err != nil {
		return nil, err
	}
	g.followers, g.renamed = map[string]*evidence.Follower{}, map[repo.ID]map[string]string{}
	return &timeline{
		deeds: g.deeds, base: string(g.base.ID), head: string(g.head.ID),
		concerns: g.concerns, follower: g.follower, since: g.since, held: g.held, failed: g.failed,
	}, nil
}

// before gathers the ACTs before the range, if it changes anything.
func (g *gatherer) before(ctx context.Context) error {
	changes, err := g.repo.Changes(ctx, g.base.Tree, g.head.Tree, repo.DiffOptions{Renames: true})
	if err != nil || len(changes) == 0 {
		return err
	}
	g.touched = map[string]bool{}
	for _, c := range changes {
		g.touched[c.Path] = true
		g.touched[c.OldPath] = true
	}
	if err := g.record(ctx, g.base.ID); err != nil {
		return err
	}
	g.earlier, err = g.renames(ctx, g.base.ID, g.cited())
	return err
}

// record gathers the last ACTs that tip reaches, with what else there is to know between them.
func (g *gatherer) record(ctx context.Context, tip repo.ID) error {
	search := repo.Search{Patterns: speaking[:], Most: maxRecord, Depth: maxHistory}
	if g.policy.Since != "" {
		first, err := sinceCommit(ctx, g.repo, g.policy.Since)
		if err != nil {
			return err
		}
		search.Not = append(search.Not, first.Parents...)
	}
	ids, cut, err := g.repo.Matching(ctx, tip, search)
	if err != nil {
		return err
	}
	if err := g.repo.PrefetchCommits(ctx, ids); err != nil {
		return err
	}
	acts := 0
	for _, id := range ids {
		d, err := g.deed(ctx, id, true)
		if err != nil {
			return err
		}
		if d == nil {
			continue
		}
		g.deeds = append(g.deeds, d)
		if len(d.said) > 0 {
			acts++
		}
		if acts == maxEarlier {
			cut = nil // these are enough
			break
		}
	}
	slices.Reverse(g.deeds)
	if cut != nil {
		g.warnings = append(g.warnings, fmt.Sprintf("claims of older commits are not followed: %v", cut))
	}
	return nil
}

// within adds the commits of the range.
func (g *gatherer) within(ctx context.Context) error {
	known := map[repo.ID]*outcome{}
	for _, out := range g.outcomes {
		known[out.id] = out
	}
	for _, id := range g.ids {
		d, err := g.deed(ctx, id, false)
		if err != nil {
			return err
		}
		if d == nil {
			continue
		}
		switch out := known[id]; {
		case out != nil:
			d.said, d.judge = heard(out), nil
		case g.unjudged[id]:
			d.said = nil
		}
		g.deeds = append(g.deeds, d)
	}
	return nil
}

// deed reads a commit; nil when it is of no account, or cannot be read and that has been noted.
func (g *gatherer) deed(ctx context.Context, id repo.ID, earlier bool) (*deed, error) {
	d := &deed{id: string(id), earlier: earlier, judge: g.judge}
	c, err := g.repo.Commit(ctx, d.id)
	if err != nil {
		return nil, g.failed(ctx, d, err)
	}
	if d.message, err = spoken(ctx, g.repo, c); err != nil {
		return nil, g.failed(ctx, d, err)
	}
	if d.takesBack, err = takenBack(ctx, g.repo, c, d.message); err != nil {
		return nil, g.failed(ctx, d, err)
	}
	if d.merged, err = broughtIn(ctx, g.repo, d.message); err != nil {
		return nil, g.failed(ctx, d, err)
	}
	counts := len(d.message.Reverts) > 0
	for i := range d.message.Parts {
		part := &d.message.Parts[i]
		counts = counts || part.Kind == parser.Act || part.Kind == parser.Adapt
		if part.Kind != parser.Act {
			continue
		}
		if err := d.hear(ctx, snapshot(g.repo, c.Tree), part); err != nil {
			return nil, g.failed(ctx, d, err)
		}
	}
	if !counts {
		return nil, nil
	}
	d.then = &evidence.Judge{Tree: snapshot(g.repo, c.Tree), Cache: g.cache.Cache, Limits: g.limits()}
	if len(c.Parents) > 0 {
		// One that a shallow clone left out is no base; judging the commit tells of it.
		if parent, err := g.repo.Commit(ctx, string(c.Parents[0])); err == nil {
			base := snapshot(g.repo, parent.Tree)
			d.then.Base = &base
		}
	}
	return d, nil
}

// hear adds what a part reports, report files included. What is wrong with those
// is a finding about their own commit.
func (d *deed) hear(ctx context.Context, tree evidence.Tree, part *parser.Part) error {
	sub := &subject{tree: tree}
	claims, _, err := sub.reported(ctx, part)
	for _, c := range claims {
		v := diag.ClaimVerdict{Unit: part.Unit.Value, Item: c.Item.Value, Status: string(c.Status), Evidence: c.Cited.Value}
		d.said = append(d.said, said{ClaimVerdict: v, cited: c.Evidence})
	}
	return err
}

func (g *gatherer) limits() evidence.Limits {
	return evidence.Limits{MaxLines: g.policy.MaxLines, MaxFileBytes: g.policy.MaxFileBytes}
}

// judge finds out what became of the claims of a commit when it was made.
func (g *gatherer) judge(ctx context.Context, d *deed) error {
	sub, err := landedSubject(ctx, g.repo, repo.ID(d.id), g.policy, g.cache)
	if err != nil {
		return err
	}
	out, err := sub.verdicts(ctx)
	if err != nil {
		return err
	}
	d.said, d.judge = heard(out), nil
	return nil
}

// verdicts judges the claims of a commit and asks no rules.
func (s *subject) verdicts(ctx context.Context) (*outcome, error) {
	out := &outcome{}
	for i := range s.message.Parts {
		in, err := s.input(ctx, &s.message.Parts[i])
		if err != nil {
			return nil, err
		}
		o, err := check.Run(ctx, nil, in)
		if err != nil {
			return nil, err
		}
		out.verdicts = append(out.verdicts, o.Verdicts...)
		out.kinds = append(out.kinds, o.Kinds...)
	}
	return out, nil
}

// concerns reports whether the range changes what an earlier claim cites.
func (g *gatherer) concerns(e parser.Evidence) bool {
	return g.touched == nil || g.touched[e.Path] || g.earlier[e.Path] != "" && g.touched[g.earlier[e.Path]]
}

// renames tells where files went that a commit does not have, since the oldest deed.
func (g *gatherer) renames(ctx context.Context, at repo.ID, paths []string) (map[string]string, error) {
	if len(g.deeds) == 0 {
		return map[string]string{}, nil
	}
	slices.Sort(paths)
	return g.repo.RenamedTo(ctx, repo.ID(g.deeds[0].id), at, slices.Compact(paths))
}

// cited lists the paths that the claims of all deeds cite.
func (g *gatherer) cited() []string {
	var paths []string
	for _, d := range g.deeds {
		for _, s := range d.said {
			for _, e := range s.cited {
				if e.Err == "" {
					paths = append(paths, e.Path)
				}
			}
		}
	}
	return paths
}

// follower follows claims to the snapshot of a commit.
func (g *gatherer) follower(ctx context.Context, commit string) (*evidence.Follower, error) {
	if f := g.followers[commit]; f != nil {
		return f, nil
	}
	c, err := g.repo.Commit(ctx, commit)
	if err != nil {
		return nil, err
	}
	f := &evidence.Follower{
		Judge:   &evidence.Judge{Tree: snapshot(g.repo, c.Tree), Cache: g.cache.Cache, Limits: g.limits()},
		Renamed: func(ctx context.Context, path string) (string, error) { return g.newPath(ctx, c.ID, path) },
		Changed: g.changes,
	}
	g.followers[commit] = f
	return f, nil
}

// newPath tells where the file of a path stands in a commit that does not have it any more.
func (g *gatherer) newPath(ctx context.Context, at repo.ID, path string) (string, error) {
	if g.renamed[at] == nil {
		found, err := g.renames(ctx, at, append(g.cited(), path))
		if err != nil {
			return "", err
		}
		g.renamed[at] = found
	}
	return g.renamed[at][path], nil
}

// changes lists the paths that differ between the oldest deed and the end of the range.
func (g *gatherer) changes(ctx context.Context) ([]string, error) {
	if g.changed != nil || len(g.deeds) == 0 {
		return g.changed, nil
	}
	oldest, err := g.repo.Commit(ctx, g.deeds[0].id)
	if err != nil {
		return nil, err
	}
	all, err := g.repo.Changes(ctx, oldest.Tree, g.head.Tree, repo.DiffOptions{})
	if err != nil {
		return nil, err
	}
	g.changed = []string{}
	for _, c := range all {
		if c.NewMode != "" {
			g.changed = append(g.changed, c.Path)
		}
	}
	return g.changed, nil
}

// since lists the commits of the range that come after a commit and change one of the paths.
func (g *gatherer) since(ctx context.Context, commit string, paths []string) ([]string, error) {
	if len(g.ids) == 0 {
		return nil, nil
	}
	for _, p := range paths {
		if to := g.renamed[g.head.ID][p]; to != "" {
			paths = append(paths, to)
		}
	}
	found, err := g.repo.Touching(ctx, repo.ID(commit), g.head.ID, paths)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, id := range found {
		if slices.Contains(g.ids, id) {
			out = append(out, string(id))
		}
	}
	return out, nil
}

// held is how strictly paths are held in a commit, and what its message waives.
func (g *gatherer) held(ctx context.Context, commit string, paths []string) (policy.Tier, []parser.Waive, error) {
	c, err := g.repo.Commit(ctx, commit)
	if err != nil {
		return 0, nil, err
	}
	message, err := spoken(ctx, g.repo, c)
	if err != nil {
		return 0, nil, err
	}
	var waive []parser.Waive
	for _, part := range message.Parts {
		waive = append(waive, part.Waive...)
	}
	if len(g.policy.TierRules) == 0 {
		return g.policy.DefaultTier, waive, nil
	}
	before := repo.ID("")
	if len(c.Parents) > 0 {
		parent, err := g.repo.Commit(ctx, string(c.Parents[0]))
		if err != nil {
			return 0, nil, err
		}
		before = parent.Tree
	}
	changed, lines, err := changes(ctx, g.repo, before, c.Tree, g.policy.NeedsLines())
	if err != nil {
		return 0, nil, err
	}
	tier := policy.Tier(0)
	for _, path := range paths {
		tier = max(tier, g.policy.PathTier(path, len(changed), lines))
	}
	return tier, waive, nil
}

// failed notes what kept the claims of a commit from being followed. Of a commit
// before the range, or one that a shallow clone has only a part of, it is a
// warning; else it leaves the answer undecided.
func (g *gatherer) failed(ctx context.Context, d *deed, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	why := fmt.Errorf("the claims of commit %.12s could not be followed: %w", d.id, err)
	if d.earlier && g.base.ID != "" || errors.Is(err, repo.ErrShallow) {
		g.warnings = append(g.warnings, why.Error())
	} else {
		g.undecided = append(g.undecided, why)
	}
	return nil
}

// regressions follows the claims of a range, and of the ACTs before it, to its
// end and finds what does not hold any more.
func regressions(ctx context.Context, g *gatherer, base, head string) (*diag.ShardRange, error) {
	followed, err := g.follow(ctx, base, head)
	if err != nil {
		return nil, err
	}
	in := &check.RangeInput{Policy: g.policy, Followed: followed, Steps: g.steps(ctx)}
	after := snapshot(g.repo, g.head.Tree)
	in.After = &after
	if g.base.ID != "" {
		before := snapshot(g.repo, g.base.Tree)
		in.Before = &before
		g.askPlan(in)
	}
	findings, cut, err := check.RunRange(ctx, check.Rules(), in)
	if err != nil {
		return nil, err
	}
	for i := range findings {
		if a := acceptance(repo.ID(findings[i].Commit), g.policy.Accepted); a != nil && check.Waivable(findings[i].Rule) {
			findings[i].Severity, findings[i].Hint = diag.Note, "accepted by the policy: "+a.Reason+"; "+findings[i].Hint
		}
	}
	// Readers get [] and never null.
	whole := &diag.ShardRange{Findings: append([]diag.Finding{}, findings...), Warnings: append([]string{}, g.warnings...), Undecided: append([]string{}, cut...)}
	for _, err := range g.undecided {
		whole.Undecided = append(whole.Undecided, err.Error())
	}
	return whole, nil
}

// steps are the commits of the range with what stands behind them.
func (g *gatherer) steps(ctx context.Context) iter.Seq2[check.RangeStep, error] {
	return func(yield func(check.RangeStep, error) bool) {
		for _, id := range g.ids {
			c, err := g.repo.Commit(ctx, string(id))
			step := check.RangeStep{Commit: string(id), Tree: snapshot(g.repo, c.Tree)}
			if err == nil {
				step.Parents, err = trees(ctx, g.repo, c.Parents)
			}
			if !yield(step, err) || err != nil {
				return
			}
		}
	}
}

// follow gathers and follows the claims of base..head.
func (g *gatherer) follow(ctx context.Context, base, head string) ([]check.Followed, error) {
	var err error
	if g.head, err = g.repo.Commit(ctx, head); err != nil {
		return nil, err
	}
	if base != "" {
		id, err := g.repo.MergeBase(ctx, base, head)
		switch {
		case errors.Is(err, repo.ErrNotFound): // unrelated histories: nothing stands before the range
		case err != nil:
			return nil, err
		default:
			if g.base, err = g.repo.Commit(ctx, string(id)); err != nil {
				return nil, err
			}
		}
	}
	t, err := g.timeline(ctx)
	if err != nil {
		return nil, err
	}
	return t.follow(ctx)
}
