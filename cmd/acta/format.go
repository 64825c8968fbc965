package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

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
	if code != exitClean {
		return exitError(code)
	}
	return nil
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
