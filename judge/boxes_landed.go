package judge

import (
	"context"
	"slices"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// judgedTicks judges, without rules, the claims of the boxes that a commit ticks, and lists the boxes that lose their
// tick. If a shallow clone cut off the parent, there are none. aboutFiles limits the claims to those that may rest on
// one of these files.
func (h *History) judgedTicks(
	ctx context.Context, c commit, p *policy.Policy, aboutFiles map[string]bool,
) (all []report.ClaimVerdict, unticked []string, err error) {
	if len(p.Boxes) == 0 || len(c.Parents) > 1 {
		return nil, nil, nil
	}
	sub, err := h.subject(ctx, c, p)
	if err != nil {
		return nil, nil, ignoreAbsent(err)
	}
	sub.aboutFiles = aboutFiles
	ticks, err := sub.ticks(ctx)
	for _, t := range ticks {
		_, out, err := sub.judgePart(ctx, &t.part, nil)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, out.Verdicts...)
	}
	return all, sub.untickedBoxes, err
}

// isAbout reports whether the claim of a box may rest on one of aboutFiles: it names one, or names no file and its
// commit changes one.
func (f *boxFinder) isAbout(b *parser.Box) bool {
	byFile := false
	for _, n := range namesOf(b) {
		for file := range f.aboutFiles {
			if n.IsFile && matchesPath(file, n.Text) {
				return true
			}
		}
		byFile = byFile || n.IsFile
	}
	return !byFile && slices.ContainsFunc(f.changed(), func(file string) bool { return f.aboutFiles[file] })
}
