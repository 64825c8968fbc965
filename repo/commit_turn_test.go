package repo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Commits in turn are read before they are asked for: the objects may be gone by then. One that is not there is yielded
// like the others, and Commit says what is wrong with it.
func TestCommitsInTurnAreReadAhead(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	var ids []ID
	for _, name := range []string{"one", "two", "three"} {
		s.commit(name, name+".txt", name+"\n")
		ids = append(ids, s.id("HEAD"))
	}
	absent := ID(strings.Repeat("1", len(ids[0])))
	ids = append(ids, absent, ids[0])
	r := s.open()
	var turns []int
	for i, id := range r.EachPrefetched(ctx, ids) {
		if turns = append(turns, i); i == 0 {
			objects := filepath.Join(s.dir, ".git", "objects")
			if err := os.Rename(objects, objects+".gone"); err != nil {
				t.Fatal(err)
			}
		}
		if c, err := r.Commit(ctx, string(id)); id != ids[i] || (err == nil) != (id != absent) || err == nil && c.ID != id {
			t.Errorf("%d: %s is %s (%v)", i, id, c.ID, err)
		}
	}
	if len(turns) != len(ids) {
		t.Errorf("%d of %d ids were yielded", len(turns), len(ids))
	}
}
