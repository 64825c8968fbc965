package weaker

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
)

// Expected values may stand in a file that a tool writes: a snapshot, a golden file.

// IsSnapshot reports whether a file holds expected values, by its path: a tool's snapshot, or a file named expected or
// golden among tests.
func IsSnapshot(name string) bool {
	return fits("snapshots", name) || fits("outputs", name) && !fits("settings", name) &&
		(evidence.HoldsTests(name) || fits("data", name)) &&
		(!evidence.HasDefinitions(name) || strings.Contains(path.Dir(name), "expected"))
}

// snapshotEntry is one entry of a file of snapshots; key is "" if the file is one snapshot.
type snapshotEntry struct {
	key, text string
	at        int
}

// entriesOf returns the entries of a snapshot file of Jest, Vitest or syrupy, or the whole of another file.
func entriesOf(src []byte) (all []snapshotEntry) {
	found := regexpOf("kept").InBytes(src).FindAllSubmatchIndex(src, -1)
	for i, m := range found {
		end := len(src)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		from, to := max(m[2], m[4]), max(m[3], m[5])
		all = append(all, snapshotEntry{string(src[from:to]), string(bytes.TrimSpace(src[m[1]:end])), m[1]})
	}
	if len(all) > 0 {
		return all
	}
	from := 0
	if m := regexpOf("of insta").FindIndex(src); m != nil {
		from = m[1]
	}
	return []snapshotEntry{{text: string(src[from:]), at: from}}
}

// compareSnapshots finds rewritten entries. New or removed snapshots say nothing: no test passes by them if runs refuse
// to write missing ones.
func (k *comparison) compareSnapshots() {
	for _, name := range k.Paths {
		if !IsSnapshot(name) {
			continue
		}
		old, new := k.content(0, name), k.content(1, name)
		if len(old) > 0 && len(new) > 0 && bytes.IndexByte(old, 0) < 0 {
			k.compareSnapshot(name, old, new)
		}
	}
}

func (k *comparison) compareSnapshot(name string, old, new []byte) {
	before := map[string]snapshotEntry{}
	for _, e := range entriesOf(old) {
		before[e.key] = e
	}
	for _, now := range entriesOf(new) {
		e, ok := before[now.key]
		if !ok || flat(e.text) == flat(now.text) || now.key == "" && holdsLines(now.text, e.text) {
			continue
		}
		message, from := path.Base(name)+" expects something else now", firstDifference(e.text, now.text)
		if now.key != "" {
			message += " of " + now.key
		}
		w := k.add("expectation rewritten", cmp.Or(now.key, name),
			placeFrom(name, old, e.at+from), placeFrom(name, new, now.at+from),
			"%s", message)
		w.isLiteral = true
		handsOther := func(p pair) bool {
			return p.before == nil || p.after == nil || !p.isUnchanged && inputsOf(p.before) != inputsOf(p.after)
		}
		isProgram := func(f *file) bool { // without tests: the snapshot may be its output
			return !slices.ContainsFunc(f.units, func(u *unit) bool { return u.isTest })
		}
		if slices.ContainsFunc(k.pairs, handsOther) || slices.ContainsFunc(k.readFiles[1], isProgram) {
			w.Excuse = "the inputs of a test change too"
		}
		return
	}
}

func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// holdsLines reports whether all lines of part stand in all, in order.
func holdsLines(all, part string) bool {
	lines := strings.Split(strings.TrimSpace(part), "\n")
	for line := range strings.Lines(all) {
		if len(lines) > 0 && strings.TrimSpace(line) == strings.TrimSpace(lines[0]) {
			lines = lines[1:]
		}
	}
	return len(lines) == 0
}

// firstDifference returns where the first line begins that differs.
func firstDifference(b, a string) int {
	i := 0
	for i < len(b) && i < len(a) && b[i] == a[i] {
		i++
	}
	return 1 + strings.LastIndexByte(b[:i], '\n')
}

// placeFrom returns the place of at most maxShown lines from a byte on.
func placeFrom(name string, src []byte, at int) Place {
	at = min(at, len(src))
	lines := strings.SplitAfterN(string(src[at:]), "\n", maxShown+1)
	text := strings.TrimRight(strings.Join(lines[:min(len(lines), maxShown)], ""), "\n")
	first := 1 + bytes.Count(src[:at], []byte{'\n'})
	return Place{Path: name, Line: first, EndLine: first + strings.Count(text, "\n"), Text: text}
}
