package parser

import (
	"cmp"
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
)

func (r *reader) addEntry(rep *Report, e *entry) {
	f := r.fold(e.pieces)
	value := r.whole(f)
	switch e.key {
	case "done", "skipped", "pending":
		r.claim(rep, e, f, Status(e.key), FromTrailer)
	case taskKey:
		r.claim(rep, e, f, e.status, FromTaskList)
	case "report":
		rep.Files = append(rep.Files, value)
	case "outcome":
		rep.Outcome = value
	case "actor":
		rep.Actor = value
	case "session":
		rep.Session = value
	case "reason":
		rep.Reason = value
	case "tier":
		rep.Tier = value
	case "ran":
		rep.Runs = append(rep.Runs, r.claimedRun(f))
	case "proved":
		rep.Runs = append(rep.Runs, r.proofRun(f))
	case "waive":
		rep.Waivers = append(rep.Waivers, r.waiver(f))
	case "weakened":
		rep.Weakenings = append(rep.Weakenings, r.excuse(f, "test or path"))
	case "accepted":
		rep.Acceptances = append(rep.Acceptances, r.excuse(f, "item"))
	case "observation":
		rep.Observations = append(rep.Observations, r.observation(f))
	case "reopen":
		rep.Reopen = append(rep.Reopen, value)
	case "replan":
		rep.Replan = append(rep.Replan, r.pair(f))
	case "reassess":
		rep.Reassess = append(rep.Reassess, r.pair(f))
	}
}

func (r *reader) claim(rep *Report, e *entry, f fold, status Status, from Source) {
	if from == FromTrailer && isNone(f.value) {
		return
	}
	if r.claims++; r.claims > maxClaims {
		r.noteLimit("claims", maxClaims, e.start)
		return
	}
	c := Claim{Status: status, Source: from}
	at, rest := lastBar(f.value), len(f.value)
	if c.HasBar = at >= 0; c.HasBar {
		c.Item, rest = r.cut(f, 0, at), at+1
	} else {
		c.Item = r.whole(f)
		if item, list := splitWithoutBar(f.value); status == Done && list > 0 {
			c.LacksBar, c.Item, c.EvidenceText = true, r.cut(f, 0, item), r.cut(f, list, len(f.value))
		}
	}
	if c.Item.Value == "" {
		c.Item.Span = r.span(e.start, e.start)
	}
	if status == Done && !c.LacksBar {
		c.EvidenceText = r.cut(f, rest, len(f.value))
		c.Evidence = r.evidence(f, rest, len(f.value))
	} else if status != Done {
		c.Reason = r.cut(f, rest, len(f.value))
	}
	rep.Claims = append(rep.Claims, c)
}

// splitWithoutBar finds the places at the end of a value without « | »: the end of the item, and the start of the
// places; 0 without places, or without an item.
func splitWithoutBar(value string) (item, list int) {
	const maxTries = 8 // prose hardly has more than one broken list
	tries := 0
	for i := strings.LastIndexByte(value, '|') + 1; i < len(value); i++ {
		end := len(value)
		if n := strings.IndexAny(value[i:], white+","); n >= 0 {
			end = i + n
		}
		if i == 0 || end == i || !isPlace(value[i:end]) {
			i = end
			continue
		}
		if !isPlaceList(value[i:]) {
			if tries++; tries == maxTries {
				break
			}
			i = end
			continue
		}
		words := strings.TrimRight(value[:i], white+"|-–—:=>→,;")
		for _, word := range [...]string{" at", " in", " see"} {
			words = strings.TrimRight(strings.TrimSuffix(words, word), white+"-–—:")
		}
		if words == "" {
			return 0, 0
		}
		return len(words), i
	}
	return 0, 0
}

func isPlaceList(list string) bool {
	for hasMore := true; hasMore; {
		var one string
		if one, list, hasMore = cutPlace(list); !isPlace(strings.Trim(one, white)) {
			return false
		}
	}
	return true
}

// isNone reports a value that says that there is nothing to report.
func isNone(value string) bool {
	switch strings.ToLower(strings.TrimSuffix(strings.Trim(value, white), ".")) {
	case "", "none", "nothing", "n/a", "-":
		return true
	}
	return false
}

