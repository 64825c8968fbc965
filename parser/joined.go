package parser

import (
	"slices"
)

// section is the stretch of a message that can be one part: all of a plain
// message, one commit of a joined one.
type section struct {
	// head is the paragraph that the subject opens; first == last where there is none.
	head paragraph
	// bullet: the subject stands behind a list bullet.
	bullet bool
	body   []paragraph
	// Its comments are those among lines [first, last).
	first, last int
	// ends: what lies under a scissors line or after a NUL byte belongs to it.
	ends bool
	// newest: it was written when the other sections' commits were there already.
	newest bool
	// fixup: it is to be folded into another commit, and only «For:» names its unit.
	fixup bool
}

// readParts reads who claims what.
func (r *reader) readParts(m *Message) {
	head, body := r.paragraphs()
	for i := head.first; i < head.last; i++ {
		if r.lines[i].sort != commentLine {
			r.lines[i].sort = titleLine
		}
	}
	plain := section{head: head, body: body, first: r.first, last: r.under, ends: true}
	switch {
	case head.first < head.last:
		m.Subject = r.lineWord(head.first)
	case r.first < r.last:
		m.Subject = r.lineWord(r.first)
	}
	m.Autosquash = autosquash(m.Subject.Value)
	if m.Autosquash {
		plain.fixup = true
		m.Parts = []Part{r.part(plain)}
		return
	}
	if m.Parts = r.squashLog(head, body); m.Parts == nil {
		m.Parts = r.hostSquash(head, body)
	}
	if m.Joined = m.Parts != nil; !m.Joined {
		m.Parts = []Part{r.part(plain)}
	}
}

// part reads one section.
func (r *reader) part(s section) Part {
	var p Part
	r.name(&p, s)
	for i := range s.body {
		for j := range s.body[i].entries {
			r.add(&p.Report, &s.body[i].entries[j])
		}
	}
	switch p.Kind {
	case None:
		all := p.Report
		p.unclaimed = all.Claims
		p.Report = Report{
			Outcome: all.Outcome, Actor: all.Actor, Session: all.Session, Reason: all.Reason, Tier: all.Tier, Waive: all.Waive,
			Weakened: all.Weakened,
		}
		if (all.claimed() || len(r.unread(s)) > 0) && r.almostTitle(s) {
			subject := r.lineWord(s.head.first)
			p.Unread = []UnreadLine{{Line: subject, Why: UnreadNoTitle, InTheWay: subject}}
		}
	case Act:
		p.Unread = r.unread(s)
	}
	return p
}

// name gives a part its kind, unit and summary.
func (r *reader) name(p *Part, s section) {
	var title *statement
	if s.head.first < s.head.last && !s.fixup {
		if st, ok := r.title(s.head.first, s.bullet); ok {
			title = &st
		}
	}
	allowed := firm
	if title == nil {
		allowed = r.reported(s.body)
	}
	named := choose(r.named(s.head, s.body), allowed)
	if s.fixup {
		named = slices.DeleteFunc(named, func(st statement) bool { return st.kind != For })
	}
	p.decide(title, named)
	if title == nil && p.Kind != None && s.head.first < s.head.last {
		text, start := r.lineText(s.head.first)
		if s.bullet {
			_, n := bulletText(text)
			start += n
		}
		p.Summary = r.word(start, r.lines[s.head.first].end)
	}
}

// named is what trailers say of kind and unit. In a paragraph that is indented
// deeper than the subject they are an example, unless they are firm.
func (r *reader) named(head paragraph, body []paragraph) []statement {
	var out []statement
	for i := range body {
		for j := range body[i].entries {
			if st, ok := r.naming(&body[i].entries[j]); ok && (st.trust == firm || body[i].indent <= head.indent) {
				out = append(out, st)
			}
		}
	}
	return out
}

// reported is how little a name needs to be trusted for what the paragraphs
// report: anything goes beside a report, a title beside lines that only look like one.
func (r *reader) reported(body []paragraph) trust {
	allowed := firm
	for i := range body {
		if len(body[i].unread) > 0 {
			allowed = titled
		}
		for j := range body[i].entries {
			switch e := &body[i].entries[j]; e.key {
			case "done", "skipped", "pending", "ran", "proved", "report", "outcome":
				if !nothing(r.fold(e.pieces).value) {
					return loose
				}
			case taskKey:
				if e.barred {
					return loose
				}
			}
		}
	}
	return allowed
}

// unread collects the lines of a section that only look like a report, in order.
func (r *reader) unread(s section) []UnreadLine {
	out := r.unreadHead(s.head)
	for i := range s.body {
		out = append(out, s.body[i].unread...)
	}
	out = append(out, r.unreadComments(s.first, s.last)...)
	if s.ends {
		out = append(out, r.unreadTail()...)
	}
	slices.SortStableFunc(out, func(a, b UnreadLine) int { return a.Line.Span.Start.Offset - b.Line.Span.Start.Offset })
	return out
}

