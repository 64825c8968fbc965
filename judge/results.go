package judge

import (
	"context"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/report/results"
)

// Reports reads the test and coverage reports that a policy or the caller names; nil if there are none. A report inside
// the judged tree does not count: the author may have written it.
type Reports interface {
	Read(ctx context.Context, p *policy.Policy, judged evidence.Tree) (*results.Set, error)
}

// readResults reads a subject's reports once; nil if there are none.
func (s *subject) readResults(ctx context.Context) (*rules.Results, error) {
	if s.reports == nil || s.results != nil {
		return s.results, nil
	}
	var err error
	s.results, err = rules.NewResults(ctx, s.reports, &s.tree)
	return s.results, err
}

// addResults adds reports of the end of the range to the rules' input.
func (s *span) addResults(ctx context.Context, reader *Reader, in *rules.RangeInput) error {
	if s.reports == nil {
		return nil
	}
	read, err := rules.NewResults(ctx, s.reports, in.After)
	if in.Results = read; err == nil {
		in.Acts, err = reader.Acts(ctx)
	}
	return err
}
