package hooks

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/parser/excerpt"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// CommitMsg is git's commit-msg hook: it judges the message against the commit to be made, and may refuse the commit.
// It appends the symbol to evidence that lies in one definition, so that the citation survives shifting lines. If an
// ADAPT completes a task, it runs the verifier of HEAD's policy.
func CommitMsg(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	file, err := c.messageFile()
	if err != nil {
		return nil, err
	}
	result, message, err := commitMsg{c, file}.run(ctx, r)
	if err == nil {
		err = judge.StagedCommit{Message: parser.StoredUTF8(message.text)}.RunVerifier(ctx, r, c.Env, result)
	}
	return answerFor(result, message.text), err
}

// HasCommitMsgHook reports whether acta's commit-msg hook is installed and executable in this repository.
func HasCommitMsgHook(ctx context.Context, r *repo.Repo) bool {
	g, err := r.Layout(ctx)
	if err != nil {
		return false
	}
	path := folder(g.HooksDir).path("commit-msg")
	ours, err := isOurs(path)
	return err == nil && ours && isExecutable(path)
}

type commitMsg struct {
	Call
	file string // of the message
}

// The configuration that the hook reads.
const (
	keyAnchor        = "acta.anchor" // false turns anchors off
	keyCleanup       = "commit.cleanup"
	keyCommentChar   = "core.commentchar"
	keyCommentString = "core.commentstring"
)

// run judges the message, and returns it as git will store it. An error, or a Code other than 0, refuses the commit.
func (h commitMsg) run(ctx context.Context, r *repo.Repo) (*judge.Result, message, error) {
	file, rest, err := readMessage(h.file)
	if err != nil {
		return nil, message{}, fmt.Errorf("the commit message cannot be read: %w", err)
	}
	config := sync.OnceValue(func() map[string]string {
		config, _ := r.Config(ctx, keyCleanup, keyCommentChar, keyCommentString, keyAnchor)
		return config // empty if it cannot be read: the gate must not depend on it
	})
	go config() // while the message is judged
	hasEditor := h.Env.Get("GIT_EDITOR") != ":"
	m := message{text: file, tail: rest}
	if hasEditor || rest.Size > 0 {
		if m, err = cleanFile(h.file, config(), hasEditor); err != nil {
			return nil, message{}, err
		}
	}
	result, err := h.judge(ctx, r, m)
	if !hasEditor && rest.Size == 0 && cleanupOf(config(), false) != parser.CleanWhitespace {
		// git has not cleaned the file as usual.
		stored, errClean := cleanFile(h.file, config(), false)
		if errClean != nil {
			return nil, message{}, errClean
		}
		if !bytes.Equal(stored.text, m.text) {
			m = stored
			result, err = h.judge(ctx, r, m)
		}
	}
	if err != nil || result.Code() != 0 || len(result.Anchors) == 0 || rest.Size > 0 || isFalse(config()[keyAnchor]) {
		return result, m, err
	}
	if err := h.anchor(file, m.text, result.Anchors); err != nil {
		result.Warnings = append(result.Warnings, "no anchors were added: "+err.Error())
	}
	return result, m, nil
}

// message is an excerpt of a commit message as git will store it.
type message struct {
	text []byte
	tail excerpt.Tail
}

func (h commitMsg) judge(ctx context.Context, r *repo.Repo, m message) (*judge.Result, error) {
	return judge.StagedCommit{
		Message: parser.StoredUTF8(m.text), Tail: m.tail, MayAmend: true,
		IsAmend: IsAmend(ctx, r, h.Env), SkipAdvice: h.WasAdvised, Leases: Leases{Repo: r},
		Runs: Runs(r, h.Env.Get("ACTA_SESSION")), Session: h.Env.Get("ACTA_SESSION"),
	}.Judge(ctx, r)
}

