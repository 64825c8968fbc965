package flow

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// maxMessage is the longest statement that may say that it is not done, and maxIdiom the longest that is told by its
// text, in bytes.
const (
	maxMessage = 1000
	maxIdiom   = 80
)

// values is the value of what holds several.
func (j *sum) values(parts []*facts.Term) value {
	v := empty
	for _, t := range parts {
		v = max(v, j.value(t))
	}
	return v
}

func (j *sum) value(t *facts.Term) value {
	switch t.Op {
	case facts.Empty:
		return empty
	case facts.Literal:
		return j.written(t)
	case facts.Text:
		v := constant
		for _, part := range t.Parts {
			v = max(v, j.value(part), computed)
		}
		j.Strings = append(j.Strings, t.At)
		return v
	case facts.List:
		return j.holds(t)
	case facts.Name:
		return j.named(t.Text)
	case facts.Operate:
		return j.operate(t)
	case facts.Member:
		return j.member(t)
	case facts.Call:
		return j.call(t)
	case facts.Make:
		return j.makes(t)
	case facts.Closure:
		return computed
	case facts.Raise:
		if j.throwsBare(t) {
			j.Raises = true
			return made
		}
		if throwsUndone(j.file.text(t)) {
			return unmade
		}
	case facts.Block:
		if j.statement(t, true) != acts && j.unmade {
			return unmade
		}
	}
	return act
}

// written is the value of a literal that is no string.
func (j *sum) written(t *facts.Term) value {
	switch text := j.file.text(t); {
	case facts.IsNull(text):
		return empty
	case text[0] == ':' && (strings.Contains(text, "implement") && lang.SaysUndone(text) || undoneName.MatchString(text)):
		return unmade // an atom, a symbol
	}
	return constant
}

// holds is the value of what holds others: a list, a map, a pair.
func (j *sum) holds(t *facts.Term) value {
	v, text := j.values(t.Parts), j.file.text(t)
	switch {
	case t.Text == "":
	case strings.HasPrefix(t.Text, "jsx_"):
		return act // a page is made of it
	case t.Text == "composite_literal" && v <= constant &&
		!strings.HasPrefix(text, "[]") && !strings.HasPrefix(text, "map["):
		return made
	case v == empty && len(t.Parts) > 0 &&
		!slices.Contains([]string{"expression_list", "tuple", "composite_literal", "argument_list"}, t.Text):
		return constant
	case v == first && len(t.Parts) > 1:
		return computed
	}
	return v
}

// streams is how C++ prints, logs and fails with operators.
var streams = lang.Lazy(`^(?:std::)?(?:cout|cerr|clog)\s*<<|^\w*LOG\w*\([A-Z]+\)\s*<<` +
	`|^(?:FAIL|ADD_FAILURE|GTEST_FAIL)\(\)\s*<<`)

// operate is the value of an operation.
func (j *sum) operate(t *facts.Term) value {
	text := j.file.text(t)
	switch t.Text {
	case "cast":
		return j.values(t.Parts)
	case "try":
		return act // it may end what goes on
	case "await":
		if v := j.values(t.Parts); v != first && v != computed {
			return v
		}
		return act // it waits
	case "[":
		v := j.values(t.Parts[:1])
		elsewhere := j.elsewhere
		v = max(v, computed, j.values(t.Parts[1:]))
		j.elsewhere = elsewhere
		return v
	}
	if streams.MatchString(text) && lang.PrintsUndone(lang.LiteralParts(text)) {
		return mutter
	}
	switch v := j.values(t.Parts); {
	case v == unmade || v == mutter:
		return act // x or fail: a guard
	case v == first, v <= made && text[0] == '&' && strings.HasSuffix(text, "{}"):
		return computed // a pointer to what is empty is a new object
	default:
		return max(constant, v)
	}
}

// member is the value of a member of something.
func (j *sum) member(t *facts.Term) value {
	text := j.file.text(t)
	if strings.EqualFold(text, "string.empty") {
		return constant
	}
	switch v := j.values(t.Parts); {
	case v >= talk:
		return v
	case facts.IsTypeName(text) && !strings.ContainsAny(text, "[(") &&
		!(j.file.Language.Terse && strings.Contains(text, ".")):
		return made // a member of a type: Status.OK; in Go and C++ a dot stands behind what is no type
	}
	return computed
}

