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
		} else if len(t.Parts) == 1 && t.Text != "-" && t.Text != "~" {
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
			lang.KnowsWord("debugging", t.Text) {
			return 0
		}
		if !slices.Contains(w.fn.Params, t.Text) && w.file.isFlag(t.Text) {
			w.Flag = t.Text
			return -1
		}
	}
	return 0
}

// given is what gives a name a value, behind it.
var given = lang.Lazy(`^\s*(?::?\s*[\w<>?.*]+)?\s*:?=\s*([\w.]+)`)

// isFlag reports whether the file gives a name one value, which is false, and nothing else changes it.
func (f *File) isFlag(name string) bool {
	if is, asked := f.flags[name]; asked {
		return is
	}
	if f.flags == nil {
		f.flags = map[string]bool{}
	}
	f.flags[name] = f.isFalse([]byte(name))
	return f.flags[name]
}

func (f *File) isFalse(name []byte) bool {
	found := false
	for at := 0; ; {
		i := bytes.Index(f.Src[at:], name)
		if i < 0 || len(name) < 3 {
			return found
		}
		begin := at + i
		at = begin + len(name)
		if begin > 0 && lang.IsWordByte(f.Src[begin-1]) || at < len(f.Src) && lang.IsWordByte(f.Src[at]) {
			continue
		}
		line, _, _ := bytes.Cut(f.Src[at:min(len(f.Src), at+80)], []byte("\n"))
		before := f.Src[max(0, begin-8):begin]
		if bytes.HasSuffix(bytes.TrimSpace(before), []byte("&")) {
			return false // its address is taken
		}
		rest := strings.TrimLeft(string(line), " \t")
		if strings.HasPrefix(rest, "==") || strings.HasPrefix(rest, "=>") {
			continue
		}
		if m := given.FindStringSubmatch(rest); m != nil {
			if !facts.IsFalse(m[1]) || m[1] == "0" || found {
				return false
			}
			found = true
		} else if strings.HasPrefix(rest, "|=") || strings.HasPrefix(rest, "&=") || strings.HasPrefix(rest, "^=") {
			return false
		}
	}
}
