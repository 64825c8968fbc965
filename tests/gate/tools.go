package gate

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/language"
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

// toolNames are the tools, a line a purpose and a world; a subcommand follows its tool after a colon.
const toolNames = `
test python pytest py.test nosetests nose2 unittest trial stestr green ward behave doctest manage.py:test
test python setup.py:test runtests.py slipcover
test js jest vitest mocha ava tap tape jasmine karma qunit uvu cypress playwright wdio testcafe nightwatch
test js web-test-runner wtr borp node:--test bun:test deno:test react-scripts:test ng:test vue-cli-service:test:unit
test js lab
test go go:test gotestsum ginkgo richgo
test rust cargo:test cargo:nextest cargo:miri cargo:llvm-cov cargo:tarpaulin cargo:hack cargo:t
test jvm mvn sbt lein
test dotnet dotnet:test dotnet:vstest vstest nunit3-console xunit.console
test ruby rspec minitest cucumber rails:test rake:test rake:spec
test php phpunit pest paratest codecept behat phpspec simple-phpunit infection artisan:test
test swift swift:test xcodebuild xctest fastlane:test
test c ctest meson:test
test elixir mix:test
test any bats busted prove bazel:test cabal:test stack:test dart:test flutter:test runtest testscript
lint python flake8 ruff pylint pycodestyle pydocstyle pyflakes vulture interrogate pyroma
lint js eslint biome oxlint standard xo tslint jshint jscs stylelint markdownlint markdownlint-cli2 htmlhint knip
lint js depcheck neostandard lint-staged
lint go golangci-lint go:vet staticcheck golint revive errcheck
lint rust cargo:clippy
lint ruby rubocop standardrb reek
lint php phpcs phpmd
lint jvm ktlint detekt checkstyle spotbugs spotless
lint swift swiftlint
lint elixir mix:credo
lint c clang-tidy cppcheck
lint any shellcheck hadolint actionlint yamllint codespell typos cspell luacheck zizmor commitlint super-linter
lint any twine:check
format python black isort ruff:format yapf autopep8
format js prettier dprint biome:format
format go gofmt goimports gofumpt
format rust cargo:fmt rustfmt
format php php-cs-fixer pint
format swift swiftformat swift-format
format c clang-format
format elixir mix:format
format dotnet dotnet:format
types python mypy pyright basedpyright pytype pyre ty
types js tsc vue-tsc tsd flow attw publint svelte-check
types php phpstan psalm phan
types ruby steep srb:tc
types elixir dialyzer mix:dialyzer
types rust cargo:check cargo:semver-checks
security any npm:audit pnpm:audit yarn:audit pip-audit safety govulncheck cargo:audit cargo:deny bundler-audit
security any bundle-audit trivy snyk gitleaks semgrep codeql bandit brakeman gosec dependency-review
coverage python coverage:report
coverage any coverage-check diff-cover
build go go:build
build rust cargo:build
build dotnet dotnet:build
build swift swift:build
checks any tox nox pre-commit prek hatch:test trunk:check lefthook
`

// known are the tools by their names, with a subcommand where that decides.
var known = sync.OnceValue(func() map[string]tool {
	all := map[string]tool{}
	for line := range strings.Lines(toolNames) {
		words := strings.Fields(line)
		for i, name := range words {
			if i > 1 {
				all[strings.Replace(name, ":", " ", 1)] = tool{purpose(words[0]), strings.TrimPrefix(words[1], "any")}
			}
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

// wrappers are programs that run another, each between commas.
const wrappers = `,env,time,nice,nohup,command,exec,sudo,xvfb-run,timeout,gtimeout,winpty,arch,retry,then,do,&,
,python,python2,python3,py,pypy3,php,ruby,bash,sh,source,.,c8,nyc,cross-env,dotenv,start-server-and-test,
,npx,bunx,pnpm exec,pnpm dlx,yarn exec,yarn dlx,npm exec,bundle exec,mise exec,coverage run,
,poetry run,uv run,uv tool run,uvx,pipenv run,pipx run,pdm run,rye run,hatch run,`

// valued are options of wrappers with a value of their own, each between blanks.
const valued = ` -p -u -s -a --with --group --extra --python --source --rcfile --package --only-group --directory
 --with-requirements `

// unwrapped are the words of a run without the programs that only run another.
func unwrapped(words []string) []string {
	for len(words) > 0 {
		words = slices.Clone(words)
		words[0] = strings.TrimSuffix(strings.TrimSuffix(base(words[0]), ".exe"), ".cmd")
		if strings.HasPrefix(words[0], "python3.") || strings.HasPrefix(words[0], "$") && slices.Index(words, "-m") == 1 {
			words[0] = "python"
		}
		n := min(3, len(words))
		for n > 0 && !strings.Contains(wrappers, ","+strings.Join(words[:n], " ")+",") {
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
			if strings.Contains(valued, " "+rest[0]+" ") && len(rest) > 2 {
				rest = rest[1:]
			}
			rest = rest[1:]
		}
		words = rest
	}
	return words
}

var assignment = language.Lazy(`^[A-Za-z_]\w*=`)

// checksOf are the checks that a run is; nil for one that checks nothing.
func checksOf(r run) []check {
	words := unwrapped(r.words)
	if len(words) == 0 || slices.ContainsFunc(words, isQuestion) {
		return nil
	}
	words[0] = strings.TrimSuffix(words[0], ".phar")
	if all, ok := tasks(words); ok {
		for i := range all {
			all[i].forgiven = r.forgiven
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
	c := check{tool: t, name: name, args: args, forgiven: r.forgiven}
	if c.purpose == forFormat && !slices.ContainsFunc(args, looksOnly) {
		return nil
	}
	return []check{c}
}

// scriptOf is a script of the tree that is run, where its name says that it checks.
func scriptOf(r run, words []string) []check {
	p := purposeOf(strings.TrimSuffix(words[0], path.Ext(words[0])))
	at := slices.IndexFunc(r.words, func(w string) bool {
		return base(w) == words[0] && w[0] != '/' && (strings.Contains(w, "/") || scriptEnds.MatchString(w))
	})
	if p == "" || at < 0 {
		return nil
	}
	return []check{{tool: tool{p, ""}, name: "run " + words[0], forgiven: r.forgiven}}
}

// scriptEnds matches the names of scripts.
var scriptEnds = language.Lazy(`\.(sh|bash|ps1|cmd|bat|py|rb|php|m?js|ts)$`)

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

var looking = language.Lazy(`^--?(check|diff|list-different|dry-run|lint|test|error|verify-no-changes|Werror|set-exit)`)
