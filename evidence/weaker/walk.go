package weaker

import (
	"cmp"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// walker reads the assertions of one unit, in the order in which they stand.
type walker struct {
	unit *unit
	// locals are the names that are given a value once.
	locals map[string]*expr
	given  map[string]int
	// dead and guard are what the assertions at hand stand in.
	dead, guard string
	// loops are the lists of literals that the loops around go over, by what an element is called.
	loops map[string][]*expr
	// awaited: the expression at hand is awaited or given back; bare is one that is a statement by itself.
	awaited bool
	bare    *expr
	depth   int
}

// maxAssertions bounds those of one unit; beyond it none are compared.
const maxAssertions = 1500

// read fills in what the unit asserts and mentions.
func (u *unit) read() {
	u.names, u.literals, u.words = map[string]bool{}, map[string]bool{}, map[string]int{}
	if u.body == nil {
		return
	}
	w := &walker{unit: u, locals: map[string]*expr{}, given: map[string]int{}}
	w.collect(u.body)
	for n, times := range w.given {
		if times != 1 {
			delete(w.locals, n)
		}
	}
	w.block(u.body)
	u.headerAssertions()
	u.headerRows()
	u.outerRows(w)
	if !u.loops && !u.file.provided[u.name] {
		u.rows = nil
	}
}

// block reads the statements of a block. What makes the rest of it unreachable counts up to its end.
func (w *walker) block(b *block) {
	if w.depth > maxDepth || len(w.unit.assertions) > maxAssertions {
		return
	}
	w.depth++
	dead, guard := w.dead, w.guard
	for _, s := range b.statements { // of Ruby, whose handlers end a block
		if c := s.parts(w.unit.file.tongue); len(c) > 0 && c[0].keyword == "rescue" {
			w.dead = cmp.Or(w.dead, w.swallowed(c))
		}
	}
	for _, s := range b.statements {
		w.statement(s)
	}
	w.dead, w.guard = dead, guard
	w.depth--
}

// in reads a block under conditions of its own.
func (w *walker) in(b *block, dead, guard string) {
	if b == nil {
		return
	}
	was, had := w.dead, w.guard
	w.dead = cmp.Or(dead, w.dead)
	if guard != "" {
		w.guard = together(w.guard, guard)
	}
	w.block(b)
	w.dead, w.guard = was, had
}

func (w *walker) statement(s *statement) {
	clauses := s.parts(w.unit.file.tongue)
	for i, c := range clauses {
		switch c.keyword {
		case "if", "elsif", "elif", "unless", "guard", "when", "while", "until", "else":
			w.branch(s, clauses, i)
		case "for", "foreach", "loop", "repeat":
			for _, e := range c.head {
				w.expression(e)
			}
			dead := ""
			if isEmptyLoop(c.head) {
				dead = "the loop is over nothing"
			}
			leave := w.enter(c.head)
			w.in(c.block, dead, "")
			leave()
		case "try", "begin", "do":
			w.try(s, clauses, i)
		case "catch", "except", "rescue":
			w.in(c.block, "", "a failure")
		case "with", "using":
			w.with(c)
		default:
			dead := w.dead
			if lost := w.swallowed(clauses[i+1:]); lost != "" || i == 0 {
				w.dead = cmp.Or(w.dead, lost, w.uncalled(s))
			}
			here := w.dead
			for i, e := range c.head {
				if i > 0 && isReturn(c.head[i-1]) && w.dead == "" && c.keyword == "" {
					w.dead = "the test has returned before"
				}
				w.bare = e
				w.expression(e)
			}
			w.in(c.block, "", "")
			if w.dead == here {
				w.dead = dead
			}
			w.leave(c, len(clauses) == 1)
		}
	}
}

// leave sees what ends the block: a return, after which nothing runs.
func (w *walker) leave(c clause, alone bool) {
	if c.keyword != "" || !alone || len(c.head) == 0 || w.dead != "" {
		return
	}
	switch e := c.head[0]; {
	case isReturn(e):
		w.dead = "the test has returned before"
	case e.shape == call && isListed("takes failures", lastName(e)) && !isClosure(e):
		w.dead = swallowed
	}
}

func isReturn(e *expr) bool {
	if e.shape == call {
		e = e.parts[0]
	}
	return e.shape == name && (e.text == "return" || e.text == "next") || e.String() == "Assert.Pass"
}

// branch reads an if and its kin.
func (w *walker) branch(s *statement, clauses []clause, i int) {
	c := clauses[i]
	body := c.block
	if len(c.head) == 0 {
		w.in(body, "", "else")
		return
	}
	condition := c.head[len(c.head)-1]
	for _, e := range c.head {
		if body != nil {
			w.expression(e)
		}
	}
	negative := c.keyword == "unless" || c.keyword == "guard"
	if body == nil {
		w.bareBranch(c, negative)
		return
	}
	if fails, returns := w.ends(body); fails {
		if c.keyword == "guard" {
			negative = !negative
		}
		e := &expr{shape: call, start: s.start, end: body.end}
		e.parts = []*expr{{shape: name, text: "if", start: s.start, end: s.start + 2}, condition}
		found := w.condition(e, condition, !negative, 0)
		for _, a := range found {
			a.matcher = "fail"
		}
		w.unit.assertions = append(w.unit.assertions, found...)
		return
	} else if returns && len(clauses) == 1 {
		switch text := condition.with(w.locals); {
		case isTrue(text) != negative && (isTrue(text) || isFalse(text)):
			w.dead = "the test has returned before"
		case w.dead == "":
			w.guard = together(w.guard, "not ("+text+")")
		}
		return
	}
	dead := ""
	if text := condition.with(w.locals); isFalse(text) && !negative || isTrue(text) && negative {
		dead = "its condition is never true"
	}
	w.in(body, dead, condition.with(w.locals))
}

// bareBranch reads an if whose body is no block: «if (x) return» and what the grammar takes to it.
func (w *walker) bareBranch(c clause, negative bool) {
	for i, e := range c.head {
		w.expression(e)
		if i == 0 || !isReturn(e) || w.dead != "" {
			continue
		}
		if text := c.head[0].with(w.locals); isTrue(text) != negative && (isTrue(text) || isFalse(text)) {
			w.dead = "the test has returned before"
		}
	}
}

// ends tells what a block does at its end: it fails the test, or it leaves it.
func (w *walker) ends(b *block) (fails, returns bool) {
	for _, s := range b.statements {
		for _, c := range s.parts(w.unit.file.tongue) {
			if c.keyword != "" || len(c.head) == 0 {
				continue
			}
			e := c.head[0]
			if isReturn(e) {
				returns = len(e.parts) < 2
				continue
			}
			if w.isFailure(e) {
				fails = true
			}
		}
	}
	return fails, returns
}

// isFailure reports whether a call fails the test.
func (w *walker) isFailure(e *expr) bool {
	if e.shape != call {
		return false
	}
	links := chain(e)
	last := links[len(links)-1]
	if len(links) == 1 {
		switch last.name {
		case "throw", "raise":
			said := strings.ToLower(e.String())
			return !strings.Contains(said, "skip") && (strings.Contains(said, "assert") || strings.Contains(said, "fail") ||
				w.unit.file.Language == "javascript" || w.unit.file.Language == "typescript")
		}
		return isListed("failing", last.name) && last.name != "Error" && last.name != "Errorf"
	}
	if !isListed("failing", last.name) {
		return false
	}
	on := previous(links, len(links)-1).String()
	return len(on) <= 2 || isListed("receivers", on[strings.LastIndexByte(on, '.')+1:]) ||
		strings.HasSuffix(on, ".T()") || on == "log" || on == "pytest"
}

var (
	rethrows = lang.Lazy(`\b(raise|throw|rethrow|fail|Fail|FailNow|Fatal|Fatalf|Errorf?|panic|assert\w*` +
		`|Assert\w*|expect|EXPECT_\w+|XCTFail|ASSERT_\w+|reject|done|should\w*|flunk|ADD_FAILURE|FAIL|abort|exit|err)\b`)
	broad = lang.Lazy(`\b(\w*(?:Assertion|Expectation|Comparison)\w*|Exception|BaseException|Throwable|Error` +
		`|StandardError|object)\b|\.\.\.|^\W*_?\W*$`)
)

// try reads a try with its handlers: one that takes every failure and says nothing swallows what the block asserts.
func (w *walker) try(s *statement, clauses []clause, i int) {
	dead := w.swallowed(clauses[i+1:])
	was := w.dead
	if len(s.tokens) > 1 && s.tokens[0].text == "try" && s.tokens[1].text == "?" {
		w.dead = cmp.Or(w.dead, swallowed)
	}
	for _, e := range clauses[i].head {
		w.expression(e)
	}
	w.dead = was
	w.expectedFailure(clauses, i)
	w.in(clauses[i].block, dead, "")
}

// expectedFailure reads try { f(); fail(); } catch (E e) {…}, which demands that f fails.
func (w *walker) expectedFailure(clauses []clause, i int) {
	b := clauses[i].block
	if b == nil || i+1 >= len(clauses) || len(b.statements) == 0 {
		return
	}
	if fails, _ := w.ends(b); !fails {
		return
	}
	rest := &block{start: b.start, end: b.end, statements: b.statements[:len(b.statements)-1]}
	subject := &expr{shape: body, block: rest, start: b.start, end: b.end}
	e := join(call, "", &expr{shape: name, text: "try", start: b.start, end: b.end}, subject)
	a := w.make(e, matcher{strength: truthy, throws: true}, "try", subject, nil, false)
	a.expectedKey = keys(clauses[i+1].head, nil)
	a.strength = typed
	if a.expectedKey == "" || broad.MatchString(a.expectedKey) {
		a.strength = nonNull
	}
	w.unit.assertions = append(w.unit.assertions, a)
}

// with reads Python's with, and using: what is expected of its block, and what swallows it.
func (w *walker) with(c clause) {
	dead := ""
	for _, e := range c.head {
		if e.shape == operator && e.text == "as" {
			e = e.parts[0]
		}
		if e.shape == call && lastName(e) == "suppress" && broad.MatchString(e.String()) {
			dead = swallowed
		}
		before := len(w.unit.assertions)
		w.bare = nil
		w.expression(e)
		for _, a := range w.unit.assertions[before:] {
			if a.throws && a.subject == nil && c.block != nil {
				a.subject = &expr{shape: body, block: c.block, start: c.block.start, end: c.block.end}
				a.subjectKey = a.subject.with(w.locals)
			}
		}
	}
	w.in(c.block, dead, "")
}

// expression finds the assertions of an expression, and reads the blocks in it.
func (w *walker) expression(e *expr) {
	if e == nil || w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	if e.shape == body {
		w.callback(e)
		return
	}
	if e.shape == list && e.text == "[" && w.unit.file.Language == "bash" && len(e.parts) > 0 {
		for _, p := range e.parts {
			w.unit.assertions = append(w.unit.assertions, w.condition(e, p, false, 0)...)
		}
		return
	}
	if e.shape == call && slices.ContainsFunc(chain(e), func(l link) bool { return isListed("gives failures", l.name) }) {
		for _, part := range e.parts {
			w.closures(part)
		}
		return
	}
	if why := w.deadens(e); why != "" && w.dead == "" {
		w.dead = why
		defer func() { w.dead = "" }()
	}
	if (e.shape == call || e.shape == operator) && !(e.shape == call && isListed("takes failures", lastName(e))) {
		if found := w.classify(e); found != nil {
			w.unit.assertions = append(w.unit.assertions, found...)
			w.closures(e)
			return
		}
	}
	if e.shape == call && (e.parts[0].text == "await" || e.parts[0].text == "return") || e.shape == operator &&
		e.text == "=>" {
		was := w.awaited
		w.awaited = true
		defer func() { w.awaited = was }()
	}
	if e.shape == call && w.isFailure(e) && w.guard == "" && len(chain(e)) == 1 && lastName(e) != "fail" {
		return
	}
	for _, part := range e.parts {
		w.expression(part)
	}
}

// callback reads the block of a function in an expression; one that fails at once must not be called.
func (w *walker) callback(e *expr) {
	for _, s := range e.block.statements {
		for _, c := range s.parts(w.unit.file.tongue) {
			if c.keyword != "" || len(c.head) == 0 || len(chain(c.head[0])) < 2 || !w.isFailure(c.head[0]) {
				continue
			}
			a := w.make(c.head[0], matcher{strength: truthy, unary: true}, "fail", nil, nil, false)
			a.text, a.key = unreached, unreached
			w.unit.assertions = append(w.unit.assertions, a)
		}
	}
	w.in(e.block, "", "")
}

// closures reads the blocks in an assertion, whose own assertions count as well.
func (w *walker) closures(e *expr) {
	e.walk(func(inner *expr) bool {
		if inner.shape == body {
			w.callback(inner)
		}
		return true
	})
}
