package evidence

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// outcome is what all of a body comes to. The zero value is that of a body that does something, or was not looked at.
type outcome uint8

const (
	does    outcome = iota
	nothing         // every part of it does nothing
	says            // all it does is say that it is not done
	gives           // it gives back constants or its first argument, perhaps after logs; words decide
	itself          // it calls itself with its own arguments
	dead            // nothing that can be reached does anything, and something cannot be
)

// effect is the judgement of one body.
type effect struct {
	outcome outcome
	// talks: it logs, prints or sleeps; null: all it gives back is nothing.
	talks, null bool
	// reads: it depends on, or prints, what it was given or computes.
	reads bool
	// shown: it prints or logs what it is given.
	shown bool
	// raises: it ends what goes on, without a word.
	raises bool
	// returned: a return without a value is in it.
	returned bool
	// nameless: it has parameters, and none of them has a name.
	nameless bool
	// endless: it goes round in a loop that does nothing, for ever.
	endless bool
	// result: its header declares that it gives something back.
	result bool
	// shapes: it does something, but no more than to give back, in another shape, what it is given.
	shapes bool
	// doubt says why what seems to work may not; see flow.Effect. fn is what flow follows, while the file is read.
	doubt string
	fn    *flow.Function
	// stores: all that it does is to keep what it is given in its object.
	stores bool
	// strings are the literals in it, those of its documentation left out.
	strings []stretch
}

// value judges an expression.
type value uint8

const (
	empty    value = iota // nothing at all: null, an empty list
	constant              // written out
	made                  // an object made of constants
	first                 // the first argument
	computed              // computed, without an effect
	talk                  // a log, a print, a sleep
	mutter                // one that says that the work is not done
	unmade                // an error that says that it is not done
	same                  // a call to itself with its own arguments
	act                   // it does something
)

// outlet is how a statement ends.
type outlet uint8

const (
	goesOn outlet = iota
	leaves
	acts
)

// maxJudged bounds the nodes of a body that are looked at; one that needs more does something.
const maxJudged = 600

// judgement is the recursion over one body.
type judgement struct {
	facts.Reader
	grammar *grammar
	whole   stretch // the definition's body
	name    string
	params  []string
	self    []string // what stands for the object of a method
	owners  []string // what its own name may be written after: its type, or the object that it is given to
	alone   string   // the name that it has to itself alone, in a function expression
	headed  string   // the header
	method  bool
	matches bool // its parameters are patterns, which read what they take

	locals map[string]value
	shared []string
	given  []value
	texts  []string // of what is given
	bounds []string // the names that patterns and loops give what they match
	effect
	unmade, itself, dead, imports bool
	ways                          bool // it has branches
	elsewhere                     bool // it names what it is neither given nor makes
	calls, bound                  int
	slots                         int // parameters, with names or without
}

// effectOf judges the body of a definition. n is its node, or that of the value that a name is bound to.
func (r *reader) effectOf(n *syntax.Node, c capture, expression bool) effect {
	body := c.body
	if len(r.roles) == 0 || body == (stretch{}) || !r.isAsked(n) {
		return effect{}
	}
	r.asked = max(r.asked, n.End())
	j := r.judgement(body)
	j.header(n, body, c.name)
	j.callAs(n, c)
	body.end = max(body.start, min(body.end, n.End())) // a language may count a comment to it
	parts, around := statements(n, body)
	blanked := r.readable != nil && isBlanked(r.src[body.start:body.end], r.readable[body.start:body.end])
	if expression && len(parts) == 0 && facts.IsNull(strings.TrimSpace(string(r.src[body.start:body.end]))) {
		j.give(empty) // a token without a name
		return j.judge()
	}
	if around == nil || blanked || len(parts) == 0 && j.hasLoose(body) {
		return effect{} // what the grammar could not read may act
	}
	end := goesOn
	if expression {
		end = j.give(j.valueOf(parts))
	} else {
		end = j.block(parts, r.grammar.Tail && !hasNoResult(n))
	}
	if end == acts || j.Left < 0 {
		return effect{}
	}
	e := j.judge()
	e.nameless = j.nameless
	e.result = e.outcome != does && declaresResult(n, r.src, body)
	if e.outcome == nothing && j.returned && namesResult(n) {
		e.outcome, e.null = gives, true
	}
	return e
}

