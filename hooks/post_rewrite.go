package hooks

import (
	"bufio"
	"context"
	"strings"
	"time"

	"github.com/acta-git/acta/journal"
	"github.com/acta-git/acta/repo"
)

// PostRewrite is git's post-rewrite hook: it remembers which commits an amend or a
// rebase turned into which, so that what names a commit by its old id can still be
// followed. git names the command, and hands over a line for each commit: old id,
// new id, and perhaps more (githooks(5)).
func PostRewrite(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	by := ""
	if len(c.Args) > 0 {
		by = c.Args[0]
	}
	now := time.Now().UTC().Truncate(time.Second)
	var all []journal.Rewrite
	lines := bufio.NewScanner(c.Stdin)
	for lines.Scan() {
		if f := strings.Fields(lines.Text()); len(f) >= 2 {
			all = append(all, journal.Rewrite{By: by, Old: f[0], New: f[1], Time: now})
		}
	}
	if err := lines.Err(); err != nil || len(all) == 0 {
		return &Answer{}, err
	}
	dir, err := r.CommonDir(ctx)
	if err != nil {
		return nil, err
	}
	repair, err := journal.AddRewrites(ctx, dir, all)
	answer := &Answer{}
	if repair != nil {
		answer.Warnings = append(answer.Warnings, repair.String())
	}
	return answer, err
}

// Silent is a hook point that acta stands at and has nothing to do yet.
func Silent(context.Context, *repo.Repo, Call) (*Answer, error) { return &Answer{}, nil }
