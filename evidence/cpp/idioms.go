package cpp

import (
	"strings"

	"github.com/acta-git/acta/evidence/c"
	"github.com/acta-git/acta/evidence/language"
)

var (
	thrown    = language.Lazy(`^throw\s+(?:new\s+)?(?:\w+::)*(\w+)\s*(?:<[^()]*>)?\s*[({]\s*`)
	named     = language.Lazy(`(?i)^(?:not_?(?:yet_?)?implemented|unimplemented)(?:_?(?:exception|error))?$`)
	exception = language.Lazy(`(?i)(?:error|exception|argument)$`)
	streams   = language.Lazy(`^(?:LOG|DLOG|VLOG|PLOG|FAIL|ADD_FAILURE|GTEST_FAIL)\s*\([^()]*\)\s*<<`)
)

// notImplemented reports what package c does, a throw of an exception that is named so, and a throw of such a text.
func notImplemented(statement string) bool {
	if !strings.HasPrefix(statement, "throw") {
		return c.NotImplemented(statement)
	}
	if m := thrown.FindStringSubmatch(statement); m != nil {
		return named.MatchString(m[1])
	}
	content, _, ok := language.Literal(strings.TrimSpace(strings.TrimPrefix(statement, "throw")))
	return ok && language.SaysNotImplemented(content)
}

// unwritten reports what package c does, and exceptions and logs whose text says «not implemented».
func unwritten(statement string) bool {
	if m := thrown.FindStringSubmatch(statement); m != nil {
		return exception.MatchString(m[1]) && language.SaysUnwritten(statement[len(m[0]):])
	}
	return c.Unwritten(statement) || streams.MatchString(statement) && language.SaysUnwritten(statement)
}
