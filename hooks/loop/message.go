package loop

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/journal"
)

// maxSubject bounds a subject, in characters, unless the unit's key is longer.
const maxSubject = 72

// subject is a title with as much of the summary as fits.
func subject(title, unit, summary string) string {
	head := title + ": " + unit
	line := []rune(strings.TrimSpace(head + " " + strings.Join(strings.Fields(summary), " ")))
	if most := max(maxSubject, len([]rune(head))); len(line) > most {
		line = append([]rune(strings.TrimSpace(string(line[:most-1]))), '…')
		if most-1 <= len([]rune(head)) {
			return head
		}
	}
	return string(line)
}

func message(subject string, lines []string) []byte {
	return []byte(subject + "\n\n" + strings.Join(lines, "\n") + "\n")
}

// ActMessage is the commit message of an executor's report; a summary that does not fit the title is repeated in the
// body. The error says which text cannot be written, for example an item with « | ».
func ActMessage(unit string, report *parser.ReportFile, by journal.Caller) ([]byte, error) {
	var lines []string
	for _, c := range report.Claims {
		keys := map[parser.Status]string{parser.Done: "Done: ", parser.Skipped: "Skipped: ", parser.Pending: "Pending: "}
		line := keys[c.Status] + c.Item.Value
		if behind := c.EvidenceText.Value + c.Reason.Value; behind != "" && c.Status != parser.Pending {
			line += " | " + map[bool]string{true: c.EvidenceText.Value, false: c.Reason.Value}[c.Status == parser.Done]
		}
		lines = append(lines, line)
	}
	title := subject("ACT", unit, report.Summary.Value)
	lines = slices.Concat(lines, []string{"Outcome: " + report.Outcome.Value}, by.Trailers())
	if strings.HasSuffix(title, "…") {
		if text := message(title+"\n\n"+report.Summary.Value, lines); readsAsReport(text, unit, report) {
			return text, nil
		}
	}
	text := message(title, lines)
	if !readsAsReport(text, unit, report) {
		return nil, unusable("the report does not fit into a commit message; items, evidence and reasons are plain text "+
			"without « | »:\n%s", text)
	}
	return text, nil
}

// readsAsReport reports whether a message is the unit's ACT with exactly the report's claims.
func readsAsReport(text []byte, unit string, report *parser.ReportFile) bool {
	parts := parser.Parse(text).Parts
	return len(parts) == 1 && parts[0].Kind == parser.Act && parts[0].Unit.Value == unit &&
		slices.EqualFunc(parts[0].Claims, report.Claims, sameClaim)
}

func sameClaim(read, meant parser.Claim) bool {
	same := read.Status == meant.Status && plan.ItemKey(read.Item.Value) == plan.ItemKey(meant.Item.Value)
	switch meant.Status {
	case parser.Done:
		same = same && read.EvidenceText.Value == meant.EvidenceText.Value
	case parser.Skipped:
		same = same && read.Reason.Value == meant.Reason.Value
	}
	return same
}

// failedMessage is the ACT for an executor without a valid reply: every item is pending.
func failedMessage(unit *plan.Node, by journal.Caller) []byte {
	var lines []string
	for _, i := range unit.Checklist {
		lines = append(lines, "Pending: "+i.Text)
	}
	return message(subject("ACT", unit.Key, "no reply that fits"),
		slices.Concat(lines, []string{"Outcome: failure"}, by.Trailers()))
}

func adaptMessage(unit string, change plan.Change, observations []observation, by journal.Caller) []byte {
	var lines []string
	for _, o := range observations {
		lines = append(lines, fmt.Sprintf("Observation: %s | %s", o.Perspective, strings.Join(strings.Fields(o.Fact), " ")))
	}
	return message(subject("ADAPT", unit, strings.Join(movesOf(unit, change.Moves()), ", ")),
		slices.Concat(lines, change.Trailers(), by.Trailers()))
}

// movesOf are moves in words, first those of the title's unit, without its name.
func movesOf(unit string, moves []plan.Move) []string {
	var unitMoves []string
	others := slices.DeleteFunc(slices.Clone(moves), func(m plan.Move) bool {
		if m.Key == unit {
			unitMoves = append(unitMoves, m.Words())
		}
		return m.Key == unit
	})
	return append(unitMoves, plan.MoveTexts(others)...)
}
