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

// PreCommit is git's pre-commit hook: it says of what is about to be committed
// what can be said before there is a message. Whatever keeps it from that is a
// warning: whether the commit claims anything is the commit-msg hook's to see.
func PreCommit(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	result, err := judge.StagedCommit{NoMessage: true, InHook: true, MayAmend: true}.Judge(ctx, r)
	return about(result, nil), err
}

// PreApplypatch is git's pre-applypatch hook, of `git am` and of `git rebase
// --apply`: the patch is applied and about to be committed, so that its message can
// be held against it. (In applypatch-msg, which gets the message, nothing is
// applied yet.) A patch may have been made elsewhere: lines that shifted on the way
// are treated as in a commit that has landed.
func PreApplypatch(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	message, rest, err := readMessage(PatchMessage(c.Env))
	if err != nil {
		return nil, fmt.Errorf("the message of the patch cannot be read: %w", err)
	}
	result, err := judge.StagedCommit{
		Message: parser.StoredUTF8(message), Tail: rest, InHook: true, IsApplied: true,
		Author: patchAuthor(c),
	}.Judge(ctx, r)
	return about(result, message), err
}

// PatchMessage is the file in which git keeps the message of the patch that it applies.
func PatchMessage(env program.Env) string {
	return filepath.Join(gitDir(env), "rebase-apply", "final-commit")
}

// patchAuthor returns the name and the address of the patch's author, which git
// keeps as shell assignments; nil where it does not.
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

// unquote takes off the single quotes that git puts around a shell word.
func unquote(word string) string {
	word = strings.NewReplacer(`'\''`, "'", `'\!'`, "!").Replace(word)
	return strings.TrimSuffix(strings.TrimPrefix(word, "'"), "'")
}