// waiver reads «<rule> | <place> | <reason>»: the rule before the first bar, the
// reason after the last, the place between.
func (r *reader) waiver(f fold) Waiver {
	first, last := firstBar(f.value), lastBar(f.value)
	if first < 0 {
		return Waiver{Rule: r.whole(f), Err: "expected «<rule> | <place> | <reason>», found no bar"}
	}
	w := Waiver{Rule: r.cut(f, 0, first)}
	if first == last {
		w.Place = r.cut(f, first+1, len(f.value))
		w.Err = "expected «<rule> | <place> | <reason>», found one bar"
		return w
	}
	w.Place, w.Reason = r.cut(f, first+1, last), r.cut(f, last+1, len(f.value))
	switch {
	case w.Rule.Value == "":
		w.Err = "no rule before the first bar"
	case w.Place.Value == "":
		w.Err = "no place between the bars"
	case w.Reason.Value == "":
		w.Err = "no reason after the last bar"
	}
	return w
}

// excuse reads «<what> | <reason>»: the reason is after the last bar.
func (r *reader) excuse(f fold, what string) Excuse {
	at := lastBar(f.value)
	if at < 0 {
		return Excuse{Subject: r.whole(f), Err: "expected «<" + what + "> | <reason>», found no bar"}
	}
	e := Excuse{Subject: r.cut(f, 0, at), Reason: r.cut(f, at+1, len(f.value))}
	switch {
	case e.Subject.Value == "":
		e.Err = "nothing before the bar"
	case e.Reason.Value == "":
		e.Err = "no reason after the bar"
	}
	return e
}

// observation reads «<perspective> | <fact>»; without a bar all of it is the fact.
func (r *reader) observation(f fold) Observation {
	at := firstBar(f.value)
	return Observation{Perspective: r.cut(f, 0, max(at, 0)), Fact: r.cut(f, at+1, len(f.value))}
}

// pair reads «left | right»; without a bar all of it is the left.
func (r *reader) pair(f fold) Pair {
	at := firstBar(f.value)
	if at < 0 {
		return Pair{First: r.whole(f)}
	}
	return Pair{First: r.cut(f, 0, at), Second: r.cut(f, at+1, len(f.value))}
}

// hasClaims reports whether a claim in its whole form, or a report file, is there.
func (rep *Report) hasClaims() bool {
	return len(rep.Files) > 0 || slices.ContainsFunc(rep.Claims, func(c Claim) bool { return c.HasBar })
}

// isEmpty reports whether only actor, session and reason are given.
func (rep *Report) isEmpty() bool {
	return len(rep.Claims)+len(rep.Files)+len(rep.Runs)+len(rep.Waivers)+len(rep.Weakenings)+len(rep.Acceptances)+
		len(rep.Observations)+len(rep.Reopen)+len(rep.Replan)+len(rep.Reassess) == 0 && rep.Outcome.Value == ""
}

// cutPlace cuts a list at its first comma that is in no quoted path.
func cutPlace(list string) (one, rest string, hasMore bool) {
	at := 0
	if start := strings.TrimLeft(list, white); strings.HasPrefix(start, `"`) || strings.HasPrefix(start, `-"`) {
		open := strings.IndexByte(list, '"') + 1
		if n := strings.IndexByte(list[open:], '"'); n >= 0 {
			at = open + n
		}
	}
	n := strings.IndexByte(list[at:], ',')
	if n < 0 {
		return list, "", false
	}
	return list[:at+n], list[at+n+1:], true
}

// separators are used instead of the comma.
var separators = [...]string{";", " and "}

// separatorLen is the length of the separator that a text begins with; 0 without one.
func separatorLen(text string) int {
	for _, s := range separators {
		if strings.HasPrefix(text, s) {
			return len(s)
		}
	}
	return 0
}

// separate splits a text between two commas at other separators, if all parts are places with lines.
func separate(text string, last Evidence) []string {
	whole := []string{text}
	if len(text) > maxPlace {
		return whole
	}
	var parts []string
	from := 0
	for i := 0; i <= len(text); i++ {
		n := separatorLen(text[i:])
		if n == 0 && i < len(text) {
			continue
		}
		e := guessPlace(strings.Trim(text[from:i], white), last)
		if i < len(text) || from > 0 {
			if e.Err != "" || e.Start == 0 {
				return whole
			}
		}
		parts, last, from = append(parts, text[from:i]), e, i+n
		i = max(i, from-1)
	}
	return parts
}

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
