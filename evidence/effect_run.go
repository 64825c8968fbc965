package evidence

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// holdsLock reports whether nodes of a kind do what is in their block while they hold what stands before it.
func holdsLock(kind string) bool { return kind == "lock_statement" || kind == "synchronized_statement" }

// runsNothing reports whether a call only runs a function that is written there, and that does nothing: func() {}(),
// pcall(function() end), synchronized(this) { }.
func (j *judgement) runsNothing(n *syntax.Node) bool {
	if f := n.Field("function"); f != nil {
		for j.Role(f) == lang.Wraps && f.NamedChildCount() == 1 {
			f = f.NamedChild(0)
		}
		if j.Role(f) == lang.Closes {
			_, arguments := j.CallOf(n)
			return j.isHollow(f) && j.valueOf(arguments) <= computed
		}
	}
	callee, arguments := j.CallOf(n)
	called := n.NamedChild(0)
	if called != nil && j.Role(called) == lang.Calls && called.Field("arguments") == nil {
		outer := arguments
		callee, arguments = j.CallOf(called) // synchronized(this) { }
		arguments = append(arguments, outer...)
	}
	name := callee[strings.LastIndexByte(callee, '.')+1:]
	if strings.ContainsAny(callee, "([{") || j.grammar.CallOf(callee, name) != lang.Runs {
		return false
	}
	ran := false
	for _, a := range arguments {
		for j.Role(a) != lang.Closes && a.NamedChildCount() == 1 && a.Type() != "argument" {
			a = a.NamedChild(0)
		}
		switch {
		case j.Role(a) != lang.Closes:
			if j.value(a) > computed {
				return false
			}
		case !j.isHollow(a):
			return false
		default:
			ran = true
		}
	}
	return ran
}

// isHollow reports whether a function without a name has a body, and nothing in it.
func (j *judgement) isHollow(n *syntax.Node) bool {
	if strings.HasPrefix(n.Type(), "async") || strings.HasPrefix(j.Text(n), "async") {
		return false
	}
	return !slices.ContainsFunc(n.NamedChildren(), func(c *syntax.Node) bool {
		body := n.Field("body")
		if body != nil && body != c || j.Role(c) != lang.Groups && body == nil {
			return false // its parameters
		}
		acting := func(part *syntax.Node) bool { return j.Role(part) != lang.Idles }
		return j.Role(c) != lang.Groups || slices.ContainsFunc(c.NamedChildren(), acting)
	})
}
