package evidence

import (
	"fmt"
	"strings"
	"testing"
)

// expectAll judges an item over all lines of a file.
func expectAll(t *testing.T, item, name, src, want string) {
	t.Helper()
	j := &Judge{Tree: memory{name: file(src)}.tree(), Cache: NewCache()}
	lines := fmt.Sprintf("%s:1-%d", name, strings.Count(src, "\n"))
	r, err := j.Evidence(t.Context(), Claim{Item: item, Evidence: cite(t, lines), Kind: KindCode})
	if err != nil {
		t.Fatal(err)
	}
	if got := describe(r); got != want {
		t.Errorf("%s, %s: %s (%s), want %s\n%s", item, name, got, r.Reason, want, src)
	}
}

// TestASwallowedFailureIsNoSuccess: code that answers that it succeeded, whatever fails in it, is unclear, whatever the
// item says.
func TestASwallowedFailureIsNoSuccess(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"a.py", "def save(db, row):\n    try:\n        db.insert(row)\n    except Exception:\n        pass\n    return True\n",
			"unclear evidence_unclear"},
		{"a.py", "def save(db, row):\n    try:\n        db.insert(row)\n    except Exception:\n        return False\n    return True\n",
			"verified"},
		{"a.py", "def save(db, row):\n    while True:\n        try:\n            db.insert(row)\n            return True\n" +
			"        except Locked:\n            pass\n", "verified"},
		{"b.py", "def check(path, want):\n    f = open(path)\n    try:\n        if digest(f) != want:\n" +
			"            raise Mismatch(path)\n    finally:\n        f.close()\n        return True\n", "unclear evidence_unclear"},
		{"a.go", "package a\n\nfunc (s *S) Send(m M) error {\n\tif err := s.client.Send(m); err != nil {\n" +
			"\t\tlog.Printf(\"send: %v\", err)\n\t}\n\treturn nil\n}\n", "unclear evidence_unclear"},
		{"a.go", "package a\n\nfunc (s *S) Send(m M) error {\n\t_ = s.client.Send(m)\n\treturn nil\n}\n",
			"unclear evidence_unclear"},
		{"a.go", "package a\n\nfunc (s *S) Next(m M) *M {\n\tif err := s.client.Send(m); err != nil {\n\t\treturn nil\n\t}\n" +
			"\ts.count++\n\treturn nil\n}\n", "verified"},
		{"a.rs", "pub async fn push(client: &Client, url: &str) -> bool {\n    let _ = client.post(url).send().await;\n    true\n}\n",
			"unclear evidence_unclear"},
		{"a.rs", "pub fn save(path: &str, data: &[u8]) -> Result<(), Error> {\n    let _ = fs::remove_file(path);\n" +
			"    fs::write(path, data)?;\n    Ok(())\n}\n", "verified"},
		{"a.swift", "func store(_ data: Data, to url: URL) -> Bool {\n    do {\n        try data.write(to: url)\n" +
			"    } catch {\n    }\n    return true\n}\n", "unclear evidence_unclear"},
		{"a.cs", "class A\n{\n    public CaptureResult Capture(Guid id)\n    {\n        try\n        {\n" +
			"            _psp.Capture(id);\n            throw new NotSupportedException(\"capture\");\n        }\n" +
			"        catch (Exception)\n        {\n            _logger.LogInformation(\"captured\");\n        }\n" +
			"        return new CaptureResult(true, id);\n    }\n}\n", "unclear evidence_unclear"},
		// What can fail beside it, or is to be done again, or is expected, swallows nothing.
		{"c.py", "def save(db, cache, row):\n    db.insert(row)\n    try:\n        cache.delete(row.id)\n    except Exception:\n" +
			"        log.warning(\"cache\")\n    return True\n", "verified"},
		{"c.go", "package a\n\nfunc (s *S) Send(m M) error {\n\tfor {\n\t\tif err := s.client.Send(m); err != nil {\n" +
			"\t\t\tcontinue\n\t\t}\n\t\treturn nil\n\t}\n}\n", "verified"},
		{"d.py", "def drop(path):\n    try:\n        os.remove(path)\n    except FileNotFoundError:\n        pass\n    return True\n",
			"verified"},
		{"c.ts", "async function send(m: M) {\n  try { await post(m); } catch (e) { const id = await queue.push(m); log(id); }\n" +
			"  return true;\n}\n", "verified"},
		{"d.go", "package a\n\nfunc (s *S) Read(m M) error {\n\traw, err := os.ReadFile(m.path)\n\tif err != nil {\n" +
			"\t\treturn nil\n\t}\n\ts.raw = raw\n\treturn nil\n}\n", "verified"},
	} {
		expectAll(t, "the rows are kept", c.name, c.src, c.want)
	}
}

// TestWhatFollowsFromAFailure: an item that says what follows from a failure needs code that does not swallow it.
func TestWhatFollowsFromAFailure(t *testing.T) {
	const swallows = "class Sync\n  def perform(id)\n    Hub.new(id).contacts.each { |c| upsert(c) }\n  rescue StandardError\n" +
		"    nil\n  end\nend\n"
	passes := strings.Replace(swallows, "    nil\n", "    retry_later(id)\n", 1)
	for _, c := range []struct{ item, src, want string }{
		{"Sync contacts and retry on failure", swallows, "unclear evidence_unclear"},
		{"failed syncs are reported to the caller", swallows, "unclear evidence_unclear"},
		{"Sync contacts, errors of one are ignored", swallows, "verified"},
		{"failed syncs do not abort the run", swallows, "verified"},
		{"Add the error report page", swallows, "verified"},
		{"Sync contacts and retry on failure", passes, "verified"},
	} {
		expectAll(t, c.item, "a.rb", c.src, c.want)
	}
}

