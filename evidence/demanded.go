package evidence

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/report"
)

// excuseOverridden makes refused stubs unclear if a subclass in another file overrides each. A base that demands a
// method does not excuse it.
func (j *call) excuseOverridden(p *place, r Result) Result {
	where := ""
	isStubOfFunction := func(d *definition) bool { return isFunction(d) && isStub(d) }
	for _, d := range p.model.outermost(p.text.span(p.first, p.last), isStubOfFunction) {
		if !p.model.isMember(d) || !p.model.isTemplateHook(d) {
			return r
		}
		like := func(name string) bool { return path.Ext(name) == path.Ext(p.Path) }
		where, _ = j.search(p.Path, like, func(name string, entry Entry, src []byte) bool {
			return lang.HasWord(string(src), d.name) && lang.HasWord(string(src), d.parent.name) &&
				j.hasOverride(name, entry, src, d.parent, d.name)
		})
		if where == "" {
			return r
		}
	}
	if where == "" {
		return r
	}
	return p.unclear(fmt.Sprintf("a subclass overrides it: %s does the work", where),
		"cite the code that does the work, or report the item as skipped with a reason")
}

func (j *call) hasOverride(name string, entry Entry, src []byte, of *definition, method string) bool {
	m, err := j.Cache.model(j.Ctx, grammarOf(name), Source{name, src, entry.ID})
	return err == nil && slices.ContainsFunc(m.definitions, func(d *definition) bool {
		return d.name == method && d.kind == function && d.parent != nil && d.status == sound &&
			slices.Contains(d.parent.header.Bases, of.name)
	})
}

// isTemplateHook reports whether a stub is written for subclasses: it is empty or throws NotImplemented, and no note
// says that work is left.
func (m *model) isTemplateHook(d *definition) bool {
	return !m.hasMarker(d) && !m.saysLeft(d) && (m.hasOnlyNotes(d) ||
		d.body >= 0 && fits("not implemented body", m.of(stretch{d.body, d.bodyEnd})))
}

// isDemanded reports whether an empty function must exist: its header says that it overrides another, or a base of its
// class is named after it, as IDisposable after Dispose. It must hold no more than notes.
func (m *model) isDemanded(d *definition) bool {
	if d.kind != function || m.hasMarker(d) || !m.hasOnlyNotes(d) {
		return false
	}
	stem := strings.TrimSuffix(strings.ToLower(d.name), "e")
	return fits("override words", m.headerText(d)) || m.isMember(d) &&
		slices.ContainsFunc(d.parent.header.Bases, func(base string) bool {
			rest, found := strings.CutPrefix(strings.TrimPrefix(strings.ToLower(base), "i"), stem)
			return found && slices.Contains([]string{"able", "eable", "nable", "interface"}, rest)
		})
}

// isOfStream reports whether a method is one that all streams must have, and its class reads or writes.
func (m *model) isOfStream(d *definition) bool {
	if !slices.Contains([]string{"close", "flush", "seek"}, strings.ToLower(d.name)) {
		return false
	}
	for _, name := range []string{"write", "read", "Write", "Read"} {
		if slices.ContainsFunc(m.namesakes(&definition{name: name}), func(o *definition) bool {
			return o.parent == d.parent && o.effect.Outcome == flow.DoesWork
		}) {
			return true
		}
	}
	return false
}

// isInterfaceMethod reports whether a method is a bare {} that an interface or base may demand: another type of the
// file has a method of its name, or the comment above says what it implements.
func (m *model) isInterfaceMethod(d *definition) bool {
	if !m.grammar.Is("terse") || d.body < 0 || d.owner == "" && !m.isMember(d) ||
		len(bytes.Trim(m.text.bytes[d.body:d.bodyEnd], "{} \t")) > 0 {
		return false
	}
	return fits("implements words", m.above(d)) || slices.ContainsFunc(m.namesakes(d), func(o *definition) bool {
		return o.kind == function && (o.owner != d.owner || o.parent != d.parent) && (o.owner != "" || o.parent != nil)
	})
}

// isMacroArgument reports whether the name of a definition is an argument, as in TEST(Suite, Name).
func (m *model) isMacroArgument(d *definition) bool {
	before := m.of(stretch{d.start, max(d.start, d.nameAt)})
	return strings.Contains(before, "(") && !strings.HasPrefix(before, "func")
}

// isForSomeBuilds reports whether a file is only for some builds, by its name or a build condition: another file does
// the work elsewhere.
func isForSomeBuilds(path string, src []byte) bool {
	return fits("platform path", path) || patternOf("build condition").Match(src[:min(len(src), maxCondition)])
}

const maxCondition = 4000

