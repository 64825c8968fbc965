package judge

import (
	"context"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/report/results"
)

// Reports reads the reports of results that a policy, or who asks, names; nil where there are none. The policy is the
// one that judges, and a file that the judged tree holds is no report: its author wrote it, and no run.
type Reports interface {
	Read(ctx context.Context, p *policy.Policy, judged evidence.Tree) (*results.Set, error)
}

// readResults are what a subject's reports say, found once; nil where there are none.
func (s *subject) readResults(ctx context.Context) (*rules.Results, error) {
	if s.reports == nil || s.results != nil {
		return s.results, nil
	}
	var err error
	s.results, err = rules.NewResults(ctx, s.reports, &s.tree)
	return s.results, err
}

// addResults adds reports of the end of the range to what its rules may know.
func (s *span) addResults(ctx context.Context, reader *Reader, in *rules.RangeInput) error {
	if s.reports == nil {
		return nil
	}
	read, err := rules.NewResults(ctx, s.reports, in.After)
	if err != nil {
		return err
	}
	acts, err := reader.Acts(ctx)
	in.Results = &rules.RangeResults{Results: read, Acts: acts}
	return err
}