// TestAComparisonHasTwoSides: code that compares a value with itself, or a length with less than nothing, or drops what
// a function only returns, is unclear. A test may compare a value with itself.
func TestAComparisonHasTwoSides(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"A.java", "class A {\n    boolean isPast(LocalDate day) {\n        log(day);\n        return day.isBefore(day);\n    }\n}\n",
			"unclear evidence_unclear"},
		{"A.java", "class A {\n    boolean isPast(LocalDate day) {\n        log(day);\n        return day.isBefore(today());\n    }\n}\n",
			"verified"},
		{"tests/A.java", "class A {\n    void reflects(LocalDate day) {\n        add(day);\n        check(day.equals(day));\n    }\n}\n",
			"verified"},
		{"a.rb", "def read(all)\n  raise Empty if all.length() < 0\n  parse(all)\nend\n", "unclear evidence_unclear"},
		{"a.rb", "def read(all)\n  raise Empty if all.length() < 1\n  parse(all)\nend\n", "verified"},
		{"a.rb", "def slug(title)\n  text = fold(title)\n  text.downcase\n  text\nend\n", "unclear evidence_unclear"},
		{"B.java", "class B {\n    void pay(Bill bill) {\n        LocalDate due = bill.day();\n        due.plusDays(30);\n" +
			"        mail(bill, due);\n    }\n}\n", "unclear evidence_unclear"},
		{"b.py", "def clean(text):\n    audit.add(text)\n    text.rstrip()\n    return text\n", "verified"}, // rich.Text changes
		{"a.rb", "def slug(title)\n  text = fold(title)\n  text.downcase!\n  text\nend\n", "verified"},
		{"a.go", "package a\n\nfunc (s *S) Cleanup() error {\n\t_ = s.conn.Close()\n\treturn nil\n}\n", "verified"},
	} {
		expectAll(t, "the days are checked", c.name, c.src, c.want)
	}
}

// TestALocalIsRead: code that computes a value, or fills a collection of its own, which it never reads, is unclear. A
// name in a text, a closure or a parameter may be read; a value that others hold may be, too.
func TestALocalIsRead(t *testing.T) {
	const unread = "unclear evidence_unclear"
	for _, c := range []struct{ name, src, want string }{
		{"a.py", "def pulls(client, repo):\n    url = f\"{client.base}/repos/{repo}/pulls\"\n    client.log(repo)\n" +
			"    return [Pull(118), Pull(117)]\n", unread},
		{"a.py", "def pulls(client, repo):\n    url = f\"{client.base}/repos/{repo}/pulls\"\n    client.log(repo)\n" +
			"    return client.get(url)\n", "verified"},
		{"a.py", "def pulls(client, repo):\n    url = f\"{client.base}/repos/{repo}/pulls\"\n    return client.get(\n" +
			"        url=url,\n    )\n", "verified"},
		{"b.py", "def pulls(client, repo):\n    url = client.url(repo)\n    client.log(repo)\n    return client.all()\n",
			"verified"},
		{"a.ts", "export function ship(order: Order): Order {\n  const copy = { ...order };\n  copy.status = 'shipped';\n" +
			"  log(order);\n  return order;\n}\n", unread},
		{"a.ts", "export function ship(order: Order): Order {\n  const copy = { ...order };\n  copy.status = 'shipped';\n" +
			"  log(order);\n  return copy;\n}\n", "verified"},
		{"b.ts", "export function ship(order: Order): Order {\n  const held = order.state;\n  held.status = 'shipped';\n" +
			"  log(order);\n  return order;\n}\n", "verified"},
		{"a.php", "<?php\nfunction rows(Db $db): array {\n    $all = [];\n    foreach ($db->rows() as $row) {\n" +
			"        $all[] = $row->name;\n    }\n    return $db->names();\n}\n", unread},
		{"a.php", "<?php\nfunction rows(Db $db): View {\n    $all = [];\n    foreach ($db->rows() as $row) {\n" +
			"        $all[] = $row->name;\n    }\n    return view('rows', compact('all'));\n}\n", "verified"},
		{"A.java", "class A {\n    void add(Object all, Row row) {\n        audit(row);\n        List<Row> rows = (List<Row>) all;\n" +
			"        rows.add(row);\n    }\n}\n", "verified"},
		{"c.ts", "export function show(rows: Rows) {\n  const all$ = { ...rows };\n  audit(rows);\n  return all$;\n}\n", "verified"},
		{"a.rb", "def initialize(rows)\n  audit(rows)\n  @all = rows || []\n  super()\nend\n", "verified"},
		{"a.rb", "def total(rows)\n  audit(rows)\n  sum = rows.size * rows.price\nend\n", "verified"},
	} {
		expectAll(t, "the rows are handled", c.name, c.src, c.want)
	}
}
