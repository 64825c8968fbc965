package evidence

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
	"golang.org/x/tools/txtar"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// engineFinds notes what a query through tree-sitter's own engine finds, by captures and places.
func engineFinds(q *sitter.Query, root *sitter.Node, found map[string]bool) {
	cursor := sitter.NewQueryCursor()
	defer cursor.Close()
	cursor.Exec(q, root)
	for {
		m, ok := cursor.NextMatch()
		if !ok {
			return
		}
		for _, c := range m.Captures {
			name := strings.TrimPrefix(q.CaptureNameForId(c.Index), "definition.")
			found[fmt.Sprintf("@%s %s [%d,%d)", name, c.Node.Type(), c.Node.StartByte(), c.Node.EndByte())] = true
		}
	}
}

// tagsFind are the nodes that patterns fit, and how many were looked at.
func tagsFind(c *compiled, tree *syntax.Tree, src string) (out []string) {
	for i := range tree.Nodes() {
		n := &tree.Nodes()[i]
		if n.Symbol() >= len(c.tags) || n.Start() == n.End() {
			continue
		}
		for _, tag := range c.tags[n.Symbol()] {
			if _, ok := tag.Match(n, []byte(src)); ok {
				out = append(out, fmt.Sprintf("@%s %s [%d,%d)", tag.Capture, n.Type(), n.Start(), n.End()))
			}
		}
	}
	return out
}

var (
	predicates = regexp.MustCompile(`\(#[^()"]*(?:"(?:[^"\\]|\\.)*"[^()"]*)*\)`)
	topLevel   = regexp.MustCompile(`(?m)^[("]`)
)

// queryOf is a language's patterns as tree-sitter's engine reads them, without predicates, those alone that name kinds
// of the grammar.
func queryOf(t *testing.T, g *grammar) *sitter.Query {
	text := regexp.MustCompile(`(?m)^;.*$`).ReplaceAllString(g.Tags, "")
	text = predicates.ReplaceAllString(text, "")
	if len(g.Folders) > 1 {
		all := text
		text = ""
		starts := append(topLevel.FindAllStringIndex(all, -1), []int{len(all)})
		for i := range starts[:len(starts)-1] {
			pattern := all[starts[i][0]:starts[i+1][0]]
			if q, err := sitter.NewQuery([]byte(pattern), g.Grammar); err == nil {
				q.Close()
				text += pattern
			}
		}
	}
	q, err := sitter.NewQuery([]byte(text), g.Grammar)
	if err != nil {
		t.Fatalf("%s: %v", g.Name, err)
	}
	return q
}

// foundBelow are fields that the binding finds below a child, or beside another one, where nobody asks for them.
var foundBelow = map[string]bool{
	"c function_definition parameters": true, "elixir dot quoted_end": true, "python match_statement alternative": true,
	"cpp parenthesized_expression left": true, "typescript call_expression object": true, "tsx call_expression object": true,
	"swift array_type element": true, "swift dictionary_type key": true, "swift inheritance_constraint inherits_from": true,
	"swift protocol_property_declaration bound_identifier": true, "swift for_statement bound_identifier": true,
	"typescript call_expression property": true, "tsx call_expression property": true, "elixir dot quoted_start": true,
	"cpp parenthesized_expression operator": true, "cpp parenthesized_expression right": true,
	"sql index_fields column": true, "sql assignment name": true,
}

// nodeFacts is what a node says of itself.
type nodeFacts struct {
	kind                                 string
	start, end, symbol, namedChildren    int
	isNamed, isMissing, isExtra, isError bool
	hasError                             bool
}

func (f nodeFacts) String() string {
	return fmt.Sprintf("%s [%d,%d) %d %d named children %v", f.kind, f.start, f.end, f.symbol, f.namedChildren,
		[]bool{f.isNamed, f.isMissing, f.isExtra, f.isError, f.hasError})
}

// treeComparison compares trees of a grammar with the binding's own.
type treeComparison struct {
	*grammar
	fields []string // all of the grammar
	// shapes are the nodes whose fields were compared: their kinds, and their children's kinds and fields. To ask the
	// binding about each field takes long.
	shapes map[string]bool
}

// fieldDiffers compares the fields of a node with the binding's, and returns the first difference.
func (c treeComparison) fieldDiffers(ours *syntax.Node, theirs *sitter.Node) string {
	shape, children := ours.Type(), slices.Collect(ours.Children())
	for _, child := range children {
		shape += " " + child.Type()
	}
	for _, name := range c.fields {
		if a := ours.Field(name); a != nil {
			shape += fmt.Sprint(" ", name, " ", slices.Index(children, a))
		}
	}
	if c.shapes[shape] {
		return ""
	}
	c.shapes[shape] = true
	for _, name := range c.fields {
		if foundBelow[c.Name+" "+ours.Type()+" "+name] {
			continue
		}
		a, b := ours.Field(name), theirs.ChildByFieldName(name)
		if (a == nil) != (b == nil) || a != nil && (a.Start() != int(b.StartByte()) || a.Type() != b.Type()) {
			return fmt.Sprintf("field %s differs: %v, the binding says %v", name, a, b)
		}
	}
	return ""
}

