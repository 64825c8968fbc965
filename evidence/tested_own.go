package evidence

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/acta-git/acta/evidence/language"
)

//go:embed own.txt
var ownText string

// ownWords are what the words of a test are known for that asks no code but its own.
var ownWords = language.WordLists{Text: &ownText}

// isOwn reports whether a word is one of a list of ownWords.
func isOwn(list, word string) bool {
	return slices.ContainsFunc(ownWords.Of(list), func(known string) bool {
		begin, open := strings.CutSuffix(known, "*")
		return known == word || open && strings.HasPrefix(word, begin)
	})
}

// own is what a test makes itself.
type own struct {
	locals map[string]bool
	// doubles are those of the locals that answer as they are told, and the parameters of closures; told are the names
	// that the test gives to parts of what it makes.
	doubles, told map[string]bool
}

// maxOwn is how many words a test may have that is looked at; a longer one is taken to need other code.
const maxOwn = 1000

// assertsOwn says that a test names nothing but what it makes itself: literals, closures and doubles, and what the
// language and the tools for tests have. "" where it names something else, which may decide how it ends.
func (m *model) assertsOwn(d *definition, body string) string {
	body = withPlainDoubles(body)
	words := wordsOf(body)
	if len(words) > maxOwn {
		return ""
	}
	o := own{locals: map[string]bool{}, doubles: map[string]bool{}, told: map[string]bool{}}
	o.bind(withoutLiterals(body))
	o.takeDoubles(m, d)
	var root word // what a member is one of
	about := false
	for _, w := range words {
		switch {
		case w.member:
			if !o.hasMember(root, w) {
				return ""
			}
			continue
		case w.key:
			o.told[w.text] = true
		case o.locals[w.text]:
			about = about || !isOwn("holders", w.text)
		case !o.knows(w):
			return ""
		}
		root = w
	}
	if !about {
		return ""
	}
	return "what the test asserts is about what it made itself, and no other code"
}

// bind notes the names that a body makes, and which of them are doubles. What a name is given may be of other code by
// the same name.
func (o *own) bind(body string) {
	for _, at := range binds.In(body).FindAllStringSubmatchIndex(body, -1) {
		line, _, _ := strings.Cut(body[at[1]:], "\n")
		for g := 2; g < len(at); g += 2 {
			for _, w := range wordsOf(body[max(0, at[g]):max(0, at[g+1])]) {
				o.locals[w.text] = o.locals[w.text] || !hasWord(line, w.text)
			}
		}
	}
	for _, found := range takes.In(body).FindAllStringSubmatch(body, -1) {
		for _, w := range wordsOf(strings.Join(found[1:], " ")) {
			o.locals[w.text], o.doubles[w.text] = true, true
		}
	}
	for _, found := range madeDouble.In(body).FindAllStringSubmatch(body, -1) {
		name := found[1] + found[2]
		o.locals[name], o.doubles[name] = true, true
	}
}

// withoutLiterals blanks what stands in the literals of a text.
func withoutLiterals(text string) string {
	out := []byte(text)
	for i := 0; i < len(text); i++ {
		if content, ok := literalAt(text, i); ok {
			for at := i + 1; at <= i+len(content); at++ {
				out[at] = ' '
			}
			i += len(content) + 1
		}
	}
	return string(out)
}

// takeDoubles notes the doubles that stand around a test: the fields and names of its file that are told to be some,
// and what a patch gives it. Its other parameters are not its own.
func (o *own) takeDoubles(m *model, d *definition) {
	others := map[string]bool{}
	for _, f := range namedBy.InBytes(m.text.bytes).FindAllSubmatch(m.text.bytes, maxOwn) {
		name := string(f[1]) + string(f[2])
		others[name] = others[name] || f[2] != nil && !makesDouble.Match(f[3])
	}
	for name, other := range others {
		o.locals[name], o.doubles[name] = o.locals[name] || !other, !other
	}
	patched := slices.ContainsFunc(m.decoratorsOf(d), func(text string) bool { return strings.Contains(text, "patch") })
	_, parameters, _ := strings.Cut(m.headerText(d), d.name)
	for _, w := range wordsOf(parameters) {
		o.locals[w.text], o.doubles[w.text] = patched, patched
	}
}

// knows reports whether a word that is none of the test's own stands for no other code.
func (o *own) knows(w word) bool {
	switch {
	case isOwn("keywords", w.text), isOwn("builtins", w.text),
		w.calls && isAssertion(w.text) && !misused.MatchString(w.text):
		return true
	case isOwn("asked", w.text):
		return len(o.doubles) > 0
	case isOwn("holders", w.text):
		return w.dotted || w.passed
	}
	return !w.applied && (isOwn("matchers", w.text) || isOwn("types", w.text))
}

