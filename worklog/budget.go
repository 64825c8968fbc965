package worklog

import (
	"cmp"
	"unicode/utf8"
)

// What an entry may cost, in tokens: the limits that the worklog was specified with. An ACT costs what its report does.
const (
	entryTokens        = 30
	verificationTokens = 75
	bytesPerToken      = 4
)

// shorten cuts the context to what an entry may cost. A command stays whole beside it: claims are held against it.
func (e *Operation) shorten() {
	if short := shortened(e.Context, entryTokens*bytesPerToken); short != e.Context {
		if e.Action == Bash {
			e.Details.Command = e.Context
		}
		e.Context = short
	}
	e.Tokens = min(e.Tokens, entryTokens)
}

// Command is the command of a Bash operation.
func (e *Operation) Command() string { return cmp.Or(e.Details.Command, e.Context) }

// shortened is a text of at most so many bytes, which says that it was longer.
func shortened(text string, most int) string {
	const more = "…"
	if len(text) <= most {
		return text
	}
	end := most - len(more)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + more
}

// Tokens estimates how many tokens so many bytes are, rounded up.
func Tokens(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }
