package results

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// unmarshal reads an XML document. Entities that it declares are an error.
func unmarshal(name string, data []byte, into any) error {
	return xmlError(name, decoder(data).Decode(into))
}

// xmlError is an error of the decoder as an *Error; nil for none.
func xmlError(name string, err error) error {
	var wrong *xml.SyntaxError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong):
		return &Error{name, wrong.Line, "not well-formed XML: " + strings.Replace(wrong.Msg, "unexpected EOF",
			"it ends inside of an element; the tool that wrote it was ended", 1)}
	}
	return &Error{name, 0, "its XML is not read: " + err.Error()}
}

// rootOf is the name of a document's first element, "" for other text than XML.
func rootOf(name string, data []byte) (string, error) {
	if !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("<")) {
		return "", nil
	}
	for d := decoder(data); ; {
		t, err := d.Token()
		if root, ok := t.(xml.StartElement); ok || err != nil {
			return root.Name.Local, xmlError(name, err)
		}
	}
}

// decoder reads a document, whatever encoding it says it has, without the control characters that XML forbids and the
// captured output of tests holds.
func decoder(data []byte) *xml.Decoder {
	if !utf8.Valid(data) {
		data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	}
	d := xml.NewDecoder(&blankReader{rest: data})
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return d
}

// blankReader reads bytes with a blank in the place of each comment, and of each control character, also of one that is
// written as a reference.
type blankReader struct {
	rest []byte
	// raw is how much of rest is text in which «<!--» begins no comment.
	raw int
}

func (b *blankReader) Read(p []byte) (n int, err error) {
	for n < len(p) && len(b.rest) > 0 {
		c, length := b.rest[0], 1
		if c == '<' && b.raw <= 0 {
			if n := delimitedLen(b.rest, "<!--", "-->"); n > 0 { // tools write «--» in comments, which XML forbids
				c, length = ' ', n
			}
			b.raw = delimitedLen(b.rest, "<![CDATA[", "]]>")
		} else if c == '&' {
			if code, long := reference(b.rest); long > 0 && isControl(code) {
				c, length = ' ', long
			}
		} else if isControl(int(c)) {
			c = ' '
		}
		p[n] = c
		n, b.rest, b.raw = n+1, b.rest[length:], b.raw-length
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// delimitedLen is how long a text is that begins and ends so; 0 for another.
func delimitedLen(text []byte, begin, end string) int {
	if rest, ok := bytes.CutPrefix(text, []byte(begin)); ok {
		if at := bytes.Index(rest, []byte(end)); at >= 0 {
			return len(begin) + at + len(end)
		}
	}
	return 0
}

func isControl(c int) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' }

// reference returns the character and the length of a reference such as &#27; or &#x1b;; 0 for none.
func reference(text []byte) (code, length int) {
	end := bytes.IndexByte(text[:min(len(text), 12)], ';')
	digits, ok := bytes.CutPrefix(text[:max(end, 0)], []byte("&#"))
	base := 10
	if hex, isHex := bytes.CutPrefix(digits, []byte("x")); isHex {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(string(digits), base, 31)
	if !ok || err != nil {
		return 0, 0
	}
	return int(n), end + 1
}
