package flow

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// Reasons why a part of a body that looks like work cannot matter. Linters know them: SA4000, SA4004 and SA9003 of
// staticcheck, S1751, S3923 and S1764 of Sonar.
const (
	sameBothWays   = "does the same in every branch of a condition"
	leavesFirst    = "always leaves a counting loop in the first round"
	alwaysHolds    = "has a condition that is always true or always false"
	dropsResult    = "computes a value, and drops it"
	alwaysSucceeds = "answers that it succeeded, though it swallows a failure"
	comparesItself = "compares a value with itself"
	neverRead      = "writes %s, which nothing reads"
	emptyBranch    = "has a condition under which nothing happens"
)

// Futility says why a part of a function's body cannot matter, whatever else the body does; "" if nothing says so.
// swallows: it swallows the failures of all that it does.
func (f *File) Futility(fn *Function) (reason string, swallows bool) {
	fn.read()
	u := futile{file: f, fn: fn}
	u.walk(fn.Body)
	swallows, saysSuccess := f.swallows(fn)
	if saysSuccess && u.reason == "" {
		u.reason = alwaysSucceeds
	}
	return u.reason, swallows
}

type futile struct {
	file   *File
	fn     *Function
	steps  int
	reason string
}

func (u *futile) walk(t *facts.Term) {
	if u.steps++; u.reason != "" || u.steps > maxSteps || u.isBuilt(t) {
		return
	}
	switch t.Op {
	case facts.Block, facts.Try, facts.Handler:
		u.block(t)
	case facts.Branch:
		if u.outcome(t) != "" || len(t.Parts) > 1 && u.haveOneOutcome(t.Parts[1:]) {
			u.reason = sameBothWays
		}
		if u.isEmptyBranch(t) {
			u.reason = emptyBranch
		}
	case facts.Loop:
		body := t.Parts[len(t.Parts)-1]
		if len(t.Parts) > 2 && t.Parts[1].Op == facts.Declare {
			body = t.Parts[2] // before else
		}
		text := u.file.text(t)
		if fits("counts", text) && !lang.HasWord(text, "continue") && !lang.HasWord(text, "next") && leaves(body) {
			u.reason = leavesFirst
		}
	case facts.Call:
		operands := slices.DeleteFunc(slices.Clone(t.Parts), isNothing)
		if !u.fn.IsTest && !u.file.HoldsTests && lang.InList("compares", lastName(t.Text)) && len(operands) == 2 &&
			u.text(operands[0]) == u.text(operands[1]) && !strings.Contains(u.text(operands[0]), "(") {
			u.reason = comparesItself
		}
	case facts.Operate:
		switch {
		case u.isCertain(t):
			u.reason = alwaysHolds
		case t.Text == "?" && len(t.Parts) == 3 && u.text(t.Parts[1]) == u.text(t.Parts[2]):
			u.reason = sameBothWays
		}
	}
	for _, part := range t.Parts {
		u.walk(part)
	}
}

// isEmptyBranch reports whether an if has neither statements nor comments, nor an effect in its condition.
func (u *futile) isEmptyBranch(t *facts.Term) bool {
	if t.Text != "if" || len(t.Parts) != 2 || len(t.Parts[0].Parts) == 0 || !u.file.stays(t.Parts[0]) {
		return false
	}
	if then := t.Parts[1].Single(); then.Op != facts.Nothing && (then.Op != facts.Block || len(then.Parts) > 0) {
		return false
	}
	rest := u.file.Src[t.Parts[0].Parts[lastOf(t.Parts[0].Parts)].Span.End:t.Span.End]
	text := strings.Trim(string(rest), "(){}:; \t\n\r")
	return text == "" || text == "pass"
}

// isBuilt reports whether the preprocessor chooses what a term holds.
func (u *futile) isBuilt(t *facts.Term) bool {
	return strings.HasPrefix(t.Text, "preproc") || t.Op == facts.Branch && u.file.Src[t.Span.Start] == '#'
}

// block looks for a choice between returning something and returning the same, for clauses that do the same, and for
// statements whose result nothing can read.
func (u *futile) block(t *facts.Term) {
	isTail := u.fn.IsExpression || u.file.Language.Is("tail") || u.file.Language.Name == "kotlin"
	if u.haveOneOutcome(t.Parts) {
		u.reason = sameBothWays
	}
	for i, part := range t.Parts {
		part = part.Single()
		isLast := i == lastOf(t.Parts)
		switch {
		case !(isLast && isTail) && u.isDropped(part):
			u.reason = dropsResult
		case !(isLast && isTail) && u.isUnreadLocal(part):
			u.reason = fmt.Sprintf(neverRead, part.Parts[0].Text)
		case part.Op == facts.Call && lang.InList("fills", lastName(part.Text)):
			u.write(part.Parts[0])
		case part.Op == facts.Bind && part.Parts[0].Op == facts.Operate && part.Parts[0].Text == "[" &&
			len(part.Parts[0].Parts) > 0:
			u.write(part.Parts[0].Parts[0])
		case !isLast && part.Op == facts.Branch && !u.isBuilt(part) && part.Text == "if" && len(part.Parts) == 2:
			then := part.Parts[1].Single()
			if then.Op == facts.Return && len(then.Parts) == 1 && !isFallback(u.text(then.Parts[0])) &&
				u.text(then) == u.text(t.Parts[i+1].Single()) {
				u.reason = sameBothWays
			}
		}
	}
}

