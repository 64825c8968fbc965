package worklog

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/acta-git/acta/check"
)

// usualRunners are the commands that run tests where a policy names none: how
// the test runners and build tools of the languages that Acta reads are called. See IsTestRun for what a pattern says.
func usualRunners() []string {
	return []string{
		"pytest*", "py.test", "nosetests|nose2|trial|tox|nox|behave",
		"python*|py ... -m pytest|unittest|nose2|tox|nox|behave", "python*|py ... *manage.py test", "manage.py test",
		"coverage run ... -m pytest|unittest", "python*|py ... -m coverage run ... pytest|unittest", "hatch test",
		"go test", "gotestsum|ginkgo",
		"npm|pnpm test|t|tst", "npm|pnpm run|run-script test*", "yarn|bun test*", "yarn|bun run test*", "pnpm test*",
		"node ... --test",
		"jest|vitest|mocha|ava|jasmine|tap|karma|wtr", "playwright|react-scripts|ng|nx test", "cypress run",
		"turbo run|test ... test*", "turbo test",
		"deno test", "deno task test*",
		"cargo test|t", "cargo nextest run",
		"mvn|mvnw|mvnd ... test|verify|integration-test", "gradle|gradlew ... test|check|*:test|*:check", "ant ... test",
		"sbt ... test|testOnly", "lein|bazel|bazelisk|buck2 test",
		"dotnet test|vstest", "ctest", "make|gmake|ninja ... test|tests|check", "meson|just|task test*",
		"cmake --build ... test",
		"rspec|cucumber|minitest", "rake ... test*|spec*", "rails|bin/rails test*|spec",
		"phpunit|pest|paratest", "php ... *phpunit|*pest", "php artisan test", "composer ... test*",
		"mix test", "swift test", "xcodebuild ... test", "flutter|dart test", "zig test", "zig build test",
		"stack|cabal test", "dune test|runtest", "R CMD check", "prove|bats|shellspec|busted",
		"run_tests*|run-tests*|runtests*|test.sh|tests.sh",
	}
}

// wrappers are programs that run the command behind them. The words are those that
// belong to the wrapper itself, options and their values left out.
func wrappers() []string {
	return []string{
		"env", "command", "exec", "nohup", "time", "nice", "ionice", "stdbuf", "sudo", "doas", "xvfb-run", "setsid",
		"caffeinate", "dotenv", "unbuffer", "chronic",
		"timeout *", "gtimeout *", "bash|sh|zsh|dash", "npx|bunx|uvx", "npm|pnpm exec|x", "yarn|pnpm dlx|exec",
		"uv|poetry|pipenv|pdm|hatch|rye|pixi run", "conda|mamba|micromamba run", "bundle exec", "direnv exec *",
		"mise|asdf exec",
	}
}

// valued are options of wrappers and runners whose value is the next word.
const valued = " -n -u -k -s -C -w -p -P -f -e -m -j -o -i --adjustment --signal --kill-after --prefix --filter " +
	"--workspace --directory --project --package --with --group --extra --cwd --dir --name --config --file --features " +
	"--test --bin --manifest-path --init-script --settings --python --env-file "

// IsTestRun reports whether a command line of a shell runs tests: whether one of its simple commands begins as one of
// the patterns does, those of the policy, or of the usual runners where it has none. Assignments and programs that
// run another (env, timeout 60, uv run, npx) may stand before it.
//
// A pattern is words. The first is the program, its folder left out unless the pattern names one; the options of a
// command between the words are passed over, and more may follow behind them. In a word * stands for any characters,
// ? for one, and | parts words of which one must be there; the word ... stands for any words.
func IsTestRun(command string, patterns []string) bool {
	if len(patterns) == 0 {
		patterns = usualRunners()
	}
	return slices.ContainsFunc(simpleCommands(command, 0), func(words []string) bool { return runsTests(words, patterns) })
}

