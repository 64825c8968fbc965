// Package serve is the score API and the web page: the history of one or several repositories for browsers and
// programs. It judges nothing itself: verdicts come from judge, sessions from worklog, points from ledger.
//
// It reads repositories, and writes only feedback. guard.go decides about access; openapi.json describes the API, and a
// test compares it with the handlers.
package serve
