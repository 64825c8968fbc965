package agent

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/worklog"
)

// claimsDone reports whether an agent that stops says that it is done, and was not kept from stopping already.
func (e *event) claimsDone() bool { return !e.held && saysDone(e.said) }

// open is what is missing of the unit of an agent that stops and says that it is done; "" where nothing is
// missing, where nobody can tell, and where it was told before. It is told once of each unit, and only where
// that can be remembered.
func (c *call) open(ctx context.Context) (string, error) {
	n, err := c.unit(ctx)
	if err != nil || n == nil || slices.Contains(c.state.Told, n.Key) {
		return "", err
	}
	missing, err := c.missing(ctx, n)
	if err != nil || missing == "" {
		return "", err
	}
	c.state.Told = append(c.state.Told, n.Key)
	if err := c.state.Save(); err != nil {
		return "", err
	}
	return missing, nil
}

// unit is the agent's: the one task that its actor has claimed and that is open, else the one that is in
// progress; nil where there is none or more than one. Without a plan that can be read there is none.
func (c *call) unit(ctx context.Context) (*plan.Node, error) {
	_, root, err := judge.WorkPlan(ctx, c.repo, c.Release)
	if malformed := (*judge.MalformedPlanError)(nil); errors.As(err, &malformed) || errors.Is(err, repo.ErrUnborn) {
		return nil, nil
	}
	if err != nil || root == nil {
		return nil, err
	}
	actor, err := c.actor(ctx)
	if err != nil {
		return nil, err
	}
	claims, err := worklog.ReadClaims(c.common)
	if err != nil {
		return nil, err
	}
	var claimed, others, working []*plan.Node
	for _, n := range plan.NewIndex(root).Nodes {
		if !n.Acts() || n.Status == plan.Complete {
			continue
		}
		held := claims.Holder(n.Key, c.Now)
		switch {
		case held != nil && actor != "" && held.Agent == actor && held.Unit == n.Key:
			claimed = append(claimed, n)
		case held != nil && held.Agent != actor:
			others = append(others, n)
		}
		if n.Status == plan.InProgress {
			working = append(working, n)
		}
	}
	if len(claimed) == 0 {
		claimed = slices.DeleteFunc(working, func(n *plan.Node) bool { return actor != "" && slices.Contains(others, n) })
	}
	if len(claimed) != 1 {
		return nil, nil
	}
	return claimed[0], nil
}

// actor is who works: ACTA_ACTOR, else git's configuration acta.actor.
func (c *call) actor(ctx context.Context) (string, error) {
	name := c.Getenv("ACTA_ACTOR")
	if name == "" {
		config, err := c.repo.Config(ctx, "acta.actor")
		if err != nil {
			return "", err
		}
		name = config["acta.actor"]
	}
	return strings.Join(strings.Fields(name), " "), nil
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
	last, err := judge.LastAct(ctx, c.repo, c.Release, root.Unit)
	if err != nil {
		return "", err
	}
	act, err := last(n.Key)
	if err != nil || act.Unknown {
		return "", err
	}
	var open []string
	for _, i := range n.Checklist {
		reported := slices.ContainsFunc(act.Items, func(r plan.Item) bool { return plan.ItemKey(r.Text) == plan.ItemKey(i.Text) })
		if act.Commit == "" || !reported {
			open = append(open, "- "+i.Text)
		}
	}
	switch {
	case len(open) > 0:
		return fmt.Sprintf("%s is not done: no ACT reports\n%s\n%s", n.Key, strings.Join(open, "\n"), c.advice(n)), nil
	case act.NotVerified || act.Failed || act.Errors:
		return fmt.Sprintf("%s is not done: its last ACT, %.12s, does not hold; acta verify %.12s~1..%.12s says why\n%s",
			n.Key, act.Commit, act.Commit, act.Commit, c.advice(n)), nil
	}
	return "", nil
}

// advice is what to do about open items.
func (c *call) advice(n *plan.Node) string {
	return fmt.Sprintf("Finish them and commit «ACT: %s …» with a line «Done: ITEM | path:lines» or «Skipped: ITEM | reason» for each item, "+
		"or say plainly what is left. acta says this once.", n.Key)
}

