package evidence

import (
	"embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/smacker/go-tree-sitter/css"
	"github.com/smacker/go-tree-sitter/dockerfile"
	"github.com/smacker/go-tree-sitter/protobuf"
	"github.com/smacker/go-tree-sitter/sql"
	"github.com/smacker/go-tree-sitter/toml"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/lang/bash"
	"github.com/acta-git/acta/evidence/lang/c"
	"github.com/acta-git/acta/evidence/lang/cpp"
	"github.com/acta-git/acta/evidence/lang/csharp"
	"github.com/acta-git/acta/evidence/lang/elixir"
	"github.com/acta-git/acta/evidence/lang/golang"
	"github.com/acta-git/acta/evidence/lang/hcl"
	"github.com/acta-git/acta/evidence/lang/html"
	"github.com/acta-git/acta/evidence/lang/java"
	"github.com/acta-git/acta/evidence/lang/javascript"
	"github.com/acta-git/acta/evidence/lang/json"
	"github.com/acta-git/acta/evidence/lang/kotlin"
	"github.com/acta-git/acta/evidence/lang/lua"
	"github.com/acta-git/acta/evidence/lang/markdown"
	"github.com/acta-git/acta/evidence/lang/php"
	"github.com/acta-git/acta/evidence/lang/python"
	"github.com/acta-git/acta/evidence/lang/ruby"
	"github.com/acta-git/acta/evidence/lang/rust"
	"github.com/acta-git/acta/evidence/lang/scala"
	"github.com/acta-git/acta/evidence/lang/swift"
	"github.com/acta-git/acta/evidence/lang/typescript"
	"github.com/acta-git/acta/evidence/lang/yaml"
	"github.com/acta-git/acta/evidence/syntax"
	"github.com/acta-git/acta/parser"
)

// grammars lists the languages; a further one is one folder and one line here.
// The list never changes. It is made, and what it holds compiled, once, when it is first needed: every
// start of acta would pay for it.
var grammars = sync.OnceValue(func() []*grammar {
	return []*grammar{
		newGrammar(python.Language()),
		newGrammar(golang.Language()),
		newGrammar(javascript.Language()),
		newGrammar(typescript.Language()),
		newGrammar(typescript.TSX()),
		newGrammar(php.Language()),
		newGrammar(ruby.Language()),
		newGrammar(bash.Language()),
		newGrammar(lua.Language()),
		newGrammar(elixir.Language()),
		newGrammar(java.Language()),
		newGrammar(csharp.Language()),
		newGrammar(kotlin.Language()),
		newGrammar(scala.Language()),
		newGrammar(rust.Language()),
		newGrammar(c.Language()),
		newGrammar(cpp.Language()),
		newGrammar(swift.Language()),
		newGrammar(yaml.Language()),
		newGrammar(lang.Language{Name: "toml", Grammar: toml.GetLanguage()}),
		newGrammar(json.Language()),
		newGrammar(hcl.Language()),
		newGrammar(lang.Language{Name: "css", Grammar: css.GetLanguage()}),
		newGrammar(html.Language()),
		newGrammar(lang.Language{Name: "sql", Grammar: sql.GetLanguage()}),
		newGrammar(lang.Language{Name: "dockerfile", Grammar: dockerfile.GetLanguage()}),
		newGrammar(lang.Language{Name: "protobuf", Grammar: protobuf.GetLanguage()}),
		newGrammar(markdown.Language()),
	}
})

// ErrNoLanguage says that no grammar reads files of this name.
var ErrNoLanguage = errors.New("no grammar reads files of this name")

// grammar is a language with what its query compiles to.
type grammar struct {
	lang.Language
	compiled func() (*compiled, error)
	asks     map[string]bool // the facts that its conditions name
}

// compiled is a grammar with its query made ready. It is safe for concurrent use.
type compiled struct {
	grammar *syntax.Grammar
	marks   *marks
	roles   []lang.Role // by symbol; nil where bodies are not judged
	words   map[string]lang.Role
	// literals says of each symbol whether it is a string literal that may span lines.
	literals []bool
}

