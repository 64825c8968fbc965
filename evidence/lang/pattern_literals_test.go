package lang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestNeeds(t *testing.T) {
	for expression, want := range map[string]string{
		`a(b|cd)+`:                             "a and (b or cd)",
		`\b(skip|todo)\b`:                      "(skip or todo)",
		`\b(mock(ed)?|fake)\b\(`:               "(mocked( or mock( or fake()",
		`\bmock(ed)?`:                          "(mocked or mock)",
		`\b|a`:                                 "",
		`["']test['"]=?`:                       `("test"= or "test" or "test'= or "test' or 'test"= or 'test" or 'test'= or 'test')`,
		`ab*`:                                  "a",
		`(?i)Skip`:                             "skip",
		`(?i)é(?-i:TODO)`:                      "todo",
		`(ab)?`:                                "",
		`^\s*$`:                                "",
		`x|\w`:                                 "",
		`x(y|\w)`:                              "x",
		`(?:foo|bar){2,}[.]`:                   "(foo or bar) and .",
		`(?m)^//go:build\s+a`:                  "//go:build and a",
		`(?m)^(foo|\s*bar)`:                    "(foo or bar)",
		`(?m)^pytestmark\s*=\s*pytest\.mark\.`: "pytestmark and = and pytest.mark.",
		`[éa]b`:                                "(ab or éb)",
		`[a-e]b`:                               "b",
		`f\(0\)|g\(.*exit`:                     "(f(0) or g( and exit)",
	} {
		l, _ := requiredLiterals(expression)
		if got := l.String(); got != want {
			t.Errorf("%s needs %s, want %s", expression, got, want)
		}
	}
}

// String joins what is required by and, alternatives by or.
func (l literals) String() string {
	join := func(parts []literals, by string) string {
		var texts []string
		for _, part := range parts {
			texts = append(texts, part.String())
		}
		return strings.Join(texts, by)
	}
	if l.any != nil {
		return "(" + join(l.any, " or ") + ")"
	}
	return l.text + join(l.all, " and ")
}

// Whatever an expression of this module matches, in its own sources and cases, holds what it needs.
func TestWhatMatchesHoldsWhatItNeeds(t *testing.T) {
	expressions, texts := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".go", ".txtar", ".txt"}, filepath.Ext(path)) {
			return err
		}
		data, err := os.ReadFile(path)
		if filepath.Ext(path) == ".go" {
			expressionsIn(t, path, data, expressions)
		} else if base := filepath.Base(path); base == "patterns.txt" || base == "aware.txt" {
			for _, w := range Table(string(data)) {
				expressions[strings.Join(w.Lines, "")] = true
			}
		} else if len(texts) < 1000 {
			for _, text := range strings.SplitAfter(string(data), "\n\n") {
				texts[text] = true
			}
		}
		return err
	})
	if err != nil || len(expressions) < 80 || len(texts) < 1000 {
		t.Fatalf("%d expressions, %d texts: %v", len(expressions), len(texts), err)
	}
	known, matched := 0, 0
	for text := range expressions {
		c, re := Lazy(text), regexp.MustCompile(text)
		if c.mayMatch(""); c.literals.isNone() {
			continue
		}
		known++
		for text := range texts {
			if c.mayMatch(text) {
				continue
			}
			if found := re.FindString(text); found != "" {
				t.Fatalf("%s matches %q, and needs %s", c.text, found, c.literals)
			}
			matched++
		}
	}
	if known < 40 || matched == 0 {
		t.Errorf("of %d expressions the needs are known, and %d texts were passed over", known, matched)
	}
}

// expressionsIn adds the expressions that a file gives to Lazy as constants.
func expressionsIn(t *testing.T, path string, src []byte, found map[string]bool) {
	file, err := parser.ParseFile(token.NewFileSet(), path, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		name, ok := call.Fun.(*ast.Ident)
		if selector, is := call.Fun.(*ast.SelectorExpr); is {
			name, ok = selector.Sel, true
		}
		if text, constant := constantOf(call.Args[0]); ok && constant && name.Name == "Lazy" {
			found[text] = true
		}
		return true
	})
}

func constantOf(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		x, ok := constantOf(e.X)
		y, also := constantOf(e.Y)
		return x + y, ok && also
	}
	return "", false
}
