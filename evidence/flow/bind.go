package flow

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

func (w *walk) bind(t *facts.Term) {
	w.bindCount++
	last := len(t.Parts) - 1
	right := t.Parts[last]
	isDiscarded := last == 1 && t.Parts[0].Text == "_"
	switch in := right.Single(); {
	case isDiscarded && in.Op == facts.Name && !w.locals[in.Text].isParameter &&
		w.locals[in.Text].sources&FromParameter != 0:
		w.IsDropped = true
		return
	case last == 1 && in.Op == facts.Name && w.file.text(t.Parts[0]) == w.file.text(right):
		return
	case isDiscarded && in.Op == facts.Closure:
		w.hasDeadCode = true // nothing can call it
		return
	}
	v := valueFlow{constant, 0}
	if right.Op != facts.Nothing {
		v = w.value(right)
	}
	w.doesWork = w.doesWork || v.valueKind >= logging || isDiscarded && right.Op != facts.Nothing &&
		(strings.ContainsAny(w.file.text(right), "[({") && right.Op != facts.List ||
			w.file.Language.Is("unqualified") && !slices.Contains(w.fn.Params, right.Text))
	for _, target := range t.Parts[:last] {
		l := local{valueFlow: v, isOwnObject: last == 1 && isMaking(right),
			isStruct: isStruct(right, w.file.text(right))}
		w.judgeBinding(&l, t, target, right)
		w.followBinding(&l, t, target, last)
		if target.Op == facts.Name {
			w.locals[target.Text] = l
		}
	}
}

// judgeBinding judges a binding: others may see a name that is not local.
func (w *walk) judgeBinding(l *local, t, target, right *facts.Term) {
	name := target.Text
	old, isKnown := w.locals[name]
	isKnown = isKnown && !old.isParameter
	declares := t.Op == facts.Declare
	switch {
	case target.Op != facts.Name, strings.HasPrefix(name, "@"), t.Text != "" && (!isKnown || old.valueKind > constant),
		old.isParameter && w.fn.lends(name, l.sources):
		w.doesWork = true // it may change shared state
	case name == "_" || name == "$_" || name == "_unused":
		l.valueKind = constant
	case !declares && !isKnown && !old.isParameter && (!w.file.Language.Is("scoped") ||
		slices.Contains(w.outerNames, name)):
		w.doesWork = true
	case right.Op == facts.Closure:
		used := lang.HasWord(string(w.file.Src[right.Span.End:max(right.Span.End, w.fn.Span.End)]), name)
		w.doesWork, w.hasDeadCode = w.doesWork || used, w.hasDeadCode || !used
	case isKnown && !declares:
		l.valueKind = max(l.valueKind, old.valueKind)
	}
}

func (w *walk) followBinding(l *local, t, target *facts.Term, targets int) {
	name := root(target)
	old, isKnown := w.locals[name]
	switch {
	case old.isParameter && l.sources != 0 && w.fn.lends(name, l.sources):
		w.markActs()
	case target.Op == facts.Name && name[0] != '@' &&
		(name == "_" || t.Op == facts.Declare || isKnown || w.file.Language.Is("scoped")):
		if w.hasChange = w.hasChange || isKnown && name != "_"; l.sources&wholeParameter != 0 && targets > 1 {
			l.sources |= FromParameter // destructured
		}
		if t.Text != "" {
			l.sources = readInto(l.sources | old.sources)
		}
		w.ReadsParameter = w.ReadsParameter || l.sources&FromParameter != 0
		l.sources |= old.sources
	case target.Op != facts.Name && isKnown && old.isOwnObject:
		old.sources |= l.sources
		w.locals[name] = old
		w.hasChange = true
	case l.sources&^fromClock == 0 && t.Text == "" && (target.Op == facts.Member || name[0] == '@'):
		w.SetsConstants = true
	case l.sources == wholeParameter && t.Text == "" &&
		(target.Op == facts.Member && slices.Contains(w.fn.SelfNames, name) || name[0] == '@'):
		w.Stores = true
	default:
		w.markActs()
	}
}

func root(t *facts.Term) string {
	for (t.Op == facts.Member || t.Op == facts.Operate) && len(t.Parts) > 0 {
		t = t.Parts[0]
	}
	if t.Text == "" {
		return " "
	}
	return t.Text
}

// helper returns the function of the file that a call calls, nil if that is not certain.
func (w *walk) helper(name, qualifier string) *Function {
	if fn := w.file.Functions[qualifier+"."+name]; fn != nil { // of an object
		if _, isLocal := w.locals[qualifier]; !isLocal {
			fn.read()
			return fn
		}
	}
	fn := w.file.Functions[name]
	if fn != nil {
		fn.read()
	}
	isOwn := slices.Contains(w.fn.SelfNames, qualifier) ||
		qualifier == "" && fn != nil && (!fn.IsMethod || w.file.Language.Is("unqualified"))
	if _, local := w.locals[name]; local || !isOwn {
		return nil
	}
	return fn
}

