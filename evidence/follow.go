package evidence

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// maxFollowed is the longest body that is followed, in bytes: what does nothing with what it is given is short.
const maxFollowed = 2500

// toFollow notes a function among those of its file that may be followed, from each other or for themselves.
func (r *reader) toFollow(n *syntax.Node, c capture, expression bool) *flow.Function {
	if len(r.roles) == 0 || c.body == (stretch{}) || r.asks == nil {
		return nil
	}
	if r.flow.Functions == nil {
		r.flow.Language, r.flow.Src, r.flow.Functions = &r.grammar.Language, r.src, map[string]*flow.Function{}
	}
	j := r.judgement(c.body)
	j.callAs(n, c)
	fn := &flow.Function{Name: j.name, Whole: n, Read: func(fn *flow.Function) { r.fill(fn, j, n, c, expression) }}
	long := c.body.end-c.body.start > maxFollowed
	if _, several := r.flow.Functions[fn.Name]; several || long {
		r.flow.Functions[fn.Name] = nil
	} else {
		r.flow.Functions[fn.Name] = fn
	}
	if long || !r.isAsked(n) {
		return nil
	}
	return fn
}

// fill reads a function for those who follow it.
func (r *reader) fill(fn *flow.Function, j *judgement, n *syntax.Node, c capture, expression bool) {
	j.header(n, c.body, c.name)
	fn.Params, fn.Self, fn.Tail = j.params, j.self, r.grammar.Tail && !hasNoResult(n) || expression
	fn.Expression, fn.Method, fn.Answers = expression, j.method, marked(fn.Params, j.headed, "bool")
	unused := marked(fn.Params, j.headed, "unused")
	for _, name := range fn.Params {
		if name != "" && !strings.HasPrefix(name, "_") && !slices.Contains(unused, name) {
			fn.Named++
		}
	}
	body := c.body
	body.end = max(body.start, min(body.end, n.End()))
	parts, around := statements(n, body)
	fn.Body = &facts.Term{}
	blanked := r.readable != nil && isBlanked(r.src[body.start:body.end], r.readable[body.start:body.end])
	if around == nil || blanked || len(parts) == 0 || around.HasError() || slices.Contains(j.params, "") {
		return // it may do anything
	}
	fn.Body = j.Statements(parts)
	if j.Left < 0 {
		fn.Body = &facts.Term{}
	}
}

// follow asks of the functions that seem to work whether anything reaches what they give back.
func (r *reader) follow() {
	hollow := map[*flow.Function]bool{}
	for i := range r.found {
		e := &r.found[i].effect
		if e.fn == nil || e.outcome != does && e.outcome != gives {
			continue
		}
		followed := r.flow.Body(e.fn)
		e.stores = followed.Stores && !followed.Acts && !followed.Gives
		if e.doubt = followed.Doubt(e.fn.Name, e.fn.Named); e.doubt == "" {
			e.doubt = r.emptyHandler(e.fn.Whole)
		} else {
			for _, helper := range followed.Helpers {
				hollow[helper] = true
			}
		}
	}
	for i := range r.found {
		e := &r.found[i].effect
		if hollow[e.fn] && e.doubt == "" {
			e.doubt = "does nothing with what it is given"
		}
		e.fn = nil
	}
}

// emptyHandler says which handler of a page does nothing: onClick={() => {}}, socket.on("x", () => {}).
func (r *reader) emptyHandler(n *syntax.Node) string {
	if n == nil || !slices.Contains(handling, r.grammar.Name) {
		return ""
	}
	for _, c := range n.NamedChildren() {
		name, given := "", (*syntax.Node)(nil)
		switch c.Type() {
		case "jsx_attribute":
			if c.NamedChildCount() == 2 { // else it has no value
				name, given = c.NamedChild(0).Content(r.src), c.NamedChild(1).NamedChild(0)
			}
		case "call_expression":
			arguments := c.Field("arguments")
			if called := field(c, "function"); arguments != nil && arguments.NamedChildCount() > 0 &&
				registering.Match(r.src[called.start:called.end]) {
				name, given = "on "+arguments.NamedChild(0).Content(r.src), arguments.LastNamedChild()
			}
		}
		if given != nil && handler.MatchString(name) && strings.HasSuffix(given.Type(), "function") {
			if body := given.Field("body"); body != nil && body.Type() == "statement_block" && body.NamedChildCount() == 0 {
				return "has a handler that does nothing: " + strings.TrimPrefix(name, "on ")
			}
		}
		if found := r.emptyHandler(c); found != "" {
			return found
		}
	}
	return ""
}

// handling are the languages whose pages have handlers.
var handling = []string{"javascript", "typescript", "tsx"}

var (
	registering = lang.Lazy(`\.(on|once|addEventListener|addListener|subscribe)$`)
	handler     = lang.Lazy(`^on([A-Z]| ["'])`)
)

// marked are the parameters beside which a word of a header begins or ends with another: bool, UNUSED.
func marked(params []string, header, with string) (all []string) {
	words := strings.FieldsFunc(header, func(r rune) bool { return r < 0x80 && !lang.IsWordByte(byte(r)) })
	for i, word := range words {
		if !slices.Contains(params, word) {
			continue
		}
		for _, beside := range words[max(0, i-1):min(len(words), i+2)] {
			if beside = strings.ToLower(beside); strings.HasPrefix(beside, with) || strings.HasSuffix(beside, with) {
				all = append(all, word)
			}
		}
	}
	return all
}
