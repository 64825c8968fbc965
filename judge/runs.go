package judge

import (
	"context"
	"fmt"

	"github.com/acta-git/acta/check"
)

// Runs are the commands that were run in the session that a commit names, "" where it names none, in their order.
type Runs func(ctx context.Context, session string) ([]check.RecordedRun, error)

// readingRuns reads the runs of each session once. What cannot be read is none, and a
// warning: the record stands in nobody's way.
func (s *subject) readingRuns(read Runs) Runs {
	known := map[string][]check.RecordedRun{}
	return func(ctx context.Context, session string) ([]check.RecordedRun, error) {
		if runs, ok := known[session]; ok {
			return runs, nil
		}
		runs, err := read(ctx, session)
		if err != nil {
			s.unread = append(
				s.unread, fmt.Sprintf("the runs of the session cannot be read, so Ran: lines are not compared: %v", err),
			)
		}
		known[session] = runs
		return runs, nil
	}
}
