package parser

import (
	"slices"
	"strings"
)

// squashLog reads the output of git merge --squash: a fixed first line, then the log, newest commit first, each message
// indented below its header. nil if there is no such log, or no commit in it names a unit.
func (r *reader) squashLog(head paragraph, body []paragraph) []Part {
	const opening = "Squashed commit of the following:"
	from := slices.IndexFunc(slices.Concat([]paragraph{head}, body), func(p paragraph) bool {
		if p.first == p.last {
			return false
		}
		text, _ := r.lineText(p.first)
		return text == opening
	})
	if from < 0 {
		return nil
	}
	return r.readSections(r.logSections(head, body, from))
}

// logSections cuts a log into its commits, oldest first, after the section outside the log.
func (r *reader) logSections(head paragraph, body []paragraph, from int) []section {
	outer := section{
		head: head, body: append([]paragraph(nil), body[:from]...), first: r.first, last: r.first, isNewest: true,
	}
	var log []section
	inLog := -1 // the indentation of the header above
	for _, p := range body[from:] {
		switch {
		case r.logHeader(&p):
			inLog = p.indent
			log = append(log, section{first: p.first, last: p.last})
		case inLog < 0 || p.indent <= inLog:
			inLog = -1
			outer.body = append(outer.body, p)
		default:
			s := &log[len(log)-1]
			s.last = p.last
			if s.head.last == 0 {
				s.head = p
				r.lines[p.first].sort = titleLine
			} else {
				s.body = append(s.body, p)
			}
		}
	}
	outer.hasTail = true
	slices.Reverse(log)
	return append([]section{outer}, log...)
}

// logHeader reports the header of a commit in a log: «commit <id>», then
// «Merge:» or «Author:».
func (r *reader) logHeader(p *paragraph) bool {
	text, _ := r.lineText(p.first)
	if _, ok := commitAfter(text, "commit "); !ok || p.first+1 >= p.last {
		return false
	}
	next, _ := r.lineText(p.first + 1)
	return strings.HasPrefix(next, "Author:") || strings.HasPrefix(next, "Merge:")
}
