package flow

import (
	"bytes"
	"cmp"
	_ "embed"
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

//go:embed own.txt
var ownText string

// ownWords are what the words of a test are known for that asks no code but its own.
var ownWords = lang.WordLists{Text: &ownText}

// isOwn reports whether a word is one of a list of ownWords.
func isOwn(list, word string) bool {
	return ownWords.Has(list, word) || slices.ContainsFunc(ownWords.List(list), func(known string) bool {
		return known[len(known)-1] == '*' && strings.HasPrefix(word, known[:len(known)-1])
	})
}

// Why a test cannot fail.
const (
	// Exists is what a test asks that is hollow only beside others that are.
	Exists = "the test only checks that its values are there"
	// Unasserted is no reason to doubt it: one in ten honest tests asserts nothing.
	Unasserted = "the test asserts nothing"
	tautology  = "the assertions hold whatever the code does"
	closed     = "the assertions are behind a condition that never holds"
	swallowed  = "failures of the assertions are swallowed"
)

// tester goes through the body of one test.
type tester struct {
	file *File
	body []byte
	// keyed is the body without quotes, made when it is asked for.
	keyed string
	// params are the names that are given to it, names those that it makes: true where it is a double, which answers as
	// the test told it.
	params []string
	names  map[string]bool
	// values are the terms that names are given, nil under a condition.
	values map[string]*facts.Term
	// dead is why what is at hand is not reached, loses why its failures are lost; tries: other failures are.
	dead, loses string
	tries       bool
	// live: an assertion may fail; literal: one is of constants alone. held, lost and weak are why others do not.
	live, literal    bool
	held, lost, weak string
	// touched: it names other code. tried and outside: in a try that takes all, outside of it; after: after what is lost.
	touched, tried, outside, after bool
	// about: it names what it makes. asks: an assertion is at hand; within is the call whose arguments are, alone a
	// statement that is one expression.
	about, asks  bool
	within       string
	alone        *facts.Term
	depth, steps int
}

// Test says why a test cannot fail: what it asserts is never reached, holds whatever the code does, or is lost, or it
// names no code but its own. "" where it may. doubles are the names that it is given doubles by.
func (f *File) Test(fn *Function, doubles []string) string {
	t := &tester{file: f, body: f.Src[fn.Body.At.Start:fn.Body.At.End], names: map[string]bool{},
		values: map[string]*facts.Term{}, params: fn.Params}
	for _, name := range doubles {
		t.names[name] = true
	}
	t.walk(fn.Body)
	switch {
	case t.steps > maxSteps, t.live && t.touched:
		return ""
	case t.lost != "" && !t.live && !t.after:
		return t.lost
	case !t.live && t.held != "":
		return t.held
	case !t.live && t.tried && !t.outside:
		return "the test swallows every failure of the code that it calls"
	case !t.live && t.weak != "":
		return t.weak
	case (t.live || t.literal) && !t.touched && t.about:
		return "the assertions are only about values that the test made itself"
	case !t.live && t.lost == "":
		return Unasserted
	}
	return ""
}

// asserting is what may assert something.
var asserting = lang.Lazy(`(?:\b|_)(?i:assert|expect|require|should|verify|check|refute|must|xct|ensure|raises` +
	`|throws|fail|plan|snapshot|match|golden)\w*|\bt\.\w+\(`)

// touch notes that other code is named, by a text that may assert something.
func (t *tester) touch(text string) {
	if asserting.MatchString(text) {
		t.assert("")
	}
	if t.dead == "" {
		t.touched = true
		t.tried, t.outside = t.tried || t.tries, t.outside || !t.tries
		t.after = t.after || t.lost != "" && !t.tries && t.loses == ""
	}
}

// assert notes an assertion, and why it holds whatever the code does, "" where it may fail.
func (t *tester) assert(holds string) {
	switch {
	case t.dead != "" || t.loses != "":
		t.lost = cmp.Or(t.lost, t.dead, t.loses)
	case holds == Exists:
		t.weak = holds
	case holds != "":
		t.held = holds
	default:
		t.live = true
	}
}

func (t *tester) all(parts []*facts.Term) (double bool) {
	for _, part := range parts {
		double = t.walk(part) || double
	}
	return double
}

// inside goes through parts under conditions that end with them.
func (t *tester) inside(dead string, parts ...*facts.Term) {
	was := t.dead
	t.dead = cmp.Or(t.dead, dead)
	t.depth++
	t.all(parts)
	t.depth--
	t.dead = was
}

// walk goes through a statement or an expression, and tells whether it is a double.
func (t *tester) walk(x *facts.Term) (double bool) {
	if t.steps++; t.steps > maxSteps || t.live && t.touched { // it may fail, whatever follows
		return false
	}
	switch x.Op {
	case facts.Block, facts.Try:
		t.block(x.Parts)
	case facts.Return:
		t.all(x.Parts)
		t.dead = cmp.Or(t.dead, "the test returns before it asserts anything")
	case facts.Dead:
		if asserting.MatchString(t.file.text(x)) {
			t.lost = cmp.Or(t.lost, t.dead, closed)
		}
	case facts.Raise:
		t.all(x.Parts)
		t.assert("")
	case facts.Branch:
		t.branch(x)
	case facts.Loop:
		t.loop(x)
	case facts.Bind, facts.Declare:
		t.bind(x)
	case facts.Define:
		if t.names[x.Text] = false; len(x.Parts) == 0 {
			t.touch(t.file.text(x)) // a class
		}
		t.all(x.Parts)
	case facts.Closure:
		names, asks, within := maps.Clone(t.names), t.asks, t.within
		for _, name := range strings.Fields(x.Text) {
			t.names[name] = true
		}
		t.asks, t.within = false, ""
		t.inside("", x.Parts...)
		t.names, t.asks, t.within = names, asks, within
	case facts.Operate:
		if len(x.Parts) == 3 && x.Parts[1].Op == facts.Name && x.Text == "infix_expression" { // x shouldBe 1
			return t.call(&facts.Term{Op: facts.Call, Text: x.Parts[1].Text, At: x.At,
				Parts: []*facts.Term{x.Parts[0], x.Parts[2]}})
		}
		dead := t.dead
		double = t.all(x.Parts)
		t.dead = dead // f() ?: return
	default:
		return t.value(x)
	}
	return double
}

func isHandler(x *facts.Term) bool { return x.Op == facts.Handler }

// block goes through statements that follow one another; those before a handler, or in a context that is one, are
// tried.
func (t *tester) block(parts []*facts.Term) {
	if len(parts) > 1 && parts[0].Op == facts.Try {
		if i := slices.IndexFunc(parts[0].Parts, isHandler); i >= 0 && len(parts[0].Parts[i].Parts) == 0 {
			parts = append(slices.Clone(parts[1:]), parts[0].Parts[i])
		}
	}
	tries, loses := t.tries, t.loses
	i := slices.IndexFunc(parts, isHandler)
	if i >= 0 {
		t.take(parts[i], parts[:i])
	}
	for k, part := range parts {
		if k == i {
			t.tries, t.loses = tries, loses
		}
		switch {
		case part.Op == facts.Handler && !t.isIdle(part):
			for _, name := range wordsOf(part.Text) {
				t.names[name] = false
			}
			t.inside("", part.Parts...)
		case part.Op == facts.Call && part.Text == "expect" && len(part.Parts) == 2:
			t.all(part.Parts)
			t.assert("the test has an expectation without a matcher")
		default:
			t.alone = part
			t.walk(part)
		}
	}
	t.tries, t.loses = tries, loses
}

// take sees what of the failures of statements a handler takes and makes nothing of. One in a loop may be there to try
// again, one in a function to be asked again.
func (t *tester) take(handler *facts.Term, tried []*facts.Term) {
	assertions := t.file.Language.Handler.MatchString(handler.Text)
	if t.depth > 0 || filters.MatchString(handler.Text) || !assertions && !catchesAll.MatchString(handler.Text) ||
		!t.isIdle(handler) {
		return
	}
	t.tries = true
	if assertions && !slices.ContainsFunc(tried, func(x *facts.Term) bool { return fails.MatchString(t.file.text(x)) }) {
		t.loses = swallowed
	}
}

var (
	// filters is how a handler begins that takes only some of what it names, catchesAll what one takes that takes all.
	filters    = lang.Lazy(`^catch\b.*\bwhen\s*\(`)
	catchesAll = lang.Lazy(`\b(?:(?:Base)?Exception|StandardError|Throwable|exception)(?:[^\w.]|$)|\.\.\.|\w\s*->` +
		`|\bcase\s+\w+\s*=>|^(?:catch|except|rescue)\b(?:\s*=>\s*\w+|[^\w]*)$`)
	// fails is how a test says that it must not get there.
	fails = lang.Lazy(`(?i)(?:\b|_|T)fail(?:ed|ure)?\s*[!(]|\bfail\s+["']`)
)

// isIdle reports whether a handler makes nothing of what it takes, or only asks whether it is there.
func (t *tester) isIdle(handler *facts.Term) bool {
	bounds := wordsOf(handler.Text)
	rest := &facts.Term{Op: facts.Block, At: handler.At}
	for _, part := range handler.Parts {
		part = part.Alone()
		check, given, _ := t.assertion(part)
		of := isThere(firstOf(given))
		if taken := slices.Contains(bounds, strings.TrimSuffix(t.file.text(of), ".message")); !taken && !isTrue(of) ||
			check != "true" && check != "something" {
			rest.Parts = append(rest.Parts, part)
		}
	}
	return t.file.Idles(rest, bounds)
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c < 0x80 && !lang.IsWordByte(byte(c)) })
}

