package weaker

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
)

// What a test expects may stand in a file of its own, which a tool writes: a snapshot, a golden file.

// IsSnapshot reports whether a file says what tests expect, by its path: it is one that a tool writes, or is called
// expected or golden among tests.
func IsSnapshot(name string) bool {
	return fits("snapshots", name) || fits("outputs", name) && !fits("settings", name) &&
		(evidence.HoldsTests(name) || fits("data", name)) &&
		(!evidence.HasDefinitions(name) || strings.Contains(path.Dir(name), "expected"))
}

// kept is one entry of a file of snapshots; key is "" in a file that is one whole.
type kept struct {
	key, text string
	at        int
}

// entriesOf are the entries of a file of snapshots of Jest, Vitest or syrupy, or the whole of another.
func entriesOf(src []byte) (all []kept) {
	found := regexpOf("kept").InBytes(src).FindAllSubmatchIndex(src, -1)
	for i, m := range found {
		end := len(src)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		from, to := max(m[2], m[4]), max(m[3], m[5])
		all = append(all, kept{string(src[from:to]), string(bytes.TrimSpace(src[m[1]:end])), m[1]})
	}
	if len(all) > 0 {
		return all
	}
	from := 0
	if m := regexpOf("of insta").FindIndex(src); m != nil {
		from = m[1]
	}
	return []kept{{text: string(src[from:]), at: from}}
}

// snapshots finds files of snapshots of which entries read otherwise. One that is new or gone says nothing: where
// tests are refused that write what they lack, no test passes by that.
func (k *comparison) snapshots() {
	for _, name := range k.Paths {
		if !IsSnapshot(name) {
			continue
		}
		was, is := k.content(0, name), k.content(1, name)
		if len(was) > 0 && len(is) > 0 && bytes.IndexByte(was, 0) < 0 {
			k.snapshot(name, was, is)
		}
	}
}

func (k *comparison) snapshot(name string, was, is []byte) {
	before := map[string]kept{}
	for _, e := range entriesOf(was) {
		before[e.key] = e
	}
	for _, now := range entriesOf(is) {
		e, stood := before[now.key]
		if !stood || flat(e.text) == flat(now.text) || now.key == "" && holdsLines(now.text, e.text) {
			continue
		}
		message, from := path.Base(name)+" expects something else now", common(e.text, now.text)
		if now.key != "" {
			message += " of " + now.key
		}
		w := k.note("expectation rewritten", cmp.Or(now.key, name), shown(name, was, e.at+from), shown(name, is, now.at+from),
			"%s", message)
		w.literal = true
		handsOther := func(p pair) bool {
			return p.before == nil || p.after == nil || !p.stands && given(p.before) != given(p.after)
		}
		isProgram := func(name string) bool { // without a test, so that its output may be what is expected
			f := k.files[name][1]
			return f != nil && !slices.ContainsFunc(f.units, func(u *unit) bool { return u.test })
		}
		if slices.ContainsFunc(k.pairs, handsOther) || slices.ContainsFunc(k.names, isProgram) {
			w.Excuse = "what a test hands in changes with it"
		}
		return
	}
}

// flat is a text without what a formatter may change in it.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// holdsLines reports whether all lines of one text stand in another, in their order: that one only has more.
func holdsLines(all, part string) bool {
	lines := strings.Split(strings.TrimSpace(part), "\n")
	for line := range strings.Lines(all) {
		if len(lines) > 0 && strings.TrimSpace(line) == strings.TrimSpace(lines[0]) {
			lines = lines[1:]
		}
	}
	return len(lines) == 0
}

// common is where the first line begins in which two texts differ.
func common(b, a string) int {
	line := 0
	for i := 0; i < len(b) && i < len(a) && b[i] == a[i]; i++ {
		if b[i] == '\n' {
			line = i + 1
		}
	}
	return line
}

// shown is the place of at most maxShown lines from a byte on.
func shown(name string, src []byte, at int) Place {
	at = min(at, len(src))
	lines := strings.SplitAfterN(string(src[at:]), "\n", maxShown+1)
	text := strings.TrimRight(strings.Join(lines[:min(len(lines), maxShown)], ""), "\n")
	first := 1 + bytes.Count(src[:at], []byte{'\n'})
	return Place{Path: name, Line: first, EndLine: first + strings.Count(text, "\n"), Text: text}
}
