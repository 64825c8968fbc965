package parser

import (
	"slices"
	"strings"
)

// paragraph is a run of lines without a blank one among them.
type paragraph struct {
	// Its lines are [first, last), comment lines among them; first is the first that is no comment.
	first, last int
	// indent is how many bytes of indentation its lines share.
	indent int
	// isTitle: its first line is a title without a bullet.
	isTitle bool
	// entries are its values, unread the lines that only look like some.
	entries []entry
	unread  []UnreadLine
}

type entry struct {
	// key is the report key in lower case, taskKey, or "" for another trailer.
	key    string
	status Status
	// start is the entry's offset in the text.
	start  int
	pieces []piece
	// indent is a task-list line's indentation; its wrapped lines may be deeper.
	indent int
	// hasBar: a « | » has been seen.
	hasBar bool
	// What complete has found: how many pieces it has read, and whether all places in them are well formed.
	checkedPieces int
	isWellFormed  bool
	last          Evidence
}

// taskKey is the key of a task-list line; no trailer can have it.
const taskKey = "[]"

// reportKeys are the keys that open a report or continue one (docs/format.md).
var reportKeys = [...]string{
	"done", "skipped", "pending", "ran", "proved", "report", "outcome", "actor", "session", "reason", "tier",
	"waive", "weakened", "accepted", "act", "adapt", "for", "observation", "reopen", "replan", "reassess",
}

func reportKey(key string) string {
	k := strings.ToLower(strings.TrimRight(key, " \t"))
	if !slices.Contains(reportKeys[:], k) {
		return ""
	}
	return k
}

// hasBars reports whether a « | » parts the values of a key.
func hasBars(key string) bool {
	switch key {
	case "done", "skipped", "pending", "waive", "weakened", "accepted", taskKey:
		return true
	}
	return false
}

// paragraphs cuts the content into the head, which holds the subject and never
// a report, and the body's paragraphs, read.
func (r *reader) paragraphs() (head paragraph, body []paragraph) {
	i := r.first
	for i < r.last && r.lines[i].sort != blankLine {
		i++
	}
	head = r.paragraph(r.first, i)
	for i < r.last {
		start := i
		for i < r.last && r.lines[i].sort != blankLine {
			i++
		}
		if p := r.paragraph(start, i); p.first < p.last {
			r.readParagraph(&p)
			body = append(body, p)
		}
		i++
	}
	return head, body
}

func (r *reader) paragraph(first, last int) paragraph {
	for first < last && r.lines[first].sort == commentLine {
		first++
	}
	p := paragraph{first: first, last: last}
	if first == last {
		return p
	}
	_, start := r.lineText(first)
	common := r.text[r.lines[first].start:start]
	for i := first + 1; i < last && common != ""; i++ {
		if r.lines[i].sort == commentLine {
			continue
		}
		n, text := 0, r.text[r.lines[i].start:]
		for n < len(common) && n < len(text) && text[n] == common[n] {
			n++
		}
		common = common[:n]
	}
	p.indent = len(common)
	return p
}

// How a paragraph is read.
type paragraphMode uint8

const (
	proseMode  paragraphMode = iota // only its task-list lines count
	reportMode                      // it opens with a report key or a task-list line
	blockMode                       // it is the trailer block, and opens with another key
)

type paragraphReader struct {
	*reader
	p    *paragraph
	mode paragraphMode
	// isOpen is set while the last entry can still be continued.
	isOpen bool
}

func (r *reader) readParagraph(p *paragraph) {
	w := paragraphReader{reader: r, p: p}
	text, _ := r.lineText(p.first)
	colon := separator(text)
	_, _, task := taskText(text)
	if listMark(text) == 0 {
		r.listKey = ""
	}
	switch {
	case task, colon > 0 && reportKey(text[:colon]) != "", r.listKey != "":
		w.mode = reportMode
	case p.first >= r.trailerStart:
		w.mode = blockMode
	}
	for i := p.first; i < p.last; i++ {
		if r.lines[i].sort != commentLine {
			r.lines[i].sort = w.readLine(i)
		}
	}
}

