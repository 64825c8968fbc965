package weaker

import "strings"

// reader reads expressions of tokens.
type reader struct {
	tongue
	tokens  []token
	at      int
	depth   int
	control bool // a block ends the expression
}

func (p *reader) peek() (token, bool) {
	if p.at < len(p.tokens) {
		return p.tokens[p.at], true
	}
	return token{}, false
}

func (p *reader) is(text string) bool {
	t, ok := p.peek()
	return ok && t.text == text && (t.sort == mark || t.sort == word)
}

// isMember reports whether the token names something that is given a value or called, though it reads like a keyword.
func (p *reader) isMember() bool {
	if p.at+1 >= len(p.tokens) {
		return false
	}
	switch next := p.tokens[p.at+1]; next.text {
	case ".", "=", ",":
		return next.sort == mark
	case ":":
		return next.sort == mark && !isListed("before colons", p.tokens[p.at].text)
	}
	return false
}

// expression reads an expression of operators that bind at least as strongly as least.
func (p *reader) expression(least int) *expr {
	p.depth++
	defer func() { p.depth-- }()
	left := p.prefix()
	for {
		t, ok := p.peek()
		if !ok || p.depth > maxDepth {
			return left
		}
		if p.control && (t.sort == braces || t.text == ":" && p.at+1 < len(p.tokens) && p.tokens[p.at+1].sort == braces) {
			return left
		}
		op, size := p.operator(t)
		power := powers[op]
		switch {
		case power >= least && power > 0:
			p.at += size
			next := power + 1
			if power == 1 {
				next = 1
			}
			left = join(operator, op, left, p.operand(next))
		case power > 0 || t.sort == mark && !opens(t) || t.sort == generic:
			return left
		case t.sort == word && (isListed("keywords", t.text) || t.text == "end" || t.text == "then") && !p.isMember():
			return left
		case p.infix && left.shape == name && isListed("bare matchers", left.text) && t.sort != mark && t.sort != braces:
			left = p.command(left)
		case p.infix && t.sort == word && isDemand(t.text) && p.at+1 < len(p.tokens):
			p.at++
			left = join(operator, t.text, left, p.operand(5))
		case p.infix && t.sort == word && least <= 6 && p.at+1 < len(p.tokens):
			p.at++
			left = join(operator, t.text, left, p.operand(7))
		case p.bare && least <= 7 && canCall(left) && t.sort != mark:
			left = p.command(left)
		case t.sort == braces:
			p.at++
			left = join(call, "", left, &expr{shape: body, block: t.block, start: t.start, end: t.end})
		default:
			return left
		}
	}
}

func isDemand(text string) bool {
	return strings.HasPrefix(text, "should") || strings.HasPrefix(text, "must")
}

// operand is what follows an operator.
func (p *reader) operand(least int) *expr {
	if t, ok := p.peek(); !ok || t.sort == mark && closes(t) {
		return &expr{shape: list}
	}
	return p.expression(least)
}

// operator returns the operator at a token, and how many tokens it takes.
func (p *reader) operator(t token) (op string, size int) {
	if t.sort != mark && t.sort != word {
		return "", 0
	}
	next := ""
	if p.at+1 < len(p.tokens) {
		next = p.tokens[p.at+1].text
	}
	switch {
	case t.text == "is" && next == "not", t.text == "not" && next == "in":
		return t.text + " " + next, 2
	case t.text == "->" && p.arrow:
		return "", 0
	}
	return t.text, 1
}

func canCall(e *expr) bool {
	return e.shape == name || e.shape == dot || e.shape == call || e.shape == index
}

func opens(t token) bool { return t.sort == mark && (t.text == "(" || t.text == "[" || t.text == "{") }

func closes(t token) bool {
	return t.sort == mark && (t.text == ")" || t.text == "]" || t.text == "}" || t.text == ",")
}

