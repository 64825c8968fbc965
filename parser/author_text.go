package parser

import "strings"

// AuthorText returns what the author wrote, by paragraphs: the title, the prose and the items of the report. Quotations
// («>»), fenced code, trailers and comments are left out.
func (m *Message) AuthorText() []string {
	var all []string
	var lines []string
	end := func() {
		if len(lines) > 0 {
			all, lines = append(all, strings.Join(lines, "\n")), nil
		}
	}
	isFenced := false
	sort := blankLine
	for _, l := range m.lines {
		before := sort
		if sort = l.sort; before == titleLine && sort != titleLine {
			end()
		}
		if sort != titleLine && sort != proseLine {
			end()
			continue
		}
		line := strings.TrimSpace(m.text[l.start:l.end])
		isFence := strings.HasPrefix(line, "```")
		isFenced = isFenced != isFence
		switch {
		case isFence || isFenced || strings.HasPrefix(line, ">"):
			end()
			continue
		case line == "" || isListItem(line):
			end()
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	end()
	for i := range m.Parts {
		for j := range m.Parts[i].Claims {
			all = append(all, m.Parts[i].Claims[j].Item.Value)
		}
	}
	return all
}
