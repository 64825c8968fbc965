package journal

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// Kind says who acted.
type Kind string

// Agent is the caller of acta, possibly a person. System is acta itself, acting on its own.
const (
	Agent  Kind = "agent"
	System Kind = "system"
)

// Caller is who did something, why, and in which run.
type Caller struct {
	Actor Kind `json:"actor"`
	// Name is the actor's, as in the trailer Actor; "" if it is not known.
	Name string `json:"actor_name,omitempty"`
	// Reason is why, in the actor's own words.
	Reason string `json:"trigger_reason,omitempty"`
	// Session is the named session, "" for none: commits then name no session, and logs use ProcessSession.
	Session string `json:"session_id"`
}

// Trailers are a commit message's lines that name its actor, session and reason, as far as they are known.
func (by Caller) Trailers() (lines []string) {
	for _, l := range [][2]string{{"Actor", by.Name}, {"Session", by.Session}, {"Reason", by.Reason}} {
		if value := strings.Join(strings.Fields(l[1]), " "); value != "" {
			lines = append(lines, l[0]+": "+value)
		}
	}
	return lines
}

// ProcessSession is the session of a process without a named one: a random UUID (RFC 9562, version 4), the same until
// the process ends.
func ProcessSession() string { return processSession() }

var processSession = sync.OnceValue(func() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
})

// Action is what was done. Params hold neither time nor commit id, so that the same actions have the same hash in
// another log, and two logs can be compared.
type Action struct {
	Cmd    string
	Params map[string]any
	// Commit is the full id of the commit concerned, "" for none.
	Commit string
}

// Entry is a line of the event or audit log.
type Entry struct {
	Cmd    string          `json:"cmd"`
	Params json.RawMessage `json:"params"`
	Time   time.Time       `json:"ts"`
	// Hash is the SHA-256 of {"cmd":…,"params":…} as canonical JSON: the keys of every object sorted by byte, no white
	// space, no needless escapes except U+2028 and U+2029.
	Hash string `json:"hash"`
	Caller
	Commit string `json:"commit,omitempty"`
	// Line is the line in the log, if the entry was read from one.
	Line []byte `json:"-"`
}

// IsByHook reports whether a hook wrote the line: one of git's, or one of an agent's host.
func (e *Entry) IsByHook() bool { return strings.HasPrefix(e.Cmd, "hook ") || e.Cmd == "agent hook" }

// canonical is a JSON value in its canonical form; see Entry.Hash.
func canonical(params []byte) ([]byte, error) {
	var v any
	dec := json.NewDecoder(bytes.NewReader(params))
	dec.UseNumber() // as written
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	line, err := state.JSONLine(v)
	return bytes.TrimSuffix(line, []byte{'\n'}), err
}

// contentHash is Entry.Hash of canonical params.
func contentHash(cmd string, params []byte) string {
	text, _ := state.JSONLine(cmd) // a string always encodes
	return hashLine(slices.Concat([]byte(`{"cmd":`), bytes.TrimSpace(text), []byte(`,"params":`), params, []byte{'}'}))
}

// Log is the event, audit or heartbeat log of a repository.
type Log struct{ chain Chain }

// Events is the log of every change of the plan and of the leases; commonDir is the git directory that the repository's
// work trees share.
func Events(commonDir string) Log { return logAt(commonDir, "event-log.jsonl") }

// Audit is the log of every refusal, warning and error of a hook or command.
func Audit(commonDir string) Log { return logAt(commonDir, "audit-log.jsonl") }

// Heartbeats is the log of every verdict on a task of HEARTBEAT.md.
func Heartbeats(commonDir string) Log { return logAt(commonDir, "heartbeat-log.jsonl") }

// Feedback is the log of every vote that people gave here on an actor's work.
func Feedback(commonDir string) Log { return logAt(commonDir, "feedback-log.jsonl") }

func logAt(commonDir, name string) Log {
	return Log{Chain{Path: state.Path(commonDir, name)}}
}

// Path is the log's file.
func (l Log) Path() string { return l.chain.Path }

func newEntry(by Caller, at time.Time, act Action) (Entry, error) {
	if act.Params == nil {
		act.Params = map[string]any{}
	}
	params, err := state.JSONLine(act.Params)
	if err != nil {
		return Entry{}, fmt.Errorf("%s cannot be recorded: %w", act.Cmd, err)
	}
	sorted, err := canonical(params)
	return Entry{
		Cmd: act.Cmd, Params: params, Time: at.UTC().Truncate(time.Millisecond), Hash: contentHash(act.Cmd, sorted),
		Caller: by, Commit: act.Commit,
	}, err
}

// Append adds an entry for each action, with ProcessSession if the caller names no session. If it had to repair the log
// first, it warns and logs that, even beside an error.
func (l Log) Append(ctx context.Context, by Caller, at time.Time, acts ...Action) ([]string, error) {
	by.Session = cmp.Or(by.Session, ProcessSession())
	entries := make([]any, len(acts))
	for i, act := range acts {
		e, err := newEntry(by, at, act)
		if err != nil {
			return nil, err
		}
		entries[i] = e
	}
	warnings, err := l.chain.append(ctx, func(t *repair) ([]any, error) {
		if t == nil {
			return entries, nil
		}
		e, err := newEntry(Caller{Actor: System, Session: by.Session}, at, Action{Cmd: "repair", Params: map[string]any{
			"torn_bytes": t.bytes, "kept": filepath.Base(t.file), "counted": t.wasWhole,
		}})
		return append([]any{e}, entries...), err
	})
	return warnings, errors.Join(err, removeStrayHeads(filepath.Dir(l.chain.Path)))
}

