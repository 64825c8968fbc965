package gate

import (
	"bytes"
	"encoding/xml"
	"strings"

	"github.com/acta-git/acta/shell"
)

// readXML reads an XML file; nil where that cannot be read. An attribute is a field with an @ before its name.
func readXML(src []byte) *value {
	decoder := xml.NewDecoder(bytes.NewReader(src))
	decoder.Strict = false
	root := &value{line: 1}
	open := []*value{root}
	for len(open) <= maxDeep {
		token, err := decoder.Token()
		if err != nil {
			if len(open) == 1 && len(root.fields) > 0 {
				return root
			}
			return nil
		}
		line, _ := decoder.InputPos()
		last := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			v := &value{line: line, end: line}
			for _, a := range token.Attr {
				v.fields = append(v.fields, field{"@" + a.Name.Local, line, &value{text: a.Value, line: line, end: line}})
			}
			last.fields = append(last.fields, field{token.Name.Local, line, v})
			open = append(open, v)
		case xml.EndElement:
			last.text, last.end = strings.TrimSpace(last.text), line
			open = open[:max(len(open)-1, 1)]
		case xml.CharData:
			if len(last.text) < shell.MaxScript {
				last.text += string(token)
			}
		}
	}
	return nil
}
