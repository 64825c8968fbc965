package host

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// replacement is a text of a file that replaced another; before is "" for new text.
type replacement struct{ before, after string }

const maxNamed = 3

// withChange returns the use with a short description of its change: the number of lines, and the definitions in them.
func (u *toolUse) withChange(all ...replacement) *toolUse {
	if u == nil {
		return nil
	}
	added, removed := 0, 0
	var names, gone, around []string
	for _, r := range all {
		before, after := r.lines()
		added, removed = added+len(after), removed+len(before)
		names, gone = append(names, definitions(after)...), append(gone, definitions(before)...)
		around = append(around, definitions(linesOf(r.after))...)
	}
	if added+removed == 0 {
		return u
	}
	for _, others := range [][]string{gone, around} { // removed definitions, or those around the lines
		if len(names) == 0 {
			names = others
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if n := len(names) - maxNamed; n > 0 {
		names = append(names[:maxNamed], fmt.Sprintf("%d more", n))
	}
	u.change = strings.Join(append([]string{fmt.Sprintf("+%d -%d", added, removed)}, names...), ", ")
	return u
}

func (r replacement) lines() (before, after []string) {
	before, after = linesOf(r.before), linesOf(r.after)
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		before, after = before[1:], after[1:]
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	return before, after
}

func linesOf(text string) []string {
	if text = strings.TrimSuffix(text, "\n"); text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// definitions are the names that lines define by a keyword; functions get brackets. This is a summary, not a parser:
// languages without such keywords give no names.
func definitions(lines []string) (names []string) {
	head := regexp.MustCompile(`^\s*(?:(?:export|default|public|private|protected|internal|static|final|abstract|async` +
		`|override|open|data|sealed|` +
		`unsafe|pub(?:\([a-z]+\))?)\s+)*` +
		`(def|defp|func|function|fn|fun|sub|class|struct|interface|trait|enum|module|defmodule` +
		`|type)\s+(?:\([^)]*\)\s*)?([\pL_$][\pL\pN_$.]*)`)
	for _, line := range lines {
		m := head.FindStringSubmatch(line)
		switch {
		case m == nil:
		case strings.HasPrefix(m[1], "fu"), m[1] == "fn", m[1] == "sub", m[1] == "def", m[1] == "defp":
			names = append(names, m[2]+"()")
		default:
			names = append(names, m[2])
		}
	}
	return names
}

func (p payload) edits(key string) (all []replacement) {
	list, _ := p.objects(key)
	for _, e := range list {
		all = append(all, e.edit())
	}
	return all
}

func (p payload) edit() replacement { return replacement{p.text("old_string"), p.text("new_string")} }
