package evidence

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

//go:embed own.txt
var ownText string

// ownWords are what the words of a test are known for that asks no code but its own.
var ownWords = lang.WordLists{Text: &ownText}

// isOwn reports whether a word is one of a list of ownWords.
func isOwn(list, word string) bool {
	return slices.ContainsFunc(ownWords.Of(list), func(known string) bool {
		begin, open := strings.CutSuffix(known, "*")
		return known == word || open && strings.HasPrefix(word, begin)
	})
}

// own is what a test makes itself.
type own struct {
	model *model
	test  *definition
	// locals are the names that it makes, others those that are given to it.
	locals, others map[string]bool
	// doubles are those of the locals that answer as they are told, and the parameters of closures; told are the names
	// that the test gives to parts of what it makes.
	doubles, told map[string]bool
	// elsewhere are the names that were looked for in the rest of the file; nil before the first, for which imported
	// takes what its imports say.
	elsewhere map[string]bool
	imported  []string
}

// maxOwn is how many words a test may have that is looked at; a longer one is taken to need other code.
const maxOwn = 1000

// assertsOwn says that a test names nothing but what it makes itself: literals, closures and doubles, and what the
// language and the tools for tests have. "" where it names something else, which may decide how it ends.
func (m *model) assertsOwn(d *definition, body string) string {
	if asksReal.MatchString(body) || m.grammar.Name == "ruby" && strings.Contains(body, "`") {
		return ""
	}
	body = withPlainDoubles(body, m.grammar.Name)
	words := wordsOf(body)
	if len(words) > maxOwn {
		return ""
	}
	o := own{model: m, test: d, locals: map[string]bool{}, others: map[string]bool{}, doubles: map[string]bool{},
		told: map[string]bool{}}
	o.bind(withoutLiterals(body))
	o.nameFields()
	o.takeParameters()
	var root word // what a member is one of
	about := false
	for i, w := range words {
		if w.member {
			if !o.hasMember(root, w) {
				return ""
			}
			continue
		}
		before, behind := word{}, word{}
		if i > 0 {
			before = words[i-1]
		}
		if i+1 < len(words) {
			behind = words[i+1]
		}
		switch {
		case w.symbol && before.text != "receive" && before.text != "have_received":
			return ""
		case w.key, w.symbol:
			o.told[w.text] = true
		case o.locals[w.text]:
			if w.text[0] == '$' && (w.applied || before.text == "new") {
				return "" // PHP calls what a text names
			}
			about = about || !isOwn("holders", w.text)
		case !o.knows(before, w, behind):
			return ""
		}
		root = w
	}
	if !about {
		return ""
	}
	return "what the test asserts is about what it made itself, and no other code"
}

// asksReal is how a double is told to do what it stands for.
var asksReal = lang.Lazy(`(?i)call_?s?_?real_?method|\bCallBase\b|and_call_original|\bwraps\s*=|spyOn\b` +
	`|callThrough`)

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
	if strings.Contains(body, "aDouble(") {
		o.doubles["aDouble"] = true // it has no name of its own
	}
	for _, found := range madeDouble.In(body).FindAllStringSubmatch(body, -1) {
		name := found[1] + found[2]
		o.locals[name], o.doubles[name] = true, true
	}
}

// nameFields notes the fields and names of the file that are told to be doubles, and nowhere given anything else.
func (o *own) nameFields() {
	text := o.model.text.bytes
	found := namedBy.InBytes(text).FindAllSubmatch(text, maxOwn)
	if len(found) == 0 {
		return
	}
	others := map[string]bool{}
	for _, f := range found {
		name := string(f[1]) + string(f[2])
		others[name] = others[name] || f[2] != nil && !makesDouble.Match(f[3])
	}
	given := map[string]bool{}
	for _, f := range assigned.InBytes(text).FindAllSubmatch(text, -1) {
		given[string(f[1])] = true
	}
	for _, f := range found {
		if name := string(f[1]) + string(f[2]); !others[name] && (f[1] == nil || !given[name]) {
			o.locals[name], o.doubles[name] = true, true
		}
	}
}

