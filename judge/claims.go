package judge

import (
	"cmp"
	"context"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// Claim is a verified claim and its current state.
type Claim struct {
	// Commit is the full id of the commit that made the claim.
	Commit string `json:"commit"`
	Unit   string `json:"unit"`
	Item   string `json:"item"`
	// Evidence is the list as cited. If it has several places, Trace describes the worst. Its reason also says what
	// excuses the claim.
	Evidence string `json:"evidence"`
	evidence.Trace

	isExcused bool
}

// ClaimsReport lists claims and their states, in the order of the commits.
type ClaimsReport struct {
	// Acta is the release that followed them.
	Acta string `json:"acta"`
	// Range is «BASE..HEAD» with full ids, or the id of the commit that they were followed to.
	Range  string  `json:"range"`
	Claims []Claim `json:"claims"`
	// Undecided says what could not be followed, and why; Warnings say what was left out.
	Undecided []string `json:"-"`
	Warnings  []string `json:"-"`
}

// Code is the exit code: 3 if a claim could not be followed, 1 if one is hollowed and not excused, else 0.
func (r *ClaimsReport) Code() int {
	if len(r.Undecided) > 0 {
		return 3
	}
	for _, c := range r.Claims {
		if c.State == evidence.StateHollowed && !c.isExcused {
			return 1
		}
	}
	return 0
}

// Claims follows claims to head. With a base, it follows the claims that verifying base..head follows; without one,
// those of the last 500 ACTs that head reaches, under head's policy.
func (h *History) Claims(ctx context.Context, base, head string) (*ClaimsReport, error) {
	var g *Reader
	var err error
	if base == "" {
		g, err = h.headReader(ctx, head)
	} else {
		g, err = h.rangeReader(ctx, base, head)
	}
	if err != nil {
		return nil, err
	}
	report := &ClaimsReport{Acta: report.Release, Claims: []Claim{}}
	report.Range, err = RangeName(ctx, h.repo, base, head)
	followed, errFollow := g.follow(ctx)
	if err := cmp.Or(err, errFollow); err != nil {
		return nil, err
	}
	for _, f := range followed {
		c := Claim{Commit: f.Commit, Unit: f.Unit, Item: f.Item, Evidence: f.Evidence, Trace: f.Trace}
		if c.State >= evidence.StateGone {
			c.excuse(f.ReopenedBy, f.WasBrokenBefore)
		}
		report.Claims = append(report.Claims, c)
	}
	report.Undecided, report.Warnings = g.Undecided, g.Warnings
	return report, nil
}

func (c *Claim) excuse(reopened string, wasBefore bool) {
	switch {
	case reopened != "":
		c.Reason += "; commit " + reopened[:12] + " reopened the task"
	case wasBefore:
		c.Reason += "; it was so before the range"
	default:
		return
	}
	c.isExcused = true
}

// headReader prepares to follow everything that head reaches.
func (h *History) headReader(ctx context.Context, head string) (*Reader, error) {
	c, errHead := h.repo.Commit(ctx, head)
	p, errPolicy := snapshot.At(h.repo, head).Policy(ctx)
	if err := cmp.Or(errHead, errPolicy); err != nil {
		return nil, err
	}
	g := (&span{History: h, policy: p, headRev: head}).newReader()
	return g, g.readRecord(ctx, c.ID)
}

func (h *History) rangeReader(ctx context.Context, base, head string) (*Reader, error) {
	ids, err := h.repo.Range(ctx, base, head)
	if err != nil {
		return nil, err
	}
	s := &span{History: h, policyRev: base, baseRev: base, headRev: head, ids: ids}
	return s.newReader(), s.prepare(ctx, nil)
}

// CodeClaim is an item of kind code that is reported done, and the functions that it cites and its unit changed.
type CodeClaim struct {
	Commit     repo.ID // "" for what is about to be committed
	Unit, Item string
	Functions  []CitedFunction
}

// CitedFunction is a function as it is at the end of the range.
type CitedFunction struct {
	Path string
	evidence.Hollowable
}

// CodeClaims are those of the commit that is about to be made, and its tree.
func (s StagedCommit) CodeClaims(ctx context.Context, r *repo.Repo) ([]CodeClaim, repo.ID, error) {
	sub, _, err := s.subject(ctx, r, parser.ParseExcerpt(s.Message, s.Tail))
	if err != nil {
		return nil, "", err
	}
	claims, err := sub.codeClaims(ctx, &sub.tree)
	return claims, sub.treeID(), err
}

// CodeClaims are the claims of the range, with functions as they are at its end, and the tree there.
func (l LandedRange) CodeClaims(ctx context.Context, r *repo.Repo) ([]CodeClaim, repo.ID, error) {
	head, errHead := r.Commit(ctx, l.Head)
	p, errPolicy := snapshot.Base(r, l.Base).Policy(ctx)
	ids, errRange := r.Range(ctx, l.Base, l.Head)
	if err := cmp.Or(errHead, errPolicy, errRange); err != nil {
		return nil, "", err
	}
	h, end := NewHistory(r, nil), snapshot.Tree(r, head.Tree)
	var all []CodeClaim
	for _, id := range ids {
		c, err := readCommit(ctx, r, string(id))
		if err != nil {
			return nil, "", err
		}
		if !c.message.Has(parser.Act, parser.Adapt) {
			continue
		}
		sub, err := h.subject(ctx, c, p)
		if err != nil {
			return nil, "", err
		}
		found, err := sub.codeClaims(ctx, &end)
		if err != nil {
			return nil, "", err
		}
		all = append(all, found...)
	}
	return all, head.Tree, nil
}

// codeClaims are the claims of the ACTs of a message, with functions as they are in a later tree.
func (s *subject) codeClaims(ctx context.Context, end *evidence.Tree) ([]CodeClaim, error) {
	var all []CodeClaim
	for _, part := range s.message.Of(parser.Act) {
		in, err := s.input(ctx, part)
		if err != nil {
			return nil, err
		}
		before, err := treeBeforeUnit(ctx, in.Judge)
		if err != nil {
			return nil, err
		}
		for _, c := range in.Claims {
			if c.Status != parser.Done || in.KindOf(c.Item.Value) != evidence.KindCode {
				continue
			}
			claim := CodeClaim{Commit: s.id, Unit: part.Unit.Value, Item: c.Item.Value}
			for _, e := range c.Evidence {
				found, err := citedFunctions(ctx, before, &s.tree, end, e)
				if err != nil {
					return nil, err
				}
				claim.Functions = append(claim.Functions, found...)
			}
			all = append(all, claim)
		}
	}
	return all, nil
}

// treeBeforeUnit is the tree before the first commit of the unit; nil for none.
func treeBeforeUnit(ctx context.Context, j *evidence.Judge) (*evidence.Tree, error) {
	before := j.Base
	if j.Earlier == nil {
		return before, nil
	}
	for step, err := range j.Earlier.Steps(ctx) {
		if err != nil { // history is cut: use what is known
			return before, ctx.Err()
		}
		before = step.Before
	}
	return before, nil
}

// citedFunctions are the functions that evidence cites, as they are in the tree at the end; if the unit changed some of
// them, only those.
func citedFunctions(
	ctx context.Context, before, tree, end *evidence.Tree, e parser.Evidence,
) ([]CitedFunction, error) {
	if e.Err != "" || e.IsRemoved {
		return nil, nil
	}
	functions, err := functionsOf(ctx, tree, e.Path)
	earlier, errWas := functionsOf(ctx, before, e.Path)
	atEnd, errEnd := functionsOf(ctx, end, e.Path)
	if err := cmp.Or(err, errWas, errEnd); err != nil {
		return nil, err
	}
	old := map[string]bool{}
	for _, f := range earlier {
		old[f.Text] = true
	}
	var cited, changed []evidence.Hollowable
	for _, f := range evidence.CitedFunctions(functions, e.Start, e.End) {
		if cited = append(cited, f); !old[f.Text] {
			changed = append(changed, f)
		}
	}
	if len(changed) > 0 {
		cited = changed
	}
	var all []CitedFunction
	for _, f := range cited {
		if last := nearest(atEnd, f); last != nil {
			all = append(all, CitedFunction{e.Path, *last})
		}
	}
	return all, nil
}

// nearest is the function of the same name that begins nearest; nil for none.
func nearest(among []evidence.Hollowable, f evidence.Hollowable) *evidence.Hollowable {
	var found *evidence.Hollowable
	away := func(g *evidence.Hollowable) int { return max(g.Line-f.Line, f.Line-g.Line) }
	for i := range among {
		if g := &among[i]; g.Symbol == f.Symbol && (found == nil || away(g) < away(found)) {
			found = g
		}
	}
	return found
}

// functionsOf are the functions of a file of a tree; none if the file is missing or not code.
func functionsOf(ctx context.Context, tree *evidence.Tree, path string) ([]evidence.Hollowable, error) {
	if tree == nil {
		return nil, nil
	}
	src, err := tree.Content(ctx, path)
	if src == nil || err != nil {
		return nil, err
	}
	all, err := evidence.Hollowables(ctx, evidence.Source{Path: path, Bytes: src})
	if err != nil { // it is no code, or cannot be read
		return nil, ctx.Err()
	}
	return all, nil
}
