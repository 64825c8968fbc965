package worklog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
)

// HostState is the local state of one session of an agent's host, kept from one hook call to the next:
// <common>/acta/hosts/<host>-<hash of the id>.json.
type HostState struct {
	Host string `json:"host"`
	// ID is the host's own name of the session.
	ID string `json:"host_session"`
	// Session is the worklog's id, "" before it begins.
	Session string `json:"session_id,omitempty"`
	// Task is the person's first request, in a line; "" before it.
	Task string `json:"task,omitempty"`
	// Lists are the last known todo lists, by subagent; "" is the agent itself.
	Lists map[string][]Todo `json:"lists,omitempty"`
	// Baseline says where HEAD was at the last call, nil before the first.
	Baseline *Baseline `json:"looks,omitempty"`
	// Tree is the work tree at the last look, nil before the first.
	Tree     *Tree    `json:"tree,omitempty"`
	Reminded []string `json:"told,omitempty"`

	common, file string
	// stored is the file's content, nil for none.
	stored []byte
}

// Tree is the state of a work tree at the last look.
type Tree struct {
	GitDir string `json:"git_dir"`
	// Files are those that differed from HEAD, each with a stamp of its content.
	Files map[string]string `json:"files"`
	// Pause is the time until which no look is taken, because two were too slow.
	Pause time.Time `json:"pause,omitzero"`
}

const (
	// hostWait bounds the wait for another hook of the same session.
	hostWait = 3 * time.Second
	// idleTime is how long a session may be inactive before it counts as ended; some hosts never report the end.
	idleTime = 24 * time.Hour
	// hostStateAge is how long a host's session may be inactive before its state is removed.
	hostStateAge = 30 * 24 * time.Hour
)

// OpenHost reads the state of a host's session, under a lock that its other hooks respect until unlock. An unreadable
// state starts again; the worklog is found again.
func OpenHost(ctx context.Context, commonDir, host, id string) (h *HostState, unlock func() error, err error) {
	sum := sha256.Sum256([]byte(id))
	h = &HostState{file: filepath.Join(commonDir, "acta", "hosts", host+"-"+hex.EncodeToString(sum[:8])+".json")}
	if unlock, err = state.Lock(ctx, h.file, hostWait); err != nil {
		return nil, nil, err
	}
	data, err := state.ReadFile(h.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, errors.Join(err, unlock())
	}
	if json.Unmarshal(data, h) != nil || h.ID != id {
		*h = HostState{file: h.file}
	}
	h.Host, h.ID, h.common, h.stored = host, id, commonDir, data
	if h.Session == "" {
		all, _ := LocalSessions(commonDir) // none if they cannot be read
		isIts := func(l *LocalSession) bool { return l.Host == host && l.HostSession == id }
		if i := slices.IndexFunc(all, isIts); i >= 0 {
			h.Session = all[i].ID
		}
	}
	return h, unlock, nil
}

// Save writes the state, if it has changed.
func (h *HostState) Save() error {
	data, err := state.JSONLine(h)
	if err != nil || bytes.Equal(data, h.stored) {
		return err
	}
	return state.Replace(h.file, data)
}

// LocalSession is the worklog of the host's session, nil if it has none, or if it was removed.
func (h *HostState) LocalSession() *LocalSession { return OpenStored(h.common, h.Session) }

// Rename gives the session another task.
func (l *LocalSession) Rename(ctx context.Context, task string) error {
	return l.changeBeginning(ctx, func(b *Beginning) { b.Task = Mask(task) })
}

// Resume continues a session that has ended.
func (l *LocalSession) Resume(ctx context.Context, at time.Time) (warnings []string, err error) {
	if l.IsRunning() {
		return nil, nil
	}
	at = at.UTC()
	if warnings, err = l.add(ctx, logLine{Resumed: &at}); err != nil {
		return warnings, err
	}
	return warnings, state.WriteFile(l.file(".running"), nil, 0o666)
}

// InferredOutcome is the outcome of a session whose host reports none: that of its last ACT. Without an ACT it is a
// success if the session completed a unit; else it was aborted. Failed commands do not count: a test run may fail on
// the way to an ACT that holds.
func (l *LocalSession) InferredOutcome() (Outcome, error) {
	all, err := l.read()
	if err != nil {
		return "", err
	}
	outcome := Aborted
	for i := range all.entries {
		switch e := &all.entries[i]; e.Action {
		case ActDone:
			outcome = e.outcome()
		case AdaptDone:
			completed := func(c StatusChange) bool { return c.To == plan.Complete }
			if outcome == Aborted && e.Status != Failed && slices.ContainsFunc(e.Details.StatusChanges, completed) {
				outcome = Success
			}
		}
	}
	return outcome, nil
}

// RefusedUnits are the units whose ACTs were refused since the session's last ACT, by this machine's audit log, without
// units of which an ACT holds. Unreadable logs are ignored.
func (l *LocalSession) RefusedUnits() (units []string) {
	all, err := l.read()
	if err != nil {
		return nil
	}
	var last time.Time
	var heldUnits []string
	for i := range all.entries {
		e := &all.entries[i]
		if at, err := time.Parse(time.RFC3339, e.Time); e.Action == ActDone && err == nil {
			last = at
		}
		if e.Action == ActDone && e.outcome() == Success {
			heldUnits = append(heldUnits, e.Details.Unit)
		}
	}
	refusals, _ := journal.Audit(filepath.Dir(filepath.Dir(l.dir))).Read()
	for _, e := range refusals {
		var params struct{ Unit, Severity, Verdict string }
		if e.Session != l.ID || e.Time.Before(last) || !e.IsByHook() || json.Unmarshal(e.Params, &params) != nil {
			continue
		}
		if params.Unit == "" || params.Severity != journal.ErrorSeverity && params.Verdict == "" {
			continue
		}
		if !slices.Contains(heldUnits, params.Unit) && !slices.Contains(units, params.Unit) {
			units = append(units, params.Unit)
		}
	}
	return units
}

