package score

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A replay that begins anywhere, from sums and a checkpoint, says what the whole replay says.
func TestResumeIsTheReplayFromThere(t *testing.T) {
	resumed := 0
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(9, seed))
		entries := Entries(randomEvents(random))
		for i := range entries { // so that targets rise, and gaps are wider than a window
			entries[i].Points *= 20
			entries[i].Day *= Day(1 + i%2)
		}
		sums := SumByDay(entries, "")
		points := Checkpoints(sums, Beginning(-3))
		if len(points) != len(sums) {
			t.Fatalf("seed %d: %d checkpoints of %d days", seed, len(points), len(sums))
		}
		for i, at := range points {
			part := map[Day]Sum{}
			for day, s := range sums {
				if day > at.Day-Window {
					part[day] = s
				}
			}
			from := at.Day + Day(random.IntN(12))
			want := standings(entries, "", from, from+9)
			if got := Resume(part, at, from, from+9); !slices.Equal(got, want) {
				t.Fatalf("seed %d: from %+v on\n%+v\nis not\n%+v", seed, at, got, want)
			}
			if got := Checkpoints(part, at); !slices.Equal(got, points[i:]) {
				t.Fatalf("seed %d: from %+v on %+v is not %+v", seed, at, got, points[i:])
			}
			resumed++
		}
	}
	if resumed < 1000 {
		t.Errorf("%d replays; the test asks too little", resumed)
	}
}
