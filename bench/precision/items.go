package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// subjectItem is the class of items that are the subjects of real commits.
const subjectItem = "subject"

// maxPlaces is how many places an item cites here.
const maxPlaces = 30

// subjectAct claims the commit's own subject for all that it changed: functions whole, and hunks of code; else other hunks,
// what is gone, and paths that have no lines.
func (c *change) subjectAct(functions [][]*function) []*act {
	var places []string
	for i := range c.sources {
		places = append(places, c.sources[i].places(functions[i])...)
	}
	if len(places) == 0 {
		for _, path := range slices.Sorted(maps.Keys(c.others)) {
			places = append(places, c.others[path]...)
		}
	}
	if len(places) == 0 || c.subject == "" || strings.Contains(c.subject, "|") {
		return nil
	}
	language := "none"
	if len(c.sources) > 0 {
		language = dialectOf(c.sources[0].path).name
	}
	return []*act{{change: c, claims: []*claim{{class: subjectItem, language: language, item: c.subject,
		place: strings.Join(places[:min(len(places), maxPlaces)], ", "), text: c.subject}}}}
}

// places are the functions that a change touches, and the hunks outside of them.
func (s *source) places(functions []*function) (out []string) {
	lines := strings.Split(string(s.bytes), "\n")
	kinds := dialectOf(s.path).kinds(lines)
	for _, h := range s.hunks {
		from, to := h[0], min(h[1], h[0]+maxSpan, len(lines))
		if from > to || !slices.Contains(kinds[from-1:to], codeLine) {
			continue
		}
		for _, f := range functions {
			if f.Start <= h[0] && h[1] <= f.End && f.End-f.Start < maxSpan {
				from, to = f.Start, f.End
			}
		}
		if place := fmt.Sprintf("%s:%d-%d", s.path, from, to); !slices.Contains(out, place) {
			out = append(out, place)
		}
	}
	return out
}

// notRead says of what a commit changes and bench reads no code of, how it is cited.
func notRead(repository, parent, id string, hunks map[string][][2]int) (map[string][]string, error) {
	list, err := git(repository, "diff", "--numstat", "--no-renames", "-z", parent, id)
	if err != nil {
		return nil, err
	}
	gone, err := git(repository, "diff", "--name-only", "--no-renames", "--diff-filter=D", "-z", parent, id)
	if err != nil {
		return nil, err
	}
	deleted := strings.Split(gone, "\x00")
	out := map[string][]string{}
	for line := range strings.SplitSeq(strings.TrimSuffix(list, "\x00"), "\x00") {
		fields := strings.SplitN(line, "\t", 3)
		if len(fields) < 3 || !plain.MatchString(fields[2]) {
			continue
		}
		path := fields[2]
		switch added, _ := strconv.Atoi(fields[0]); {
		case slices.Contains(deleted, path):
			out[path] = []string{"-" + path}
		case len(hunks[path]) > 0:
			for _, h := range hunks[path] {
				out[path] = append(out[path], fmt.Sprintf("%s:%d-%d", path, h[0], min(h[1], h[0]+maxSpan)))
			}
		case added == 0 && fields[1] != "0" && fields[1] != "-":
			continue // lines of it are gone
		default:
			out[path] = []string{path}
		}
	}
	return out, nil
}

// printItems writes by repository how many subjects are not verified.
func (t *tables) printItems(w io.Writer) {
	fmt.Fprintf(w, "Over these, with their newest commits: %s.\n", strings.Join(t.corpora, ", "))
	t.table(w, "Subjects of commits as items", "repository", classes(subjectItem), func(c judged) string { return c.corpus })
}