// branch goes through the ways of a branch.
func (t *tester) branch(x *facts.Term) {
	asked, ways := x.Parts[0].Parts, x.Parts[1:]
	if t.all(asked); len(asked) == 0 { // a block of its own
		t.block(ways)
		return
	}
	for i, way := range ways {
		if i == 0 && x.Text == "if" && len(asked) == 1 && isTrue(asked[0]) {
			t.walk(way)
		} else {
			t.inside("", way)
		}
	}
}

func (t *tester) loop(x *facts.Term) {
	t.all(x.Parts[:1])
	dead := ""
	for _, over := range x.Parts[0].Parts {
		if over.Op == facts.List && strings.Trim(t.file.text(over), "[](){} ") == "" {
			dead = "the test runs over an empty table"
		}
	}
	t.inside(dead, x.Parts[1:]...)
}

// bind gives names values. One that is declared with a type of its own may be converted: Email a = "a@b.c".
func (t *tester) bind(x *facts.Term) {
	last := len(x.Parts) - 1
	value := x.Parts[last]
	double := t.walk(value)
	for _, target := range x.Parts[:last] {
		if target.Op == facts.Member {
			t.walk(target.Parts[0])
			t.names["."+target.Text] = false
		} else if target.Op != facts.Name {
			t.walk(target)
		}
		if target.Op != facts.Name {
			continue
		}
		before := t.file.Src[:target.At.Start]
		_, known := t.names[target.Text]
		if !known && x.Op == facts.Bind && !t.file.Language.Is("scoped") || x.Op == facts.Declare && !double &&
			slices.ContainsFunc(wordsOf(string(before[bytes.LastIndexByte(before, '\n')+1:])), func(w string) bool {
				return facts.IsTypeName(w) && !isOwn("keywords", w) && !t.isBuiltin(w)
			}) {
			t.touch("")
		}
		t.names[target.Text] = double
		if t.values[target.Text] = value; t.depth > 0 {
			t.values[target.Text] = nil
		}
	}
}

func isTrue(x *facts.Term) bool {
	return (x.Op == facts.Literal || x.Op == facts.Name) && facts.IsTrue(x.Text)
}
