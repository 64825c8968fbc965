package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxTranscript bounds what is read of a transcript, in bytes from its end.
const maxTranscript = 256 << 10

// readLastMessage is what an agent that stops said last, where its host tells no more than the file of the transcript.
func (e *event) readLastMessage(getenv func(string) string) string {
	path := e.transcript
	if rest, ok := strings.CutPrefix(path, "~/"); ok && getenv("HOME") != "" {
		path = filepath.Join(getenv("HOME"), rest)
	}
	if !filepath.IsAbs(path) {
		return ""
	}
	data, err := readEnd(path, maxTranscript)
	if err != nil {
		return ""
	}
	return lastMessageIn(data)
}

// readEnd reads the last whole lines of a regular file, at most so many bytes. Anything else that stands there, or
// that a link leads to, is not opened: reading a FIFO or a device may wait for ever.
func readEnd(path string, most int64) ([]byte, error) {
	errOther := errors.New(path + " is no regular file")
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, errOther)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // somebody may have put another there since
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, errOther)
	}
	from := max(0, info.Size()-most-1) // one byte more tells whether the first line is whole
	data, err := io.ReadAll(io.NewSectionReader(f, from, most+1))
	if err != nil || from == 0 && int64(len(data)) <= most {
		return data, err
	}
	_, data, _ = bytes.Cut(data, []byte{'\n'})
	return data, nil
}

// lastMessageIn is the text of the last message of the agent behind the last one of the user, which the results of
// tools are, too; "" for none. Claude Code writes an object a line, and a message over several of them, which have
// its id. What sub-agents said, lines of other kinds, and such as cannot be read are passed over; a message that uses
// a tool is not the last.
func lastMessageIn(transcript []byte) string {
	said, id := "", ""
	for line := range bytes.Lines(transcript) {
		var entry payload
		if json.Unmarshal(line, &entry) != nil || entry.flag("isSidechain") {
			continue
		}
		message := entry.object("message")
		switch kind := entry.text("type"); {
		case kind == "user":
			said, id = "", ""
		case kind == "assistant" && message != nil:
			text, uses := textOf(message)
			switch now := message.text("id"); {
			case uses:
				said, id = "", ""
			case text == "": // it only thinks
			case now != "" && now == id:
				said += "\n" + text
			default:
				said, id = text, now
			}
		}
	}
	return said
}

// textOf is what a message says, and whether it uses a tool.
func textOf(message payload) (text string, uses bool) {
	if said := message.text("content"); said != "" {
		return said, false
	}
	blocks, _ := message.objects("content")
	var all []string
	for _, b := range blocks {
		switch b.text("type") {
		case "text":
			all = append(all, b.text("text"))
		case "tool_use":
			uses = true
		}
	}
	return strings.Join(all, "\n"), uses
}
