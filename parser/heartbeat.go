package parser

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"

	"github.com/acta-git/acta/report"
)

const (
	// MaxHeartbeat is the largest HEARTBEAT.md that is read, inclusive: 1 MiB.
	MaxHeartbeat = 1 << 20
	// maxTasks is how many tasks are read of one file, and how many of its lines are reported as malformed.
	maxTasks = 10_000
	// maxTaskID is the longest id of a task, as a slug, in bytes: one that still is a file's name.
	maxTaskID = 200
	// maxAttempts is the greatest max_attempts.
	maxAttempts = 1000
	// defaultAttempts is that of a task that names none.
	defaultAttempts = 3
)

// Heartbeat is a HEARTBEAT.md: the tasks that an agent is to do again and again.
type Heartbeat struct {
	// HasSection: the file has a section «## Tasks».
	HasSection bool
	// Tasks are those of every such section, in order. Ids are unique.
	Tasks []Task
	// Malformed are the lines that are meant as tasks and are none, in the order of the file.
	Malformed []malformedTask

	text string
}

// Task is one line: «- [x] id | description | required | verify: hint | max_attempts: 5». The Text of a description or
// a hint is the text of its span, with `\|` outside of a code span as a bar; a hint has no backticks around it.
type Task struct {
	// ID is a slug: lower case, with '_' for every run of other characters than letters, digits and hyphens. Its span is
	// that of the id as written.
	ID Text
	// IsChecked: the agent says that it is done.
	IsChecked   bool
	Description Text
	// IsOptional: the line says «optional»; the default is required.
	IsOptional bool
	// Verify says how the task is verified; zero without a hint.
	Verify Text
	// MaxAttempts is from 1 to maxAttempts.
	MaxAttempts int
	// Line is the whole line behind its bullet, as written.
	Line Text
}

type malformedTask struct {
	Message string
	Span    report.Span
}

// String is the file, byte for byte.
func (h *Heartbeat) String() string { return h.text }

// Find is the task of an id, in any spelling with the same slug; nil if there is none.
func (h *Heartbeat) Find(id string) *Task {
	id = slug(id)
	for i := range h.Tasks {
		if h.Tasks[i].ID.Value == id {
			return &h.Tasks[i]
		}
	}
	return nil
}

// ParseHeartbeat reads the tasks of a HEARTBEAT.md. It never fails: errors are in Malformed. A task is an item of a
// list in a section «## Tasks», which ends at the next heading of its level or above. Code blocks, HTML comments and
// quotations do not count. An item with text that is not a task is malformed; a nested item is a note.
func ParseHeartbeat(src []byte) *Heartbeat {
	h := &Heartbeat{text: string(src)}
	r := &taskReader{source: newSource(h.text), Heartbeat: h, src: h.text, lines: map[string]int{}}
	if len(src) > MaxHeartbeat {
		r.malformed(0, 0, fmt.Sprintf("the file is longer than %d bytes, and nothing of it is read", MaxHeartbeat))
		return h
	}
	inside := false
	for n := markdown(src).FirstChild(); n != nil && !r.isFull; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level <= 2 {
				inside = n.Level == 2 && strings.EqualFold(strings.Trim(string(n.Lines().Value(src)), white), "tasks")
				h.HasSection = h.HasSection || inside
			}
		case *ast.List:
			if inside {
				r.list(n)
			}
		case *ast.Paragraph:
			if inside {
				r.prose(n, 0)
			}
		}
	}
	return h
}

type taskReader struct {
	*source
	*Heartbeat
	src    string
	lines  map[string]int // the line of each id
	isFull bool           // a limit is reached
}

func (r *taskReader) malformed(start, end int, message string) {
	if r.isFull {
		return
	}
	if len(r.Malformed) == maxTasks {
		r.isFull, message = true, fmt.Sprintf("more than %d lines are malformed; the rest is not read", maxTasks)
	}
	r.Malformed = append(r.Malformed, malformedTask{message, r.span(start, end)})
}

// list reads the items of a list; nested items are notes.
func (r *taskReader) list(n *ast.List) {
	for item := n.FirstChild(); item != nil && !r.isFull; item = item.NextSibling() {
		switch text := item.FirstChild().(type) {
		case *ast.TextBlock, *ast.Paragraph:
			r.item(text)
		}
	}
}

