package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/parser/excerpt"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

func (c command) runCheck(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	message, rest, err := c.messageOf(ctx, r, call.String("message"))
	if err != nil {
		return err
	}
	message = parser.StoredUTF8(message)
	reports := reportFiles{command: c, call: call, repo: r}
	for _, e := range parser.Parse(message).Evidence() {
		reports.citedFiles = append(reports.citedFiles, e.Path)
	}
	staged := judge.StagedCommit{
		Message: message, Tail: rest, MayAmend: true, Leases: hooks.Leases{Repo: r},
		Reports: reports, Runs: hooks.Runs(r, os.Getenv("ACTA_SESSION")),
	}
	result, err := staged.Judge(ctx, r)
	if err == nil {
		err = staged.RunVerifier(ctx, r, os.Environ(), result)
	}
	if err != nil {
		return err
	}
	defer c.record.setCaller(message)
	format := call.String("format")
	if format == report.Formats()[0] && result.Code() == exitFindings {
		if way := wayOut(result); way != "" {
			defer c.Stderr.Printf("acta: %s\n", way)
		}
	}
	return c.print(result, format, false)
}

// messageOf reads the message to judge: a file's, else that of the last commit that was tried.
func (c command) messageOf(ctx context.Context, r *repo.Repo, name string) ([]byte, excerpt.Tail, error) {
	if name != "" {
		return c.readMessage(name)
	}
	message, rest, path, err := hooks.LastMessage(ctx, r)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, rest, usagef("check needs --message FILE: no commit was tried here, so %s does not exist", path)
	}
	if err == nil {
		err = refuseCommitted(ctx, r, message)
	}
	if err == nil {
		c.Stderr.Printf("acta: judging %s, the message of the last commit that was tried; choose another with --message "+
			"FILE\n", path)
	}
	return message, rest, err
}

// refuseCommitted refuses to judge the message of HEAD while nothing is staged. What cannot be read, judging reports.
func refuseCommitted(ctx context.Context, r *repo.Repo, message []byte) error {
	head, err := r.Commit(ctx, "HEAD")
	if err != nil || !bytes.Equal(bytes.TrimSpace(head.Message), bytes.TrimSpace(message)) {
		return nil
	}
	if staged, err := r.IndexTree(ctx); err != nil || staged != head.Tree {
		return nil
	}
	parent := "HEAD~1.."
	if len(head.Parents) == 0 {
		parent = ""
	}
	return usagef("nothing is staged, and the last message is that of HEAD; to judge that again, run: acta verify %sHEAD",
		parent)
}

func (c command) readMessage(name string) (text []byte, rest excerpt.Tail, err error) {
	if name == "-" {
		return parser.CleanExcerpt(c.Stdin, parser.CleanWhitespace, "", false)
	}
	f, err := state.Open(name)
	if err != nil {
		return nil, rest, cannotRead(name, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if text, rest, err = parser.CleanExcerpt(f, parser.CleanWhitespace, "", false); err != nil {
		err = cannotRead(name, err)
	}
	return text, rest, err
}
