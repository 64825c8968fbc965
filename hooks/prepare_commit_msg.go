package hooks

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
)

// The configuration and the environment variables that name the committer; the environment wins.
const (
	keyActor, envActor     = "acta.actor", "ACTA_ACTOR"
	keySession, envSession = "acta.session", "ACTA_SESSION"
	envUnit                = "ACTA_UNIT" // the unit in work
)

// PrepareCommitMsg is git's prepare-commit-msg hook. It adds missing Actor and Session lines to the message of an ACT
// or ADAPT, and to any message while ACTA_UNIT names a unit; without a named session it uses the one that runs in the
// work tree. It leaves existing messages alone: merge, squash, fixup, revert, cherry-pick and rebase.
//
// git names the message file and, as a second argument, the message's source (githooks(5)). The hook never refuses the
// commit.
func PrepareCommitMsg(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	file, err := c.messageFile()
	if err != nil {
		return nil, err
	}
	if len(c.Args) > 1 && (c.Args[1] == "merge" || c.Args[1] == "squash") {
		return &Answer{}, nil
	}
	p := preparation{Call: c, unit: c.Env.Get(envUnit), hasEditor: c.Env.Get("GIT_EDITOR") != ":"}
	info, err := os.Stat(file)
	if err == nil && info.Size() > parser.MaxMessage && !p.hasEditor {
		return &Answer{}, nil // the whole file is the message; commit-msg judges it
	}
	data, err := state.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("the commit message cannot be read: %w", err)
	}
	if p.unit == "" && !mayBeTitled(data) || p.isReplay() {
		return &Answer{}, nil
	}
	prepared, err := p.prepare(ctx, r, data)
	if err != nil || bytes.Equal(prepared, data) {
		return &Answer{}, err
	}
	return &Answer{}, state.WriteFile(file, prepared, info.Mode())
}

// mayBeTitled is a cheap check of the bytes: without one of these there is no title.
func mayBeTitled(message []byte) bool {
	lower := bytes.ToLower(message[:min(len(message), parser.MaxMessage)])
	return bytes.Contains(lower, []byte("act:")) || bytes.Contains(lower, []byte("adapt:"))
}

type preparation struct {
	Call
	unit      string // of the environment
	hasEditor bool   // an editor will open
	config    map[string]string
	// running is the session that runs in the work tree, in which post-commit records the commit; "" for none.
	running string
}

func (p *preparation) isReplay() bool {
	dir := gitDir(p.Env)
	return isRebasing(dir) || hasAny(dir, "CHERRY_PICK_HEAD", "REVERT_HEAD")
}

func (p *preparation) prepare(ctx context.Context, r *repo.Repo, file []byte) ([]byte, error) {
	if p.hasEditor || p.Env.Get(envActor) == "" || p.Env.Get(envSession) == "" {
		var err error
		if p.config, err = r.Config(ctx, keyActor, keySession, keyCommentChar, keyCommentString); err != nil {
			return nil, err
		}
	}
	content, rest := file, []byte(nil)
	if p.hasEditor {
		end := contentEnd(file, commentOf(p.config))
		content, rest = file[:end], file[end:]
	}
	if len(content) > parser.MaxMessage {
		return file, nil
	}
	message := parser.Parse(content)
	part := message.Parts[0]
	titled := part.Kind == parser.Act || part.Kind == parser.Adapt
	if !titled && p.unit == "" || message.IsSquash || message.IsAutosquash || message.Reverts != nil {
		return file, nil
	}
	if part.Session.Value == "" && p.Env.Get(envSession) == "" && p.config[keySession] == "" {
		p.running = worklog.RunningSession(ctx, r)
	}
	if len(bytes.TrimSpace(content)) == 0 {
		return file, nil // git must still see an empty message
	}
	added := appendLines(content, p.missing(part))
	if added == nil {
		return file, nil
	}
	return slices.Concat(added, rest), nil
}

func (p *preparation) missing(part *parser.Part) []byte {
	var lines []byte
	for _, l := range []struct {
		name, has, env, key, or string
	}{
		{"Actor", part.Actor.Value, envActor, keyActor, ""},
		{"Session", part.Session.Value, envSession, keySession, p.running},
	} {
		value := cmp.Or(p.Env.Get(l.env), p.config[l.key], l.or)
		if value = strings.Join(strings.Fields(value), " "); l.has == "" && value != "" {
			lines = fmt.Appendf(lines, "%s: %s\n", l.name, value)
		}
	}
	return lines
}

// appendLines adds lines to the last paragraph if they are then read as a report, else as a new paragraph; nil if
// neither works without changing the rest.
func appendLines(content, lines []byte) []byte {
	if len(lines) == 0 {
		return nil
	}
	content = append(bytes.TrimRight(content, "\n"), '\n')
	before, want := parser.Parse(content), parser.Parse(slices.Concat([]byte("x\n\n"), lines)).Parts[0].Report
	for _, between := range []string{"", "\n"} {
		out := slices.Concat(content, []byte(between), lines)
		if after := parser.Parse(out); addsOnly(before, after, want) {
			return out
		}
	}
	return nil
}

// addsOnly reports whether after equals before, plus the actor and session of want.
func addsOnly(before, after *parser.Message, want parser.Report) bool {
	if len(after.Parts) != len(before.Parts) {
		return false
	}
	was, is := before.Parts[0], after.Parts[0]
	added := func(was, is, want parser.Text) bool {
		return is.Value == want.Value || want.Value == "" && is.Value == was.Value
	}
	return is.Kind == was.Kind && is.Unit.Value == was.Unit.Value && len(is.UnreadLines) == len(was.UnreadLines) &&
		added(was.Actor, is.Actor, want.Actor) && added(was.Session, is.Session, want.Session) &&
		reflect.DeepEqual(is.Claims, was.Claims) && len(after.Trailers) >= len(before.Trailers)
}

// contentEnd is the message's end in an editor's file: before the scissors line, final comments and blank lines.
func contentEnd(file []byte, comment string) int {
	comment = cmp.Or(comment, "#")
	end := len(parser.CutScissors(file, comment))
	for end > 0 {
		start := bytes.LastIndexByte(file[:end-1], '\n') + 1
		line := file[start:end]
		if !bytes.HasPrefix(line, []byte(comment)) && len(bytes.TrimSpace(line)) > 0 {
			break
		}
		end = start
	}
	return end
}
