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

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/parser/excerpt"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// CommitMsg is git's commit-msg hook: it judges the message in the file that git
// names against what is about to be committed, and may refuse the commit. It
// appends the symbol to evidence that lies in one definition, so that the claim
// outlives shifting lines. Where an ADAPT completes a task it runs the verifier that HEAD's policy wants of that.
func CommitMsg(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	file, err := c.messageFile()
	if err != nil {
		return nil, err
	}
	result, message, err := commitMsg{file, c.Env, c.Advised}.run(ctx, r)
	if err == nil {
		err = judge.StagedCommit{Message: parser.StoredUTF8(message.text), InHook: true}.RunVerifier(ctx, r, c.Env, result)
	}
	return about(result, message.text), err
}

// HasCommitMsgHook reports whether git calls acta's commit-msg hook in this repository, as far as its file tells.
func HasCommitMsgHook(ctx context.Context, r *repo.Repo) bool {
	g, err := r.Layout(ctx)
	if err != nil {
		return false
	}
	path := folder(g.HooksDir).path("commit-msg")
	ours, err := isOurs(path)
	return err == nil && ours && isExecutable(path)
}

// commitMsg is one run of the hook.
type commitMsg struct {
	file    string
	env     program.Env
	advised bool
}

// The configuration that the hook reads.
const (
	keyAnchor        = "acta.anchor" // false keeps the hook from appending anchors
	keyCleanup       = "commit.cleanup"
	keyCommentChar   = "core.commentchar"
	keyCommentString = "core.commentstring"
)

