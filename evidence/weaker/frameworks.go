package weaker

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/lang"
)

//go:embed frameworks.txt
var frameworksText string

// framework is what is known of the frameworks of tests of a language, by the lines of frameworks.txt that name it.
type framework struct {
	// paths is what the name of a file must look like, elsewhere what it must not;
	// names what that of a function must; headers what the text before
	// the body of a test must have, where its name does not tell; hidden what that has where no runner sees a test; owners
	// what the text of the class around a test named so must have.
	paths, elsewhere, names, headers, hidden, owners lang.Pattern
	// skips is how the text before a test keeps it from running always, guards where a condition holds, which is group 1;
	// calls are the calls of a body that skip the test; fileSkips and fileGuards speak of a whole file.
	skips, guards, calls, fileSkips, fileGuards lang.Pattern
	// doubles are the calls that make doubles, imports the ways in which a file takes names from a module.
	doubles, imports []lang.Pattern
	// titled: a test is named by its title; titles begin tests that the outline does not know by theirs: it.each(…)("…"),
	// xit "…"; hooks begin what runs before or after every test, where that is no function with a name.
	titled        bool
	titles, hooks map[string]bool
}

// frameworks are those of frameworks.txt by their languages.
var frameworks = sync.OnceValue(func() map[string]*framework {
	all := map[string]*framework{}
	for _, line := range lang.Table(frameworksText) {
		said := strings.Fields(strings.TrimSuffix(line.Word, ":"))
		languages, what := said[:len(said)-1], said[len(said)-1]
		for _, name := range languages {
			if all[name] == nil {
				all[name] = &framework{}
			}
			all[name].set(what, line)
		}
	}
	return all
})

// frameworkOf is that of a language, one that knows nothing where there is none.
func frameworkOf(name string) *framework {
	if f := frameworks()[name]; f != nil {
		return f
	}
	return &framework{}
}

// set takes what a line tells, which must be one of these.
func (c *framework) set(what string, line lang.Word) {
	pattern := lang.Lazy(strings.Join(line.When, ""))
	one := map[string]*lang.Pattern{"paths": &c.paths, "elsewhere": &c.elsewhere,
		"names": &c.names, "headers": &c.headers, "hidden": &c.hidden,
		"owners": &c.owners, "skips": &c.skips, "guards": &c.guards, "calls": &c.calls, "fileskips": &c.fileSkips,
		"fileguards": &c.fileGuards}[what]
	several := map[string]*[]lang.Pattern{"doubles": &c.doubles, "imports": &c.imports}[what]
	switch {
	case what == "titled":
		c.titled = true
	case what == "titles":
		c.titles = setOf(line.Why)
	case what == "hooks":
		c.hooks = setOf(line.Why)
	case several != nil:
		*several = append(*several, pattern)
	default:
		*one = pattern
	}
}

// setOf is the set of the words of a text.
func setOf(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}

// isScript reports JavaScript and its dialects.
func isScript(name string) bool { return name == "javascript" || name == "typescript" || name == "tsx" }
