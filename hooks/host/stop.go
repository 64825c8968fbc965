package host

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
)

// claimsDone reports whether an agent that stops says that it is done, and was not kept from stopping already.
func (e *event) claimsDone() bool { return !e.wasBlocked && saysDone(e.lastMessage) }

// openItems is what is missing of the unit of an agent that stops and says that it is done; "" where nothing is
// missing, where nobody can tell, and where it was told before. It is told once of each unit, and only where
// that can be remembered.
func (c *call) openItems(ctx context.Context) (string, error) {
	if !c.claimsDone() {
		return "", nil
	}
	n, err := c.unit(ctx)
	if err != nil || n == nil || slices.Contains(c.state.Reminded, n.Key) {
		return "", err
	}
	missing, err := c.missing(ctx, n)
	if err != nil || missing == "" {
		return "", err
	}
	c.state.Reminded = append(c.state.Reminded, n.Key)
	if err := c.state.Save(); err != nil {
		return "", err
	}
	return missing, nil
}

// unit is the agent's: the one task that its actor has claimed and that is open, else the one that is in
// progress; nil where there is none or more than one. Without a plan that can be read there is none.
func (c *call) unit(ctx context.Context) (*plan.Node, error) {
	_, root, err := snapshot.WorkPlan(ctx, c.repo)
	if malformed := (*snapshot.MalformedPlanError)(nil); errors.As(err, &malformed) || errors.Is(err, repo.ErrUnborn) {
		return nil, nil
	}
	if err != nil || root == nil {
		return nil, err
	}
	actor, err := c.actor(ctx)
	if err != nil {
		return nil, err
	}
	return worklog.CurrentUnit(plan.NewIndex(root), c.common, actor, c.Now)
}

// actor is who works, as it is for who runs a command: ACTA_ACTOR, else git's configuration acta.actor.
func (c *call) actor(ctx context.Context) (string, error) {
	by, err := worklog.Identify(ctx, c.repo, journal.Caller{Name: c.Env.Get("ACTA_ACTOR"), Session: c.session})
	return by.Name, err
}

// missing says which items of a unit no ACT carries, and what to do; "" where its last ACT carries them all.
func (c *call) missing(ctx context.Context, n *plan.Node) (string, error) {
	if len(n.Checklist) == 0 {
		return "", nil
	}
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	last, err := judge.NewHistory(c.repo, nil).LastAct(ctx, root.Unit)
	if err != nil {
		return "", err
	}
	act, err := last.LastAct(ctx, n.Key)
	if err != nil || act.IsUnknown || act.BlockReason != "" {
		return "", err
	}
	var open []string
	for _, i := range n.Checklist {
		reported := slices.ContainsFunc(act.Items, func(r plan.ReportedItem) bool {
			return plan.ItemKey(r.Text) == plan.ItemKey(i.Text)
		})
		if act.Commit == "" || !reported {
			open = append(open, "- "+i.Text)
		}
	}
	switch {
	case len(open) > 0:
		return fmt.Sprintf("%s is not done: no ACT reports\n%s\n%s", n.Key, strings.Join(open, "\n"), c.advice(n)), nil
	case act.HasRefuted || act.HasFailed || act.HasErrors:
		return fmt.Sprintf("%s is not done: its last ACT, %.12s, does not hold; acta verify %.12s~1..%.12s says why\n%s",
			n.Key, act.Commit, act.Commit, act.Commit, c.advice(n)), nil
	}
	return "", nil
}

// advice is what to do about open items.
func (c *call) advice(n *plan.Node) string {
	return fmt.Sprintf("Finish them and commit «ACT: %s …» with a line «Done: ITEM | path:lines» or «Skipped: ITEM | "+
		"reason» for each item, "+
		"or say plainly what is left. If the task cannot go on, end that ACT with «Outcome: blocked | REASON». acta "+
		"says this once.", n.Key)
}

//go:embed completion.txt
var completionText []byte

// phrases finds any of the phrases of a section of completion.txt as whole words.
func phrases(section string) *regexp.Regexp {
	var of string
	for _, f := range txtar.Parse(completionText).Files {
		if f.Name == section {
			of = strings.ReplaceAll(strings.TrimSpace(string(f.Data)), "\n", "|")
		}
	}
	return regexp.MustCompile(`(?i)(?:^|[^\w'])(?:` + of + `)(?:$|[^\w'])`)
}

// maxMessage bounds a message that is looked at, in bytes: a longer one is no report.
const maxMessage = 64 << 10

// lastSentences is how many sentences at the end of a message are asked, beside the first, whether they claim: what
// stands between tells of steps.
const lastSentences = 4

// saysDone reports whether the last message of an agent says that its work is done. One that says that something is
// left, or asks something, does not, whatever else it says.
func saysDone(message string) bool {
	if len(message) > maxMessage || strings.Contains(message, "?") {
		return false
	}
	text := prose(message)
	if text == "" || phrases("open").MatchString(text) {
		return false
	}
	all := sentences(text)
	if last := len(all) - lastSentences; last > 1 {
		all = append(all[:1], all[last:]...)
	}
	claim, aside, hedged := phrases("claim"), phrases("aside"), phrases("hedged")
	return slices.ContainsFunc(all, func(s string) bool {
		s, _, _ = strings.Cut(s, " so that ")
		at := claim.FindStringIndex(s)
		if at == nil || hedged.MatchString(s) {
			return false
		}
		// What is claimed ends where the sentence goes on to something else.
		end := at[1] - 1
		if more := regexp.MustCompile(`,| and | with `).FindStringIndex(s[end:]); more != nil {
			s = s[:end+more[0]]
		}
		return !aside.MatchString(s)
	})
}

// prose is a message without code, quotations and lists, and without what only decorates.
func prose(message string) string {
	message = strings.NewReplacer("’", "'", "\r\n", "\n").Replace(message)
	message = regexp.MustCompile("(?s)```.*?(?:```|$)").ReplaceAllString(message, "")
	message = regexp.MustCompile(`"[^"\n]*"|“[^”\n]*”|«[^»\n]*»`).ReplaceAllString(message, "")
	aside := regexp.MustCompile(`^\s*(?:[-*+•] |\d+[.)] |\||>)|^(?: {4}|\t)`)
	var kept []string
	for line := range strings.Lines(message) {
		if line = strings.TrimRight(line, "\n"); aside.MatchString(line) {
			continue
		}
		if line = strings.Trim(strings.TrimSpace(line), "*_#-•✅✔️☑🎉 \t"); line != "" {
			kept = append(kept, strings.NewReplacer("`", "", "**", "").Replace(line))
		}
	}
	return strings.Join(kept, "\n")
}

// sentences are those of a text, without their marks.
func sentences(text string) (all []string) {
	for _, s := range regexp.MustCompile(`[.!:;](?:\s|$)|\n| [—–-] `).Split(text, -1) {
		if s = strings.Trim(s, " \t.!,*✅✔️🎉"); s != "" {
			all = append(all, s)
		}
	}
	return all
}