func (e *Operation) outcome() Outcome {
	switch {
	case e.Details.Outcome == string(Aborted):
		return Aborted
	case e.Details.Outcome == string(Failure), e.Status == Failed, e.Details.Verification == "fail":
		return Failure
	}
	return Success
}

// EndIdle ends the hosts' sessions in a work tree that were inactive for a day, since some hosts never report the end.
// It removes the state of hosts' sessions that is older than a month.
func EndIdle(ctx context.Context, r *repo.Repo, commonDir, gitDir string, now time.Time) error {
	all, err := LocalSessions(commonDir)
	for _, l := range all {
		if l.Host == "" || l.WorkTree != gitDir || !l.IsRunning() || now.Sub(l.lastActivity()) < idleTime {
			continue
		}
		outcome, errEnd := l.InferredOutcome()
		if errEnd == nil {
			_, errEnd = (&Recorder{LocalSession: l, Repo: r}).End(ctx, l.lastActivity(), outcome)
		}
		err = errors.Join(err, errEnd)
	}
	return errors.Join(err, removeOldFiles(filepath.Join(commonDir, "acta", "hosts"), now))
}

func (l *LocalSession) lastActivity() time.Time {
	at := l.Started
	if info, err := os.Stat(l.file(".jsonl")); err == nil && info.ModTime().After(at) {
		at = info.ModTime()
	}
	return at
}

func removeOldFiles(dir string, now time.Time) error {
	names, err := os.ReadDir(dir)
	for _, n := range names {
		info, errInfo := n.Info()
		if errInfo == nil && now.Sub(info.ModTime()) > hostStateAge {
			err = errors.Join(err, os.Remove(filepath.Join(dir, n.Name())))
		}
	}
	return err
}

func (l *LocalSession) hostTrailer() string {
	if l.Host == "" {
		return ""
	}
	return fmt.Sprintf("Host-Session: %s %s\n", l.Host, strings.Join(strings.Fields(l.HostSession), " "))
}

// Baseline says where HEAD was in each work tree at the last look, for one session of a host.
type Baseline struct {
	// Since is when the looking began: with the session, or with a turn.
	Since time.Time `json:"since"`
	// Commits are those that branches and tags named then; HasTooMany: they exceed the limit, and are not kept.
	Commits    []repo.ID `json:"stood,omitempty"`
	HasTooMany bool      `json:"many,omitempty"`
	// Trees are the git directories of the work trees then.
	Trees []string `json:"trees,omitempty"`
	// Heads are the stamps of HEAD at the last look, by git directory.
	Heads map[string]string `json:"heads"`
	// JudgedCommits are the commits of HEAD that were judged since, the latest last.
	JudgedCommits []repo.ID `json:"judged,omitempty"`
	// FailedHead is the stamp of the HEAD that could not be judged, and Tries how often that was tried.
	FailedHead string `json:"failed,omitempty"`
	Tries      int    `json:"tries,omitempty"`
}

const (
	// MaxBaselineCommits bounds the commits of branches and tags.
	MaxBaselineCommits = 1000
	// maxJudged bounds the judged commits.
	maxJudged = 64
	// maxTries bounds how often a HEAD is judged that cannot be judged: the agent's host waits each time.
	maxTries = 3
	// maxTrees bounds the work trees whose HEAD is kept.
	maxTrees = 64
)

// SetHead sets where HEAD of a work tree was at a look.
func (l *Baseline) SetHead(gitDir, stamp string) {
	if _, known := l.Heads[gitDir]; l.Heads == nil || !known && len(l.Heads) >= maxTrees {
		l.Heads = map[string]string{}
	}
	l.Heads[gitDir] = stamp
}

// AddJudged adds HEAD's commit, "" for none, to the judged ones.
func (l *Baseline) AddJudged(commit repo.ID) {
	if commit == "" || slices.Contains(l.JudgedCommits, commit) {
		return
	}
	l.JudgedCommits = append(l.JudgedCommits, commit)
	if n := len(l.JudgedCommits) - maxJudged; n > 0 {
		l.JudgedCommits = l.JudgedCommits[n:]
	}
}

// UndoJudged undoes SetHead and AddJudged, so that the next look judges the HEAD again: before is the stamp of the look
// before, "" for none. It does nothing after maxTries, or if somebody has looked since.
func (l *Baseline) UndoJudged(gitDir, stamp, before string, commit repo.ID) {
	if l.FailedHead != stamp {
		l.FailedHead, l.Tries = stamp, 0
	}
	if l.Tries++; l.Tries >= maxTries || l.Heads[gitDir] != stamp {
		return
	}
	l.JudgedCommits = slices.DeleteFunc(l.JudgedCommits, func(id repo.ID) bool { return id == commit })
	if l.Heads[gitDir] = before; before == "" {
		delete(l.Heads, gitDir)
	}
}

// JudgedByOthers are the commits that were judged since a time for other sessions of hosts. Unreadable states are
// ignored.
func (h *HostState) JudgedByOthers(since time.Time) (commits []repo.ID) {
	dir := filepath.Dir(h.file)
	names, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, n := range names {
		info, err := n.Info()
		file := filepath.Join(dir, n.Name())
		if err != nil || file == h.file || filepath.Ext(file) != ".json" || info.ModTime().Before(since) {
			continue
		}
		var other struct{ Looks Baseline }
		if data, err := state.ReadFile(file); err == nil && json.Unmarshal(data, &other) == nil {
			commits = append(commits, other.Looks.JudgedCommits...)
		}
	}
	return commits
}
