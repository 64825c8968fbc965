package results

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds how deep elements, and suites, may lie in one another.
const maxDepth = 200

// xmlReader reads the elements of an XML document one by one. encoding/xml refuses a document whose text holds a
// control character, as the captured output of a test does with its colours, and takes three times as long
// (bench/results.sh). This one reads no more than reports need: text is left as it is, a document type is passed
// over, and no entities are known but the five of XML itself.
type xmlReader struct {
	name string
	data []byte
	at   int
	open []string // the elements that are open
	// closes: the element that was read last ends at once.
	closes bool
}

// xmlToken is the beginning of an element, its end, or text. At the end of the document all are zero.
type xmlToken struct {
	kind xmlKind
	// element is its name, without a prefix.
	element string
	// raw are its attributes, or the text, as written.
	raw []byte
}

type xmlKind uint8

const (
	xmlEnd xmlKind = iota
	xmlOpen
	xmlClose
	xmlText
)

func (x *xmlReader) fail(format string, values ...any) error {
	line := 1 + bytes.Count(x.data[:min(x.at, len(x.data))], []byte{'\n'})
	return &Error{x.name, line, "no well-formed XML: " + fmt.Sprintf(format, values...)}
}

// next is the next token. Text is given as it stands between tags, white space alone left out.
func (x *xmlReader) next() (xmlToken, error) {
	if x.closes {
		x.closes = false
		return x.closing(x.open[len(x.open)-1])
	}
	for {
		rest := x.data[x.at:]
		tag := bytes.IndexByte(rest, '<')
		if tag < 0 {
			x.at = len(x.data)
			if len(x.open) > 0 {
				in := x.open[len(x.open)-1]
				return xmlToken{}, x.fail("it ends inside of <%s>; the tool that wrote it was ended", in)
			}
			return xmlToken{}, nil
		}
		if text := bytes.TrimSpace(rest[:tag]); len(text) > 0 {
			x.at += tag
			return xmlToken{kind: xmlText, raw: text}, nil
		}
		x.at += tag
		rest = rest[tag:]
		passed, text, err := x.passOver(rest)
		if err != nil {
			return xmlToken{}, err
		}
		if len(text) > 0 {
			x.at += passed
			return xmlToken{kind: xmlText, raw: text}, nil
		}
		if passed == 0 {
			return x.tag(rest)
		}
		x.at += passed
	}
}

// each hands every token to do, to the end of the document.
func (x *xmlReader) each(do func(xmlToken) error) error {
	for {
		t, err := x.next()
		if err != nil || t.kind == xmlEnd {
			return err
		}
		if err := do(t); err != nil {
			return err
		}
	}
}

// passOver returns how long the comment, instruction, document type or CDATA section is that begins here, and the text
// of the last; 0 for a tag.
func (x *xmlReader) passOver(rest []byte) (n int, text []byte, err error) {
	until := func(begin, end string) (int, error) {
		i := bytes.Index(rest[len(begin):], []byte(end))
		if i < 0 {
			return 0, x.fail("%s is not closed", begin)
		}
		return len(begin) + i + len(end), nil
	}
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		n, err = until("<!--", "-->")
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		n, err = until("<![CDATA[", "]]>")
		if err == nil && len(x.open) > 0 {
			text = rest[len("<![CDATA[") : n-len("]]>")]
		}
	case bytes.HasPrefix(rest, []byte("<?")):
		n, err = until("<?", "?>")
	case bytes.HasPrefix(rest, []byte("<!")):
		n, err = until("<!", ">")
		if err == nil && bytes.IndexByte(rest[:n], '[') >= 0 {
			n, err = until("<!", "]>")
		}
	}
	return n, text, err
}

