package evidence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/acta-git/acta/evidence/language"
)

// assertsOwn says that all that a test asserts is about what it made itself: literals, and doubles that it told what to
// answer. "" where something that it did not make may decide.
func assertsOwn(body, language string) string {
	o := own{said: map[string]string{}, declared: !slices.Contains([]string{"python", "ruby", "php", "elixir"}, language)}
	statements := statementsOf(body)
	if len(statements) > maxOwn {
		return ""
	}
	for _, s := range statements {
		if functions.MatchString(s) && !configures.MatchString(s) {
			return "" // who calls it may change what the test made
		}
		o.add(s)
	}
	if len(o.said) == 0 || len(o.held) == 0 {
		return ""
	}
	if !o.release() {
		return ""
	}
	about := false
	for _, s := range o.held {
		foreign, mentions := o.look(s)
		if foreign || !isKnown(s) {
			return ""
		}
		about = about || len(mentions) > 0
	}
	if !about {
		return ""
	}
	return "what the test asserts is about what it made itself, and no other code"
}

// release forgets what other code is given, for that may change it, and what that was made of. It reports false where
// other code decides whether the rest is reached.
func (o *own) release() bool {
	for spread := true; spread; {
		spread = false
		for _, s := range o.others {
			foreign, mentions := o.look(s)
			if foreign && opensBlockOf.MatchString(s) {
				return false
			}
			if !foreign {
				continue
			}
			for _, name := range mentions {
				if said, ok := o.said[name]; ok {
					o.others = append(o.others, "other("+said+")")
					delete(o.said, name)
					spread = true
				}
			}
		}
	}
	return true
}

// maxOwn is how many statements of a test are compared with each other; a longer one is taken to need other code.
const maxOwn = 200

// own is what a test makes itself.
type own struct {
	said   map[string]string // of each local that it makes, what the test says of it
	others []string          // statements that assert nothing
	held   []string          // those that do
	// declared: the language makes a local by a word of its own, so that a bare assignment writes one of somebody else.
	declared bool
}

// add takes in one statement.
func (o *own) add(s string) {
	name, value := bindingOf(s)
	switch _, again := o.said[name]; {
	case again:
		o.said[name] = "" // given twice, it may be what other code made of it
		o.others = append(o.others, s)
	case name != "" && !o.knows(name) && (!o.declared || !strings.HasPrefix(s, name) || o.infers(s)) && o.makes(value, s):
		o.said[name] = value
	case configures.MatchString(s):
		for name, said := range o.said {
			if said != "" && hasWord(s, name) {
				o.said[name] += " " + s
			}
		}
		o.others = append(o.others, s)
	case asserting.MatchString(s):
		o.held = append(o.held, s)
	default:
		o.others = append(o.others, s)
	}
}

// infers reports whether a statement makes a local by :=.
func (o *own) infers(s string) bool {
	before, _, _ := strings.Cut(s, "=")
	return strings.HasSuffix(before, ":")
}

// knows reports whether an earlier statement names what a later one gives a value: it was there before.
func (o *own) knows(name string) bool {
	return slices.ContainsFunc(slices.Concat(o.others, o.held), func(s string) bool { return hasWord(s, name) })
}

// makes reports whether the value that a statement gives a local is a literal, a double, or made of such. A type of the
// project may make anything of a literal.
func (o *own) makes(value, statement string) bool {
	if asserting.MatchString(value) {
		return false // what checks may be other code
	}
	if m := doubles.FindString(value); m != "" {
		given, rest, ok := language.Arguments(value[len(m):])
		if !ok || len(given) > 0 && replaces.MatchString(m) || bare.MatchString(m) && !standsForType.MatchString(value) {
			return false
		}
		for _, g := range given {
			if foreign, _ := o.look("(" + g); foreign && !ofType.MatchString(g) {
				return false
			}
		}
		return !slices.ContainsFunc(wordsOf(rest), func(w word) bool { return !w.member })
	}
	foreign, _ := o.look(value)
	return !foreign && (!converts.MatchString(statement) || plainType.MatchString(statement))
}