// isFallback reports whether a result is false, null, empty or a number, which honest code gives back twice.
func isFallback(result string) bool {
	return facts.IsFalse(result) || facts.IsNull(result) || !strings.ContainsFunc(result, unicode.IsLetter)
}

// write finds what is written into a private collection that the file never reads.
func (u *futile) write(t *facts.Term) {
	isOwn := t.Op == facts.Name || t.Op == facts.Member && slices.Contains(u.fn.SelfNames, root(t))
	if isOwn && !slices.Contains(u.fn.Params, t.Text) && u.file.isNeverRead(t.Text) {
		u.reason = fmt.Sprintf(neverRead, t.Text)
	}
}

// maxNames bounds the names of a file whose uses are searched, maxSource how large the file is, in bytes.
const (
	maxNames  = 16
	maxSource = 100_000
)

// isNeverRead reports whether a name is private to the file, and the file only writes to it.
func (f *File) isNeverRead(name string) bool {
	known, ok := f.unread[name]
	if ok || len(name) < 3 || len(f.unread) > maxNames || len(f.Src) > maxSource ||
		bytes.Contains(f.Src, []byte("import lombok.")) { // which writes getters
		return known
	}
	word := `\b` + regexp.QuoteMeta(name) + `\b`
	declared := regexp.MustCompile(`(?m)\bprivate\b[^\n;=({]*` + word + `\s*[=;:]|^` + word + `\s*(?::[^=\n]*)?=`)
	lines := lang.LinesWith(string(f.Src), name)
	rest := declared.ReplaceAllString(lines, "")
	writes := regexp.MustCompile(`(?m)^[ \t]*(?:\$?(?:this|self)(?:\.|->))?` + word +
		`(?:\[[^\]\n]*\]\s*=[^=]|\.(?:put|add|Add|append|push|set)\()`)
	if f.unread == nil {
		f.unread = map[string]bool{}
	}
	others := strings.ReplaceAll(writes.ReplaceAllString(rest, ""), "$", " ")
	f.unread[name] = len(rest) < len(lines) && !lang.HasWord(others, name)
	return f.unread[name]
}

// isUnreadLocal reports whether a statement makes a local out of values in memory, and the function only writes into
// it: S1481 and S4030 of Sonar, F841 of Pyflakes.
func (u *futile) isUnreadLocal(t *facts.Term) bool {
	isNew := t.Op == facts.Declare || t.Op == facts.Bind && u.file.Language.Is("scoped")
	if !isNew || len(t.Parts) != 2 || t.Parts[0].Op != facts.Name || t.Text != "" || u.fn.IsTest || u.file.HoldsTests {
		return false
	}
	name, value := strings.TrimPrefix(t.Parts[0].Text, "$"), t.Parts[1]
	if len(name) < 3 || name[0] == '_' || strings.ContainsAny(name, "@$") || slices.Contains(u.fn.Params, name) ||
		!u.isMade(value) {
		return false
	}
	text := string(u.file.Src[u.fn.Span.Start:u.fn.Span.End])
	if strings.Count(text, name) > maxNames {
		return false
	}
	writes := regexp.MustCompile(`(?m)^[ \t]*(?:(?:const|let|var|val|auto|final|[A-Z][\w.<>\[\], ]*)[ \t]+)?\$?` +
		regexp.QuoteMeta(name) + `(?:(?:\[[^\]\n]*\]|\.\w+)*[ \t]*:?=([^=])|\.(?:put|add|Add|append|push|set)\()`)
	rest := writes.ReplaceAllString(text, " ${1}")
	return len(rest) < len(text) && !lang.HasWord(strings.ReplaceAll(rest, "$", " "), name)
}

// isMade reports whether an expression computes a value, or makes a collection, without an effect.
func (u *futile) isMade(t *facts.Term) bool {
	if t.Op == facts.List && strings.IndexByte("[{", u.file.Src[t.Span.Start]) >= 0 { // a copy, too
		return u.file.stays(t)
	}
	switch t = t.Single(); t.Op {
	case facts.Text:
		return len(t.Parts) > 0
	case facts.Operate: // a cast is no copy
		return lang.InList("operators", t.Text) && u.file.stays(t)
	case facts.List, facts.Empty, facts.Make:
		return (t.Op != facts.Make || isCollection(t.Text)) && u.file.stays(t)
	case facts.Call:
		return (lang.InList("pure", lastName(t.Text)) || isCollection(lastName(t.Text))) && u.file.stays(t)
	}
	return false
}

