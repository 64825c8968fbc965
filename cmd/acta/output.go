package main

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"time"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
	"golang.org/x/term"
)

// The JSON output of commands without a type in the packages below. The schemas in docs/schema are generated from these
// types.

// nextUnit is the output of `acta plan next`.
type nextUnit struct {
	Key  string     `json:"key"`
	Unit *plan.Unit `json:"unit"`
	Next string     `json:"next,omitempty"`
}

// planOwner is the output of `acta plan owner`; only the name for a unit without a holder.
type planOwner struct {
	Unit      string     `json:"unit"`
	Claimed   string     `json:"claimed,omitempty"`
	Agent     string     `json:"agent,omitempty"`
	ClaimedAt *time.Time `json:"claimed_at,omitempty"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
}

// vagueItem is a line of `acta plan lint`.
type vagueItem struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Unit   string `json:"unit"`
	Item   string `json:"item"`
}

// doctorOutput is the output of `acta doctor`.
type doctorOutput struct {
	Acta  string `json:"acta"`
	Fires bool   `json:"fires"`
	*hooks.Diagnosis
}

// policyOutput is the output of `acta policy`.
type policyOutput struct {
	Acta   string         `json:"acta"`
	Path   string         `json:"path"`
	Values []policy.Value `json:"values"`
}

// votedScore is the output of `acta score feedback`.
type votedScore struct {
	Actor string `json:"actor"`
	Delta int    `json:"delta"`
	Score int    `json:"score"`
}

// nextTask is the output of `acta heartbeat next`.
type nextTask struct {
	ID          string `json:"id"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
	Verify      string `json:"verify"`
	MaxAttempts int    `json:"max_attempts"`
	Line        int    `json:"line"`
}

// taskVerdict is the output of `acta heartbeat verify` for a task.
type taskVerdict struct {
	ID            string         `json:"id"`
	Verdict       report.Verdict `json:"verdict"`
	Contradiction bool           `json:"contradiction"`
	Attempts      int            `json:"attempts"`
}

// A hook prints unasked, often to a model with an expensive context: at most so many lines, of which the last say that
// git stopped, and what to do.
const (
	maxLines  = 40
	lastLines = 4
	// minFindingLines is the room that a finding needs.
	minFindingLines = 6
)

type budget struct {
	// allCommand is the command that prints all findings of the commit to be made.
	allCommand string
	// omitted counts omitted findings; the audit log has them.
	omitted int
}

// remainingLines is how many lines may still be printed before the last ones. Other commands have no limit.
func (c command) remainingLines() int {
	if c.budget == nil {
		return math.MaxInt
	}
	return maxLines - lastLines - c.Stdout.Lines() - c.Stderr.Lines()
}

func (c command) isOmitted(lines int) bool {
	if c.remainingLines() >= lines {
		return false
	}
	c.budget.omitted++
	return true
}

// terminal is a writer for a command's text, with colour on terminals (no-color.org).
func terminal(f *os.File) *report.Terminal {
	return report.NewTerminal(f, os.Getenv("NO_COLOR") == "" && isTerminal(f))
}

// isTerminal reports whether a file is a terminal with colour whose lines can be redrawn.
func isTerminal(f *os.File) bool {
	return os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

func (c command) answer(format string, value any, text string) error {
	if format == "json" {
		return report.WriteIndented(c.Stdout, value)
	}
	_, err := io.WriteString(c.Stdout, text)
	return err
}

// print prints a result and returns its exit code as an error. With quiet, as in hooks, it prints nothing without
// findings, and no notes about tests whose weakening is excused or declared: the committer knows.
func (c command) print(r *judge.Result, format string, quiet bool) error {
	c.record.addFindings(r.Findings)
	shown := *r
	if format == "text" && quiet {
		shown.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f report.Finding) bool {
			return f.Severity == report.Note && r.Tests.ChangeOf(f) != nil
		})
	}
	if format != "text" || !quiet || len(shown.Findings) > 0 {
		if err := c.write(&shown, format); err != nil {
			return err
		}
	}
	return c.finish(r.Warnings, r.Undecided, r.Code())
}

func (c command) finish(warnings, undecided []string, code int) error {
	c.printRemarks("", warnings, undecided)
	return exitWith(code)
}

// printRemarks prints warnings and reasons why something was not judged. about is a prefix with a colon.
func (c command) printRemarks(about string, warnings, undecided []string) {
	for _, u := range undecided {
		if !c.isOmitted(1) {
			c.Stderr.Printf("acta: could not decide: %s%v\n", about, errors.New(u)) // an error has lines
		}
		c.record.addMessage(failure, "could not decide: "+about+u)
	}
	for _, w := range warnings {
		if c.isOmitted(1) {
			c.record.addMessage(caution, about+w)
			continue
		}
		c.warn("%s%s", about, w)
	}
}

// write prints a result to standard output and, for GitHub's annotations or text in its jobs, to the job summary too.
func (c command) write(r *judge.Result, format string) error {
	if c.budget != nil && format == "text" {
		return report.WriteDigest(c.Stdout, &r.Report, c.remainingLines(), c.budget.allCommand)
	}
	var infos []report.RuleInfo
	if format == "sarif" { // only this format lists rules
		for _, rule := range rules.Rules() {
			page := rule.Page()
			infos = append(infos, report.RuleInfo{ID: rule.ID, Title: page.Title, Doc: page.Doc})
		}
	}
	out := io.Writer(c.Stdout)
	if format == "github" { // its workflow commands must stay raw
		out = c.Stdout.Raw()
	}
	if err := report.Write(out, format, &r.Report, infos); err != nil {
		return err
	}
	forPeople := format == "github" || format == "text" && os.Getenv("GITHUB_ACTIONS") == "true"
	if summary := os.Getenv("GITHUB_STEP_SUMMARY"); forPeople && summary != "" {
		if err := summarize(summary, &r.Report); err != nil {
			c.warn("the job summary was not written: %v", err)
		}
	}
	return nil
}

func summarize(file string, r *report.Report) (err error) {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return report.WriteMarkdown(f, r)
}

func (c command) readInput(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(io.LimitReader(c.Stdin, state.MaxFile))
	}
	return readArgument(name)
}

func readArgument(name string) ([]byte, error) {
	data, err := state.ReadFile(name)
	if err != nil {
		return nil, cannotRead(name, err)
	}
	return data, nil
}

// cannotRead is the usage error about a file of the command line, without the failed system call.
func cannotRead(name string, err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	return usagef("cannot read %s: %w", name, err)
}
