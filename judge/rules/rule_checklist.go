package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

func runItemsMismatch(p *pass) {
	if p.Part.Kind != parser.Act || len(p.Registered) == 0 || p.isCherryPick() || len(p.claims) == 0 {
		return
	}
	reported := map[string]bool{}
	var extra []string
	for _, c := range p.claims {
		k := p.registry.key(c.Item.Value)
		if !reported[k] && p.registry.find(c.Item.Value) == nil {
			extra = append(extra, "«"+c.Item.Value+"»")
		}
		reported[k] = true
	}
	var missing []string
	for _, i := range p.Registered {
		if !reported[p.registry.key(i.Text)] {
			missing = append(missing, "«"+i.Text+"»")
		}
	}
	var hint []string
	if missing != nil {
		hint = append(hint, "not reported: "+strings.Join(missing, ", "))
	}
	if extra != nil {
		hint = append(hint, "not registered: "+strings.Join(extra, ", "))
	}
	switch {
	case missing != nil && extra != nil:
		hint = append(hint, "copy each item word for word from the plan; to report a new item, first add it to the plan "+
			"with an ADAPT")
	case missing != nil:
		hint = append(hint, "add "+reportLines+" for each")
	case extra != nil:
		hint = append(hint, "report only items that the plan has, or first add the others to the plan with an ADAPT")
	}
	if hint != nil {
		p.reportText(p.Part.Unit,
			"Reported checklist items don't match registered items. Include all items from the original checklist.",
			strings.Join(hint, "; "))
	}
}

func runItemPending(p *pass) {
	if HasFailed(p.Part) || BlockReason(p.Part) != "" {
		return
	}
	for _, c := range p.claims {
		if c.Status == parser.Pending {
			p.reportClaim(c,
				fmt.Sprintf("Checklist item '%s' is still pending. Set status to 'done' (with evidence) or 'skipped' (with "+
					"reason).", c.Item.Value),
				c.messageHint("report it as "+reportLines+
					"; commit unfinished work with the trailer «For: <task>» instead of an ACT title"))
		}
	}
}

// HasFailed reports an attempt that says itself that it failed, was given up or is not finished: «failure», «aborted»,
// and how people write them («failed: tests are red», «partial»).
func HasFailed(part *parser.Part) bool {
	return slices.Contains([]string{"failure", "failed", "fail", "aborted", "abort", "partial", "partially", "incomplete"},
		firstWord(part.Outcome.Value))
}

// firstWord is the first word of a text in lower case, "" without any.
func firstWord(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' })
	return strings.Join(words[:min(1, len(words))], "")
}

// BlockReason is the reason in «Outcome: blocked | <reason>»; "" without a valid one. The task stays open, and items
// that the part does not report are pending.
func BlockReason(part *parser.Part) string {
	word, reason, _ := strings.Cut(part.Outcome.Value, "|")
	if reason = strings.TrimSpace(reason); !strings.EqualFold(strings.TrimSpace(word), "blocked") ||
		reasonProblem(reason) != "" {
		return ""
	}
	return reason
}

func runEvidenceRequired(p *pass) {
	for _, c := range p.claims {
		if c.Status != parser.Done || len(c.Evidence) > 0 || c.UnclearReason != "" {
			continue
		}
		hint := c.messageHint("write " + doneLine + "; `acta cite` prints such lines for the staged changes")
		if c.LacksBar {
			places := parser.ParseEvidence(c.EvidenceText.Value, report.Pos{})
			hint = fmt.Sprintf("separate item and evidence with « | »: «%s | %s»", c.Item.Value,
				strings.Join(report.Map(places, parser.Evidence.String), ", "))
		} else if strings.Contains(c.Item.Value, "|") && !c.HasBar {
			hint = "write the bar with a space on either side: «Done: item | path:line»"
		}
		p.reportClaim(c,
			fmt.Sprintf("Checklist item '%s' with status 'done' requires evidence. Format: 'file.py:42' or 'file.py:42-58'.",
				c.Item.Value), hint)
	}
}

