package flow

import (
	"cmp"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// value goes through an expression without statements.
func (t *tester) value(x *facts.Term) (double bool) {
	switch x.Op {
	case facts.Assert, facts.Call:
		return t.call(x)
	case facts.Text, facts.List:
		return t.all(x.Parts)
	case facts.Name:
		return t.name(x.Text)
	case facts.Member:
		if double = t.walk(x.Parts[0]); !double && !t.isOwnMember(x.Text) {
			t.touch("")
		}
		return double
	case facts.Make:
		name, _, _ := strings.Cut(strings.TrimPrefix(x.Text, "new "), "<")
		if isOwn("doubles", name) {
			return true
		}
		if double = t.all(x.Parts); !isOwn("asked", t.within) && !t.isBuiltin(name) {
			t.touch("")
		}
		return double
	case facts.Empty:
		if strings.ContainsAny(x.Text, ".:") {
			t.touch("") // of a type
		}
	case facts.Unknown:
		if x.Text == "with_item" && len(x.Parts) == 1 && x.Parts[0].Op == facts.Operate && len(x.Parts[0].Parts) == 2 {
			in, as := x.Parts[0].Parts[0], x.Parts[0].Parts[1]
			double = t.walk(in)
			for _, target := range append(as.Parts, as) {
				t.names[target.Text] = double
			}
			return double
		}
		t.touch(t.file.text(x))
	}
	return false
}

func (t *tester) name(name string) bool {
	double, known := t.names[name]
	switch {
	case known:
		t.about = t.about || !isOwn("holders", name)
	case isOwn("holders", name) && !isOwn("objects", name):
	case slices.Contains(t.params, name) || !facts.IsNull(name) && !facts.IsTrue(name) && !facts.IsFalse(name) &&
		!t.isBuiltin(name) && !isOwn("keywords", name):
		t.touch(name)
	}
	return double
}

// isBuiltin reports whether the language has a name itself, and the file none of its own.
func (t *tester) isBuiltin(name string) bool {
	return slices.Contains(t.file.Language.Builtins, name) && !t.isElsewhere(name)
}

// isElsewhere reports whether the file defines a function of a name, or imports it from what is no tool for tests.
func (t *tester) isElsewhere(name string) bool {
	f := t.file
	if f.imported == nil {
		f.imported = map[string]bool{}
		for _, line := range imports.InBytes(f.Src).FindAll(f.Src, -1) {
			for _, word := range wordsOf(string(line)) {
				f.imported[word] = f.imported[word] || !tools.Match(line)
			}
		}
	}
	_, defined := f.Functions[name]
	return defined || f.imported[name]
}

var (
	// imports are statements that import, tools those that import from the language or from tools for tests.
	imports = lang.Lazy(`(?m)^[ \t]*(?:import|from|use|using)\b[^;'"\n{(]*(?:\{[^}]*\}|\([^)]*\))?[^;\n]*` +
		`|^.*\brequire(?:_relative)?\b.*$`)
	tools = lang.Lazy(`\b(?:java|kotlin|scala|std|unittest|pytest|jest|vitest|chai|sinon|node|mockito|mockk|junit` +
		`|testify|assert|assertj|rspec|Moq|NSubstitute|Xunit|NUnit|PHPUnit|XCTest)\b`)
	// bareAssertion is how assertions begin that are no members; inherited those that a class of tests has.
	bareAssertion = lang.Lazy(`^(?:assert|expect|refute|EXPECT_|ASSERT_|XCT|fail$|check$|require$)`)
	inherited     = lang.Lazy(`^assert[A-Z]\w*$|^assert_(?:equal|nil|empty|includes|in_delta)$|^fail$`)
	namesType     = lang.Lazy(`^[\w.\\]+(?:\.|::)class(?:\.java)?$|^["':][\w./:]+["']?$|^[A-Z][\w:.]*$`)
)

var unquoted = strings.NewReplacer(`"`, "", "'", "")

// isOwnMember reports whether a member of what the test makes is the language's, or a key that the test gives it.
func (t *tester) isOwnMember(name string) bool {
	_, given := t.names["."+name]
	if given || isOwn("members", name) || isOwn("matchers", name) {
		return true
	}
	if t.keyed == "" {
		t.keyed = unquoted.Replace(string(t.body))
	}
	return strings.Contains(t.keyed, " "+name+":")
}

// call goes through a call. What it asserts is noted.
func (t *tester) call(x *facts.Term) (double bool) {
	check, given, asserts := t.assertion(x)
	name, loses, args := lastName(x.Text), t.loses, x.Parts[min(1, len(x.Parts)):]
	answers, known := t.names[name]
	alone := x.Op == facts.Call && isNothing(x.Parts[0])
	maker := isOwn("doubles", x.Text) || alone && isOwn("bare", name+":"+t.file.Language.Name) &&
		namesType.MatchString(t.file.text(firstOf(args)))
	losing, detaching := x == t.alone && isOwn("losing", x.Text), x == t.alone && isOwn("detaching", x.Text)
	if losing {
		t.loses = cmp.Or(loses, swallowed)
	} else if detaching {
		t.loses = cmp.Or(loses, "the test does not wait for its assertions")
	}
	double, takes := t.operands(x, asserts, maker)
	t.loses = loses
	follows := isOwn("follows", t.within)
	switch {
	case losing, detaching:
		t.touched = true
		return false
	case asserts:
		t.hold(check, given)
		return double || takes
	case maker:
		return true
	case alone && known:
		t.about = true
		return answers
	case alone && isOwn("takers", name) && !t.isElsewhere(name) &&
		(takes || firstOf(args).Op == facts.Closure && !t.touched):
		double = true
	case alone && (t.isBuiltin(name) || isOwn("given", name) || follows && isOwn("expectations", name) ||
		t.asks && isOwn("subjects", name) || isOwn("asked", t.within) && facts.IsTypeName(name) ||
		strings.HasPrefix(x.Text, "::") && t.isOwnMember(name)): // in a macro, of what stands before it
		return takes
	case !alone && !double && (t.isOwnMember(name) || follows && isOwn("asked", name) ||
		x.Parts[0].Op == facts.Name && isOwn("holders", x.Parts[0].Text) &&
			(isOwn("asked", name) || isOwn("quiet", name) || checkOf(name) != "")):
		return takes
	}
	if !double {
		t.touch(t.file.text(x))
	} else if isOwn("asserting", name) {
		t.assert("")
	}
	return double
}

// isNothing reports whether a call is made on nothing.
func isNothing(x *facts.Term) bool { return len(x.Parts)+len(x.Text) == 0 }

// operands goes through what a call is made on, and what it is given, and tells whether they are doubles.
func (t *tester) operands(x *facts.Term, asserts, maker bool) (on, given bool) {
	asks, within := t.asks, t.within
	t.asks = asks || asserts
	isHolder := func(x *facts.Term) bool { return asserts && x.Op == facts.Name && isOwn("holders", x.Text) }
	for i, part := range x.Parts {
		part = bare(part)
		text := t.file.text(part)
		switch {
		case isHolder(part):
		case i == 0 && x.Op == facts.Call:
			on = !maker && t.walk(part)
		case !maker || !namesType.MatchString(text):
			t.within = lastName(x.Text)
			given = t.walk(part) || given
		}
	}
	t.asks, t.within = asks, within
	return on, given
}

// checkOf tells what an assertion of a name holds what it is given against: true, false, null, something, same, or
// more that is not told apart; "" for a name that is no assertion's.
func checkOf(name string) string {
	name = strings.ToLower(strings.NewReplacer("_", "", "!", "", "?", "").Replace(name))
	for {
		for _, check := range []string{"true", "false", "null", "something", "same", "more"} {
			if isOwn(check, name) {
				return check
			}
		}
		begin := slices.IndexFunc(ownWords.List("before"), func(p string) bool { return strings.HasPrefix(name, p) })
		if begin < 0 {
			return ""
		}
		if name = name[len(ownWords.List("before")[begin]):]; name == "" {
			return "true"
		}
	}
}

// assertion tells what a call asserts, and of what.
func (t *tester) assertion(x *facts.Term) (check string, given []*facts.Term, ok bool) {
	if x.Op == facts.Assert {
		return "true", x.Parts[:1], true
	} else if x.Op != facts.Call || t.asks {
		return "", nil, false
	}
	name, args, root, negative := lastName(x.Text), x.Parts[1:], x, false
	for root.Op == facts.Member || root.Op == facts.Call && !isNothing(root.Parts[0]) {
		if word := lastName(root.Text); root != x && word == "Should" && len(root.Parts) == 1 {
			return checkOf(name), append([]*facts.Term{root.Parts[0]}, args...), true
		} else if isOwn("negations", word) {
			negative = true
		}
		root = root.Parts[0]
	}
	check = checkOf(name)
	_, local := t.names[name]
	switch {
	case root.Op == facts.Call && root != x && isOwn("subjects", lastName(root.Text)):
		if inner := firstOf(args); isOwn("follows", name) && inner.Op == facts.Call {
			name, args = lastName(inner.Text), inner.Parts[1:] // expect(x).to eq(1)
			check = checkOf(name)
		}
		if check != "" && negative || check == "" && (isOwn("matchers", name) || isOwn("expectations", name)) {
			check = "more"
		}
		args = append(slices.Clone(root.Parts[1:]), args...)
	case root.Op == facts.Name && root.Text == "t" && isOwn("failing", name):
		check = "more"
	case root.Op == facts.Name && isOwn("holders", root.Text):
		if isOwn("objects", root.Text) && (!inherited.MatchString(name) || t.isElsewhere(name)) {
			check = ""
		}
	case strings.HasPrefix(name, "should"):
		args = x.Parts
	case root != x || local || !bareAssertion.MatchString(name) || t.isElsewhere(name):
		check = ""
	}
	if a := firstOf(args); len(args) > 1 && a.Op == facts.Name && isOwn("holders", a.Text) {
		args = args[1:]
	}
	return check, args, check != ""
}

// hold notes an assertion, and why it holds whatever the code does. That the code runs may be what one of constants
// alone shows.
func (t *tester) hold(check string, given []*facts.Term) {
	a, holds, alike := firstOf(given), "", len(given) > 1 && t.same(given[0], given[1])
	switch {
	case check == "true" && (t.isTruth(a) || alike && // in a macro
		strings.TrimSpace(string(t.file.Src[a.At.End:given[1].At.Start])) == "=="),
		check == "same" && (alike || len(given) > 2 && t.same(given[1], given[2])):
		holds = tautology
	case (check == "true" || check == "something") && t.isMade(isThere(a)):
		holds = Exists
	}
	if holds == tautology && !slices.ContainsFunc(given, func(x *facts.Term) bool {
		return bare(x).Op != facts.Literal && !isTrue(bare(x))
	}) {
		t.literal = t.literal || t.dead == ""
		return
	}
	t.assert(holds)
}

// firstOf is the first argument, without what grammars put around it.
func firstOf(parts []*facts.Term) *facts.Term {
	if len(parts) == 0 {
		return &facts.Term{}
	}
	return bare(parts[0])
}

func bare(x *facts.Term) *facts.Term {
	for x.Op == facts.List && len(x.Parts) == 1 && (x.Text == "" || strings.Contains(x.Text, "argument")) {
		x = x.Parts[0]
	}
	return x
}

// isThere is what a condition asks to be there: x, or x != null.
func isThere(x *facts.Term) *facts.Term {
	if x.Op == facts.Operate && len(x.Parts) == 2 && isNull(x.Parts[1]) &&
		slices.Contains([]string{"!=", "!==", "is not"}, x.Text) {
		return x.Parts[0]
	}
	return x
}

// isTruth reports whether a condition holds whatever the code does: a comparison with itself, a local that is true,
// «true or».
func (t *tester) isTruth(x *facts.Term) bool {
	switch {
	case x.Op == facts.Operate && (x.Text == "||" || x.Text == "or"):
		return slices.ContainsFunc(x.Parts, isTrue)
	case x.Op == facts.Operate && len(x.Parts) == 2:
		return slices.Contains([]string{"==", "===", "is"}, x.Text) && t.same(x.Parts[0], x.Parts[1])
	}
	text, pure := t.fold(x)
	return pure && facts.IsTrue(text)
}

// isMade reports whether a value is an object that the test has just made.
func (t *tester) isMade(x *facts.Term) bool {
	if value := t.values[x.Text]; x.Op == facts.Name && value != nil {
		if times, _ := given(t.body, x.Text); times == 1 {
			x = value
		}
	}
	return x.Op == facts.Make || x.Op == facts.Call && facts.IsTypeName(x.Text) && t.file.Language.Is("typescalled")
}

// same reports whether two values are the same, whatever the code does. What is called anew may give another.
func (t *tester) same(a, b *facts.Term) bool {
	x, pure := t.fold(bare(a))
	y, too := t.fold(bare(b))
	return pure && too && x == y
}

// fold is a value as it is written, that of a local for its name; pure tells that nothing is called for it.
func (t *tester) fold(x *facts.Term) (text string, pure bool) {
	if value := t.values[x.Text]; x.Op == facts.Name && value != nil && (value.Op == facts.Literal ||
		value.Op == facts.Text && len(value.Parts) == 0) {
		if times, _ := given(t.body, x.Text); times == 1 {
			x = value
		}
	}
	switch x.Op {
	case facts.Literal, facts.Text, facts.Operate, facts.List, facts.Member, facts.Name:
		pure = !slices.ContainsFunc(x.Parts, func(p *facts.Term) bool { _, pure := t.fold(p); return !pure })
	}
	return strings.Trim(t.file.text(x), "() "), pure
}
