package parser

import (
	"slices"
	"strings"
)

// section is the part of a message that can be one Part: a plain message, or one commit of a squash.
type section struct {
	// head is the paragraph that the subject begins; first == last without one.
	head paragraph
	// hasBullet: the subject is behind a list bullet.
	hasBullet bool
	body      []paragraph
	// Its comments are in lines [first, last).
	first, last int
	// hasTail: text under a scissors line or after a NUL byte belongs to it.
	hasTail bool
	// isNewest: it was written when the other sections' commits were there already.
	isNewest bool
	// isFixup: it is to be folded into another commit, and only «For:» names its unit.
	isFixup bool
}

func (r *reader) readParts(m *Message) {
	head, body := r.paragraphs()
	for i := head.first; i < head.last; i++ {
		if r.lines[i].sort != commentLine {
			r.lines[i].sort = titleLine
		}
	}
	plain := section{head: head, body: body, first: r.first, last: r.scissorsFrom, hasTail: true}
	switch {
	case head.first < head.last:
		m.Subject = r.lineWord(head.first)
	case r.first < r.last:
		m.Subject = r.lineWord(r.first)
	}
	m.IsAutosquash = isAutosquash(m.Subject.Value)
	if m.IsAutosquash {
		plain.isFixup = true
		m.Parts = []*Part{r.readPart(plain)}
		return
	}
	if m.Parts = r.squashLog(head, body); m.Parts == nil {
		m.Parts = r.hostSquash(head, body)
	}
	if m.IsSquash = m.Parts != nil; !m.IsSquash {
		m.Parts = []*Part{r.readPart(plain)}
	}
}

func (r *reader) readPart(s section) *Part {
	p := &Part{}
	r.namePart(p, s)
	for i := range s.body {
		for j := range s.body[i].entries {
			r.addEntry(&p.Report, &s.body[i].entries[j])
		}
	}
	switch p.Kind {
	case None:
		all := p.Report
		p.unclaimed = all.Claims
		p.Report = Report{
			Outcome: all.Outcome, Actor: all.Actor, Session: all.Session, Reason: all.Reason, Tier: all.Tier,
			Waivers: all.Waivers, Weakenings: all.Weakenings,
		}
		if (all.hasClaims() || len(r.unreadLines(s)) > 0) && r.almostTitle(s) {
			subject := r.lineWord(s.head.first)
			p.UnreadLines = []UnreadLine{{Line: subject, Reason: UnreadNoTitle, Obstacle: subject}}
		}
	case Act:
		p.UnreadLines = r.unreadLines(s)
	}
	return p
}

func (r *reader) namePart(p *Part, s section) {
	var title *statement
	if s.head.first < s.head.last && !s.isFixup {
		if st, ok := r.title(s.head.first, s.hasBullet); ok {
			title = &st
		}
	}
	allowed := firm
	if title == nil {
		allowed = r.requiredTrust(s.body)
	}
	statements := choose(r.trailerStatements(s.head, s.body), allowed)
	if s.isFixup {
		statements = slices.DeleteFunc(statements, func(st statement) bool { return st.kind != For })
	}
	p.decide(title, statements)
	if title == nil && p.Kind != None && s.head.first < s.head.last {
		text, start := r.lineText(s.head.first)
		if s.hasBullet {
			_, n := bulletText(text)
			start += n
		}
		p.Summary = r.word(start, r.lines[s.head.first].end)
	}
}

// trailerStatements are the kinds and units in trailers. In a paragraph indented deeper than the subject, only firm
// ones count, since it may be an example.
func (r *reader) trailerStatements(head paragraph, body []paragraph) []statement {
	var out []statement
	for i := range body {
		for j := range body[i].entries {
			if st, ok := r.trailerStatement(&body[i].entries[j]); ok && (st.trust == firm || body[i].indent <= head.indent) {
				out = append(out, st)
			}
		}
	}
	return out
}

// requiredTrust is the least trust that a name needs: any beside a report, a title's beside lines that only look like a
// report.
func (r *reader) requiredTrust(body []paragraph) trust {
	required := firm
	for i := range body {
		if len(body[i].unread) > 0 {
			required = titleOnly
		}
		for j := range body[i].entries {
			switch e := &body[i].entries[j]; e.key {
			case "done", "skipped", "pending", "ran", "proved", "report", "outcome":
				if !isNone(r.fold(e.pieces).value) {
					return loose
				}
			case taskKey:
				if e.hasBar {
					return loose
				}
			}
		}
	}
	return required
}

func (r *reader) unreadLines(s section) []UnreadLine {
	out := r.unreadHead(s.head)
	for i := range s.body {
		out = append(out, s.body[i].unread...)
	}
	out = append(out, r.unreadComments(s.first, s.last)...)
	if s.hasTail {
		out = append(out, r.unreadTail()...)
	}
	slices.SortStableFunc(out, func(a, b UnreadLine) int { return a.Line.Span.Start.Offset - b.Line.Span.Start.Offset })
	return out
}

// readSections reads the sections of a squash, the first of which is outside the titles. It returns the parts that name
// a unit, nil if only the first does. A first part that only repeats a later one does not count.
func (r *reader) readSections(sections []section) []*Part {
	claims, over := r.claims, r.limitDefects
	outer := r.readPart(sections[0])
	var parts []*Part
	for i, s := range sections[1:] {
		if i == maxParts {
			r.noteLimit("titles", maxParts, r.lines[s.first].start)
			break
		}
		if p := r.readPart(s); p.Kind != None {
			parts = append(parts, p)
		}
	}
	if parts == nil {
		// Another reading of the message begins its counts anew.
		r.claims, r.limitDefects = claims, over
		return nil
	}
	switch {
	case outer.Kind == None || outer.isEmpty() && outer.isRepeated(parts):
	case sections[0].isNewest:
		parts = append(parts, outer)
	default:
		parts = append([]*Part{outer}, parts...)
	}
	return parts
}

