package worklog

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/acta-git/acta/repo/state"
)

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
