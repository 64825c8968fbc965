package main

import (
	"strings"
	"testing"
)

func TestChangesForm(t *testing.T) {
	for lines, want := range map[string]bool{
		"-#endif\n+#endif  // RTTI\n":       true,
		"-  a(b);\n+    a( b );\n+// b\n":   true,
		"-a();\n-b();\n+b();\n+a();\n":      true,
		"-  a(b)\n+  a(b),\n":               true,
		"-  a(b);\n+  a(c);\n":              false,
		"-  a(b);\n":                        false,
		"+  a(b);\n":                        false,
		"-  a(\"b\"); // c\n+  a(\"b\");\n": true,
	} {
		diff := "diff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n" + lines + "diff --git a/y.c b/y.c\n--- a/y.c\n+++ b/y.c\n@@ -1 +1 @@\n-f();\n"
		if got := changesForm(diff, "x.c"); got != want {
			t.Errorf("%q: %v", lines, got)
		}
	}
}

// What has no body of its own takes none from what follows.
func TestHeadersWithoutABodyAreLeftOut(t *testing.T) {
	for path, text := range map[string]string{
		"a.kt": "  override fun sink(f: Path) = make(f)\n\n  override fun make(f: Path) {\n    run(f)\n  }\n",
		"b.kt": "  val length = get(sink).let {\n    it.run()\n  }\n",
		"a.ex": "  def sink(true, m),\n    do: m.run()\n\n  def make(c) do\n    run(c)\n  end\n",
	} {
		for _, f := range functionsOf(&source{path: path, bytes: []byte(text)}, []start{{name: "sink", line: 1}}) {
			t.Errorf("%s: %s to line %d", path, strings.TrimSpace(f.header()), f.End)
		}
	}
}
