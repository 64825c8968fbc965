package parser

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/acta-git/acta/report"
)

// statement is one thing a message says of the kind and unit of a part.
type statement struct {
	kind Kind
	unit Text
	// text is the statement as written, «ACT: T01»; summary is the rest of a title.
	text, summary Text
	trust         trust
}

// trust says when a trailer's name counts, since prose may begin a line with «Act:».
type trust uint8

const (
	firm      trust = iota // always
	titleOnly              // a title below the subject, «ACT: T01 login»: beside a report, if no Act or Adapt is firm
	loose                  // several words, «Act: auth login»: beside a report, if nothing else names a unit
)

// title reads a line as «ACT: <unit> [summary]» or «ADAPT: …». bullet allows
// the «* » or «- » that hosts put before the subjects of a squash.
func (r *reader) title(i int, allowBullet bool) (statement, bool) {
	text, start := r.lineText(i)
	if allowBullet {
		_, n := bulletText(text)
		text, start = text[n:], start+n
	}
	st := statement{kind: Act}
	rest, ok := cutVisible(text, "ACT:")
	if !ok {
		st.kind = Adapt
		rest, ok = cutVisible(text, "ADAPT:")
	}
	if !ok {
		return statement{}, false
	}
	end := start + len(text)
	at, _ := r.trim(end-len(rest), end)
	n := strings.IndexAny(r.text[at:end], " \t")
	if n < 0 {
		n = end - at
	}
	from, to := unitIn(r.text[at : at+n])
	st.unit = r.word(at+from, at+to)
	st.text = r.word(start, at+n)
	st.summary = r.word(at+n, end)
	for _, dash := range [...]string{"-", "–", "—", ":"} {
		if rest, ok := strings.CutPrefix(st.summary.Value, dash); ok && (rest == "" || isWhite(rest[0])) {
			st.summary = r.word(end-len(rest), end)
			break
		}
	}
	return st, true
}

// almostTitlePattern finds subjects that were meant to be a title: «Act: T01», «ACT(T01): x», «ACT T01», «[ACT] T01»,
// «feat: ACT: T01», «feat: login (ACT: T01)», «T01 login».
var almostTitlePattern = report.LazyRegexp(`^\W*(?:\w+(?:\([^)]*\))?!?:\s*)?` +
	`\W*(?:(?i:act|adapt)\s*(?::|\([^)]*\))|[\[(](?i:act|adapt)[\])]|(?:ACT|ADAPT)\b).*\w` +
	`|(?:^|[^\w.-])(?i:act|adapt)\s*:\s*\w|[\[(](?i:act|adapt)\b[^\])]*\w` +
	`|^\W*(?:[A-Z]+\d+/)*[A-Z]+\d+\b[^\w-]*\s\w`)

// almostTitle reports a subject that is no title and was meant to be one.
func (r *reader) almostTitle(s section) bool {
	if s.head.first >= s.head.last || s.isFixup {
		return false
	}
	text, _ := r.lineText(s.head.first)
	return !isRevert(text) && almostTitlePattern().MatchString(visibleText(text))
}

// cutVisible is strings.CutPrefix for a reader: it ignores characters without a width (a zero width space, a soft
// hyphen).
func cutVisible(text, prefix string) (rest string, ok bool) {
	seen := 0
	for i, c := range text {
		switch {
		case c >= utf8.RuneSelf && unicode.Is(unicode.Cf, c):
		case c == rune(prefix[seen]):
			if seen++; seen == len(prefix) {
				return text[i+1:], true
			}
		default:
			return text, false
		}
	}
	return text, false
}

// unitIn is the unit's place in a word, without decoration: «[T01]», «(T01)», «#T01», «T01:», «T01,». A word of
// decoration only is left unchanged.
func unitIn(word string) (from, to int) {
	to = len(word)
	for to-from > 1 {
		switch first, last := word[from], word[to-1]; {
		case last == ',' || last == ';' || last == ':':
			to--
		case first == '#':
			from++
		case to-from > 2 && (first == '[' && last == ']' || first == '(' && last == ')' || first == '`' && last == '`'):
			from, to = from+1, to-1
		default:
			return from, to
		}
	}
	return from, to
}

// bulletText returns the text after a list bullet, and the length of the bullet; without one the text itself.
func bulletText(text string) (string, int) {
	if len(text) > 2 && strings.IndexByte("*-+", text[0]) >= 0 && (text[1] == ' ' || text[1] == '\t') {
		rest := strings.TrimLeft(text[1:], " \t")
		return rest, len(text) - len(rest)
	}
	return text, 0
}

// isAutosquash reports a subject that git rebase --autosquash folds into another commit.
func isAutosquash(subject string) bool {
	first, _, rest := strings.Cut(subject, " ")
	return rest && (first == "fixup!" || first == "squash!" || first == "amend!")
}

