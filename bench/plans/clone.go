package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// clone is a copy of a repository in which commits are made.
type clone struct {
	dir, acta string
	policy    string // a commit without parents that names the plans
	rules     string // the blob of its policy
}

// git runs git in the clone. env is added to what it runs in.
func (c *clone) git(ctx context.Context, stdin []byte, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Stdin = c.dir, bytes.NewReader(stdin)
	cmd.Env = append(os.Environ(), env...)
	var wrong bytes.Buffer
	cmd.Stderr = &wrong
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(wrong.String()))
	}
	return string(out), err
}

// line is git's answer without its end.
func (c *clone) line(ctx context.Context, stdin []byte, env []string, args ...string) (string, error) {
	out, err := c.git(ctx, stdin, env, args...)
	return strings.TrimSpace(out), err
}

// make clones a repository, and commits the policy.
func (c *clone) make(ctx context.Context, from string) (err error) {
	if _, err = c.git(ctx, nil, nil, "clone", "-q", "--bare", "--shared", from, "."); err != nil {
		return err
	}
	for _, who := range []string{"user.name", "user.email"} {
		if _, err = c.git(ctx, nil, nil, "config", who, "bench@localhost"); err != nil {
			return err
		}
	}
	if c.rules, err = c.line(ctx, []byte(plans), nil, "hash-object", "-w", "--stdin"); err != nil {
		return err
	}
	tree, err := c.line(ctx, fmt.Appendf(nil, "100644 blob %s\t.acta.yaml\n", c.rules), nil, "mktree")
	if err != nil {
		return err
	}
	c.policy, err = c.line(ctx, nil, nil, "commit-tree", "-m", "Policy", tree)
	return err
}

// verify asks acta of a range. What it finds is no error.
func (c *clone) verify(ctx context.Context, base, head string) (*report.Report, error) {
	cmd := exec.CommandContext(ctx, c.acta, "verify", "--format", "json", base+".."+head)
	cmd.Dir = c.dir
	var wrong bytes.Buffer
	cmd.Stderr = &wrong
	out, err := cmd.Output()
	judged := &report.Report{}
	if json.Unmarshal(out, judged) != nil {
		return nil, fmt.Errorf("acta verify: %w: %s", err, strings.TrimSpace(wrong.String()))
	}
	return judged, nil
}

// hollowed makes a commit once more, with its code hollowed, on its parent with the policy. changed counts the files in
// which something was hollowed.
func (c *clone) hollowed(
	ctx context.Context, commit string, boxes []report.ClaimVerdict,
) (base, head string, changed int, err error) {
	files, err := c.filesOf(ctx, commit, boxes)
	if err != nil {
		return "", "", 0, err
	}
	index := []string{"GIT_INDEX_FILE=" + path.Join(c.dir, "hollowed.index")}
	tree := func(of, edits string) (string, error) {
		if _, err := c.git(ctx, nil, index, "read-tree", of); err != nil {
			return "", err
		}
		edits += fmt.Sprintf("100644 %s\t.acta.yaml\n", c.rules)
		if _, err := c.git(ctx, []byte(edits), index, "update-index", "--add", "--index-info"); err != nil {
			return "", err
		}
		return c.line(ctx, nil, index, "write-tree")
	}
	edits := ""
	for _, file := range files {
		blob, err := c.hollowFile(ctx, commit, file)
		if err != nil {
			return "", "", 0, err
		}
		if blob != "" {
			edits += fmt.Sprintf("100644 %s\t%s\n", blob, file)
			changed++
		}
	}
	before, err := tree(commit+"^", "")
	if err != nil {
		return "", "", 0, err
	}
	after, err := tree(commit, edits)
	if err != nil {
		return "", "", 0, err
	}
	message, err := c.git(ctx, nil, nil, "log", "-1", "--format=%B", commit)
	if err != nil {
		return "", "", 0, err
	}
	if base, err = c.line(ctx, nil, nil, "commit-tree", "-m", "Policy", "-p", commit+"^", before); err != nil {
		return "", "", 0, err
	}
	head, err = c.line(ctx, []byte(message), nil, "commit-tree", "-F", "-", "-p", base, after)
	return base, head, changed, err
}

// filesOf are the files that a commit has changed, and those that its boxes cite.
func (c *clone) filesOf(ctx context.Context, commit string, boxes []report.ClaimVerdict) ([]string, error) {
	out, err := c.git(ctx, nil, nil, "diff-tree", "-z", "-r", "--name-only", "--no-renames", "--diff-filter=d", commit+"^",
		commit)
	if err != nil {
		return nil, err
	}
	files := strings.Split(strings.Trim(out, "\x00"), "\x00")
	for _, v := range boxes {
		for _, e := range parser.ParseEvidence(v.Evidence, report.Pos{}) {
			if e.Err == "" && !e.IsRemoved {
				files = append(files, e.Path)
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// restsOnFunctions reports whether one of the places that hold a box is a function, or lies in one.
func (c *clone) restsOnFunctions(ctx context.Context, v report.ClaimVerdict) bool {
	return slices.ContainsFunc(parser.ParseEvidence(v.Evidence, report.Pos{}), func(e parser.Evidence) bool {
		if e.Err != "" || e.IsRemoved {
			return false
		}
		src, err := c.git(ctx, nil, nil, "cat-file", "blob", v.Commit+":"+e.Path)
		if err != nil {
			return false
		}
		all, err := evidence.Hollowables(ctx, evidence.Source{Path: "code" + path.Ext(e.Path), Bytes: []byte(src)})
		return err == nil && len(evidence.CitedFunctions(all, e.Start, e.End)) > 0
	})
}

// hollowFile writes a file with all its functions hollow; "" where there is none.
func (c *clone) hollowFile(ctx context.Context, commit, file string) (string, error) {
	src, err := c.git(ctx, nil, nil, "cat-file", "blob", commit+":"+file)
	if err != nil {
		return "", nil // a submodule, or one that the copy does not hold
	}
	out, err := hollow(ctx, file, []byte(src))
	if err != nil || out == nil {
		return "", err
	}
	return c.line(ctx, out, nil, "hash-object", "-w", "--stdin")
}
