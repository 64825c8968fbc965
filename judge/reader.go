package judge

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

const (
	// maxEarlier is how many ACTs before a range are looked at for claims.
	maxEarlier = 500
	// maxRecord limits the commits that are read to find them, since some only look like an ACT.
	maxRecord = 4 * maxEarlier
)

// Reader reads the commits whose claims are followed: those of a range, and the ACTs before it.
type Reader struct {
	*span
	// judged are the outcomes of commits that were judged already, nil for one that could not be; the others are judged
	// when their claims are followed.
	judged map[repo.ID]*outcome

	commits      []*landedCommit
	trailPaths   []string // between the tree before the oldest commit and the last tree
	followers    map[string]*evidence.Follower
	newNames     map[repo.ID]map[string]string // new paths of files, by commit
	reports      lastReports                   // of all items, by the number of the commit
	changedPaths map[string]bool               // the paths that the range changes, as they were called before it
	earlierNames map[string]string             // new paths of files that were renamed before the range

	// Undecided says what could not be followed; Warnings say what was left out.
	Undecided, Warnings []string
}

func (s *span) newReader() *Reader { return &Reader{span: s, judged: map[repo.ID]*outcome{}} }

// findReverts marks the commits that later ones take back, if there are claims. A commit that was taken back itself
// takes nothing back.
func (g *Reader) findReverts(ctx context.Context) error {
	if !slices.ContainsFunc(g.commits, func(d *landedCommit) bool { return len(d.items) > 0 }) {
		return nil
	}
	end, err := g.End(ctx, string(g.head.ID), g.policy)
	if err != nil {
		return err
	}
	hasKind := func(p *parser.Part) bool { return p.Kind != parser.None }
	first := slices.IndexFunc(g.commits, func(d *landedCommit) bool { // before it there is nothing to take back
		return len(d.items)+len(d.untickedBoxes) > 0 || slices.ContainsFunc(d.message.Parts, hasKind)
	})
	for i, d := range slices.Backward(g.commits) {
		isNamed := RevertMatcher(d.message)
		if i <= first || d.isReverted || isNamed == nil {
			continue
		}
		reverted, err := end.TakenBack(ctx, d.message)
		isTitled := len(d.message.Reverts) == 0
		for _, o := range g.commits[:i] {
			switch {
			case slices.Contains(reverted, repo.ID(o.id)):
				o.isReverted = true
			case err == nil && isTitled && !o.isReverted && isNamed(o.id, o.message):
				o.isReverted, err = end.IsTakenBack(ctx, o.id)
			}
		}
		if err != nil {
			g.commits[i] = nil
			if err := g.noteUnfollowed(ctx, d, err); err != nil {
				return err
			}
		}
	}
	g.commits = slices.DeleteFunc(g.commits, func(d *landedCommit) bool { return d == nil })
	return nil
}

// readEarlier gathers the ACTs before the range, if it changes anything.
func (g *Reader) readEarlier(ctx context.Context) error {
	if g.base.ID == "" {
		return nil
	}
	changes, err := g.repo.Changes(ctx, g.base.Tree, g.head.Tree, repo.DiffOptions{Renames: true})
	if err != nil || len(changes) == 0 {
		return err
	}
	g.changedPaths = map[string]bool{}
	for _, c := range changes {
		g.changedPaths[c.Path] = true
		g.changedPaths[c.OldPath] = true
	}
	if err := g.readRecord(ctx, g.base.ID); err != nil {
		return err
	}
	g.earlierNames, err = g.renames(ctx, g.base.ID, g.citedPaths())
	return err
}

// isOfRecord reports whether a message may hold the title of an ACT or ADAPT, or name a reverted commit.
func isOfRecord(message []byte) bool {
	return MayAct(message) || mayHaveTitle(message, "adapt") || bytes.Contains(message, []byte(revertText))
}

// readRecord reads the last ACTs that tip reaches, and the ADAPTs, reverts and ticks between them.
func (g *Reader) readRecord(ctx context.Context, tip repo.ID) error {
	log, err := g.Behind([]repo.ID{tip}, g.policy).log(ctx)
	if err != nil {
		return fmt.Errorf("looking for earlier claims: %w", err)
	}
	ids, err := log.Where(ctx, snapshot.BoxGlobs(g.policy), isOfRecord)
	if err != nil {
		return fmt.Errorf("looking for earlier claims: %w", err)
	}
	cut := log.End
	ids = ids[:min(len(ids), maxRecord)]
	if err := g.repo.PrefetchCommits(ctx, ids); err != nil {
		return err
	}
	acts := 0
	for _, id := range ids {
		d, err := g.readCommit(ctx, id, true)
		if err != nil {
			return err
		}
		if d == nil {
			continue
		}
		g.commits = append(g.commits, d)
		if len(d.items) > 0 {
			acts++
		}
		if acts == maxEarlier {
			cut = nil // these are enough
			break
		}
	}
	slices.Reverse(g.commits)
	if cut != nil {
		g.Warnings = append(g.Warnings, fmt.Sprintf("claims of older commits are not followed: %v", cut))
	}
	return nil
}

