package evidence

import (
	"testing"

	"github.com/acta-git/acta/parser"
)

// A method that does nothing is no stub for certain where a class derived from its own does the work in a file
// elsewhere. That another class has a method of its name, or that an interface asks for it, excuses nothing.
func TestWhatDerivedClassesDoMayBeEmpty(t *testing.T) {
	m := memory{
		"src/command.php": file("<?php\nclass Command\n{\n    protected function configure()\n    {\n    }\n" +
			"    protected function sweep()\n    {\n    }\n}\n"),
		"src/list.php":  file("<?php\nclass ListCommand extends Command\n{\n    protected function configure()\n    {\n        $this->name('list');\n    }\n}\n"),
		"src/other.php": file("<?php\nclass Sweeper\n{\n    function sweep()\n    {\n        $this->broom();\n    }\n}\n"),
		"lib/tag.py":    file("class Tag:\n    def check(self, value):\n        raise NotImplementedError\n"),
		"lib/tags.py":   file("from tag import Tag\n\n\nclass Date(Tag):\n    def check(self, value):\n        return value.year > 0\n"),
		"lib/null.ts":   file("import { Sink } from './sink'\nexport class NoSink implements Sink {\n  write(line: string) {\n  }\n}\n"),
		"lib/sink.ts":   file("export interface Sink {\n  write(line: string): void\n}\n"),
	}
	for _, c := range []struct {
		path       string
		start, end int
		want       string
	}{
		{"src/command.php", 4, 6, "unclear evidence_unclear"},
		{"src/command.php", 7, 9, "not_verified contradiction checklist_evidence_empty_impl"},
		{"lib/tag.py", 2, 3, "unclear evidence_unclear"},
		{"lib/null.ts", 3, 4, "not_verified contradiction checklist_evidence_empty_impl"},
	} {
		got := judged(t, m, nil, Claim{Evidence: parser.Evidence{Path: c.path, Start: c.start, End: c.end}})
		if got := describe(got); got != c.want {
			t.Errorf("%s:%d: %s, want %s", c.path, c.start, got, c.want)
		}
	}
}
