package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/parser"
)

// ItemsMismatch is the id of the rule below, for whoever asks about its findings.
const ItemsMismatch = "checklist_items_mismatch"

func ruleItemsMismatch() *Rule {
	return &Rule{
		ID: ItemsMismatch, Since: "0.1", Class: OfClaims, Scope: OfPart, OnPlan: true,
		Title: "the report leaves out a registered item, or reports one that is not registered",
		Doc: "The checklist of a unit stands in the plan before the commit. An ACT reports every item of it, optional\n" +
			"ones included, and no other: work that is left out must be said to be left out. Report a missing item with\n" +
			"`Done:` and evidence, or with `Skipped:` and a reason; add a new item to the plan with an ADAPT commit first.\n" +
			"Items are compared with white space folded and without backticks, and without case where just one item fits.\n" +
			"Where there is no plan, or the unit is not in it, the report stands alone.",
		Severity: judged,
		Example: Example{
			Files:   loginFile(),
			Plan:    []Item{{Text: "Add login()"}, {Text: "Add logout()"}},
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:5-8\n",
		},
		Run: runItemsMismatch,
	}
}

func runItemsMismatch(_ context.Context, p *Pass) error {
	if p.Part.Kind != parser.Act || len(p.Registered) == 0 || p.picked() || p.reportsNothing() {
		return nil
	}
	reported := map[string]bool{}
	var extra []string
	for _, c := range p.claims {
		k := p.known.key(c.Item.Value)
		if !reported[k] && p.known.find(c.Item.Value) == nil {
			extra = append(extra, "«"+c.Item.Value+"»")
		}
		reported[k] = true
	}
	var missing []string
	for _, i := range p.Registered {
		if !reported[p.known.key(i.Text)] {
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
		hint = append(hint, "write each item as the plan has it; an ADAPT adds a new one to the plan first")
	case missing != nil:
		hint = append(hint, "add "+reportLines+" for each")
	case extra != nil:
		hint = append(hint, "leave out what is not registered, or let an ADAPT add it to the plan first")
	}
	if hint != nil {
		defer p.comparing(len(p.findings))
		p.reportText(p.Part.Unit,
			"Reported checklist items don't match registered items. Include all items from the original checklist.",
			strings.Join(hint, "; "))
	}
	return nil
}

func ruleItemPending() *Rule {
	return &Rule{
		ID: "checklist_item_pending", Since: "0.1", Class: OfClaims, Scope: OfPart,
		Title: "an item is reported as pending",
		Doc: "An ACT says that its unit is done, so each of its items is done or skipped. An item that is still open\n" +
			"belongs into a later ACT: commit the work so far with a `For:` trailer, which claims nothing, or say with\n" +
			"`Outcome: failure` or `Outcome: aborted` that this attempt ends here; pending items are then an honest report.",
		Severity: judged,
		Example: Example{
			Files:   loginFile(),
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:5-8\nPending: Add logout()\n",
		},
		Run: func(_ context.Context, p *Pass) error {
			if p.failed() {
				return nil
			}
			for i := range p.claims {
				if c := &p.claims[i]; c.Status == parser.Pending {
					p.reportClaim(c,
						fmt.Sprintf("Checklist item '%s' is still pending. Set status to 'done' (with evidence) or 'skipped' (with "+
							"reason).", c.Item.Value),
						c.lines("report it as "+reportLines+"; work that goes on is committed with «For: <unit>» instead of ACT"))
				}
			}
			return nil
		},
	}
}

// failed reports an ACT that says itself that it did not succeed: «failure»,
// «aborted», and how people write them («failed: tests are red»).
func (p *Pass) failed() bool { return Failed(p.Part) }

// Failed reports an attempt that says itself that it failed or was given up.
func Failed(part *parser.Part) bool {
	word := strings.FieldsFunc(strings.ToLower(part.Outcome.Value), func(r rune) bool { return r < 'a' || r > 'z' })
	return len(word) > 0 && slices.Contains([]string{"failure", "failed", "fail", "aborted", "abort"}, word[0])
}

func ruleEvidenceRequired() *Rule {
	return &Rule{
		ID: "checklist_evidence_required", Since: "0.1", Class: OfClaims, Scope: OfPart,
		Title: "an item is reported done without evidence",
		Doc: "Whoever says «done» says where: after the item come a space, a bar, a space, and the lines that\n" +
			"implement it. Several places are separated by commas. Where places stand behind the item without the\n" +
			"bar, the hint says how to write the line. `acta check --message FILE` tries a message out before the\n" +
			"commit.",
		Severity: judged,
		Example: Example{
			Files:   loginFile(),
			Message: "ACT: T01 login\n\nDone: Add login()\n",
		},
		Run: func(_ context.Context, p *Pass) error {
			for i := range p.claims {
				c := &p.claims[i]
				if c.Status != parser.Done || len(c.Evidence) > 0 {
					continue
				}
				hint := c.lines("write " + doneLine + "; `acta cite` prints such lines for what is staged")
				if c.Unbarred {
					hint = fmt.Sprintf("separate item and evidence with « | »: «%s | %s»", c.Item.Value,
						places(parser.ParseEvidence(c.Cited.Value, diag.Pos{})))
				} else if strings.Contains(c.Item.Value, "|") && !c.Separated {
					hint = "write the bar with a space on either side: «Done: item | path:line»"
				}
				p.reportClaim(c,
					fmt.Sprintf("Checklist item '%s' with status 'done' requires evidence. Format: 'file.py:42' or 'file.py:42-58'.",
						c.Item.Value), hint)
			}
			return nil
		},
	}
}

// The lines of a report, as hints show them.
const (
	doneLine    = "«Done: <item> | <path>:<start>-<end>»"
	skippedLine = "«Skipped: <item> | <reason>»"
	reportLines = doneLine + " or " + skippedLine
)

// lines is a hint that shows how a claim is written in the message; "" for one from a file, which is JSON or YAML.
func (j *judgedClaim) lines(hint string) string {
	if j.Source == parser.FromFile {
		return ""
	}
	return hint
}

// places writes a list of evidence in its plain form.
func places(list []parser.Evidence) string {
	var all []string
	for _, e := range list {
		all = append(all, e.String())
	}
	return strings.Join(all, ", ")
}

func ruleReasonRequired() *Rule {
	return &Rule{
		ID: "checklist_reason_required", Since: "0.1", Class: OfClaims, Scope: OfPart,
		Title: "an item is skipped without a reason of at least 10 characters",
		Doc: "Skipping is fine when the reader learns why: what makes the item unnecessary, or where it is done\n" +
			"instead. Ten characters are little; they are enough to keep «n/a» out. Dashes, digits and one short\n" +
			"word again and again are no reason either: it needs a word of four different letters, or two different\n" +
			"words.",
		Severity: judged,
		Example: Example{
			Files:   loginFile(),
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:5-8\nSkipped: Add logout() | later\n",
		},
		Run: func(_ context.Context, p *Pass) error {
			for i := range p.claims {
				c := &p.claims[i]
				if c.Status != parser.Skipped || !tooShort(c.Reason.Value) && hasWords(c.Reason.Value) {
					continue
				}
				hint := c.lines("write " + skippedLine + ": what makes the item unnecessary, or where it is done instead")
				if !tooShort(c.Reason.Value) {
					hint = fmt.Sprintf("«%s» holds no words; say what makes the item unnecessary, or where it is done instead",
						c.Reason.Value)
				}
				p.reportClaim(c,
					fmt.Sprintf("Checklist item '%s' with status 'skipped' requires reason (min %d chars). Explain why this item "+
						"is not needed.", c.Item.Value, minReason), hint)
			}
			return nil
		},
	}
}

func ruleMissing() *Rule {
	return &Rule{
		ID: "checklist_missing", Since: "0.1", Class: OfClaims, Scope: OfPart,
		Title: "an ACT reports nothing",
		Doc: "An ACT without a report says that something was done, but not what. Add a `Done:` or `Skipped:` line for\n" +
			"each item of the unit, or use the trailer `For: <unit>` for work in progress, which claims nothing.",
		Severity: Severities{diag.Error, diag.Warning, 0, 0},
		Example: Example{
			Files:   loginFile(),
			Message: "ACT: T01 login\n\nEverything works now.\n",
		},
		Run: func(_ context.Context, p *Pass) error {
			if p.Part.Kind != parser.Act || p.picked() || !p.reportsNothing() || p.failed() ||
				len(p.Part.Unread) > 0 || len(p.FileErrors) > 0 || len(p.Message.Invalid) > 0 {
				return nil
			}
			hint := "add «Done: <item> | <path>:<line>-<line>» lines, in a paragraph of their own"
			if len(p.Registered) > 0 {
				hint += "; registered: " + registered(p.Registered)
			}
			p.reportText(p.Part.Unit, "This ACT reports no checklist item.", hint)
			return nil
		},
	}
}

func (p *Pass) reportsNothing() bool { return len(p.claims) == 0 }

func registered(items []Item) string {
	var names []string
	for _, i := range items {
		names = append(names, "«"+i.Text+"»")
	}
	return strings.Join(names, ", ")
}

func ruleAllSkipped() *Rule {
	return &Rule{
		ID: "checklist_all_skipped", Since: "0.1", Class: OfClaims, Scope: OfPart,
		Title: "every item is skipped",
		Doc: "An ACT that skips its whole checklist has done nothing that can be checked. If the unit is not needed, say\n" +
			"so with an ADAPT that takes it out of the plan.",
		Severity: Severities{diag.Error, diag.Warning, 0, 0},
		Example: Example{
			Message: "ACT: T01 login\n\nSkipped: Add login() | The framework brings one\n",
		},
		Run: func(_ context.Context, p *Pass) error {
			skipped := func(c judgedClaim) bool { return c.Status == parser.Skipped }
			if p.picked() || p.reportsNothing() ||
				slices.ContainsFunc(p.claims, func(c judgedClaim) bool { return !skipped(c) }) {
				return nil
			}
			p.reportText(p.Part.Unit, "Every item of this ACT is skipped.",
				"an ADAPT commit takes a unit that is not needed out of the plan")
			return nil
		},
	}
}

func ruleMostlySkipped() *Rule {
	return &Rule{
		ID: "checklist_mostly_skipped", Since: "0.1", Class: OfClaims, Scope: OfPart,
		Title: "most of the required items are skipped",
		Doc: "A unit of which most is left out is not the unit that was planned. Do the work that is left, or take\n" +
			"the items out of the plan with an ADAPT that says why. Optional items do not count, nor does an\n" +
			"attempt that says that it failed. It is asked of three required items and more: of two, one may well\n" +
			"be done elsewhere.",
		Severity: advised,
		Example: Example{
			Files: loginFile(),
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:5-8\nSkipped: Add logout() | The framework brings " +
				"one\n" +
				"Skipped: Add a session store | Reusing the existing one\n",
		},
		Run: func(_ context.Context, p *Pass) error {
			required, skipped := 0, 0
			for i := range p.claims {
				c := &p.claims[i]
				if p.optional(c.Item.Value) {
					continue
				}
				required++
				if c.Status == parser.Skipped {
					skipped++
				}
			}
			if p.picked() || p.failed() || required < 3 || skipped == len(p.claims) || 2*skipped <= required {
				return nil
			}
			p.reportText(p.Part.Unit, fmt.Sprintf("%d of %d required items of this ACT are skipped.", skipped, required),
				"an ADAPT commit takes items that are not needed out of the plan")
			return nil
		},
	}
}

func ruleItemDuplicate() *Rule {
	return &Rule{
		ID: "checklist_item_duplicate", Since: "0.1", Class: OfClaims, Scope: OfPart,
		Title: "one item is reported twice, differently",
		Doc: "Trailers, task list and report file are one report. The same item may stand in several of them when they\n" +
			"say the same; where they differ, nobody can know which is meant. Cite several places in one line instead,\n" +
			"separated by commas.",
		Severity: judged,
		Example: Example{
			Files:   loginFile(),
			Message: "ACT: T01 login\n\n- [x] Add login() | src/auth.py:5-8\n\nDone: Add login() | src/auth.py:5\n",
		},
		Run: func(_ context.Context, p *Pass) error {
			first := map[string]*judgedClaim{}
			for i := range p.claims {
				c := &p.claims[i]
				k := p.known.key(c.Item.Value)
				f := first[k]
				if f == nil {
					first[k] = c
					continue
				}
				p.reportClaim(c, fmt.Sprintf("Checklist item '%s' is reported twice with different content.", c.Item.Value),
					fmt.Sprintf("it is reported as %s and as %s; keep one", said(f), said(c)))
			}
			return nil
		},
	}
}

func said(c *judgedClaim) string {
	rest := c.Cited.Value
	if c.Status != parser.Done {
		rest = c.Reason.Value
	}
	if rest == "" {
		return string(c.Status)
	}
	return fmt.Sprintf("%s («%s»)", c.Status, rest)
}