// look says whether a text names what the test did not make, and which of its own it names.
func (o *own) look(text string) (foreign bool, mentions []string) {
	const nothing = ""
	configuring, of := configures.MatchString(text), nothing // of: what a member would be one of
	begun, before := false, ""
	for _, w := range wordsOf(text) {
		said := o.said[w.text]
		switch {
		case w.member && w.after == ')' && matches.MatchString(w.text),
			w.member && (asks.MatchString(w.text) || configures.MatchString("."+w.text)):
		case w.member:
			foreign = foreign || !o.hasMember(of, w)
		case w.key, plainWords.MatchString(w.text) && !(w.applied && operators.MatchString(w.text)):
			continue
		case said != "":
			mentions, of = append(mentions, w.text), w.text
		case holders.MatchString(w.text), testers.MatchString(w.text):
			of, begun = w.text, begun || !w.dotted
			continue
		case !begun && w.calls && isAssertion(w.text), configuring && (isTypeName(w.text) || settings.MatchString(w.text)),
			to.MatchString(before) && matchers.MatchString(w.text):
			of = "expect"
		default:
			foreign, of = true, nothing
		}
		begun, before = true, w.text
	}
	return foreign, mentions
}

// hasMember reports whether a word is a member of what the test made, as it says, or of what it asserts by.
func (o *own) hasMember(of string, w word) bool {
	switch {
	case w.after == '"' || w.after == '\'' || w.after == '`':
		return false
	case o.said[of] != "":
		return slices.ContainsFunc(wordsOf(o.said[of]), func(known word) bool { return known.text == w.text })
	case mockers.MatchString(of):
		return makers.MatchString(w.text)
	case holders.MatchString(of):
		return true
	case testers.MatchString(of):
		return w.calls && (isAssertion(w.text) || of == "t" && reports.MatchString(w.text))
	}
	return false
}

// isAssertion reports whether a function of this name is known to assert.
func isAssertion(name string) bool {
	return sameness.MatchString(name) || truth.MatchString(name) || asserters.MatchString(name)
}

// isKnown reports whether a statement asserts in a way that is known: a function of the test's own may ask other code.
func isKnown(s string) bool {
	call := asserts.FindStringSubmatch(s)
	if call == nil {
		return askedOf.MatchString(s)
	}
	return call[2] != "(" || isAssertion(call[1])
}

// word is a word of code outside of its literals.
type word struct {
	text   string
	member bool // a dot or the like stands before it
	key    bool // a colon or equals sign stands behind it that makes it the name of a value
	calls  bool // a bracket stands behind it
	// applied: the bracket stands right behind it; dotted: a dot does.
	applied, dotted bool
	after           byte // what stands before its dot
}

// wordsOf returns the words of a text. A literal that holds code is one of the name «${».
func wordsOf(text string) []word {
	var words []word
	for i := 0; i < len(text); {
		if content, ok := literalAt(text, i); ok {
			formatted := i > 0 && (text[i-1] == 'f' || text[i-1] == '$') && strings.Contains(content, "{")
			if formatted || interpolated.MatchString(content) {
				words = append(words, word{text: "${"})
			}
			i += len(content) + 2
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isNameRune(r) && r != '@' {
			i += size
			continue
		}
		end := i + size
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if !isNameRune(r) {
				break
			}
			end += size
		}
		if !unicode.IsDigit(r) {
			words = append(words, wordAt(text, i, end))
		}
		i = end
	}
	return words
}

