package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// payload is an object in a hook's input. Formats change: a missing or unexpected value reads as the zero value.
type payload map[string]any

// maxPayload bounds a payload, in bytes; a longer one is ignored.
const maxPayload = 64 << 20

func readPayload(in io.Reader) (p payload, err error) {
	data, err := io.ReadAll(io.LimitReader(in, maxPayload+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxPayload:
		return nil, fmt.Errorf("the host's payload is longer than %d bytes", maxPayload)
	}
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &p); err != nil {
		return nil, fmt.Errorf("the host's payload is no JSON object: %w", err)
	}
	if p == nil {
		return nil, errors.New("the host's payload is null")
	}
	return p, nil
}

func (p payload) text(keys ...string) string {
	for _, k := range keys {
		if s, ok := p[k].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// parts is a text that some hosts split into parts: texts, or objects with a text. Each part begins a line.
func (p payload) parts(key string) string {
	list, ok := p[key].([]any)
	if !ok {
		if o, is := p[key].(map[string]any); is {
			return payload(o).text("text")
		}
		return p.text(key)
	}
	var all []string
	for _, part := range list {
		if o, is := part.(map[string]any); is {
			part = o["text"]
		}
		if s, is := part.(string); is {
			all = append(all, strings.TrimSuffix(s, "\n"))
		}
	}
	return strings.Join(all, "\n")
}

// name is the first text or number among the keys; some hosts use numbers as ids.
func (p payload) name(keys ...string) string {
	for _, k := range keys {
		switch v := p[k].(type) {
		case string:
			if v != "" {
				return v
			}
		case float64:
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
	return ""
}

func (p payload) flag(key string) bool { b, _ := p[key].(bool); return b }

func (p payload) has(key string) bool { return p[key] != nil }

// object is the object of a key, nil for none. Some hosts give it as JSON in a text.
func (p payload) object(key string) payload {
	switch v := p[key].(type) {
	case map[string]any:
		return v
	case string:
		var o payload
		if strings.HasPrefix(strings.TrimSpace(v), "{") && json.Unmarshal([]byte(v), &o) == nil {
			return o
		}
	}
	return nil
}

// result is the tool's result or error: a text unchanged, anything else as JSON.
func (p payload) result() string {
	if said := p.object("tool_result").text("text_result_for_llm"); said != "" {
		return said
	}
	for _, key := range []string{"error", "error_message", "tool_response", "tool_output", "output"} {
		switch v := p[key].(type) {
		case nil:
		case string:
			return v
		default:
			data, err := json.Marshal(v)
			if err == nil {
				return string(data)
			}
		}
	}
	return ""
}

func (p payload) objects(key string) (all []payload, ok bool) {
	list, ok := p[key].([]any)
	for _, v := range list {
		if o, is := v.(map[string]any); is {
			all = append(all, o)
		}
	}
	return all, ok
}

func (p payload) number(keys ...string) *int {
	for _, k := range keys {
		if f, ok := p[k].(float64); ok && f == float64(int(f)) {
			n := int(f)
			return &n
		}
	}
	return nil
}

// words is a command, which some hosts give as a list of words.
func (p payload) words(keys ...string) string {
	for _, k := range keys {
		switch v := p[k].(type) {
		case string:
			if v != "" {
				return v
			}
		case []any:
			var all []string
			for _, w := range v {
				if s, ok := w.(string); ok {
					all = append(all, s)
				}
			}
			// Of a shell with a script take the script.
			if len(all) == 3 && strings.HasPrefix(all[1], "-") && strings.HasSuffix(all[1], "c") {
				return all[2]
			}
			if len(all) > 0 {
				return strings.Join(all, " ")
			}
		}
	}
	return ""
}