// differs compares a node and all below it with the binding's, and returns the first difference.
func (c treeComparison) differs(ours *syntax.Node, theirs *sitter.Node) string {
	is := nodeFacts{ours.Type(), ours.Start(), ours.End(), ours.Symbol(), ours.NamedChildCount(), ours.IsNamed(), ours.IsMissing(),
		ours.IsExtra(), ours.IsError(), ours.HasError()}
	want := nodeFacts{theirs.Type(), int(theirs.StartByte()), int(theirs.EndByte()), int(theirs.Symbol()), int(theirs.NamedChildCount()),
		theirs.IsNamed(), theirs.IsMissing(), theirs.IsExtra(), theirs.IsError(), theirs.HasError()}
	if is != want {
		return fmt.Sprint(is, ", the binding says ", want)
	}
	if found := c.fieldDiffers(ours, theirs); found != "" {
		return is.String() + ": " + found
	}
	children := slices.Collect(ours.Children())
	if len(children) != int(theirs.ChildCount()) {
		return fmt.Sprintf("%s: %d children, the binding says %d", is, len(children), theirs.ChildCount())
	}
	var named *syntax.Node
	for i, child := range children {
		if child.PrevNamedSibling() != named {
			return is.String() + ": a child that does not know what stands before it"
		}
		if child.IsNamed() {
			named = child
		}
		if child.Parent() != ours || i > 0 && children[i-1].NextSibling() != child || ours.Child(i) != child {
			return is.String() + ": a child that does not know its place"
		}
		if found := c.differs(child, theirs.Child(i)); found != "" {
			return found
		}
	}
	return ""
}

// walkSources are the sources of all cases, by path.
func walkSources(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("lang/*/cases/*.txtar")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d case files (%v)", len(files), err)
	}
	out := map[string]string{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range txtar.Parse(data).Files {
			out[strings.TrimPrefix(f, "lang/")+":"+c.Name] = string(c.Data)
		}
	}
	return out
}

// foreign: of so many cases of other languages a grammar reads one. Those of data, which find little, read more.
func foreign(g *grammar) int {
	if g.Is("data") {
		return 4
	}
	return 12
}

// A tree is what the binding sees, and marks find in it what tree-sitter's engine finds for the query, over every
// case of the grammar's language and some of the others: what parses badly counts too.
func TestATreeIsWhatTheBindingSees(t *testing.T) {
	sources := walkSources(t)
	for _, g := range grammars() {
		if g.Grammar != nil { // else there is no query
			t.Run(g.Name, func(t *testing.T) {
				t.Parallel()
				holdToTheBinding(t, g, sources)
			})
		}
	}
}

func holdToTheBinding(t *testing.T, g *grammar, sources map[string]string) {
	c, err := g.compiled()
	if err != nil {
		t.Fatal(err)
	}
	l := g.Grammar
	trees := treeComparison{grammar: g, shapes: map[string]bool{}}
	for id := 1; l.FieldName(id) != ""; id++ {
		trees.fields = append(trees.fields, l.FieldName(id))
	}
	query := queryOf(t, g)
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(l)
	compared := 0
	for path, src := range sources {
		if _, name, _ := strings.Cut(path, ":"); grammarOf(name) != g && len(path)%foreign(g) != 0 {
			continue
		}
		theirs, err := parser.ParseCtx(context.Background(), nil, []byte(src))
		if err != nil {
			t.Fatal(path, err)
		}
		tree, err := c.grammar.Tree(theirs.RootNode())
		if err != nil {
			t.Fatal(path, err)
		}
		if differs := trees.differs(tree.Root(), theirs.RootNode()); differs != "" {
			t.Errorf("%s in %s: %s", path, g.Name, differs)
		}
		found := map[string]bool{}
		engineFinds(query, theirs.RootNode(), found)
		for _, got := range tagsFind(c, tree, src) {
			if compared++; !found[got] {
				t.Errorf("%s in %s: a pattern finds %s, and the engine does not", path, g.Name, got)
			}
		}
		theirs.Close()
	}
	if compared < 50 || compared < 400 && !g.Is("data") {
		t.Errorf("%s: only %d nodes compared", g.Name, compared)
	}
}

func TestABrokenPatternIsRefused(t *testing.T) {
	for _, tags := range []string{"(comment)", "((comment) @c (#eq? @c \"x\")", "@c", "(comment @c"} {
		if all, err := lang.Tags(tags); err == nil {
			t.Errorf("%q: %v", tags, all)
		}
	}
}