// takeParameters notes what is given to a test: doubles by as many patches as stand above it, and other code's.
func (o *own) takeParameters() {
	patches := 0
	for _, decorator := range o.model.decoratorsOf(o.test) {
		if at := patch.FindStringSubmatchIndex(decorator); at != nil {
			given, _, _ := lang.Arguments(decorator[at[1]:])
			given = slices.DeleteFunc(given, func(g string) bool { return namedArgument.MatchString(g) })
			if len(given) == 1 || at[2] >= 0 && len(given) == 2 {
				patches++
			}
		}
	}
	_, parameters, _ := strings.Cut(o.model.headerText(o.test), o.test.name)
	for _, w := range wordsOf(parameters) {
		switch {
		case isOwn("keywords", w.text), isOwn("holders", w.text), w.text == "cls":
		case patches > 0:
			patches--
			o.locals[w.text], o.doubles[w.text] = true, true
		default:
			o.others[w.text] = true
			delete(o.locals, w.text)
			delete(o.doubles, w.text)
		}
	}
}

// knows reports whether a word that is none of the test's own stands for no other code.
func (o *own) knows(before, w, behind word) bool {
	switch {
	case o.others[w.text]:
		return false
	case isOwn("keywords", w.text), isOwn("types", w.text) && !w.applied:
		return true
	case isOwn("holders", w.text):
		return w.dotted || w.passed || w.calls && bareAssertion.MatchString(w.text)
	case isOwn("expectations", w.text) && follows.MatchString(before.text):
		return true
	case o.isElsewhere(w.text):
		return false
	case isOwn("takers", w.text):
		return o.doubles[behind.text]
	case isOwn("given", w.text):
		return len(o.doubles) > 0
	}
	return w.calls && isAssertion(w.text) && bareAssertion.MatchString(w.text) ||
		slices.Contains(o.model.grammar.Builtins, w.text)
}

// isElsewhere reports whether the file defines a name outside of the test, or imports it from what is no tool for
// tests.
func (o *own) isElsewhere(name string) bool {
	if o.elsewhere == nil {
		o.elsewhere = map[string]bool{}
		text := o.model.text.bytes
		for _, line := range imports.InBytes(text).FindAll(text, maxOwn) {
			if !tools.Match(line) {
				o.imported = append(o.imported, string(line))
			}
		}
	}
	found, known := o.elsewhere[name]
	if !known {
		found = slices.ContainsFunc(o.model.definitions, func(d definition) bool {
			return d.name == name && (d.start < o.test.start || d.end > o.test.end)
		}) || slices.ContainsFunc(o.imported, func(line string) bool { return hasWord(line, name) })
		o.elsewhere[name] = found
	}
	return found
}

// hasMember reports whether a member is one of a double, of assertions, of what the language has, or of what the test
// made under that name.
func (o *own) hasMember(of, w word) bool {
	chained := strings.IndexByte(")]}\"'`", w.after) >= 0
	switch {
	case o.doubles[of.text] && !chained:
		o.told[w.text] = true
		return true
	case isOwn("asked", w.text) && len(o.doubles) > 0, isOwn("matchers", w.text):
		return true
	case slices.Contains([]string{"self", "this", "$this"}, of.text):
		return w.calls && isAssertion(w.text) && inherited.MatchString(w.text) && !o.isElsewhere(w.text)
	case isOwn("holders", of.text):
		return w.calls && isAssertion(w.text) || of.text == "t" && reports.MatchString(w.text)
	}
	return o.told[w.text] || isOwn("members", w.text)
}

// isAssertion reports whether a function of this name is known to assert.
func isAssertion(name string) bool {
	return sameness.MatchString(name) || truth.MatchString(name) || asserters.MatchString(name)
}

