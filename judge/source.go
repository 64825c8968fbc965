package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
)

// isTouched reports whether the range changes an earlier claim's file.
func (g *Reader) isTouched(e parser.Evidence) bool {
	return g.changedPaths == nil || g.changedPaths[e.Path] || g.earlierNames[e.Path] != "" &&
		g.changedPaths[g.earlierNames[e.Path]]
}

// renames maps paths that a commit does not have to their new paths, since the oldest commit.
func (g *Reader) renames(ctx context.Context, at repo.ID, paths []string) (map[string]string, error) {
	if len(g.commits) == 0 {
		return map[string]string{}, nil
	}
	slices.Sort(paths)
	return g.repo.RenameTargets(ctx, repo.ID(g.commits[0].id), at, slices.Compact(paths))
}

func (g *Reader) citedPaths() []string {
	var paths []string
	for _, d := range g.commits {
		for _, i := range d.items {
			for _, e := range i.evidence {
				if e.Err == "" {
					paths = append(paths, e.Path)
				}
			}
		}
	}
	return paths
}

func (g *Reader) follower(ctx context.Context, commit string) (*evidence.Follower, error) {
	if f := g.followers[commit]; f != nil {
		return f, nil
	}
	c, err := g.repo.Commit(ctx, commit)
	if err != nil {
		return nil, err
	}
	f := &evidence.Follower{Judge: g.judgeOf(c.Tree, g.policy), Trail: trail{g, c.ID}}
	g.followers[commit] = f
	return f, nil
}

// trail leads from the oldest commit of the range to a later one.
type trail struct {
	*Reader
	commit repo.ID
}

// Renamed is the path in the later commit of a file that is missing there.
func (t trail) Renamed(ctx context.Context, path string) (string, error) {
	if t.newNames[t.commit] == nil {
		found, err := t.renames(ctx, t.commit, append(t.citedPaths(), path))
		if err != nil {
			return "", err
		}
		t.newNames[t.commit] = found
	}
	return t.newNames[t.commit][path], nil
}

// Changed lists the paths that differ between the oldest commit and the end of the range.
func (t trail) Changed(ctx context.Context) ([]string, error) {
	if t.trailPaths != nil || len(t.commits) == 0 {
		return t.trailPaths, nil
	}
	oldest, err := t.repo.Commit(ctx, t.commits[0].id)
	if err != nil {
		return nil, err
	}
	all, err := t.repo.Changes(ctx, oldest.Tree, t.head.Tree, repo.DiffOptions{})
	if err != nil {
		return nil, err
	}
	t.trailPaths = []string{}
	for _, c := range all {
		if c.NewMode != "" {
			t.trailPaths = append(t.trailPaths, c.Path)
		}
	}
	return t.trailPaths, nil
}

// commitsSince lists the commits of the range that come after a commit and change one of the paths.
func (g *Reader) commitsSince(ctx context.Context, commit string, paths []string) ([]string, error) {
	if len(g.ids) == 0 {
		return nil, nil
	}
	for _, p := range paths {
		if to := g.newNames[g.head.ID][p]; to != "" {
			paths = append(paths, to)
		}
	}
	found, err := g.repo.CommitsTouching(ctx, repo.ID(commit), g.head.ID, paths)
	var out []string
	for _, id := range found {
		if slices.Contains(g.ids, id) {
			out = append(out, string(id))
		}
	}
	return out, err
}

// pathTier is the tier of paths in a commit, and what its message waives.
func (g *Reader) pathTier(ctx context.Context, commit string, paths []string) (policy.Tier, []parser.Waiver, error) {
	whole, changed, lines, err := g.tierInputs(ctx, commit)
	tier := policy.Tier(0)
	for _, path := range paths {
		tier = max(tier, g.policy.PathTier(path, len(changed), lines))
	}
	return tier, whole.Waivers, err
}

// CommitTier is the tier of a commit that cites paths, and what its message waives.
func (g *Reader) CommitTier(ctx context.Context, commit string, cited []string) (policy.Tier, []parser.Waiver, error) {
	whole, changed, lines, err := g.tierInputs(ctx, commit)
	raised, _ := policy.ParseTier(whole.Tier.Value)
	return g.policy.Tier(changed, cited, lines, raised), whole.Waivers, err
}

// tierInputs are what decides a commit's tier: its message as a whole and, if the policy needs them, its changes.
func (g *Reader) tierInputs(
	ctx context.Context, commit string,
) (whole *parser.Part, changed []string, lines int, err error) {
	c, err := readCommit(ctx, g.repo, commit)
	if err != nil {
		return &parser.Part{}, nil, 0, err
	}
	whole = wholePart(c.message)
	if len(g.policy.TierRules) > 0 {
		var before repo.ID
		if before, err = treeBefore(ctx, g.repo, c.Commit); err == nil {
			changed, lines, err = snapshot.Changes(ctx, g.repo, before, c.Tree, g.policy.NeedsLines())
		}
	}
	return whole, changed, lines, err
}

// noteUnfollowed notes an error, if there is one, for which the claims of a commit could not be followed. For a commit
// before the range, or cut by a shallow clone, it is a warning; otherwise the result is undecided.
func (g *Reader) noteUnfollowed(ctx context.Context, d *landedCommit, err error) error {
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	why := fmt.Sprintf("the claims of commit %.12s could not be followed: %v", d.id, err)
	if d.isEarlier && g.base.ID != "" || errors.Is(err, repo.ErrShallow) {
		g.Warnings = append(g.Warnings, why)
	} else {
		g.Undecided = append(g.Undecided, why)
	}
	return nil
}
