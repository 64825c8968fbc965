package judge

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/parser/excerpt"
	"github.com/acta-git/acta/repo"
)

type commit struct {
	repo.Commit
	message *parser.Message
}

func readCommit(ctx context.Context, r *repo.Repo, rev string) (c commit, err error) {
	if c.Commit, err = r.Commit(ctx, rev); err == nil {
		c.message, err = MessageOf(ctx, r, c.Commit)
	}
	return c, err
}

// treeBefore is the tree of a commit's first parent; "" for a root commit.
func treeBefore(ctx context.Context, r *repo.Repo, c repo.Commit) (repo.ID, error) {
	if len(c.Parents) == 0 {
		return "", nil
	}
	parent, err := r.Commit(ctx, string(c.Parents[0]))
	return parent.Tree, err
}

// MessageOf parses the message of a commit.
func MessageOf(ctx context.Context, r *repo.Repo, c repo.Commit) (*parser.Message, error) {
	text, tail, err := decodeMessage(ctx, r, c)
	return parser.ParseExcerpt(text, tail), err
}

// withoutDashes spells the name of an encoding as people write it in one way.
var withoutDashes = strings.NewReplacer("-", "", "_", "")

// decodeMessage is the message in UTF-8, as readers of the history see it, so that no encoding hides text from the
// rules.
func decodeMessage(ctx context.Context, r *repo.Repo, c repo.Commit) ([]byte, excerpt.Tail, error) {
	switch strings.ToLower(withoutDashes.Replace(c.Encoding)) {
	case "":
		return c.Message, c.MessageRest, nil
	case "iso88591", "latin1":
		return parser.StoredUTF8(c.Message), c.MessageRest, nil
	}
	return r.MessageUTF8(ctx, c)
}

// ReportedClaims joins the claims of the message with those of its report files.
func ReportedClaims(
	ctx context.Context, tree evidence.Tree, part *parser.Part,
) ([]rules.Claim, []rules.FileError, error) {
	var claims []rules.Claim
	for _, c := range part.Claims {
		claims = append(claims, rules.Claim{Claim: c})
	}
	var bad []rules.FileError
	for _, at := range part.Files {
		file := path.Clean(strings.Trim(at.Value, "`"))
		data, err := snapshot.File(ctx, tree, file)
		if err != nil {
			return nil, nil, err
		}
		fail := rules.FileError{At: at, ReportError: parser.ReportError{Path: file, Message: "it is not in the commit"}}
		if data == nil {
			fail.Hint = "git add it, or write «Done: <item> | <path>:<start>-<end>» lines into the message instead"
			bad = append(bad, fail)
			continue
		}
		report, err := parser.ParseReport(file, data)
		if err != nil {
			fail.Message = err.Error()
			if located, ok := errors.AsType[*parser.ReportError](err); ok {
				fail.ReportError = *located
			}
			bad = append(bad, fail)
			continue
		}
		if task := report.TaskID.Value; task != "" && !parser.SameUnit(task, part.Unit.Value) {
			fail.Message = fmt.Sprintf("its task_id is %q, and this commit is an ACT of %s", task, part.Unit.Value)
			bad = append(bad, fail)
		}
		for _, c := range report.Claims {
			claims = append(claims, rules.Claim{Claim: c, File: file})
		}
		if part.Outcome.Value == "" {
			part.Outcome = report.Outcome
		}
	}
	return claims, bad, nil
}
