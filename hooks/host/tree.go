package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/acta-git/acta/record/worklog"
)

// This file sees which files an agent has changed by means of which no host tells: a shell that writes one, a patch
// inside a command. What git calls uncommitted after a command is held against what it was at the look before.

const (
	// treeTime bounds a look at the work tree, since the host waits: git takes some 10 ms for 5,000 files.
	treeTime = 250 * time.Millisecond
	// treePause is how long nobody looks after a look that took longer.
	treePause = 2 * time.Minute
	// maxUncommitted bounds what is remembered. Where more is uncommitted something is missing in .gitignore, and it
	// is nobody's work.
	maxUncommitted = 2000
	// maxFiles bounds the files of an entry.
	maxFiles = 200
)

// changedFiles are the files that have changed since the last look, by whatever means; none at the first look, at
// which anybody may have changed what is there. all reports whether one of them is not new.
func (c *call) changedFiles(ctx context.Context) (files []string, edited bool, err error) {
	if c.live != nil && !c.live.Wants(worklog.Edit, "") {
		return nil, false, nil
	}
	seen := c.state.Tree
	if seen != nil && c.Now.Before(seen.Pause) {
		return nil, false, nil
	}
	look, cancel := context.WithTimeout(ctx, patience*treeTime)
	defer cancel()
	dirty, err := c.repo.UncommittedFiles(look)
	if look.Err() != nil || err == nil && len(dirty) > maxUncommitted {
		c.state.Tree = &worklog.Tree{GitDir: c.gitDir, Pause: c.Now.Add(treePause)}
		return nil, false, c.state.Save()
	}
	top, errTop := c.repo.Top(ctx)
	if err != nil || errTop != nil || top == "" {
		return nil, false, nil // no work tree, or none that git can look at: what is said of that is others' matter
	}
	now := &worklog.Tree{GitDir: c.gitDir, Files: map[string]string{}}
	isFirst := seen == nil || seen.GitDir != c.gitDir || seen.Files == nil
	for _, f := range dirty {
		now.Files[f.Path] = fileStamp(filepath.Join(top, filepath.FromSlash(f.Path)))
	}
	c.state.Tree = now
	if isFirst {
		return nil, false, c.state.Save()
	}
	for _, f := range dirty {
		stamp := fileStamp(filepath.Join(top, filepath.FromSlash(f.Path)))
		if was, known := seen.Files[f.Path]; known && was == stamp {
			continue // as it was then
		}
		_, known := seen.Files[f.Path]
		if f.IsNew && !known && c.testsRan() {
			continue
		}
		files, edited = append(files, f.Path), edited || known || !f.IsNew
	}
	slices.Sort(files)
	return files, edited, c.state.Save()
}

// testsRan reports whether the command that was run runs tests: the files that were not there before are caches,
// reports and what else is in nobody's .gitignore.
func (c *call) testsRan() bool {
	var tests []string
	if c.live != nil {
		tests = c.live.Tests
	}
	return c.use != nil && c.use.action == worklog.Bash && worklog.IsTestRun(c.use.about, tests)
}

// fileStamp tells a file from what it was before: its size and the time of its last change; "" where it is gone.
func fileStamp(path string) string {
	info, err := os.Lstat(path)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(info.Size(), 36) + "-" + strconv.FormatInt(info.ModTime().UnixNano(), 36)
}

// lookAtTree takes what is there as it is: a person may have changed it.
func (c *call) lookAtTree(ctx context.Context) error {
	if c.live == nil || !c.live.Wants(worklog.Edit, "") {
		return nil
	}
	c.state.Tree = nil
	_, _, err := c.changedFiles(ctx)
	return err
}

// rememberFiles remembers files that the host has told of, so that they are not seen once more.
func (c *call) rememberFiles(ctx context.Context, files []string) error {
	top, err := c.repo.Top(ctx)
	t := c.state.Tree
	if err != nil || top == "" || t == nil || t.Files == nil || t.GitDir != c.gitDir {
		return nil
	}
	if len(t.Files)+len(files) > maxUncommitted {
		return nil
	}
	for _, f := range files {
		t.Files[f] = fileStamp(filepath.Join(top, filepath.FromSlash(f)))
	}
	return c.state.Save()
}

// unseen is what was changed and not told, as an entry; nil for nothing.
func (c *call) unseen(ctx context.Context) (*worklog.Operation, error) {
	files, isEdit, err := c.changedFiles(ctx)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	o := &worklog.Operation{Time: worklog.FormatTime(c.Now), Action: worklog.Write, Status: worklog.Completed}
	if isEdit {
		o.Action = worklog.Edit
	}
	o.Context = edited(o.Action, files) + ", by a command"
	if len(files) > maxFiles {
		o.Context = fmt.Sprintf("%s; %d of them are named", o.Context, maxFiles)
	}
	o.Details.Files = files[:min(len(files), maxFiles)]
	return o, nil
}
