package weaker

import (
	"cmp"
	"slices"
	"strings"
)

// walker reads the assertions of one unit, in the order in which they stand.
type walker struct {
	unit *unit
	// locals are the names that are given a value once.
	locals map[string]*expr
	given  map[string]int
	// bare is an expression that is a statement by itself.
	bare  *expr
	depth int
	state
}

// state is what the assertions at hand stand in.
type state struct {
	// dead says why none of them can fail, guard under which condition they are reached.
	dead, guard string
	// awaited: the expression at hand is awaited or given back; skips: a call that skips does so for the whole test.
	awaited, skips bool
}

// maxAssertions bounds those of one unit; beyond it none are compared.
const maxAssertions = 1500

// read fills in what the unit asserts and mentions.
func (u *unit) read() {
	u.names, u.words = map[string]bool{}, map[string]int{}
	if u.body == nil {
		return
	}
	w := &walker{unit: u, locals: map[string]*expr{}, given: map[string]int{}}
	w.collect(u.body)
	u.gives = slices.ContainsFunc(u.body.statements, func(s *statement) bool {
		return len(s.tokens) > 0 && s.tokens[0].text == "yield"
	})
	for n, times := range w.given {
		if times != 1 {
			delete(w.locals, n)
		}
	}
	w.skips = true
	w.block(u.body)
	w.headerAssertions()
	u.headerRows()
	u.listRows(w)
	if !u.loops {
		u.rows = nil
	}
}

// block reads the statements of a block. What makes the rest of it unreachable counts up to its end.
func (w *walker) block(b *block) {
	if w.depth > maxDepth || len(w.unit.assertions) > maxAssertions {
		return
	}
	w.depth++
	for _, s := range b.statements { // of Ruby, whose handlers end a block
		if c := s.clauses; len(c) > 0 && c[0].keyword == "rescue" {
			w.dead = cmp.Or(w.dead, w.swallowed(c))
		}
	}
	for _, s := range b.statements {
		w.statement(s)
	}
	w.depth--
}

// in reads a block under conditions of its own.
func (w *walker) in(b *block, dead, guard string) {
	if b == nil {
		return
	}
	was := w.state
	w.dead = cmp.Or(dead, w.dead)
	if guard != "" {
		w.guard = together(w.guard, guard)
	}
	w.block(b)
	w.state = was
}

func (w *walker) statement(s *statement) {
	if w.skips {
		w.unit.skips(s, w.guard)
	}
	for i, c := range s.clauses {
		skips := w.skips // what is no branch of the test skips not all of it
		switch w.skips = skips && isListed("branches", c.keyword); {
		case isListed("branches", c.keyword):
			w.branch(s, s.clauses, i)
		case isListed("handlers", c.keyword):
			w.in(c.block, "", "a failure")
		default:
			w.clause(s, s.clauses, i)
		}
		w.skips = skips
	}
}

const returned = "the test has returned before"

