package postgres

import (
	"sync"

	"github.com/acta-git/acta/ledger"
)

// maxTogether bounds what is kept in one transaction, in verdicts; a report alone may have more.
const maxTogether = 2000

// waiting is a report that waits to be kept; received and err are known when done is closed.
type waiting struct {
	report   *ledger.Report
	received ledger.Received
	err      error
	done     chan struct{}
}

// queue holds the reports that wait.
type queue struct {
	mu      sync.Mutex
	reports []*waiting
	busy    bool
}

// add adds a report, and reports whether nobody works on the queue.
func (q *queue) add(w *waiting) (idle bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.reports = append(q.reports, w)
	idle, q.busy = !q.busy, true
	return idle
}

// work keeps what waits, as much together as may be, until nothing waits any more.
func (q *queue) work(keep func([]*waiting)) {
	for all := q.next(); len(all) > 0; all = q.next() {
		keep(all)
	}
}

// next takes the oldest reports of the queue, none where the work ends.
func (q *queue) next() []*waiting {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, verdicts := 0, 0
	for n < len(q.reports) && (n == 0 || verdicts+len(q.reports[n].report.Verdicts) <= maxTogether) {
		verdicts += len(q.reports[n].report.Verdicts)
		n++
	}
	all := q.reports[:n:n]
	q.reports, q.busy = q.reports[n:], n > 0
	return all
}
