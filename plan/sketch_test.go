package plan

import (
	"strconv"
	"strings"
	"testing"
)

// sketch draws a tree: a unit a line, two spaces deeper than its parent, below a root R
// in progress (unless the first line is R itself). After the id come, in any order: p, i or c
// for the status, a number for the threshold, + for a parent, <ID for a dependency, [a; b?] for items (? is optional), "…" for the description.
func sketch(t testing.TB, text string) *Unit {
	t.Helper()
	root := &Unit{ID: "R", Type: Parent, Status: InProgress}
	path := []*Unit{root}
	for line := range strings.Lines(text) {
		fields := strings.TrimSpace(line)
		if fields == "" {
			continue
		}
		depth := (len(line)-len(strings.TrimLeft(line, " ")))/2 + 1
		u := drawn(t, fields)
		if u.ID == "R" {
			u.Type = Parent
			root, path = u, []*Unit{u}
			continue
		}
		above := path[depth-1]
		above.Type = Parent
		above.Children = append(above.Children, u)
		path = append(path[:depth], u)
	}
	if found := problems(root); found != nil {
		t.Fatalf("%v in\n%s", found, text)
	}
	return root
}

func drawn(t testing.TB, line string) *Unit {
	t.Helper()
	u := &Unit{Type: Atomic, Status: Pending}
	if head, items, ok := strings.Cut(line, " ["); ok {
		line = head
		for item := range strings.SplitSeq(strings.TrimSuffix(items, "]"), "; ") {
			u.Checklist = append(u.Checklist, Item{Text: strings.TrimSuffix(item, "?"), IsOptional: strings.HasSuffix(item, "?")})
		}
	}
	if head, words, ok := strings.Cut(line, ` "`); ok {
		line, u.Description = head, strings.TrimSuffix(words, `"`)
	}
	for i, f := range strings.Fields(line) {
		switch {
		case i == 0:
			u.ID = f
		case strings.Contains("pic", f):
			u.Status = map[string]string{"p": Pending, "i": InProgress, "c": Complete}[f]
		case f == "+":
			u.Type = Parent
		case f[0] == '<':
			u.DependsOn = append(u.DependsOn, f[1:])
		default:
			n, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatalf("%q in %q", f, line)
			}
			u.FailureThreshold = n
		}
	}
	return u
}