// tag reads the tag that begins here.
func (x *xmlReader) tag(rest []byte) (xmlToken, error) {
	end := tagEnd(rest)
	if end < 0 {
		return xmlToken{}, x.fail("a tag is not closed")
	}
	body := rest[1:end]
	x.at += end + 1
	if len(body) > 0 && body[0] == '/' {
		return x.closing(string(bytes.TrimSpace(body[1:])))
	}
	if x.closes = len(body) > 0 && body[len(body)-1] == '/'; x.closes {
		body = body[:len(body)-1]
	}
	name := body
	if i := bytes.IndexAny(body, " \t\r\n"); i >= 0 {
		name, body = body[:i], body[i:]
	} else {
		body = nil
	}
	if len(name) == 0 || !isNameStart(name[0]) {
		return xmlToken{}, x.fail("a tag has no name")
	}
	if len(x.open) == maxDepth {
		return xmlToken{}, x.fail("elements are nested more than %d deep", maxDepth)
	}
	x.open = append(x.open, string(name))
	return xmlToken{xmlOpen, local(x.open[len(x.open)-1]), body}, nil
}

func isNameStart(c byte) bool {
	return c == '_' || c == ':' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

// tagEnd is where a tag ends: at a bracket that stands in no value.
func tagEnd(rest []byte) int {
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; c {
		case '>':
			return i
		case '"', '\'':
			n := bytes.IndexByte(rest[i+1:], c)
			if n < 0 {
				return -1
			}
			i += n + 1
		}
	}
	return -1
}

func (x *xmlReader) closing(name string) (xmlToken, error) {
	if len(x.open) == 0 || x.open[len(x.open)-1] != name {
		return xmlToken{}, x.fail("</%s> closes what is not open", name)
	}
	x.open = x.open[:len(x.open)-1]
	return xmlToken{kind: xmlClose, element: local(name)}, nil
}

func local(name string) string { return name[strings.IndexByte(name, ':')+1:] }

// attribute is the value of an attribute, "" where the element has none of that name.
func (x *xmlReader) attribute(t xmlToken, name string) (string, error) {
	rest := t.raw
	for {
		rest = bytes.TrimLeft(rest, " \t\r\n")
		eq := bytes.IndexByte(rest, '=')
		if eq < 0 {
			return "", nil
		}
		key := bytes.TrimRight(rest[:eq], " \t\r\n")
		rest = bytes.TrimLeft(rest[eq+1:], " \t\r\n")
		if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
			return "", x.fail("the attribute %s of <%s> has no quotes", key, t.element)
		}
		end := bytes.IndexByte(rest[1:], rest[0]) // tagEnd has seen it
		if string(key) == name {
			return x.unescape(rest[1 : 1+end])
		}
		rest = rest[end+2:]
	}
}

// number is the whole number in an attribute, 0 where there is none.
func (x *xmlReader) number(t xmlToken, name string) (int, error) {
	s, err := x.attribute(t, name)
	if err != nil || s == "" {
		return 0, err
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > maxLine {
		return 0, x.fail("%s=%q of <%s> is no number", name, s, t.element)
	}
	return n, nil
}

var entities = map[string]string{"amp": "&", "lt": "<", "gt": ">", "quot": `"`, "apos": "'"}

// unescape replaces the entities of a value. One that a document type declares is an error.
func (x *xmlReader) unescape(raw []byte) (string, error) {
	first := bytes.IndexByte(raw, '&')
	if first < 0 {
		return strings.ToValidUTF8(string(raw), "\uFFFD"), nil
	}
	var b strings.Builder
	for first >= 0 {
		b.Write(raw[:first])
		raw = raw[first+1:]
		end := bytes.IndexByte(raw, ';')
		if end < 0 {
			return "", x.fail("a & stands alone")
		}
		name := string(raw[:end])
		raw = raw[end+1:]
		value, known := entities[name]
		if digits, ok := strings.CutPrefix(name, "#"); ok {
			n, err := strconv.ParseInt(strings.Replace(digits, "x", "0x", 1), 0, 32)
			value, known = string(rune(n)), err == nil
		}
		if !known {
			return "", x.fail("the entity &%s; is not read", name)
		}
		b.WriteString(value)
		first = bytes.IndexByte(raw, '&')
	}
	b.Write(raw)
	return strings.ToValidUTF8(b.String(), "\uFFFD"), nil
}

// rootOf is the name of a document's first element, "" for what is no XML.
func rootOf(data []byte) string {
	if data = bytes.TrimLeft(data, " \t\r\n"); len(data) == 0 || data[0] != '<' {
		return ""
	}
	x := &xmlReader{data: data}
	t, err := x.next()
	if err != nil || t.kind != xmlOpen {
		return ""
	}
	return t.element
}
