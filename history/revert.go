package history

import (
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/snapshot"
)

// TakenBack lists the ids of the commits that a commit says it reverts, as far as they are here and it does: it changes
// a path that the reverted commit changed, and nothing of what that changed and cites as done is left as it was cited.
func TakenBack(ctx context.Context, r *repo.Repo, revert repo.Commit, m *parser.Message) ([]string, error) {
	var ids []string
	for _, text := range m.Reverts {
		c, err := r.Commit(ctx, strings.ToLower(text.Value))
		if repo.IsAbsent(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		gone, err := takesBack(ctx, r, revert, c)
		if repo.IsAbsent(err) {
			gone, err = true, nil // a shallow clone left out what to compare with, and nobody is charged for that
		}
		if err != nil {
			return nil, err
		}
		if gone {
			ids = append(ids, string(c.ID))
		}
	}
	return ids, nil
}

func takesBack(ctx context.Context, r *repo.Repo, revert, reverted repo.Commit) (bool, error) {
	did, before, err := changedBy(ctx, r, reverted)
	if err != nil {
		return false, err
	}
	undoes, _, err := changedBy(ctx, r, revert)
	if err != nil {
		return false, err
	}
	if !slices.ContainsFunc(did, func(path string) bool { return slices.Contains(undoes, path) }) {
		return false, nil
	}
	m, err := Message(ctx, r, reverted)
	if err != nil {
		return false, err
	}
	then, now := snapshot.Tree(r, reverted.Tree), snapshot.Tree(r, revert.Tree)
	for i := range m.Parts {
		for _, claim := range m.Parts[i].Claims {
			for _, e := range claim.Evidence {
				if claim.Status != parser.Done || e.Err != "" || !slices.Contains(did, e.Path) {
					continue
				}
				left, err := stands(ctx, before, then, now, e)
				if err != nil || left {
					return false, err
				}
			}
		}
	}
	return true, nil
}

// changedBy lists what a commit changed, and gives the snapshot before it; nil for a root commit.
func changedBy(ctx context.Context, r *repo.Repo, c repo.Commit) ([]string, *evidence.Tree, error) {
	if len(c.Parents) == 0 {
		paths, err := r.Differing(ctx, "", c.Tree)
		return paths, nil, err
	}
	parent, err := r.Commit(ctx, string(c.Parents[0]))
	if err != nil {
		return nil, nil, err
	}
	before := snapshot.Tree(r, parent.Tree)
	paths, err := r.Differing(ctx, parent.Tree, c.Tree)
	return paths, &before, err
}

// stands reports whether what was cited of a changed file is in a later snapshot as it was then.
func stands(ctx context.Context, before *evidence.Tree, then, now evidence.Tree, e parser.Evidence) (bool, error) {
	was, err := then.Stat(ctx, e.Path)
	if err != nil {
		return false, err
	}
	is, err := now.Stat(ctx, e.Path)
	if err != nil {
		return false, err
	}
	if before != nil {
		old, err := before.Stat(ctx, e.Path)
		if err != nil || old.Kind == is.Kind && old.ID == is.ID && old.Mode == is.Mode {
			return false, err
		}
	}
	if was.Kind != is.Kind || was.ID == is.ID || e.Start == 0 || e.Removed || was.Kind != evidence.File {
		return was.Kind == is.Kind && was.ID == is.ID, nil
	}
	src, err := then.Read(ctx, was)
	if err != nil {
		return false, err
	}
	later, err := now.Read(ctx, is)
	return err == nil && evidence.StillHolds(later, src, e.Start, e.End), err
}

// RevertedParts are the parts whose title the message holds in the subject of a revert, as git writes it:
// `Revert "ACT: T01 login"`. What was reverted twice is there again. Of several parts with one title the oldest are
// meant.
func RevertedParts(m *parser.Message) map[int]bool {
	lines := strings.Split(m.String(), "\n")
	times := map[string]int{}
	for _, l := range lines {
		if title, ok := quotedBy("Revert", bare(l)); ok {
			if again, twice := quotedBy("Revert", title); twice {
				times[again]--
			} else {
				times[title]++
			}
		} else if title, ok := quotedBy("Reapply", bare(l)); ok {
			times[title]--
		}
	}
	reverted := map[int]bool{}
	for i := range m.Parts {
		at := m.Parts[i].Summary.Span.Start.Line
		if at == 0 {
			at = m.Parts[i].Unit.Span.Start.Line
		}
		if at < 1 || at > len(lines) {
			continue
		}
		if title := bare(lines[at-1]); times[title] > 0 {
			times[title]--
			reverted[i] = true
		}
	}
	return reverted
}

// bare is a line without what a squash puts before it: indentation and a bullet.
func bare(line string) string {
	line = strings.TrimSpace(line)
	if rest, ok := strings.CutPrefix(line, "* "); ok {
		line = strings.TrimSpace(rest)
	}
	return line
}

func quotedBy(verb, line string) (title string, ok bool) {
	if title, ok = strings.CutPrefix(line, verb+` "`); ok {
		title, ok = strings.CutSuffix(title, `"`)
	}
	return title, ok
}
