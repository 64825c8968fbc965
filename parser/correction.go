package parser

import (
	"cmp"
	_ "embed"
	"regexp"
	"strings"
	"sync"
)

// correction is one wrong form of a place: a pattern with some of the groups path, a, b and symbol.
type correction struct {
	pattern *regexp.Regexp
	err     string
	// isUnambiguous: it can mean one thing only, and is read so.
	isUnambiguous bool
}

//go:embed corrections.txt
var correctionsText string

// corrections are compiled when a place is malformed, which is rare.
var corrections = sync.OnceValue(func() (all []correction) {
	parts := strings.NewReplacer(
		"{path}", `(?P<path>.+?)`,
		"{range}", `L?(?P<a>\d+)(?:\s*(?:-|–|—|−|‐|‑|\.\.\.?|\bto\b)\s*L?(?P<b>\d+))?`,
		"{symbol}", `(?:#(?P<symbol>\S+?)(?:\(\))?)?`,
	)
	for line := range strings.Lines(correctionsText) {
		if columns := strings.SplitN(strings.TrimSpace(line), " | ", 3); len(columns) == 3 {
			pattern := regexp.MustCompile(parts.Replace(columns[2]))
			all = append(all, correction{pattern, columns[1], columns[0] == "clear"})
		}
	}
	return all
})

// correct guesses the meaning of a malformed place. ok is false for an unknown form.
func correct(s string, last Evidence) (e Evidence, ok bool) {
	for _, c := range corrections() {
		if m := c.pattern.FindStringSubmatch(s); m != nil {
			if e := c.apply(m, last); !hasInnerLine(e.Path) {
				return e, true
			}
		}
	}
	return incompletePlace(s)
}

// apply makes the evidence of a match. An error of the path has priority.
func (c correction) apply(m []string, last Evidence) Evidence {
	group := func(name string) string {
		if i := c.pattern.SubexpIndex(name); i >= 0 {
			return m[i]
		}
		return ""
	}
	from, isKnown := strings.Trim(group("path"), white+","), true
	if from == "" {
		from, isKnown = last.Path, last.Err == "" && last.Start > 0
	}
	if len(from) > 2 && from[0] == '"' && from[len(from)-1] == '"' {
		from = from[1 : len(from)-1]
	}
	e := parsePath(from)
	isMended := e.Err != ""
	if e.Err == "" || from == "" || isCitable(e.Path) {
		e.Err = ""
	}
	start, end := group("a"), cmp.Or(group("b"), group("a"))
	e.Symbol = group("symbol")
	e.setLines(start, end)
	switch {
	case e.Err == "" && c.isUnambiguous && isKnown && !isMended:
		e.Note = c.err
	case e.Err == "" || from == "":
		e.Err = c.err
	}
	return e
}

func incompletePlace(s string) (Evidence, bool) {
	if name, symbol, ok := strings.Cut(s, "#"); ok && name != "" && symbol != "" &&
		!strings.ContainsAny(symbol, white+"/") {
		e := parsePath(name)
		e.Symbol = strings.TrimSuffix(symbol, "()")
		e.Err = "a symbol comes after a line: path:line#symbol"
		return e, true
	}
	colon := strings.LastIndexByte(s, ':')
	if colon <= 0 || colon == 1 && hasDrive(s) {
		return Evidence{}, false
	}
	e := parsePath(s[:colon])
	e.Err = "a line number must follow «:»"
	if name := s[colon+1:]; name != "" && !strings.ContainsAny(name, white) {
		e.Symbol = strings.TrimSuffix(name, "()")
	}
	return e, true
}
