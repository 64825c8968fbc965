package weaker

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/lang"
)

//go:embed frameworks.txt
var frameworksText string

// framework is what is known of the frameworks of tests of a language: patterns of frameworks.txt by what they tell.
type framework map[string][]lang.Pattern

// frameworks are those of frameworks.txt by their languages. Words stand for a pattern of just these.
var frameworks = sync.OnceValue(func() map[string]framework {
	all := map[string]framework{}
	for _, line := range lang.Table(frameworksText) {
		expression := strings.Join(line.Lines, "")
		if line.Text != "" {
			expression = `^(?:` + strings.Join(strings.Fields(line.Text), "|") + `)$`
		}
		said := strings.Fields(strings.TrimSuffix(line.Name, ":"))
		languages, what := said[:len(said)-1], said[len(said)-1]
		for _, name := range languages {
			if all[name] == nil {
				all[name] = framework{}
			}
			all[name][what] = append(all[name][what], lang.Lazy(expression))
		}
	}
	return all
})

// of is the pattern by which something is told, one that fits nothing where there is none.
func (c framework) of(what string) lang.Pattern {
	if c[what] == nil {
		return lang.Pattern{}
	}
	return c[what][0]
}

// tells reports whether the pattern by which something is told fits a text.
func (c framework) tells(what, text string) bool { return c.of(what).MatchString(text) }

// isScript reports JavaScript and its dialects.
func isScript(name string) bool { return name == "javascript" || name == "typescript" || name == "tsx" }
