package parser

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/acta-git/acta/diag"
)

// maxPlace is the longest place that is looked into, in bytes: Linux allows no longer path.
const maxPlace = 4096

// ParseEvidence reads a list of places, separated by commas. It may be folded
// over lines. Spans count from at, the position of its first byte; the zero Pos
// stands for the start of a text. A blank list holds no place; a malformed one has Err set.
func ParseEvidence(list string, at diag.Pos) []Evidence {
	s := newSource(list)
	s.base = at
	lines := splitLines(list, len(list))
	pieces := make([]piece, len(lines))
	for i, l := range lines {
		pieces[i] = piece{l.start, l.end}
	}
	f := s.fold(pieces)
	return s.evidence(f, 0, len(f.value))
}

// evidence reads the places listed in value[from:to].
func (s *source) evidence(f fold, from, to int) []Evidence {
	if strings.Trim(f.value[from:to], white) == "" {
		return nil
	}
	var out []Evidence
	last := ""
	for more := true; more; {
		end := to
		if len(out) == MaxEvidence {
			more = false
		} else if i := strings.IndexByte(f.value[from:to], ','); i >= 0 {
			end = from + i
		} else {
			more = false
		}
		text := s.cut(f, from, end)
		if text.Value == "" {
			text.Span = s.gap(f, from)
		}
		from = end + 1
		var e Evidence
		if len(out) == MaxEvidence {
			e = malformed("more than " + strconv.Itoa(MaxEvidence) + " places in one list")
		} else {
			e = place(text.Value, last)
		}
		e.Text = text
		if e.Path != "" && !innerLine(e.Path) {
			last = e.Path
		}
		out = append(out, e)
	}
	return out
}

// Place is the evidence without its symbol, «path:3-9», as messages cite it.
// What is malformed is as it was written.
func (e Evidence) Place() string {
	if e.Err != "" {
		return e.Text.Value
	}
	var b strings.Builder
	if e.Removed {
		b.WriteByte('-')
	}
	// What would read as something else than the beginning of a path.
	if e.Path != "" && strings.IndexByte("-~\"'(", e.Path[0]) >= 0 || drive(e.Path) {
		b.WriteString("./")
	}
	b.WriteString(e.Path)
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

func malformed(err string) Evidence { return Evidence{Err: err} }

// cited reports whether a text is a well-formed place with lines.
func cited(text string) bool {
	if len(text) > maxPlace {
		return false
	}
	e, ok := lines(bare(text))
	return ok && e.Err == "" && !strings.ContainsAny(e.Path, white)
}

// bare takes off what people put around a place: backticks, quotation marks,
// brackets, a full stop or semicolon after it.
func bare(text string) string {
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
		if _, ok := lines(t); ok {
			return t
		}
	}
	return text
}

// place reads one place. last is the path of the place before it in the list,
// for what is wrong in a way that only makes sense behind another. A hint that is
// itself malformed would send its reader in circles, so it is not given.
func place(text, last string) Evidence {
	e := guess(text, last)
	if e.Hint != "" {
		for hint := range strings.SplitSeq(e.Hint, ", ") {
			if guess(hint, "").Err != "" {
				e.Hint = ""
			}
		}
	}
	return e
}

// guess reads one place, and when it is malformed says what it probably means.
func guess(text, last string) Evidence {
	switch {
	case text == "":
		return malformed("empty: nothing stands between two commas, or after the last")
	case len(text) > maxPlace:
		return malformed("longer than any path, " + strconv.Itoa(maxPlace) + " bytes")
	case strings.Contains(text, "://"):
		return malformed("a URL is not a path in the repository")
	}
	s := bare(text)
	e, ok := lines(s)
	if !ok || innerLine(e.Path) {
		if e, ok = correct(s, last); !ok {
			e = barePath(s)
			if e.Err != "" && mendable(e.Path) {
				e.Hint = e.plain()
			}
			// «./42» is the line 42 once it is cleaned.
			if again, ok := correct(e.plain(), last); ok && e.Err == "" {
				e = again
			}
		}
	}
	if e.Err != "" && e.Hint == "" && e.Start > 0 && e.End > 0 && mendable(e.Path) {
		e.Hint = e.plain()
	}
	return e
}

// mendable reports whether a path that barePath has cleaned can be cited as it now is.
func mendable(p string) bool {
	again := barePath(p)
	return again.Err == "" && !again.Removed && again.Path == p
}

// plain is what a malformed place probably means, in its plain form.
func (e Evidence) plain() string {
	e.Err = ""
	if e.Start > e.End {
		e.Start, e.End = e.End, e.Start
	}
	return e.String()
}

// innerLine reports a path in which a line number stands: «a.py:3» of a.py:3:7.
func innerLine(p string) bool {
	for i := 1; i+1 < len(p); i++ {
		if p[i] == ':' && isDigit(p[i+1]) {
			return true
		}
	}
	return false
}

// lines reads «path:3», «path:3-9», each with an optional «#symbol». ok is false
// when the text has no such form; Err is set when the form is there and what it says is wrong.
func lines(s string) (e Evidence, ok bool) {
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
		e = barePath(s[:i])
		e.Symbol = strings.TrimSuffix(symbol, "()")
		e.setLines(start, end)
		return e, true
	}
	return Evidence{}, false
}

// setLines sets Start and End from their digits. An error of the path stands before one of theirs.
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
	if e.Err == "" {
		e.Err = err
	}
}

// maxLine keeps line numbers in what every reader of the JSON can hold.
const maxLine = 1<<31 - 1

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func digits(s string) (number, rest string) {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return s[:n], s[n:]
}

