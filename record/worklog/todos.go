package worklog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/report"
)

// discrepancy is a todo that is not there as it was intended.
type discrepancy struct {
	intended Todo
	// there is nil where the todo is missing.
	there *Todo
}

func (d discrepancy) String() string {
	is := "it is missing"
	switch {
	case d.there == nil:
	case statusOf(d.intended) == "deleted":
		is = "it is still there, " + d.there.Status
	default:
		is = "it is " + d.there.Status
	}
	if d.intended.Status == "" {
		return d.intended.name() + ": " + is
	}
	return fmt.Sprintf("%s: %s was intended, and %s", d.intended.name(), d.intended.Status, is)
}

// nameless is a todo that can be compared with none.
const nameless = "a todo without text"

// name is the todo for a reader, on one line and not too long.
func (t Todo) name() string {
	const most = 80
	content := []rune(report.OneLine(strings.Join(strings.Fields(t.Content), " ")))
	if len(content) > most {
		content = append(content[:most-1], '…')
	}
	switch {
	case len(content) == 0 && t.ID == "":
		return nameless
	case len(content) == 0:
		return "todo " + report.OneLine(t.ID)
	case t.ID == "":
		return "«" + string(content) + "»"
	}
	return fmt.Sprintf("«%s» (%s)", string(content), report.OneLine(t.ID))
}

// statusOf is a status as it is compared: hosts write in-progress, In Progress, done.
func statusOf(t Todo) string {
	s := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(t.Status)))
	switch s {
	case "done", "complete":
		return "completed"
	case "removed":
		return "deleted"
	}
	return s
}

// contentOf is the text of a todo as it is compared: white space folded, without case.
func contentOf(t Todo) string { return strings.ToLower(strings.Join(strings.Fields(t.Content), " ")) }

// compareTodos returns what is not there as it was intended. A todo is the one of its
// id, where it has one and the other list knows it, else one of its text. What is there
// besides is no business of the change.
func compareTodos(intended, there []Todo) []discrepancy {
	taken := make([]bool, len(there))
	take := func(t Todo, alike func(Todo) bool) int {
		isKnown := t.ID != "" && slices.ContainsFunc(there, func(o Todo) bool { return o.ID == t.ID })
		for i, o := range there {
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
	// First those that are as they should be: two todos may have one text.
	var left []Todo
	for _, t := range intended {
		if take(t, func(o Todo) bool { return t.Status == "" || statusOf(o) == statusOf(t) }) < 0 && t.name() != nameless {
			left = append(left, t)
		}
	}
	var wrong []discrepancy
	for _, t := range left {
		switch i := take(t, func(Todo) bool { return true }); {
		case i >= 0:
			wrong = append(wrong, discrepancy{t, &there[i]})
		case statusOf(t) != "deleted":
			wrong = append(wrong, discrepancy{intended: t})
		}
	}
	return wrong
}

// maxNamed is how many todos a text names.
const maxNamed = 10

// inLine names what is wrong in one line.
func inLine(wrong []discrepancy) string {
	var said []string
	for _, d := range wrong[:min(len(wrong), maxNamed)] {
		said = append(said, d.String())
	}
	if n := len(wrong) - maxNamed; n > 0 {
		said = append(said, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(said, "; ")
}

// escalation tells person and agent of a mismatch that stayed.
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
		line = shortened(strings.TrimSuffix(line, "\n"), max(left-1, 30)) + "\n"
		b.WriteString(line)
		left -= len(line)
	}
	b.WriteString(remedy + "\n")
	return b.String()
}
