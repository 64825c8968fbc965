package serve

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/record/ledger"
)

// inLockdown is a repository in which an actor lied today; its policy tells of that by a program, which fails as long as
// there is a file fail. Each score that was told since the last call is returned by told.
func inLockdown(t *testing.T) (w *world, told func() []ledger.Score) {
	t.Helper()
	w = newWorld(t, "shop")
	w.write(".acta.yaml", "score: {notify: {run: [sh, -c, 'cat >>told; test ! -e fail']}}\n")
	w.commit("olga", "2026-01-20T08:00", "Policy")
	w.write("pay.py", function("charge(card)", "pass"))
	w.commit("executor-02", "2026-01-26T09:00", "ACT: T01 payment\n\nDone: Add charge() | pay.py:1-2\nActor: executor-02\n")
	w.write("cart.py", function("add(cart, item)", "cart.append(item)"))
	w.commit("executor-01", "2026-01-26T09:30", "ACT: T02 cart\n\nDone: Add add() | cart.py:1-2\nActor: executor-01\n")
	return w, func() (all []ledger.Score) {
		file := filepath.Join(w.dir, "told")
		data, _ := os.ReadFile(file) // it is there once something was told
		for line := range strings.Lines(string(data)) {
			var s ledger.Score
			if err := json.Unmarshal([]byte(line), &s); err != nil {
				t.Error(err)
			}
			all = append(all, s)
		}
		_ = os.Remove(file)
		return all
	}
}

// A server that notifies tells of who is in lockdown, once, though no page is open.
func TestAServerTellsOfLockdowns(t *testing.T) {
	w, told := inLockdown(t)
	s := serve(t, nil, w)
	tick := make(chan time.Time)
	go s.watchLockdowns(t.Context(), tick)
	tick <- time.Time{} // it hears a tick when it has done what came before
	if got := told(); len(got) != 1 || got[0].Actor != "executor-02" || *got[0].Score != -45 || got[0].Penalty != "lockdown" {
		t.Errorf("told of %+v", got)
	}
	for range 2 {
		w.commit("olga", "2026-01-26T10:00", "Something else")
		tick <- time.Time{}
	}
	if got := told(); len(got) > 0 {
		t.Errorf("told again: %+v", got)
	}
}

func TestAnOperatorThatIsAwayIsTriedAgain(t *testing.T) {
	w, told := inLockdown(t)
	w.write("fail", "")
	s := serve(t, nil, w)
	for range 2 {
		err := s.notifyOperators(t.Context())
		if got := told(); err == nil || len(got) != 1 {
			t.Errorf("told %+v: %v", got, err)
		}
	}
}
