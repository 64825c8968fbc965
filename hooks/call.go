// Package hooks implements git's hooks, one file each, and installs them.
//
// A Call with git's arguments goes in; an Answer with findings, warnings and a verdict comes out. A hook asks package
// judge the same questions as every other entry point, and does only what hooks alone can do: clean the message file as
// git will, and append anchors. It does not print or exit; package cmd/acta does. It must never import a command, or
// the packages below it: host, loop and mcp.
package hooks

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
)

// Call is git's call of a hook.
type Call struct {
	Args  []string
	Stdin io.Reader
	// Env is the environment; the policy's verifier gets the variables that the policy names.
	Env program.Env
	// WasAdvised: the pre-commit hook has just given its advice on this commit; commit-msg need not repeat it.
	WasAdvised bool
}

// Answer is a hook's answer. The zero value says nothing.
type Answer struct {
	// Results are those of the commit to be made, or of each ref that is updated.
	Results []Result
	// Message is the judged commit message, if any.
	Message []byte
	// Warnings report failures of hooks that refuse nothing.
	Warnings []string
}

// Result is the judgement on the commits that one ref gets, or on the commit to be made.
type Result struct {
	// Ref is the full name of the ref; "" for a commit to be made.
	Ref string
	*judge.Result
}

// Code is the worst exit code of the results (docs/ci.md).
func (a *Answer) Code() int {
	code := 0
	for _, r := range a.Results {
		code = max(code, r.Result.Code())
	}
	return code
}

// answerFor is the answer of a hook that judges one commit; result may be nil.
func answerFor(result *judge.Result, message []byte) *Answer {
	if result == nil {
		return &Answer{Message: message}
	}
	return &Answer{Results: []Result{{Result: result}}, Message: message}
}

func (c Call) messageFile() (string, error) {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return "", fmt.Errorf("git names no message file")
	}
	return c.Args[0], nil
}

// gitDir is the git directory in a hook's environment; without GIT_DIR it is `.git` in the folder in which hooks run.
func gitDir(env program.Env) string { return cmp.Or(env.Get("GIT_DIR"), ".git") }

// Leases are those of a repository, for judge.StagedCommit.
type Leases struct{ Repo *repo.Repo }

// Owner is the holder of a unit; nil if nobody holds it.
func (l Leases) Owner(ctx context.Context, key string) (*rules.Owner, error) {
	dir, err := l.Repo.CommonDir(ctx)
	if err != nil {
		return nil, err
	}
	leases, err := lease.Read(dir)
	h := leases.Holder(key, time.Now())
	if err != nil || h == nil {
		return nil, err
	}
	return &rules.Owner{Unit: key, LeasedUnit: h.Unit, Agent: h.Agent}, nil
}

// Runs returns the commands that were run in a session: the one that the commit names, else the given one
// (ACTA_SESSION), else the one that runs in this work tree. A named session may have ended.
func Runs(r *repo.Repo, session string) judge.RunsOfSession {
	return func(ctx context.Context, named string) ([]rules.RecordedRun, error) {
		gitDir, common, err := r.Dirs(ctx)
		if err != nil {
			return nil, err
		}
		named = cmp.Or(named, session)
		l := worklog.OpenStored(common, named)
		if named == "" {
			// Without a name there must be one running session.
			l, _ = worklog.FindRunning(common, gitDir, "")
			if l != nil && l.WorkTree != gitDir {
				l = nil // its beginning is unreadable, so its work tree is unknown
			}
		}
		if l == nil {
			return nil, nil
		}
		session, _, err := l.Session()
		if err != nil {
			return nil, err
		}
		return runsOf(session), nil
	}
}

// runsOf lists the commands that were run in a session. A command without a known end proves nothing against a claim.
func runsOf(s *worklog.Session) []rules.RecordedRun {
	var runs []rules.RecordedRun
	for _, e := range s.Entries {
		if e.Action == worklog.Bash && e.Status != worklog.Skipped {
			runs = append(runs, e.RecordedRun())
		}
	}
	return runs
}
