package hosts

import (
	"encoding/json"
	"io"
	"strings"
)

// messages is Anthropic's: POST /v1/messages.
type messages struct{}

func (messages) speaks(path string) bool { return strings.Contains(path, "/messages") }

func (messages) turn(path string, body object) (int, bool) {
	tools, _ := body["tools"].([]any)
	return count(body["messages"], "role", "assistant"), strings.HasSuffix(path, "/messages") && len(tools) > 2
}

func (messages) answer(w io.Writer, n int, s Step) {
	block, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": s.Say}
	whole, stop := object{"type": "text", "text": s.Say}, "end_turn"
	if s.Tool != "" {
		block = object{"type": "tool_use", "id": id("toolu_", n), "name": s.Tool, "input": object{}}
		delta, stop = object{"type": "input_json_delta", "partial_json": args(s.Input)}, "tool_use"
		whole = object{"type": "tool_use", "id": id("toolu_", n), "name": s.Tool, "input": s.Input}
	}
	message := object{
		"id": id("msg_", n), "type": "message", "role": "assistant", "model": "stand-in", "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": object{"input_tokens": TokensIn, "output_tokens": 1},
		"input_tokens": TokensIn, // what those who only count read
	}
	if out, ok := w.(*stream); ok && !out.streamed {
		message["content"], message["stop_reason"] = []any{whole}, stop
		message["usage"] = object{"input_tokens": TokensIn, "output_tokens": TokensOut}
		out.w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(out.w).Encode(message)
		return
	} else if ok {
		out.w.Header().Set("Content-Type", "text/event-stream")
	}
	event(w, "message_start", object{"type": "message_start", "message": message})
	event(w, "content_block_start", object{"type": "content_block_start", "index": 0, "content_block": block})
	event(w, "content_block_delta", object{"type": "content_block_delta", "index": 0, "delta": delta})
	event(w, "content_block_stop", object{"type": "content_block_stop", "index": 0})
	event(w, "message_delta", object{
		"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil},
		"usage": object{"output_tokens": TokensOut},
	})
	event(w, "message_stop", object{"type": "message_stop"})
}
