package plan

import (
	"errors"
	"fmt"
	"testing"
)

func TestCacheReadsAPlanOnceAndForgetsTheOldest(t *testing.T) {
	var c Cache
	loads := map[string]int{}
	read := func(name string) *Index {
		t.Helper()
		x, err := c.Read(name, func() ([]byte, error) {
			loads[name]++
			return []byte(`{"id": "ROOT-` + name + `"}`), nil
		})
		if err != nil || x.Nodes[0].ID != "ROOT-"+name {
			t.Fatalf("plan %s: %v, %v", name, x, err)
		}
		return x
	}
	if first, second := read("a"), read("a"); first != second || loads["a"] != 1 {
		t.Errorf("the plan was read %d times, want once", loads["a"])
	}
	for i := range maxCached {
		read(fmt.Sprint(i))
	}
	if len(c.plans) > maxCached {
		t.Errorf("%d plans are kept, want %d at most", len(c.plans), maxCached)
	}
	if read("a"); loads["a"] != 2 {
		t.Errorf("an old plan was read %d times, want twice", loads["a"])
	}
}

func TestCacheTellsReadFromParse(t *testing.T) {
	var c Cache
	load := func() ([]byte, error) { return []byte(`{"id": "ROOT", "status": "asleep"}`), nil }
	var bad Errors
	if _, err := c.Read("a", load); !errors.As(err, &bad) {
		t.Errorf("Read: %v, want an Errors", err)
	}
	if x, err := c.Parse("a", load); err != nil || x.Nodes[0].ID != "ROOT" {
		t.Errorf("Parse: %v, %v", x, err)
	}
	broken := errors.New("the disk is gone")
	if _, err := c.Parse("b", func() ([]byte, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("Parse: %v, want %v", err, broken)
	}
}
