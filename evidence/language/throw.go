package language

import "strings"

var (
	thrownNew       = Lazy(`^throw\s+(?:new\s+)?((?:[\pL_$][\pL\pN_$]*(?:\.|::))*)([\pL_$][\pL\pN_$]*)\s*(?:<[^()]*>|\[[^()]*\])?\s*(?:\(|;?$)`)
	unwrittenClass  = Lazy(`^(NotImplemented|NotYetImplemented|Unimplemented)(\w*(Exception|Error))?$`)
	exceptionsClass = Lazy(`(Exception|Error)$`)
)

// Thrown splits «throw new a.B(arguments)» into the name of the class, without
// what qualifies it, and what follows the opening bracket; the word new and the
// brackets may be missing. ok is false for any other statement.
func Thrown(statement string) (class, arguments string, ok bool) {
	m := thrownNew.FindStringSubmatch(statement)
	if m == nil {
		return "", "", false
	}
	return m[2], statement[len(m[0]):], true
}

// ThrowsUnwrittenClass reports a throw of a new exception whose class says «not
// implemented»: NotImplementedException, NotImplementedError, UnimplementedError.
func ThrowsUnwrittenClass(statement string) bool {
	class, _, ok := Thrown(statement)
	return ok && unwrittenClass.MatchString(class)
}

// ThrowsUnwritten reports a throw of any new exception whose text says «not
// implemented» without saying where.
func ThrowsUnwritten(statement string) bool {
	class, arguments, ok := Thrown(statement)
	return ok && exceptionsClass.MatchString(class) && SaysUnwritten(arguments)
}

// ThrowsBare reports a throw of a new exception of one of these classes that is given nothing.
func ThrowsBare(statement string, classes ...string) bool {
	class, arguments, ok := Thrown(statement)
	if !ok || strings.Trim(arguments, "); \t\r\n") != "" {
		return false
	}
	for _, c := range classes {
		if c == class {
			return true
		}
	}
	return false
}
