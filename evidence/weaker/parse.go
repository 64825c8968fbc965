package weaker

import "strings"

// reader reads expressions of tokens.
type reader struct {
	language string
	infix    bool // a name between two operands is an operator, and a call has brackets: a shouldBe b
	tokens   []token
	at       int
	depth    int
	control  bool // a block ends the expression
}

// token is the token some way on; one of no sort behind the last.
func (p *reader) token(on int) token {
	if p.at+on < len(p.tokens) {
		return p.tokens[p.at+on]
	}
	return token{}
}

// isMember reports whether a token names something that is given a value or called, though it reads like a keyword.
func (p *reader) isMember(on int) bool {
	next := p.token(on + 1)
	return next.sort == mark && (next.text == "." || next.text == "=" || next.text == "," ||
		next.text == ":" && !isListed("before colons", p.token(on).text))
}

// isKeyword reports whether the token begins a clause.
func (p *reader) isKeyword() bool {
	t := p.token(0)
	return t.sort == word && isListed("keywords", t.text) && !p.isMember(0)
}

// expression reads an expression of operators that bind at least as strongly as least.
func (p *reader) expression(least int) *expr {
	p.depth++
	defer func() { p.depth-- }()
	left := p.prefix()
	for p.depth <= maxDepth {
		t, next := p.token(0), p.token(1)
		if t.sort == 0 || p.control && (t.sort == braces || t.text == ":" && next.sort == braces) {
			return left
		}
		op, size := p.operator(t)
		power := powers[op]
		switch {
		case power >= least && power > 0:
			p.at += size
			if power > 1 {
				power++
			}
			left = join(operator, op, left, p.operand(power))
		case power > 0, t.sort == mark && !opens(t), t.sort == generic, p.isKeyword(),
			t.sort == word && (t.text == "end" || t.text == "then") && !p.isMember(0):
			return left
		case p.infix && t.sort == word && next.sort != 0 && (isDemand(t.text) || least <= 6):
			p.at++
			power := 7
			if isDemand(t.text) {
				power = 5
			}
			left = join(operator, t.text, left, p.operand(power))
		case !p.infix && least <= 7 && t.sort != mark && left.shape != literal && left.shape <= index:
			left = p.command(left)
		case t.sort == braces:
			p.at++
			left = join(call, "", left, bodyOf(t))
		default:
			return left
		}
	}
	return left
}

// bodyOf is a block as an expression.
func bodyOf(t token) *expr { return &expr{shape: body, block: t.block, start: t.start, end: t.end} }

func isDemand(text string) bool {
	return strings.HasPrefix(text, "should") || strings.HasPrefix(text, "must")
}

// operand is what follows an operator.
func (p *reader) operand(least int) *expr {
	if closes(p.token(0)) {
		return &expr{shape: list}
	}
	return p.expression(least)
}

// operator returns the operator at a token, and how many tokens it takes.
func (p *reader) operator(t token) (op string, size int) {
	switch next := p.token(1).text; {
	case t.sort != mark && t.sort != word, t.text == "->" && isListed("arrow languages", p.language):
		return "", 0
	case t.text == "is" && next == "not", t.text == "not" && next == "in":
		return t.text + " " + next, 2
	}
	return t.text, 1
}

func opens(t token) bool { return t.sort == mark && (t.text == "(" || t.text == "[" || t.text == "{") }

func closes(t token) bool {
	return t.sort == 0 || t.sort == mark && (t.text == ")" || t.text == "]" || t.text == "}" || t.text == ",")
}

// command reads the arguments of a call without brackets.
func (p *reader) command(left *expr) *expr {
	parts := []*expr{left}
	for {
		t := p.token(0)
		if t.sort == braces && p.control || closes(t) || t.text == ";" || t.first && left.text == "return" {
			break
		}
		parts = append(parts, p.expression(1))
		if p.token(0).text != "," || p.depth > 1 && p.infix {
			break
		}
		p.at++
	}
	return join(call, bareCall, parts...)
}

func join(s shape, text string, parts ...*expr) *expr {
	e := &expr{shape: s, text: text, parts: parts}
	for i, part := range parts {
		if i == 0 || part.start < e.start && part.end > 0 {
			e.start = part.start
		}
		e.end = max(e.end, part.end)
	}
	return e
}

