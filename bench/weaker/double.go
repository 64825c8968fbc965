package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"

	"github.com/acta-git/acta/evidence"
)

// entryText is where the text of an entry of a snapshot begins: of Jest and Vitest, of syrupy, of insta.
var entryText = []rewrite{
	{regexp.MustCompile("(?s)(\\] = `\\s*[^`]*?)([a-z]{3})([a-z]*)"), "${1}x$3"},
	{regexp.MustCompile(`(?s)(\n# name: [^\n]*\n.*?)([a-z]{3})([a-z]*)`), "${1}x$3"},
	{regexp.MustCompile(`(?s)^(---\n.*?\n---\n.*?)([a-z]{3})([a-z]*)`), "${1}x$3"},
}

// snapshotMutants are a snapshot that reads otherwise.
func snapshotMutants(name string, src []byte) []mutant {
	after, ok := apply(entryText, string(src))
	if !ok {
		return nil
	}
	return []mutant{{form: "7 snapshot", path: name, before: src, after: []byte(after), line: 1}}
}

// importedDouble puts a double in the place of a function that a test imports and its first assertion calls, in the
// languages whose doubles are of modules.
func (d *dialect) importedDouble(
	src []byte, def evidence.OutlineDefinition, assertion string,
) (after []byte, ok bool) {
	for _, m := range calledName.FindAllStringSubmatch(assertion, -1) {
		switch d.name {
		case "python":
			from := regexp.MustCompile(`(?m)^from ([\w.]+) import (?:[^#\n]*\W)?` + m[1] + `\b`).FindSubmatch(src)
			if from == nil || from[1][0] == '.' {
				continue
			}
			at := bytes.LastIndexByte(src[:def.Outer], '\n') + 1
			put := fmt.Sprintf("%s@patch(\"%s.%s\", return_value=1)\n", src[at:def.Outer], from[1], m[1])
			return slices.Concat(src[:at], []byte(put), src[at:]), true
		case "javascript", "typescript":
			from := regexp.MustCompile(`(?m)^import [^'"\n]*\b` + m[1] + `\b[^'"\n]* from ['"](\.[^'"]+)['"]|` +
				`^(?:const|var|let) [^=\n]*\b` + m[1] + `\b[^=\n]*= require\(['"](\.[^'"]+)['"]\)`).FindSubmatch(src)
			if from == nil {
				continue
			}
			end := bytes.IndexByte(src[bytes.Index(src, from[0]):], '\n') + bytes.Index(src, from[0]) + 1
			put := fmt.Sprintf("vi.mock('%s')\n", append(from[1], from[2]...))
			return slices.Concat(src[:end], []byte(put), src[end:]), true
		}
	}
	return nil, false
}

// calledName are the functions that an assertion calls by their names alone.
var calledName = regexp.MustCompile(`(?:^|[^.\w])([A-Za-z_]\w*)\(`)
