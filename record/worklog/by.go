package worklog

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
)

// Identify takes what is not known of who acts from git's configuration of a
// repository, acta.actor and acta.session; the session else is the one that runs in the work tree, so that what is
// committed goes into it. The name is returned as a trailer has it; name and session may still be "".
func Identify(ctx context.Context, r *repo.Repo, by journal.By) (journal.By, error) {
	if by.Name == "" || by.Session == "" {
		config, err := r.Config(ctx, "acta.actor", "acta.session")
		if err != nil {
			return by, err
		}
		if by.Name == "" {
			by.Name = config["acta.actor"]
		}
		if by.Session == "" {
			by.Session = config["acta.session"]
		}
	}
	if by.Session == "" {
		by.Session = RunningHere(ctx, r)
	}
	by.Name = strings.Join(strings.Fields(by.Name), " ")
	if len(by.Name) > policy.MaxName {
		return by, fmt.Errorf("the name of an actor has at most %d bytes, not %d: %.40q…", policy.MaxName, len(by.Name),
			by.Name)
	}
	return by, nil
}

// RunningHere is the id of the one session that runs in the work tree, "" where that is none, or not known.
func RunningHere(ctx context.Context, r *repo.Repo) string {
	gitDir, common, err := r.Dirs(ctx)
	if err != nil || NoSessionRuns(common) {
		return ""
	}
	l, err := Choose(common, gitDir, "")
	if err != nil || l.Beginning.Switches.NoWorklog {
		return "" // nobody will find what such a session did
	}
	return l.ID
}

// EnvSwitches are what ACTA_NO_WORKLOG, ACTA_SKIP_VERIFY, ACTA_NO_CHECKPOINTS and
// ACTA_VERBOSE_LOG switch: 1 does, and so do true, yes and on.
func EnvSwitches(env program.Env) policy.Switches {
	isOn := func(name string) bool {
		return slices.Contains([]string{"1", "true", "yes", "on"}, strings.ToLower(strings.TrimSpace(env.Get(name))))
	}
	return policy.Switches{
		NoWorklog: isOn("ACTA_NO_WORKLOG"), SkipVerify: isOn("ACTA_SKIP_VERIFY"),
		NoCheckpoints: isOn("ACTA_NO_CHECKPOINTS"), VerboseLog: isOn("ACTA_VERBOSE_LOG"),
	}
}
