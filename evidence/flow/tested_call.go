package flow

import (
	"cmp"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// value walks through an expression without statements.
func (t *tester) value(x *facts.Term) (double bool) {
	switch x.Op {
	case facts.Assert, facts.Call:
		return t.call(x)
	case facts.Text, facts.List:
		return t.walkAll(x.Parts)
	case facts.Name:
		return t.name(x.Text)
	case facts.Member:
		if t.isForDouble && x.Parts[0].Op == facts.Name && facts.IsTypeName(x.Parts[0].Text) {
			return false // a constant
		}
		if double = t.walk(x.Parts[0]); !double && !t.isTestMember(x.Text) {
			t.addCodeUse("")
		}
		return double
	case facts.Make:
		name, _, _ := strings.Cut(strings.TrimPrefix(x.Text, "new "), "<")
		if isTestWord("doubles", name) {
			return true
		}
		if double = t.walkAll(x.Parts); !t.isForDouble && !t.isBuiltin(name) {
			t.addCodeUse("new")
		}
		return double
	case facts.Empty:
		if strings.ContainsAny(x.Text, ".:") {
			t.addCodeUse("") // of a type
		}
	case facts.Unknown:
		if x.Text == "with_item" && len(x.Parts) == 1 && x.Parts[0].Op == facts.Operate && len(x.Parts[0].Parts) == 2 {
			in, as := x.Parts[0].Parts[0], x.Parts[0].Parts[1]
			double = t.walk(in)
			for _, target := range append(as.Parts, as) {
				t.isDouble[target.Text] = double
			}
			return double
		}
		t.addCodeUse(t.file.text(x))
	}
	return false
}

func (t *tester) name(name string) bool {
	double, isKnown := t.isDouble[name]
	switch {
	case isKnown:
		t.usesOwnValues = t.usesOwnValues || !isTestWord("holders", name)
	case isTestWord("holders", name) && !isTestWord("objects", name), t.isForDouble && slices.Contains(t.params, name):
	case slices.Contains(t.params, name) || !facts.IsNull(name) && !facts.IsTrue(name) && !facts.IsFalse(name) &&
		!t.isBuiltin(name) && !isTestWord("keywords", name):
		t.addCodeUse(name)
	}
	return double
}

// isBuiltin reports whether a name is the language's, and the file does not redefine it.
func (t *tester) isBuiltin(name string) bool {
	return slices.Contains(t.file.Language.Builtins, name) && !t.isOtherCode(name)
}

// isOtherCode reports whether the file defines a function of a name, or imports it from code that is not a test tool.
func (t *tester) isOtherCode(name string) bool {
	f := t.file
	if f.imports == nil {
		f.imports = map[string]bool{}
		statements := patternOf("import statement").InBytes(f.Src).FindAll(f.Src, -1)
		for _, line := range append(statements, patternOf("required module").InBytes(f.Src).FindAll(f.Src, -1)...) {
			isTool := patternOf("test tools").Match(line)
			for _, word := range wordsOf(string(line)) {
				f.imports[word] = f.imports[word] || !isTool
			}
		}
	}
	_, defined := f.Functions[name]
	return defined || f.imports[name]
}

var unquoted = strings.NewReplacer(`"`, "", "'", "")

// isTestMember reports whether a member of a test's value is the language's, or a key that the test sets.
func (t *tester) isTestMember(name string) bool {
	_, isKey := t.isDouble["."+name]
	if isKey || isTestWord("members", name) || isTestWord("matchers", name) {
		return true
	}
	if t.unquotedBody == "" {
		t.unquotedBody = unquoted.Replace(string(t.body))
	}
	return strings.Contains(t.unquotedBody, " "+name+":")
}

// call walks through a call, and notes what it asserts.
func (t *tester) call(x *facts.Term) (double bool) {
	check, operands, asserts := t.assertion(x)
	name, loses, args := lastName(x.Text), t.lossReason, x.Parts[min(1, len(x.Parts)):]
	answers, isKnown := t.isDouble[name]
	hasNoReceiver := x.Op == facts.Call && isNothing(x.Parts[0])
	isDoubleMaker := isTestWord("doubles", x.Text) || hasNoReceiver && isTestWord("bare", name+":"+t.file.Language.Name) &&
		fits("type name", t.file.text(firstOf(args)))
	losing := x == t.statement && isTestWord("losing", x.Text)
	detaching := x == t.statement && (isTestWord("detaching", x.Text) || x == t.last && t.isPromise(x))
	if losing {
		t.lossReason = cmp.Or(loses, swallowedFailures)
	} else if detaching {
		t.lossReason = cmp.Or(loses, doesNotWait)
	}
	double, takesDouble := t.operands(x, asserts, isDoubleMaker)
	t.lossReason = loses
	follows := isTestWord("follows", t.callName)
	switch {
	case losing, detaching:
		t.usesCode = true
		return false
	case asserts:
		t.checkAssertion(check, operands)
		return double || takesDouble
	case isDoubleMaker:
		return true
	case hasNoReceiver && isKnown:
		t.usesOwnValues = true
		return answers
	case hasNoReceiver && isTestWord("takers", name) && !t.isOtherCode(name) &&
		(takesDouble || firstOf(args).Op == facts.Closure && !t.usesCode):
		double = true
	case hasNoReceiver && (t.isBuiltin(name) || isTestWord("given", name) || follows && isTestWord("expectations", name) ||
		t.isInAssertion && isTestWord("subjects", name) || t.isForDouble && facts.IsTypeName(name) ||
		strings.HasPrefix(x.Text, "::") && t.isTestMember(name)): // in a macro, a member of the value before it
		return takesDouble
	case !hasNoReceiver && !double && (t.isTestMember(name) || follows && isTestWord("asked", name) ||
		x.Parts[0].Op == facts.Name && isTestWord("holders", x.Parts[0].Text) &&
			(isTestWord("asked", name) || isTestWord("quiet", name) || checkOf(name) != "")):
		return takesDouble
	}
	if !double {
		t.addCodeUse(t.file.text(x))
	} else if isTestWord("asserting", name) {
		t.addAssertion("")
	}
	return double
}

// isOfDouble reports whether a value is a double or a part or an answer of one, or is compared with such a value.
func (t *tester) isOfDouble(x *facts.Term) bool {
	x = unwrap(x)
	switch x.Op {
	case facts.Name:
		return t.isDouble[x.Text]
	case facts.Member, facts.Call:
		return t.isOfDouble(x.Parts[0])
	case facts.Operate:
		return slices.ContainsFunc(x.Parts, t.isOfDouble)
	}
	return false
}

func isNothing(x *facts.Term) bool { return len(x.Parts)+len(x.Text) == 0 }

// operands walks through the receiver and the arguments of a call, and reports whether they are test doubles.
func (t *tester) operands(x *facts.Term, asserts, maker bool) (isReceiverDouble, isArgDouble bool) {
	asks, within, forDouble := t.isInAssertion, t.callName, t.isForDouble
	t.isInAssertion = asks || asserts
	t.isForDouble = asserts && slices.ContainsFunc(x.Parts, t.isOfDouble)
	isHolder := func(x *facts.Term) bool { return asserts && x.Op == facts.Name && isTestWord("holders", x.Text) }
	for i, part := range x.Parts {
		part = unwrap(part)
		text := t.file.text(part)
		switch {
		case isHolder(part):
		case i == 0 && x.Op == facts.Call:
			isReceiverDouble = !maker && t.walk(part)
		case !maker || !fits("type name", text):
			t.callName = lastName(x.Text)
			t.isForDouble = t.isForDouble || isReceiverDouble || isTestWord("asked", t.callName)
			isArgDouble = t.walk(part) || isArgDouble
		}
	}
	t.isInAssertion, t.callName, t.isForDouble = asks, within, forDouble
	return isReceiverDouble, isArgDouble
}

// checkOf returns the kind of check of an assertion's name: true, false, null, something, same, or more; "" if the name
// is no assertion's.
func checkOf(name string) string {
	name = strings.ToLower(strings.NewReplacer("_", "", "!", "", "?", "").Replace(name))
	for {
		for _, check := range []string{"true", "false", "null", "something", "same", "more"} {
			if isTestWord(check, name) {
				return check
			}
		}
		begin := slices.IndexFunc(testWords.List("before"), func(p string) bool { return strings.HasPrefix(name, p) })
		if begin < 0 {
			return ""
		}
		if name = name[len(testWords.List("before")[begin]):]; name == "" {
			return "true"
		}
	}
}

func (t *tester) assertion(x *facts.Term) (check string, operands []*facts.Term, ok bool) {
	if x.Op == facts.Assert {
		return "true", x.Parts[:1], true
	} else if x.Op != facts.Call || t.isInAssertion {
		return "", nil, false
	}
	name, args, root, negative := lastName(x.Text), x.Parts[1:], x, false
	for root.Op == facts.Member || root.Op == facts.Call && !isNothing(root.Parts[0]) {
		if word := lastName(root.Text); root != x && word == "Should" && len(root.Parts) == 1 {
			return checkOf(name), append([]*facts.Term{root.Parts[0]}, args...), true
		} else if isTestWord("negations", word) {
			negative = true
		}
		root = root.Parts[0]
	}
	check = checkOf(name)
	_, local := t.isDouble[name]
	switch {
	case root.Op == facts.Call && root != x && isTestWord("subjects", lastName(root.Text)):
		if inner := firstOf(args); isTestWord("follows", name) && inner.Op == facts.Call {
			name, args = lastName(inner.Text), inner.Parts[1:] // expect(x).to eq(1)
			check = checkOf(name)
		}
		if check != "" && negative || check == "" && (isTestWord("matchers", name) || isTestWord("expectations", name)) {
			check = "more"
		}
		args = append(slices.Clone(root.Parts[1:]), args...)
	case root.Op == facts.Name && root.Text == "t" && isTestWord("failing", name):
		check = "more"
	case root.Op == facts.Name && isTestWord("holders", root.Text):
		if isTestWord("objects", root.Text) && (!fits("inherited assertion", name) || t.isOtherCode(name)) {
			check = ""
		}
	case strings.HasPrefix(name, "should"):
		args = x.Parts
	case root != x || local || !fits("bare assertion", name) || t.isOtherCode(name):
		check = ""
	}
	if a := firstOf(args); len(args) > 1 && a.Op == facts.Name && isTestWord("holders", a.Text) {
		args = args[1:]
	}
	return check, args, check != ""
}

// checkAssertion notes an assertion, and why it cannot fail. An assertion of constants may show that the code runs.
func (t *tester) checkAssertion(check string, operands []*facts.Term) {
	a, reason, areSame := firstOf(operands), "", len(operands) > 1 && t.isSame(operands[0], operands[1])
	switch {
	case check == "true" && (t.isAlwaysTrue(a) || areSame && // in a macro
		strings.TrimSpace(string(t.file.Src[a.Span.End:operands[1].Span.Start])) == "=="),
		check == "same" && (areSame || len(operands) > 2 && t.isSame(operands[1], operands[2])):
		reason = tautology
	case (check == "true" || check == "something") && t.isTestObject(presenceSubject(a)):
		reason = OnlyPresence
	}
	if reason == tautology && !slices.ContainsFunc(operands, func(x *facts.Term) bool {
		return unwrap(x).Op != facts.Literal && !isTrue(unwrap(x))
	}) {
		t.hasLiteral = t.hasLiteral || t.deadReason == ""
		return
	}
	t.addAssertion(reason)
}

func firstOf(parts []*facts.Term) *facts.Term {
	if len(parts) == 0 {
		return &facts.Term{}
	}
	return unwrap(parts[0])
}

func unwrap(x *facts.Term) *facts.Term {
	for x.Op == facts.List && len(x.Parts) == 1 && (x.Text == "" || strings.Contains(x.Text, "argument")) {
		x = x.Parts[0]
	}
	return x
}

// presenceSubject returns x for the condition x != null, else the condition itself.
func presenceSubject(x *facts.Term) *facts.Term {
	if x.Op == facts.Operate && len(x.Parts) == 2 && isNull(x.Parts[1]) &&
		slices.Contains([]string{"!=", "!==", "is not"}, x.Text) {
		return x.Parts[0]
	}
	return x
}

// isPromise reports whether a statement leaves its assertions to a promise, and no tool of the file waits by itself.
func (t *tester) isPromise(x *facts.Term) bool {
	return !isNothing(x.Parts[0]) && isTestWord("promised", lastName(x.Text)) &&
		strings.HasSuffix(t.file.Language.Name, "script") && !patternOf("waits by itself").Match(t.file.Src)
}

// isAlwaysTrue reports whether a condition holds whatever the code does: a comparison with itself, a true local, «true
// or», a length of 0 or more.
func (t *tester) isAlwaysTrue(x *facts.Term) bool {
	switch {
	case x.Op == facts.Operate && len(x.Parts) == 2 && x.Text == ">=" && t.file.text(x.Parts[1]) == "0":
		left := x.Parts[0].Single()
		return left.Op == facts.Call && lang.InList("lengths", lastName(left.Text)) ||
			left.Op == facts.Member && strings.EqualFold(left.Text, "length")
	case x.Op == facts.Operate && (x.Text == "||" || x.Text == "or"):
		return slices.ContainsFunc(x.Parts, isTrue)
	case x.Op == facts.Operate && len(x.Parts) == 2:
		return slices.Contains([]string{"==", "===", "is"}, x.Text) && t.isSame(x.Parts[0], x.Parts[1])
	}
	text, pure := t.fold(x)
	return pure && facts.IsTrue(text)
}

func (t *tester) isTestObject(x *facts.Term) bool {
	if value := t.values[x.Text]; x.Op == facts.Name && value != nil {
		if times, _ := countAssignments(t.body, x.Text); times == 1 {
			x = value
		}
	}
	return x.Op == facts.Make || x.Op == facts.Call && facts.IsTypeName(x.Text) && t.file.Language.Is("typescalled")
}

// isSame reports whether two values are always the same. Repeated calls may return different values.
func (t *tester) isSame(a, b *facts.Term) bool {
	x, pure := t.fold(unwrap(a))
	y, too := t.fold(unwrap(b))
	return pure && too && x == y
}

// fold returns the text of a value, with a local replaced by its value; pure reports whether it calls nothing.
func (t *tester) fold(x *facts.Term) (text string, pure bool) {
	if value := t.values[x.Text]; x.Op == facts.Name && value != nil && (value.Op == facts.Literal ||
		value.Op == facts.Text && len(value.Parts) == 0) {
		if times, _ := countAssignments(t.body, x.Text); times == 1 {
			x = value
		}
	}
	switch x.Op {
	case facts.Literal, facts.Text, facts.Operate, facts.List, facts.Member, facts.Name:
		pure = !slices.ContainsFunc(x.Parts, func(p *facts.Term) bool { _, pure := t.fold(p); return !pure })
	}
	return strings.Trim(t.file.text(x), "() "), pure
}