// barePath reads «path» or «-path» and says what is wrong with it. Where that
// can be mended, Path is mended.
func barePath(s string) Evidence {
	e := Evidence{Path: strings.Trim(s, white)}
	if rest, ok := strings.CutPrefix(e.Path, "-"); ok {
		e.Removed, e.Path = true, rest
		if rest != "" && isWhite(rest[0]) {
			e.Err = "white space after «-»: «-path» cites removed lines, a path alone what is there"
			return e
		}
	}
	clean := path.Clean(e.Path)
	switch p := e.Path; {
	case p == "":
		e.Err = "no path"
	case p[0] == '/', p[0] == '~', strings.HasPrefix(p, `\`), drive(p):
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

// drive reports a path that begins with a drive letter of Windows.
func drive(p string) bool {
	return len(p) > 2 && p[1] == ':' && (p[2] == '/' || p[2] == '\\')
}

// correction is one way in which people and agents write a place that is not
// one: a pattern with the groups path, a, b and symbol, as far as it has them.
type correction struct {
	pattern *regexp.Regexp
	err     string
}

// corrections are tried in order. They are compiled when a place is malformed, which is rare.
var corrections = sync.OnceValue(func() []correction {
	const (
		path   = `(?P<path>.+?)`
		rng    = `L?(?P<a>\d+)(?:\s*(?:-|–|—|−|‐|‑|\.\.\.?|\bto\b)\s*L?(?P<b>\d+))?`
		symbol = `(?:#(?P<symbol>\S+?)(?:\(\))?)?`
	)
	var out []correction
	for _, c := range []struct{ pattern, err string }{
		{`^\[.*\]\(` + path + `(?:#|:)` + rng + `\)$`, "a Markdown link"},
		{`^` + path + `:(?P<a>\d+):\d+(?:-(?P<b>\d+)(?::\d+)?)?:?` + symbol + `$`, "a column after the line: only lines are cited"},
		{`^` + path + `#L?(?P<a>\d+)(?:C\d+)?(?:-L?(?P<b>\d+)(?:C\d+)?)?$`, "lines follow «:», and «#» a symbol"},
		{`^` + path + `\s*:\s*` + rng + symbol + `$`, "lines are written «3» or «3-9»"},
		{`(?i)^` + path + `[\s:]\s*\(?(?:(?:at|on|in|around)\s+)?lines?:?\s+#?` + rng + `\)?$`, "prose: write path and line"},
		{`(?i)^lines?\s+#?` + rng + `\s+(?:in|of)\s+(?:file\s+)?` + path + `$`, "prose: write path and line"},
		{`^` + path + `:` + rng + `(?:\s|:)\s*\S.*$`, "text after the line"},
		{`^` + path + `:` + rng + `[-#:]+$`, "the range or symbol is not finished"},
		{`^(?P<path>)(?i:lines?\s+)?[#:]?` + rng + symbol + `$`, "lines without a path"},
	} {
		out = append(out, correction{regexp.MustCompile(c.pattern), c.err})
	}
	return out
})

// correct finds what a malformed place was meant to be. ok is false when the
// text is malformed in no way that is known.
func correct(s, last string) (e Evidence, ok bool) {
	if hint, ok := separated(s); ok {
		return Evidence{Err: "places are separated by commas", Hint: hint}, true
	}
	for _, c := range corrections() {
		if m := c.pattern.FindStringSubmatch(s); m != nil {
			if e := c.apply(m, last); !innerLine(e.Path) {
				return e, true
			}
		}
	}
	return unfinished(s)
}

// apply builds what a pattern found. A path that cannot be mended is the worse error.
func (c correction) apply(m []string, last string) Evidence {
	group := func(name string) string {
		if i := c.pattern.SubexpIndex(name); i >= 0 {
			return m[i]
		}
		return ""
	}
	from := strings.Trim(group("path"), white+",")
	if from == "" {
		from = last
	}
	e := barePath(from)
	if e.Err == "" || from == "" || mendable(e.Path) {
		e.Err = c.err
	}
	start, end := group("a"), group("b")
	if end == "" {
		end = start
	}
	e.Symbol = group("symbol")
	e.setLines(start, end)
	return e
}

// separated tells a list whose places are not separated by commas.
func separated(s string) (hint string, ok bool) {
	var places []string
	for _, p := range strings.FieldsFunc(strings.NewReplacer(" and ", ";", " & ", ";", " + ", ";").Replace(s), func(c rune) bool { return c == ';' }) {
		e, ok := lines(strings.Trim(p, white))
		if !ok || e.Err != "" || innerLine(e.Path) {
			return "", false
		}
		places = append(places, e.String())
	}
	return strings.Join(places, ", "), len(places) > 1
}

// unfinished names the error of what has a path and no lines that can be read.
func unfinished(s string) (Evidence, bool) {
	if name, symbol, ok := strings.Cut(s, "#"); ok && name != "" && symbol != "" && !strings.ContainsAny(symbol, white+"/") {
		e := barePath(name)
		e.Symbol = strings.TrimSuffix(symbol, "()")
		e.Err = "a symbol stands behind a line: path:line#symbol"
		return e, true
	}
	colon := strings.LastIndexByte(s, ':')
	if colon <= 0 || colon == 1 && drive(s) {
		return Evidence{}, false
	}
	e := barePath(s[:colon])
	e.Err = "a line number must follow «:»"
	if name := s[colon+1:]; name != "" && !strings.ContainsAny(name, white) {
		e.Symbol = strings.TrimSuffix(name, "()")
	}
	return e, true
}
