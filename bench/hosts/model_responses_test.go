package hosts

import (
	"encoding/json"
	"io"
	"strings"
)

// responses is OpenAI's newer: POST /v1/responses.
type responses struct{}

func (responses) speaks(path string) bool { return strings.HasSuffix(path, "/responses") }

func (responses) turn(_ string, body object) (int, bool) {
	tools, _ := body["tools"].([]any)
	n := count(body["input"], "type", "function_call", "custom_tool_call") + count(body["input"], "role", "assistant")
	return n, len(tools) > 0
}

func (responses) answer(w io.Writer, n int, s Step) {
	item := object{
		"type": "message", "id": id("msg_", n), "role": "assistant", "status": "completed",
		"content": []any{object{"type": "output_text", "text": s.Say, "annotations": []any{}}},
	}
	if s.Tool != "" {
		item = object{
			"type": "function_call", "id": id("fc_", n), "call_id": id("call_", n), "name": s.Tool,
			"arguments": args(s.Input), "status": "completed",
		}
	}
	response := object{"id": id("resp_", n), "object": "response", "status": "in_progress", "output": []any{}}
	done := object{
		"id": id("resp_", n), "object": "response", "status": "completed", "output": []any{item},
		"usage": object{
			"input_tokens": TokensIn, "input_tokens_details": object{"cached_tokens": 0},
			"output_tokens": TokensOut, "output_tokens_details": object{"reasoning_tokens": 0},
			"total_tokens": TokensIn + TokensOut,
		},
	}
	if out, ok := w.(*stream); ok && !out.streamed {
		out.w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(out.w).Encode(done)
		return
	} else if ok {
		out.w.Header().Set("Content-Type", "text/event-stream")
	}
	event(w, "response.created", object{"type": "response.created", "response": response})
	event(w, "response.output_item.added", object{"type": "response.output_item.added", "output_index": 0, "item": item})
	event(w, "response.output_item.done", object{"type": "response.output_item.done", "output_index": 0, "item": item})
	event(w, "response.completed", object{"type": "response.completed", "response": done})
}