// command reads the arguments of a call without brackets.
func (p *reader) command(left *expr) *expr {
	parts := []*expr{left}
	for {
		t, ok := p.peek()
		if !ok || t.sort == braces && p.control || closes(t) || t.text == ";" || t.first && left.text == "return" {
			break
		}
		parts = append(parts, p.expression(1))
		if !p.is(",") || p.depth > 1 && !p.bare {
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

// prefix reads an operand with what is before and after it.
func (p *reader) prefix() *expr {
	t, ok := p.peek()
	if !ok {
		return &expr{shape: list}
	}
	p.at++
	own := &expr{text: t.text, start: t.start, end: t.end}
	switch {
	case t.sort == braces:
		own.shape, own.block = body, t.block
		return own
	case t.sort == text, t.sort == number:
		own.shape = literal
		return p.postfix(own)
	case t.sort == generic:
		return p.operandOr(own)
	case opens(t):
		return p.postfix(p.bracket(t))
	case t.text == "not": // weaker than a comparison
		return join(operator, "!", &expr{start: t.start, end: t.end, shape: name}, p.operand(powers["=="]))
	case t.text == "!":
		return join(operator, "!", &expr{start: t.start, end: t.end, shape: name}, p.operandOr(own))
	case t.text == "|" && t.sort == mark: // the parameters of a closure
		for p.at < len(p.tokens) && !p.is("|") {
			p.at++
		}
		p.at++
		return p.operandOr(own)
	case t.sort == mark:
		return p.unary(t, own)
	case t.text == "fn" || t.text == "->":
		own.shape = name
		return own
	case t.text == "new" && !p.isMember() && !p.closed(): // stronger than a comparison
		own.shape = name
		return join(call, bareCall, own, p.operandOr(&expr{shape: list}))
	case (isListed("commands", t.text) || t.text == "assert" && p.assert) && !p.isMember() && !p.closed():
		own.shape = name
		return p.command(own)
	}
	own.shape = name
	return p.postfix(own)
}

// closed reports whether nothing follows that could be an operand.
func (p *reader) closed() bool {
	t, ok := p.peek()
	if !ok {
		return true
	}
	_, binary := powers[t.text]
	return t.sort == mark && !opens(t) &&
		(binary && t.text != "-" && t.text != "*" && t.text != "&" || closes(t) || t.text == ";" || t.text == ".")
}

func (p *reader) operandOr(none *expr) *expr {
	if t, ok := p.peek(); !ok || closes(t) || p.depth > maxDepth {
		none.shape = name
		return none
	}
	return p.expression(10)
}

// unary reads what follows a mark before an operand. Of the marks only those that change a value are kept.
func (p *reader) unary(t token, own *expr) *expr {
	inner := p.operandOr(own)
	if t.text == "-" && inner != own {
		if inner.shape == literal {
			inner.text, inner.start = "-"+inner.text, t.start
			return inner
		}
		return join(operator, "-", &expr{shape: name, start: t.start, end: t.end}, inner)
	}
	return inner
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
	for p.at < len(p.tokens) {
		t := p.tokens[p.at]
		switch {
		case t.sort == generic:
			p.at++
			left = &expr{
				shape: left.shape,
				text:  left.text,
				parts: left.parts,
				start: left.start,
				end:   t.end,
				block: left.block,
			}
			if p.at < len(p.tokens) && opens(p.tokens[p.at]) || p.at < len(p.tokens) && p.tokens[p.at].sort == braces {
				left = join(index, "<", left, &expr{shape: name, text: strings.Trim(t.text, "<>"), start: t.start, end: t.end})
			}
		case t.sort == braces && !p.control && left.shape != literal && left.shape != list:
			p.at++
			block := &expr{shape: body, block: t.block, start: t.start, end: t.end}
			if left.shape == call {
				left.parts, left.end = append(left.parts, block), t.end
			} else {
				left = join(call, "", left, block)
			}
		case t.sort == braces && !p.control && left.shape == literal: // "adds" { … }
			p.at++
			left = join(call, "", left, &expr{shape: body, block: t.block, start: t.start, end: t.end})
		case t.sort != mark:
			return left
		case t.text == "." || t.text == "?." || t.text == "::" || t.text == "&." || t.text == "->" && p.arrow ||
			t.text == "?->":
			p.at++
			left = p.member(left)
		case t.text == "(":
			p.at++
			given := p.bracket(t)
			left = join(call, "", append([]*expr{left}, given.parts...)...)
			left.end = given.end
		case t.text == "[" && (t.start == left.end || !p.bare):
			p.at++
			given := p.bracket(t)
			left = join(index, "[", append([]*expr{left}, given.parts...)...)
			left.end = given.end
		case t.text == "{" && !p.control && t.start <= left.end+1 && left.shape != literal:
			p.at++
			given := p.bracket(t)
			left = join(call, "", left, given)
			left.end = given.end
		case (t.text == "++" || t.text == "--") && t.start == left.end, t.text == "!!" || (t.text == "!" ||
			t.text == "?") && t.start == left.end:
			p.at++
		default:
			return left
		}
	}
	return left
}

// member reads what follows a dot.
func (p *reader) member(left *expr) *expr {
	t, ok := p.peek()
	if !ok {
		return left
	}
	if opens(t) { // f.() of Elixir, x.[0]
		return left
	}
	p.at++
	e := join(dot, t.text, left)
	e.end = t.end
	if t.sort == generic {
		return left
	}
	return e
}
