package check

import (
	"context"
	"fmt"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
)

// Citation is an earlier claim, of another unit, that cites the same lines.
type Citation struct {
	// Commit is the full id of the commit that made the claim.
	Commit, Unit, Item string
}

func ruleEvidenceNotInDiff() *Rule {
	return evidenceRule(evidence.NotInDiff, Rule{
		Title: "the cited lines are not part of the unit's change",
		Doc: "Code that stood there before shows nothing about what was done. The cited lines must touch what this\n" +
			"commit adds or changes, or what an earlier ACT or For commit of the same unit did since the unit was\n" +
			"last reopened; lines next to a deletion count. A renamed file is followed. A change that leaves the\n" +
			"tokens of the lines as they were (a comment, a docstring, blanks, what a formatter does, another\n" +
			"order) is none for an item that asks to make something new; for another item that asks for code it is\n" +
			"none where the whole file changes no more than that, unless its words speak of comments or form; a\n" +
			"comment that instructs a tool is code. Of 2,456 places of 240 public commits where a line of code was\n" +
			"written, cited under the subject of the commit, none is unclear for it; of 104 such changes, 102 are\n" +
			"not verified. The verdict is unclear, never a refutation. Where a shallow clone cuts the history, the\n" +
			"finding says so.",
		Severity: Severities{diag.Error, diag.Warning, 0, 0},
		Example: Example{
			Base:    loginFile(),
			Files:   map[string]string{"src/session.py": "def open_session(user):\n    return Session(user)\n"},
			Message: "ACT: T01 sessions\n\nDone: Open sessions | src/session.py:1-2\nDone: Add login() | src/auth.py:5-8\n",
		},
	})
}

func ruleEvidenceReused() *Rule {
	return &Rule{
		ID: "evidence_reused", Since: "0.1", Class: OfClaims, Scope: OfPart,
		Title: "the same lines are cited for another item or unit",
		Doc: "One span cited for two items of a report proves at most one of them, blank lines at its edges or not.\n" +
			"So does a span that an earlier ACT of another unit cites, such blanks left aside too, where the lines\n" +
			"say the same as they did then and no commit of this unit touched them. Cite for each item the lines\n" +
			"that implement it.",
		Severity: advised,
		Example: Example{
			Files:   loginFile(),
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:5-8\nDone: Validate the password | src/auth.py:5-8\n",
		},
		Run: runReused,
	}
}

func runReused(ctx context.Context, p *Pass) error {
	cited := p.citedBefore()
	for i := range p.claims {
		c := &p.claims[i]
		for k, e := range c.Evidence {
			if c.Status != parser.Done || e.Err != "" || e.Removed || e.Start == 0 {
				continue
			}
			place := e.Place()
			same := place
			if k < len(c.Results) && 0 < c.Results[k].First && c.Results[k].First <= c.Results[k].Last {
				trimmed := e
				trimmed.Start, trimmed.End = c.Results[k].First, c.Results[k].Last
				same = trimmed.Place()
			}
			first, known := cited[same]
			switch {
			case known && (first.Unit != "" || p.known.key(first.Item) != p.known.key(c.Item.Value)):
				p.reportReused(c, place, first)
				continue
			case !known:
				cited[same] = Citation{Item: c.Item.Value}
			}
			if k >= len(c.Results) || !c.Results[k].Outside {
				continue
			}
			earlier, err := p.Cited(ctx, e)
			if err != nil {
				return err
			}
			if earlier != nil {
				from := len(p.findings)
				p.reportReused(c, place, *earlier)
				p.comparing(from)
			}
		}
	}
	return nil
}

// citedBefore are the places that earlier parts of a joined message cite for other units.
func (p *Pass) citedBefore() map[string]Citation {
	cited := map[string]Citation{}
	for i := range p.Message.Parts {
		part := &p.Message.Parts[i]
		if part == p.Part {
			break
		}
		if part.Kind != parser.Act || parser.SameUnit(part.Unit.Value, p.Part.Unit.Value) {
			continue
		}
		for _, c := range part.Claims {
			for _, e := range c.Evidence {
				if _, known := cited[e.Place()]; !known && c.Status == parser.Done {
					cited[e.Place()] = Citation{Unit: part.Unit.Value, Item: c.Item.Value}
				}
			}
		}
	}
	return cited
}

func (p *Pass) reportReused(c *judgedClaim, place string, first Citation) {
	by := fmt.Sprintf("for '%s'", first.Item)
	if first.Unit != "" {
		by += " of " + first.Unit
	}
	if first.Commit != "" {
		by += fmt.Sprintf(", in commit %.12s", first.Commit)
	}
	p.reportClaim(c, fmt.Sprintf("Evidence '%s' is cited already %s.", place, by),
		"cite the lines that implement this item")
}

func ruleEvidenceUnrelated() *Rule {
	return &Rule{
		ID: "evidence_item_unrelated", Since: "0.1", Class: OfClaims, Scope: OfPart,
		Title: "the item names something that the cited lines know nothing of",
		Doc: "An item that names a symbol or a file (`login()`, a name in backticks, `src/auth.py`) is shown by\n" +
			"lines that hold that name, or stand in a definition or file of that name; style does not count\n" +
			"(`user_model`, `UserModel`). A name that may as well be prose (GitHub, user_id) counts only where\n" +
			"something in the change is called so. One of several names, in one of several places, is enough. The\n" +
			"hint says where the name stands.",
		Severity: advised,
		Example: Example{
			Files: map[string]string{"src/auth.py": "def login(user):\n    return user.check()\n\n\ndef logout(user):\n    " +
				"user.session.close()\n"},
			Message: "ACT: T01 login\n\nDone: Add `logout` | src/auth.py:1-2\n",
		},
		Run: runUnrelated,
	}
}

func runUnrelated(ctx context.Context, p *Pass) error {
	for i := range p.claims {
		c := &p.claims[i]
		if c.Status != parser.Done || c.Verdict == diag.NotVerified {
			continue
		}
		for _, n := range c.lacking() {
			where, err := p.find(ctx, c, n)
			if err != nil {
				return err
			}
			if !n.Sure && where == "" {
				continue
			}
			hint := "cite the lines of " + n.Text
			if where != "" {
				hint = fmt.Sprintf("%s stands at %s", n.Text, where)
			}
			p.reportClaim(c, fmt.Sprintf("The item names %s, and the cited lines do not mention it.", n.Text), hint)
			break
		}
	}
	return nil
}

// lacking returns the names of the item when none of them is known to any cited
// place; nil when one is, or a place was not looked at.
func (j *judgedClaim) lacking() []evidence.Name {
	names := evidence.Names(j.Item.Value)
	for _, r := range j.Results {
		if r.Lacks == nil || len(r.Lacks) < len(names) {
			return nil
		}
	}
	return names
}

// find looks for a name in what is cited and what the commit changes.
func (p *Pass) find(ctx context.Context, c *judgedClaim, n evidence.Name) (string, error) {
	var paths []string
	for _, e := range c.Evidence {
		paths = append(paths, e.Path)
	}
	changed, err := p.Changed(ctx)
	if err != nil {
		return "", err
	}
	return p.Judge.Find(ctx, n, append(paths, changed...))
}