// prefix reads an operand with what is before and after it. Of the marks before one only those are kept that change it.
func (p *reader) prefix() *expr {
	t := p.token(0)
	if t.sort == 0 {
		return &expr{shape: list}
	}
	p.at++
	own := &expr{shape: name, text: t.text, start: t.start, end: t.end}
	empty := &expr{shape: name, start: t.start, end: t.end}
	switch {
	case t.sort == braces:
		return bodyOf(t)
	case t.sort == text, t.sort == number:
		own.shape = literal
	case opens(t):
		own = p.bracket(t)
	case t.text == "not": // weaker than a comparison
		return join(operator, "!", empty, p.operand(powers["=="]))
	case t.text == "!":
		return join(operator, "!", empty, p.operandOr(own))
	case t.text == "|" && t.sort == mark: // the parameters of a closure
		for p.token(0).sort != 0 && p.token(0).text != "|" {
			p.at++
		}
		p.at++
		return p.operandOr(own)
	case t.text == "-" && t.sort == mark:
		inner := p.operandOr(own)
		if inner == own {
			return own
		} else if inner.shape != literal {
			return join(operator, "-", empty, inner)
		}
		inner.text, inner.start = "-"+inner.text, t.start
		return inner
	case t.sort == mark, t.sort == generic:
		return p.operandOr(own)
	case t.text == "new" && !p.isMember(-1) && !p.closed(): // stronger than a comparison
		return join(call, bareCall, own, p.operandOr(&expr{shape: list}))
	case (isListed("commands", t.text) || t.text == "assert" && p.language == "python") && !p.isMember(-1) &&
		!p.closed():
		return p.command(own)
	}
	return p.postfix(own)
}

// closed reports whether nothing follows that could be an operand.
func (p *reader) closed() bool {
	t := p.token(0)
	return closes(t) || t.sort == mark && !opens(t) && (powers[t.text] > 0 && t.text != "-" && t.text != "*" &&
		t.text != "&" || t.text == ";" || t.text == ".")
}

func (p *reader) operandOr(none *expr) *expr {
	if closes(p.token(0)) || p.depth > maxDepth {
		none.shape = name
		return none
	}
	return p.expression(10)
}

// bracket reads a list up to the bracket that closes it.
func (p *reader) bracket(open token) *expr {
	e := &expr{shape: list, text: open.text, start: open.start, end: open.end}
	control := p.control
	p.control = false
	defer func() { p.control = control }()
	for p.at < len(p.tokens) {
		t := p.tokens[p.at]
		e.end = t.end
		switch {
		case t.sort == mark && (t.text == ")" || t.text == "]" || t.text == "}"):
			p.at++
			return e
		case t.sort == mark && (t.text == "," || t.text == ";" || t.text == ":"):
			p.at++
			continue
		}
		before := p.at
		e.parts = append(e.parts, p.expression(1))
		if p.at == before {
			p.at++
		}
	}
	return e
}

// postfix reads members, calls and indexes behind an operand.
func (p *reader) postfix(left *expr) *expr {
	for {
		t := p.token(0)
		given := left // what is called, or what is called with, up to its end
		switch {
		case t.sort == generic:
			p.at++
			own := *left
			left = &own
			if left.end = t.end; opens(p.token(0)) || p.token(0).sort == braces {
				left = join(index, "<", left, &expr{shape: name, text: strings.Trim(t.text, "<>"), start: t.start, end: t.end})
			}
			continue
		case t.sort == braces && !p.control && left.shape != list:
			p.at++
			if given = bodyOf(t); left.shape == call {
				left.parts = append(left.parts, given)
			} else {
				left = join(call, "", left, given)
			}
		case t.sort != mark:
			return left
		case isListed("members", t.text), t.text == "->" && isListed("arrow languages", p.language):
			p.at++
			left = p.member(left)
			continue
		case t.text == "(", t.text == "[" && (t.start == left.end || p.infix),
			t.text == "{" && !p.control && t.start <= left.end+1 && left.shape != literal:
			p.at++
			given = p.bracket(t)
			switch t.text {
			case "(":
				left = join(call, "", append([]*expr{left}, given.parts...)...)
			case "[":
				left = join(index, "[", append([]*expr{left}, given.parts...)...)
			default:
				left = join(call, "", left, given)
			}
		case t.text == "!!", t.start == left.end && isListed("after operands", t.text):
			p.at++
			continue
		default:
			return left
		}
		left.end = given.end
	}
}

// member reads what follows a dot.
func (p *reader) member(left *expr) *expr {
	t := p.token(0)
	if t.sort == 0 || opens(t) { // f.() of Elixir, x.[0]
		return left
	}
	p.at++
	if t.sort == generic {
		return left
	}
	e := join(dot, t.text, left)
	e.end = t.end
	return e
}