// judgement begins the recursion over a stretch of the source.
func (r *reader) judgement(whole stretch) *judgement {
	return &judgement{Reader: facts.Reader{Roles: r.roles, Words: r.words, Src: r.src, Left: maxJudged},
		grammar: r.grammar, whole: whole, locals: map[string]value{}}
}

// statements returns the nodes that make up a body, and the node around them.
func statements(n *syntax.Node, body stretch) ([]*syntax.Node, *syntax.Node) {
	for range maxWraps * 4 {
		var inner *syntax.Node
		for _, child := range n.NamedChildren() {
			at := stretch{child.Start(), child.End()}
			if at.start <= body.start && body.end <= at.end {
				inner = child
				break
			}
			if at.start >= body.end {
				break
			}
		}
		if inner == nil {
			break
		}
		if inner.Start() == body.start && inner.End() == body.end {
			return []*syntax.Node{inner}, inner
		}
		n = inner
	}
	var parts []*syntax.Node
	for _, child := range n.NamedChildren() {
		if child.Start() >= body.start && child.End() <= body.end {
			parts = append(parts, child)
		}
	}
	return parts, n
}

// isBlanked reports whether the grammar was given less of a body than it holds, its semicolons and the blanks of
// Unicode aside. Most bodies are given as they are, which is told without a copy.
func isBlanked(body, readable []byte) bool {
	return !bytes.Equal(body, readable) && !bytes.Equal(withoutEnds(body), withoutEnds(readable))
}

// withoutEnds is a body without its semicolons and the blanks of Unicode, which may be blanked for a grammar.
func withoutEnds(body []byte) []byte {
	for _, blank := range []string{";", "\u2028", "\u200e", "\u200f"} {
		body = bytes.ReplaceAll(body, []byte(blank), bytes.Repeat([]byte{' '}, len(blank)))
	}
	return body
}

// judge sums up a body that acts nowhere.
func (j *judgement) judge() effect {
	e := j.effect
	if j.shapes {
		return effect{shapes: !j.unmade && !j.itself && !j.dead && !j.imports && !j.elsewhere}
	}
	known := value(0)
	for _, v := range j.given {
		known = max(known, v)
	}
	e.null = len(j.given) > 0 && known == empty && !j.reads && !j.shown && !j.imports
	texts := len(slices.Compact(slices.Sorted(slices.Values(j.texts))))
	varied := (j.reads || j.shown) && texts > 1
	switch {
	case j.unmade:
		e.outcome = says
		if j.reads || j.shown {
			return effect{} // a guard
		}
	case j.itself:
		e.outcome = itself
		if j.reads || e.talks || j.imports {
			return effect{} // guarded, or of another that is imported under its name
		}
	case varied:
		return effect{}
	case j.dead:
		e.outcome = dead
	case e.null && j.ways && !e.talks && !e.result, len(j.given) == 0 && !e.talks:
		if e.outcome = nothing; j.imports || j.tries() {
			return effect{} // for its effect
		}
	default:
		e.outcome = gives
	}
	return e
}

// hasLoose reports whether a body in which the grammar sees nothing holds more than brackets and comments.
func (j *judgement) hasLoose(body stretch) bool {
	text := bytes.TrimSpace(bytes.Trim(bytes.TrimSpace(j.Src[body.start:body.end]), "{}"))
	return len(text) > 0 && !bytes.HasPrefix(text, []byte("return")) && bytes.IndexByte(text, '\n') < 0 &&
		lang.IsWordByte(text[0])
}

// tries reports whether a local takes what was made or computed, and is not used: that it can be made is what was
// wanted.
func (j *judgement) tries() bool {
	for _, v := range j.locals {
		if v > constant {
			return true
		}
	}
	return false
}
