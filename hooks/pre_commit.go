package hooks

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
)

// PreCommit is git's pre-commit hook: it checks everything that can be checked without a message. Its failures are
// warnings: only the commit-msg hook knows whether the commit makes claims.
func PreCommit(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	result, err := judge.StagedCommit{NoMessage: true, InHook: true, MayAmend: true}.Judge(ctx, r)
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
		Message: parser.StoredUTF8(message), Tail: rest, InHook: true, IsApplied: true,
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
	script, err := state.ReadFile(filepath.Join(gitDir(c.Env), "rebase-apply", "author-script"))
	if err != nil {
		return nil
	}
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
