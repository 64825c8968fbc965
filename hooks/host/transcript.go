package host

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
)

// maxTranscript bounds what is read of a transcript, in bytes from its end.
const maxTranscript = 256 << 10

// entries are the lines of a transcript that have a text in them and can be read.
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

// transcriptFile is the path of the transcript, "" where there is none that can be read.
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

// readLastMessage is what an agent that stops said last, where its host tells no more than the file of the transcript.
func (h Hook) readLastMessage(e *event) (said string) {
	reader, ok := h.Host.(interface{ lastMessage(lines []byte) string })
	path := e.transcriptFile(h.Env)
	if !ok || path == "" {
		return ""
	}
	awaitIn(path, 1+int(e.saidWithin/codeWait), func(lines []byte) bool {
		said = reader.lastMessage(lines)
		return said != ""
	})
	return said
}

// awaitIn reads the end of a transcript until what is looked for is found there, so many times at most.
func awaitIn(path string, tries int, found func(lines []byte) bool) {
	for try := range tries {
		if try > 0 {
			time.Sleep(codeWait)
		}
		if lines, err := readEnd(path, maxTranscript); err != nil || found(lines) {
			return
		}
	}
}

const (
	// codeTries is how often a transcript is read for what must be in it, and codeWait how long it is waited between
	// that: a host may write it while its hook starts.
	codeTries = 5
	codeWait  = 10 * time.Millisecond
)

// readCode reads the exit code of a test run where the payload does not have it. Others nobody asks for.
func (c *call) readCode() {
	reader, ok := c.Host.(interface {
		exitCode(lines []byte, call string) *int
	})
	path := c.transcriptFile(c.Env)
	if !ok || path == "" || c.call == "" || c.use.action != worklog.Bash || c.use.exitCode != nil || !c.testsRan() {
		return
	}
	awaitIn(path, codeTries, func(lines []byte) bool {
		c.use.exitCode = reader.exitCode(lines, c.call)
		return c.use.exitCode != nil
	})
	if c.use.exitCode != nil && *c.use.exitCode != 0 {
		c.use.status = worklog.Failed
	}
}

// countTokens adds the tokens that the payload tells of to those of the session.
func (c *call) countTokens(ctx context.Context) error {
	if c.live == nil || c.given {
		return nil
	}
	return c.live.AddTokens(ctx, c.tokens)
}

// readEnd reads the last whole lines of a regular file, at most so many bytes.
func readEnd(path string, most int64) ([]byte, error) {
	data, whole, err := state.ReadEnd(path, most+1) // one byte more tells whether the first line is whole
	if err != nil || whole && int64(len(data)) <= most {
		return data, err
	}
	_, data, _ = bytes.Cut(data, []byte{'\n'})
	return data, nil
}

// exitCode is that of the use of a tool, by its id: the event of its end has it, and so has what the model is told.
func (codex) exitCode(transcript []byte, call string) (code *int) {
	ended := regexp.MustCompile(`(?m)^Process exited with code (\d{1,9})$`)
	for entry := range entries(transcript, call) {
		said := entry.object("payload")
		switch item := said.object("item"); {
		case item.text("id") == call && item.text("type") == "CommandExecution":
			code = item.number("exit_code")
		case said.text("call_id") != call:
		case said.text("type") == "exec_command_end":
			code = said.number("exit_code")
		case said.text("type") == "function_call_output" && code == nil:
			head, _, _ := bytes.Cut([]byte(said.text("output")), []byte("\nOutput:\n")) // behind that is what it printed
			if m := ended.FindSubmatch(head); m != nil {
				n, _ := strconv.Atoi(string(m[1]))
				code = &n
			}
		}
	}
	return code
}
