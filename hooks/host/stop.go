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

// openItems lists the open items of the unit of an agent that stops and says that it is done; "" if none is open or
// known, or if they were already listed. Each unit's are listed once, and only if the state can be saved.
func (c *call) openItems(ctx context.Context) (string, error) {
	if c.wasBlocked || !saysDone(c.lastMessage) {
		return "", nil
	}
	root, n, err := c.unit(ctx)
	if err != nil || n == nil || slices.Contains(c.state.Reminded, n.Key) {
		return "", err
	}
	missing, err := c.missingItems(ctx, root, n)
	if err != nil || missing == "" {
		return "", err
	}
	c.state.Reminded = append(c.state.Reminded, n.Key)
	return missing, c.state.Save()
}

// unit is the plan and the agent's unit: the one open task that its actor has leased, else the one in progress; nil for
// none, several, or without a readable plan.
func (c *call) unit(ctx context.Context) (root *plan.Unit, n *plan.Node, err error) {
	_, root, err = snapshot.WorkPlan(ctx, c.repo)
	if malformed := (*snapshot.MalformedPlanError)(nil); errors.As(err, &malformed) || errors.Is(err, repo.ErrUnborn) {
		return nil, nil, nil
	}
	if err != nil || root == nil {
		return nil, nil, err
	}
	by, err := worklog.Identify(ctx, c.repo, journal.Caller{Name: c.Env.Get("ACTA_ACTOR"), Session: c.session})
	if err == nil {
		n, err = worklog.CurrentUnit(plan.NewIndex(root), c.common, by.Name, c.Now)
	}
	return root, n, err
}

func (c *call) missingItems(ctx context.Context, root *plan.Unit, n *plan.Node) (string, error) {
	if len(n.Checklist) == 0 {
		return "", nil
	}
	act, err := judge.NewHistory(c.repo, nil).ActsOf(root).LastAct(ctx, n.Key)
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

func (c *call) advice(n *plan.Node) string {
	return fmt.Sprintf("Finish them and commit «ACT: %s …» with a line «Done: ITEM | path:lines» or «Skipped: ITEM | "+
		"reason» for each item, "+
		"or say plainly what is left. If the task is blocked, end that ACT with «Outcome: blocked | REASON». acta "+
		"says this once.", n.Key)
}

//go:embed completion.txt
var completionText []byte

// phrases matches the phrases of a section of completion.txt as whole words.
func phrases(section string) *regexp.Regexp {
	var pattern string
	for _, f := range txtar.Parse(completionText).Files {
		if f.Name == section {
			pattern = strings.ReplaceAll(strings.TrimSpace(string(f.Data)), "\n", "|")
		}
	}
	return regexp.MustCompile(`(?i)(?:^|[^\w'])(?:` + pattern + `)(?:$|[^\w'])`)
}

// maxMessage bounds a message, in bytes: a longer one is no report.
const maxMessage = 64 << 10

// lastSentences is how many last sentences, besides the first, may claim completion: the others describe steps.
const lastSentences = 4

// saysDone reports whether an agent's last message says that its work is done, without open work or a question.
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
		// The claim ends where the sentence continues with something else.
		end := at[1] - 1
		if more := regexp.MustCompile(`,| and | with `).FindStringIndex(s[end:]); more != nil {
			s = s[:end+more[0]]
		}
		return !aside.MatchString(s)
	})
}

func prose(message string) string {
	message = strings.NewReplacer("’", "'", "\r\n", "\n").Replace(message)
	message = regexp.MustCompile("(?s)```.*?(?:```|$)").ReplaceAllString(message, "")
	message = regexp.MustCompile(`"[^"\n]*"|“[^”\n]*”|«[^»\n]*»`).ReplaceAllString(message, "")
	aside := regexp.MustCompile(`^\s*(?:[-*+•] |\d+[.)] |\||>)|^(?: {4}|\t)`)
	var lines []string
	for line := range strings.Lines(message) {
		if line = strings.TrimRight(line, "\n"); aside.MatchString(line) {
			continue
		}
		if line = strings.Trim(strings.TrimSpace(line), "*_#-•✅✔️☑🎉 \t"); line != "" {
			lines = append(lines, strings.NewReplacer("`", "", "**", "").Replace(line))
		}
	}
	return strings.Join(lines, "\n")
}

func sentences(text string) (all []string) {
	for _, s := range regexp.MustCompile(`[.!:;](?:\s|$)|\n| [—–-] `).Split(text, -1) {
		if s = strings.Trim(s, " \t.!,*✅✔️🎉"); s != "" {
			all = append(all, s)
		}
	}
	return all
}
