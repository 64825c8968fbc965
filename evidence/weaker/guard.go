package weaker

import (
	"bytes"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// guarded is a stretch of a file that is read or run under a condition alone.
type guarded struct {
	condition  string
	start, end int
}

// findGuards notes under which condition the tests of a statement are collected: if (x) { it("…") }.
func (f *file) findGuards(s *statement) {
	for _, c := range s.clauses {
		switch {
		case c.keyword != "if" && c.keyword != "unless" || len(c.head) == 0:
		case c.block != nil:
			condition := keys(c.head, nil)
			if c.keyword == "unless" {
				condition = "not (" + condition + ")"
			}
			f.guards = append(f.guards, guarded{condition, c.block.start, c.block.end})
		case len(c.head) > 1:
			f.guards = append(f.guards, guarded{c.head[0].String(), s.start, s.end})
		}
	}
}

var (
	bareName    = lang.Lazy(`^\w+$`)
	compiledOut = lang.Lazy(`(?m)^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elseif|else|endif)\b[ \t]*([^\n]*)`)
)

// findLeftOut notes what a compiler sees under a condition alone: #if 0, #if NEVER.
func (f *file) findLeftOut() {
	if !isListed("preprocessed", f.Language) {
		return
	}
	var open []guarded
	for _, m := range compiledOut.InBytes(f.Source).FindAllSubmatchIndex(f.Source, -1) {
		directive, condition := string(f.Source[m[2]:m[3]]), strings.TrimSpace(string(f.Source[m[4]:m[5]]))
		if begins := strings.HasPrefix(directive, "if"); !begins {
			if len(open) == 0 {
				return
			}
			last := open[len(open)-1]
			open = open[:len(open)-1]
			last.end = m[0]
			if isFalse(last.condition) || bareName.MatchString(last.condition) && !isPlatform(last.condition) &&
				bytes.Count(f.Source, []byte(last.condition)) == 1 { // which nothing else asks for
				f.guards = append(f.guards, last)
			}
		}
		if directive != "endif" {
			open = append(open, guarded{condition: condition, start: m[1]})
		}
	}
}
