package worklog

import (
	"cmp"
	"context"
	"errors"
	"unicode/utf8"
)

// ModelTokens are what a session's model was sent and answered, in tokens, as the agent's host counts them: what the
// work has cost, of which Summary.Tokens estimates the part that is Acta's.
type ModelTokens struct {
	// Input is all that was sent, what the model had in its cache included.
	Input  int `json:"input"`
	Output int `json:"output"`
}

// UseTokens adds to the tokens of the session. How it began is not written over where it cannot be read: somebody may
// mend it.
func (l *Live) UseTokens(ctx context.Context, n ModelTokens) (err error) {
	if l.lost != nil || n == (ModelTokens{}) {
		return nil
	}
	unlock, err := lockBeginnings(ctx, l.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if before := l.Used; before != nil {
		n.Input, n.Output = n.Input+before.Input, n.Output+before.Output
	}
	l.Used = &n
	return l.writeBeginning()
}

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