// isWired reports whether all real code of a span outside definitions only names the definitions, calls a hollow one,
// or is a constant.
func (m *model) isWired(s stretch, hollow func(*definition) bool) bool {
	for at := s.start; at < s.end; {
		line := m.text.at(m.text.line(at))
		end := at + len(line)
		if part := (stretch{at, min(end, s.end)}); m.isLoose(part) && (m.isInside(part, hollow) ||
			!fits("wiring", line) && !m.callsVague(line) && !m.isFrame(part)) {
			return false
		}
		at = max(end, at) + 1
	}
	return true
}

func (m *model) callsVague(line string) bool {
	name, _, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "await "), "(")
	return ok && slices.ContainsFunc(m.definitions, func(d *definition) bool {
		return d.name == name && d.status == vague
	})
}

// isDoubtful reports whether everything unclear in a span is so because of flow's doubts.
func (m *model) isDoubtful(s stretch) bool {
	return !slices.ContainsFunc(m.outermost(s, isVague), func(d *definition) bool { return !d.isDoubted() })
}

// isDoubted reports whether a definition is unclear because of flow's doubt.
func (d *definition) isDoubted() bool {
	return d.status == vague && d.why != "" && (d.why == d.effect.doubt || d.why == d.effect.futility)
}

// holdsFutile reports whether a part of a function of a span cannot matter, whatever stands beside it.
func (m *model) holdsFutile(s stretch) bool {
	return slices.ContainsFunc(m.outermost(s, isFunction), func(d *definition) bool {
		return d.isDoubted() && d.why == d.effect.futility
	})
}

// doesOnly reports whether all functions of a span that do something have an effect, if any has.
func (m *model) doesOnly(s stretch, has func(effect) bool) bool {
	all := m.outermost(s, isFunction)
	hasIt := func(d *definition) bool { return has(d.effect) }
	return slices.ContainsFunc(all, hasIt) && !slices.ContainsFunc(all, func(d *definition) bool {
		return !hasIt(d) && !d.effect.onlyStores && d.effect.Outcome == flow.DoesWork
	})
}

// callsDoubtful reports whether code of a span calls a function of the span that flow doubts. A check of presence may
// be all that the caller needs.
func (m *model) callsDoubtful(s stretch) bool {
	asked := 0
	for _, d := range m.outermost(s, isFunction) {
		if !d.isDoubted() || d.why == flow.OnlyChecksPresence || m.isOnPurpose(d) {
			continue
		}
		if asked++; asked > maxOfOneName {
			break
		}
		if m.calls(d, stretch{s.start, d.outer}) || m.calls(d, stretch{d.end, s.end}) {
			return true
		}
	}
	return false
}

// calls reports whether code of a stretch calls a function by its name.
func (m *model) calls(d *definition, s stretch) bool {
	for call := d.name + "("; s.start < s.end; {
		i := bytes.Index(m.text.bytes[s.start:s.end], []byte(call))
		if i < 0 {
			return false
		}
		at := s.start + i
		last, _ := utf8.DecodeLastRune(m.text.bytes[:at])
		if !lang.IsNameRune(last) && !setOf(comment, docstring).has(m.kinds[at]&kindMask) {
			return true
		}
		s.start = at + len(call)
	}
	return false
}

// isFrame reports whether a line stands in a type, and in none of its functions that may work.
func (m *model) isFrame(s stretch) bool {
	touches := func(d *definition) bool { return d.outer < s.end && s.start < d.end }
	return slices.ContainsFunc(m.definitions, func(d *definition) bool { return touches(d) && d.kind != function }) &&
		!slices.ContainsFunc(m.definitions, func(d *definition) bool { return touches(d) && !seemsHollow(d) })
}

// isHollow reports whether a definition is a stub, or holds no statements.
func isHollow(d *definition) bool { return d.kind == other || d.status == stub }

// seemsHollow reports whether a definition is not a working function: a class is only a container, and a constructor
// may only store its parameters.
func seemsHollow(d *definition) bool {
	return d.kind != function || d.effect.onlyStores || d.effect.Outcome == flow.DoesNothing ||
		d.status == stub || d.status == vague
}

func (m *model) isInside(s stretch, hollow func(*definition) bool) bool {
	return slices.ContainsFunc(m.definitions, func(d *definition) bool {
		return d.outer < s.start && s.end <= d.end && !hollow(d)
	})
}

// isLoose reports whether a stretch holds real code outside of known stubs.
func (m *model) isLoose(s stretch) bool {
	for _, k := range m.kinds[s.start:s.end] {
		if k&(inStub|inDoubt|inSkip) == 0 && setOf(real, discarded, skips).has(k&kindMask) || k&inExempt != 0 {
			return true
		}
	}
	return false
}

