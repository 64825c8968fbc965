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
		{"T3 Send the orders to the warehouse", inside, "unclear evidence_unclear"},
		{"PAY-12: Send the orders to the warehouse", inside, "unclear evidence_unclear"},
		{"2. feat(mail): send the orders to the warehouse", inside, "unclear evidence_unclear"},
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

// TestMemoryIsInside: elements of a dictionary, and a log without arguments, are no places outside of the program.
func TestMemoryIsInside(t *testing.T) {
	for name, src := range map[string]string{
		"a.swift": "class Tokens {\n    private var kept: [String: String] = [:]\n    func save(_ token: String, for id: String) -> Bool {\n" +
			"        kept[id] = token\n        return true\n    }\n}\n",
		"a.py": "class Tokens:\n    def __init__(self):\n        self.all = {}\n    def drop(self, id):\n" +
			"        self.all.pop(id, None)\n",
		"a.rb": "class Tokens\n  def send_code(phone, code)\n    text = \"code #{code}\"\n" +
			"    Rails.logger.info(text)\n    { to: phone }\n  end\nend\n",
	} {
		expectAll(t, "Send the tokens to Redis", name, src, "unclear evidence_unclear")
	}
}