func (w *paragraphReader) readLine(i int) lineSort {
	text, start := w.lineText(i)
	indent := start - w.lines[i].start - w.p.indent
	end := start + len(text)
	if status, n, ok := taskText(text); ok {
		w.startEntry(entry{key: taskKey, status: status, start: start, indent: indent}, piece{start + n, end})
		return otherLine
	}
	colon := keyColon(text)
	key := ""
	if colon > 0 {
		key = reportKey(text[:colon])
	}
	isDecorated, isLike := looksLikeClaim(text)
	switch n := listMark(text); {
	case n > 0 && w.listKey != "" && (w.isOpen || i == w.p.first):
		w.startEntry(entry{key: w.listKey, start: start}, piece{start + n, end})
		return otherLine
	case isLike && isDecorated:
		w.isOpen = false
		w.noteUnread(i, UnreadDecorated)
	case endsValue(text) || w.isOpen && w.lastEntry().key == taskKey && listMark(text) > 0:
		w.isOpen = false
	case colon > 0 && w.beginsEntry(key, text[:colon], indent) && !w.isWrapped(key, text):
		if w.mode != proseMode {
			w.startEntry(entry{key: key, start: start}, piece{start + colon + 1, end})
			if w.listKey = ""; colon+1 == len(text) && hasBars(key) {
				w.listKey = key
			}
			return otherLine
		}
		w.isOpen = false
		w.noteIfReport(i)
	case w.isOpen && !isLike && w.isClosed(i, indent, text):
		w.isOpen = false
	case w.isOpen && (w.mode == reportMode || w.lastEntry().key == taskKey || indent > 0 || w.isUnfinished()):
		e := w.lastEntry()
		e.pieces = append(e.pieces, piece{start, end})
		e.hasBar = e.hasBar || hasBar(text)
		return otherLine
	case w.mode == proseMode:
		w.noteIfReport(i)
	}
	if w.mode == blockMode {
		return otherLine
	}
	return proseLine
}

func (w *paragraphReader) startEntry(e entry, first piece) {
	e.pieces = []piece{first}
	e.hasBar = hasBar(w.text[first.start:first.end])
	w.p.entries = append(w.p.entries, e)
	w.isOpen = true
}

func (w *paragraphReader) lastEntry() *entry { return &w.p.entries[len(w.p.entries)-1] }

// beginsEntry reports whether a line of trailer form may begin an entry: at the paragraph's indentation, or no deeper
// than the task-list line above. A deeper line is a folded line to git, unless it has a capitalised report key.
func (w *paragraphReader) beginsEntry(key, written string, indent int) bool {
	switch {
	case indent == 0, w.isOpen && w.lastEntry().key == taskKey && indent <= w.lastEntry().indent:
		return true
	case w.mode == blockMode:
		return false
	}
	return (hasBars(key) || key == "outcome") && written[0] >= 'A' && written[0] <= 'Z'
}

// isWrapped reports whether a line of trailer form is the rest of the value above
// that was broken in an unlucky place: before Makefile:3, or in the middle of an item.
func (w *paragraphReader) isWrapped(key, text string) bool {
	if !w.isOpen || key != "" || !hasBars(w.lastEntry().key) {
		return false
	}
	e := w.lastEntry()
	first, _, _ := strings.Cut(text, ",")
	return !e.hasBar && hasBar(text) ||
		(e.key == "done" || e.key == "waive" || e.key == taskKey) && w.isUnfinished() && isPlace(first)
}

// isUnfinished reports whether the open entry ends in a comma or a bar, so that more must follow.
func (w *paragraphReader) isUnfinished() bool {
	e := w.lastEntry()
	last := e.pieces[len(e.pieces)-1]
	text := strings.TrimRight(w.text[last.start:last.end], white)
	return (hasBars(e.key) || e.key == "ran") &&
		(strings.HasSuffix(text, ",") || strings.HasSuffix(text, "|") && hasBar(text))
}

