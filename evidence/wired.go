package evidence

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// wiring is a line beside definitions that only names them, or holds a constant: a logger, __all__, an export, a main
// guard.
var wiring = lang.Lazy("^\\s*(" +
	`(export\b[^=(]*|export default [\w.]+|module\.exports\s*=\s*[{\w\s,.}]*|(module\.)?exports\.\w+\s*=\s*[\w.]+)[;{]?` +
	"|" +
	`__all__\s*\+?=.*|__version__\s*=.*|if __name__ ==.*|(sys\.exit\()?main\(.*\)+;?` + "|" +
	`[\w\s.<>:*]*\b_?(log|logger|LOG|LOGGER|Log|Logger|logging)\b\s*(:\s*[\w.]+)?\s*:?=.*` + "|" +
	`([\w<>\[\]:*]+\s+)*[A-Za-z_]\w*\s*(:\s*[\w.\[\]<>&']+)?\s*:?=\s*(-?[\d._]+\w*|"[^"]*"|'[^']*'|true|false|True` +
	`|False|nil|null|None|[\[{(][\[\]{}()]*)\s*[;,]?` + "|" +
	`(["'][^"']*["'],?\s*)*[\])}]*[;,]?` + ")\\s*$")

// isWired reports whether all real code of a span that stands in no definition only names the definitions, calls one
// that seems hollow, or is a constant.
func (m *model) isWired(s stretch, hollow func(*definition) bool) bool {
	for at := s.start; at < s.end; {
		line := m.text.at(m.text.line(at))
		end := at + len(line)
		if here := (stretch{at, min(end, s.end)}); m.isLoose(here) && (m.isInside(here, hollow) ||
			!wiring.MatchString(line) && !m.callsHollow(line) && !m.isFrame(here)) {
			return false
		}
		at = max(end, at) + 1
	}
	return true
}

// callsHollow reports whether a line only calls a function that seems to do nothing.
func (m *model) callsHollow(line string) bool {
	name, _, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "await "), "(")
	return ok && slices.ContainsFunc(m.definitions, func(d definition) bool { return d.name == name && d.status == vague })
}

// isFollowed reports whether all that is unclear in a span is so by what flow tells of it.
func (m *model) isFollowed(s stretch) bool {
	for d := range m.outermost(s, func(d *definition) bool { return d.status == vague }) {
		if d.why == "" || d.why != d.effect.doubt {
			return false
		}
	}
	return true
}

// isFrame reports whether a line only begins a class, or stands in a constructor that keeps what it is given.
func (m *model) isFrame(s stretch) bool {
	begins := false
	for i := range m.definitions {
		d := &m.definitions[i]
		switch {
		case d.effect.stores && d.outer <= s.start && s.end <= d.end:
			return true
		case s.start <= d.start && d.start < s.end:
			if d.kind != class {
				return false
			}
			begins = true
		}
	}
	return begins
}

// isHollow reports whether a definition is a stub, or holds no statements.
func isHollow(d *definition) bool { return d.kind == other || d.status == stub }

// seemsHollow reports whether a definition is no function that works: a class only holds some, and a constructor may
// only keep what it is given.
func seemsHollow(d *definition) bool {
	return d.kind != function || d.effect.stores || d.status == stub || d.status == vague
}

// isInside reports whether a line stands in a definition that is not hollow.
func (m *model) isInside(s stretch, hollow func(*definition) bool) bool {
	return slices.ContainsFunc(m.definitions, func(d definition) bool {
		return d.outer < s.start && s.end <= d.end && !hollow(&d)
	})
}

// isLoose reports whether real code stands in a stretch, outside of what is known to be a stub.
func (m *model) isLoose(s stretch) bool {
	for _, k := range m.kinds[s.start:s.end] {
		if k&(inStub|inDoubt|inSkip) == 0 && setOf(real, dropped, skips).has(k&kindMask) || k&inExempt != 0 {
			return true
		}
	}
	return false
}
