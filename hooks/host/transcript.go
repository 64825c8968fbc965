package host

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"path/filepath"
	"strings"
	"time"

	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
)

// maxTranscript bounds the end of a transcript that is read, in bytes.
const maxTranscript = 256 << 10

// entries are the readable lines of a transcript that contain a text.
func entries(transcript []byte, with string) iter.Seq[payload] {
	return func(yield func(payload) bool) {
		for line := range bytes.Lines(transcript) {
			var entry payload
			if !bytes.Contains(line, []byte(with)) || json.Unmarshal(line, &entry) != nil {
				continue
			}
			if !yield(entry) {
				return
			}
		}
	}
}

func (e *event) transcriptFile(env program.Env) string {
	path := e.transcript
	if rest, ok := strings.CutPrefix(path, "~/"); ok && env.Get("HOME") != "" {
		path = filepath.Join(env.Get("HOME"), rest)
	}
	if !filepath.IsAbs(path) {
		return ""
	}
	return path
}

// readLastMessage is an agent's last message, if only the transcript has it.
func (c *call) readLastMessage() (message string) {
	reader, ok := c.Host.(interface{ lastMessage(lines []byte) string })
	path := c.transcriptFile(c.Env)
	if !ok || path == "" {
		return ""
	}
	pollTranscript(path, 1+int(c.messageDelay/codeWait), func(lines []byte) bool {
		message = reader.lastMessage(lines)
		return message != ""
	})
	return message
}

// pollTranscript reads the end of a transcript until isFound is true, at most so many times.
func pollTranscript(path string, tries int, isFound func(lines []byte) bool) {
	for try := range tries {
		if try > 0 {
			time.Sleep(codeWait)
		}
		if lines, err := state.ReadEnd(path, maxTranscript); err != nil || isFound(lines) {
			return
		}
	}
}

const (
	// codeTries is how often a transcript is read for an exit code, and codeWait the time between: a host may write it
	// after its hook starts.
	codeTries = 5
	codeWait  = 10 * time.Millisecond
)

// readCode reads the exit code of a test run from the transcript, if the payload lacks it.
func (c *call) readCode() {
	reader, ok := c.Host.(interface {
		exitCode(lines []byte, call string) *int
	})
	path := c.transcriptFile(c.Env)
	if !ok || path == "" || c.call == "" || c.use.action != worklog.Bash || c.use.exitCode != nil || !c.isTestRun() {
		return
	}
	pollTranscript(path, codeTries, func(lines []byte) bool {
		c.use.exitCode = reader.exitCode(lines, c.call)
		return c.use.exitCode != nil
	})
	if c.use.exitCode != nil && *c.use.exitCode != 0 {
		c.use.status = worklog.Failed
	}
}

func (c *call) countTokens(ctx context.Context) error {
	if c.live == nil || c.isNamed {
		return nil
	}
	return c.live.AddTokens(ctx, c.tokens)
}

// exitCode is that of the tool use with this id, from the event of its end or from the model's text.
func (codex) exitCode(transcript []byte, call string) (code *int) {
	for entry := range entries(transcript, call) {
		entryPayload := entry.object("payload")
		switch item := entryPayload.object("item"); {
		case item.text("id") == call && item.text("type") == "CommandExecution":
			code = item.number("exit_code")
		case entryPayload.text("call_id") != call:
		case entryPayload.text("type") == "exec_command_end":
			code = entryPayload.number("exit_code")
		case entryPayload.text("type") == "function_call_output" && code == nil:
			head, _, _ := strings.Cut(entryPayload.text("output"), "\nOutput:\n") // the command's output follows
			code = exitCodeIn(head, `(?m)^Process exited with code (\d{1,9})$`)
		}
	}
	return code
}