// isClosed reports whether a line cannot continue the open value above, because that is whole: a single word where one
// is enough, or complete evidence that the line does not continue.
func (w *paragraphReader) isClosed(i, indent int, text string) bool {
	e := w.lastEntry()
	first := strings.Trim(w.text[e.pieces[0].start:e.pieces[0].end], white)
	isSingle := len(e.pieces) == 1 && first != ""
	switch e.key {
	case "outcome", "actor", "session", "tier", "report", "act", "adapt", "for":
		return isSingle && indent <= 0 && !strings.ContainsAny(first, white)
	case "ran":
		return isSingle && indent <= 0 && isWholeRun(first) && !continuesRun(text)
	case "done", "skipped", "pending":
		if !e.hasBar {
			return isSingle && isNone(first) && !hasBar(text)
		}
	}
	return w.isComplete() && !w.continuesList(text) && !w.hasBarAhead(i)
}

// continuesList reports whether a line goes on with a list of places.
func (w *paragraphReader) continuesList(text string) bool {
	first, _, listed := strings.Cut(text, ",")
	return listed && first == "" || isPlace(first)
}

// isComplete reports whether the open entry cites places that are all well formed, and the list does not go on.
func (w *paragraphReader) isComplete() bool {
	e := w.lastEntry()
	if !e.hasBar || e.key != "done" && (e.key != taskKey || e.status != Done) {
		return false
	}
	for ; e.checkedPieces < len(e.pieces); e.checkedPieces++ {
		p := e.pieces[e.checkedPieces]
		text := strings.Trim(w.text[p.start:p.end], white)
		list, at := text, lastBar(text)
		switch {
		case at >= 0:
			e.isWellFormed, list = true, text[at+1:]
		case strings.HasPrefix(text, ","):
			list = text[1:]
		case e.checkedPieces > 0 && !w.endsIn(e.pieces[e.checkedPieces-1], ",|"):
			e.isWellFormed = false
		}
		list = strings.TrimSuffix(strings.Trim(list, white), ",")
		for list != "" && e.isWellFormed {
			var one string
			one, list, _ = cutPlace(list)
			place := guessPlace(strings.Trim(one, white), e.last)
			e.isWellFormed, e.last = place.Err == "", place
		}
	}
	return e.isWellFormed && !w.endsIn(e.pieces[len(e.pieces)-1], ",|")
}

func (w *paragraphReader) endsIn(p piece, marks string) bool {
	text := strings.TrimRight(w.text[p.start:p.end], white)
	return text != "" && strings.IndexByte(marks, text[len(text)-1]) >= 0
}

// hasBarAhead reports whether a line, or the next ones that it may be wrapped over, has a bar and a place after it:
// then the lines above are still the item.
func (w *paragraphReader) hasBarAhead(i int) bool {
	for n := i; n < min(w.p.last, i+1+wrapLimit); n++ {
		if w.lines[n].sort == commentLine {
			continue
		}
		text, _ := w.lineText(n)
		if n > i && (keyColon(text) > 0 || listMark(text) > 0 || endsValue(text)) {
			return false
		}
		if at := lastBar(text); at >= 0 {
			place, _, _ := strings.Cut(text[at+1:], ",")
			return isPlace(strings.TrimSpace(place))
		}
	}
	return false
}

// noteUnread notes a line that looks like a report and is not read. The line in the
// way is the line itself, or for unreadInProse the one that opens the paragraph.
func (w *paragraphReader) noteUnread(i int, why UnreadReason) {
	inTheWay := i
	if why == unreadInProse {
		inTheWay = w.p.first
	}
	w.p.unread = append(w.p.unread, UnreadLine{Line: w.lineWord(i), Reason: why, Obstacle: w.lineWord(inTheWay)})
}

func (w *paragraphReader) noteIfReport(i int) {
	if w.looksLike(i, w.p.last) {
		w.noteUnread(i, unreadInProse)
	}
}
