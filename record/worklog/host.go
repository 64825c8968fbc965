package worklog

import (
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

// HostState is what the local state remembers of one session of an agent's host, from one
// call of its hooks to the next: <common>/acta/hosts/<host>-<hash of the id>.json.
type HostState struct {
	Host string `json:"host"`
	// ID is the host's own name of the session.
	ID string `json:"host_session"`
	// Session is the worklog's id, "" where none has begun.
	Session string `json:"session_id,omitempty"`
	// Task is what the person asked for first, in a line; "" where nobody has asked yet.
	Task string `json:"task,omitempty"`
	// Lists are the todo lists as last seen, by the sub-agent that keeps them; "" is the agent itself.
	Lists map[string][]Todo `json:"lists,omitempty"`
	// Baseline are where HEAD was when the session was last heard of, nil before it was.
	Looks *Baseline `json:"looks,omitempty"`
	// Tree is the work tree as it was last looked at, nil before it was.
	Tree *Tree `json:"tree,omitempty"`
	// Reminded are the units whose open items the agent was told of.
	Reminded []string `json:"told,omitempty"`

	common, file string
}

// Tree is what is remembered of a work tree from one look to the next.
type Tree struct {
	// GitDir is its git directory.
	GitDir string `json:"git_dir"`
	// Files are those that differed from HEAD, each with what tells it from what it was before.
	Files map[string]string `json:"files"`
	// Pause is until when nobody looks, since a look took too long.
	Pause time.Time `json:"pause,omitzero"`
}

const (
	// hostWait bounds how long a host's hook waits for another of the same session.
	hostWait = 3 * time.Second
	// untouched is how long nothing happens in a session whose host never says that it ended, until it counts as ended.
	idle = 24 * time.Hour
	// forgotten is how long nothing happens in a host's session until its state is removed.
	forgotten = 30 * 24 * time.Hour
)

// OpenHost reads what is remembered of a session of a host, under a lock that its other hooks
// heed until unlock. A state that cannot be read is begun anew; the worklog is found again.
func OpenHost(ctx context.Context, commonDir, host, id string) (h *HostState, unlock func() error, err error) {
	sum := sha256.Sum256([]byte(id))
	h = &HostState{file: filepath.Join(commonDir, "acta", "hosts", host+"-"+hex.EncodeToString(sum[:8])+".json")}
	if err := os.MkdirAll(filepath.Dir(h.file), 0o777); err != nil {
		return nil, nil, err
	}
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
	h.Host, h.ID, h.common = host, id, commonDir
	if h.Session == "" {
		h.Session = h.began()
	}
	return h, unlock, nil
}

// began is the session that the host's session has begun, though its state does not say so.
func (h *HostState) began() string {
	all, err := LiveSessions(h.common)
	if err != nil {
		return ""
	}
	for _, l := range all {
		if l.Host == h.Host && l.HostSession == h.ID {
			return l.ID
		}
	}
	return ""
}

// Save writes what is to be remembered.
func (h *HostState) Save() error {
	data, err := state.JSONLine(h)
	if err != nil {
		return err
	}
	return state.Replace(h.file, data)
}

// Live is the worklog of the host's session, nil where it has none, or where its record is gone.
func (h *HostState) Live() *Live { return StoredSession(h.common, h.Session) }

// Rename gives the session another task. How it began is not written over where it cannot be read: somebody may mend
// it.
func (l *Live) Rename(ctx context.Context, task string) (err error) {
	if l.lost != nil {
		return nil
	}
	unlock, err := lockBeginnings(ctx, l.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	l.Task = Mask(task)
	return l.writeBeginning()
}

// Resume lets a session that has ended go on.
func (l *Live) Resume(ctx context.Context, at time.Time) (*journal.Repair, error) {
	if l.Runs() {
		return nil, nil
	}
	at = at.UTC()
	repair, err := l.add(ctx, logLine{Resumed: &at})
	if err != nil {
		return repair, err
	}
	return repair, state.WriteFile(l.file(".running"), nil, 0o666)
}

// Ended is how the session ended where nobody says so: as its last ACT did. Without one it is a success where the
// session moved a unit to complete; else work was left. What its commands came to decides nothing: a test run may fail
// on the way to an ACT that holds.
func (l *Live) Ended() (Outcome, error) {
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

// RefusedUnits are those whose ACTs were refused since the session's last ACT, by the audit log of this machine; those
// of which it made an ACT that holds are none. What cannot be read of that refuses nothing.
func (l *Live) RefusedUnits() (units []string) {
	all, err := l.read()
	if err != nil {
		return nil
	}
	var last time.Time
	var held []string
	for i := range all.entries {
		e := &all.entries[i]
		if at, err := time.Parse(time.RFC3339, e.Time); e.Action == ActDone && err == nil {
			last = at
		}
		if e.Action == ActDone && e.outcome() == Success {
			held = append(held, e.Details.Unit)
		}
	}
	refusals, _, _ := journal.Audit(filepath.Dir(filepath.Dir(l.dir))).Read(0)
	for _, e := range refusals {
		var said struct{ Unit, Severity, Verdict string }
		if e.Session != l.ID || e.Time.Before(last) || !e.ByHook() || json.Unmarshal(e.Params, &said) != nil {
			continue
		}
		if said.Unit == "" || said.Severity != journal.ErrorSeverity && said.Verdict == "" {
			continue
		}
		if !slices.Contains(held, said.Unit) && !slices.Contains(units, said.Unit) {
			units = append(units, said.Unit)
		}
	}
	return units
}

// outcome is that of an ACT.
func (e *Operation) outcome() Outcome {
	switch {
	case e.Details.Outcome == string(Aborted):
		return Aborted
	case e.Details.Outcome == string(Failure), e.Status == Failed, e.Details.Verification == "fail":
		return Failure
	}
	return Success
}

// EndIdle ends the sessions of hosts in a work tree in which nothing happened for a day: some
// hosts never say that a session ended. The state of hosts' sessions that is older than a month is removed.
func EndIdle(ctx context.Context, r *repo.Repo, commonDir, gitDir string, now time.Time) error {
	all, err := LiveSessions(commonDir)
	for _, l := range all {
		if l.Host == "" || l.WorkTree != gitDir || !l.Runs() || now.Sub(l.touched()) < idle {
			continue
		}
		outcome, errEnd := l.Ended()
		if errEnd == nil {
			_, errEnd = (&Recorder{Live: l, Repo: r}).End(ctx, l.touched(), outcome)
		}
		err = errors.Join(err, errEnd)
	}
	return errors.Join(err, forget(filepath.Join(commonDir, "acta", "hosts"), now))
}

// touched is when something was last recorded in the session.
func (l *Live) touched() time.Time {
	at := l.Started
	if info, err := os.Stat(l.file(".jsonl")); err == nil && info.ModTime().After(at) {
		at = info.ModTime()
	}
	return at
}

// forget removes the files of a folder that nobody has written for long.
func forget(dir string, now time.Time) error {
	names, err := os.ReadDir(dir)
	for _, n := range names {
		info, errInfo := n.Info()
		if errInfo == nil && now.Sub(info.ModTime()) > forgotten {
			err = errors.Join(err, os.Remove(filepath.Join(dir, n.Name())))
		}
	}
	return err
}

// hostTrailer names the host's session in the message of a flush.
func (l *Live) hostTrailer() string {
	if l.Host == "" {
		return ""
	}
	return fmt.Sprintf("Host-Session: %s %s\n", l.Host, strings.Join(strings.Fields(l.HostSession), " "))
}

// Baseline remembers where HEAD was, from one look at a work tree to the next, for one session of a host.
type Baseline struct {
	// Since is when the looking began: when the session did, or a turn of its.
	Since time.Time `json:"since"`
	// Stood are the commits that branches and tags named then, separated by blanks; Many: there were more than are kept.
	Stood string `json:"stood,omitempty"`
	Many  bool   `json:"many,omitempty"`
	// Trees are the git directories of the work trees that there were.
	Trees []string `json:"trees,omitempty"`
	// Heads are the stamps of HEAD at the last look, by the work tree's git directory.
	Heads map[string]string `json:"heads"`
	// Judged are the commits that were judged as what HEAD named at a look since, the last one last.
	Judged []string `json:"judged,omitempty"`
	// Failed is the stamp of the HEAD that could not be judged last, and Tries how often that was tried.
	Failed string `json:"failed,omitempty"`
	Tries  int    `json:"tries,omitempty"`
}

const (
	// MaxBaselineCommits bounds how many commits are remembered of those that branches and tags named.
	MaxBaselineCommits = 1000
	// maxJudged bounds how many commits are remembered that HEAD named.
	maxJudged = 64
	// maxTries bounds how often a HEAD is judged that cannot be judged: the agent's host waits each time.
	maxTries = 3
	// maxTrees bounds the work trees of which it is remembered where HEAD was.
	maxTrees = 64
)

// Saw remembers where HEAD of a work tree was at a look.
func (l *Baseline) Saw(gitDir, stamp string) {
	if _, known := l.Heads[gitDir]; l.Heads == nil || !known && len(l.Heads) >= maxTrees {
		l.Heads = map[string]string{}
	}
	l.Heads[gitDir] = stamp
}

// Judge remembers that what HEAD names is judged; commit is "" where it names none.
func (l *Baseline) Judge(commit string) {
	if commit == "" || slices.Contains(l.Judged, commit) {
		return
	}
	l.Judged = append(l.Judged, commit)
	if n := len(l.Judged) - maxJudged; n > 0 {
		l.Judged = l.Judged[n:]
	}
}

// TakeBack takes back that a HEAD was seen and its commit judged, so that the next look judges it: before is the stamp
// of the look before, "" for none. All stays as it is where it was tried often enough, or somebody has looked since.
func (l *Baseline) TakeBack(gitDir, stamp, before, commit string) {
	if l.Failed != stamp {
		l.Failed, l.Tries = stamp, 0
	}
	if l.Tries++; l.Tries >= maxTries || l.Heads[gitDir] != stamp {
		return
	}
	l.Judged = slices.DeleteFunc(l.Judged, func(id string) bool { return id == commit })
	if l.Heads[gitDir] = before; before == "" {
		delete(l.Heads, gitDir)
	}
}

// JudgedByOthers are the commits that other sessions of hosts have had judged since a time: they were told of them.
// What cannot be read tells nothing.
func (h *HostState) JudgedByOthers(since time.Time) (commits []string) {
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
			commits = append(commits, other.Looks.Judged...)
		}
	}
	return commits
}