// Verify finds the first line that was edited, removed, moved or torn.
func (l Log) Verify() (State, error) {
	s, _, err := l.chain.verify(lineFault)
	return s, err
}

func lineFault(line []byte) string {
	e := readEntry(line)
	return e.fault()
}

// fault says what is wrong with the entry itself, "" for nothing.
func (e *Entry) fault() string {
	if e.Params != nil && contentHash(e.Cmd, e.Params) == e.Hash { // acta writes canonical params
		return ""
	}
	params, err := canonical(e.Params)
	switch {
	case err != nil:
		return "the line was edited: it is not an entry of this log"
	case contentHash(e.Cmd, params) != e.Hash:
		return "the line was edited: its hash is not that of its cmd and params"
	}
	return ""
}

// OriginalParams are the params of an entry before somebody edited it, as far as its hash tells.
// candidates are the values, as JSON, that a key may have had; "" means that the key was missing. If no combination
// matches the hash, the edited params are returned.
func (e *Entry) OriginalParams(candidates map[string][]string) json.RawMessage {
	var params map[string]json.RawMessage
	if e.fault() == "" || json.Unmarshal(e.Params, &params) != nil || params == nil {
		return e.Params
	}
	was := *e
	if was.restore(params, candidates, slices.Sorted(maps.Keys(candidates))) {
		return was.Params
	}
	return e.Params
}

func (e *Entry) restore(params map[string]json.RawMessage, others map[string][]string, keys []string) bool {
	if len(keys) == 0 {
		var err error
		e.Params, err = state.JSONLine(params)
		return err == nil && e.fault() == ""
	}
	for _, value := range others[keys[0]] {
		if params[keys[0]] = json.RawMessage(value); value == "" {
			delete(params, keys[0])
		}
		if e.restore(params, others, keys[1:]) {
			return true
		}
	}
	return false
}

// ReadVerified returns every whole line, as Read does, and the result of Verify, from one reading.
func (l Log) ReadVerified() (entries []Entry, s State, err error) {
	s, data, err := l.chain.verify(lineFault)
	return entriesOf(data), s, err
}

// Read returns the whole lines. An unreadable line is an Entry with only its Line; a missing log has no lines.
func (l Log) Read() ([]Entry, error) {
	data, err := state.ReadFile(l.chain.Path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return entriesOf(data), err
}

func entriesOf(data []byte) (entries []Entry) {
	for line := range Lines(data) {
		entries = append(entries, readEntry(line))
	}
	return entries
}

func readEntry(line []byte) Entry {
	var e Entry
	if json.Unmarshal(line, &e) != nil {
		e = Entry{}
	}
	e.Line = line
	return e
}

// The severities of the audit log that findings do not have.
const (
	RefusalSeverity = "refusal"
	ErrorSeverity   = "error"
	WarningSeverity = "warning"
)

// MessageParams are the Action.Params of a warning or an error.
func MessageParams(severity, message string) map[string]any {
	return map[string]any{"severity": severity, "message": withoutIDs(message)}
}

// RefusalParams are the Action.Params of an action that a rule forbids.
func RefusalParams(rule, message string) map[string]any {
	return map[string]any{"severity": RefusalSeverity, "rule": rule, "message": withoutIDs(message)}
}

// FindingParams are the Action.Params of a finding.
func FindingParams(f report.Finding) map[string]any {
	params := map[string]any{"severity": f.Severity.String(), "rule": f.Rule, "message": withoutIDs(f.Message)}
	for key, value := range map[string]string{"path": f.Path, "unit": f.Unit, "item": f.Item} {
		if value != "" {
			params[key] = value
		}
	}
	if f.Line > 0 {
		params["line"] = f.Line
	}
	return params
}

// ClaimParams are the Action.Params of a claim in a commit that a hook refused; actor made it, "" if that is not known.
func ClaimParams(v report.ClaimVerdict, actor string) map[string]any {
	params := map[string]any{
		"verdict": v.Verdict.String(), "contradiction": v.IsContradiction, "unit": v.Unit, "item": v.Item,
	}
	for key, value := range map[string]string{"evidence": v.Evidence, "message": withoutIDs(v.Reason), "actor": actor} {
		if value != "" {
			params[key] = value
		}
	}
	if v.IsOptional {
		params["optional"] = true
	}
	return params
}

// withoutIDs removes commit ids from a message: full ids, those of 12 digits, and shorter ones after the word commit.
// The same finding then has the same params in another clone, or after a rebase.
func withoutIDs(message string) string {
	// An id between spaces or brackets: a path may begin like one.
	alone := regexp.MustCompile(`(^|[\s(«])(?:[0-9a-f]{12}|[0-9a-f]{40}|[0-9a-f]{64})([\s,;:)»]|\.\s|\.?$)`)
	message = alone.ReplaceAllString(message, "$1…$2")
	return regexp.MustCompile(`\b(commit) [0-9a-f]{7,}\b`).ReplaceAllString(message, "$1 …")
}
