package evidence

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// call judges a call.
func (j *judgement) call(n *syntax.Node) value {
	callee, arguments := j.CallOf(n)
	text := j.Text(n)
	if last := int(n.NamedChildCount()) - 1; last >= 0 && n.NamedChild(last).Type() == "do_block" {
		return act // what a macro makes of it is its own
	}
	if j.calls++; j.calls > lang.MaxCalls {
		return act
	}
	if callee == "" || len(text) > maxMessage {
		return act
	}
	name := callee[strings.LastIndexAny(callee, ".:>\\ \n")+1:]
	if said := j.said(n); strings.Count(text, "\n") <= 2 && j.ends(callee, name, text, said) {
		return unmade
	}
	if strings.HasPrefix(name, "require") {
		j.imports = true
		return computed
	}
	given := empty
	if len(arguments) > 0 && arguments[0].Parent().Type() == "token_tree" {
		given, arguments = j.tokens(arguments), nil
	}
	for _, a := range arguments {
		given = max(given, j.value(a))
	}
	switch {
	case j.isItself(callee, name) && !strings.ContainsAny(text[:min(len(text), len(callee)+1)], "!?<[") &&
		j.own(arguments):
		return same
	case given >= unmade && given != unmade:
		return act
	}
	return j.called(n, callee, name, arguments, given)
}

func (j *judgement) called(n *syntax.Node, callee, name string, arguments []*syntax.Node, given value) value {
	text := j.Text(n)
	said := j.said(n)
	if neverHolds(name, text) && lang.SaysUndone(said) {
		return unmade
	}
	if strings.Contains(wraps, " "+name+" ") && j.holdsNothing(arguments) {
		return empty
	}
	if strings.Contains(settles, " "+callee+" ") && len(arguments) == 1 && given <= constant {
		return given
	}
	switch k := j.grammar.CallOf(callee, name); {
	case k == lang.Undone, lang.IsStatus(text) && (lang.SaysUndone(said) || j.answers(name)):
		return unmade
	case k == lang.Raises:
		if given == unmade || j.unmade {
			return unmade
		}
		return act
	case k == lang.Writes && !lang.IsStandardStream(text):
		return act
	case k == lang.Talks, k == lang.Shows, k == lang.Writes:
		if lang.PrintsUndone(said) || lang.SaysWould(said) {
			return mutter
		}
		if given >= talk {
			return act
		}
		j.shown = j.shown || given >= first
		return talk
	case k == lang.Sleeps && !slices.ContainsFunc(j.params, func(name string) bool { return hasWord(text, name) }):
		return talk
	case k == lang.Builds:
		return max(made, given)
	case lang.MakesError(callee) && given == unmade:
		return unmade
	case j.grammar.TypesCalled && facts.IsTypeName(name):
		return max(made, given)
	}
	switch {
	case len(arguments) == 0 && j.isAsked(callee, name):
		return computed
	case lang.PrintsUndone(said) && lang.NamesLogCall(name):
		return mutter
	case undoneName.MatchString(callee) && facts.IsTypeName(name):
		return empty // a status that says so
	}
	return act
}

// isAsked reports whether a call without arguments asks a parameter for a part of it, by its name: getId, or id in a
// language whose attributes are calls.
func (j *judgement) isAsked(callee, name string) bool {
	of, _, ok := strings.Cut(callee, ".")
	return ok && slices.Contains(j.params, strings.Trim(of, "&*?")) && getter.MatchString(name)
}

var getter = lang.Lazy(`^(?:get[A-Z]\w*|id|name|key|email|size|length|count|code|title|to_?[sS](?:tr(?:ing)?)?)$`)

// answers reports whether a call of this name answers a request; what is called after the answer is written to give it.
func (j *judgement) answers(name string) bool {
	return lang.NamesHTTPAnswer(name) && !undoneName.MatchString(j.name)
}

// ends reports whether a call raises or makes an error that says that the work is not done.
func (j *judgement) ends(callee, name, text, said string) bool {
	if j.grammar.CallOf(callee, name) != lang.Raises && !lang.MakesError(callee) {
		return false
	}
	return lang.SaysUndone(said) || strings.TrimRight(name, "!") == "panic" && lang.SaysNotImplemented(said) ||
		undoneName.MatchString(text[min(len(callee), len(text)):]) && !elsewhere.MatchString(said)
}

// said is the text in a call.
func (j *judgement) said(n *syntax.Node) string {
	if n.Type() == "command" { // of a shell, where a text needs no quotes
		_, words, _ := strings.Cut(j.Text(n), " ")
		return strings.Trim(words, ` "'`)
	}
	return lang.LiteralParts(j.Text(n))
}

// own reports whether arguments are just the parameters.
func (j *judgement) own(arguments []*syntax.Node) bool {
	if len(j.params) == 0 && len(arguments) == 1 && strings.Trim(j.Text(arguments[0]), `"`) == "$@" {
		return true
	}
	if len(arguments) != len(j.params) {
		return false
	}
	for i, a := range arguments {
		text := strings.TrimLeft(j.Text(a), "*&.")
		if label, _, ok := strings.Cut(text, ":"); ok && j.grammar.Unqualified && !hasWord(j.headed, label) {
			return false // the label of another
		}
		text = strings.TrimPrefix(text, "mut ")
		if k := strings.LastIndexAny(text, "=:"); k >= 0 && (text[k] == '=' || j.grammar.Unqualified) {
			text = strings.TrimSpace(text[k+1:])
		}
		if strings.TrimRight(text, ".") != j.params[i] {
			return false
		}
	}
	return true
}
