package policy

import (
	_ "embed"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Authorship is what shows who made a commit.
type Authorship struct {
	// Names are its Actor, and the names and addresses of its author and co-authors.
	Names []string
	// Checkpoint is the value of an Entire-Checkpoint trailer, Session a session of the worklog; "" for none.
	Checkpoint, Session string
}

//go:embed addresses.txt
var addressesText string

// addresses yields the addresses of addresses.txt, each with its agent.
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

// aiderName is the suffix that Aider adds to an author's name by default (its documentation, «Git integration», «Commit
// attribution»).
const aiderName = " (aider)"

// Requires reports whether a commit must be ACT, ADAPT or For:. If an agent made it, sign says how that is known, as
// the end of a sentence.
func (p *Policy) Requires(a Authorship) (isRequired bool, sign string) {
	switch {
	case anyMatch(p.ExemptActors, a.Names):
		return false, ""
	case p.Require == RequireAgents:
		sign = p.agentSign(a)
	}
	return p.Require == RequireAll || sign != "", sign
}

// agentSign says how a commit shows that an agent made it; "" if nothing does.
func (p *Policy) agentSign(a Authorship) string {
	for _, name := range a.Names {
		if p.IsAgent(name) {
			return fmt.Sprintf("actors.agents of the policy matches «%s»", name)
		}
	}
	for _, name := range a.Names {
		for address, agent := range addresses() {
			if strings.EqualFold(address, name) {
				return fmt.Sprintf("%s is the address of %s", name, agent)
			}
		}
	}
	if i := slices.IndexFunc(a.Names, func(n string) bool { return strings.HasSuffix(n, aiderName) }); i >= 0 {
		return fmt.Sprintf("«%s» has the form of Aider's author names", a.Names[i])
	}
	switch {
	case a.Checkpoint != "":
		return fmt.Sprintf("the trailer Entire-Checkpoint names the recorded session %s", a.Checkpoint)
	case a.Session != "":
		return fmt.Sprintf("it was made in the session %s of the worklog", a.Session)
	}
	return ""
}