// withPlainDoubles writes the making of every double alike, without what it is called by and without the types that it
// stands for.
func withPlainDoubles(body, of string) string {
	var out strings.Builder
	for {
		at := doubles.FindIndex([]byte(body))
		if at == nil {
			break
		}
		made, behind := body[at[0]:at[1]], body[at[1]:]
		given, rest, ok := lang.Arguments(behind)
		bare := bareName.FindString(made)
		if !ok || len(given) > 0 && replaces.MatchString(made) ||
			bare != "" && (!strings.Contains(bareIn[bare], of) || !standsForType.MatchString(behind)) {
			out.WriteString(body[:at[1]]) // a function of the project may be called so
			body = behind
			continue
		}
		given = slices.DeleteFunc(given, func(g string) bool {
			return ofType.MatchString(g) || verifying.MatchString(made) && plainType.MatchString(g)
		})
		out.WriteString(declared.ReplaceAllString(body[:at[0]], "$1$2") + "aDouble(" + strings.Join(given, ", ") + ")")
		body = rest
	}
	out.WriteString(body)
	plain := out.String()
	for _, at := range slices.Backward(answers.In(plain).FindAllStringIndex(withoutLiterals(plain), -1)) {
		line := instances.ReplaceAllString(plain[at[0]:at[1]], "(") // what a double answers may be of any type
		plain = plain[:at[0]] + line + plain[at[1]:]
	}
	return plain
}

// bareIn says in which languages a double is made by a function of that name alone.
var bareIn = map[string]string{
	"double": "ruby", "patch": "python", "mock": "java kotlin scala", "spy": "java kotlin ruby javascript typescript",
}