// The lines of a report, as hints show them.
const (
	doneLine    = "«Done: <item> | <path>:<start>-<end>»"
	skippedLine = "«Skipped: <item> | <reason>»"
	reportLines = doneLine + " or " + skippedLine
)

// messageHint is a hint that shows how a claim is written in the message; "" for one from a file.
func (j *judgedClaim) messageHint(hint string) string {
	if j.Source == parser.FromFile {
		return ""
	}
	return hint
}

func runReasonRequired(p *pass) {
	for _, c := range p.claims {
		if c.Status != parser.Skipped || !isTooShort(c.Reason.Value) && hasWords(c.Reason.Value) {
			continue
		}
		hint := c.messageHint("write " + skippedLine + ": what makes the item unnecessary, or where it is done instead")
		if !isTooShort(c.Reason.Value) {
			hint = fmt.Sprintf("«%s» holds no words; say what makes the item unnecessary, or where it is done instead",
				c.Reason.Value)
		}
		p.reportClaim(c,
			fmt.Sprintf("Checklist item '%s' with status 'skipped' requires reason (min %d chars). Explain why this item "+
				"is not needed.", c.Item.Value, minReason), hint)
	}
}

func runMissing(p *pass) {
	if p.Part.Kind != parser.Act || p.isCherryPick() || len(p.claims) > 0 || HasFailed(p.Part) ||
		BlockReason(p.Part) != "" || len(p.Part.UnreadLines) > 0 || len(p.FileErrors) > 0 || len(p.Message.Invalid) > 0 {
		return
	}
	hint := "add «Done: <item> | <path>:<line>-<line>» lines, in a paragraph of their own"
	if len(p.Registered) > 0 {
		names := report.Map(p.Registered, func(i plan.Item) string { return "«" + i.Text + "»" })
		hint += "; registered: " + strings.Join(names, ", ")
	}
	p.reportText(p.Part.Unit, "This ACT reports no checklist item.", hint)
}

func runSkipped(p *pass) {
	required, requiredSkipped, skipped := 0, 0, 0
	for _, c := range p.claims {
		if c.Status == parser.Skipped {
			skipped++
		}
		if p.isOptional(c.Item.Value) {
			continue
		}
		required++
		if c.Status == parser.Skipped {
			requiredSkipped++
		}
	}
	switch {
	case p.isCherryPick():
	case skipped == len(p.claims):
		if len(p.claims) > 0 {
			p.reportText(p.Part.Unit, "Every item of this ACT is skipped.",
				"if the task is not needed, remove it from the plan with an ADAPT")
		}
	case !HasFailed(p.Part) && required >= 3 && 2*requiredSkipped > required:
		p.severity = p.rule.milderSeverity(p.Policy, p.Tier)
		p.reportText(p.Part.Unit,
			fmt.Sprintf("%d of %d required items of this ACT are skipped.", requiredSkipped, required),
			"if these items are not needed, remove them from the plan with an ADAPT")
	}
}

func runItemDuplicate(p *pass) {
	first := map[string]*judgedClaim{}
	for _, c := range p.claims {
		k := p.registry.key(c.Item.Value)
		f := first[k]
		if f == nil {
			first[k] = c
			continue
		}
		p.reportClaim(c, fmt.Sprintf("Checklist item '%s' is reported twice with different content.", c.Item.Value),
			fmt.Sprintf("it is reported as %s and as %s; keep one", describeReport(f), describeReport(c)))
	}
}

func describeReport(c *judgedClaim) string {
	rest := c.EvidenceText.Value
	if c.Status != parser.Done {
		rest = c.Reason.Value
	}
	if rest == "" {
		return string(c.Status)
	}
	return fmt.Sprintf("%s («%s»)", c.Status, rest)
}
