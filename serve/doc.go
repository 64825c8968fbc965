// Package serve is the score API and the web page: what the history of one or
// several repositories says, for a reader with a browser or a program. It judges
// nothing itself: verdicts are those of judge, sessions those of worklog, points
// those of ledger.
//
// It reads repositories and writes one thing, feedback. Who may do which is in
// guard.go; the API is described by openapi.json, to which a test holds the handlers.
package serve
