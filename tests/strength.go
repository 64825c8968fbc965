package tests

import (
	"strings"
	"sync"
)

// strength is how much an assertion demands; the greater demands more. Zero is an assertion that cannot be placed.
type strength int

const (
	unplaced  strength = iota
	tautology          // it holds whatever the code does
	nonNull
	truthy
	bound       // an order, an alternative, or that something is not so
	typed       // a type, a variant, a shape
	pattern     // a part, a prefix, a length, an expression of text
	approximate // a value within a tolerance
	exact       // a value
	structure   // a value with its type, or all of its fields
)

var strengthNames = [...]string{
	"something",
	"nothing",
	"that something is there", "that it is true",
	"a bound",
	"a type or shape",
	"a part or pattern",
	"a value within a tolerance",
	"an exact value",
	"an exact structure",
}

func (s strength) String() string { return strengthNames[s] }

// matcher is what a name of an assertion demands.
type matcher struct {
	strength strength
	// negative: it demands that something is not so.
	negative bool
	// unary: it has a subject and no expectation.
	unary bool
	// throws: the subject is code that is to fail.
	throws bool
}

// matcherWords are the names of assertions without case, underscores and what stands before them (assert, to, is, …).
var matcherWords = map[strength]string{
	structure: `strictequal deepstrictequal partialdeepstrictequal`,
	exact: `equal equals eq eql equalto be is same sameas sameinstance sameinstanceas samebeanas areequal aresame
		isequalto equalsto
		deepequal deepeqnal deepequals deepeq jsoneq jsonequals yamleq exactly containexactly containsexactly
		containsexactlyinorder
		matcharray containexactlyinanyorder elementsmatch countequal countsequal itemsequal dictequal listequal
		tupleequal setequal
		multilineequal sequenceequal arrayequals arrayequal iterableequals linesmatch stringequals streq strcaseeq xmlequal
		havebeencalledwith becalledwith calledwith calledoncewith havebeenlastcalledwith havebeennthcalledwith
		calledonceandonly hascalls anycall matchsnapshot matchinlinesnapshot snapshot matchesjsonsnapshot equivalent
		equivalentto beequivalentto shouldbe equaljson equalsjson jsonsnapshot yamlsnapshot debugsnapshot displaysnapshot
		haveproperty headerequals redirectedto output outputequals pathequals noerrorequal wasequal isidenticalto identical
		hasexactly errorsequal unorderedequals received havereceived equalvalues identicalto sameelements
		exporteq eqvalues
		throwerrormatchingsnapshot throwerrormatchinginlinesnapshot equalignoringcase equalvaluesf equalerror
		havetext haveurl havetitle havevalue`,
	approximate: `almostequal equalswithdelta
		closeto becloseto indelta inepsilon indeltaslice near doubleeq floateq equalwithin
		approx approximately
		isclose allclose almostequalto closeenough equalwithaccuracy within`,
	pattern: `contain contains containsstring match matches matchobject regexp regex matchesregularexpression
		startwith startswith
		startsswith endwith endswith include includes in haskey containkey containsentry hasentry containkeys arrayhaskey
		containelement hassubstr stringcontainsstring stringstartswith stringendswith havelength length size count
		haslen haslength len
		hascount havecount hassize empty isempty subset arraycontaining objectcontaining substring containsequence
		oneof anyof isin beoneof errorcontains includesmembers members havemembers havekeys throwerror
		contains_all containsall containsatleast havetextcontent containtext haveclass haveattribute hasproperty
		havestyle oneofthe single containsingle callcount calledtimes havebeencalledtimes
		callednth calledonce
		havebeencalledonce assertcalledonce`,
	typed: `instanceof isinstance isinstanceof beinstanceof isa bea bean type istype instance implements kindof
		typeof ok_
		err some none_ iserr issome isassignablefrom assignableto assignablefrom typename oftype containsinstancesof
		containsonly
		beoftype exactinstanceof containsonlyinstancesof beastruct respondto shape matchesschema isarray isstring
		isfloat isint
		isnumber isnumeric isbool isboolean isfunction isobject iscallable isiterable array string function object
		number boolean`,
	bound: `greater less greaterthan lessthan greaterorequal lessorequal greaterequal lessequal greaterthanorequal
		lessthanorequal greaterthanorequalto lessthanorequalto isgreaterthan islessthan between inrange atleast atmost
		above below gt lt ge le positive negative isabove isbelow isatleast isatmost begreaterthan belessthan
		isgreaterthanorequalto islessthanorequalto beatleast beatmost isbetween isbefore isafter before after different`,
	nonNull: `notnull notnil isnotnone isnotnull isnotnil defined isdefined exist exists present some_ notempty
		isnotempty
		fileexists notzero directoryexists bepresent isdefinedat notnone`,
	truthy: `true truthy ok istrue isok this that noerror doesnotthrow nothrow noexception doesnotraise
		nothingraised havebeencalled
		called yes unwrap success successful nothingthrown doesnotthrowanyexception completes doesnotthrowasync
		notthrow notthrowasync
		notthrowanyexception nothrowany noerrorf visible
		expect check require assert condition wascalled verify becalled`,
}

