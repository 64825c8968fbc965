package weaker

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
)

// What a test expects may stand in a file of its own, which a tool writes: a snapshot, a golden file.

var (
	// snapshots are the files that a tool writes for tests, by what their names and folders are everywhere.
	snapshots = lang.Lazy(`(^|/)__snapshots__/|\.(snap|ambr|golden)$|\.(approved|verified|golden)\.\w+$`)
	// outputs are files of what is expected, by their names and folders, where they stand among tests.
	outputs = lang.Lazy(`(^|/)(_?expected|_?goldens?|snapshots)/|(^|/)_?(expected|golden)[^/]*$` +
		`|[._-](expected|golden)(\.\w+)*$`)
	// settings are no data of tests, however they are called.
	settings = lang.Lazy(`(^|/)\.[^/]*/`)
	data     = lang.Lazy(`(?i)(^|/)(test[-_]?data|fixtures?)/`)
)

// IsSnapshot reports whether a file says what tests expect, by its path: it is one that a tool writes, or is called
// expected or golden among tests.
func IsSnapshot(name string) bool {
	return snapshots.MatchString(name) || outputs.MatchString(name) && !settings.MatchString(name) &&
		(evidence.HoldsTests(name) || data.MatchString(name)) &&
		(!evidence.HasDefinitions(name) || strings.Contains(path.Dir(name), "expected"))
}

// kept is one entry of a file of snapshots; key is "" in a file that is one whole.
type kept struct {
	key, text string
	at        int
}

var (
	// keptBy are how the entries of a file begin, with their keys in the first group: those of Jest and Vitest, and of
	// syrupy.
	keptBy = []lang.Pattern{
		lang.Lazy("(?m)^exports\\[`((?:[^`\\\\]|\\\\.)*)`\\] = "),
		lang.Lazy(`(?m)^# name: ([^\n]*)\n`),
	}
	// ofInsta is what insta writes above a snapshot: where it is from.
	ofInsta = lang.Lazy(`\A---\n(?:[a-z_]+:[^\n]*\n|[ -][^\n]*\n)*---\n`)
)

// entriesOf are the entries of a file of snapshots.
func entriesOf(src []byte) (all []kept) {
	for _, p := range keptBy {
		found := p.InBytes(src).FindAllSubmatchIndex(src, -1)
		for i, m := range found {
			end := len(src)
			if i+1 < len(found) {
				end = found[i+1][0]
			}
			all = append(all, kept{string(src[m[2]:m[3]]), string(bytes.TrimSpace(src[m[1]:end])), m[1]})
		}
	}
	if len(all) > 0 {
		return all
	}
	from := 0
	if m := ofInsta.FindIndex(src); m != nil {
		from = m[1]
	}
	return []kept{{text: string(src[from:]), at: from}}
}

// snapshots finds files of snapshots of which entries read otherwise. One that is new or gone says nothing: where
// tests are refused that write what they lack, no test passes by that.
func (k *comparison) snapshots(ctx context.Context) error {
	for _, name := range k.Paths {
		if !IsSnapshot(name) {
			continue
		}
		was, is, err := k.sides(ctx, name)
		if err != nil {
			return err
		}
		if len(was) > 0 && len(is) > 0 && bytes.IndexByte(was, 0) < 0 {
			k.snapshot(name, was, is)
		}
	}
	return nil
}

func (k *comparison) snapshot(name string, was, is []byte) {
	before := map[string]kept{}
	for _, e := range entriesOf(was) {
		before[e.key] = e
	}
	var found *Weakening
	n := 0
	for _, now := range entriesOf(is) {
		e, stood := before[now.key]
		if !stood || flat(e.text) == flat(now.text) || now.key == "" && holdsLines(now.text, e.text) {
			continue
		}
		if n++; found == nil {
			from := common(e.text, now.text)
			found = &Weakening{Kind: Weakened, Form: "expectation rewritten", Subject: now.key, Excuse: k.excuseSnapshot(),
				Before: shown(name, was, e.at+from), After: shown(name, is, now.at+from)}
		}
	}
	if found == nil {
		return
	}
	found.Message = fmt.Sprintf("%s expects something else now", path.Base(name))
	if found.Subject == "" {
		found.Subject = name
	} else {
		found.Message = fmt.Sprintf("%s expects something else now of %s", path.Base(name), found.Subject)
	}
	if n > 1 {
		found.Message += fmt.Sprintf(", and of %d more", n-1)
	}
	k.pending = append(k.pending, pending{Weakening: *found})
}

// excuseSnapshot says why files of snapshots may read otherwise: what makes them, or what a test hands in.
func (k *comparison) excuseSnapshot() string {
	switch {
	case k.anyOther():
		return "more than tests changes with it"
	case slices.ContainsFunc(k.pairs, func(p pair) bool {
		return p.before == nil || p.after == nil || !p.stands && given(p.before) != given(p.after)
	}):
		return "what a test hands in changes with it"
	}
	return ""
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
