package judge

import (
	"context"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// ticked are the claims of the boxes that a commit ticks, judged without rules, and the boxes that lose their tick. A
// commit whose parent a shallow clone left out claims nothing.
func (h *History) ticked(
	ctx context.Context, c commit, p *policy.Policy,
) (all []judgedTick, unticked []string, err error) {
	if len(p.Boxes) == 0 || len(c.Parents) > 1 {
		return nil, nil, nil
	}
	opened, err := h.subject(ctx, c, p)
	if err != nil {
		if repo.IsAbsent(err) {
			err = nil
		}
		return nil, nil, err
	}
	ticks, err := opened.ticks(ctx)
	for _, t := range ticks {
		_, out, err := opened.Part(ctx, &t.part, nil)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, judgedTick{t.file, out.Verdicts[0], out.Kinds[0]})
	}
	return all, opened.unticked, err
}

// judgedTick is a box that a commit ticked, and its verdict.
type judgedTick struct {
	file    string
	verdict report.ClaimVerdict
	kind    evidence.Kind
}
