package hosts

import (
	"encoding/json"
	"io"
	"strings"
)

// contents is Gemini's: POST …/models/NAME:streamGenerateContent.
type contents struct{}

func (contents) speaks(path string) bool {
	return strings.HasSuffix(path, "enerateContent") || strings.HasSuffix(path, ":countTokens")
}

func (contents) turn(path string, body object) (int, bool) {
	declared := 0
	for _, t := range objects(body["tools"]) {
		declared += len(objects(t["functionDeclarations"]))
	}
	return count(body["contents"], "role", "model"), declared > 0 && !strings.HasSuffix(path, ":countTokens")
}

func (contents) answer(w io.Writer, n int, s Step) {
	part := object{"text": s.Say}
	if s.Tool != "" {
		part = object{"functionCall": object{"id": id("call_", n), "name": s.Tool, "args": s.Input}}
	}
	whole := object{
		"candidates": []any{object{
			"content": object{"role": "model", "parts": []any{part}}, "finishReason": "STOP", "index": 0,
		}},
		"usageMetadata": object{
			"promptTokenCount": TokensIn, "candidatesTokenCount": TokensOut, "totalTokenCount": TokensIn + TokensOut,
		},
		"totalTokens": TokensIn, // what those who only count read
	}
	if out, ok := w.(*stream); ok && !out.streamed {
		out.w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(out.w).Encode(whole)
		return
	} else if ok {
		out.w.Header().Set("Content-Type", "text/event-stream")
	}
	event(w, "", whole)
}
