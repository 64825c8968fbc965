package evidence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// A query of ours holds patterns of a single node, «(kind) @capture». For such a
// query tree-sitter's own engine costs more than it gives: compiling it takes 1
// to 12 ms of a hook's 20, nearly all of it an analysis of patterns with
// children. So the pattern is a mark at the kind's symbols. A test compares the
// answers with those of tree-sitter's engine.

// marks is a query made ready for a walk: for each symbol of the grammar 0, or
// the number of its capture, counted from 1.
type marks struct {
	bySymbol []uint8
	captures []string
}

var pattern = lang.Lazy(`^(?:\(([A-Za-z0-9_]+)\)|"([^"\\]+)") @([a-z_.]+)$`)

// readQuery makes a query ready for walks over trees of a grammar.
func readQuery(query string, g *syntax.Grammar) (*marks, error) {
	named, anonymous := map[string][]int{}, map[string][]int{}
	for s, name := range g.Kinds() {
		switch {
		case g.IsNamed(s):
			named[name] = append(named[name], s)
		case g.IsToken(s):
			anonymous[name] = append(anonymous[name], s)
		}
	}
	m := &marks{bySymbol: make([]uint8, len(g.Kinds()))}
	for line := range strings.Lines(query) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == ';' {
			continue
		}
		parts := pattern.FindStringSubmatch(line)
		if parts == nil {
			return nil, fmt.Errorf("%q is no pattern of a single node, «(kind) @capture» or «\"token\" @capture»", line)
		}
		symbols := named[parts[1]]
		if parts[1] == "" {
			symbols = anonymous[parts[2]]
		}
		if symbols == nil {
			return nil, fmt.Errorf("%q: the grammar has no kind %s", line, parts[1]+parts[2])
		}
		i := slices.Index(m.captures, parts[3])
		if i < 0 {
			i = len(m.captures)
			m.captures = append(m.captures, parts[3])
		}
		for _, s := range symbols {
			if m.bySymbol[s] != 0 {
				return nil, fmt.Errorf("%q is captured already", line)
			}
			m.bySymbol[s] = uint8(i + 1)
		}
	}
	return m, nil
}

// of is the capture that a node is, "" for none.
func (m *marks) of(n *syntax.Node) string {
	if s := n.Symbol(); s < len(m.bySymbol) && m.bySymbol[s] > 0 {
		return m.captures[m.bySymbol[s]-1]
	}
	return ""
}