// exemption says in one word why a definition is complete though empty, "" if it is not.
func (m *model) exemption(d *definition) string {
	if isNoop(d) {
		return "noop"
	}
	f := m.facts(d)
	gives := d.effect.hasResult && (d.effect.Outcome == flow.DoesNothing || d.reason == placeholderReturn)
	disguised := d.effect.Outcome == flow.DoesNothing && d.kind == function && !m.hasOnlyNotes(d)
	if word := f.FirstMatch(m.grammar.Complete); word != "" &&
		!(slices.Contains(idleWords, word) && (gives || disguised)) {
		return word
	}
	switch {
	case gives:
	case f.MatchAny(doubleConditions), f.MatchAny(idleConditions) && lang.NamesTestDouble(d.owner):
		return "stand_in"
	}
	return ""
}

// idleWords are exemptions that say that there is nothing to do; they do not apply if a result is declared.
var idleWords = strings.Fields("overridable deliberate teardown visitor listener accessor anonymous stand_in disabled")

var (
	idleConditions   = []string{"function !unwritten !marked"}
	doubleConditions = []string{"function !unwritten !marked in:type in:double"}
)

// isNoop reports whether a function is called noop: it does what its name says.
func isNoop(d *definition) bool {
	if d.kind != function || d.ownKinds.has(notImplemented) || d.effect.Outcome == flow.SaysNotDone ||
		d.effect.Outcome == flow.ReturnsConstant && !d.effect.ReturnsNull ||
		d.effect.HasBareReturn && d.reason == placeholderReturn {
		return false
	}
	switch strings.Trim(strings.ToLower(d.name), "_") {
	case "nop", "noop", "no_op", "donothing", "do_nothing":
		return true
	}
	return false
}

func (m *model) decoratorsOf(d *definition) []string {
	var texts []string
	for _, at := range within(m.decorators, stretch{d.outer, d.nameAt}) {
		texts = append(texts, m.of(at))
	}
	return texts
}

// isOption reports whether a definition is an empty callback among options that a function passes on: f({onError() {}})
// belongs to the function.
func (m *model) isOption(d *definition) bool {
	return d.isMember && d.parent != nil && d.parent.kind == function && d.parent.status == sound
}

// unreadFields says which private fields the class of a method is given and never reads, if it reads none of them: the
// service whose client nothing calls. "" says nothing. Compilers warn of such a field, IDE0052 in C#, 6138 in
// TypeScript, but only of one at a time: of 4,000 honest classes in 58 repositories, three read none.
func (m *model) unreadFields(d *definition) string {
	c := d.parent
	if c == nil || c.kind != class || d.effect.onlyStores || d.effect.Outcome == flow.DoesNothing || m.isToPretend(d) {
		return ""
	}
	why, known := m.unread[c]
	if !known {
		if m.unread == nil {
			m.unread = map[*definition]string{}
		}
		if names := m.unreadFieldsOf(c); len(names) > 0 {
			why = fmt.Sprintf("is a method of %s, which never reads its %s", c.name, report.Enumerate(names))
		}
		m.unread[c] = why
	}
	return why
}

func (m *model) unreadFieldsOf(c *definition) (names []string) {
	if len(m.errorNodes) > 0 || len(m.unread) > maxClasses || len(m.text.bytes) > maxClassText ||
		fits("read by tools", m.of(stretch{c.outer, c.start})+m.headerText(c)) {
		return nil
	}
	outer := c
	for outer.parent != nil {
		outer = outer.parent
	}
	// An enclosing class may read the fields of a nested one.
	text := m.withoutComments(stretch{outer.start, len(m.text.bytes)})
	inside := m.withoutComments(stretch{c.start, c.end})
	for _, found := range patternOf("private field").In(inside).FindAllStringSubmatch(inside, maxFields+1) {
		names = append(names, found[2]+found[3])
		if found[1] != "" || len(names) > maxFields { // an annotation may read it
			return nil
		}
		text = strings.Replace(text, found[0], " ", 1)
	}
	for _, name := range names {
		word := `\b` + regexp.QuoteMeta(name) + `\b`
		given := regexp.MustCompile(`(?m)` + word + `\s*=\s*\$?\w+\s*(?:;|$)|` + // a constructor stores it
			`\b(?:[A-Z\\][\w.\\]*(?:<[^()\n]{0,99}>)?|string|int|long|bool|float|double|array)(?:\[\])?\??\s+\$?` +
			word + `\s*[,)]|` + // its parameter, also as name: Type
			`(?:^|[(,{]|\b(?:private|readonly|val|var|let))\s*` + word + `\??\s*:[ \t]*(\w)`)
		rest := given.ReplaceAllString(lang.LinesWith(text, name), " ${1}")
		if lang.HasWord(strings.ReplaceAll(rest, "$", " "), name) {
			return nil
		}
	}
	return names
}

// maxFields bounds the fields of a class that are looked for, and maxClasses the classes of a file, and maxClassText
// what is searched for them, in bytes: more is a file made to take time.
const (
	maxFields    = 8
	maxClasses   = 50
	maxClassText = 50_000
)