func (p *Part) isRepeated(others []*Part) bool {
	isSame := func(o *Part) bool { return p.Kind == o.Kind && SameUnit(p.Unit.Value, o.Unit.Value) }
	return slices.ContainsFunc(others, isSame)
}

// hostSquash reads a message that hosts, or git rebase, made of several: each
// title opens a paragraph, behind a bullet or not. nil when it is no such message.
//
// A bulleted subject without a title counts when the trailers below it name
// another unit than the title before it, and there are at least two bullets that
// count: one alone may be a list in the text of a plain commit. The subject is
// the first bullet after the report of the commit before.
//
// One bulleted title alone counts when a report follows it.
func (r *reader) hostSquash(head paragraph, body []paragraph) []*Part {
	titles, bullets := 0, 0
	var above statement // of the title or trailer above the current paragraph
	if head.first < head.last {
		if st, ok := r.title(head.first, true); ok {
			titles, above = 1, st
		}
		_, head.isTitle = r.title(head.first, false)
	}
	// With a trailer it is one commit, and the list names others.
	if titles == 0 && len(choose(r.trailerStatements(head, body), firm)) == 0 {
		body = r.splitTitles(body)
	}
	var openers, plain []int // openers are all, plain only titles
	subject, reported := -1, false
	for i := range body {
		bulleted := r.isBulleted(head, &body[i])
		if st, ok := r.partTitle(head, &body[i]); ok {
			titles++
			plain, openers, above = append(plain, i), append(openers, i), st
			if bulleted {
				bullets++
			}
			subject, reported = -1, false
			continue
		}
		if bulleted && body[i].last == body[i].first+1 && (subject < 0 || reported) {
			subject, reported = i, false
		}
		for _, st := range choose(r.trailerStatements(head, body[i:i+1]), firm) {
			if subject >= 0 && (above.kind == None || st.disagrees(above.kind, above.unit.Value)) {
				openers, above, subject = append(openers, subject), st, -1
				bullets++
			}
		}
		reported = reported || len(body[i].entries) > 0
	}
	switch {
	case bullets >= 2:
		return r.readSections(r.sectionsAt(openers, head, body))
	case titles >= 2, bullets == 1 && len(plain) == 1 && r.isLoneTitle(head, body, plain[0]):
		return r.readSections(r.sectionsAt(plain, head, body))
	}
	return nil
}

// isLoneTitle reports whether the only title of a message, behind a bullet in its body, belongs to a commit: a report
// follows, and no trailer contradicts it.
func (r *reader) isLoneTitle(head paragraph, body []paragraph, i int) bool {
	title, _ := r.title(body[i].first, true)
	contradicts := func(st statement) bool { return st.disagrees(title.kind, title.unit.Value) }
	return !slices.ContainsFunc(choose(r.trailerStatements(head, body), firm), contradicts) &&
		(r.requiredTrust(body[i+1:]) != firm || len(r.unreadHead(body[i])) > 0)
}

// splitTitles cuts each paragraph that is a list in two before every bulleted
// title but the first line.
func (r *reader) splitTitles(body []paragraph) []paragraph {
	var out []paragraph
	for _, p := range body {
		from := p.first
		if r.isBulleted(paragraph{}, &p) {
			for i := p.first + 1; i < p.last; i++ {
				if _, ok := r.title(i, true); !ok || !r.isBulleted(paragraph{}, &paragraph{first: i}) {
					continue
				}
				out = append(out, r.readLines(from, i))
				from = i
			}
		}
		if from > p.first {
			p = r.readLines(from, p.last)
		}
		out = append(out, p)
	}
	return out
}

func (r *reader) readLines(first, last int) paragraph {
	p := r.paragraph(first, last)
	r.readParagraph(&p)
	return p
}

// partTitle reads the title that opens a paragraph. One that is indented deeper
// than the subject is an example, no title.
func (r *reader) partTitle(head paragraph, p *paragraph) (statement, bool) {
	if head.first < head.last && p.indent > head.indent || r.isOwnList(head, p) {
		return statement{}, false
	}
	return r.title(p.first, true)
}

// isBulleted reports whether a paragraph begins with a bullet of a host, and is not a task-list line.
func (r *reader) isBulleted(head paragraph, p *paragraph) bool {
	text, _ := r.lineText(p.first)
	_, n := bulletText(text)
	_, _, task := taskText(text)
	return n > 0 && !task && !r.isOwnList(head, p)
}

// isOwnList reports a list of the message's own: below a subject that is itself a
// title, hosts write «* ».
func (r *reader) isOwnList(head paragraph, p *paragraph) bool {
	text, _ := r.lineText(p.first)
	_, n := bulletText(text)
	return head.isTitle && n > 0 && text[0] != '*'
}

func (r *reader) sectionsAt(openers []int, head paragraph, body []paragraph) []section {
	ends := append(slices.Clip(openers), len(body))
	out := []section{{head: head, hasBullet: true, body: body[:ends[0]], first: r.first}}
	for n, i := range openers {
		first := body[i].first
		out[n].last = first
		out = append(out, section{head: body[i], hasBullet: true, body: body[i+1 : ends[n+1]], first: first})
		r.lines[first].sort = titleLine
	}
	last := &out[len(out)-1]
	last.last, last.hasTail = r.scissorsFrom, true
	return out
}

// squashLog reads the output of git merge --squash: a fixed first line, then the log, newest commit first, each message
// indented below its header. nil if there is no such log, or no commit in it names a unit.
func (r *reader) squashLog(head paragraph, body []paragraph) []*Part {
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
