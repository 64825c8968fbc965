package parser

import "strings"

// AuthorText returns what the author of a message says in words of his own, a paragraph each, with its lines: the
// title, the prose and the items of the report. What is quoted by «>» or stands between fences is left out, and so are
// trailers and comments.
func (m *Message) AuthorText() []string {
	var all []string
	var lines []string
	end := func() {
		if len(lines) > 0 {
			all, lines = append(all, strings.Join(lines, "\n")), nil
		}
	}
	isFenced := false
	for _, s := range m.segments {
		if s.Sort != titleLine && s.Sort != proseLine {
			end()
			continue
		}
		for line := range strings.Lines(s.Text) {
			line = strings.TrimSpace(line)
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
		if s.Sort == titleLine {
			end()
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
