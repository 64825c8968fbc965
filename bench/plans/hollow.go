package main

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
)

// hollow leaves each outermost function of a file, tests included, with its first form alone; nil where none has one.
func hollow(ctx context.Context, file string, src []byte) ([]byte, error) {
	of := func(src []byte) evidence.Source { return evidence.Source{Path: "code" + path.Ext(file), Bytes: src} }
	all, err := evidence.Hollowables(ctx, of(src))
	if err != nil || len(all) == 0 {
		return nil, ctx.Err() // it is no code, or cannot be read
	}
	changed := false
	for i := range slices.Backward(all) {
		isInner := slices.ContainsFunc(all[:i], func(o evidence.Hollowable) bool {
			return o.Line <= all[i].Line && all[i].EndLine <= o.EndLine && o.EndLine > o.Line
		})
		if isInner {
			continue
		}
		if err := all[i].FindForms(ctx, of(src)); err != nil {
			return nil, errors.Join(ctx.Err(), err)
		}
		if forms := all[i].Forms; len(forms) > 0 {
			src, changed = alone(ctx, src, &all[i], forms[0].Source, of), true
		}
	}
	if !changed {
		return nil, nil
	}
	return src, nil
}

// untold is how a form of TypeScript begins, by which its compiler does not see that the rest is never reached.
const untold = "if (1 as any) "

// alone takes away what follows the form of a function; where that cannot be read, it stays behind the form.
func alone(
	ctx context.Context, src []byte, h *evidence.Hollowable, form []byte, of func([]byte) evidence.Source,
) []byte {
	at, end := front(src, form), bytes.Index(src[lineStart(src, h.Line):], []byte(h.Text))
	if at < 0 || end < 0 {
		return form // it is one expression
	}
	end += lineStart(src, h.Line) + len(h.Text)
	statement := strings.TrimRight(string(form[at:at+len(form)-len(src)]), " \t\n;")
	statement = strings.Replace(statement, untold, "", 1)
	rest := string(src[at:max(at, end)])
	tail := ""
	if open := bytes.TrimRight(src[:at], " \t\n"); bytes.HasSuffix(open, []byte("{")) {
		tail = "; " + rest[max(0, strings.LastIndexByte(rest, '}')):]
	} else if strings.HasSuffix(rest, "end") {
		tail = "\nend"
	}
	out := slices.Concat(src[:at], []byte(statement), []byte(tail), src[end:])
	read, err := evidence.Hollowables(ctx, of(out))
	if err == nil && slices.ContainsFunc(read, func(o evidence.Hollowable) bool { return o.Symbol == h.Symbol && o.Line == h.Line }) {
		return out
	}
	return form
}

// front is where a form puts its statement in front of a body; -1 where it does not.
func front(src, form []byte) int {
	more := len(form) - len(src)
	if more <= 0 {
		return -1
	}
	last := 0
	for last < len(src) && src[last] == form[last] {
		last++
	}
	for at := last; at >= 0 && at > last-40 && bytes.Equal(src[at:last], form[at+more:last+more]); at-- {
		statement := strings.TrimLeft(string(form[at:at+more]), " ")
		begins := func(word string) bool { return strings.HasPrefix(statement, word) }
		if slices.ContainsFunc([]string{"return", "if (true)", untold, "do "}, begins) {
			return at
		}
	}
	return -1
}

// lineStart is where a line begins, from 1.
func lineStart(src []byte, line int) int {
	at := 0
	for ; line > 1; line-- {
		at += bytes.IndexByte(src[at:], '\n') + 1
	}
	return at
}
