package flow

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// flag tells of a condition that is a flag which nothing sets: 1 where it holds for ever, -1 where it never does, 0
// where that is not known.
func (w *walk) flag(t *facts.Term) int {
	switch t.Op {
	case facts.Operate:
		if len(t.Parts) == 1 && (t.Text == "!" || t.Text == "not") {
			return -w.flag(t.Parts[0])
		} else if len(t.Parts) == 1 {
			return w.flag(t.Parts[0])
		}
		if (t.Text == "&&" || t.Text == "and") && len(t.Parts) == 2 {
			return min(w.flag(t.Parts[0]), w.flag(t.Parts[1]), 0)
		}
	case facts.List:
		if len(t.Parts) == 1 {
			return w.flag(t.Parts[0])
		}
	case facts.Name, facts.Member:
		if t.Op == facts.Member && !(t.Parts[0].Op == facts.Name && slices.Contains(w.fn.Self, t.Parts[0].Text)) ||
			lang.HasListedWord("debugging", t.Text) {
			return 0
		}
		if !slices.Contains(w.fn.Params, t.Text) && w.file.isFlag(t.Text) {
			w.Flag = t.Text
			return -1
		}
	}
	return 0
}

// isFlag reports whether the file gives a name one value, which is false, and nothing else changes it.
func (f *File) isFlag(name string) bool {
	if is, asked := f.flags[name]; asked {
		return is
	}
	if f.flags == nil {
		f.flags = map[string]bool{}
	}
	times, value := 0, ""
	if len(name) > 2 {
		times, value = given(f.Src, name)
	}
	f.flags[name] = times == 1 && facts.IsFalse(value) && value != "0"
	return f.flags[name]
}

// gives is what gives a name a value, behind it.
var gives = lang.Lazy(`^\s*(?:(?::?\s*[\w<>?.*]+)?\s*:?=\s*([\w.]+)?|\+\+|--|[-+*/|&^%]=)`)

// given counts how often a text gives a name a value, or lets others do so, and the last value.
func given(src []byte, named string) (times int, value string) {
	name := []byte(named)
	for at := 0; ; {
		i := bytes.Index(src[at:], name)
		if i < 0 {
			return times, value
		}
		begin := at + i
		at = begin + len(name)
		if begin > 0 && lang.IsWordByte(src[begin-1]) || at < len(src) && lang.IsWordByte(src[at]) {
			continue
		}
		before := bytes.TrimRight(src[max(0, begin-8):begin], " \t")
		line, _, _ := bytes.Cut(src[at:min(len(src), at+80)], []byte("\n"))
		rest := strings.TrimLeft(string(line), " \t")
		if changes.Match(before) {
			times += 2
		} else if m := gives.FindStringSubmatch(rest); m != nil && !compared.MatchString(rest) {
			times++
			value = m[1]
		}
	}
}

var (
	// changes is what stands before a name that others may give a value.
	changes  = lang.Lazy(`(?:&|\+\+|--|\b(?:out|ref|inout|mut))$`)
	compared = lang.Lazy(`^(?::?\s*[\w<>?.*]+)?\s*(?:==|=>|=~)`)
)
