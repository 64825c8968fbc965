package parser

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/acta-git/acta/report"
)

// maxPlace is the longest place that is looked into, in bytes: Linux allows no longer path.
const maxPlace = 4096

// ParseEvidence reads a list of places, separated by commas, perhaps over several lines. Spans count from at, the
// position of its first byte; the zero Pos is the start of a text. A blank list has no places; a malformed place has
// Err set.
func ParseEvidence(list string, at report.Pos) []Evidence {
	s := newSource(list)
	s.base = at
	lines := splitLines(list, 0, len(list))
	f := s.fold(report.Map(lines, func(l line) piece { return piece{l.start, l.end} }))
	return s.evidence(f, 0, len(f.value))
}

func (s *source) evidence(f fold, from, to int) []Evidence {
	if strings.Trim(f.value[from:to], white) == "" {
		return nil
	}
	var out []Evidence
	var last Evidence
	for hasMore := true; hasMore; from++ { // the comma
		var places string
		places, _, hasMore = cutPlace(f.value[from:to])
		for i, place := range separate(places, last) {
			if i > 0 {
				from += separatorLen(f.value[from:])
			}
			if len(out) == maxEvidence {
				rest := malformed("more than " + strconv.Itoa(maxEvidence) + " places in one list")
				rest.Text = s.placeText(f, from, to)
				return append(out, rest)
			}
			text := s.placeText(f, from, from+len(place))
			e := parsePlace(text.Value, last)
			e.Text = text
			if i > 0 && e.Err == "" && e.Note == "" {
				e.Note = "places are separated by commas"
			}
			if e.Path != "" && !hasInnerLine(e.Path) {
				last = e
			}
			out = append(out, e)
			from += len(place)
		}
	}
	return out
}

// placeText is the text of a place; an empty one has a span as well.
func (s *source) placeText(f fold, from, to int) Text {
	text := s.cut(f, from, to)
	if text.Value == "" {
		text.Span = s.gap(f, from)
	}
	return text
}

// Place is the evidence without its symbol, «path:3-9», as messages cite it.
// What is malformed is as it was written.
func (e Evidence) Place() string {
	if e.Err != "" {
		return e.Text.Value
	}
	var b strings.Builder
	if e.IsRemoved {
		b.WriteByte('-')
	}
	// These would not read as the beginning of a path.
	if e.Path != "" && strings.IndexByte("-~\"'(", e.Path[0]) >= 0 || hasDrive(e.Path) {
		b.WriteString("./")
	}
	if mustQuote(e.Path) {
		b.WriteString(`"` + e.Path + `"`)
	} else {
		b.WriteString(e.Path)
	}
	if e.Start > 0 {
		b.WriteString(":" + strconv.Itoa(e.Start))
	}
	if e.End > e.Start {
		b.WriteString("-" + strconv.Itoa(e.End))
	}
	return b.String()
}

// String is the evidence in its plain form, with its symbol. What is malformed is as it was written.
func (e Evidence) String() string {
	if e.Err != "" || e.Symbol == "" {
		return e.Place()
	}
	return e.Place() + "#" + e.Symbol
}

// mustQuote reports a path that would read as several, or as one with a line.
func mustQuote(path string) bool {
	return strings.ContainsAny(path, ",;") || hasInnerLine(path) || strings.Contains(path, " and ")
}

// quotedPlace reads «"path"», «"path":3-9#symbol» and «"path:3-9"», each perhaps behind a «-».
func quotedPlace(s string) (e Evidence, ok bool) {
	rest, removed := strings.CutPrefix(s, "-")
	rest, ok = strings.CutPrefix(rest, `"`)
	name, rest, closed := strings.Cut(rest, `"`)
	if !ok || !closed || name == "" {
		return Evidence{}, false
	}
	if rest == "" {
		if e, all := parseLines(name); all && e.Err == "" && !hasInnerLine(e.Path) {
			e.IsRemoved = e.IsRemoved || removed
			return e, true
		}
	} else if e, ok = parseLines("x" + rest); !ok || e.Path != "x" {
		return Evidence{}, false
	}
	p := parsePath(name)
	if p.IsRemoved { // the quotes are there to say that it is no removal
		p = Evidence{Path: path.Clean(name)}
	}
	e.Path, e.IsRemoved = p.Path, removed
	e.Err = cmp.Or(p.Err, e.Err)
	return e, true
}

func malformed(err string) Evidence { return Evidence{Err: err} }

// isPlace reports whether a text is a well-formed place with lines.
func isPlace(text string) bool {
	if len(text) > maxPlace {
		return false
	}
	if e, ok := quotedPlace(text); ok {
		return e.Err == "" && e.Start > 0
	}
	e, ok := parseLines(stripMarks(text))
	return ok && e.Err == "" && !strings.ContainsAny(e.Path, white)
}

// stripMarks removes marks around a place: backticks, quotation marks, brackets, a full stop or semicolon after it.
func stripMarks(text string) string {
	text = strings.Trim(strings.ReplaceAll(text, "`", ""), white)
	for len(text) > 1 {
		switch first, last := text[0], text[len(text)-1]; {
		case first == '"' && last == '"', first == '\'' && last == '\'', first == '(' && last == ')':
			text = strings.Trim(text[1:len(text)-1], white)
			continue
		}
		break
	}
	if t := strings.TrimRight(text, ".;"); t != text {
		if _, ok := parseLines(t); ok {
			return t
		}
	}
	return text
}

