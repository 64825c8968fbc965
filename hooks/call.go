package hooks

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
)

// Call is how git calls a hook.
type Call struct {
	Args  []string
	Stdin io.Reader
	// Env is the environment, of which the policy's verifier gets what the policy names.
	Env program.Env
	// Advised: the pre-commit hook has given its advice on this commit a moment ago; commit-msg need not repeat it.
	Advised bool
}

// Answer is what a hook makes of a call. The zero value has nothing to say.
type Answer struct {
	// Results are what was judged: a commit that is about to be made, or what each ref gets.
	Results []Result
	// Message is the commit message that was judged; nil where none was.
	Message []byte
	// Warnings are what could not be done, of a hook that never stands in the way.
	Warnings []string
}

// Result is what was found of the commits that one ref gets, or of the one that is about to be made.
type Result struct {
	// Ref is the full name of the ref; "" of a commit that is about to be made.
	Ref string
	*judge.Result
}

// Code is the worst exit code that a result asks for (docs/ci.md).
func (a *Answer) Code() int {
	code := 0
	for _, r := range a.Results {
		code = max(code, r.Result.Code())
	}
	return code
}

// about is the answer of a hook that judges one commit; no result has nothing to say.
func about(result *judge.Result, message []byte) *Answer {
	if result == nil {
		return &Answer{Message: message}
	}
	return &Answer{Results: []Result{{Result: result}}, Message: message}
}

// messageFile is the file of the commit message, which git names first.
func (c Call) messageFile() (string, error) {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return "", fmt.Errorf("git names no message file")
	}
	return c.Args[0], nil
}

// gitDir is the git directory, as a hook is told it: not at all where it is `.git`
// below the folder in which hooks run.
func gitDir(env program.Env) string {
	if dir := env.Get("GIT_DIR"); dir != "" {
		return dir
	}
	return ".git"
}

// Leases are those of a repository, for judge.Staged. They are read once, when they are first asked for.
type Leases struct {
	Repo *repo.Repo

	once sync.Once
	held lease.Leases
	err  error
}

// Owner is who holds a unit; nil where nobody does.
func (l *Leases) Owner(ctx context.Context, key string) (*rules.Owner, error) {
	l.once.Do(func() {
		var dir string
		if dir, l.err = l.Repo.CommonDir(ctx); l.err == nil {
			l.held, l.err = lease.Read(dir)
		}
	})
	if l.err != nil {
		return nil, l.err
	}
	h := l.held.Holder(key, time.Now())
	if h == nil {
		return nil, nil
	}
	return &rules.Owner{Unit: key, LeasedUnit: h.Unit, Agent: h.Agent}, nil
}

// Runs reads which commands were run in a session: the one that the commit names, else the
// given one (ACTA_SESSION), else the one that runs in this work tree. One that is named may have ended.
func Runs(r *repo.Repo, given string) judge.RunsOfSession {
	return func(ctx context.Context, named string) ([]rules.RecordedRun, error) {
		gitDir, common, err := r.Dirs(ctx)
		if err != nil {
			return nil, err
		}
		named = cmp.Or(named, given)
		l := worklog.OpenStored(common, named)
		if named == "" {
			// None runs, or nobody says which of several.
			l, _ = worklog.FindRunning(common, gitDir, "")
			if l != nil && l.WorkTree != gitDir {
				l = nil // it has lost where it runs
			}
		}
		if l == nil {
			return nil, nil
		}
		session, _, err := l.Session()
		if err != nil {
			return nil, err
		}
		return ranIn(session), nil
	}
}

// ranIn lists the commands that were run in a session. How one ended that has only begun nobody knows: it proves
// nothing against a claim.
func ranIn(s *worklog.Session) []rules.RecordedRun {
	var runs []rules.RecordedRun
	for _, e := range s.Entries {
		if e.Action == worklog.Bash && e.Status != worklog.Skipped {
			runs = append(runs, e.RecordedRun())
		}
	}
	return runs
}
