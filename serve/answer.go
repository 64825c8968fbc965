package serve

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
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

// notThere answers a program that asks for what is not there, or not so.
func notThere(w http.ResponseWriter, _ *http.Request) {
	refuse(w, http.StatusNotFound, "there is nothing at this path for this method",
		"GET /openapi.json lists what there is")
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