// item reads the text of an item: a task where it begins with a box.
func (r *taskReader) item(text ast.Node) {
	start, end := r.firstLine(text)
	fields := r.fields(start, end, codeSpans(text))
	box, at := readBox(r.src[start:end])
	switch {
	case box == openBox || box == tickedBox:
		r.task(start, end, box == tickedBox, r.fields(start+at, end, codeSpans(text)))
	case box == malformedBox:
		r.malformed(start, end, "the box is «[ ]» or «[x]», and a blank follows it")
	case len(fields) == 1:
		r.malformed(start, end, "an item of the list is a task, a note is a paragraph or stands below its task; write "+
			taskForm)
	default:
		r.malformed(start, end, "a task begins with its box; write - [ ] "+r.src[start:end])
	}
	r.prose(text, 1)
}

func (r *taskReader) firstLine(block ast.Node) (start, end int) {
	if block.Lines().Len() == 0 {
		return 0, 0
	}
	s := block.Lines().At(0)
	return r.trim(s.Start, s.Stop)
}

// prose looks for lines of a paragraph, starting at from, that look like tasks.
func (r *taskReader) prose(block ast.Node, from int) {
	code := codeSpans(block)
	for i := from; i < block.Lines().Len() && !r.isFull; i++ {
		s := block.Lines().At(i)
		start, end := r.trim(s.Start, s.Stop)
		bars := len(r.fields(start, end, code)) - 1
		unbulleted := strings.TrimLeft(r.src[start:end], "-*+")
		switch box, _ := readBox(unbulleted); {
		case bars == 0:
		case box != noBox:
			r.malformed(start, end, "a task is an item of a list; write - "+unbulleted)
		case from > 0:
			r.malformed(start, end, "a task is one line; lines below it must not have bars")
		}
	}
}

type boxKind uint8

const (
	noBox boxKind = iota
	openBox
	tickedBox
	malformedBox
)

// readBox reads the box that a text begins with, and says where the rest begins.
func readBox(text string) (boxKind, int) {
	inner, rest, closed := strings.Cut(strings.TrimPrefix(text, "["), "]")
	if !strings.HasPrefix(text, "[") || !closed || strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, ":") {
		return noBox, 0
	}
	whole := rest == "" || isWhite(rest[0])
	switch {
	case inner == " " && whole:
		return openBox, len(text) - len(rest)
	case (inner == "x" || inner == "X") && whole:
		return tickedBox, len(text) - len(rest)
	case len([]rune(strings.Trim(inner, white))) <= 1:
		return malformedBox, 0
	}
	return noBox, 0
}

// taskField is one of the texts between bars: with `\|` resolved, and trimmed.
type taskField struct {
	Text
	start, end int
}

// fields splits a line at its bars, except after a backslash or in a code span.
func (r *taskReader) fields(start, end int, code []piece) []taskField {
	var out []taskField
	var value strings.Builder
	from, copied := start, start
	closeAt := func(i int) {
		value.WriteString(r.src[copied:i])
		s, e := r.trim(from, i)
		out = append(out, taskField{Text{strings.Trim(value.String(), white), r.span(s, e)}, s, e})
		value.Reset()
		from, copied = i+1, i+1
	}
	for i := start; i < end; i++ {
		for len(code) > 0 && code[0].end <= i {
			code = code[1:]
		}
		switch inCode := len(code) > 0 && code[0].start <= i; {
		case inCode:
		case r.src[i] == '\\' && i+1 < end:
			if r.src[i+1] == '|' {
				value.WriteString(r.src[copied:i])
				copied = i + 1
			}
			i++
		case r.src[i] == '|':
			closeAt(i)
		}
	}
	closeAt(end)
	return out
}

func (r *taskReader) task(start, end int, checked bool, fields []taskField) {
	t := Task{IsChecked: checked, MaxAttempts: defaultAttempts, Line: r.word(start, end)}
	if why := r.readFields(&t, fields); why != "" {
		r.malformed(start, end, why)
		return
	}
	line := t.Line.Span.Start.Line
	if takenLine := r.lines[t.ID.Value]; takenLine > 0 {
		r.malformed(start, end, fmt.Sprintf("the id %s is that of the task in line %d; each task has its own", t.ID.Value,
			takenLine))
		return
	}
	if len(r.Tasks) == maxTasks {
		r.malformed(start, end, fmt.Sprintf("there are more than %d tasks; the rest is not read", maxTasks))
		r.isFull = true
		return
	}
	r.lines[t.ID.Value] = line
	r.Tasks = append(r.Tasks, t)
}

// slug turns a text into an id: letters and digits in lower case, hyphens, and '_' for every run of other characters.
func slug(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range text {
		if r == unicode.ReplacementChar || r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('_')
		}
		gap = false
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