func wordAt(text string, from, to int) word {
	w := word{text: text[from:to]}
	before := strings.TrimRight(text[:from], " \t\n")
	for _, dot := range []string{".", "->", "::"} {
		if rest, ok := strings.CutSuffix(before, dot); ok {
			w.member = true
			if rest = strings.TrimRight(rest, "?! \t\n"); rest != "" {
				w.after = rest[len(rest)-1]
			}
		}
	}
	behind := strings.TrimLeft(text[to:], " \t!")
	w.calls, w.applied = strings.HasPrefix(behind, "("), strings.HasPrefix(text[to:], "(")
	w.dotted = strings.HasPrefix(behind, ".") || strings.HasPrefix(behind, "::") || strings.HasPrefix(behind, "->")
	opens := strings.HasSuffix(before, "{") || strings.HasSuffix(before, ",") || strings.HasSuffix(before, "(")
	w.key = opens && (strings.HasPrefix(behind, ":") && !strings.HasPrefix(behind, "::") ||
		strings.HasPrefix(text[to:], "=") && !strings.HasPrefix(behind, "==")) // f(a=1); who assigns leaves a blank
	return w
}

// statementsOf parts a body into its statements: lines, those put together that a bracket or a leading dot holds
// together. What opens a block is one by itself.
func statementsOf(body string) []string {
	var all []string
	open, depth := "", 0
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if open == "" && strings.Trim(line, "{}()[];,") == "" {
			continue
		}
		if len(all) > 0 && open == "" && (line[0] == '.' || strings.HasPrefix(line, "->") || strings.HasPrefix(line, "?.")) {
			all[len(all)-1] += "\n" + line
			continue
		}
		open += "\n" + line
		if depth += opened(line); depth <= 0 || opensBlockOf.MatchString(line) {
			all, open, depth = append(all, strings.TrimLeft(open, "\n{ ")), "", 0
		}
	}
	return append(all, strings.TrimSpace(open))
}

// opened is how many more brackets a line opens than it closes.
func opened(line string) int {
	open := 0
	for i := 0; i < len(line); i++ {
		if content, ok := literalAt(line, i); ok {
			i += len(content) + 1
			continue
		}
		switch line[i] {
		case '(', '[', '{':
			open++
		case ')', ']', '}':
			open--
		}
	}
	return open
}

// literalAt returns the content of the literal that begins at a byte of a text.
func literalAt(text string, at int) (content string, ok bool) {
	if strings.IndexByte("\"'`", text[at]) < 0 {
		return "", false
	}
	content, _, ok = language.Literal(text[at:])
	return content, ok
}

// bindingOf returns the local that a statement makes, and what it is given.
func bindingOf(statement string) (name, value string) {
	m := binds.FindStringSubmatch(statement)
	if m == nil {
		return "", ""
	}
	return m[1], strings.TrimRight(statement[len(m[0]):], "; \t\n")
}

