package serve

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
)

// problem is what an answer that is none says.
type problem struct {
	Error string `json:"error"`
	// Hint says what to do.
	Hint string `json:"hint"`
}

// refuse answers with a problem.
func refuse(w http.ResponseWriter, code int, what, hint string) {
	answer(w, code, problem{what, hint})
}

// problems makes what programs ask for and is not there a problem as every other.
func problems(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern == "" && strings.HasPrefix(r.URL.Path, "/api/") {
			w = &unmatched{ResponseWriter: w}
		}
		mux.ServeHTTP(w, r)
	})
}

// unmatched answers with a problem where the mux has a line of text.
type unmatched struct {
	http.ResponseWriter
	answered bool
}

func (w *unmatched) WriteHeader(code int) {
	const hint = "GET /openapi.json lists what there is"
	switch code {
	case http.StatusNotFound:
		w.answered = true
		refuse(w.ResponseWriter, code, "there is nothing at this path", hint)
	case http.StatusMethodNotAllowed:
		w.answered = true
		refuse(w.ResponseWriter, code, "this path takes "+w.Header().Get("Allow"), hint)
	default:
		w.ResponseWriter.WriteHeader(code)
	}
}

func (w *unmatched) Write(text []byte) (int, error) {
	if w.answered {
		return len(text), nil
	}
	return w.ResponseWriter.Write(text)
}

// answer writes a value as JSON, on one line: indenting it took most of the time of an answer. That the client went
// away meanwhile is nobody's concern.
func answer(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v)
}

// failed answers for what went wrong.
func failed(w http.ResponseWriter, err error) {
	var bad *badRequest
	switch {
	case errors.As(err, &bad):
		refuse(w, bad.code, bad.what, bad.hint)
	case errors.Is(err, context.Canceled):
		// The client went away.
	default:
		refuse(w, http.StatusInternalServerError, err.Error(), "`acta doctor` in the repository says more")
	}
}

// badRequest is a request that cannot be answered as it is.
type badRequest struct {
	code       int
	what, hint string
}

func (e *badRequest) Error() string { return e.what }
