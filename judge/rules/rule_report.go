package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

func runReportUnread(p *pass) {
	if p.Part.Kind == parser.None {
		p.severity = min(p.severity, report.Warning) // a commit without claims is never refused
	}
	for _, u := range p.Part.UnreadLines {
		if u.Reason == parser.UnreadNoTitle && p.HasTicks {
			continue // the report is read for the boxes
		}
		message, hint := explainUnread(u)
		p.reportText(u.Line, message, hint)
	}
	p.severity = min(p.severity, report.Warning)
	if o := p.Part.Outcome; o.Value != "" && !isOutcome(p.Part) {
		p.reportText(o, fmt.Sprintf("«Outcome: %s» is not read.", shorten(o.Value)),
			"write success, failure, aborted, or «blocked | <reason>» with a reason in words")
	}
	if tier := p.Part.Tier; tier.Value != "" {
		if _, isTier := policy.ParseTier(tier.Value); !isTier {
			p.reportText(tier, fmt.Sprintf("«Tier: %s» is not read.", shorten(tier.Value)),
				"write STRICT, STANDARD, LIGHT or EXEMPT")
		}
	}
	for _, r := range p.Part.Runs {
		if r.Err != "" && p.Part.Kind == parser.Act {
			p.reportText(r.Command, fmt.Sprintf("The run «%s» is not read: %s.", shorten(r.Command.Value), r.Err),
				"write the line that `acta run` prints, «Ran: <command> | exit <n>», or that of `acta prove`")
		}
	}
}

// isOutcome reports whether the outcome of a part is a known one: it failed, is blocked for a reason, or succeeded.
func isOutcome(part *parser.Part) bool {
	return HasFailed(part) || BlockReason(part) != "" ||
		slices.Contains([]string{
			"success", "successful", "succeeded", "ok", "done", "complete", "completed", "pass", "passed",
		}, firstWord(part.Outcome.Value))
}

func explainUnread(u parser.UnreadLine) (message, hint string) {
	line := u.Obstacle.Span.Start.Line
	message = fmt.Sprintf("This line looks like a report but is not read as one: «%s».", shorten(u.Line.Value))
	obstacle := shorten(u.Obstacle.Value)
	switch u.Reason {
	case parser.UnreadNoTitle:
		message = fmt.Sprintf("«%s» is not the title of an ACT or ADAPT, so the report below it claims nothing.",
			shorten(u.Line.Value))
		hint = "write «ACT: <task> <summary>», or keep the subject and add a line «Act: <task>» to the report"
	case parser.UnreadTitle:
		hint = "put an empty line between the title and the report"
	case parser.UnreadScissors:
		hint = fmt.Sprintf("it stands under the scissors line %d, where git stops reading; move it above", line)
	case parser.UnreadComment:
		hint = "git takes a line that starts with # for a comment; remove the #"
	case parser.UnreadDecorated:
		hint = "write the key at the start of the line, without bullet, quote or emphasis marks"
	case parser.UnreadNUL:
		hint = "a NUL byte stands before it, where git stops reading; remove the NUL"
	default:
		hint = fmt.Sprintf("line %d is in the way: «%s»; put an empty line between it and the report", line, obstacle)
	}
	return message, hint
}

// shorten cuts a line of the message for a finding, at 80 characters.
func shorten(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}

// ReportUnreadable is the id of the rule below.
const ReportUnreadable = "report_unreadable"

func runReportUnreadable(p *pass) {
	if p.Part.Kind == parser.None {
		p.reportHidden()
		return
	}
	for _, e := range p.FileErrors {
		f := report.Finding{
			Path: e.Path, Line: e.Line, Column: e.Column, EndLine: e.Line,
			Message: fmt.Sprintf("The report file %s cannot be read: %s.", e.Path, strings.TrimSuffix(e.Message, ".")),
			Hint:    e.Hint,
		}
		if e.Line == 0 {
			f.Path, f.Line, f.Column, f.EndLine = "", e.At.Span.Start.Line, e.At.Span.Start.Column, e.At.Span.End.Line
		}
		p.report(f)
	}
	for _, d := range p.Message.Invalid {
		p.reportText(parser.Text{Span: d.Span}, "The commit message cannot be read to its end: "+d.Message+".", "")
	}
	p.reportBytes()
}

