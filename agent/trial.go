package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/repo"
)

// Configured are the hosts that call acta in a work tree, by their files there.
func Configured(top string) (all []Host) {
	for _, h := range Hosts() {
		data, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(h.hooks(false).Path)))
		if err == nil && bytes.Contains(data, []byte(hookCommand(h))) {
			all = append(all, h)
		}
	}
	return all
}

// HostSharing is another host that calls acta in a work tree and takes acta's part from a file, too; nil for none.
func HostSharing(top string, h Host, path string) Host {
	for _, other := range Configured(top) {
		takes := func(s Setting) bool { return s.Path == path }
		if other != h && slices.ContainsFunc(Settings(other, Parts{MCP: true}), takes) {
			return other
		}
	}
	return nil
}

// WithoutHooks says how it comes that no hook of git's runs for what a host's agent commits, "" where they run.
func WithoutHooks(h Host) string {
	if off, ok := h.(interface{ withoutHooks() string }); ok {
		return h.Name() + " " + off.withoutHooks()
	}
	return ""
}

// samplePayload is one of a kind of event, in the form of a host.
func samplePayload(h Host, kind eventKind, dir string) []byte {
	for _, name := range []string{
		"SessionStart", "sessionStart", "session.created", "PostToolUse", "postToolUse", "AfterTool", "tool.execute.after",
	} {
		data, err := json.Marshal(map[string]any{
			"hook_event_name": name, "session_id": "acta-doctor", "conversation_id": "acta-doctor", "cwd": dir,
			"tool_name": "doctor",
		})
		if err != nil {
			continue
		}
		if p, err := readPayload(data); err == nil && readEvent(h, p).kind == kind {
			return data
		}
	}
	return nil
}

// TryHook plays a false claim to a host's hook, in the form of that host and in a repository of its own: it is
// committed past every hook of git's, and the hook is to tell the agent. env is the environment that git runs in (nil:
// the process's own).
func TryHook(ctx context.Context, h Host, env []string) (trial hooks.Trial, err error) {
	trial = hooks.Trial{Hook: h.ID(), Tried: "git commit past every hook, and a tool after it", State: hooks.Refused}
	dir, err := os.MkdirTemp("", "acta-doctor-")
	if err != nil {
		return trial, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	env = append(repo.ForeignEnv(env), "GIT_AUTHOR_NAME=acta doctor", "GIT_AUTHOR_EMAIL=doctor@acta.invalid",
		"GIT_COMMITTER_NAME=acta doctor", "GIT_COMMITTER_EMAIL=doctor@acta.invalid")
	file, text, claim := hooks.FalseClaim()
	if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
		return trial, err
	}
	commit := []string{
		"-c", "core.hooksPath=" + os.DevNull, "-c", "commit.gpgSign=false",
		"commit", "--quiet", "--no-verify", "--allow-empty", "-m",
	}
	git := func(args ...string) error {
		out, err := repo.Command(ctx, dir, env, args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, firstLine(string(out)))
		}
		return nil
	}
	hook := func(kind eventKind) Answer {
		return Hook{
			Host: h, Stdin: bytes.NewReader(samplePayload(h, kind, dir)), Getenv: func(string) string { return "" }, Env: env,
			Now: time.Now(),
		}.Answer(ctx)
	}
	err = errors.Join(git("init", "--quiet", "--template="), git("add", "--all"),
		git(append(commit, "acta doctor")...))
	if err != nil {
		return trial, err
	}
	hook(begun)
	if err := git(append(commit, claim)...); err != nil {
		return trial, err
	}
	if a := hook(usedTool); a.Refused == nil {
		trial.State, trial.Why = hooks.LetPass, "the hook did not tell the agent"
	}
	return trial, nil
}
