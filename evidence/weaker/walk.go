package weaker

import (
	"cmp"
	"slices"
	"strings"
)

// walker reads the assertions of one unit in order.
type walker struct {
	unit *unit
	// locals are the names that are set once; setCounts counts how often.
	locals        map[string]*expr
	setCounts     map[string]int
	statementExpr *expr
	depth         int
	state
}

type state struct {
	// deadReason says why none can fail, guard is the condition around them.
	deadReason, guard string
	// isAwaited: the expression is awaited or returned. canSkip: a call that skips would skip the whole test.
	isAwaited, canSkip bool
}

// maxAssertions bounds the assertions of a unit; beyond it none are compared.
const maxAssertions = 1500

func (u *unit) read() {
	u.mentions, u.words = map[string]bool{}, map[string]int{}
	if u.body == nil {
		return
	}
	w := &walker{unit: u, locals: map[string]*expr{}, setCounts: map[string]int{}}
	w.collect(u.body)
	u.yields = slices.ContainsFunc(u.body.statements, func(s *statement) bool {
		return len(s.tokens) > 0 && s.tokens[0].text == "yield"
	})
	for n, times := range w.setCounts {
		if times != 1 {
			delete(w.locals, n)
		}
	}
	w.canSkip = true
	w.block(u.body)
	w.headerAssertions()
	u.headerRows()
	u.listRows(w)
	takesCases := func(o *unit) bool { return o.isTest && strings.Contains(o.header, u.name) }
	if !u.hasLoop && len(u.rows) > 0 && !slices.ContainsFunc(u.file.units, takesCases) {
		u.rows = nil
	}
}

// block reads the statements of a block. After unreachable code, deadReason holds to its end.
func (w *walker) block(b *block) {
	if w.depth > maxDepth || len(w.unit.assertions) > maxAssertions {
		return
	}
	w.depth++
	for _, s := range b.statements { // of Ruby, whose handlers end a block
		if c := s.clauses; len(c) > 0 && c[0].keyword == "rescue" {
			w.deadReason = cmp.Or(w.deadReason, w.swallowedBy(c))
		}
	}
	for _, s := range b.statements {
		w.statement(s)
	}
	w.depth--
}

// walkScope reads a block under conditions of its own.
func (w *walker) walkScope(b *block, reason, guard string) {
	if b == nil {
		return
	}
	before := w.state
	w.deadReason = cmp.Or(reason, w.deadReason)
	if guard != "" {
		w.guard = joinConditions(w.guard, guard)
	}
	w.block(b)
	w.state = before
}

func (w *walker) statement(s *statement) {
	if w.canSkip {
		w.unit.addSkip(s, w.guard)
	}
	for i, c := range s.clauses {
		skips := w.canSkip // only branches of the test skip all of it
		switch w.canSkip = skips && isListed("branches", c.keyword); {
		case isListed("branches", c.keyword):
			w.branch(s, i)
		case isListed("handlers", c.keyword):
			w.walkScope(c.block, "", "a failure")
		default:
			w.clause(s, i)
		}
		w.canSkip = skips
	}
}

const afterReturn = "the test has returned before"

// clause reads an expression, a loop, a try with its handlers, or a with.
func (w *walker) clause(s *statement, i int) {
	clauses, c, was, inner := s.clauses, s.clauses[i], w.deadReason, ""
	w.deadReason = cmp.Or(w.deadReason, w.swallowedBy(clauses[i+1:]))
	if i == 0 {
		w.deadReason = cmp.Or(w.deadReason, w.deadStatement(s))
	}
	before := len(w.unit.assertions)
	for _, e := range c.head {
		if w.statementExpr = nil; c.block == nil {
			w.statementExpr = e
		}
		w.expression(e)
		inner = cmp.Or(inner, w.deadBlock(c, e))
		// a context manager whose block must fail
		if w.statementExpr != nil && w.isFailure(e) && fits("entered", w.unit.header) {
			w.unit.assertions = append(w.unit.assertions, w.condition(e, &expr{shape: ident, text: "False"}, false, 0)...)
		}
	}
	for _, a := range w.unit.assertions[before:] { // with raises(…): …
		if a.isThrow && a.subject == nil && c.block != nil {
			a.subject = &expr{shape: body, block: c.block, start: c.block.start, end: c.block.end}
			a.subjectKey = a.subject.textWith(w.locals)
			if len(c.block.tokens) > 0 && c.block.tokens[0].text == "raise" {
				a.deadReason = cmp.Or(a.deadReason, "the test itself raises it")
			}
		}
	}
	w.expectedFailure(clauses, i)
	w.walkScope(c.block, inner, "")
	w.deadReason = was
	if c.keyword == "" && len(clauses) == 1 && w.deadReason == "" { // nothing runs after a return
		for _, e := range c.head {
			switch {
			case isReturn(e):
				w.deadReason = afterReturn
			case e.shape == call && isListed("takes failures", lastName(e)) && !isClosure(e):
				w.deadReason = swallowed
			}
		}
	}
}

