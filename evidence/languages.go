package evidence

import (
	"embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/lang"
	crules "github.com/acta-git/acta/evidence/lang/c"
	jsrules "github.com/acta-git/acta/evidence/lang/javascript"
	jsonrules "github.com/acta-git/acta/evidence/lang/json"
	"github.com/acta-git/acta/evidence/lang/kotlin"
	luarules "github.com/acta-git/acta/evidence/lang/lua"
	yamlrules "github.com/acta-git/acta/evidence/lang/yaml"
	"github.com/acta-git/acta/evidence/syntax"
	"github.com/acta-git/acta/parser"
	"github.com/smacker/go-tree-sitter/bash"
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
	"github.com/smacker/go-tree-sitter/csharp"
	"github.com/smacker/go-tree-sitter/css"
	"github.com/smacker/go-tree-sitter/dockerfile"
	"github.com/smacker/go-tree-sitter/elixir"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/groovy"
	"github.com/smacker/go-tree-sitter/hcl"
	"github.com/smacker/go-tree-sitter/html"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/lua"
	"github.com/smacker/go-tree-sitter/ocaml"
	"github.com/smacker/go-tree-sitter/php"
	"github.com/smacker/go-tree-sitter/protobuf"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/ruby"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/scala"
	"github.com/smacker/go-tree-sitter/sql"
	"github.com/smacker/go-tree-sitter/swift"
	"github.com/smacker/go-tree-sitter/toml"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
)

var (
	//go:embed patterns.txt
	patternsText string

	patterns        = lang.Patterns{Text: &patternsText}
	fits, patternOf = patterns.Fits, patterns.Named
)

// languages lists the languages; a new one is one folder and one line here. Each is described and compiled when it is
// asked for: a hook must not pay for thirty.
var languages = sync.OnceValue(func() []*grammar {
	var all []*grammar
	for _, l := range []lang.Language{
		{Name: "python", Grammar: python.GetLanguage()},
		{Name: "go", Folders: []string{"golang"}, Grammar: golang.GetLanguage()},
		{Name: "javascript", Grammar: javascript.GetLanguage(), Rules: jsrules.Rules{}},
		{Name: "typescript", Folders: []string{"typescript", "javascript"},
			Grammar: typescript.GetLanguage(), Rules: jsrules.Rules{}},
		{Name: "tsx", Folders: []string{"tsx", "typescript", "javascript"},
			Grammar: tsx.GetLanguage(), Rules: jsrules.Rules{}},
		{Name: "php", Grammar: php.GetLanguage()},
		{Name: "ruby", Grammar: ruby.GetLanguage()},
		{Name: "bash", Grammar: bash.GetLanguage()},
		{Name: "lua", Grammar: lua.GetLanguage(), Rules: luarules.Rules{}},
		{Name: "elixir", Grammar: elixir.GetLanguage()},
		{Name: "java", Folders: []string{"java", "jvm"}, Grammar: java.GetLanguage()},
		{Name: "groovy", Folders: []string{"groovy", "jvm"}, Grammar: groovy.GetLanguage()},
		{Name: "csharp", Grammar: csharp.GetLanguage()},
		{Name: "kotlin", Folders: []string{"kotlin", "jvm"}, Grammar: kotlin.SafeGrammar(), Rules: kotlin.Rules{}},
		{Name: "scala", Folders: []string{"scala", "jvm"}, Grammar: scala.GetLanguage()},
		{Name: "ocaml", Grammar: ocaml.GetLanguage()},
		{Name: "rust", Grammar: rust.GetLanguage()},
		{Name: "c", Grammar: c.GetLanguage(), Rules: crules.Rules{}},
		{Name: "cpp", Folders: []string{"cpp", "c"}, Grammar: cpp.GetLanguage(), Rules: crules.Rules{}},
		{Name: "swift", Grammar: swift.GetLanguage()},
		{Name: "yaml", Rules: yamlrules.Rules{}},
		{Name: "toml", Grammar: toml.GetLanguage()},
		{Name: "json", Rules: jsonrules.Rules{}},
		{Name: "hcl", Grammar: hcl.GetLanguage()},
		{Name: "css", Grammar: css.GetLanguage()},
		{Name: "html", Grammar: html.GetLanguage()},
		{Name: "sql", Grammar: sql.GetLanguage()},
		{Name: "dockerfile", Grammar: dockerfile.GetLanguage()},
		{Name: "protobuf", Grammar: protobuf.GetLanguage()},
		{Name: "markdown"},
	} {
		all = append(all, newGrammar(l))
	}
	return all
})

// ErrNoLanguage says that no grammar reads files of this name.
var ErrNoLanguage = errors.New("no grammar reads files of this name")