// clause reads what is run as it stands: an expression, a loop, a try with its handlers, a with.
func (w *walker) clause(s *statement, clauses []clause, i int) {
	c, was, inner := clauses[i], w.dead, ""
	w.dead = cmp.Or(w.dead, w.swallowed(clauses[i+1:]))
	if i == 0 {
		w.dead = cmp.Or(w.dead, w.uncalled(s))
	}
	before := len(w.unit.assertions)
	for _, e := range c.head {
		if w.bare = nil; c.block == nil {
			w.bare = e
		}
		w.expression(e)
		inner = cmp.Or(inner, w.emptied(c, e))
		if w.bare != nil && w.isFailure(e) && fits("entered", w.unit.header) { // what it is entered around must fail
			w.unit.assertions = append(w.unit.assertions, w.condition(e, &expr{shape: name, text: "False"}, false, 0)...)
		}
	}
	for _, a := range w.unit.assertions[before:] { // with raises(…): …
		if a.throws && a.subject == nil && c.block != nil {
			a.subject = &expr{shape: body, block: c.block, start: c.block.start, end: c.block.end}
			a.subjectKey = a.subject.with(w.locals)
			if len(c.block.tokens) > 0 && c.block.tokens[0].text == "raise" {
				a.dead = cmp.Or(a.dead, "the test itself raises it")
			}
		}
	}
	w.expectedFailure(clauses, i)
	w.in(c.block, inner, "")
	w.dead = was
	if c.keyword == "" && len(clauses) == 1 && w.dead == "" { // nothing runs after a return
		for _, e := range c.head {
			switch {
			case isReturn(e):
				w.dead = returned
			case e.shape == call && isListed("takes failures", lastName(e)) && !isClosure(e):
				w.dead = swallowed
			}
		}
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
	if len(c.head) == 0 {
		w.in(c.block, "", "else")
		return
	}
	for _, e := range c.head {
		w.expression(e)
	}
	negative := c.keyword == "unless" || c.keyword == "guard"
	if c.block == nil {
		return
	}
	condition := c.head[len(c.head)-1]
	text := condition.with(w.locals)
	switch fails, returns := w.ends(c.block); {
	case fails:
		e := &expr{shape: call, start: s.start, end: c.block.end}
		e.parts = []*expr{{shape: name, text: "if", start: s.start, end: s.start + 2}, condition}
		found := w.condition(e, condition, c.keyword != "unless", 0)
		for _, a := range found {
			a.matcher = "fail"
		}
		w.unit.assertions = append(w.unit.assertions, found...)
	case returns && len(clauses) == 1 && w.always(condition, !negative):
		w.dead = returned
	case returns && len(clauses) == 1 && w.dead == "":
		w.guard = together(w.guard, "not ("+text+")")
	case w.always(condition, negative):
		w.in(c.block, "its condition is never true", text)
	default:
		w.in(c.block, "", text)
	}
}

// ends tells what a block does at its end: it fails the test, or it leaves it.
func (w *walker) ends(b *block) (fails, returns bool) {
	for _, s := range b.statements {
		for _, c := range s.clauses {
			if c.keyword == "" && len(c.head) > 0 {
				e := c.head[0]
				fails = fails || w.isFailure(e)
				returns = isReturn(e) && len(e.parts) < 2 || returns && !isReturn(e)
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
	last := links[len(links)-1].name
	if len(links) > 1 {
		on := links[len(links)-2].self.String()
		return isListed("failing", last) && (len(on) <= 2 || isListed("receivers", on[strings.LastIndexByte(on, '.')+1:]) ||
			strings.HasSuffix(on, ".T()") || on == "log")
	}
	said := strings.ToLower(e.String())
	thrown := (last == "throw" || last == "raise") && !strings.Contains(said, "skip") &&
		(isScript(w.unit.file.Language) || strings.Contains(said, "assert") || strings.Contains(said, "fail"))
	return thrown || isListed("failing", last) && last != "Error" && last != "Errorf"
}

// expectedFailure reads try { f(); fail(); } catch (E e) {…}, which demands that f fails; in Python fail() may stand in
// an else.
func (w *walker) expectedFailure(clauses []clause, i int) {
	b := clauses[i].block
	if b == nil || i+1 >= len(clauses) || len(b.statements) == 0 {
		return
	}
	rest := &block{start: b.start, end: b.end, statements: b.statements}
	fails, _ := w.ends(b)
	if last := clauses[len(clauses)-1]; fails {
		rest.statements = b.statements[:len(b.statements)-1]
	} else if last.keyword == "else" && last.block != nil {
		fails, _ = w.ends(last.block)
	}
	if !fails {
		return
	}
	subject := &expr{shape: body, block: rest, start: b.start, end: b.end}
	e := join(call, "", &expr{shape: name, text: "try", start: b.start, end: b.end}, subject)
	a := w.make(e, matcher{strength: truthy, throws: true}, "try", subject, nil)
	a.expectedKey = keys(clauses[i+1].head, nil)
	a.strength = typed
	if a.expectedKey == "" || fits("broad", a.expectedKey) {
		a.strength = nonNull
	}
	w.unit.assertions = append(w.unit.assertions, a)
}

// expression finds the assertions of an expression, and reads the blocks in it.
func (w *walker) expression(e *expr) {
	if e == nil || w.depth > maxDepth {
		return
	}
	w.depth++
	was := w.state
	w.dead = cmp.Or(w.dead, w.deadens(e))
	w.inner(e)
	w.state = was
	w.depth--
}

func (w *walker) inner(e *expr) {
	switch isCall := e.shape == call; {
	case e.shape == body:
		w.in(e.block, "", "")
		return
	case e.shape == list && e.text == "[" && w.unit.file.Language == "bash":
		for _, p := range e.parts {
			w.unit.assertions = append(w.unit.assertions, w.condition(e, p, false, 0)...)
		}
		return
	case isCall && slices.ContainsFunc(chain(e), func(l link) bool { return isListed("gives failures", l.name) }):
		w.closures(e)
		return
	case isCall && !isListed("takes failures", lastName(e)):
		if found := w.classify(e); found != nil {
			w.unit.assertions = append(w.unit.assertions, found...)
			w.closures(e)
			return
		}
	}
	w.awaited = w.awaited || e.shape == call && (e.parts[0].text == "await" || e.parts[0].text == "return") ||
		e.shape == operator && e.text == "=>"
	for _, part := range e.parts {
		w.expression(part)
	}
}

// closures reads the blocks in an assertion, whose own assertions count as well.
func (w *walker) closures(e *expr) {
	e.walk(func(inner *expr) bool {
		if inner.shape == body {
			w.in(inner.block, "", "")
		}
		return true
	})
}