func (w *walk) followHelper(fn *Function, sources []Source) Source {
	if w.Acts || len(w.open) > maxHelpers {
		w.markActs()
		return fromState
	}
	w.Helpers = append(w.Helpers, fn)
	if fn == w.fn || fn.IsTooLong {
		w.markActs() // another function of its name, or recursion
		return fromState
	}
	if w.open[fn] {
		return 0 // mutual recursion
	}
	inner := &walk{file: w.file, fn: fn, open: w.open, steps: w.steps, bodyState: bodyState{doesWork: true}}
	w.open[fn] = true
	inner.run(fn, sources)
	delete(w.open, fn)
	w.Acts = inner.Acts || inner.Stores || inner.SetsConstants
	w.Helpers = append(w.Helpers, inner.Helpers...)
	w.Prints, w.Sleeps = w.Prints || inner.Prints, w.Sleeps || inner.Sleeps
	if inner.Flag != "" {
		w.Flag, w.IsFlagPrivate = inner.Flag, inner.IsFlagPrivate
	}
	return inner.ResultSources
}

// addSleep notes that the body waits. A duration from a parameter may be the body's purpose.
func (w *walk) addSleep(arguments []*facts.Term) {
	for _, a := range arguments {
		if w.sourcesOf(a)&(FromParameter|wholeParameter) != 0 {
			w.markActs()
		}
		if a.Op != facts.Name {
			break // a later argument may cancel it
		}
	}
	w.Sleeps = true
}

// addTimerPromise notes a promise that a timer keeps: new Promise((done) => setTimeout(done, 100)).
func (w *walk) addTimerPromise(t *facts.Term) bool {
	if t.Op != facts.Make || !strings.HasSuffix(t.Text, "Promise") || len(t.Parts) == 0 {
		return false
	}
	if executor := t.Parts[0].Single(); executor.Op == facts.Closure && isEmptyClosure(executor) {
		w.NeverSettles = true
		return true
	}
	for t = t.Parts[0]; t.Op == facts.List || t.Op == facts.Closure || t.Op == facts.Block; t = t.Parts[0] {
		if len(t.Parts) != 1 {
			return false
		}
	}
	if t.Op != facts.Call || t.Text != "setTimeout" || len(t.Parts) < 3 {
		return false
	}
	w.addSleep(t.Parts[2:])
	return true
}

// flagValue returns the value of a condition on a flag that nothing sets: 1 for true, -1 for false, 0 for unknown.
func (w *walk) flagValue(t *facts.Term) int {
	switch t.Op {
	case facts.Operate:
		if len(t.Parts) == 1 && (t.Text == "!" || t.Text == "not") {
			return -w.flagValue(t.Parts[0])
		} else if len(t.Parts) == 1 {
			return w.flagValue(t.Parts[0])
		}
		if (t.Text == "&&" || t.Text == "and") && len(t.Parts) == 2 {
			return min(w.flagValue(t.Parts[0]), w.flagValue(t.Parts[1]), 0)
		}
	case facts.List:
		if len(t.Parts) == 1 {
			return w.flagValue(t.Parts[0])
		}
	case facts.Name, facts.Member:
		if t.Op == facts.Member && !(t.Parts[0].Op == facts.Name && slices.Contains(w.fn.SelfNames, t.Parts[0].Text)) ||
			lang.HasListedWord("debugging", t.Text) {
			return 0
		}
		if !slices.Contains(w.fn.Params, t.Text) && w.file.isFlag(t.Text) {
			w.Flag, w.IsFlagPrivate = t.Text, w.file.isPrivate(t.Text)
			return -1
		}
	}
	return 0
}

// isFlag reports whether the file sets a name only once, to false.
func (f *File) isFlag(name string) bool {
	if isFlag, known := f.flags[name]; known {
		return isFlag
	}
	if f.flags == nil {
		f.flags = map[string]bool{}
	}
	times, value := 0, ""
	if len(name) > 2 {
		times, value = countAssignments(f.Src, name)
	}
	f.flags[name] = times == 1 && facts.IsFalse(value) && value != "0"
	return f.flags[name]
}

// isPrivate reports whether the file declares a name as private, or the name says so.
func (f *File) isPrivate(name string) bool {
	for line := range strings.Lines(string(f.Src)) {
		if lang.HasWord(line, name) && lang.HasWord(line, "private") {
			return true
		}
	}
	return name[0] == '_'
}

// countAssignments counts how often a text sets a name or lets others set it, and returns the last value.
func countAssignments(src []byte, name string) (times int, value string) {
	word := []byte(name)
	for at := 0; ; {
		i := bytes.Index(src[at:], word)
		if i < 0 {
			return times, value
		}
		begin := at + i
		at = begin + len(word)
		if begin > 0 && lang.IsWordByte(src[begin-1]) || at < len(src) && lang.IsWordByte(src[at]) {
			continue
		}
		before := bytes.TrimRight(src[max(0, begin-8):begin], " \t")
		line, _, _ := bytes.Cut(src[at:min(len(src), at+80)], []byte("\n"))
		rest := strings.TrimLeft(string(line), " \t")
		if patternOf("mutation").Match(before) {
			times += 2
		} else if m := patternOf("assignment").FindStringSubmatch(rest); m != nil && !fits("comparison", rest) {
			times++
			value = m[1]
		}
	}
}
