package gate

import (
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/shell"
)

// purpose is what a check is for. One of the same purpose may take another's place.
type purpose string

const (
	forTests    purpose = "test"
	forLint     purpose = "lint"
	forFormat   purpose = "format"
	forTypes    purpose = "types"
	forSecurity purpose = "security"
	forCoverage purpose = "coverage"
	forBuild    purpose = "build"
	// forAll is that of what runs several checks: it may stand for any.
	forAll purpose = "checks"
)

// tool is a program that makes a build fail.
type tool struct {
	purpose
	// world is the language that it is for, "" for any.
	world string
}

//go:embed tools.txt
var toolsText string

// toolRows are the lines of tools.txt.
var toolRows = rowsOf(&toolsText)

// known are the tools of tools.txt by their names, with a subcommand where that decides.
var known = sync.OnceValue(func() map[string]tool {
	all := map[string]tool{}
	for _, row := range toolRows() {
		if row[0] == "wrapper" || row[0] == "valued" {
			continue
		}
		for _, name := range row[2:] {
			all[strings.Replace(name, ":", " ", 1)] = tool{purpose(row[0]), strings.TrimPrefix(row[1], "any")}
		}
	}
	return all
})

// named is the tool of a name, with a subcommand or an option behind it.
func named(words []string) (t tool, name string, ok bool) {
	name = words[0]
	if len(words) > 1 {
		for _, sub := range []string{firstArgument(words[1:]), words[1]} {
			if t, ok = known()[name+" "+sub]; ok {
				return t, name + " " + sub, true
			}
		}
	}
	if len(words) > 1 && (strings.HasPrefix(words[1], "$") || words[1] == "__expression__") {
		if t, ok = known()[name+" test"]; ok { // whatever a variable says
			return tool{forAll, t.world}, name + " …", true
		}
	}
	t, ok = known()[name]
	return t, name, ok
}

// firstArgument is the first word that is no option.
func firstArgument(words []string) string {
	i := slices.IndexFunc(words, func(w string) bool { return w != "" && w[0] != '-' && w[0] != '+' })
	if i < 0 {
		return ""
	}
	return words[i]
}

// check is a program of which a build's success depends.
type check struct {
	tool
	// name is the tool's, the same for each way to start it; args are the words behind it.
	name string
	args []string
	// forgiven says why nothing fails where the check does, off why it does not run at all; "" where neither is so.
	forgiven, off string
	// seldom: nothing that happens to the code starts it, but a clock or a person.
	seldom bool
	// dir is the folder that it is run in, "" for that of the repository, or where nothing tells.
	dir string
	// of is the repository that it checks, "" for that of the file: what uses a library is tested with it, too.
	of string
	// unit is the job, script or target that it stands in. called: nothing but a caller decides whether that is run.
	unit   string
	called bool
	at     Place
}

// strict reports a check whose failure is one.
func (c *check) strict() bool { return c.forgiven == "" && c.off == "" }

// unwrapped are the words of a run without the programs that only run another.
func unwrapped(words []string) []string {
	for len(words) > 0 {
		words = slices.Clone(words)
		words[0] = strings.TrimSuffix(strings.TrimSuffix(base(words[0]), ".exe"), ".cmd")
		if strings.HasPrefix(words[0], "python3.") || strings.HasPrefix(words[0], "$") && slices.Index(words, "-m") == 1 {
			words[0] = "python"
		}
		n := min(3, len(words))
		for n > 0 && !toolRows.has("wrapper", strings.Join(words[:n], ":")) {
			n--
		}
		if strings.HasSuffix(words[0], "timeout") {
			n++ // how long
		}
		if n == 0 || n >= len(words) {
			return words
		}
		rest := words[n:]
		for len(rest) > 1 && (strings.HasPrefix(rest[0], "-") || assignment.MatchString(rest[0])) {
			if rest[0] == "-e" && words[0] != "env" || rest[0] == "-c" {
				return words
			}
			if toolRows.has("valued", rest[0]) && len(rest) > 2 {
				rest = rest[1:]
			}
			rest = rest[1:]
		}
		words = rest
	}
	return words
}

var assignment = lang.Lazy(`^[A-Za-z_]\w*=`)

// checksOf are the checks that a run is; nil for one that checks nothing.
func checksOf(r shell.Run) []check {
	words := unwrapped(r.Words)
	if len(words) == 0 || slices.ContainsFunc(words, isQuestion) {
		return nil
	}
	words[0] = strings.TrimSuffix(words[0], ".phar")
	if all, ok := tasks(words); ok {
		for i := range all {
			all[i].forgiven = r.Forgiven
		}
		return all
	}
	t, name, ok := named(words)
	if !ok {
		return scriptOf(r, words)
	}
	if sub := firstArgument(words[1:]); name == "playwright" && sub != "test" || name == "cypress" && sub != "run" {
		return nil
	}
	args := words[1:]
	if _, sub, ok := strings.Cut(name, " "); ok && sub != "…" {
		i := slices.Index(args, sub)
		args = slices.Concat(args[:i], args[i+1:])
	}
	if name == "ruff" && len(args) > 0 && args[0] == "check" {
		args = args[1:]
	}
	c := check{tool: t, name: name, args: args, forgiven: r.Forgiven}
	if c.purpose == forFormat && !slices.ContainsFunc(args, looksOnly) {
		return nil
	}
	return []check{c}
}

// scriptOf is a script of the tree that is run, where its name says that it checks.
func scriptOf(r shell.Run, words []string) []check {
	if !slices.ContainsFunc(r.Words, func(w string) bool {
		return base(w) == words[0] && w[0] != '/' && (strings.Contains(w, "/") || scriptEnds.MatchString(w))
	}) {
		return nil
	}
	p := purposeOf(strings.TrimSuffix(words[0], path.Ext(words[0])))
	if p == "" {
		return nil
	}
	return []check{{tool: tool{p, ""}, name: "run " + words[0], forgiven: r.Forgiven}}
}

// scriptEnds matches the names of scripts.
var scriptEnds = lang.Lazy(`\.(sh|bash|ps1|cmd|bat|py|rb|php|m?js|ts)$`)

// isQuestion reports an option that only asks a tool what it is.
func isQuestion(word string) bool {
	return word == "--version" || word == "--help" || word == "-V" || word == "install"
}

// looksOnly reports an option by which a formatter says what is wrong, and mends nothing.
func looksOnly(word string) bool {
	switch word {
	case "-c", "-l", "-d", "-n":
		return true
	}
	return looking.MatchString(word)
}

var looking = lang.Lazy(`^--?(check|diff|list-different|dry-run|lint|test|error|verify-no-changes|Werror|set-exit)`)
