package parser

import (
	"fmt"
	"strconv"
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
	// taskForm is the form of a task's line, for error messages.
	taskForm = "- [ ] id | description | required | verify: hint | max_attempts: 3"
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

// Task is one line: «- [x] id | description | required | verify: hint | max_attempts: 5».
type Task struct {
	// ID is a slug: lower case, with '_' for every run of other characters than letters, digits and hyphens.
	ID string
	// IsChecked: the agent says that it is done.
	IsChecked   bool
	Description string
	// IsOptional: the line says «optional»; the default is required.
	IsOptional bool
	// Verify says how the task is verified; "" without a hint.
	Verify string
	// MaxAttempts is from 1 to maxAttempts.
	MaxAttempts int
	// Line is the number of the line.
	Line int
}

type malformedTask struct {
	Message string
	At      report.Pos
}

// String is the file, byte for byte.
func (h *Heartbeat) String() string { return h.text }

// Find is the task of an id, in any spelling with the same slug; nil if there is none.
func (h *Heartbeat) Find(id string) *Task {
	id = slug(id)
	for i := range h.Tasks {
		if h.Tasks[i].ID == id {
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
	r := &taskReader{source: newSource(h.text), Heartbeat: h, ids: map[string]int{}}
	if len(src) > MaxHeartbeat {
		r.malformed(0, "the file is longer than %d bytes, and nothing of it is read", MaxHeartbeat)
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
			for item := n.FirstChild(); inside && item != nil && !r.isFull; item = item.NextSibling() {
				switch text := item.FirstChild().(type) {
				case *ast.TextBlock, *ast.Paragraph:
					r.item(text)
				}
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
	ids    map[string]int // the line of each
	isFull bool           // a limit is reached
}

func (r *taskReader) malformed(at int, format string, args ...any) {
	if r.isFull {
		return
	}
	if len(r.Malformed) == maxTasks {
		r.isFull, format, args = true, "more than %d lines are malformed; the rest is not read", []any{maxTasks}
	}
	r.Malformed = append(r.Malformed, malformedTask{fmt.Sprintf(format, args...), r.pos(at)})
}

// item reads the text of an item: a task where it begins with a box.
func (r *taskReader) item(text ast.Node) {
	start, end := 0, 0
	if text.Lines().Len() > 0 {
		start, end = r.trim(text.Lines().At(0).Start, text.Lines().At(0).Stop)
	}
	code, line := codeSpans(text), r.source.text[start:end]
	switch box, at := readBox(line); {
	case box == openBox || box == tickedBox:
		t := Task{IsChecked: box == tickedBox, MaxAttempts: defaultAttempts, Line: r.pos(start).Line}
		r.task(start, &t, r.fields(start+at, end, code))
	case box == malformedBox:
		r.malformed(start, "the box is «[ ]» or «[x]», and a blank follows it")
	case len(r.fields(start, end, code)) == 1:
		r.malformed(start, "an item of the list is a task, a note is a paragraph or stands below its task; write "+taskForm)
	default:
		r.malformed(start, "a task begins with its box; write - [ ] %s", line)
	}
	r.prose(text, 1)
}

// prose looks for lines of a paragraph, starting at from, that look like tasks.
func (r *taskReader) prose(block ast.Node, from int) {
	code := codeSpans(block)
	for i := from; i < block.Lines().Len() && !r.isFull; i++ {
		start, end := r.trim(block.Lines().At(i).Start, block.Lines().At(i).Stop)
		unbulleted := strings.TrimLeft(r.source.text[start:end], "-*+")
		switch box, _ := readBox(unbulleted); {
		case len(r.fields(start, end, code)) == 1:
		case box != noBox:
			r.malformed(start, "a task is an item of a list; write - %s", unbulleted)
		case from > 0:
			r.malformed(start, "a task is one line; lines below it must not have bars")
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

// fields are the texts between the bars of a line, trimmed. A bar in a code span or after a backslash is text.
func (r *taskReader) fields(start, end int, code []piece) (all []string) {
	var field strings.Builder
	add := func() {
		all = append(all, strings.Trim(field.String(), white))
		field.Reset()
	}
	for i := start; i < end; i++ {
		for len(code) > 0 && code[0].end <= i {
			code = code[1:]
		}
		inCode := len(code) > 0 && code[0].start <= i
		switch c := r.source.text[i]; {
		case !inCode && c == '|':
			add()
			continue
		case !inCode && c == '\\' && i+1 < end:
			if i++; r.source.text[i] != '|' {
				field.WriteByte(c)
			}
		}
		field.WriteByte(r.source.text[i])
	}
	add()
	return all
}

func (r *taskReader) task(start int, t *Task, fields []string) {
	if fault := t.readFields(fields); fault != "" {
		r.malformed(start, "%s", fault)
		return
	}
	if line := r.ids[t.ID]; line > 0 {
		r.malformed(start, "the id %s is that of the task in line %d; each task has its own", t.ID, line)
		return
	}
	if len(r.Tasks) == maxTasks {
		r.malformed(start, "there are more than %d tasks; the rest is not read", maxTasks)
		r.isFull = true
		return
	}
	r.ids[t.ID] = t.Line
	r.Tasks = append(r.Tasks, *t)
}

// readFields fills a task from its fields, and returns the error; "" for none.
func (t *Task) readFields(fields []string) string {
	if len(fields) == 1 { // the text is both
		fields = append(fields, fields[0])
	}
	t.ID, t.Description = slug(fields[0]), fields[1]
	switch {
	case strings.Trim(t.ID, "-") == "":
		return "the id, before the first bar, has neither letter nor digit"
	case len(t.ID) > maxTaskID:
		return fmt.Sprintf("the id is longer than %d bytes; write a shorter one before the first bar", maxTaskID)
	case t.Description == "":
		return "the description, after the first bar, is empty"
	}
	seen := map[string]bool{}
	for _, field := range fields[2:] {
		name, value, hasColon := strings.Cut(field, ":")
		name, value = strings.ToLower(strings.Trim(name, white)), strings.Trim(value, white)
		if name == "optional" {
			name, t.IsOptional = "required", true
		}
		if name != "" && seen[name] {
			return fmt.Sprintf("%q: the line has a field for that already", field)
		}
		seen[name] = true
		switch {
		case name == "" && !hasColon, name == "required" && !hasColon: // a bar at the end of the line is allowed
		case name == "verify" && hasColon:
			for len(value) > 1 && value[0] == '`' && value[len(value)-1] == '`' {
				value = value[1 : len(value)-1]
			}
			if t.Verify = strings.Trim(value, white); t.Verify == "" {
				return "verify: names nothing; write a verifier of the policy, path:line-end or unit:KEY, or leave it out"
			}
		case name == "max_attempts" && hasColon:
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 || n > maxAttempts {
				return fmt.Sprintf("max_attempts must be a number from 1 to %d, not %q", maxAttempts, value)
			}
			t.MaxAttempts = n
		default:
			return fmt.Sprintf("%q is not a field of a task; the fields are required, optional, verify: and "+
				"max_attempts:", field)
		}
	}
	return ""
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
