package worklog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/report"
)

type discrepancy struct {
	intended Todo
	// actual is nil if the todo is missing.
	actual *Todo
}

func (d discrepancy) String() string {
	is := "it is missing"
	switch {
	case d.actual == nil:
	case TodoStatus(d.intended.Status) == "deleted":
		is = "it is still there, " + d.actual.Status
	default:
		is = "it is " + d.actual.Status
	}
	if d.intended.Status == "" {
		return d.intended.name() + ": " + is
	}
	return fmt.Sprintf("%s: %s was intended, and %s", d.intended.name(), d.intended.Status, is)
}

const nameless = "a todo without text"

func (t Todo) name() string {
	content := report.OneLine(report.Brief(t.Content, 80))
	switch {
	case content == "" && t.ID == "":
		return nameless
	case content == "":
		return "todo " + report.OneLine(t.ID)
	case t.ID == "":
		return "«" + content + "»"
	}
	return fmt.Sprintf("«%s» (%s)", content, report.OneLine(t.ID))
}

// TodoStatus is a normalized status: hosts write in-progress, In Progress, done.
func TodoStatus(text string) string {
	s := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(text)))
	switch s {
	case "inprogress":
		return "in_progress"
	case "done", "complete":
		return "completed"
	case "removed":
		return "deleted"
	case "canceled":
		return "cancelled"
	}
	return s
}

func contentOf(t Todo) string { return strings.ToLower(strings.Join(strings.Fields(t.Content), " ")) }

// compareTodos matches todos by id if the other list knows it, else by text. Additional todos are ignored.
func compareTodos(intended, actual []Todo) []discrepancy {
	taken := make([]bool, len(actual))
	take := func(t Todo, alike func(Todo) bool) int {
		isKnown := t.ID != "" && slices.ContainsFunc(actual, func(o Todo) bool { return o.ID == t.ID })
		for i, o := range actual {
			same := contentOf(t) != "" && contentOf(o) == contentOf(t)
			if isKnown {
				same = o.ID == t.ID
			}
			if same && !taken[i] && alike(o) {
				taken[i] = true
				return i
			}
		}
		return -1
	}
	// Exact matches first: two todos may have the same text.
	var unmatched []Todo
	for _, t := range intended {
		isSame := func(o Todo) bool { return t.Status == "" || TodoStatus(o.Status) == TodoStatus(t.Status) }
		if take(t, isSame) < 0 && t.name() != nameless {
			unmatched = append(unmatched, t)
		}
	}
	var discrepancies []discrepancy
	for _, t := range unmatched {
		switch i := take(t, func(Todo) bool { return true }); {
		case i >= 0:
			discrepancies = append(discrepancies, discrepancy{t, &actual[i]})
		case TodoStatus(t.Status) != "deleted":
			discrepancies = append(discrepancies, discrepancy{intended: t})
		}
	}
	return discrepancies
}

const maxNamed = 10

func joinDiscrepancies(wrong []discrepancy) string {
	var texts []string
	for _, d := range wrong[:min(len(wrong), maxNamed)] {
		texts = append(texts, d.String())
	}
	if n := len(wrong) - maxNamed; n > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(texts, "; ")
}

func (c *TodoChange) escalation(wrong []discrepancy) string {
	var b strings.Builder
	fmt.Fprintf(&b, "acta: todos: %d of %d are not as intended, after a second reading as well\n",
		len(wrong), len(c.Intended))
	const remedy = "write the list again and read what it answers; until it agrees, report none of these as done, and " +
		"tell the person"
	left := verificationTokens*bytesPerToken - b.Len() - len(remedy) - len("    and 99 more\n\n")
	for i, d := range wrong {
		line := "    " + d.String() + "\n"
		if i > 0 && len(line) > left {
			fmt.Fprintf(&b, "    and %d more\n", len(wrong)-i)
			break
		}
		line = truncate(strings.TrimSuffix(line, "\n"), max(left-1, 30)) + "\n"
		b.WriteString(line)
		left -= len(line)
	}
	b.WriteString(remedy + "\n")
	return b.String()
}