// run judges the message, and returns it as git will store it. A result whose Code is not 0 refuses the commit; so does
// an error.
func (h commitMsg) run(ctx context.Context, r *repo.Repo) (*judge.Result, message, error) {
	file, rest, err := readMessage(h.file)
	if err != nil {
		return nil, message{}, fmt.Errorf("the commit message cannot be read: %w", err)
	}
	config := h.configuration(ctx, r)
	edited := h.env.Get("GIT_EDITOR") != ":"
	m := message{text: file, beyond: rest}
	if edited || rest.Size > 0 {
		m, err = h.cleaned(m, config(), edited)
	}
	if err != nil {
		return nil, message{}, err
	}
	result, err := h.judge(ctx, r, m)
	if !edited && rest.Size == 0 {
		// git has cleaned the file already, unless it is configured otherwise.
		if stored := clean(file, config(), false); !bytes.Equal(stored, m.text) {
			m.text = stored
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

// message is a commit message as git will store it, no more than an excerpt of it.
type message struct {
	text   []byte
	beyond excerpt.Tail
}

// cleaned is the message that git will make of the file. A file that is longer than what is kept of it is read once
// more.
func (h commitMsg) cleaned(file message, config map[string]string, edited bool) (message, error) {
	if file.beyond.Size == 0 {
		return message{text: clean(file.text, config, edited)}, nil
	}
	return cleanFile(h.file, config, edited)
}

func (h commitMsg) judge(ctx context.Context, r *repo.Repo, m message) (*judge.Result, error) {
	return judge.StagedCommit{
		Message: parser.StoredUTF8(m.text), Tail: m.beyond, InHook: true, MayAmend: true,
		IsAmend: amends(ctx, r, h.env), SkipAdvice: h.advised, Leases: &Leases{Repo: r},
		Runs: Runs(r, h.env.Get("ACTA_SESSION")), Session: h.env.Get("ACTA_SESSION"),
	}.Judge(ctx, r)
}

// configuration reads what the hook needs while the message is judged, and
// returns where to wait for it. Configuration that cannot be read counts as
// none: the gate must not depend on it.
func (h commitMsg) configuration(ctx context.Context, r *repo.Repo) func() map[string]string {
	read := make(chan struct{})
	var config map[string]string
	go func() {
		defer close(read)
		config, _ = r.Config(ctx, keyCleanup, keyCommentChar, keyCommentString, keyAnchor)
	}()
	return func() map[string]string {
		<-read
		return config
	}
}

// clean does to the message file what git will do to it after the hook. An
// editor's file still holds comments and, with `commit -v`, a scissors line and a
// diff; with -m or -F git sets GIT_EDITOR to ":" and keeps comment characters as
// text unless commit.cleanup says otherwise.
func clean(file []byte, config map[string]string, edited bool) []byte {
	mode := cleanupOf(config, edited)
	if !edited && mode == parser.CleanWhitespace {
		return file // done already
	}
	if edited {
		// `commit -v` puts a scissors line and the diff under the message, whatever the mode.
		file = parser.CutScissors(file, commentOf(config))
	}
	return parser.Clean(file, mode, commentOf(config))
}

// cleanFile is clean of a file of any size, and keeps an excerpt of what comes out.
func cleanFile(name string, config map[string]string, edited bool) (m message, err error) {
	f, err := state.Open(name)
	if err != nil {
		return message{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	m.text, m.beyond, err = parser.CleanExcerpt(f, cleanupOf(config, edited), commentOf(config), edited)
	return m, err
}

// cleanupOf is the mode in which git cleans a message; a value that git refuses counts as none.
func cleanupOf(config map[string]string, edited bool) parser.Cleanup {
	mode, ok := parser.CleanupMode(config[keyCleanup], edited)
	if !ok {
		mode, _ = parser.CleanupMode("", edited)
	}
	return mode
}

// commentOf is what begins a comment, "" for git's default. With "auto" git picks
// a character that begins no line, which is the default unless a message is odd.
func commentOf(config map[string]string) string {
	comment := cmp.Or(config[keyCommentString], config[keyCommentChar])
	if comment == "auto" {
		return ""
	}
	return comment
}

// anchor writes the message file with the anchors appended to the evidence. A message that would then read differently
// is left as it is, and so is a file that is longer than what is read of it.
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

// appendAnchors returns file with the anchors in, or nil when they cannot be
// placed: file is what git handed over, message what it will store of it.
func appendAnchors(file, message []byte, anchors []rules.Anchor) []byte {
	cited, raw := cites(message), cites(file)
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
	// The anchored message must cite the same places, or it is not written.
	again := cites(out)
	if bytes.Equal(out, file) || !slices.EqualFunc(raw, again, func(a, b parser.Evidence) bool {
		return a.Path == b.Path && a.Start == b.Start && a.End == b.End && b.Err == ""
	}) {
		return nil
	}
	return out
}

// cites lists the well-formed evidence of a message in the order it stands there.
func cites(message []byte) []parser.Evidence {
	malformed := func(e parser.Evidence) bool { return e.Err != "" }
	out := slices.DeleteFunc(parser.Parse(message).Evidence(), malformed)
	slices.SortFunc(out, func(a, b parser.Evidence) int { return a.Text.Span.Start.Offset - b.Text.Span.Start.Offset })
	return out
}

// isFalse reads a git boolean; what is not set is not false.
func isFalse(value string) bool {
	return slices.Contains([]string{"false", "no", "off", "0"}, strings.ToLower(value))
}

// maxAncestors is how many processes may stand between a hook of git and acta: shells, and other tools of hooks.
const maxAncestors = 8

// amends reports whether the commit that is about to be made certainly takes HEAD's place. git tells a hook nothing of
// it: what does is git's own command line, or where nobody can read that, the author's date, which an amend keeps.
func amends(ctx context.Context, r *repo.Repo, env program.Env) bool {
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

// process is the command line of a process and its parent, as Linux tells them; nothing elsewhere.
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

// LastMessage is the message of the last commit that was tried in the work tree, refused or not, as git would store it,
// no more than an excerpt of it. git keeps what an editor left, where comments stand last; what came by -m or -F has
// none that git takes for such.
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
	config, err := r.Config(ctx, keyCleanup, keyCommentChar, keyCommentString)
	if err != nil {
		return nil, rest, path, err
	}
	comment := cmp.Or(commentOf(config), "#")
	above := parser.CutScissors(file, comment)
	last, err := lastLineOf(path)
	if err != nil {
		return nil, rest, path, err
	}
	edited := len(above) < len(file) || strings.HasPrefix(last, comment)
	if rest.Size == 0 {
		return clean(file, config, edited), rest, path, nil
	}
	m, err := cleanFile(path, config, edited)
	return m.text, m.beyond, path, err
}

// lastLineOf is the last line of a file that is not empty.
func lastLineOf(path string) (string, error) {
	end, _, err := state.ReadEnd(path, maxEnd)
	end = bytes.TrimRight(end, "\n")
	return string(end[bytes.LastIndexByte(end, '\n')+1:]), err
}

// maxEnd bounds what is read of a file's end, in bytes: a comment of git's is shorter, and some hundred moves of a ref
// are.
const maxEnd = 64 << 10

// readMessage reads the message in a file.
func readMessage(name string) (text []byte, rest excerpt.Tail, err error) {
	f, err := state.Open(name)
	if err != nil {
		return nil, excerpt.Tail{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return excerpt.Read(f)
}