// named is the value of a name.
func (j *sum) named(name string) value {
	switch {
	case facts.IsNull(name):
		return empty
	case name == "NotImplemented":
		return computed // how Python declines an operation
	case facts.IsTrue(name), facts.IsFalse(name), name == "ENOSYS", name == "ENOTSUP", name == "EOPNOTSUPP":
		return constant
	}
	if v, ok := j.locals[name]; ok {
		return v
	}
	switch i := slices.Index(j.fn.Params, name); {
	case name[0] == '@':
		return computed
	case slices.Contains(j.bounds, name), i > 0:
		return computed
	case i == 0:
		return first
	case slices.Contains(j.fn.Self, name) && name != "super":
		j.elsewhere = true
		return first
	case j.file.Language.NamesCall && !slices.Contains(j.fn.Self, name) && !facts.IsTypeName(name):
		return act
	}
	j.elsewhere = j.elsewhere || !facts.IsTypeName(name)
	return computed
}

// makes judges the making of an object.
func (j *sum) makes(t *facts.Term) value {
	text := j.file.text(t)
	switch {
	case len(text) > maxMessage:
	case strings.Contains(text, "setTimeout"):
		return talk
	case lang.MakesError(t.Text) && throwsUndone(text):
		return unmade
	}
	return max(made, j.values(t.Parts))
}

// call judges a call.
func (j *sum) call(t *facts.Term) value {
	callee, arguments, text := t.Text, t.Parts[1:], j.file.text(t)
	if j.calls++; j.calls > lang.MaxCalls || callee == "" || len(text) > maxMessage {
		return act
	}
	name, said := lastName(callee), j.said(t)
	if strings.Count(text, "\n") <= 2 && j.ends(callee, name, text, said) {
		return unmade
	}
	if strings.HasPrefix(name, "require") {
		j.imports = true
		return computed
	}
	given := j.values(arguments)
	switch {
	case j.isItself(callee, name) && j.own(arguments) &&
		!strings.ContainsAny(text[:min(len(text), len(callee)+1)], "!?<["):
		return same
	case given >= unmade && given != unmade:
		return act
	}
	return j.called(t, name, said, given)
}

// wraps are the callees whose result holds nothing where they are given nothing.
const wraps = ` resolve FromResult successful completedFuture Ok `

// settles are the callees that hand a value on as the result of a task that is done, as an async function gives back
// the value itself.
const settles = ` Promise.resolve Task.FromResult ValueTask.FromResult Future.successful ` +
	`CompletableFuture.completedFuture `

func (j *sum) called(t *facts.Term, name, said string, given value) value {
	callee, arguments, text := t.Text, t.Parts[1:], j.file.text(t)
	switch {
	case neverHolds(name, text) && lang.SaysUndone(said):
		return unmade
	case strings.Contains(wraps, " "+name+" ") && len(arguments) > 0 && !slices.ContainsFunc(arguments, holdsSomething):
		return empty
	case strings.Contains(settles, " "+callee+" ") && len(arguments) == 1 && given <= constant:
		return given
	}
	switch k := j.file.Language.CallOf(callee, name); {
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
		if given >= talk || callee == "print" && (strings.HasPrefix(text, "exit") || strings.HasPrefix(text, "die")) {
			return act
		}
		j.Shown = j.Shown || given >= first
		return talk
	case k == lang.Sleeps && !slices.ContainsFunc(j.fn.Params, func(name string) bool { return hasWordIn(text, name) }):
		return talk
	case k == lang.Builds,
		j.file.Language.TypesCalled && facts.IsTypeName(name) && !(lang.MakesError(callee) && given == unmade):
		return max(made, given)
	case lang.MakesError(callee) && given == unmade:
		return unmade
	case len(arguments) == 0 && j.isAsked(callee, name):
		return computed
	case lang.PrintsUndone(said) && lang.NamesLogCall(name):
		return mutter
	case undoneName.MatchString(callee) && facts.IsTypeName(name):
		return empty // a status that says so
	}
	return act
}

// holdsSomething reports whether what is given to a call is more than something that holds nothing.
func holdsSomething(t *facts.Term) bool {
	t = t.Alone()
	return t.Op != facts.Empty && !isNull(t)
}

