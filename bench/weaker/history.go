package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/evidence/weaker/openly"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
)

// tally counts commits by the worst that is said of them.
type tally struct {
	commits, touched, errors, warnings, notes int
	// forms counts findings, rules commits by the worst that each rule says of them: errors, warnings, notes.
	forms, rules map[string][3]int
	// openly counts the findings that weigh less as they are said openly.
	openly int
	// found are the findings without an excuse of each commit of one repository, messages the messages that ask for less.
	found    map[string][]weaker.Weakening
	messages map[string]openly.Message
	// pairs counts the findings with each such message of another commit, chance those that it would say openly.
	pairs, chance int
}

func newTally() *tally {
	return &tally{forms: map[string][3]int{}, rules: map[string][3]int{},
		found: map[string][]weaker.Weakening{}, messages: map[string]openly.Message{}}
}

func (t *tally) add(o *tally) {
	t.commits += o.commits
	t.touched += o.touched
	t.errors += o.errors
	t.warnings += o.warnings
	t.notes += o.notes
	t.pairs += o.pairs
	t.chance += o.chance
	t.openly += o.openly
	both := [][2]map[string][3]int{{t.forms, o.forms}, {t.rules, o.rules}}
	for _, maps := range both {
		for key, counts := range maps[1] {
			sum := maps[0][key]
			for i := range counts {
				sum[i] += counts[i]
			}
			maps[0][key] = sum
		}
	}
}

// severity is what a weakening would be in STANDARD, were the commit an ACT that does not say it openly: 0 an error, 1
// a warning, 2 a note.
func severity(w weaker.Weakening) int {
	switch {
	case w.Excuse != "":
		return 2
	case w.CodeChanged || w.Kind == weaker.SeesTests: // its code changes
		return 1
	}
	return 0
}

var severities = [...]string{"error", "warning", "note"}

// measure judges commits of a repository, evenly over its history.
func (t *tally) measure(ctx context.Context, dir string, most int, findings *list) error {
	r, err := repo.Open(ctx, dir, repo.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	head, err := r.Head(ctx)
	if err != nil {
		return err
	}
	var commits []repo.ID
	log, err := r.Log(ctx, []repo.ID{head.ID}, nil, 0, func([]byte) bool { return false })
	if err != nil {
		return err
	}
	for _, logged := range log.Commits {
		c, err := r.Commit(ctx, string(logged.ID))
		if err != nil {
			return err
		}
		if len(c.Parents) == 1 {
			commits = append(commits, logged.ID)
		}
	}
	step := max(1, len(commits)/most)
	for i := 0; i < len(commits); i += step {
		if err := t.commit(ctx, r, commits[i], nameOf(dir), findings); err != nil {
			return err
		}
	}
	t.crossed()
	return nil
}

// perCommit is how many findings of one commit are held against the messages of others.
const perCommit = 3

// crossed counts how many findings are said openly by the message of another commit: by chance, that is.
func (t *tally) crossed() {
	for commit, found := range t.found {
		for other, message := range t.messages {
			for i := 0; other != commit && i < min(len(found), perCommit); i++ {
				t.pairs++
				if message.Clause(&found[i]) != "" {
					t.chance++
				}
			}
		}
	}
}

// compare compares a commit with its parent, and reads what it says.
func compare(ctx context.Context, r *repo.Repo, id repo.ID) (*weaker.Account, openly.Message, error) {
	c, err := r.Commit(ctx, string(id))
	if err != nil {
		return nil, nil, err
	}
	parent, err := r.Commit(ctx, string(c.Parents[0]))
	if err != nil {
		return nil, nil, err
	}
	paths, err := r.ChangedPaths(ctx, parent.Tree, c.Tree)
	if err != nil {
		return nil, nil, err
	}
	before, after := treeOf(r, parent), treeOf(r, c)
	account, err := weaker.Compare(ctx, weaker.Change{Before: &before, After: &after, Paths: paths})
	return account, openly.Read(parser.Parse(c.Message).AuthorText()), err
}

func (t *tally) commit(ctx context.Context, r *repo.Repo, id repo.ID, named string, findings *list) error {
	account, message, err := compare(ctx, r, id)
	if err != nil {
		return fmt.Errorf("%s: %w", id, err)
	}
	commit := string(id)
	if len(message) > 0 {
		t.messages[commit] = message
	}
	t.commits++
	if account.AssertionsBefore > 0 {
		t.touched++
	}
	worst := 3
	byRule := map[string]int{}
	for _, w := range account.Weakenings {
		s, saying := t.weigh(w, message)
		if w.Excuse == "" {
			t.found[commit] = append(t.found[commit], w)
		}
		worst = min(worst, s)
		if was, ok := byRule[string(w.Kind)]; !ok || s < was {
			byRule[string(w.Kind)] = s
		}
		count(t.forms, string(w.Kind)+" | "+w.Form, s)
		at := w.After
		if at.Line == 0 {
			at = w.Before
		}
		if err := findings.add("%s\t%s\t%s\t%s\t%s\t%s:%d\t%s\t%s\t%s\t%s", severities[s], named, commit[:12], w.Kind, w.Form,
			at.Path, at.Line, w.Subject, w.Message, w.Excuse, saying); err != nil {
			return err
		}
	}
	for rule, s := range byRule {
		count(t.rules, rule, s)
	}
	switch worst {
	case 0:
		t.errors++
	case 1:
		t.warnings++
	case 2:
		t.notes++
	}
	return nil
}

// weigh is what a weakening is by itself, or as it is said openly, and where that is said.
func (t *tally) weigh(w weaker.Weakening, message openly.Message) (int, string) {
	s := severity(w)
	if s == 2 {
		return s, ""
	}
	saying := message.Clause(&w)
	if saying != "" {
		s++
		t.openly++
	}
	return s, saying
}

// count adds one to one of three counts of a key.
func count(all map[string][3]int, key string, which int) {
	counts := all[key]
	counts[which]++
	all[key] = counts
}

func (t *tally) share(n int) string {
	return fmt.Sprintf("%d (%.2f%%)", n, 100*float64(n)/float64(max(t.commits, 1)))
}

func (t *tally) line(named string) string {
	return fmt.Sprintf(
		"| %s | %d | %d | %s | %s | %s |\n",
		named,
		t.commits,
		t.touched,
		t.share(t.errors),
		t.share(t.warnings),
		t.share(t.notes),
	)
}

func (t *tally) table() string {
	var b strings.Builder
	b.WriteString("| rule | commits with an error | a warning | notes alone |\n| --- | --- | --- | --- |\n")
	for _, rule := range slices.Sorted(maps.Keys(t.rules)) {
		c := t.rules[rule]
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", rule, t.share(c[0]), t.share(c[1]), t.share(c[2]))
	}
	b.WriteString("\n| rule | form | errors | warnings | notes |\n| --- | --- | --- | --- | --- |\n")
	for _, form := range slices.Sorted(maps.Keys(t.forms)) {
		c := t.forms[form]
		fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", form, c[0], c[1], c[2])
	}
	fmt.Fprintf(&b, "\n%d findings are said openly. By chance the message of another commit says %d of %d openly.\n",
		t.openly, t.chance, t.pairs)
	return b.String()
}