// nullWords, falseWords and failWords demand a value without naming it, that something is not true, or that code
// fails.
var (
	nullWords  = setOf(`null nil none undefined isnull isnil isnone isundefined benull benil zero`)
	falseWords = setOf(`false falsy notok isfalse refute isnotok fails befalse unless hidden`)
	throwWords = setOf(`iferror throw throws throwsexactly throwsasync throwsany throwsanyasync raise raises raiseserror
		raiseserrormatching raiseerror raisemessage
		rejects panics panicswithvalue panicswitherror panicserror thrown thrownby thatthrownby exception catch
		anythrow throwserror error
		errorIs erroris erroras errorf throwsasynciterator failswith thrownexactly throwexactly throwexactlyasync
		throwasync throwexactlyunit
		raisesregex raisesregexp warns warnsregex raisesmessage raiseexception throwstype throwany throwanyexception
		throwunit
		throwablethrownby exceptionofexactlytype codethrownby exceptionthrownby thatexceptionofType throwswithmessage
		intercept shouldthrow
		throwsas throwswith throwsmatches expectexception
		expectexceptionmessage expectexceptionmessagematches expectexceptionobject expectexceptioncode
		death exit`)
)

var matchers = sync.OnceValue(func() map[string]matcher {
	all := map[string]matcher{}
	for s, words := range matcherWords {
		for _, w := range strings.Fields(words) {
			all[w] = matcher{strength: s, unary: s == nonNull || s == truthy || w == "empty" || w == "isempty"}
		}
	}
	for w := range nullWords.all() {
		all[w] = matcher{strength: exact, unary: true}
	}
	for w := range falseWords.all() {
		all[w] = matcher{strength: truthy, unary: true, negative: true}
	}
	for w := range throwWords.all() {
		all[strings.ToLower(w)] = matcher{strength: truthy, throws: true}
	}
	return all
})

// before are what may stand before the name of a matcher.
var before = []string{
	"xctassert",
	"xct",
	"assert",
	"expect",
	"ensure",
	"should",
	"must",
	"wont",
	"require",
	"check",
	"verify",
	"warn",
	"debugassert",
	"tobe",
	"to",
	"have",
	"has",
	"be",
	"is",
	"are",
	"was",
	"that",
	"the",
	"equalthe",
}

// matcherOf returns what a name demands; ok is false for a name that is no assertion's.
func matcherOf(named string) (m matcher, ok bool) {
	key := strings.ToLower(strings.ReplaceAll(strings.TrimRight(named, "!?"), "_", ""))
	if key == "" {
		return m, false
	}
	for range 4 {
		if m, ok = matchers()[key]; ok {
			return m, true
		}
		for _, not := range []string{"not", "doesnot", "refute"} {
			if rest, found := strings.CutPrefix(key, not); found && rest != "" {
				if m, ok = matcherOf(rest); ok {
					return m.inverted(), true
				}
			}
		}
		if rest, found := strings.CutPrefix(key, "no"); found && len(rest) > 3 {
			if m, ok = matchers()[rest]; ok {
				return m.inverted(), true
			}
		}
		if key == "ne" {
			return matchers()["eq"].inverted(), true
		}
		if short, found := strings.CutSuffix(key, "f"); found { // testify's Equalf
			if m, ok = matchers()[short]; ok {
				return m, true
			}
		}
		cut := false
		for _, p := range before {
			if rest, found := strings.CutPrefix(key, p); found && rest != "" {
				key, cut = rest, true
				break
			}
		}
		if !cut {
			return m, false
		}
	}
	return m, false
}

// inverted is what the negation of a matcher demands: that a value is another one is but a bound.
func (m matcher) inverted() matcher {
	m.negative = !m.negative
	switch {
	case m.throws:
		return matcher{strength: truthy, negative: true, throws: true}
	case m.strength == exact && m.unary:
		m.strength = nonNull
	case m.strength == nonNull:
		m.strength, m.unary = exact, true
	case m.strength > bound:
		m.strength = bound
	}
	return m
}