// join reads the sections of a joined message, the first of which is what stands
// outside the titles, and returns those that name something: nil unless one
// besides the first does. A first one that only repeats a later part is none.
func (r *reader) join(sections []section) []Part {
	claims, over := r.claims, r.over
	outer := r.part(sections[0])
	var parts []Part
	for i, s := range sections[1:] {
		if i == maxParts {
			r.beyond("titles", maxParts, r.lines[s.first].start)
			break
		}
		if p := r.part(s); p.Kind != None {
			parts = append(parts, p)
		}
	}
	if parts == nil {
		// Another reading of the message begins its counts anew.
		r.claims, r.over = claims, over
		return nil
	}
	switch {
	case outer.Kind == None || outer.silent() && outer.repeats(parts):
	case sections[0].newest:
		parts = append(parts, outer)
	default:
		parts = append([]Part{outer}, parts...)
	}
	return parts
}

// repeats reports whether a part names what one of the others does.
func (p *Part) repeats(others []Part) bool {
	for i := range others {
		if p.Kind == others[i].Kind && SameUnit(p.Unit.Value, others[i].Unit.Value) {
			return true
		}
	}
	return false
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
func (r *reader) hostSquash(head paragraph, body []paragraph) []Part {
	titles, bullets := 0, 0
	var above statement // the one that the paragraph at hand stands under
	if head.first < head.last {
		if st, ok := r.title(head.first, true); ok {
			titles, above = 1, st
		}
		_, head.title = r.title(head.first, false)
	}
	// A trailer makes the commit one of its own, and such a list one of others.
	if titles == 0 && len(choose(r.named(head, body), firm)) == 0 {
		body = r.splitTitles(body)
	}
	var openers, plain []int // all that count; those of them that are titles
	subject, reported := -1, false
	for i := range body {
		bulleted := r.bulleted(head, &body[i])
		if st, ok := r.opensPart(head, &body[i]); ok {
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
		for _, st := range choose(r.named(head, body[i:i+1]), firm) {
			if subject >= 0 && (above.kind == None || st.disagrees(above.kind, above.unit.Value)) {
				openers, above, subject = append(openers, subject), st, -1
				bullets++
			}
		}
		reported = reported || len(body[i].entries) > 0
	}
	switch {
	case bullets >= 2:
		return r.join(r.cutAt(openers, head, body))
	case titles >= 2:
		return r.join(r.cutAt(plain, head, body))
	case bullets == 1 && len(plain) == 1 && r.lone(head, body, plain[0]):
		return r.join(r.cutAt(plain, head, body))
	}
	return nil
}

// lone reports whether the only title of a message, behind a bullet in its body,
// is that of a commit: a report follows, and no trailer names anything else.
func (r *reader) lone(head paragraph, body []paragraph, i int) bool {
	title, _ := r.title(body[i].first, true)
	for _, st := range choose(r.named(head, body), firm) {
		if st.disagrees(title.kind, title.unit.Value) {
			return false
		}
	}
	return r.reported(body[i+1:]) != firm || len(r.unreadHead(body[i])) > 0
}

// splitTitles cuts each paragraph that is a list in two before every bulleted
// title but the first line.
func (r *reader) splitTitles(body []paragraph) []paragraph {
	var out []paragraph
	for _, p := range body {
		from := p.first
		if r.bulleted(paragraph{}, &p) {
			for i := p.first + 1; i < p.last; i++ {
				if _, ok := r.title(i, true); !ok || !r.bulleted(paragraph{}, &paragraph{first: i}) {
					continue
				}
				out = append(out, r.reread(from, i))
				from = i
			}
		}
		if from > p.first {
			p = r.reread(from, p.last)
		}
		out = append(out, p)
	}
	return out
}

// reread is the lines [first, last) as a paragraph of their own.
func (r *reader) reread(first, last int) paragraph {
	p := r.paragraph(first, last)
	r.readParagraph(&p)
	return p
}

// opensPart reads the title that opens a paragraph. One that is indented deeper
// than the subject is an example, no title.
func (r *reader) opensPart(head paragraph, p *paragraph) (statement, bool) {
	if head.first < head.last && p.indent > head.indent || r.mentions(head, p) {
		return statement{}, false
	}
	return r.title(p.first, true)
}

// bulleted reports a paragraph whose first line stands behind a bullet that a
// host can have written, and is no task-list line.
func (r *reader) bulleted(head paragraph, p *paragraph) bool {
	text, _ := r.lineText(p.first)
	_, n := bulletText(text)
	_, _, task := taskText(text)
	return n > 0 && !task && !r.mentions(head, p)
}

// mentions reports a list of the message's own: below a subject that is itself a
// title, hosts write «* ».
func (r *reader) mentions(head paragraph, p *paragraph) bool {
	text, _ := r.lineText(p.first)
	_, n := bulletText(text)
	return head.title && n > 0 && text[0] != '*'
}

// cutAt cuts a message at the paragraphs that open a part.
func (r *reader) cutAt(openers []int, head paragraph, body []paragraph) []section {
	outer := section{head: head, bullet: true, body: body, first: r.first, last: r.under, ends: true}
	if len(openers) > 0 {
		outer.body, outer.last, outer.ends = body[:openers[0]], body[openers[0]].first, false
	}
	out := []section{outer}
	for n, i := range openers {
		s := section{head: body[i], bullet: true, body: body[i+1:], first: body[i].first, last: r.under, ends: true}
		if n+1 < len(openers) {
			next := openers[n+1]
			s.body, s.last, s.ends = body[i+1:next], body[next].first, false
		}
		r.lines[s.head.first].sort = titleLine
		out = append(out, s)
	}
	return out
}
