// Package yaml finds syntax errors in YAML. The tree-sitter binding's grammar needs the C++ library, which every hook
// would load at its start.
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

// Rules are the decisions about YAML that need code.
type Rules struct{ lang.DefaultRules }

// maxParsed is the largest file whose syntax is checked, in bytes: the library's parser takes quadratic time.
const maxParsed = 32 << 10

// SyntaxErrorAt returns the line of the first syntax error. A file that makes the library panic has one at its start.
func (Rules) SyntaxErrorAt(src []byte) (at int) {
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
