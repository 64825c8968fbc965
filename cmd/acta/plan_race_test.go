package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/acta-git/acta/plan"
)

// Processes that change the plan at once lose nothing, whether they commit or not.
func TestProcessesThatPlanAtOnceLoseNothing(t *testing.T) {
	for _, commit := range []string{"", " --commit"} {
		t.Run("add"+commit, func(t *testing.T) {
			g := newGuardRepo(t)
			tip := g.git("rev-parse", "HEAD")
			const racers = 8
			start := make(chan struct{})
			var all sync.WaitGroup
			for i := range racers {
				all.Go(func() {
					<-start
					line := fmt.Sprintf("acta plan add S04 --id R%d --description Racer --actor executor-%d%s", i, i, commit)
					if _, complaint, code := g.sh(line); code != 0 {
						t.Errorf("%s: exit code %d, %s", line, code, complaint)
					}
				})
			}
			close(start)
			all.Wait()
			data, err := os.ReadFile(g.file)
			if err != nil {
				t.Fatal(err)
			}
			root, err := plan.Read(data)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(root.Find("S04").Children); n != racers {
				t.Errorf("%d of %d tasks are planned", n, racers)
			}
			events, _, _ := g.sh("acta audit --log event")
			if n := strings.Count(events, " plan add: "); n != racers {
				t.Errorf("%d events:\n%s", n, events)
			}
			want := 0
			if commit != "" {
				want = racers
			}
			if n := strings.Count(g.git("log", "--format=%s", tip+".."), "ADAPT: M01/S04 plans R"); n != want {
				t.Errorf("%d commits", n)
			}
			if said, _, code := g.sh("acta audit verify"); code != 0 {
				t.Error(said)
			}
		})
	}
}
