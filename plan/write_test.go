package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/acta-git/acta/report"
)

const unknown = `{
  "version": 3,
  "id": "R",
  "owner": {
    "name": "a, b: c",
    "big": 12345678901234567890
  },
  "type": "parent",
  "children": [
    {
      "type": "atomic",
      "id": "T01",
      "note": "é <b> \" kept",
      "checklist": [
        {"since": 1, "item": "Add x", "tags": ["a", "b: c"]},
        {"kind": "test", "item": "Test x", "required": false}
      ],
      "status": "in_progress",
      "last": null
    }
  ]
}
`

func TestWriteKeepsWhatItDoesNotKnowInItsPlace(t *testing.T) {
	root, err := Read([]byte(unknown))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(Write(root)); got != unknown {
		t.Errorf("got\n%s", got)
	}
}

func TestAChangeOfOneUnitIsASmallDiff(t *testing.T) {
	root, err := Read([]byte(unknown))
	if err != nil {
		t.Fatal(err)
	}
	u := root.Find("T01")
	u.Status, u.FailureThreshold, u.DependsOn = Complete, 0.25, []string{"a", "b"}
	got := string(Write(root))
	if lines(got) != lines(unknown)+2 || !strings.Contains(got, "\n      \"status\": \"complete\",\n      \"failure_threshold\": 0.25,\n      \"depends_on\": [\"a\", \"b\"],\n") {
		t.Errorf("got\n%s", got)
	}
}

func lines(s string) int { return strings.Count(s, "\n") }

func TestActiveIsKeptWhileItIsMeant(t *testing.T) {
	text := strings.Replace(in(`{"id": "M", "status": "active", "children": [{"id": "T"}]}`), "\n", "", -1)
	root, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(Write(root)); !strings.Contains(got, `"active"`) {
		t.Errorf("got %s", got)
	}
	root.Find("M").Status = Complete
	if got := string(Write(root)); !strings.Contains(got, `"status": "complete"`) {
		t.Errorf("got %s", got)
	}
}

// random makes trees; ids are unique by a counter.
type random struct {
	*rand.Rand
	n int
}

var texts = []string{"", "a", "Add `x` to y", "«ß» \u2028 \u0001 \\ \"q\" </script>", "two\nlines", "日本"}

func (r *random) text() string { return texts[r.IntN(len(texts))] }

func (r *random) unit(depth int) *Unit {
	r.n++
	u := &Unit{ID: fmt.Sprintf("U%d", r.n), Description: r.text(), Status: []string{Pending, InProgress, Complete}[r.IntN(3)]}
	u.FailureThreshold = float64(r.IntN(5)) * 0.25
	for i := range r.IntN(3) {
		u.Checklist = append(u.Checklist, Item{Text: fmt.Sprint("item ", i, r.text()), IsOptional: r.IntN(2) == 0, Kind: kinds[r.IntN(len(kinds))]})
	}
	for i := range r.IntN(2) {
		u.Assessments = append(u.Assessments, Record{Other: fmt.Sprint("S", i), Note: r.text(), At: "2026-01-02T03:04:05Z"})
		u.Replans = append(u.Replans, Record{Other: fmt.Sprint("B", i), Note: r.text()})
	}
	for range r.IntN(4 - depth) {
		u.Children = append(u.Children, r.unit(depth+1))
	}
	u.Type = []string{"", Parent, Atomic}[r.IntN(3)]
	if len(u.Children) > 0 && u.Type == Atomic {
		u.Type = Parent
	}
	return u
}

// file is a tree as others may write it: keys in any order, some absent, some unknown, in one line.
func (r *random) file(u *Unit) string {
	var fields []string
	for _, i := range r.Perm(len(keys)) {
		w := &writer{}
		if i == atChildren {
			var all []string
			for _, c := range u.Children {
				all = append(all, r.file(c))
			}
			fields = append(fields, `"children": [`+strings.Join(all, ",")+"]")
			continue
		}
		if !u.mustWrite(i) && r.IntN(2) == 0 {
			continue
		}
		w.field(u, i, 3)
		fields = append(fields, quote(keys[i])+":"+w.String())
		if r.IntN(4) == 0 {
			fields = append(fields, fmt.Sprintf(`"x%d": {"b":[1, 2.50,{}],"a":%s}`, i, quote(r.text())))
		}
	}
	return "{" + strings.Join(fields, " ,\n\t") + "}"
}

// plain forgets what is no part of what a tree says.
func plain(u *Unit) *Unit {
	c := u.Clone()
	for _, n := range NewIndex(c).Nodes {
		n.Pos, n.offsets = report.Pos{}, offsets{}
		for i := range n.Checklist {
			n.Checklist[i].offset = 0
		}
	}
	return c
}

func TestReadWriteReadIsTheIdentity(t *testing.T) {
	r := &random{Rand: rand.New(rand.NewPCG(1, 2))}
	for i := range 500 {
		made := r.unit(0)
		first, err := Read([]byte(r.file(made)))
		if err != nil {
			t.Fatalf("%d: %v\n%s", i, err, r.file(made))
		}
		if moves := Diff(made, first); len(moves) > 0 && !strings.Contains(fmt.Sprint(moves), "other fields") {
			t.Fatalf("%d: what was made reads as %v", i, moves)
		}
		written := Write(first)
		second, err := Read(written)
		if err != nil {
			t.Fatalf("%d: %v\n%s", i, err, written)
		}
		if !reflect.DeepEqual(plain(first), plain(second)) {
			t.Fatalf("%d: another tree\n%s\n%s", i, written, Write(second))
		}
		if again := Write(second); !bytes.Equal(written, again) {
			t.Fatalf("%d: another file\n%s\n%s", i, written, again)
		}
		if packed, err := json.Marshal(second); err != nil || !json.Valid(packed) {
			t.Fatalf("%d: %v", i, err)
		}
	}
}