var (
	// binds are the names that statements give values, one or several.
	binds = lang.Lazy(`(?m)(?:^|[;{(])[ \t]*(?:(?:const|let|var|val|final|auto|my|local|mut|static)\s+)+` +
		`(?:\w[\w<>]*\s+)?([\[{(][^=\n]*?[\]})]|\$?[\pL_]\w*)` +
		`|^[ \t]*(\$?[\pL_]\w*(?:\s*,\s*\$?[\pL_]\w*)*)\s*:?=(?:[^=~>]|$)` +
		`|^[ \t]*(?:[A-Z]\w*(?:<[^=()\n]*>)?|int|long|double|float|bool|boolean|char)(?:\[\])?\s+([\pL_]\w*)\s*=[^=]` +
		`|\bfor\s*\(?(?:const|let|var|auto)?\s*([\w$, ]+?)\s*(?:\bin\b|\bof\b|:)|\bas\s+(\w+)` +
		`|\bcatch\s*\(([^()]*)\)|\brescue\s[^\n]*=>\s*(\w+)`)
	// takes are the parameters of functions in the test, and their names.
	takes = lang.Lazy(`\(([^()]*)\)\s*(?::\s*\w+\s*)?=>|(\w+)\s*=>|\blambda\s*([^:()\n]*):` +
		`|(?:[{(=,]|\bdo)\s*\|([^|\n]*)\||\b(?:func|function|def|fun|fn)\s*(\w*)\s*\(([^()]*)\)` +
		`|\{\s*([\w, ]+?)\s*(?:->|\bin\b)`)
	madeDouble = lang.Lazy(`(\$?[\pL_]\w*)\s*:?=\s*(?:await\s+|new\s+)?aDouble\(|aDouble\([^\n]*\)\s+as\s+(\w+)`)
	// namedBy is how a file tells what a name of its tests stands for.
	namedBy = lang.Lazy(`@(?:Mock|MockBean|MockK|MockitoBean)\b[^;{}()=]*?([\pL_]\w*)\s*[;\n:]` +
		`|\blet!?\(:(\w+)\)\s*(?:\{|do)\s*(\w*)`)
	makesDouble = lang.Lazy(`^(?:instance_|class_|object_)?double$`)
	// doubles is how a double is made, up to what it is given.
	doubles = lang.Lazy(`(?:\bnew\s+)?(?:(?:\b(?:unittest\.)?mock\.|\b)(?:MagicMock|Mock|AsyncMock` +
		`|create_autospec)|\b(?:mock(?:er)?\.)?patch|(?:\$this->|self::)create(?:Mock|Stub)|\b(?:jest|vi)\.fn` +
		`|\bsinon\.(?:stub|spy|fake)|\b(?:Mockito\.)?(?:mock|spy)|\bmockk|\bdouble|\binstance_double` +
		`|\bclass_double|\bSubstitute\.For|\b(?:jasmine\.)?createSpyObj)\s*(?:<[^()]*>)?\(`)
	// bareName are those that a function of the project may be called as, unless what they are given stands for a type;
	// replaces are those that stand before code that is there where they are given any.
	bareName      = lang.Lazy(`^(?:mock|spy|double|patch)\b`)
	standsForType = lang.Lazy(`^\s*(?:[\w.]+(?:\.|::)class\b|\w+:\s|["':][\w.]+)`)
	replaces      = lang.Lazy(`\b(?:stub|spy)\($`)
	// ofType is what a double is given that says of what type it is, or what it is called; some are given a bare type.
	ofType = lang.Lazy(`^(?:spec|spec_set|autospec)\s*=\s*[\w.]+$|^[\w.\\]+(?:\.|::)class(?:\.java)?$` +
		`|^"[^"]*"$|^'[^']*'$|^:\w+$`)
	plainType = lang.Lazy(`^[A-Z][\w:.]*$`)
	verifying = lang.Lazy(`^(?:instance_double|class_double|(?:\w+\.)*create_autospec)`)
	// patch is a decorator that gives a double; what is given by name does not count.
	patch         = lang.Lazy(`^@\s*(?:[\w.]+\.)?patch(\.object)?\s*\(`)
	namedArgument = lang.Lazy(`^\w+\s*=[^=]`)
	// imports are statements that import, tools those that import from the language or from tools for tests.
	imports = lang.Lazy(`(?m)^[ \t]*(?:import|from|use|using)\b[^;'"\n{(]*(?:\{[^}]*\}|\([^)]*\))?[^;\n]*` +
		`|^.*\brequire(?:_relative)?\b.*$`)
	tools = lang.Lazy(`\b(?:java|kotlin|scala|std|unittest|pytest|jest|vitest|chai|sinon|node|mockito|mockk|junit` +
		`|testify|assert|assertj|rspec|Moq|NSubstitute|Xunit|NUnit|PHPUnit|XCTest)\b`)
	// follows is what expectations stand behind.
	follows = lang.Lazy(`^(?:to|not_to|to_not|should|be|and|or)$`)
	// bareAssertion is how assertions begin that are no members; inherited those that a class of tests has.
	bareAssertion = lang.Lazy(`^(?:assert|expect|refute|EXPECT_|ASSERT_` +
		`|XCTAssert(?:Equal|NotEqual|True|False|Nil|NotNil|Greater\w*|Less\w*)?$)`)
	inherited = lang.Lazy(`^assert[A-Z]\w*$|^assert_(?:equal|nil|empty|includes|in_delta)$`)
	assigned  = lang.Lazy(`\b([\pL_]\w*)\s*=[^=>]`)
	// declared is how the declaration of a double begins.
	declared = lang.Lazy(`(?m)(^|[;{])[ \t]*(?:final\s+)?[A-Z]\w*(?:<[^=()\n]*>)?(\s+\w+\s*=\s*)$`)
	// answers are the lines that tell a double what to answer; instances are the types in them.
	answers = lang.Lazy(`(?m)^.*(?:return_value|\.thenReturn|\.Returns|\.returns\(|\.and_return|\.willReturn` +
		`|\.mock\w+Value|\}\s*returns\b).*$`)
	instances = lang.Lazy(`\b(?:new\s+)?[A-Z]\w*(?:<[\w<>, ]*>)?\(|<[A-Z]\w*>\(`)
	// reports are the members by which Go's tests, and those of TAP, say how they end.
	reports   = lang.Lazy(`^(?:Fatal|Error|Log|Fail|Skip|Helper|Run|is|equal|deepEqual|same)`)
	asserters = lang.Lazy(`^(?i:expect|verify|Fatalf?|Errorf?|assert_?that|(?:assert_?|is_?)?(?:not_?null` +
		`|not_?nil|is_?not_?none|is_?none|false|not_?equals?|null|nil|in|contains|count|empty|instance_?of|greater|less` +
		`|no_?error|len|length|ne))$|^assert_called|^EXPECT_|^ASSERT_|^XCTAssert`)
)
