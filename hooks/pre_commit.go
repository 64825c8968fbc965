package hooks

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
)

// PreCommit is git's pre-commit hook: it checks everything that can be checked without a message. Its failures are
// warnings: only the commit-msg hook knows whether the commit makes claims.
func PreCommit(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	result, err := judge.StagedCommit{NoMessage: true, MayAmend: true}.Judge(ctx, r)
	return answerFor(result, nil), err
}

// PreApplypatch is git's pre-applypatch hook, of `git am` and of `git rebase --apply`: the patch is applied, so its
// message can be judged. (applypatch-msg gets the message before that.) The patch may come from another repository:
// shifted lines are treated as in a commit on a branch.
func PreApplypatch(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	message, rest, err := readMessage(PatchMessage(c.Env))
	if err != nil {
		return nil, fmt.Errorf("the message of the patch cannot be read: %w", err)
	}
	result, err := judge.StagedCommit{
		Message: parser.StoredUTF8(message), Tail: rest, IsApplied: true,
		Author: patchAuthor(c),
	}.Judge(ctx, r)
	return answerFor(result, message), err
}

// PatchMessage is git's file with the message of the applied patch.
func PatchMessage(env program.Env) string {
	return filepath.Join(gitDir(env), "rebase-apply", "final-commit")
}

// patchAuthor is the name and address of the patch's author in git's shell assignments; nil if there are none.
func patchAuthor(c Call) (author []string) {
	script, _ := state.ReadFile(filepath.Join(gitDir(c.Env), "rebase-apply", "author-script"))
	for line := range strings.Lines(string(script)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if name == "GIT_AUTHOR_NAME" || name == "GIT_AUTHOR_EMAIL" {
			author = append(author, unquote(value))
		}
	}
	return author
}

func unquote(word string) string {
	word = strings.NewReplacer(`'\''`, "'", `'\!'`, "!").Replace(word)
	return strings.TrimSuffix(strings.TrimPrefix(word, "'"), "'")
}

// PostCommit is git's post-commit hook: it adds a committed ACT or ADAPT with its verdicts to its session, and writes
// the session to its ref. The session is that of the commit's Session trailer, else of ACTA_SESSION, else the one that
// runs in this work tree. Without a session, and for commits that a rebase repeats, it does nothing.
func PostCommit(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	answer := &Answer{}
	gitDir, common, err := r.Dirs(ctx)
	if err != nil {
		return answer, err
	}
	if worklog.NoSessionRuns(common) || isRebasing(gitDir) {
		return answer, nil
	}
	h, err := judge.NewHistory(r, Runs(r, c.Env.Get("ACTA_SESSION"))).RecordOf(ctx, "HEAD")
	if err != nil {
		return answer, err
	}
	answer.Warnings = h.Warnings
	for _, d := range h.Parts {
		l, unfound := worklog.FindRunning(common, gitDir, cmp.Or(d.Part.Session.Value, c.Env.Get("ACTA_SESSION")))
		if unfound != nil {
			continue // a session that is not recorded here, none, or several
		}
		if warning := l.ReadWarning(); warning != "" {
			answer.Warnings = append(answer.Warnings, warning)
		}
		recorder := &worklog.Recorder{LocalSession: l, Repo: r, Switches: worklog.EnvSwitches(c.Env)}
		warnings, errRecord := recorder.RecordPart(ctx, time.Now(), d)
		answer.Warnings = append(answer.Warnings, warnings...)
		err = errors.Join(err, errRecord)
	}
	return answer, err
}

// isRebasing reports whether a rebase is under way; it runs this hook for each repeated commit.
func isRebasing(gitDir string) bool { return hasAny(gitDir, "rebase-merge", "rebase-apply") }

func hasAny(gitDir string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, err := os.Lstat(filepath.Join(gitDir, name))
		return err == nil
	})
}

// PostRewrite is git's post-rewrite hook: it records which commits an amend or a rebase replaced, so that references to
// old ids can be followed. git passes the command, and a line for each commit: old id, new id, and perhaps more
// (githooks(5)).
func PostRewrite(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	by := ""
	if len(c.Args) > 0 {
		by = c.Args[0]
	}
	now := time.Now().UTC().Truncate(time.Second)
	var all []journal.Rewrite
	lines := bufio.NewScanner(c.Stdin)
	for lines.Scan() {
		if f := strings.Fields(lines.Text()); len(f) >= 2 {
			all = append(all, journal.Rewrite{Command: by, Old: f[0], New: f[1], Time: now})
		}
	}
	if err := lines.Err(); err != nil || len(all) == 0 {
		return &Answer{}, err
	}
	dir, err := r.CommonDir(ctx)
	if err != nil {
		return nil, err
	}
	warnings, err := journal.AddRewrites(ctx, dir, all)
	return &Answer{Warnings: warnings}, err
}

func doNothing(context.Context, *repo.Repo, Call) (*Answer, error) { return &Answer{}, nil }
