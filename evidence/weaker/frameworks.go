package weaker

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/lang"
)

//go:embed frameworks.txt
var frameworksText string

// framework holds the patterns of frameworks.txt for a language, by topic.
type framework map[string][]lang.Pattern

// frameworks are the entries of frameworks.txt by language. Words are short for a pattern of exactly these words.
var frameworks = sync.OnceValue(func() map[string]framework {
	all := map[string]framework{}
	for _, line := range lang.Table(frameworksText) {
		expression := strings.Join(line.Lines, "")
		if line.Text != "" {
			expression = `^(?:` + strings.Join(strings.Fields(line.Text), "|") + `)$`
		}
		words := strings.Fields(strings.TrimSuffix(line.Name, ":"))
		languages, topic := words[:len(words)-1], words[len(words)-1]
		for _, name := range languages {
			if all[name] == nil {
				all[name] = framework{}
			}
			all[name][topic] = append(all[name][topic], lang.Lazy(expression))
		}
	}
	return all
})

// pattern returns the first pattern of a topic, one that matches nothing if there is none.
func (c framework) pattern(topic string) lang.Pattern {
	if c[topic] == nil {
		return lang.Pattern{}
	}
	return c[topic][0]
}

func (c framework) matches(topic, text string) bool { return c.pattern(topic).MatchString(text) }

func isScript(name string) bool { return name == "javascript" || name == "typescript" || name == "tsx" }
