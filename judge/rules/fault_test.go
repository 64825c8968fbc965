package rules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/acta-git/acta/evidence"
)

// fault is a repository of which one answer is an error, after so many that are none; nil is one that works.
type fault struct{ after int }

func (f *fault) err() error {
	if f == nil {
		return nil
	}
	if f.after--; f.after == -1 {
		return errNoAnswer
	}
	return nil
}

// over is a snapshot whose files are asked for like everything else.
func (f *fault) over(t evidence.Tree) evidence.Tree {
	t.Files = faultyFiles{t.Files, f}
	return t
}

type faultyFiles struct {
	evidence.Files
	fault *fault
}

func (f faultyFiles) Stat(ctx context.Context, name string) (evidence.Entry, error) {
	e, err := f.Files.Stat(ctx, name)
	return e, cmp.Or(err, f.fault.err())
}

func (f faultyFiles) Size(ctx context.Context, e evidence.Entry) (int64, error) {
	n, err := f.Files.Size(ctx, e)
	return n, cmp.Or(err, f.fault.err())
}

func (f faultyFiles) Read(ctx context.Context, e evidence.Entry) ([]byte, error) {
	data, err := f.Files.Read(ctx, e)
	return data, cmp.Or(err, f.fault.err())
}

func (f faultyFiles) Paths(ctx context.Context) ([]string, error) {
	paths, err := f.Files.Paths(ctx)
	return paths, cmp.Or(err, f.fault.err())
}

// Whichever single answer of the repository is missing, a commit is undecided, or found to be what it is with all of
// them: that something could not be read is never taken for nothing. The rows of all rules are asked in the same way.
func TestNoMissingAnswerIsTakenForNothing(t *testing.T) {
	missed := 0
	for _, r := range Rules() {
		if c, alone := exampleOf(r); alone {
			t.Run(r.ID, func(t *testing.T) {
				whole, err := c.ask(t, Rules())
				if err != nil {
					t.Fatal(err)
				}
				missed += c.missing(t, whole)
			})
		}
	}
	if missed < 1500 {
		t.Errorf("only %d answers were missing", missed)
	}
}

// missing asks about a commit as often as there are answers, each time without one of them, and counts how often that
// left it undecided. whole is what is found with all answers.
func (c commit) missing(t *testing.T, whole *Output) (undecided int) {
	t.Helper()
	for n := 0; ; n++ {
		c.fault = &fault{after: n}
		out, err := c.ask(t, Rules())
		switch {
		case c.fault.after >= 0: // fewer answers than that are asked for
			return undecided
		case errors.Is(err, errNoAnswer):
			undecided++
		case err != nil:
			t.Fatalf("without answer %d: %v", n, err)
		case told(out) != told(whole):
			t.Fatalf("without answer %d it is found %s\nand else %s", n, told(out), told(whole))
		}
	}
}

// told is all that is said of a commit.
func told(out *Output) string {
	return listed(out.Findings) + fmt.Sprintf("\n%+v\n%v", out.Verdicts, out.CutPlaces)
}