// isDropped reports whether a statement computes a value that nothing can read, and does nothing else.
func (u *futile) isDropped(t *facts.Term) bool {
	switch t.Op {
	case facts.Bind, facts.Declare:
		name, value := t.Parts[0], t.Parts[len(t.Parts)-1].Single()
		if len(t.Parts) != 2 || name.Op != facts.Name || !strings.HasPrefix(name.Text, "_") || t.Text != "" {
			return false
		}
		rest := u.file.Src[t.Span.End:max(t.Span.End, u.fn.Span.End)]
		return (name.Text == "_" || t.Op == facts.Declare && !lang.HasWord(string(rest), name.Text)) &&
			(value.Op == facts.Operate && lang.InList("operators", value.Text) && !strings.Contains(u.text(value), "(") ||
				value.Op == facts.Call && lang.InList("pure", lastName(value.Text)))
	case facts.Call:
		return lang.InList("pure", lastName(t.Text)) || t.Parts[0].Op == facts.List && lastName(t.Text) == "sort" ||
			lang.InList("arithmetic", lastName(t.Text)) && bytes.Contains(u.file.Src, []byte("BigDecimal"))
	}
	return false
}

// text returns a term's text without blanks.
func (u *futile) text(t *facts.Term) string { return strings.Join(strings.Fields(u.file.text(t)), " ") }

// outcome returns the text that all ways of a term have; "" if they differ, or there is none.
func (u *futile) outcome(t *facts.Term) string {
	switch t = t.Single(); {
	case t.Op != facts.Branch && t.Op != facts.Nothing && t.Op != facts.Block && t.Op != facts.Jump:
		return strings.TrimRight(u.text(t), "; ")
	case t.Op == facts.Branch && t.Text == "if" && len(t.Parts) == 3:
		then, other := u.outcome(t.Parts[1]), u.outcome(t.Parts[2])
		if then == other {
			return then
		}
	}
	return ""
}

// haveOneOutcome reports whether the clauses of a choice, the last of which is for all else, do the same.
func (u *futile) haveOneOutcome(clauses []*facts.Term) bool {
	last := len(clauses) - 1
	if last < 1 || clauses[last].Op != facts.Block || len(clauses[last].Parts) != 1 {
		return false
	}
	all := u.outcome(clauses[last])
	return all != "" && !slices.ContainsFunc(clauses[:last], func(c *facts.Term) bool {
		return u.isBuilt(c) || c.Op != facts.Branch || c.Text == "if" || u.outcome(c.Parts[len(c.Parts)-1]) != all
	})
}

// leaves reports whether a statement always returns or throws.
func leaves(t *facts.Term) bool {
	switch t.Op {
	case facts.Return, facts.Raise:
		return true
	case facts.Block:
		return slices.ContainsFunc(t.Parts, leaves)
	case facts.Try:
		stays := func(p *facts.Term) bool { return p.Op == facts.Handler && !slices.ContainsFunc(p.Parts, leaves) }
		return len(t.Parts) > 0 && leaves(t.Parts[0]) && !slices.ContainsFunc(t.Parts[1:], stays)
	case facts.Branch:
		return t.Text == "if" && len(t.Parts) == 3 && leaves(t.Parts[1]) && leaves(t.Parts[2])
	}
	return false
}

// isCertain reports whether a condition has one value whatever its operands are: x || true, x == 1 || x != 1.
func (u *futile) isCertain(t *facts.Term) bool {
	if len(t.Parts) != 2 {
		return false
	}
	left, right := t.Parts[0].Single(), t.Parts[1].Single()
	isPlain := left.Op == facts.Name || left.Op == facts.Member // f() and false calls f
	switch t.Text {
	case "<", ">=":
		return u.text(right) == "0" && left.Op == facts.Call &&
			slices.Contains([]string{"len", "length", "size", "strlen"}, lastName(left.Text))
	case "||", "or":
		return isPlain && strings.EqualFold(u.text(right), "true") || u.areOpposite(left, right)
	case "&&", "and":
		return isPlain && strings.EqualFold(u.text(right), "false") || u.areOpposite(left, right)
	}
	return false
}

// areOpposite reports whether one of two conditions is the negation of the other.
func (u *futile) areOpposite(a, b *facts.Term) bool {
	if len(a.Parts) == 2 && len(b.Parts) == 2 && a.Op == facts.Operate && b.Op == facts.Operate {
		opposite := func(a, b string) bool { return strings.Replace(a, "=", "!", 1) == b }
		return (opposite(a.Text, b.Text) || opposite(b.Text, a.Text)) &&
			u.text(a.Parts[0]) == u.text(b.Parts[0]) && u.text(a.Parts[1]) == u.text(b.Parts[1])
	}
	negates := func(a, b *facts.Term) bool {
		isNot := b.Op == facts.Operate && len(b.Parts) == 1 && (b.Text == "!" || b.Text == "not")
		return isNot && u.text(b.Parts[0]) == u.text(a)
	}
	return negates(a, b) || negates(b, a)
}
