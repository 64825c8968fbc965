package dashboard

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/acta-git/acta/ledger"
)

// inLockdown is a repository in which an actor lied today; its policy tells a webhook, which answers with a code, of that.
func inLockdown(t *testing.T, code int) (w *world, told chan ledger.Score) {
	t.Helper()
	told = make(chan ledger.Score, 10)
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var s ledger.Score
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(body, &s)
		}
		if err != nil {
			t.Error(err)
		}
		told <- s
		w.WriteHeader(code)
	}))
	t.Cleanup(hook.Close)
	w = newWorld(t, "shop")
	w.write(".acta.yaml", "score: {notify: {webhook: '"+hook.URL+"'}}\n")
	w.commit("olga", "2026-01-20T08:00", "Policy")
	w.write("pay.py", function("charge(card)", "pass"))
	w.commit("executor-02", "2026-01-26T09:00", "ACT: T01 payment\n\nDone: Add charge() | pay.py:1-2\nActor: executor-02\n")
	w.write("cart.py", function("add(cart, item)", "cart.append(item)"))
	w.commit("executor-01", "2026-01-26T09:30", "ACT: T02 cart\n\nDone: Add add() | cart.py:1-2\nActor: executor-01\n")
	return w, told
}

// A server that notifies tells of who is in lockdown, once, though no page is open.
func TestAServerTellsOfLockdowns(t *testing.T) {
	w, told := inLockdown(t, http.StatusNoContent)
	s := serve(t, nil, w)
	tick := make(chan time.Time)
	go s.alert(t.Context(), tick)
	if got := <-told; got.Actor != "executor-02" || got.Score == nil || *got.Score != -45 || got.Penalty != "lockdown" {
		t.Errorf("told of %+v", got)
	}
	for range 2 { // it hears a tick when it has done what came before
		w.commit("olga", "2026-01-26T10:00", "Something else")
		tick <- time.Time{}
	}
	if len(told) > 0 {
		t.Errorf("told again: %+v", <-told)
	}
}

func TestAnOperatorThatIsAwayIsTriedAgain(t *testing.T) {
	w, told := inLockdown(t, http.StatusTeapot)
	s := serve(t, nil, w)
	for range 2 {
		if err := s.tellOperators(t.Context()); err == nil || len(told) != 1 {
			t.Errorf("told %d times: %v", len(told), err)
		}
		<-told
	}
}
