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
	// hasResult: the function declares a result.
	hasResult bool
	// swallows: nothing follows from a failure. retries: a loop tries until it succeeds.
	swallows, retries bool
	// isDropped: the failures of the current statement are swallowed.
	isDropped bool
	// answers are its results, each in one line, without repetitions. An error that it passes on is one of them.
	answers []string
	steps   int
}

// swallows reports whether nothing follows from a failure in a function, so that its caller cannot know of it: it
// answers the same, or nothing. saysSuccess: it answers that it succeeded.
func (f *File) swallows(fn *Function) (swallows, saysSuccess bool) {
	s := swallower{file: f, hasResult: fn.HasResult}
	s.walk(fn.Body, fn.ReturnsLast, false)
	if !s.swallows || s.retries || len(s.answers) > 1 || s.steps > maxSteps {
		return false, false
	}
	isNoError := f.Language.Name == "go" && slices.Equal(s.answers, []string{"nil"}) && lang.HasWord(fn.Header, "error")
	return true, isNoError || len(s.answers) > 0 && fits("success", s.answers[0])
}

func (s *swallower) answer(t *facts.Term) {
	text := strings.Trim(strings.TrimPrefix(s.file.text(t), "return"), "; \t\r\n")
	if text = strings.Join(strings.Fields(text), " "); !slices.Contains(s.answers, text) {
		s.answers = append(s.answers, text)
	}
}

// walk reads a term; with tail, its value is the function's result.
func (s *swallower) walk(t *facts.Term, tail, loops bool) {
	text, isIdle, last := s.file.text(t), false, lastOf(t.Parts)
	switch s.steps++; t.Op {
	case facts.Closure, facts.Define:
		return
	case facts.Return:
		s.answer(t)
		return
	case facts.Raise:
		if !s.isDropped {
			s.answer(t)
		}
		return
	case facts.Branch:
		isIdle = fits("on failure", text) && s.isIdle(t.Parts[1:])
	case facts.Loop:
		loops, tail = true, false
	case facts.Block, facts.Try, facts.Handler:
		isIdle = slices.ContainsFunc(t.Parts, s.drops)
		s.retries = s.retries || isIdle && loops && (lang.HasWord(text, "return") || lang.HasWord(text, "break"))
	default:
		s.swallows = s.swallows || fits("dropped failure", text) && !fits("closes", text)
		if passesOn := s.file.Language.Name == "rust" && strings.Contains(text, "?"); passesOn ||
			tail && (s.hasResult || t.Op != facts.Call && t.Op != facts.Unknown) {
			s.answer(t)
		}
		return
	}
	s.swallows = s.swallows || isIdle
	isDropped := s.isDropped
	for i, part := range t.Parts {
		s.isDropped = isDropped || isIdle && !isOutOfSequence(part)
		s.walk(part, tail && (i == last || part.Op == facts.Handler || t.Op == facts.Branch && i > 0), loops)
	}
	s.isDropped = isDropped
}

// drops reports whether a part of a statement drops the failures of the parts before it: a handler that is idle, or
// code that runs in any case, and returns.
func (s *swallower) drops(t *facts.Term) bool {
	return t.Op == facts.Handler && s.isIdle(t.Parts) || t.Op == facts.Block && t.Text == "after" && leaves(t)
}

// isIdle reports whether statements do no more than log, and answer with a constant.
func (s *swallower) isIdle(parts []*facts.Term) bool {
	return !slices.ContainsFunc(parts, func(t *facts.Term) bool {
		switch t = t.Single(); t.Op {
		case facts.Nothing, facts.Literal, facts.Jump, facts.Empty, facts.Declare:
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