// runsTests looks for a pattern at the beginning of a simple command, and behind each program that runs another.
func runsTests(words, patterns []string) bool {
	// Told what there is, or asked what it would do, a runner runs nothing.
	for _, w := range words {
		if w == "--help" || w == "--version" || w == "--collect-only" || w == "--dry-run" {
			return false
		}
	}
	for len(words) > 0 {
		for _, p := range patterns {
			if matches(strings.Fields(p), words) {
				return true
			}
		}
		rest := unwrapped(words)
		if len(rest) == len(words) {
			return false
		}
		words = rest
	}
	return false
}

// unwrapped is what a wrapper runs; the words themselves where the first is none.
func unwrapped(words []string) []string {
	for _, w := range wrappers() {
		if rest, ok := cut(strings.Fields(w), words); ok {
			for len(rest) > 0 && (strings.HasPrefix(rest[0], "-") || isAssignment(rest[0])) {
				rest = rest[skipped(rest):]
			}
			return rest
		}
	}
	return words
}

func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && !strings.ContainsAny(name, "/.- ")
}

// matches reports whether words begin as a pattern does.
func matches(pattern, words []string) bool {
	_, ok := cut(pattern, words)
	return ok
}

// cut takes a pattern off the beginning of words.
func cut(pattern, words []string) (rest []string, ok bool) {
	if len(pattern) == 0 || len(words) == 0 || !isProgram(pattern[0], words[0]) {
		return nil, false
	}
	return cutRest(pattern[1:], words[1:])
}

func cutRest(pattern, words []string) (rest []string, ok bool) {
	switch {
	case len(pattern) == 0:
		return words, true
	case pattern[0] == "...":
		for i := range words {
			if rest, ok := cutRest(pattern[1:], words[i:]); ok {
				return rest, true
			}
		}
		return nil, false
	case len(words) == 0:
		return nil, false
	case isWord(pattern[0], words[0]):
		return cutRest(pattern[1:], words[1:])
	case strings.HasPrefix(words[0], "-") && words[0] != "--" || strings.HasPrefix(words[0], "+"):
		return cutRest(pattern, words[skipped(words):])
	}
	return nil, false
}

// skipped is how many words an option takes.
func skipped(words []string) int {
	if len(words) > 1 && strings.Contains(valued, " "+words[0]+" ") {
		return 2
	}
	return 1
}

func isProgram(pattern, word string) bool {
	if !strings.Contains(pattern, "/") {
		word = strings.TrimSuffix(path.Base(strings.ReplaceAll(word, `\`, "/")), ".exe")
	}
	return isWord(pattern, strings.TrimPrefix(word, "./"))
}

// isWord holds a word against those that a pattern names for its place.
func isWord(pattern, word string) bool {
	for p := range strings.SplitSeq(pattern, "|") {
		switch {
		case p == word:
			return true
		case strings.HasPrefix(word, "-") && !strings.HasPrefix(p, "-"): // an option stands for no other word
		case strings.ContainsAny(p, "*?") && matchesWildcard(p, word):
			return true
		}
	}
	return false
}

// matchesWildcard holds a word against one in which only * and ? are special.
func matchesWildcard(pattern, word string) bool {
	expr := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
	return regexp.MustCompile("(?s)^" + expr + "$").MatchString(word)
}

// maxNested bounds how deep shells that run shells are followed.
const maxNested = 3

// simpleCommands are the simple commands of a command line, each as its words, in order, those of scripts that they
// hand to shells among them. A line that is no shell is one command.
func simpleCommands(command string, depth int) [][]string {
	simple, ok := check.SimpleCommands(command)
	if !ok {
		return [][]string{strings.Fields(command)}
	}
	var all [][]string
	for _, words := range simple {
		all = append(all, words)
		if script := scriptOf(words); script != "" && depth < maxNested {
			all = append(all, simpleCommands(script, depth+1)...)
		}
	}
	return all
}

// scriptOf is what a shell is told to run with -c, "" for nothing.
func scriptOf(words []string) string {
	i := slices.IndexFunc(words, func(w string) bool { return isProgram("bash|sh|zsh|dash|ksh", w) })
	if i < 0 {
		return ""
	}
	for j := i + 1; j < len(words)-1 && strings.HasPrefix(words[j], "-"); j++ {
		if !strings.HasPrefix(words[j], "--") && strings.HasSuffix(words[j], "c") {
			return words[j+1]
		}
	}
	return ""
}