func (g *Reader) readRange(ctx context.Context) error {
	for _, id := range g.repo.EachPrefetched(ctx, g.ids) {
		d, err := g.readCommit(ctx, id, false)
		if err != nil {
			return err
		}
		if d != nil {
			g.commits = append(g.commits, d)
		}
	}
	return nil
}

// readCommit reads a commit; nil when it is of no account, or cannot be read and that has been noted.
func (g *Reader) readCommit(ctx context.Context, id repo.ID, isEarlier bool) (*landedCommit, error) {
	d := &landedCommit{id: string(id), isEarlier: isEarlier}
	c, err := readCommit(ctx, g.repo, d.id)
	if err != nil {
		return nil, g.noteUnfollowed(ctx, d, err)
	}
	d.message = c.message
	if out, isKnown := g.judged[id]; out != nil {
		d.items, d.untickedBoxes, d.isJudged = reportedItems(out.Verdicts), out.untickedBoxes, true
	} else if !isKnown {
		err = g.readItems(ctx, d, c)
	}
	isRelevant := len(d.items)+len(d.untickedBoxes) > 0 || d.message.Has(parser.Act, parser.Adapt) ||
		RevertMatcher(d.message) != nil
	if err != nil || !isRelevant {
		return nil, g.noteUnfollowed(ctx, d, err)
	}
	d.judge = g.judgeOf(c.Tree, g.policy)
	// If a shallow clone cut off the parent, judging the commit reports it.
	if before, err := treeBefore(ctx, g.repo, c.Commit); err == nil {
		d.judge.Base = g.tree(before)
	}
	return d, nil
}

// readItems reads what a commit reports, and the boxes that it ticks or unticks. Before the range, only boxes about
// files that the range changes count.
func (g *Reader) readItems(ctx context.Context, d *landedCommit, c commit) (err error) {
	for _, part := range d.message.Of(parser.Act) {
		if err == nil {
			err = d.addReport(ctx, *g.tree(c.Tree), part)
		}
	}
	var aboutFiles map[string]bool
	if d.isEarlier {
		aboutFiles = g.changedPaths
	}
	if err == nil {
		d.ticks, d.untickedBoxes, err = g.judgedTicks(ctx, c, g.policy, aboutFiles)
	}
	d.items = append(d.items, reportedItems(d.ticks)...)
	return err
}

// addReport adds the items that a part reports, report files included. Their errors are findings of their own commit.
func (d *landedCommit) addReport(ctx context.Context, tree evidence.Tree, part *parser.Part) error {
	claims, _, err := ReportedClaims(ctx, tree, part)
	for _, c := range claims {
		v := report.ClaimVerdict{Unit: part.Unit.Value, Item: c.Item.Value, Status: string(c.Status),
			Evidence: c.EvidenceText.Value}
		d.items = append(d.items, reportedItem{ClaimVerdict: v, evidence: c.Evidence})
	}
	return err
}

func (g *Reader) judgeItems(ctx context.Context, d *landedCommit) error {
	c, errCommit := g.repo.Commit(ctx, d.id)
	sub, errSubject := g.subject(ctx, commit{c, d.message}, g.policy)
	if err := cmp.Or(errCommit, errSubject); err != nil {
		return err
	}
	var items []reportedItem
	for _, part := range d.message.Parts {
		_, out, err := sub.judgePart(ctx, part, nil)
		if err != nil {
			return err
		}
		items = append(items, reportedItems(out.Verdicts)...)
	}
	d.items, d.isJudged = append(items, reportedItems(d.ticks)...), true
	return nil
}

// Input follows the claims of the range, and of the ACTs before it, and returns the input of the rules over ranges.
func (g *Reader) Input(ctx context.Context) (*rules.RangeInput, error) {
	followed, err := g.follow(ctx)
	if err != nil {
		return nil, err
	}
	in := &rules.RangeInput{Policy: g.policy, Followed: followed, Steps: g.steps(ctx), Tiers: g}
	in.After = g.tree(g.head.Tree)
	if g.base.ID != "" {
		in.Before = g.tree(g.base.Tree)
		in.Head, in.Plans = string(g.head.ID), g.Plans
		in.Plan = rangePlan{g, in.After, g.Behind([]repo.ID{g.head.ID}, g.policy)}
	}
	return in, nil
}

// steps are the commits of the range, with their parents' trees.
func (g *Reader) steps(ctx context.Context) iter.Seq2[rules.RangeStep, error] {
	return func(yield func(rules.RangeStep, error) bool) {
		for _, id := range g.ids {
			c, err := g.repo.Commit(ctx, string(id))
			step := rules.RangeStep{Commit: string(id)}
			if err == nil {
				step.Tree = *g.tree(c.Tree)
				step.Parents, err = snapshot.Trees(ctx, g.repo, c.Parents)
			}
			if !yield(step, err) || err != nil {
				return
			}
		}
	}
}

func (g *Reader) follow(ctx context.Context) ([]rules.FollowedClaim, error) {
	for _, read := range []func(context.Context) error{g.findEnds, g.readEarlier, g.readRange, g.findReverts} {
		if err := read(ctx); err != nil {
			return nil, err
		}
	}
	g.followers, g.newNames = map[string]*evidence.Follower{}, map[repo.ID]map[string]string{}
	return g.followAll(ctx)
}