// misused are names of assertions that functions of projects have as well.
var misused = language.Lazy(`^(?:check|require|that|same|true|equals?|is|contains|count|empty|in|len` +
	`|length|less|greater)$`)

// hasMember reports whether a member is one of a double, of assertions, of what the language has, or of what the test
// made under that name.
func (o *own) hasMember(of, w word) bool {
	switch {
	case o.doubles[of.text]:
		o.told[w.text] = true
		return true
	case isOwn("asked", w.text) && len(o.doubles) > 0, isOwn("matchers", w.text), isAssertion(w.text) && w.calls:
		return true
	case isOwn("holders", of.text):
		return of.text == "t" && reports.MatchString(w.text)
	}
	return o.told[w.text] || isOwn("members", w.text)
}

// isAssertion reports whether a function of this name is known to assert.
func isAssertion(name string) bool {
	return sameness.MatchString(name) || truth.MatchString(name) || asserters.MatchString(name)
}

// withPlainDoubles writes the making of every double alike, without what it is called by and without the types that it
// stands for.
func withPlainDoubles(body string) string {
	var out strings.Builder
	for {
		at := doubles.FindIndex([]byte(body))
		if at == nil {
			break
		}
		made, behind := body[at[0]:at[1]], body[at[1]:]
		given, rest, ok := language.Arguments(behind)
		if !ok || len(given) > 0 && replaces.MatchString(made) ||
			bare.MatchString(made) && !standsForType.MatchString(behind) {
			out.WriteString(body[:at[1]]) // a function of the project may be called so
			body = behind
			continue
		}
		given = slices.DeleteFunc(given, ofType.MatchString)
		out.WriteString(declared.ReplaceAllString(body[:at[0]], "$1$2") + "Mock(" + strings.Join(given, ", ") + ")")
		body = rest
	}
	out.WriteString(body)
	return answers.In(out.String()).ReplaceAllStringFunc(out.String(), func(line string) string {
		return instances.ReplaceAllString(line, "(") // what a double answers may be of any type
	})
}

// word is a word of code outside of its literals.
type word struct {
	text   string
	member bool // a dot or the like stands before it
	key    bool // a colon or equals sign stands behind it that makes it the name of a value
	calls  bool // a bracket stands behind it
	// applied: the bracket stands right behind it; dotted: a dot does.
	applied, dotted bool
	passed          bool // it is all of an argument
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
		if !unicode.IsDigit(r) && !isPrefix(text, i, end) {
			words = append(words, wordAt(text, i, end))
		}
		i = end
	}
	return words
}

// isPrefix reports whether a word belongs to the literal behind it: f"…", r'…'.
func isPrefix(text string, from, to int) bool {
	return to-from <= 2 && to < len(text) && strings.IndexByte("\"'`", text[to]) >= 0
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
	w.passed = strings.HasPrefix(behind, ",")
	w.dotted = strings.HasPrefix(behind, ".") || strings.HasPrefix(behind, "::") || strings.HasPrefix(behind, "->")
	symbol := strings.HasSuffix(text[:from], ":") && strings.ContainsAny(text[max(0, from-2):from], "( \t")
	opens := strings.HasSuffix(before, "{") || strings.HasSuffix(before, ",") || strings.HasSuffix(before, "(")
	w.key = symbol || opens && (strings.HasPrefix(behind, ":") && !strings.HasPrefix(behind, "::") ||
		strings.HasPrefix(text[to:], "=") && !strings.HasPrefix(behind, "==")) // f(a=1); who assigns leaves a blank
	return w
}

// literalAt returns the content of the literal that begins at a byte of a text.
func literalAt(text string, at int) (content string, ok bool) {
	if strings.IndexByte("\"'`", text[at]) < 0 {
		return "", false
	}
	content, _, ok = language.Literal(text[at:])
	return content, ok
}