func isReturn(e *expr) bool {
	if e.shape == call {
		e = e.parts[0]
	}
	return e.shape == ident && (e.text == "return" || e.text == "next") || e.String() == "Assert.Pass"
}

func (w *walker) branch(s *statement, i int) {
	c := s.clauses[i]
	if len(c.head) == 0 {
		w.walkScope(c.block, "", "else")
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
	text := condition.textWith(w.locals)
	switch fails, returns := w.outcomes(c.block); {
	case fails:
		e := &expr{shape: call, start: s.start, end: c.block.end}
		e.parts = []*expr{{shape: ident, text: "if", start: s.start, end: s.start + 2}, condition}
		found := w.condition(e, condition, c.keyword != "unless", 0)
		for _, a := range found {
			a.matcher = "fail"
		}
		w.unit.assertions = append(w.unit.assertions, found...)
	case returns && len(s.clauses) == 1 && w.isAlways(condition, !negative):
		w.deadReason = afterReturn
	case returns && len(s.clauses) == 1 && w.deadReason == "":
		w.guard = joinConditions(w.guard, "not ("+text+")")
	case w.isAlways(condition, negative):
		w.walkScope(c.block, "its condition is never true", text)
	default:
		w.walkScope(c.block, "", text)
	}
}

// outcomes reports whether a block ends by failing the test, or by returning.
func (w *walker) outcomes(b *block) (fails, returns bool) {
	for _, s := range b.statements {
		for _, c := range s.clauses {
			if c.keyword == "" && len(c.head) > 0 {
				e := c.head[0]
				fails = fails || w.isFailure(e)
				returns = e.text == "continue" || isReturn(e) && len(e.parts) < 2 || returns && !isReturn(e)
			}
		}
	}
	return fails, returns
}

func (w *walker) isFailure(e *expr) bool {
	if e.shape != call {
		return false
	}
	links := chain(e)
	last := links[len(links)-1].name
	if len(links) > 1 {
		receiver := links[len(links)-2].expr.String()
		return isListed("failing", last) && (len(receiver) <= 2 ||
			isListed("receivers", receiver[strings.LastIndexByte(receiver, '.')+1:]) ||
			strings.HasSuffix(receiver, ".T()") || receiver == "log")
	}
	text := strings.ToLower(e.String())
	isThrow := (last == "throw" || last == "raise") && !strings.Contains(text, "skip") &&
		(isScript(w.unit.file.Language) || strings.Contains(text, "assert") || strings.Contains(text, "fail"))
	return isThrow || isListed("failing", last) && last != "Error" && last != "Errorf"
}

// expectedFailure reads try { f(); fail(); } catch (E e) {…}, which requires that f throws; in Python, fail() may be in
// an else.
func (w *walker) expectedFailure(clauses []clause, i int) {
	b := clauses[i].block
	if b == nil || i+1 >= len(clauses) || len(b.statements) == 0 {
		return
	}
	rest := &block{start: b.start, end: b.end, statements: b.statements}
	fails, _ := w.outcomes(b)
	if last := clauses[len(clauses)-1]; fails {
		rest.statements = b.statements[:len(b.statements)-1]
	} else if last.keyword == "else" && last.block != nil {
		fails, _ = w.outcomes(last.block)
	}
	if !fails {
		return
	}
	subject := &expr{shape: body, block: rest, start: b.start, end: b.end}
	e := join(call, "", &expr{shape: ident, text: "try", start: b.start, end: b.end}, subject)
	a := w.newAssertion(e, matcher{strength: truthy, isThrow: true}, "try", subject, nil)
	a.expectedKey = keysOf(clauses[i+1].head, nil)
	a.strength = typed
	if a.expectedKey == "" || fits("broad", a.expectedKey) {
		a.strength = nonNull
	}
	w.unit.assertions = append(w.unit.assertions, a)
}

func (w *walker) expression(e *expr) {
	if e == nil || w.depth > maxDepth {
		return
	}
	w.depth++
	before := w.state
	w.deadReason = cmp.Or(w.deadReason, w.deadExpression(e))
	w.inner(e)
	w.state = before
	w.depth--
}

func (w *walker) inner(e *expr) {
	switch isCall := e.shape == call; {
	case e.shape == body:
		w.walkScope(e.block, "", "")
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
	w.isAwaited = w.isAwaited || e.shape == call && (e.parts[0].text == "await" || e.parts[0].text == "return") ||
		e.shape == operator && e.text == "=>"
	for _, part := range e.parts {
		w.expression(part)
	}
}

// closures reads the blocks in an assertion, whose own assertions count as well.
func (w *walker) closures(e *expr) {
	e.walk(func(inner *expr) bool {
		if inner.shape == body {
			w.walkScope(inner.block, "", "")
		}
		return true
	})
}

func (w *walker) collect(b *block) {
	for _, t := range b.tokens {
		if text := plainText(t.text); t.kind != mark && text != "end" {
			w.unit.words[text]++
			w.unit.mentions[text] = true
		}
	}
	w.collectTables(b)
}

// collectTables notes the tables of a block, and the values of its locals.
func (w *walker) collectTables(b *block) {
	for _, s := range b.statements {
		for _, inner := range s.blocks {
			w.collectTables(inner)
		}
		for _, c := range s.clauses {
			isLoop := c.keyword == "for" || c.keyword == "foreach"
			if w.unit.hasLoop = w.unit.hasLoop || isLoop; isLoop && c.block != nil {
				w.unit.tables = append(w.unit.tables, flat(string(w.unit.file.Source[s.start:c.block.start])))
			}
			for _, e := range c.head {
				w.tables(e)
			}
			if !isLoop {
				eachAssignment(c.head, w.setLocal)
			}
		}
	}
}

func eachAssignment(head []*expr, give func(named string, value *expr)) {
	for i, e := range head {
		e = withoutModifiers(e)
		if e.shape != operator {
			continue
		}
		left, right := withoutModifiers(e.parts[0]), e.parts[1]
		if e.text == ":" && right.shape == operator && right.text == "=" { // x: T = v
			right = right.parts[1]
		} else if e.text != "=" && e.text != ":=" {
			if strings.HasSuffix(e.text, "=") && precedence[e.text] == 1 {
				give(left.String(), nil)
			}
			continue
		}
		if left.shape == operator && left.text == ":" {
			left = left.parts[0]
		}
		targets := append(slices.Clone(head[:i]), left)
		if left.shape == list {
			targets = append(targets[:i], left.parts...)
		}
		for k, target := range targets {
			value := right
			if len(targets) > 1 {
				value = join(index, "[", right, &expr{shape: literal, text: string(rune('0' + k%10))})
			}
			if target.shape == ident {
				give(target.text, value)
			}
		}
	}
}

// withoutModifiers returns an expression without the words before it: const x = 1.
func withoutModifiers(e *expr) *expr {
	for e.shape == call && e.text == bareCall && len(e.parts) > 1 {
		e = e.parts[len(e.parts)-1]
	}
	return e
}

// setLocal sets a local; nil if it is updated.
func (w *walker) setLocal(name string, value *expr) {
	w.setCounts[name]++
	if w.locals[name] = value; value == nil || name == "_" || name == "err" || value.start == 0 && value.end == 0 {
		w.setCounts[name]++
	}
}
