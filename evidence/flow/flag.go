package flow

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

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