type grammar struct {
	lang.Language
	extensions, names []string

	description sync.Once
	factsUsed   map[string]bool

	once   sync.Once
	result *compiled
	err    error
}

// compiled compiles the tags on first use.
func (g *grammar) compiled() (*compiled, error) {
	g.once.Do(func() { g.result, g.err = compile(g.Language) })
	return g.result, g.err
}

// compiled is a grammar with its tags by symbol. It is safe for concurrent use.
type compiled struct {
	grammar *syntax.Grammar
	// By symbol: the tags, the roles, nil if bodies are not judged, and which are string literals.
	tags     [][]*lang.Tag
	roles    []lang.Role
	literals []bool
}

// folderFiles are the folders of the languages.
//
//go:embed lang/*/pack.txt lang/*/tags.scm
var folderFiles embed.FS

func folderText(folder, file string) string {
	text, _ := folderFiles.ReadFile(path.Join("lang", folder, file)) // not every folder has both files
	return string(text)
}

func newGrammar(l lang.Language) *grammar {
	if l.Folders == nil {
		l.Folders = []string{l.Name}
	}
	if l.Rules == nil {
		l.Rules = lang.DefaultRules{}
	}
	g := &grammar{Language: l, factsUsed: map[string]bool{}}
	g.extensions, g.names = lang.Files(folderText(l.Folders[0], "pack.txt"))
	return g
}

// describe reads all that is known of the language, once.
func (g *grammar) describe() {
	g.description.Do(func() {
		for _, folder := range g.Folders {
			g.Tags += folderText(folder, "tags.scm")
			g.Describe(folderText(folder, "pack.txt"))
		}
		between := func(r rune) bool { return strings.ContainsRune(" !|:", r) }
		for _, w := range append(slices.Clone(g.Complete), lang.Entry{Lines: g.Tests}, lang.Entry{Lines: g.Orphans}) {
			for _, fact := range strings.FieldsFunc(strings.Join(w.Lines, " "), between) {
				g.factsUsed[fact] = true
			}
		}
	})
}

func compile(l lang.Language) (*compiled, error) {
	if l.Grammar == nil {
		return &compiled{}, nil
	}
	c := &compiled{grammar: syntax.NewGrammar(l.Grammar, l.SecondFields...)}
	tags, err := lang.Tags(l.Tags)
	if err != nil {
		return nil, fmt.Errorf("tags of %s: %w", l.Name, err)
	}
	byKind := map[string][]*lang.Tag{}
	for _, t := range tags {
		byKind[t.Kind] = append(byKind[t.Kind], t)
	}
	c.tags = make([][]*lang.Tag, len(c.grammar.Kinds()))
	for s, kind := range c.grammar.Kinds() {
		isNamed := c.grammar.IsNamed(s)
		for _, t := range byKind[kind] {
			if t.IsToken && c.grammar.IsToken(s) || !t.IsToken && isNamed {
				c.tags[s] = append(c.tags[s], t)
			}
		}
		c.literals = append(c.literals, slices.Contains(l.Strings, kind))
		if !l.IsCode() {
			continue
		}
		role, ok := l.Roles[kind]
		if !ok {
			role = lang.Roles()[kind]
		}
		if !isNamed {
			role = 0
		}
		c.roles = append(c.roles, role)
	}
	return c, nil
}

// tagsOf returns the tags of a node's kind, nil if there are none.
func (c *compiled) tagsOf(n *syntax.Node) []*lang.Tag {
	if s := n.Symbol(); s < len(c.tags) {
		return c.tags[s]
	}
	return nil
}

func grammarOf(name string) *grammar {
	base := path.Base(name)
	ext := strings.ToLower(path.Ext(base))
	stem, _, hasSuffix := strings.Cut(base, ".") // Dockerfile.dev
	isExactly := func(g *grammar) bool {
		return slices.Contains(g.names, base) || ext != "" && slices.Contains(g.extensions, ext)
	}
	i := slices.IndexFunc(languages(), isExactly)
	if i < 0 && hasSuffix && !parser.IsProse(base) {
		i = slices.IndexFunc(languages(), func(g *grammar) bool { return slices.Contains(g.names, stem) })
	}
	if i < 0 {
		return nil
	}
	languages()[i].describe()
	return languages()[i]
}

// LanguageOf returns the name of a file's language, by its path, as docs/languages.md lists them; "" if there is none.
func LanguageOf(path string) string {
	if g := grammarOf(path); g != nil {
		return g.Name
	}
	return ""
}

// HasDefinitions reports whether a file of this name is code, with definitions that could be stubs.
func HasDefinitions(path string) bool {
	g := grammarOf(path)
	return g != nil && g.IsCode()
}
