package flow

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// swallower looks for failures that a function swallows, and for what it answers.
type swallower struct {
	file *File
	fn   *Function
	// swallows: a failure is swallowed. acts: something else is done, whose failures the caller may see.
	// overrides: code that runs in any case answers instead of a failure.
	swallows, acts, overrides bool
	// isSwallowed: the failures of the current statement are swallowed. isInLoop: it may be done again.
	isSwallowed, isInLoop bool
	// answers are its results, each in one line, without repetitions. An error that it passes on is one of them.
	answers []string
	steps   int
}

// swallows reports whether a function swallows the failures of all that it does, and gives its caller one answer or
// none. saysSuccess: it answers that it succeeded.
func (f *File) swallows(fn *Function) (swallows, saysSuccess bool) {
	s := swallower{file: f, fn: fn}
	s.walk(fn.Body, fn.ReturnsLast)
	if !s.overrides && (!s.swallows || s.acts) || len(s.answers) > 1 || s.steps > maxSteps {
		return false, false
	}
	isNoError := f.Language.Name == "go" && slices.Equal(s.answers, []string{"nil"}) && fits("error result", fn.Header)
	return true, isNoError || len(s.answers) > 0 && fits("success", s.answers[0])
}

func (s *swallower) answer(t *facts.Term) {
	text := strings.Trim(strings.TrimPrefix(s.file.text(t), "return"), "; \t\r\n")
	if text = strings.Join(strings.Fields(text), " "); !slices.Contains(s.answers, text) {
		s.answers = append(s.answers, text)
	}
}

// walk reads a statement; with tail, its value is the function's result.
func (s *swallower) walk(t *facts.Term, tail bool) {
	text, drops, last := s.file.text(t), false, lastOf(t.Parts)
	if s.steps++; s.steps > maxSteps {
		return
	}
	switch t.Op {
	case facts.Closure, facts.Define:
		return
	case facts.Return, facts.Raise:
		if t.Op == facts.Return || !s.isSwallowed {
			s.answer(t)
		}
		return
	case facts.Branch:
		drops = len(t.Parts) > 1 && fits("on failure", text) && !slices.Contains(s.fn.Params, "err") &&
			!leaves(t.Parts[1]) && s.isIdle(slices.DeleteFunc(slices.Clone(t.Parts[1].Parts), isDeclaration))
	case facts.Block, facts.Try, facts.Handler:
		drops = slices.ContainsFunc(t.Parts, overrides)
		s.overrides = s.overrides || drops
		drops = drops || slices.ContainsFunc(t.Parts, s.isIdleHandler)
	case facts.Loop:
		tail = false
	default:
		s.expression(t, text, tail)
		return
	}
	drops = drops && (s.overrides || !s.isInLoop && !fits("closes", text))
	s.swallows = s.swallows || drops
	isSwallowed, isInLoop := s.isSwallowed, s.isInLoop
	s.isInLoop = isInLoop || t.Op == facts.Loop
	for i, part := range t.Parts {
		s.isSwallowed = isSwallowed || drops && (!isOutOfSequence(part) || overrides(part) || s.isIdleHandler(part))
		s.walk(part, tail && (i == last || part.Op == facts.Handler || t.Op == facts.Branch && i > 0))
	}
	s.isSwallowed, s.isInLoop = isSwallowed, isInLoop
}

func isDeclaration(t *facts.Term) bool { return t.Op == facts.Declare }

func (s *swallower) expression(t *facts.Term, text string, tail bool) {
	drops := !tail && !s.isInLoop && fits("dropped failure", text) && lang.HasListedWord("outside", text) &&
		!fits("closes", text)
	s.swallows = s.swallows || drops
	s.acts = s.acts || !drops && !s.isSwallowed && s.isVisible(t)
	if tail && (s.fn.HasResult || t.Op != facts.Call && t.Op != facts.Unknown) {
		s.answer(t)
	}
}

// isVisible reports whether an expression sets what others see, or calls what may fail, other than for an error that it
// keeps.
func (s *swallower) isVisible(t *facts.Term) bool {
	isKept := (t.Op == facts.Bind || t.Op == facts.Declare) && slices.ContainsFunc(t.Parts, func(p *facts.Term) bool {
		return p.Op == facts.Name && strings.HasSuffix(strings.ToLower(p.Text), "err")
	})
	switch {
	case isKept:
		return false
	case t.Op == facts.Bind && t.Parts[0].Op != facts.Name, t.Op == facts.Call && !s.file.staysInMemory(t),
		t.Op == facts.Unknown && !fits("harmless", s.file.text(t)):
		return true
	}
	return slices.ContainsFunc(t.Parts, s.isVisible)
}

// overrides reports whether code that runs in any case leaves the function, and so drops any failure before it.
func overrides(t *facts.Term) bool { return t.Op == facts.Block && t.Text == "after" && leaves(t) }

// isIdleHandler reports whether a term is a handler that does nothing about the failures before it.
func (s *swallower) isIdleHandler(t *facts.Term) bool {
	return t.Op == facts.Handler && (fits("catches all", t.Text) || fits("catches failures", t.Text)) && s.isIdle(t.Parts)
}

// isIdle reports whether statements do no more than log, and answer with a constant.
func (s *swallower) isIdle(parts []*facts.Term) bool {
	return !slices.ContainsFunc(parts, func(t *facts.Term) bool {
		switch t = t.Single(); t.Op {
		case facts.Nothing, facts.Literal, facts.Empty:
			return false
		case facts.Name:
			return !facts.IsNull(t.Text) && !facts.IsTrue(t.Text)
		case facts.Block, facts.List, facts.Return:
			return !s.isIdle(t.Parts)
		case facts.Call:
			kind := s.file.Language.CalleeOf(t.Text, lastName(t.Text))
			return kind != lang.Talks && kind != lang.Shows && !fits("success", s.file.text(t))
		}
		return true
	})
}
