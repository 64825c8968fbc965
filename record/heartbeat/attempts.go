package heartbeat

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// attemptsFile is where the attempts of a day are counted, in the local state.
const attemptsFile = "heartbeat-attempts.json"

// day is the attempts of one day, in the policy's time zone; those of other days are forgotten.
type day struct {
	Day   string     `json:"day"`
	Tasks []*attempt `json:"tasks"`
}

// attempt counts one task in one work tree. Whoever asks something else, by another hint, counts anew; a box that is
// ticked or a description that is reworded is no other question.
type attempt struct {
	WorkTree string `json:"work_tree"`
	ID       string `json:"id"`
	Verify   string `json:"verify"`
	Attempts int    `json:"attempts"`
	// finding is that of the last attempt that came to one; its verdict is 0 where none has.
	finding
}

// finding is what is found of a task, whoever claims it.
type finding struct {
	Verdict report.Verdict `json:"verdict,omitempty"`
	Reason  string         `json:"reason,omitempty"`
}

// turn is a task that is to be judged, or was judged as often as it may be.
type turn struct {
	task     *parser.Task
	attempts int
	// last is the finding that stands where the task is not judged again.
	last   finding
	judged bool
}

// take counts an attempt for each task that has one left. It is counted before
// it is made, so that of many calls at once none makes one too many.
func (v *Verification) take(ctx context.Context, today string, tasks []*parser.Task) ([]*turn, error) {
	turns := make([]*turn, len(tasks))
	err := v.change(ctx, today, func(of func(*parser.Task) *attempt) {
		for i, task := range tasks {
			a := of(task)
			t := &turn{task: task, last: a.finding}
			switch {
			case v.untrusted != nil && v.asksProgram(task): // what is not run is no attempt
				t.judged = true
			case a.Attempts < task.MaxAttempts:
				a.Attempts++
				t.judged = true
			}
			t.attempts = a.Attempts
			turns[i] = t
		}
	})
	return turns, err
}

// settle keeps what was found, for when no attempt is left.
func (v *Verification) settle(ctx context.Context, today string, results []Result) error {
	return v.change(ctx, today, func(of func(*parser.Task) *attempt) {
		for _, r := range results {
			if r.Judged {
				of(r.Task).finding = r.finding
			}
		}
	})
}

// change lets use see and change the attempts of today while no other process does.
func (v *Verification) change(ctx context.Context, today string, use func(of func(*parser.Task) *attempt)) error {
	return state.Change(ctx, v.CommonDir, attemptsFile, func(data []byte) ([]byte, error) {
		d := &day{}
		if data != nil {
			if err := json.Unmarshal(data, d); err != nil {
				return nil, fmt.Errorf(
					"the attempts of today, acta/%s in %s, cannot be read: %w; fix the file, or remove it to count from zero",
					attemptsFile, v.CommonDir, err)
			}
		}
		if d.Day != today {
			d = &day{Day: today}
		}
		use(func(t *parser.Task) *attempt {
			a := attempt{WorkTree: v.GitDir, ID: t.ID.Value, Verify: t.Verify.Value}
			isIt := func(b *attempt) bool { return b.WorkTree == a.WorkTree && b.ID == a.ID && b.Verify == a.Verify }
			if i := slices.IndexFunc(d.Tasks, isIt); i >= 0 {
				return d.Tasks[i]
			}
			d.Tasks = append(d.Tasks, &a)
			return &a
		})
		return state.IndentedJSON(d)
	})
}
