package parser

import (
	"fmt"
	"strconv"
	"strings"
)

const taskForm = "- [ ] id | description | required | verify: hint | max_attempts: 3"

func (r *taskReader) readFields(t *Task, fields []taskField) string {
	if len(fields) == 1 { // the text is both
		fields = append(fields, fields[0])
	}
	t.ID, t.Description = Text{slug(fields[0].Value), fields[0].Span}, fields[1].Text
	switch {
	case t.ID.Value == "" || strings.Trim(t.ID.Value, "-") == "":
		return "the id, before the first bar, has neither letter nor digit"
	case len(t.ID.Value) > maxTaskID:
		return fmt.Sprintf("the id is longer than %d bytes; write a shorter one before the first bar", maxTaskID)
	case t.Description.Value == "":
		return "the description, after the first bar, is empty"
	}
	seen := map[string]bool{}
	for _, f := range fields[2:] {
		name, value, hasColon := strings.Cut(f.Value, ":")
		name = strings.ToLower(strings.Trim(name, white))
		if name == "optional" {
			name, t.IsOptional = "required", true
		}
		if name != "" && seen[name] {
			return fmt.Sprintf("%q: the line has a field for that already", f.Value)
		}
		seen[name] = true
		if why := r.setField(t, name, strings.Trim(value, white), hasColon, f); why != "" {
			return why
		}
	}
	return ""
}

func (r *taskReader) setField(t *Task, name, value string, hasColon bool, f taskField) string {
	switch {
	case name == "" && !hasColon, name == "required" && !hasColon: // a bar at the end of the line is allowed
	case name == "verify" && hasColon:
		if t.Verify = r.verifyHint(value, f); t.Verify.Value == "" {
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
			"max_attempts:", f.Value)
	}
	return ""
}

func (r *taskReader) verifyHint(value string, f taskField) Text {
	start, end := r.trim(f.start+strings.IndexByte(r.src[f.start:f.end], ':')+1, f.end)
	for len(value) > 1 && value[0] == '`' && value[len(value)-1] == '`' {
		value = value[1 : len(value)-1]
		start, end = start+1, end-1
	}
	start, end = r.trim(start, end)
	return Text{strings.Trim(value, white), r.span(start, end)}
}
