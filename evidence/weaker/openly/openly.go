package openly

import (
	"slices"
	"strings"
	"unicode"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/weaker"
)

// Saying is where a message says openly that less is asked. The zero value says nothing.
type Saying struct {
	// Clause is the part of the message, as it reads, on one line of at most 100 characters.
	Clause string
	// Word is the asking word of it, as Words has it.
	Word string
}

// Message is a commit's message, as far as it asks for less.
type Message struct {
	clauses []clause
	// words and ofGates are the asking words of each clause, of a test and of a gate.
	words, ofGates []string
	// renews is where it says that snapshots are written anew.
	renews Saying
}

// Read reads a message. Each paragraph is what the author writes himself: the subject, one of the body, an item of the
// report.
func Read(paragraphs []string) *Message {
	m := &Message{}
	for _, p := range paragraphs {
		for _, c := range clauses(p) {
			if word := c.renews(); word != "" && m.renews.Clause == "" {
				m.renews = Saying{c.String(), word}
			}
			if ofGate := c.asks(true); ofGate != "" {
				m.clauses, m.ofGates, m.words = append(m.clauses, c), append(m.ofGates, ofGate), append(m.words, c.asks(false))
			}
		}
	}
	return m
}

// Of is where the message says that less is asked of what is weakened.
func (m *Message) Of(w *weaker.Weakening) Saying {
	if m.renews.Clause != "" && weaker.IsSnapshot(w.After.Path) {
		return m.renews
	}
	if len(m.clauses) == 0 {
		return Saying{}
	}
	about, words := namesOf(w), m.words
	if about.gate {
		words = m.ofGates
	}
	for i, c := range m.clauses {
		if words[i] != "" && about.in(c) {
			return Saying{c.String(), words[i]}
		}
	}
	return Saying{}
}

// Words are the asking words that the message says, each once.
func (m *Message) Words() []string {
	return slices.Compact(slices.Sorted(slices.Values(m.ofGates)))
}

// clause is a part of a sentence with a verb of its own.
type clause []token

// token is what blanks part in a text.
type token struct {
	text string // as written
	bare string // without the marks around it
	// words are those of bare, in lower case: of a name there are several.
	words []string
	// quoted: it stands in quotation marks, as what somebody else says.
	quoted bool
	// stops and pauses: a sentence ends behind it, or a comma stands there.
	stops, pauses bool
	// first: a line begins with it, in a capital letter.
	first bool
}

// maxClause is how much of a clause is shown, in characters.
const maxClause = 100

// String is the clause as it reads, or its beginning.
func (c clause) String() string {
	texts := make([]string, len(c))
	for i, t := range c {
		texts[i] = t.text
	}
	return diag.Brief(strings.Join(texts, " "), maxClause)
}

// marks stand around the words of a sentence.
const marks = "`\"'“”‘’«»()[]{}<>,;:!?*"

// tokens reads a paragraph.
func tokens(paragraph string) (all []token) {
	quoted := false
	for line := range strings.Lines(paragraph) {
		for i, text := range strings.Fields(line) {
			t := read(text)
			t.first = i == 0 && unicode.IsUpper([]rune(t.bare + "x")[0])
			t.quoted = quoted || strings.ContainsAny(text, "\"“")
			if strings.Count(text, `"`)%2 == 1 {
				quoted = !quoted
			} else if strings.ContainsAny(text, "“”") {
				quoted = strings.LastIndex(text, "“") > strings.LastIndex(text, "”")
			}
			all = append(all, t)
		}
	}
	return all
}

// read reads one token.
func read(text string) token {
	t := token{text: text, bare: strings.Trim(text, marks)}
	last := strings.TrimRight(text, "`\"'”’»)]}>*")
	t.stops = strings.HasSuffix(last, ";") || strings.HasSuffix(last, "!") || strings.HasSuffix(last, "?") ||
		strings.HasSuffix(last, ".") && len(t.bare) > 1
	t.pauses = strings.HasSuffix(last, ",") || strings.HasSuffix(text, ")")
	t.bare = strings.TrimRight(t.bare, ".")
	t.words = lang.Words(t.bare)
	return t
}

// clauses parts a paragraph at the ends of sentences, and at commas and conjunctions where what follows does or asks
// something itself: «Remove dead code and fix test_tax» are two, «Drop 2.6, 3.2 and 3.3» is one.
func clauses(paragraph string) (all []clause) {
	text := tokens(paragraph)
	start := 0
	for i := range text {
		joins := len(text[i].words) == 1 && isListed("conjunctions", text[i].words[0])
		parts := joins || text[i].first || i > 0 && text[i-1].pauses
		if i == start || !text[i-1].stops && !(parts && hasVerb(text[i:])) {
			continue
		}
		all = append(all, text[start:i])
		start = i
	}
	return append(all, text[start:])
}

// hasVerb reports whether a text begins with a verb of doing, or asks for less before it pauses.
func hasVerb(text clause) bool {
	for i, t := range text {
		if i < 3 && len(t.words) > 0 && isListed("doing", t.words[0]) || askingWord(t.words) != "" {
			return true
		}
		if t.pauses || t.stops {
			break
		}
	}
	return false
}

// negates reports a word that denies what follows it.
func (t token) negates() bool {
	return len(t.words) > 0 && isListed("negations", t.words[len(t.words)-1])
}

// asks returns the word by which a clause asks for less, "" for none: one that is not negated, nor what somebody else
// says.
func (c clause) asks(ofGate bool) string {
	for i, t := range c {
		if t.quoted || isCode(t.bare) && !ofGate { // removeItem() asks for nothing
			continue
		}
		words := t.words
		if isCode(t.bare) { // but @SuppressWarnings does
			words = words[:min(1, len(words))]
		}
		word := askingWord(words)
		if word == "" && i+1 < len(c) {
			word = askingPair(slices.Concat(t.words, c[i+1].words))
		}
		undone := len(t.words) > 1 && isListed("negations", t.words[0]) // un-skip
		if word == "" || undone || isListed("of gates", word) && !ofGate {
			continue
		}
		if !slices.ContainsFunc(c[max(0, i-2):i], token.negates) {
			return word
		}
	}
	return ""
}

// renews returns the word by which a clause says that snapshots are written anew, "" for none.
func (c clause) renews() (word string) {
	kept := false
	for i, t := range c {
		if t.quoted || isCode(t.bare) || i > 0 && c[i-1].negates() {
			continue
		}
		kept = kept || anyListed("snapshots", t.words)
		if word == "" {
			word = formOf("renewing", t.words)
		}
	}
	if !kept {
		return ""
	}
	return word
}
