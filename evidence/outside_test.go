package evidence

import (
	"strings"
	"testing"
)

// TestWhatAnItemSendsIsSent: an item that says that something leaves the program needs code that calls something
// outside of it.
func TestWhatAnItemSendsIsSent(t *testing.T) {
	const inside = `package a

func (p *PostgresOrders) Save(ctx context.Context, o Order) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.orders[o.ID] = o
	return nil
}
`
	outside := strings.Replace(inside, "p.orders[o.ID] = o", `_, err := p.db.ExecContext(ctx, "INSERT", o.ID)`, 1)
	for _, c := range []struct{ item, src, want string }{
		{"orders are persisted in PostgreSQL", inside, "unclear evidence_unclear"},
		{"Send the orders to the warehouse", inside, "unclear evidence_unclear"},
		{"orders are kept by their id", inside, "verified"},
		{"uploads are limited to 5 MB", inside, "verified"},
		{"orders are persisted in PostgreSQL", outside, "verified"},
		{"orders are stored in Redis", strings.Replace(inside, "p.orders[o.ID] = o", "p.redis.Set(o.ID, o)", 1), "verified"},
		{"messages are kept in the room", inside, "verified"},
	} {
		j := &Judge{Tree: memory{"a.go": file(c.src)}.tree(), Cache: NewCache()}
		r, err := j.Evidence(t.Context(), Claim{Item: c.item, Evidence: cite(t, "a.go:3-8"), Kind: KindCode})
		if err != nil {
			t.Fatal(err)
		}
		if got := describe(r); got != c.want {
			t.Errorf("%s: %s (%s), want %s", c.item, got, r.Reason, c.want)
		}
	}
}
