package hooks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
)

// maxClaims is how many commits that mention a definition are read for a claim of it, the newest first.
const maxClaims = 20

// hollowed warns of stubs that stand where an earlier commit claims code. It is `acta verify` that follows claims
// through what has happened to the code; a hook only looks into the messages of history, and only after a stub was
// added, so that it costs others nothing.
func hollowed(ctx context.Context, r *repo.Repo, result *judge.Result) {
	if result == nil {
		return
	}
	var stubs []diag.Finding
	var anchors []string
	for _, f := range result.Findings {
		if f.Rule == check.StubAdded {
			stubs, anchors = append(stubs, f), append(anchors, "#"+check.StubSymbol(f))
		}
	}
	if len(stubs) == 0 {
		return
	}
	head, err := r.Head(ctx)
	if err != nil {
		return // there is no commit yet, or the commit has other troubles
	}
	ids, err := r.Mentions(ctx, []repo.ID{head.ID}, anchors)
	for _, id := range ids[:min(len(ids), maxClaims)] {
		c, failed := r.Commit(ctx, string(id))
		if failed != nil {
			err = failed
			break
		}
		message := parser.ParseExcerpt(c.Message, c.Beyond)
		stubs = slices.DeleteFunc(stubs, func(f diag.Finding) bool {
			item, claimed := claims(message, f.Path, check.StubSymbol(f))
			if claimed {
				result.Warnings = append(result.Warnings,
					fmt.Sprintf("%s:%d: commit %.12s says that this code is done («%s»), and it is a stub now: write it, or withdraw "+
						"the claim with `Reopen: <unit>` in an ADAPT", f.Path, f.Line, id, item))
			}
			return claimed
		})
	}
	if err != nil {
		result.Warnings = append(result.Warnings, "acta could not look for earlier claims about the new stubs: "+err.Error())
	}
}

// claims is the item for which an ACT cites a definition as done.
func claims(m *parser.Message, path, symbol string) (item string, ok bool) {
	for _, part := range m.Parts {
		for _, c := range part.Claims {
			if part.Kind == parser.Act && c.Status == parser.Done &&
				slices.ContainsFunc(c.Evidence, func(e parser.Evidence) bool {
					return e.Path == path && e.Symbol == symbol && !e.Removed
				}) {
				return strings.TrimSpace(c.Item.Value), true
			}
		}
	}
	return "", false
}