// reportHidden reports a message without claims whose unread rest may contain some.
func (p *pass) reportHidden() {
	if len(p.Message.Parts) > 1 || len(p.Message.Invalid) == 0 {
		return
	}
	for _, d := range p.Message.Invalid {
		if d.HasTitle {
			p.reportText(parser.Text{Span: d.Span},
				"The commit message cannot be read to its end, and the rest may be an ACT: "+d.Message+".",
				"shorten the message")
		}
	}
}

// reportBytes reports claims with bytes that are not UTF-8. Prose may contain some.
func (p *pass) reportBytes() {
	for _, c := range p.claims {
		for _, t := range []parser.Text{c.Item, c.EvidenceText, c.Reason} {
			if c.File == "" && !utf8.ValidString(t.Value) {
				p.reportText(t, "The commit message cannot be read to its end: a claim has bytes that are not UTF-8.", "")
			}
		}
	}
}

// lacksTask reports whether the part lacks a task that the policy requires, and the sign of an agent, if that is why.
func (f *facts) lacksTask() (lacks bool, sign string) {
	if f.Part.Kind != parser.None || f.HasTicks || f.isFixup() {
		return false, ""
	}
	return f.Policy.Requires(f.authorship())
}

func runClaimRequired(p *pass) {
	lacks, sign := p.lacksTask()
	if !lacks {
		return
	}
	message := "The policy requires a task, but this commit names none."
	if sign != "" {
		message = fmt.Sprintf("The policy requires a task in an agent's commit (%s), but this one names none.", sign)
	}
	if p.IsMerge || p.Message.Reverts != nil {
		path := p.ownWorkPath
		if path == "" {
			return
		}
		message = fmt.Sprintf("The policy requires a task, but this merge names none for the changes of its own (in %s).",
			path)
		if !p.IsMerge {
			message = fmt.Sprintf("The policy requires a task, but this revert names none for the changes that undo nothing "+
				"(in %s).", path)
		}
	}
	p.reportText(p.Message.Subject, message,
		"add the trailer «For: <task>» for work in progress, or make it an ACT with its report")
}

func (f *facts) authorship() policy.Authorship {
	a := policy.Authorship{Names: f.Authors, Session: cmp.Or(f.Part.Session.Value, f.Session)}
	for _, t := range f.Message.Trailers {
		switch {
		case strings.EqualFold(t.Key.Value, "Entire-Checkpoint"): // Entire's documentation
			a.Checkpoint = strings.TrimSpace(t.Value.Value)
		case strings.EqualFold(t.Key.Value, "Session") && a.Session == "":
			a.Session = strings.TrimSpace(t.Value.Value)
		}
	}
	return a
}

// isFixup reports a `fixup!` or the like of an ACT or ADAPT: its subject names the unit.
func (f *facts) isFixup() bool {
	if !f.Message.IsAutosquash {
		return false
	}
	target := f.Message.Subject.Value
	for {
		prefix, rest, ok := strings.Cut(target, "! ")
		if !ok || strings.ContainsAny(prefix, " :") {
			break
		}
		target = rest
	}
	return parser.Parse([]byte(target)).Parts[0].Kind != parser.None
}

// UnitConflict is the id of the rule below.
const UnitConflict = "unit_conflict"

func runUnitConflict(p *pass) {
	c := p.Part.Conflict
	if c == nil {
		return
	}
	if c.Second.Span.IsZero() {
		p.reportText(c.First, fmt.Sprintf("«%s» names no task.", shorten(c.First.Value)),
			"write «ACT: <task> <summary>», for example «ACT: M01/S01/T02 password login»")
		return
	}
	p.reportText(c.Second, fmt.Sprintf("«%s» and «%s» name different tasks.", shorten(c.First.Value),
		shorten(c.Second.Value)), "keep the one that is meant")
}
