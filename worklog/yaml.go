package worklog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/localstate"
)

// toYAML is a value as YAML, by its JSON: the same keys in the same order, in block style. A session is written whole
// at every flush, over which goccy/go-yaml takes longer than all the rest; go.yaml.in/yaml is quicker, but writes
// texts that readers of YAML 1.2 read as others (U+2028), or not at all (<<).
func toYAML(v any) ([]byte, error) {
	data, err := localstate.Line(v)
	if err != nil {
		return nil, err
	}
	w := &blockWriter{dec: json.NewDecoder(bytes.NewReader(data))}
	w.dec.UseNumber() // as written
	err = w.value(0, atTop)
	return w.out.Bytes(), err
}

// blockWriter turns the tokens of a JSON text into YAML.
type blockWriter struct {
	dec *json.Decoder
	out bytes.Buffer
}

// place is what a value stands behind.
type place int

const (
	atTop place = iota
	afterKey
	afterDash
)

// value writes the next value, which ends with a line break. indent is that of the lines that it goes on in.
func (w *blockWriter) value(indent int, at place) error {
	token, err := w.dec.Token()
	if err != nil {
		return err
	}
	open, nested := token.(json.Delim)
	if nested && w.dec.More() {
		return w.nested(open == '{', indent, at)
	}
	if at == afterKey {
		w.out.WriteByte(' ')
	}
	switch t := token.(type) {
	case json.Delim:
		w.out.WriteString(map[json.Delim]string{'{': "{}", '[': "[]"}[t])
		_, err = w.dec.Token() // it is empty
	case string:
		w.out.WriteString(scalar(t))
	case nil:
		w.out.WriteString("null")
	default: // a number or a boolean
		fmt.Fprint(&w.out, t)
	}
	w.out.WriteByte('\n')
	return err
}

// nested writes what an object or a list holds. A list below a key is not indented any further.
func (w *blockWriter) nested(object bool, indent int, at place) error {
	if at == afterKey {
		w.out.WriteByte('\n')
		if !object {
			indent -= 2
		}
	}
	for first := true; w.dec.More(); first = false {
		if !first || at != afterDash {
			w.out.WriteString(strings.Repeat(" ", indent))
		}
		behind := afterDash
		if object {
			key, err := w.dec.Token()
			if err != nil {
				return err
			}
			w.out.WriteString(scalar(key.(string)) + ":") // JSON has no other keys
			behind = afterKey
		} else {
			w.out.WriteString("- ")
		}
		if err := w.value(indent+2, behind); err != nil {
			return err
		}
	}
	_, err := w.dec.Token()
	return err
}

// scalar is a text as it stands in YAML: plain where no reader can take it for anything else, else in double quotes,
// which are those of JSON but for characters that YAML does not print (yaml.org/spec/1.2.2, 5.1 and 7.3.1).
func scalar(text string) string {
	if isPlain(text) {
		return text
	}
	quoted, err := localstate.Line(text)
	if err != nil {
		return `""` // a text always marshals
	}
	var b strings.Builder
	for _, r := range strings.TrimSuffix(string(quoted), "\n") {
		if r >= 0x7f && r <= 0x9f || r == 0xfeff || r == 0xfffe || r == 0xffff {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// notText are words that are no text in YAML 1.1 or 1.2.
var notText = [...]string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}

// isPlain reports whether a text needs no quotes in any reader's eyes: it begins with a letter, is printable ASCII, and
// has neither a colon nor a number sign, all that means anything further on in a line; or it is the id of a session.
func isPlain(text string) bool {
	if text == "" || strings.HasSuffix(text, " ") {
		return false
	}
	for i := range len(text) {
		c := text[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '/' || c == '_'
		if !letter && (i == 0 || c < ' ' || c > '~' || c == ':' || c == '#') {
			return IsSessionID(text)
		}
	}
	return len(text) > len("false") || !slices.Contains(notText[:], strings.ToLower(text))
}
