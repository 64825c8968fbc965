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
func (o *Operation) shorten() {
	if short := shortened(o.Context, entryTokens*bytesPerToken); short != o.Context {
		if o.Action == Bash {
			o.Details.Command = o.Context
		}
		o.Context = short
	}
	o.Tokens = min(o.Tokens, entryTokens)
}

// Command is the command of a Bash operation.
func (o *Operation) Command() string { return cmp.Or(o.Details.Command, o.Context) }

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
