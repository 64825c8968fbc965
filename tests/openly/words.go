package openly

import "strings"

// askingWords ask for less, each by what its forms begin with. docs/tests.md has how often each is said.
var askingWords = strings.Fields(`remov drop delet skip disabl ignor xfail xtest xit flak loosen relax lower deprecat
	revert suppress silenc allow unsupport exclud omit mut weaken reduc quarantin sporadic unreliabl unstabl retir prun
	happ appeas pacif placat quiet`)

// renewing say that what is kept is written anew, each by what its forms begin with; snapshotWords what that is.
var (
	renewing      = strings.Fields(`updat regenerat refresh renew rerecord rebaselin bless`)
	snapshotWords = set(`snapshot snapshots golden goldens baseline baselines snaps`)
)

// askingPairs are those of two words.
var askingPairs = [][2]string{
	{"no", "longer"}, {"not", "supported"}, {"comment", "out"}, {"commented", "out"}, {"turn", "off"}, {"turned", "off"},
	{"get", "rid"}, {"opt", "out"}, {"stop", "running"}, {"stop", "testing"},
}

// gatesAlone are words that say too much else of code to speak of its tests.
var gatesAlone = set(`allow lower reduc mut unstabl happ appeas pacif placat quiet`)

// endings are what an asking word may have behind its beginning.
var endings = set(`- e es ed d s ing al als ion ions y iness ped pping ting ring ance able`)

// negations stand before an asking word that asks for nothing.
var negations = set(`not t never without longer stop un instead avoid prevent`)

var conjunctions = set(`and but so because while then also plus or`)

// doing are the verbs by which messages tell what else a commit does.
var doing = set(`add adds added fix fixes fixed make makes use uses update updates upgrade bump bumps implement improve
	refactor move moves rename renames change changes replace replaces introduce rewrite convert clean handle create
	enable switch migrate adjust simplify document correct ensure set put return restore extend support keep write`)

// testWords are those by which a clause speaks of tests, jobWords those by which it speaks of what runs checks.
var (
	testWords = set(`test tests testing unittest unittests spec specs suite suites case cases assertion assertions assert
		check checks coverage tested`)
	jobWords = set(`job jobs workflow workflows step steps pipeline pipelines target targets hook hooks script scripts
		action actions matrix`)
)

// testObjects are what a test is called, and linking the words that may follow where nothing more is said of what.
var (
	testObjects = set(`test tests spec specs case cases testcase testcases unittest unittests`)
	linking     = set(`that which who where when while because since until if as for of in from to with and on by at is
		are was`)
)

// idle are words that name nothing: of English, of how tests and their files are called, of what runs everything.
var idle = set(`a an the of to in on at by for with without and or not no is are be it its this that when if then else
	should must can cannot does do doesn t s as from into only new old all any some each one two same other than after
	before test tests testing spec specs suite case cases unit integration e2e returns return works work correctly
	handles handle throws throw given expect expected assert asserts ok check checks src lib libs main index init mod
	core common internal pkg app packages crates java kotlin scala python js ts jsx tsx py go rs rb php swift cs c cpp h
	github workflows workflow circleci ci build run make npm pnpm yarn npx cargo dotnet bundle exec gradle gradlew mvn mvnw
	composer uv poetry script scripts yml yaml toml json cfg ini xml settings config conf rules rule linters linter lint
	parameters true false error warn warning off ignore ignores enable disable exclude excludes exclusions select
	allow suppress warnings suppresswarnings noqa nolint type line next name uses steps jobs job value values function
	method class code file files tools tool project base shared data`)

// set are the words of a text; «-» is the empty one.
func set(words string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(words) {
		all[strings.TrimPrefix(w, "-")] = true
	}
	return all
}

// askingWord is the asking word that one of some words is a form of.
func askingWord(words []string) string { return formOf(askingWords, words) }

// formOf is the beginning of which one of the words is a form, "" for none.
func formOf(beginnings, words []string) string {
	for _, w := range words {
		for _, beginning := range beginnings {
			if rest, ok := strings.CutPrefix(w, beginning); ok && endings[rest] {
				return beginning
			}
		}
	}
	return ""
}

// askingPair is the asking word of two that some words begin with.
func askingPair(words []string) string {
	for _, p := range askingPairs {
		if len(words) > 1 && words[0] == p[0] && words[1] == p[1] {
			return p[0] + " " + p[1]
		}
	}
	return ""
}

// related reports whether two words are forms of one: total and totals, deprecated and deprecation.
func related(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	lost := 0 // how many letters of the shorter one an ending may change
	switch {
	case len(a) >= 8:
		lost = 2
	case len(a) >= 6:
		lost = 1
	}
	same := 0
	for same < len(a) && a[same] == b[same] {
		same++
	}
	return same >= 3 && same >= len(a)-lost && len(b)-same <= 3+lost || a == b
}
