package evidence

import (
	"regexp"
	"strings"
	"testing"

	"github.com/acta-git/acta/report"
)

// TestWhatStandsBesideAnErrorIsNeitherSomethingNorNothing: files in syntax that their grammar does not know, with
// functions after it whose first and last lines bear «stub» or «real». However the rest of the file is misread, a stub
// is not verified and real code is not refused.
func TestWhatStandsBesideAnErrorIsNeitherSomethingNorNothing(t *testing.T) {
	for _, c := range []struct{ path, open, stub, real, close string }{
		{"a.php", "<?php\nclass A\n{\n    public string $full {\n        get => $this->a . ' ' . $this->b;\n    }\n",
			"    public function %(int $n): int\n    {\n        return 0; // TODO\n    }\n\n    public function none%(): void\n    {\n    }\n" +
				"    public function drop%(): string\n    {\n        throw new \\LogicException('Not implemented');\n    }\n",
			"    public function %(int $n): string\n    {\n        return $this->full . 'x' . $n;\n    }\n", "}\n"},
		{"b.php", "<?php\nclass A\n{\n    public string $full { get => \"{$this->a} {$this->b}\"; }\n",
			"    public function %(): void\n    {\n        // TODO\n    }\n", "    public function %(): string\n    {\n        return \"{$this->full}!\";\n    }\n", "}\n"},
		{"a.kt", "class A(private val b: Store) {\n    val c = object : Store by b {\n        override fun size(): Int = 1\n    }\n",
			"    fun %(n: Int): Int {\n        return 0 // TODO\n    }\n\n    fun none%() { }\n    fun todo%() {\n        // TODO\n    }\n",
			"    fun %(n: Int): Int {\n        return n * 2\n    }\n", "}\n"},
		{"b.kt", "class A {\n    val x: Int get() = 1 with { \"a\" }\n", "    fun %(n: Int): Int {\n        TODO(\"later\")\n    }\n",
			"    fun %(n: Int): Int {\n        return n * 2\n    }\n", "}\n"},
		{"a.cs", "class A\n{\n    bool P(object o) => o is [var a, .. { Length: > 1 } rest, \"x\"];\n",
			"    int %(int n)\n    {\n        return 0; // TODO\n    }\n\n    void None%() { }\n", "    int %(int n)\n    {\n        return n * 2;\n    }\n", "}\n"},
		{"b.cs", "class A\n{\n    int Set() { a?.b?[0]?.c = \"x\"; a?.n += 2; return a!.b!.Length; }\n",
			"    int %(int n)\n    {\n        return 0; // TODO\n    }\n    void None%() { }\n", "    int %(int n)\n    {\n        return n * 2;\n    }\n", "}\n"},
		{"c.cs", "class A\n{\n    string S(int o) => $$\"\"\"\n        {\"a\": {{o}}, \"b\": '}\n        \"\"\" ?? #\"it's\"#;\n",
			"    int %(int n) { throw new NotImplementedException(); }\n    void None%() { }\n", "    int %(int n)\n    {\n        return n * 2;\n    }\n", "}\n"},
		{"a.java", "class A {\n    int p { get -> x + \"a\"; set(v) -> { x = v; } }\n", "    int %(int n) {\n        return 0; // TODO\n    }\n    void none%() { }\n",
			"    int %(int n) {\n        return n * 2;\n    }\n", "}\n"},
		{"a.js", "class A {\n  pipe = x |> %\"a\" |> await it's\n",
			"  %(n) {\n    throw new Error('not implemented');\n  }\n  none%() { }\n", "  %(n) {\n    return n * 2 + 'x';\n  }\n", "}\n"},
		{"a.ts", "class A {\n  readonly sealed p: #{ a: string } with 'x';\n", "  %(n: number): number {\n    return 0; // TODO\n  }\n  none%(): void { }\n",
			"  %(n: number): string {\n    return n * 2 + 'x';\n  }\n", "}\n"},
		{"a.swift", "struct A {\n    let p: borrow[\"a\"] = ~>b'\n", "    func %(n: Int) -> Int {\n        fatalError(\"not implemented\")\n    }\n    func none%() { }\n",
			"    func %(n: Int) -> Int {\n        return n * 2\n    }\n", "}\n"},
		{"a.rs", "impl A {\n    gen fn p() yields &'a str { \"a\" }\n    fn q() -> f\"{x}'\" \n", "    fn %(n: i32) -> i32 {\n        todo!()\n    }\n    fn none%() { }\n",
			"    fn %(n: i32) -> i32 {\n        n * 2\n    }\n", "}\n"},
		{"a.go", "package a\n\nvar p = match x { case \"a\" => 'b }\n", "func %(n int) int {\n\tpanic(\"not implemented\")\n}\n\nfunc none%() { }\n",
			"func %(n int) int {\n\treturn n * 2\n}\n", ""},
		{"a.py", "class A:\n    let p = \"a\" ?? 'it\n", "    def %(self, n):\n        raise NotImplementedError\n\n    def none%(self):\n        pass\n",
			"    def %(self, n):\n        return n * 2\n", ""},
		{"a.rb", "class A\n  p = ~\"a\" |> 'it\n", "  def %(n)\n    raise NotImplementedError\n  end\n\n  def none%\n  end\n", "  def %(n)\n    n * 2\n  end\n", "end\n"},
		{"a.scala", "object A {\n  def view = <div class=\"x\">it's { 1 }</div>\n", "  def %(n: Int): Int = {\n    ???\n  }\n  def none%(): Unit = {}\n",
			"  def %(n: Int): Int = {\n    n * 2\n  }\n", "}\n"},
		{"a.cpp", "struct A {\n  auto p = ^^[\"a\"] match { 'it };\n", "  int %(int n) {\n    return 0; // TODO\n  }\n  void none%() { }\n",
			"  int %(int n) {\n    return n * 2;\n  }\n", "};\n"},
	} {
		src := c.open
		for _, n := range strings.Fields("stub1 real1 stub2 stub3 real2") {
			body := c.real
			if strings.HasPrefix(n, "stub") {
				body = c.stub
			}
			src += "\n" + strings.ReplaceAll(body, "%", n)
		}
		src += c.close
		j := &Judge{Tree: memory{c.path: file(src)}.tree(), Cache: NewCache()}
		lines := strings.Split(src, "\n")
		for i, line := range lines {
			name := named.FindString(line)
			if name == "" {
				continue
			}
			last := i // up to the line that is indented as the first is, and opens nothing
			indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
			ends := regexp.MustCompile(`^` + indent + `(\}|end)$`)
			for k := i; k < len(lines) && !strings.HasSuffix(lines[i], "}"); k++ {
				if last = k; ends.MatchString(lines[k]) {
					break
				}
				if c.path == "a.py" && lines[k] == "" {
					last = k - 1
					break
				}
			}
			e := cite(t, c.path)
			e.Start, e.End = i+1, last+1
			r, err := j.Evidence(t.Context(), Claim{Evidence: e, Kind: KindCode})
			if err != nil {
				t.Fatal(err)
			}
			isStub := strings.Contains(name, "stub")
			if isStub && r.Verdict == report.Verified || !isStub && r.Verdict == report.NotVerified {
				t.Errorf("%s %s is %s (%s):\n%s", c.path, name, r.Verdict, r.Reason, strings.Join(lines[i:last+1], "\n"))
			}
		}
		functions, err := Functions(t.Context(), Source{Path: c.path, Bytes: []byte(src)})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range functions {
			if s.Reason != "" && strings.Contains(s.Symbol, "real") {
				t.Errorf("%s: %s is no stub", c.path, s.Symbol)
			}
		}
	}
}

var named = regexp.MustCompile(`\b(none|None|drop|todo)?(stub|real)\d\b`)