// The ways in which an agent says that it is done. They are few on purpose: who says something else is not spoken to.
const (
	whole  = `(?:all(?: of)?(?: the| these| those| required| requested)?(?: \w+)? ?(?:tasks|items|changes|steps|work|requirements|checklist items)?|everything(?: requested| you asked for| required| in the (?:checklist|plan|unit|task))?|(?:the|this|that|your|my)(?: \w+)? (?:task|work|unit|ticket|checklist|implementation|request|job)|(?:task|unit|ticket) [\w./-]+|(?-i:[A-Z]\d{1,4}(?:/[A-Z]\d{1,4})*))`
	done   = `(?:done|complete|completed|finished|fully implemented|implemented)`
	filler = `(?: (?:now|all|fully|successfully|both|already|officially))*`
)

// maxMessage bounds a message that is looked at, in bytes: a longer one is no report.
const maxMessage = 64 << 10

// saysDone reports whether the last message of an agent says that its work is done. One that says that
// something is left, or asks something, does not, whatever else it says.
func saysDone(message string) bool {
	if len(message) > maxMessage {
		return false
	}
	text := prose(message)
	if text == "" || strings.HasSuffix(text, "?") || leavesOpen(text) {
		return false
	}
	claims := []*regexp.Regexp{
		regexp.MustCompile(`(?i)^(?:(?:all|and|done|finished|complete|ok|okay|great|perfect|i'm|i am|we're|we are|it's|it is|that's|everything's)[ ,!]*)*(?:done|finished|complete|completed)(?: (?:now|here|with (?:everything|` + whole + `)))?$`),
		regexp.MustCompile(`(?i)^(?:` + whole + `|(?:task|work|unit|implementation|job))(?: is| are| has been| have been)?` + filler + ` (?:done|complete|completed|finished)(?: and (?:verified|tested|committed|working|passing|ready))?$`),
		regexp.MustCompile(`(?i)\b` + whole + ` (?:is|are|has been|have been|was|were)` + filler + ` ` + done + `\b`),
		regexp.MustCompile(`(?i)\b(?:i|we)(?:'ve| have)?` + filler + ` (?:completed|finished|implemented|done)` + filler + ` ` + whole + `(?:$|[ .,;:!])`),
		regexp.MustCompile(`(?i)^(?:successfully )?(?:completed|finished|implemented) (?:(?:all|everything|the (?:task|work|unit|checklist))\b|` + whole + `$)`),
	}
	for _, s := range sentences(text) {
		if hedged(s) {
			continue
		}
		for _, c := range claims {
			if c.MatchString(s) {
				return true
			}
		}
	}
	return saysWhole(message)
}

// prose is a message without code, quotes and what only decorates. A unit test is none of the plan's units.
func prose(message string) string {
	message = strings.NewReplacer("’", "'", "\r\n", "\n", "unit test", "test", "Unit test", "Test", "unit-test", "test").Replace(message)
	message = regexp.MustCompile("(?s)```.*?(?:```|$)").ReplaceAllString(message, "")
	var kept []string
	for line := range strings.Lines(message) {
		line = strings.Trim(strings.TrimSpace(line), "*_#-•✅✔️☑🎉 \t")
		if line != "" && !strings.HasPrefix(line, ">") {
			kept = append(kept, strings.ReplaceAll(strings.ReplaceAll(line, "`", ""), "**", ""))
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

// hedged reports a sentence that says something else with the same words.
func hedged(sentence string) bool {
	return regexp.MustCompile(`(?i)\b(?:not|n't|never|no|isn't|aren't|once|when|if|until|unless|before|after|almost|nearly|partially|partly|half|mostly|should|would|could|will|can|must|may|might|let me|going to|to be|first|except|but|apart from|other than|please|confirm|ensure|make sure|whether|assum\w+|says?)\b|n't\b|\?`).MatchString(sentence)
}

// leavesOpen reports a message that says that something is left.
func leavesOpen(text string) bool {
	return regexp.MustCompile(`(?i)\b(?:remaining|remains?|still (?:need|needs|to|open|missing|pending|todo|failing|fails?)|left to (?:do|be)|(?:(?:is|are) |'s )left\b|open (?:points?|questions?|issues?)|to follow|your (?:decision|input|approval)|not yet|haven't|hasn't|have not|has not|didn't|did not|couldn't|could not|unable|can't|cannot|blocked|next steps?|next, i|i will|i'll|todo|to-do|outstanding|pending|skipped|incomplete|unfinished|not (?:done|finished|complete|completed|implemented))\b`).MatchString(text)
}
