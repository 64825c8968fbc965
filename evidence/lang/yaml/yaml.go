// Package yaml says whether a file is YAML. The grammar that the tree-sitter binding has for it needs the C++ library,
// which a hook would load each time it starts.
package yaml

import (
	"bytes"
	"errors"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"

	"github.com/acta-git/acta/evidence/lang"
	message "github.com/acta-git/acta/parser"
)

// Rules are what code decides of it.
type Rules struct{ lang.DefaultRules }

// maxParsed is the largest file whose syntax is checked, in bytes: the library's parser takes quadratic time.
const maxParsed = 32 << 10

// Broken is where the line of the first syntax error starts. A file that makes the library fail is one.
func (Rules) Broken(src []byte) (at int) {
	if _, err := message.CheckYAML(src); err != nil || len(src) > maxParsed {
		return -1
	}
	defer func() {
		if recover() != nil {
			at = 0
		}
	}()
	text := strings.ReplaceAll(string(src), "\r\n", "\n")
	_, err := parser.ParseBytes([]byte(text), 0, parser.AllowDuplicateMapKey())
	if err == nil {
		return -1
	}
	broken, ok := errors.AsType[yaml.Error](err)
	if !ok || broken.GetToken() == nil || broken.GetToken().Position == nil {
		return 0
	}
	for line := 1; line < broken.GetToken().Position.Line; line++ {
		at += bytes.IndexByte(src[at:], '\n') + 1
	}
	return at
}