var (
	// binds are the names that statements give values, one or several.
	binds = language.Lazy(`(?m)(?:^|[;{(])[ \t]*(?:(?:const|let|var|val|final|auto|my|local|mut|static)\s+)+` +
		`(?:\w[\w<>]*\s+)?([\[{(][^=\n]*?[\]})]|\$?[\pL_]\w*)` +
		`|^[ \t]*(\$?[\pL_]\w*(?:\s*,\s*\$?[\pL_]\w*)*)\s*:?=(?:[^=~>]|$)` +
		`|^[ \t]*(?:[A-Z]\w*(?:<[^=()\n]*>)?|int|long|double|float|bool|boolean|char)(?:\[\])?\s+([\pL_]\w*)\s*=[^=]` +
		`|\bfor\s*\(?(?:const|let|var|auto)?\s*([\w$, ]+?)\s*(?:\bin\b|\bof\b|:)|\bas\s+(\w+)` +
		`|\bcatch\s*\(([^()]*)\)|\brescue\s[^\n]*=>\s*(\w+)`)
	// takes are the parameters of functions in the test, and their names.
	takes = language.Lazy(`\(([^()]*)\)\s*(?::\s*\w+\s*)?=>|(\w+)\s*=>|\blambda\s*([^:()\n]*):` +
		`|(?:[{(=,]|\bdo)\s*\|([^|\n]*)\||\b(?:func|function|def|fun|fn)\s*(\w*)\s*\(([^()]*)\)` +
		`|\{\s*([\w, ]+?)\s*(?:->|\bin\b)`)
	madeDouble = language.Lazy(`(\$?[\pL_]\w*)\s*:?=\s*(?:await\s+|new\s+)?Mock\(|Mock\([^\n]*\)\s+as\s+(\w+)`)
	// namedBy is how a file tells what a name of its tests stands for.
	namedBy = language.Lazy(`@(?:Mock|MockBean|MockK|MockitoBean)\b[^;{}()=]*?([\pL_]\w*)\s*[;\n:]` +
		`|\blet!?\(:(\w+)\)\s*(?:\{|do)\s*(\w*)`)
	makesDouble = language.Lazy(`^(?:instance_|class_|object_)?double$`)
	// doubles is how a double is made, up to what it is given.
	doubles = language.Lazy(`(?:\bnew\s+)?(?:(?:\b(?:unittest\.)?mock\.|\b)(?:MagicMock|Mock|AsyncMock` +
		`|create_autospec)|\b(?:mock(?:er)?\.)?patch|(?:\$this->|self::)create(?:Mock|Stub)|\b(?:jest|vi)\.fn` +
		`|\bsinon\.(?:stub|spy|fake)|\b(?:Mockito\.)?(?:mock|spy)|\bmockk|\bdouble|\binstance_double` +
		`|\bclass_double|\bSubstitute\.For|\b(?:jasmine\.)?createSpyObj)\s*(?:<[^()]*>)?\(`)
	// bare are those that a function of the project may be called as, unless what they are given stands for a type;
	// replaces are those that stand before code that is there where they are given any.
	bare          = language.Lazy(`^(?:mock|spy|double|patch)\(`)
	standsForType = language.Lazy(`^\s*(?:[\w.]+(?:\.|::)class\b|\w+:\s|["':][\w.]+)`)
	replaces      = language.Lazy(`\b(?:stub|spy)\($`)
	// ofType is what a double is given that says of what type it is, or what it is called.
	ofType = language.Lazy(`^(?:(?:spec|spec_set|autospec)\s*=\s*)?(?:[A-Z][\w\\]*|"[^"]*"|'[^']*'|:\w+)` +
		`(?:(?:\.|::)(?:class|java|type))*$`)
	// declared is how the declaration of a double begins.
	declared = language.Lazy(`(?m)(^|[;{])[ \t]*(?:final\s+)?[A-Z]\w*(?:<[^=()\n]*>)?(\s+\w+\s*=\s*)$`)
	// answers are the lines that tell a double what to answer; instances are the types in them.
	answers = language.Lazy(`(?m)^.*(?:return_value|\.thenReturn|\.Returns|\.and_return|\.willReturn|\.mock\w+Value` +
		`|\breturns\b).*$`)
	instances = language.Lazy(`\b(?:new\s+)?[A-Z]\w*(?:<[\w<>, ]*>)?\(|<[A-Z]\w*>\(`)
	// reports are the members by which Go's tests, and those of TAP, say how they end.
	reports   = language.Lazy(`^(?:Fatal|Error|Log|Fail|Skip|Helper|Run|is|equal|deepEqual|same)`)
	asserters = language.Lazy(`^(?i:expect|verify|Fatalf?|Errorf?|assert_?that|(?:assert_?|is_?)?(?:not_?null` +
		`|not_?nil|is_?not_?none|is_?none|false|not_?equals?|null|nil|in|contains|count|empty|instance_?of|greater|less` +
		`|no_?error|len|length|ne))$|^assert_called|^EXPECT_|^ASSERT_|^XCTAssert`)
	interpolated = language.Lazy(`\$\{|#\{|\\\(|\$[\pL_]`)
)
