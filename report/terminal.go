package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Terminal prints all text for people. File names, actors and messages are untrusted: they must not move a cursor,
// reverse a line, or command the CI service that reads the output. So Write escapes control and bidi characters, and
// breaks up the «::» and «##[» of workflow commands. JSON is not changed.
type Terminal struct {
	out       io.Writer
	hasColour bool

	mu sync.Mutex
	// isInLine: the line has begun; hashes counts the «#» directly before.
	isInLine bool
	hashes   int
	// partialRune is a character that the last Write cut in two.
	partialRune []byte
	lines       int
	// firstErr is the first error of out.
	firstErr error
}

// NewTerminal writes to out; with colour it paints the word error, warning or note of a line.
func NewTerminal(out io.Writer, hasColour bool) *Terminal {
	return &Terminal{out: out, hasColour: hasColour}
}

// Raw is the writer below, for formats that escape by themselves.
func (t *Terminal) Raw() io.Writer { return t.out }

// Printf is fmt.Fprintf with every argument on one line; errors of several lines are indented. Err returns write
// errors.
func (t *Terminal) Printf(format string, args ...any) {
	lines := make([]any, len(args))
	for i, a := range args {
		lines[i] = oneLineArg{a}
	}
	_, _ = fmt.Fprintf(t, format, lines...)
}

// oneLineArg is a value that is printed on one line.
type oneLineArg struct{ value any }

func (o oneLineArg) Format(f fmt.State, verb rune) {
	if verb != 's' && verb != 'v' {
		fmt.Fprintf(f, fmt.FormatString(f, verb), o.value)
		return
	}
	text := fmt.Sprint(o.value)
	if _, several := o.value.(error); several {
		lines := strings.Split(text, "\n")
		for i := range lines {
			lines[i] = OneLine(lines[i])
		}
		text = strings.Join(lines, "\n    ")
	} else {
		text = OneLine(text)
	}
	fmt.Fprintf(f, fmt.FormatString(f, 's'), text)
}

// Write prints text, made visible.
func (t *Terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := append(t.partialRune, p...)
	t.partialRune = nil
	if cut := incomplete(text); cut > 0 {
		t.partialRune, text = append(t.partialRune, text[len(text)-cut:]...), text[:len(text)-cut]
	}
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		t.line(&b, line)
	}
	t.lines += strings.Count(b.String(), "\n")
	if _, err := io.WriteString(t.out, b.String()); err != nil {
		t.firstErr = cmp.Or(t.firstErr, err)
		return 0, err
	}
	return len(p), nil
}

// Lines is how many lines were written.
func (t *Terminal) Lines() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lines
}

// Err is the first error in writing.
func (t *Terminal) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.firstErr
}

// incomplete is how many bytes at the end begin a character that has not come yet.
func incomplete(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// severityPattern finds the severity at the beginning of a line. It is compiled only if a terminal shows colour, to
// start faster.
var severityPattern = LazyRegexp(`^(?:[^\s{\[<"][^"]*?: )?(error|warning|note): `)

// line prints a line or a part of one.
func (t *Terminal) line(b *strings.Builder, line string) {
	if t.hasColour && !t.isInLine {
		if at := severityPattern().FindStringSubmatchIndex(line); at != nil {
			t.writeText(b, line[:at[2]])
			severity := line[at[2]:at[3]]
			b.WriteString("\x1b[" + colours[severity] + "m" + severity + "\x1b[0m")
			line = line[at[3]:]
		}
	}
	t.writeText(b, line)
}

var colours = map[string]string{"error": "1;31", "warning": "1;33", "note": "1;36"}

// writeText prints the text. GitHub's runner skips blanks before «::», and obeys the older «##[» anywhere.
func (t *Terminal) writeText(b *strings.Builder, text string) {
	for i, r := range text {
		command := r == ':' && !t.isInLine && (i+1 == len(text) || text[i+1] == ':') || r == '[' && t.hashes >= 2
		_, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n', r == '\t':
			b.WriteRune(r)
		case command:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			writeVisible(b, text[i:i+size], r)
		}
		t.isInLine = r != '\n' && (t.isInLine || r != ' ' && r != '\t')
		if t.hashes++; r != '#' {
			t.hashes = 0
		}
	}
}

// OneLine escapes line breaks and control characters.
func OneLine(s string) string {
	var b strings.Builder
	for i, r := range s {
		_, size := utf8.DecodeRuneInString(s[i:])
		switch r {
		case '\n':
			b.WriteString(`\n`)
		case '\t':
			b.WriteByte(' ')
		default:
			writeVisible(&b, s[i:i+size], r)
		}
	}
	return b.String()
}

// writeVisible prints a character that can be seen, or how JSON escapes it; raw are its bytes.
func writeVisible(b *strings.Builder, raw string, r rune) {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		fmt.Fprintf(b, `\x%02x`, raw)
	case r == '\r':
		b.WriteString(`\r`)
	case isHidden(r):
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		b.WriteString(raw)
	}
}

// isHidden reports whether a character is a control character, ends a line to some, or turns the text around it.
func isHidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}
