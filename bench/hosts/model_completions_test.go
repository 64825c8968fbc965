package hosts

import (
	"encoding/json"
	"io"
	"strings"
)

// completions is OpenAI's older, which many serve: POST /v1/chat/completions.
type completions struct{}

func (completions) speaks(path string) bool { return strings.HasSuffix(path, "/chat/completions") }

func (completions) turn(_ string, body object) (int, bool) {
	tools, _ := body["tools"].([]any)
	n := count(body["messages"], "role", "assistant")
	for _, m := range objects(body["messages"]) {
		// What some hosts put into the model's mouth before the person speaks is nothing that it answered.
		said, _ := m["content"].(string)
		if m["role"] == "assistant" && strings.HasPrefix(said, "Got it. Thanks for the ") {
			n--
		}
	}
	return n, len(tools) > 2
}

func (completions) answer(w io.Writer, n int, s Step) {
	message, stop := object{"role": "assistant", "content": s.Say}, "stop"
	if s.Tool != "" {
		stop = "tool_calls"
		message = object{"role": "assistant", "content": nil, "tool_calls": []any{object{
			"index": 0, "id": id("call_", n), "type": "function",
			"function": object{"name": s.Tool, "arguments": args(s.Input)},
		}}}
	}
	usage := object{"prompt_tokens": TokensIn, "completion_tokens": TokensOut, "total_tokens": TokensIn + TokensOut}
	whole := object{"id": id("chat_", n), "object": "chat.completion", "created": 1, "model": "stand-in"}
	if out, ok := w.(*stream); ok && !out.streamed {
		whole["usage"] = usage
		whole["choices"] = []any{object{"index": 0, "message": message, "finish_reason": stop}}
		out.w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(out.w).Encode(whole)
		return
	} else if ok {
		out.w.Header().Set("Content-Type", "text/event-stream")
	}
	whole["object"] = "chat.completion.chunk"
	whole["choices"] = []any{object{"index": 0, "delta": message, "finish_reason": nil}}
	event(w, "", whole)
	whole["choices"], whole["usage"] = []any{object{"index": 0, "delta": object{}, "finish_reason": stop}}, usage
	event(w, "", whole)
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}