// cleanFile is an excerpt of the message that git will make of the file. An editor's file still has comments and, with
// `commit -v`, a scissors line and a diff, whatever the mode; with -m or -F git sets GIT_EDITOR to ":" and keeps
// comment characters as text unless commit.cleanup says otherwise.
func cleanFile(name string, config map[string]string, hasEditor bool) (m message, err error) {
	f, err := state.Open(name)
	if err != nil {
		return message{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	m.text, m.tail, err = parser.CleanExcerpt(f, cleanupOf(config, hasEditor), commentOf(config), hasEditor)
	return m, err
}

// cleanupOf is the mode in which git cleans a message; invalid values are ignored.
func cleanupOf(config map[string]string, hasEditor bool) parser.Cleanup {
	mode, ok := parser.CleanupMode(config[keyCleanup], hasEditor)
	if !ok {
		mode, _ = parser.CleanupMode("", hasEditor)
	}
	return mode
}

// commentOf is the beginning of a comment, "" for git's default, which "auto" usually picks, too.
func commentOf(config map[string]string) string {
	comment := cmp.Or(config[keyCommentString], config[keyCommentChar])
	if comment == "auto" {
		return ""
	}
	return comment
}

// anchor writes the message file with the anchors appended to the evidence. It leaves a file unchanged that is too
// long, or whose message would change its meaning.
func (h commitMsg) anchor(file, message []byte, anchors []rules.Anchor) error {
	anchored := appendAnchors(file, message, anchors)
	if anchored == nil {
		return nil
	}
	info, err := os.Stat(h.file)
	if err != nil {
		return err
	}
	return state.WriteFile(h.file, anchored, info.Mode())
}

// appendAnchors is git's message file with the anchors, nil if they cannot be placed; message is its stored form.
func appendAnchors(file, message []byte, anchors []rules.Anchor) []byte {
	cited, raw := citations(message), citations(file)
	if !slices.EqualFunc(cited, raw, func(a, b parser.Evidence) bool { return a.Text.Value == b.Text.Value }) {
		return nil
	}
	symbols := map[report.Span]string{}
	for _, a := range anchors {
		symbols[a.Evidence.Text.Span] = a.Symbol
	}
	var out []byte
	done := 0
	for i, e := range cited {
		if symbol := symbols[e.Text.Span]; symbol != "" {
			end := raw[i].Text.Span.End.Offset
			out = append(append(out, file[done:end]...), "#"+symbol...)
			done = end
		}
	}
	out = append(out, file[done:]...)
	// The anchored message must cite the same places.
	again := citations(out)
	if bytes.Equal(out, file) || !slices.EqualFunc(raw, again, func(a, b parser.Evidence) bool {
		return a.Path == b.Path && a.Start == b.Start && a.End == b.End && b.Err == ""
	}) {
		return nil
	}
	return out
}

func citations(message []byte) []parser.Evidence {
	malformed := func(e parser.Evidence) bool { return e.Err != "" }
	out := slices.DeleteFunc(parser.Parse(message).Evidence(), malformed)
	slices.SortFunc(out, func(a, b parser.Evidence) int { return a.Text.Span.Start.Offset - b.Text.Span.Start.Offset })
	return out
}

func isFalse(value string) bool {
	return slices.Contains([]string{"false", "no", "off", "0"}, strings.ToLower(value))
}

// maxAncestors is how many processes (shells, hook managers) may lie between git's hook and acta.
const maxAncestors = 8

// IsAmend reports whether the commit certainly replaces HEAD. git does not tell hooks: its command line shows it, or,
// if that is unreadable, the author's date, which an amend keeps.
func IsAmend(ctx context.Context, r *repo.Repo, env program.Env) bool {
	for pid, n := os.Getppid(), 0; n < maxAncestors && pid > 1; n++ {
		command, parent := process(pid)
		if at := slices.Index(command, "commit"); at > 0 && strings.HasPrefix(filepath.Base(command[0]), "git") {
			return slices.ContainsFunc(command[at:], func(option string) bool {
				return len(option) > len("--a") && strings.HasPrefix("--amend", option)
			})
		}
		pid = parent
	}
	head, err := r.Head(ctx)
	when := head.Author.When
	return err == nil && env.Get("GIT_AUTHOR_DATE") == fmt.Sprintf("@%d %s", when.Unix(), when.Format("-0700"))
}

// process is the command line of a process and its parent, on Linux; nothing elsewhere.
func process(pid int) (command []string, parent int) {
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	line, err1 := state.ReadFile(filepath.Join(dir, "cmdline"))
	stat, err2 := state.ReadFile(filepath.Join(dir, "stat"))
	if err1 != nil || err2 != nil {
		return nil, 0
	}
	// «pid (name) state ppid …»: the name may hold anything.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) > 1 {
		parent, _ = strconv.Atoi(string(fields[1]))
	}
	return strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00"), parent
}

// LastMessage is an excerpt of the last message that was tried in the work tree, refused or not, as git would store it.
// git keeps an editor's file, which ends with comments; a message of -m or -F has no comments.
func LastMessage(ctx context.Context, r *repo.Repo) (text []byte, rest excerpt.Tail, path string, err error) {
	g, err := r.Layout(ctx)
	if err != nil {
		return nil, rest, "", err
	}
	path = filepath.Join(g.GitDir, "COMMIT_EDITMSG")
	file, rest, err := readMessage(path)
	if err != nil {
		return nil, rest, path, err
	}
	last, errLast := lastLineOf(path)
	config, err := r.Config(ctx, keyCleanup, keyCommentChar, keyCommentString)
	if err = cmp.Or(err, errLast); err != nil {
		return nil, rest, path, err
	}
	comment := cmp.Or(commentOf(config), "#")
	hasEditor := len(parser.CutScissors(file, comment)) < len(file) || strings.HasPrefix(last, comment)
	m, err := cleanFile(path, config, hasEditor)
	return m.text, m.tail, path, err
}

func lastLineOf(path string) (string, error) {
	end, err := state.ReadEnd(path, maxEnd)
	end = bytes.TrimRight(end, "\n")
	return string(end[bytes.LastIndexByte(end, '\n')+1:]), err
}

// maxEnd bounds the end of a file that is read, in bytes: git's comment fits, and some hundred moves of a ref.
const maxEnd = 64 << 10

func readMessage(name string) (text []byte, rest excerpt.Tail, err error) {
	f, err := state.Open(name)
	if err != nil {
		return nil, excerpt.Tail{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return excerpt.Read(f)
}