// folders are those of the languages.
//
//go:embed lang/*/language.txt lang/*/query.scm lang/*/complete.txt
var folders embed.FS

// inFolder is the text of a file in a folder, "" where it has none.
func inFolder(folder, file string) string {
	text, err := folders.ReadFile(path.Join("lang", folder, file))
	if err != nil {
		return ""
	}
	return string(text)
}

func newGrammar(l lang.Language) *grammar {
	if l.Folders == nil {
		l.Folders = []string{l.Name}
	}
	l.Complete = lang.Table(inFolder(l.Folders[0], "complete.txt"))
	var names []string
	for i, folder := range l.Folders {
		l.Query += inFolder(folder, "query.scm")
		if l.Describe(inFolder(folder, "language.txt")); i == 0 {
			names = l.Names
		}
	}
	l.Names = names // its own alone
	if l.Rules == nil && l.NameIn != nil {
		l.Rules = lang.Named{In: l.NameIn}
	} else if l.Rules == nil {
		l.Rules = lang.DefaultRules{}
	}
	g := &grammar{Language: l, asks: map[string]bool{}}
	g.compiled = sync.OnceValues(func() (*compiled, error) { return compile(l) })
	between := func(r rune) bool { return strings.ContainsRune(" !|:", r) }
	for _, w := range append(slices.Clone(l.Complete), lang.Word{When: l.Tests}, lang.Word{When: l.Orphans}) {
		for _, fact := range strings.FieldsFunc(strings.Join(w.When, " "), between) {
			g.asks[fact] = true
		}
	}
	return g
}

func compile(l lang.Language) (*compiled, error) {
	if l.Grammar == nil {
		return &compiled{}, nil
	}
	c := &compiled{grammar: syntax.NewGrammar(l.Grammar, l.Seconds...)}
	var err error
	if c.marks, err = readQuery(l.Query, c.grammar); err != nil {
		return nil, fmt.Errorf("query of %s: %w", l.Name, err)
	}
	for _, kind := range c.grammar.Kinds() {
		c.literals = append(c.literals, slices.Contains(l.Strings, kind))
	}
	if l.Judged {
		c.roles, c.words = rolesOf(l, c.grammar), lang.WordRoles(l.Words)
	}
	return c, nil
}

// rolesOf returns the role of each symbol of a grammar.
func rolesOf(l lang.Language, of *syntax.Grammar) []lang.Role {
	byKind := lang.RolesOf(l.Roles)
	roles := make([]lang.Role, len(of.Kinds()))
	for s, kind := range of.Kinds() {
		if of.IsNamed(s) {
			roles[s] = byKind[kind]
		}
	}
	return roles
}

// grammarOf returns the grammar for a path, nil when there is none.
func grammarOf(name string) *grammar {
	base := path.Base(name)
	ext := strings.ToLower(path.Ext(base))
	for _, g := range grammars() {
		if slices.Contains(g.Names, base) || ext != "" && slices.Contains(g.Extensions, ext) {
			return g
		}
	}
	stem, _, more := strings.Cut(base, ".") // Dockerfile.dev
	for _, g := range grammars() {
		if more && slices.Contains(g.Names, stem) && !parser.IsProse(base) {
			return g
		}
	}
	return nil
}

// LanguageOf returns the name of the language that a path's file is written
// in, judged by its name, as docs/languages.md lists them; "" when none reads it.
func LanguageOf(path string) string {
	if g := grammarOf(path); g != nil {
		return g.Name
	}
	return ""
}

// HasDefinitions reports whether files of this name are read, and hold definitions that could be stubs: code, that
// is, not data and not prose.
func HasDefinitions(path string) bool {
	g := grammarOf(path)
	return g != nil && !g.Data && !g.Prose
}

// LoadGrammars compiles what reading these paths will need, each language on a
// goroutine of its own, and returns at once: a hook can let it run while git
// runs. Not calling it costs time, nothing else.
func LoadGrammars(paths ...string) {
	for _, name := range paths {
		if g := grammarOf(name); g != nil {
			go func() { _, _ = g.compiled() }()
		}
	}
}
