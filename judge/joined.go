package judge

import (
	"strings"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/parser"
)

// settleParts says of a joined message what settle says of the range that it was
// made of: an ACT that a later one of the same unit without errors supersedes, or
// that the message tells of as reverted, makes no claims any more. found holds the
// findings about each part; the parts stand oldest first. It returns the parts that are reverted.
func settleParts(m *parser.Message, found [][]diag.Finding) map[int]bool {
	reverted := revertedParts(m)
	var clean []string
	for i := len(m.Parts) - 1; i >= 0; i-- {
		p := &m.Parts[i]
		if reverted[i] {
			noteAll(found[i], "", "reverted in this message")
			continue
		}
		for _, unit := range clean {
			noteAll(found[i], unit, "superseded by the later ACT of "+unit+" in this message")
		}
		if p.Kind == parser.Act && p.Unit.Value != "" && len(p.Claims)+len(p.Files) > 0 && !refuses(found[i]) {
			clean = append(clean, p.Unit.Value)
		}
	}
	return reverted
}

func refuses(findings []diag.Finding) bool {
	for _, f := range findings {
		if f.Severity == diag.Error {
			return true
		}
	}
	return false
}

// revertedParts are the parts whose title the message holds in the subject of a revert, as git writes it:
// `Revert "ACT: T01 login"`. What was reverted twice is there again. Of several parts with one title the oldest are meant.
func revertedParts(m *parser.Message) map[int]bool {
	lines := strings.Split(m.String(), "\n")
	times := map[string]int{}
	for _, l := range lines {
		if title, ok := quotedBy("Revert", bare(l)); ok {
			if again, twice := quotedBy("Revert", title); twice {
				times[again]--
			} else {
				times[title]++
			}
		} else if title, ok := quotedBy("Reapply", bare(l)); ok {
			times[title]--
		}
	}
	reverted := map[int]bool{}
	for i := range m.Parts {
		at := m.Parts[i].Summary.Span.Start.Line
		if at == 0 {
			at = m.Parts[i].Unit.Span.Start.Line
		}
		if at < 1 || at > len(lines) {
			continue
		}
		if title := bare(lines[at-1]); times[title] > 0 {
			times[title]--
			reverted[i] = true
		}
	}
	return reverted
}

// bare is a line without what a squash puts before it: indentation and a bullet.
func bare(line string) string {
	line = strings.TrimSpace(line)
	if rest, ok := strings.CutPrefix(line, "* "); ok {
		line = strings.TrimSpace(rest)
	}
	return line
}

func quotedBy(verb, line string) (title string, ok bool) {
	if title, ok = strings.CutPrefix(line, verb+` "`); ok {
		title, ok = strings.CutSuffix(title, `"`)
	}
	return title, ok
}
