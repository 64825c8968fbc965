package worklog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// Start begins a session in the local state of a repository, with a new id if b has none; commonDir is the git
// directory that its work trees share.
func Start(ctx context.Context, commonDir string, b Beginning) (l *LocalSession, err error) {
	l = &LocalSession{Beginning: b, dir: sessionsDir(commonDir)}
	unlock, err := lockBeginnings(ctx, l.dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := removeStrayBeginnings(l.dir); err != nil {
		return nil, err
	}
	for l.ID == "" || b.ID == "" && l.isTaken() { // two that begin in one second collide once in 65,536
		l.ID = NewSessionID(b.Started)
	}
	if l.isTaken() {
		return nil, fmt.Errorf("a session %s exists already", l.ID)
	}
	// The .running file comes first: a session without it would be summarized.
	if err := state.WriteFile(l.file(".running"), nil, 0o666); err != nil {
		return nil, err
	}
	if err := l.writeBeginning(); err != nil {
		return nil, errors.Join(err, os.Remove(l.file(".running")))
	}
	return l, nil
}

// changeBeginning changes how the session began. An unreadable beginning is not overwritten: somebody may repair it.
func (l *LocalSession) changeBeginning(ctx context.Context, change func(*Beginning)) (err error) {
	if l.readError != nil {
		return nil
	}
	unlock, err := lockBeginnings(ctx, l.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	change(&l.Beginning)
	return l.writeBeginning()
}

func (l *LocalSession) writeBeginning() error {
	data, err := state.JSONLine(l.Beginning)
	if err != nil {
		return err
	}
	return state.Replace(l.file(".json"), data)
}

func (l *LocalSession) isTaken() bool {
	return exists(l.file(".json")) || exists(l.file(".jsonl"))
}

// lockBeginnings keeps others from beginning a session or changing how one began.
func lockBeginnings(ctx context.Context, dir string) (unlock func() error, err error) {
	return state.Lock(ctx, filepath.Join(dir, "beginnings"), sessionWait)
}

// removeStrayBeginnings removes the files of a start that was killed; the caller holds the lock.
func removeStrayBeginnings(dir string) error {
	names, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, n := range names {
		id, suffix, _ := strings.Cut(n.Name(), ".")
		l := &LocalSession{dir: dir}
		l.ID = id
		if suffix == "json.new" || suffix == "running" && !l.isTaken() {
			err = errors.Join(err, state.Remove(filepath.Join(dir, n.Name())))
		}
	}
	return err
}

// Begin begins a session in the work tree of a repository, now. A missing id is made, and a missing tier is that of
// HEAD's policy. The policy's switches apply, besides b's, to the whole session. Other failures are warnings. commonDir
// and gitDir are those of repo.Dirs.
func Begin(
	ctx context.Context, r *repo.Repo, gitDir, commonDir string, now time.Time, b Beginning,
) (l *LocalSession, warnings []string, err error) {
	b.Started, b.WorkTree, b.Release, b.Task = now.UTC(), gitDir, report.Release, Mask(b.Task)
	p, err := snapshot.Head(r).Policy(ctx)
	if err != nil {
		warnings = append(warnings, fmt.Sprintf("the session is recorded as without a policy: %v", err))
		standard := policy.Default()
		p = &standard
	}
	b.Tests, b.Switches.NoWorklog = p.Tests, b.Switches.NoWorklog || p.SkipRecord
	b.Tier = cmp.Or(b.Tier, p.DefaultTier.String())
	l, err = Start(ctx, commonDir, b)
	if err != nil {
		return nil, warnings, err
	}
	if _, err := (Retention{Repo: r, CommonDir: commonDir, Now: now}).Collect(ctx); err != nil {
		warnings = append(warnings, fmt.Sprintf("old sessions are not summed up yet: %v", err))
	}
	return l, warnings, nil
}

// Identify completes the caller from git's configuration: acta.actor and acta.session. Without acta.session it is the
// session that runs in the work tree, so that commits go into it. The name is formatted as in a trailer; name and
// session may still be "".
func Identify(ctx context.Context, r *repo.Repo, by journal.Caller) (journal.Caller, error) {
	if by.Name == "" || by.Session == "" {
		config, err := r.Config(ctx, "acta.actor", "acta.session")
		if err != nil {
			return by, err
		}
		by.Name = cmp.Or(by.Name, config["acta.actor"])
		by.Session = cmp.Or(by.Session, config["acta.session"])
	}
	if by.Session == "" {
		by.Session = RunningSession(ctx, r)
	}
	by.Name = strings.Join(strings.Fields(by.Name), " ")
	if len(by.Name) > policy.MaxName {
		return by, fmt.Errorf("the name of an actor has at most %d bytes, not %d: %.40q…", policy.MaxName, len(by.Name),
			by.Name)
	}
	return by, nil
}

// RunningSession is the id of the one session that runs in the work tree, "" for none or several.
func RunningSession(ctx context.Context, r *repo.Repo) string {
	gitDir, common, err := r.Dirs(ctx)
	if err != nil || NoSessionRuns(common) {
		return ""
	}
	l, err := FindRunning(common, gitDir, "")
	if err != nil || l.Beginning.Switches.NoWorklog {
		return "" // such a session records nothing
	}
	return l.ID
}

// EnvSwitches are the switches of ACTA_NO_WORKLOG, ACTA_SKIP_VERIFY, ACTA_NO_CHECKPOINTS and ACTA_VERBOSE_LOG; 1, true,
// yes and on turn them on.
func EnvSwitches(env program.Env) policy.Switches {
	isOn := func(name string) bool {
		return slices.Contains([]string{"1", "true", "yes", "on"}, strings.ToLower(strings.TrimSpace(env.Get(name))))
	}
	return policy.Switches{
		NoWorklog: isOn("ACTA_NO_WORKLOG"), SkipVerify: isOn("ACTA_SKIP_VERIFY"),
		NoCheckpoints: isOn("ACTA_NO_CHECKPOINTS"), VerboseLog: isOn("ACTA_VERBOSE_LOG"),
	}
}