// trailerStatement reads an «Act:», «Adapt:» or «For:» value. A value of several words is firm only if its first word
// looks like a key and its own key is not in capitals: otherwise it may be prose, or an example of a title. The report
// beside it decides then, see choose; «For:» and «Adapt:» before plain words are prose.
func (r *reader) trailerStatement(e *entry) (statement, bool) {
	kind, trust := Kind(strings.ToUpper(e.key)), firm
	if kind != Act && kind != Adapt && kind != For {
		return statement{}, false
	}
	f := r.fold(e.pieces)
	n := strings.IndexAny(f.value, " \t")
	if n < 0 {
		n = len(f.value)
	} else if !strings.ContainsAny(f.value[:n], "/0123456789") {
		trust = loose
	} else if strings.HasPrefix(r.text[e.start:], string(kind)) {
		trust = titleOnly
	}
	if n == 0 || trust == loose && kind != Act {
		return statement{}, false
	}
	pieces := append([]piece{{e.start, e.pieces[0].end}}, e.pieces[1:]...)
	full := r.fold(pieces)
	from, to := unitIn(f.value[:n])
	return statement{
		kind:  kind,
		unit:  r.cut(f, from, to),
		text:  r.cut(full, 0, len(full.value)-len(f.value)+n),
		trust: trust,
	}, true
}

// choose keeps the most trusted statements of trailers, and only those trusted as much as allowed.
func choose(all []statement, allowed trust) []statement {
	best := allowed
	for _, st := range all {
		switch {
		case st.trust == firm && st.kind != For:
			best = firm
		case st.trust != loose:
			best = min(best, titleOnly)
		}
	}
	var out []statement
	for _, st := range all {
		if st.trust <= best {
			out = append(out, st)
			if st.trust == loose {
				break // another one of several words is probably prose
			}
		}
	}
	return out
}

// SameUnit compares units as written; an id alone means the unit whose key ends in it.
func SameUnit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || a != "" && !strings.Contains(a, "/") && strings.HasSuffix(b, "/"+a)
}

// decide gives a part its kind and unit from its title and trailers, and notes contradictions. «For:» beside an ACT or
// ADAPT of the same unit adds nothing; of several «For:» the first one counts.
func (p *Part) decide(title *statement, trailers []statement) {
	all := trailers
	if title != nil {
		all = append([]statement{*title}, trailers...)
	}
	var first *statement
	for i := range all {
		if st := &all[i]; first == nil || first.kind == For && st.kind != For {
			first = st
		}
	}
	if first == nil {
		return
	}
	p.Kind, p.Unit, p.Summary = first.kind, first.unit, first.summary
	for i := range all {
		st := &all[i]
		if p.Unit.Value == "" && st.kind == p.Kind {
			p.Unit = st.unit
		}
		if p.Conflict == nil && st.disagrees(p.Kind, p.Unit.Value) {
			p.Conflict = &Conflict{First: first.text, Second: st.text}
		}
	}
	if p.Unit.Value == "" && p.Conflict == nil {
		p.Conflict = &Conflict{First: first.text}
	}
}

func (st *statement) disagrees(kind Kind, unit string) bool {
	if st.kind == For {
		return kind != For && unit != "" && !SameUnit(st.unit.Value, unit)
	}
	return st.kind != kind || st.unit.Value != "" && unit != "" && !SameUnit(st.unit.Value, unit)
}

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
		case line == "" || listMark(line) > 0:
			end()
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	end()
	for _, p := range m.Parts {
		for _, c := range p.Claims {
			all = append(all, c.Item.Value)
		}
	}
	return all
}

// lookalikes are letters that look like those of ACT and ADAPT, each after the letter itself.
var lookalikes = []string{
	"AАΑᎪᗅꓮ𐊠", "CСϹᏟᑕꓚⲤ𐊢", "TТΤᎢꓔⲦ𐊗", "DᎠᗞᗪꓓ", "PРΡᏢᑭꓑⲢ𐊕", "aаαɑ", "cсϲᴄⅽⲥ", "tтτᴛ", "dԁᏧⅾ", "pрρⲣ",
	":：ː։׃∶꞉",
}

// escapePattern matches text that a terminal obeys instead of showing: a sequence, or a character and a backspace.
var escapePattern = report.LazyRegexp("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b.|[^\b]\b")

// visibleText is a line as a reader sees it: plain letters for lookalikes, and no characters without a width.
func visibleText(text string) string {
	odd := func(c rune) bool { return c >= unicode.MaxASCII || c < ' ' && c != '\t' }
	if !strings.ContainsFunc(text, odd) {
		return text
	}
	return strings.Map(func(c rune) rune {
		for _, letters := range lookalikes {
			if strings.ContainsRune(letters, c) {
				return rune(letters[0])
			}
		}
		if c < ' ' && c != '\t' || unicode.In(c, unicode.Mn, unicode.Me, unicode.Cf, unicode.Cc) || c == 'ㅤ' {
			return -1
		}
		return c
	}, norm.NFKD.String(escapePattern().ReplaceAllString(text, "")))
}