var (
	binds = language.Lazy(`^(?:(?:const|let|var|val|final|auto|my|local|mut|static|[A-Z][\w.]*(?:<[^=()]*>)?(?:\[\])?` +
		`|int|long|double|float|bool|boolean|string|char)\s+)*(\$?[\pL_][\pL\pN_]*)\s*(?::\s*[^=:]+)?` +
		`(?:[-+*/|&^%.?]{1,2}|<<|>>|:)?=(?:[^=~>]|$)`)
	opensBlockOf = language.Lazy(`^(?:if|for|while|switch|match|else|try)\b.*\{$|` +
		`(?:=>|->|\)|\belse|\btry|\bdo(?:\s*\|[^|]*\|)?|\bfinally|\bcatch)\s*\{$|` +
		`\bdo(?:\s*\|[^|]*\|)?$|^(?:if|for|while|with|try|else|elif)\b.*:$`)
	doubles = language.Lazy(`^(?:new\s+)?(?:(?:mock\.|unittest\.mock\.)?(?:MagicMock|Mock|AsyncMock|create_autospec)` +
		`|(?:\$this->|self::)?create(?:Mock|Stub)|(?:jest|vi)\.fn|sinon\.(?:stub|spy|fake)|(?:Mockito\.)?(?:mock|spy)|mockk` +
		`|double|instance_double|class_double|(?:jasmine\.)?createSpyObj)\s*(?:<[^()]*>)?\(`)
	converts = language.Lazy(`^(?:(?:let|var|val|const|final|mut)\s+)*(?:\w+\s*:\s*)?` +
		`[A-Z]\w*?[a-z]\w*\b(?:\s+\w+)?\s*=`)
	plainType     = language.Lazy(`\b(?:String|Int|Integer|Long|Double|Float|Boolean|Bool|Char|Object|Any)\b[\w\s]*=`)
	bare          = language.Lazy(`^(?:mock|spy|double)\(`) // a function of the project may be called so
	standsForType = language.Lazy(`\((?:[\w.]+(?:\.|::)class\b|\w+:\s|["']\w+["'],\s*\w+:\s)`)
	functions     = language.Lazy(`=>|->|\b(?:function|lambda|func)\b|\|[\w\s,&]*\||^(?:async\s+)?def\b|\bin$`)
	askedOf       = language.Lazy(`^\w[\w.]*\.assert_(?:called|not_called|any_call|has_calls|awaited)\w*\(`)
	replaces      = language.Lazy(`\b(?:stub|spy)\($`) // with arguments they stand before code that is there
	reports       = language.Lazy(`^(?:Fatal|Error|Log|Fail|Skip|Helper|is|equal|deepEqual)`)
	asserters     = language.Lazy(`^(?i:expect|verify|Fatalf?|Errorf?|assert_?that|(?:assert_?|is_?)?(?:not_?null` +
		`|not_?nil|is_?not_?none|false|not_?equals?|null|nil))$|^assert_called|^EXPECT_|^ASSERT_`)
	ofType     = language.Lazy(`^(?:[A-Z]\w*|"[^"]*"|'[^']*')(?:(?:\.|::)(?:class|java|type))*$`)
	configures = language.Lazy(`\.(?:return_value|side_effect|mock(?:Return|Resolved|Rejected)Value(?:Once)?|thenReturn` +
		`|thenAnswer|Returns|ReturnsAsync|and_return|willReturn|returns|resolves|Setup)\b`)
	asks = language.Lazy(`^(?:assert_\w+|call_count|called|calls|call_args|mock|toHaveBeen\w+|toBeCalled\w*|Object` +
		`|object|[vV]erify|calledOnce\w*|calledWith|callCount|length)$`)
	matches = language.Lazy(`^(?:to|not|be|is|has|should|and|must|a|an|deep|equals?|eq)$|^(?:is|has)[A-Z_]\w*$` +
		`|^(?:equal|strictEqual|deepEqual)\w*$|^to(?:Be|Equal|StrictEqual|Match|MatchObject|HaveLength|HaveProperty)$` +
		`|^toContain\w*$|^toHaveBeen\w*$|^toThrow\w*$|^toBe(?:Null|Undefined|Defined|Truthy|Falsy|CloseTo|NaN)$`)
	interpolated = language.Lazy(`\$\{|#\{|\\\(|\$[\pL_]`)
	// plainWords are those of the languages themselves.
	plainWords = language.Lazy(`^(?:let|const|var|val|final|auto|mut|if|else|for|in|of|do|end|then|try` +
		`|catch|except|finally|return|new|await|async|true|false` +
		`|null|nil|None|undefined|True|False|not|and|or|is|pass|void|typeof` +
		`|int|string|bool|float|long|char)$`)
	// operators are those of them that a function may be called by as well.
	operators = language.Lazy(`^(?:not|and|or|is|pass)$`)
	// holders are what assertions and doubles are members of.
	holders = language.Lazy(`^(?:Assert|Assertions|assert|expect|XCTAssert|jest|vi|sinon|Mockito)$`)
	mockers = language.Lazy(`^(?:jest|vi|sinon|Mockito)$`)
	makers  = language.Lazy(`^(?:fn|stub|spy|fake|mock|when|verify)$`)
	// testers are what else assertions are members of.
	testers = language.Lazy(`^(?:self|this|\$this|t)$`)
	// settings say which calls of a double are meant, in a statement that tells it what to answer.
	settings = language.Lazy(`^(?:when|given|allow|receive|whenever|every|eq|any|anyString|m)$`)
	// matchers follow «to», as RSpec has them.
	to       = language.Lazy(`^(?:to|not_to|to_not)$`)
	matchers = language.Lazy(`^(?:eq|eql|be|equal|have_received|be_\w+)$`)
)
