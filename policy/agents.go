package policy

import (
	"context"
	_ "embed"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Authorship is what a commit tells of who made it.
type Authorship struct {
	// Names are its Actor, and the names and addresses of its author and co-authors.
	Names []string
	// Checkpoint is the value of an Entire-Checkpoint trailer, Session a session of the worklog; "" for none.
	Checkpoint, Session string
	// Notes is asked last, and only where the policy asks of agents; nil has none.
	Notes AgentNotes
}

// AgentNotes reads the note of git-ai on a commit.
type AgentNotes interface {
	// AgentNote is the tool that the note names, "" where there is no note or it names none.
	AgentNote(ctx context.Context) (tool string, err error)
}

//go:embed addresses.txt
var addressesText string

// addresses yields those of addresses.txt, each with the agent that it belongs to, and to no person.
func addresses() iter.Seq2[string, string] {
	return func(yield func(address, agent string) bool) {
		for line := range strings.Lines(addressesText) {
			address, agent, isEntry := strings.Cut(strings.TrimSpace(line), " ")
			if isEntry && address != "#" && !yield(address, agent) {
				return
			}
		}
	}
}

// aiderName is what Aider puts behind the name of the author of what it has edited, unless it is told not to (its
// documentation, «Git integration», «Commit attribution»).
const aiderName = " (aider)"

// Requires reports whether a commit must be ACT, ADAPT or For:. Where that is because it is an agent's, sign says what
// tells so, as the end of a sentence: the policy's own patterns, or what agents leave in commits.
func (p *Policy) Requires(ctx context.Context, a Authorship) (required bool, sign string, err error) {
	if anyMatch(p.ExemptActors, a.Names) {
		return false, "", nil
	}
	switch p.Require {
	case RequireAll:
		return true, "", nil
	case RequireAgents:
		sign, err = p.agentSign(ctx, a)
		return sign != "", sign, err
	}
	return false, "", nil
}

// agentSign is what tells that a commit is an agent's, "" where nothing does: the one answer to that question.
func (p *Policy) agentSign(ctx context.Context, a Authorship) (string, error) {
	for _, name := range a.Names {
		if p.IsAgent(name) {
			return fmt.Sprintf("actors.agents of the policy matches «%s»", name), nil
		}
	}
	for _, name := range a.Names {
		for address, agent := range addresses() {
			if strings.EqualFold(address, name) {
				return fmt.Sprintf("%s is the address of %s", name, agent), nil
			}
		}
	}
	if i := slices.IndexFunc(a.Names, func(n string) bool { return strings.HasSuffix(n, aiderName) }); i >= 0 {
		return fmt.Sprintf("«%s» is what Aider makes of an author's name", a.Names[i]), nil
	}
	switch {
	case a.Checkpoint != "":
		return fmt.Sprintf("the trailer Entire-Checkpoint names the recorded session %s", a.Checkpoint), nil
	case a.Session != "":
		return fmt.Sprintf("it was made in the session %s of the worklog", a.Session), nil
	case a.Notes == nil:
		return "", nil
	}
	tool, err := a.Notes.AgentNote(ctx)
	if err != nil || tool == "" {
		return "", err
	}
	return fmt.Sprintf("its note of git-ai (refs/notes/ai) names %s", tool), nil
}
