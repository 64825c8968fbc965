package evidence

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
)

// isDemanded reports whether what is empty has to be there whatever it does: its header says that it overrides another,
// or a base of its class is named after it, as IDisposable after Dispose. What holds more than a note is no empty one.
func (m *model) isDemanded(d *definition) bool {
	if d.kind != function || m.marked(d) || !m.isBare(d) {
		return false
	}
	stem := strings.TrimSuffix(strings.ToLower(d.name), "e")
	return overrides.MatchString(m.headerText(d)) || m.isMember(d) &&
		slices.ContainsFunc(m.definitions[d.parent].header.Bases, func(base string) bool {
			rest, found := strings.CutPrefix(strings.TrimPrefix(strings.ToLower(base), "i"), stem)
			return found && slices.Contains([]string{"able", "eable", "nable", "interface"}, rest)
		})
}

// isOfStream reports whether a method is one that all streams must have, and its class has one that reads or writes.
func (m *model) isOfStream(d *definition) bool {
	if !slices.Contains([]string{"close", "flush", "seek"}, strings.ToLower(d.name)) {
		return false
	}
	for _, name := range []string{"write", "read", "Write", "Read"} {
		if slices.ContainsFunc(m.namesakes(&definition{name: name}), func(i int) bool {
			return m.definitions[i].parent == d.parent && m.definitions[i].effect.Outcome == flow.DoesWork
		}) {
			return true
		}
	}
	return false
}

// overrides is how a header says that its definition stands for another of its name.
var overrides = lang.Lazy(`\b(override|actual)\b|@(\w+\.)*Override\b`)

// isShared reports whether a method's body is a bare {} on the line of its header, where an interface or a base may
// demand the method: another type of the file has one of its name, or the comment above says what it implements.
func (m *model) isShared(d *definition) bool {
	if !m.grammar.Is("terse") || d.body < 0 || d.owner == "" && !m.isMember(d) ||
		len(bytes.Trim(m.text.bytes[d.body:d.bodyEnd], "{} \t")) > 0 {
		return false
	}
	return implements.MatchString(m.above(d)) || slices.ContainsFunc(m.namesakes(d), func(i int) bool {
		o := &m.definitions[i]
		return o.kind == function && (o.owner != d.owner || o.parent != d.parent) && (o.owner != "" || o.parent >= 0)
	})
}

var implements = lang.Lazy(`\b(?:implements?|satisf(?:y|ies))\b`)

// isMacro reports whether the name of a definition is an argument, as that of a test is: TEST(Suite, Name).
func (m *model) isMacro(d *definition) bool {
	before := m.of(stretch{d.start, max(d.start, d.nameAt)})
	return strings.Contains(before, "(") && !strings.HasPrefix(before, "func")
}

// isForSomeBuilds reports whether a file is for some builds alone, as its name or a line before its code says: another
// does the work.
func isForSomeBuilds(path string, src []byte) bool {
	return platform.MatchString(path) || condition.Match(src[:min(len(src), maxCondition)])
}

// maxCondition is how much of a file is looked at for the condition under which it is built, in bytes.
const maxCondition = 4000

var (
	platform = lang.Lazy(`(?i)[_.-](unix|posix|windows|win32|linux|darwin|macos|android|ios|[a-z]+bsd|solaris|aix` +
		`|plan9|wasm|wasi|js|wasip1|nacl|cgo|nocgo|amd64|x86|arm|arm64|riscv64|ppc64x?|mips|s390x|other|stubs?|generic` +
		`|noasm|bootstrap)\.(go|rs|c|cc|cpp|m|mm|h)$`)
	condition = lang.Lazy(`(?m)^(//go:build |// \+build |#!\[cfg\()`)
)
