package parser

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"

	"github.com/acta-git/acta/report"
)

// maxBoxes is how many boxes of a file are read, MaxBoxFile the largest such file, in bytes, inclusive.
const (
	maxBoxes   = 10_000
	MaxBoxFile = 1 << 20
)

// Box is an item of a list in Markdown that begins with a box: «- [x] T012 [P] Create src/auth.py».
type Box struct {
	// ID is the item's number, T012 or 1.3, else one made of its words. It is unique in its file.
	ID string
	// Text is the item without box, id and marks ([P], [US1]). Its span is that of the line behind the box.
	Text Text
	// Heading is the nearest heading above, "" without one.
	Heading string
	// Detail are the indented lines below, without other boxes.
	Detail string
	// IsTicked: the box is «[x]» or «[X]».
	IsTicked bool
	// IsGroup: it has boxes below it.
	IsGroup bool
}

var (
	boxID   = report.LazyRegexp(`^\**([A-Z]{1,6}-?\d+(?:[.-]\d+)*[a-z]?|\d+(?:\.\d+)*)\**[.:)]?(?:\s+|$)`)
	boxMark = report.LazyRegexp(`^\*?\[[A-Za-z][\w.:-]*\]\s+`)
)

// ParseBoxes reads the boxes of a Markdown file, in order. Boxes in code blocks, HTML comments or quotations do not
// count. It never fails; a file over a limit has none.
func ParseBoxes(src []byte) []Box {
	if len(src) > MaxBoxFile {
		return nil
	}
	r := &boxReader{source: newSource(string(src)), ids: map[string]int{}}
	for n := markdown(src).FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			r.heading = strings.Trim(string(n.Lines().Value(src)), white)
		case *ast.List:
			r.list(n)
		}
	}
	return r.boxes
}

type boxReader struct {
	*source
	heading string
	boxes   []Box
	ids     map[string]int // how often each was met
}

func (r *boxReader) list(n *ast.List) {
	for item := n.FirstChild(); item != nil && len(r.boxes) < maxBoxes; item = item.NextSibling() {
		box := -1
		for part := item.FirstChild(); part != nil; part = part.NextSibling() {
			switch part := part.(type) {
			case *ast.TextBlock, *ast.Paragraph:
				if part == item.FirstChild() {
					box = r.box(part)
				} else {
					r.detail(box, part)
				}
			case *ast.List:
				before := len(r.boxes)
				if r.list(part); len(r.boxes) == before {
					r.detail(box, part)
				} else if box >= 0 {
					r.boxes[box].IsGroup = true
				}
			}
		}
	}
}

// box reads the text of an item, and returns the index of its box, -1 without one.
func (r *boxReader) box(text ast.Node) int {
	if text.Lines().Len() == 0 {
		return -1
	}
	first := text.Lines().At(0)
	start, end := r.trim(first.Start, first.Stop)
	line := r.text[start:end]
	if len(line) > 4 && line[2:4] == "]*" { // Kiro's mark of an optional item: - [ ]* 2.1
		line = line[:3] + line[4:]
	}
	kind, at := readBox(line)
	if kind != openBox && kind != tickedBox {
		return -1
	}
	rest := strings.TrimLeft(line[at:], white)
	b := Box{IsTicked: kind == tickedBox, Heading: r.heading}
	b.Text.Span = r.span(end-len(rest), end)
	if m := boxID().FindStringSubmatch(rest); m != nil {
		b.ID, rest = m[1], rest[len(m[0]):]
	}
	for m := boxMark().FindStringSubmatch(rest); m != nil; m = boxMark().FindStringSubmatch(rest) {
		rest = rest[len(m[0]):]
	}
	b.Text.Value = strings.Trim(rest, white)
	r.name(&b)
	r.boxes = append(r.boxes, b)
	for i := 1; i < text.Lines().Len(); i++ {
		s := text.Lines().At(i)
		r.add(len(r.boxes)-1, r.text[s.Start:s.Stop])
	}
	return len(r.boxes) - 1
}

// name gives a box without an id one of its words, and makes a repeated id unique.
func (r *boxReader) name(b *Box) {
	if b.ID == "" {
		words := strings.FieldsFunc(strings.ToLower(b.Heading+" "+b.Text.Value), func(c rune) bool {
			return !unicode.IsLetter(c) && !unicode.IsDigit(c)
		})
		b.ID = strings.Join(words[:min(len(words), 12)], "-")
	}
	if r.ids[b.ID]++; r.ids[b.ID] > 1 {
		b.ID = fmt.Sprintf("%s~%d", b.ID, r.ids[b.ID])
	}
}

// detail takes the text of a block as detail of a box.
func (r *boxReader) detail(box int, block ast.Node) {
	_ = ast.Walk(block, func(n ast.Node, isEntering bool) (ast.WalkStatus, error) {
		if isEntering && n.Type() == ast.TypeBlock {
			r.add(box, string(n.Lines().Value([]byte(r.text))))
		}
		return ast.WalkContinue, nil
	})
}

func (r *boxReader) add(box int, text string) {
	if text = strings.Trim(text, white); box >= 0 && text != "" {
		r.boxes[box].Detail = strings.TrimPrefix(r.boxes[box].Detail+"\n"+text, "\n")
	}
}

// Place is the box's line, id and heading: «line 12 (T012, «Phase 2»)».
func (b *Box) Place() string {
	place := fmt.Sprintf("line %d (%s", b.Line(), b.ID)
	if b.Heading != "" {
		place += fmt.Sprintf(", «%s»", b.Heading)
	}
	return place + ")"
}

// BoxFile is the file of a task that is a box, named by file and id, «specs/001/tasks.md/T012»; "" for another.
func BoxFile(unit string) string {
	if i := strings.LastIndexByte(unit, '/'); i > 0 && strings.HasSuffix(strings.ToLower(unit[:i]), ".md") {
		return unit[:i]
	}
	return ""
}

// Line is the line of the box, from 1.
func (b *Box) Line() int { return b.Text.Span.Start.Line }