// parsePlace reads one place. last is the place before it in the list, which it may refer to. A hint that is malformed
// itself is left out.
func parsePlace(text string, last Evidence) Evidence {
	e := guessPlace(text, last)
	if e.Hint != "" {
		for hint := range strings.SplitSeq(e.Hint, ", ") {
			if guessPlace(hint, Evidence{}).Err != "" {
				e.Hint = ""
			}
		}
	}
	return e
}

// guessPlace reads one place; for a malformed one it guesses what is meant.
func guessPlace(text string, last Evidence) Evidence {
	switch {
	case text == "":
		return malformed("empty: nothing stands between two commas, or after the last")
	case len(text) > maxPlace:
		return malformed("longer than any path, " + strconv.Itoa(maxPlace) + " bytes")
	case strings.Contains(text, "://"):
		return malformed("a URL is not a path in the repository")
	}
	if e, ok := quotedPlace(text); ok {
		return e
	}
	s := stripMarks(text)
	e, ok := parseLines(s)
	if !ok || hasInnerLine(e.Path) {
		if e, ok = correct(s, last); !ok {
			e = parsePath(s)
			if e.Err != "" && isCitable(e.Path) {
				e.Hint = e.corrected()
			}
			// «./42» is the line 42 once it is cleaned.
			if cleaned, ok := correct(e.corrected(), Evidence{Path: last.Path}); ok && e.Err == "" {
				e = cleaned
			}
		}
	}
	if e.Err != "" && e.Hint == "" && e.Start > 0 && e.End > 0 && isCitable(e.Path) {
		e.Hint = e.corrected()
	}
	return e
}

// isCitable reports whether a cleaned path can be cited unchanged.
func isCitable(p string) bool {
	again := parsePath(p)
	return again.Err == "" && !again.IsRemoved && again.Path == p
}

// corrected is the probable meaning of a malformed place, in its plain form.
func (e Evidence) corrected() string {
	e.Err = ""
	if e.Start > e.End {
		e.Start, e.End = e.End, e.Start
	}
	return e.String()
}

// hasInnerLine reports a path with a line number inside: «a.py:3» of a.py:3:7.
func hasInnerLine(p string) bool {
	for i := 1; i+1 < len(p); i++ {
		if p[i] == ':' && isDigit(p[i+1]) {
			return true
		}
	}
	return false
}

// parseLines reads «path:3» or «path:3-9», with an optional «#symbol». ok is false for another form; Err is set if the
// form is right and its content wrong.
func parseLines(s string) (e Evidence, ok bool) {
	blank := strings.LastIndexAny(s, white)
	for i := 1; i < len(s)-1; i++ {
		if s[i] != ':' || !isDigit(s[i+1]) {
			continue
		}
		start, rest := digits(s[i+1:])
		end := start
		if len(rest) > 1 && rest[0] == '-' && isDigit(rest[1]) {
			end, rest = digits(rest[1:])
		}
		symbol := strings.TrimPrefix(rest, "#")
		if rest != "" && (symbol == rest || symbol == "" || blank > len(s)-len(rest)) {
			continue
		}
		e = parsePath(s[:i])
		e.Symbol = strings.TrimSuffix(symbol, "()")
		e.setLines(start, end)
		return e, true
	}
	return Evidence{}, false
}

// setLines sets Start and End from their digits. It keeps an error of the path.
func (e *Evidence) setLines(start, end string) {
	a, errA := strconv.Atoi(start)
	b, errB := strconv.Atoi(end)
	err := ""
	switch {
	case errA != nil || errB != nil || a > maxLine || b > maxLine:
		a, b = 0, 0
		err = "no file has a line of that number"
	case a == 0 || b == 0:
		err = "lines count from 1"
	case a > b:
		err = "the range ends before it begins"
	}
	e.Start, e.End = a, b
	e.Err = cmp.Or(e.Err, err)
}

// maxLine is the largest line number that every reader of the JSON can hold.
const maxLine = 1<<31 - 1

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func digits(s string) (number, rest string) {
	rest = strings.TrimLeft(s, "0123456789")
	return s[:len(s)-len(rest)], rest
}

// parsePath reads «path» or «-path», and says what is wrong with it. If it can be corrected, Path is.
func parsePath(s string) Evidence {
	e := Evidence{Path: strings.Trim(s, white)}
	if rest, ok := strings.CutPrefix(e.Path, "-"); ok {
		e.IsRemoved, e.Path = true, rest
		if rest != "" && isWhite(rest[0]) {
			e.Err = "white space after «-»: write «-path» to cite what was removed, «path» to cite what is there"
			return e
		}
	}
	clean := path.Clean(e.Path)
	switch p := e.Path; {
	case p == "":
		e.Err = "no path"
	case p[0] == '/', p[0] == '~', strings.HasPrefix(p, `\`), hasDrive(p):
		e.Err = "an absolute path: paths count from the top of the repository"
	case strings.Contains(p, `\`):
		e.Err = "backslashes: paths have forward slashes"
		e.Path = path.Clean(strings.ReplaceAll(p, `\`, "/"))
	case clean == ".." || strings.HasPrefix(clean, "../"):
		e.Err = "the path leaves the repository"
	case clean == ".":
		e.Err = "the path names the repository itself, not a file"
	case strings.Trim(clean, white) != clean:
		e.Err = "white space at an end of the path"
	case strings.HasSuffix(p, "/"), strings.HasSuffix(p, "/."):
		e.Err = "the path names a folder: evidence is in a file"
	case strings.HasPrefix(p, "../") || strings.Contains(p, "/../") || strings.HasSuffix(p, "/.."):
		e.Err = "«..» in the path"
		e.Path = clean
	default:
		e.Path = clean
	}
	return e
}

func hasDrive(p string) bool {
	return len(p) > 2 && p[1] == ':' && (p[2] == '/' || p[2] == '\\')
}