// isAsked reports whether a call without arguments asks a parameter for a part of it, by its name: getId, or id in a
// language whose attributes are calls.
func (j *sum) isAsked(callee, name string) bool {
	of, _, ok := strings.Cut(callee, ".")
	return ok && slices.Contains(j.fn.Params, strings.Trim(of, "&*?")) && getter.MatchString(name)
}

var getter = lang.Lazy(`^(?:get[A-Z]\w*|id|name|key|email|size|length|count|code|title|to_?[sS](?:tr(?:ing)?)?)$`)

// answers reports whether a call of this name answers a request; what is called after the answer is written to give it.
func (j *sum) answers(name string) bool {
	return lang.NamesHTTPAnswer(name) && !undoneName.MatchString(j.fn.Name)
}

// ends reports whether a call raises or makes an error that says that the work is not done.
func (j *sum) ends(callee, name, text, said string) bool {
	if j.file.Language.CallOf(callee, name) != lang.Raises && !lang.MakesError(callee) {
		return false
	}
	return lang.SaysUndone(said) || strings.TrimRight(name, "!") == "panic" && lang.SaysNotImplemented(said) ||
		undoneName.MatchString(text[min(len(callee), len(text)):]) && !otherSystem.MatchString(said)
}

// said is the text in a call.
func (j *sum) said(t *facts.Term) string {
	if j.file.Language.Name == "bash" { // where a text needs no quotes
		_, words, _ := strings.Cut(j.file.text(t), " ")
		return strings.Trim(words, ` "'`)
	}
	return lang.LiteralParts(j.file.text(t))
}

// own reports whether arguments are just the parameters.
func (j *sum) own(arguments []*facts.Term) bool {
	if len(j.fn.Params) == 0 && len(arguments) == 1 && strings.Trim(j.file.text(arguments[0]), `"`) == "$@" {
		return true
	}
	if len(arguments) != len(j.fn.Params) {
		return false
	}
	for i, a := range arguments {
		text := strings.TrimLeft(j.file.text(a), "*&.")
		if label, _, ok := strings.Cut(text, ":"); ok && j.file.Language.Unqualified && !hasWordIn(j.fn.Header, label) {
			return false // the label of another
		}
		text = strings.TrimPrefix(text, "mut ")
		if k := strings.LastIndexAny(text, "=:"); k >= 0 && (text[k] == '=' || j.file.Language.Unqualified) {
			text = strings.TrimSpace(text[k+1:])
		}
		if strings.TrimRight(text, ".") != j.fn.Params[i] {
			return false
		}
	}
	return true
}

// isItself reports whether a call, of what is written and its last name, means the definition that it stands in.
func (j *sum) isItself(callee, name string) bool {
	fn := j.fn
	if name == "" || name != fn.Name && name != fn.Alone {
		return false
	}
	qualifier := strings.TrimSpace(strings.TrimPrefix(callee[:len(callee)-len(name)], "await "))
	switch qualifier = strings.TrimRight(qualifier, ".:->?! "); {
	case qualifier == "":
		return !fn.Method || j.file.Language.Unqualified || name == fn.Alone
	case name != fn.Name:
		return false
	}
	return fn.Method && slices.Contains(fn.Self, qualifier) || slices.Contains(fn.Owners, qualifier)
}

// runsNothing reports whether a call only runs a function that is written there, and that does nothing: func() {}(),
// pcall(function() end), synchronized(this) { }.
func (j *sum) runsNothing(t *facts.Term) bool {
	parts, ran := t.Parts, t.Text == ""
	if !ran {
		if parts = parts[1:]; j.file.Language.CallOf(t.Text, lastName(t.Text)) != lang.Runs {
			return false
		}
	}
	for _, part := range parts {
		part = part.Alone()
		if part.Op != facts.Closure && j.value(part) > computed || part.Op == facts.Closure && !isHollow(part) {
			return false
		}
		ran = ran || part.Op == facts.Closure
	}
	return ran
}

// isHollow reports whether a function without a name has nothing in it.
func isHollow(t *facts.Term) bool {
	return t.Text != "async" && !slices.ContainsFunc(t.Parts, func(body *facts.Term) bool {
		return body.Op != facts.Block || len(body.Parts) > 0
	})
}
