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

// This file finds files that an agent changed without an event of its host: a shell that writes one, a patch inside a
// command. It compares git's uncommitted files after a command with those at the last look.

const (
	// treeTime bounds a look at the work tree, since the host waits: git takes some 10 ms for 5,000 files.
	treeTime = 250 * time.Millisecond
	// treePause is the pause after a look that took too long.
	treePause = 2 * time.Minute
	// maxUncommitted bounds the uncommitted files. More of them mean an incomplete .gitignore, not somebody's work.
	maxUncommitted = 2000
	maxFiles       = 200
)

// changedFiles are the files that changed since the last look, by whatever means; none at the first look, before which
// anybody may have changed them. isEdit reports whether one of them is not new.
func (c *call) changedFiles(ctx context.Context) (files []string, isEdit bool, err error) {
	if c.live != nil && !c.live.Wants(worklog.Edit, "") {
		return nil, false, nil
	}
	seen := c.state.Tree
	if seen != nil && c.Now.Before(seen.Pause) {
		return nil, false, nil
	}
	look, cancel := context.WithTimeout(ctx, timeFactor*treeTime)
	defer cancel()
	uncommitted, err := c.repo.UncommittedFiles(look)
	if look.Err() != nil || err == nil && len(uncommitted) > maxUncommitted {
		c.state.Tree = &worklog.Tree{GitDir: c.gitDir, Pause: c.Now.Add(treePause)}
		return nil, false, c.state.Save()
	}
	top, errTop := c.repo.Top(ctx)
	if err != nil || errTop != nil || top == "" {
		return nil, false, nil // no work tree, or an unreadable one, which others report
	}
	c.state.Tree = &worklog.Tree{GitDir: c.gitDir, Files: map[string]string{}}
	var before map[string]string // nil at the first look
	if seen != nil && seen.GitDir == c.gitDir {
		before = seen.Files
	}
	for _, f := range uncommitted {
		stamp := fileStamp(filepath.Join(top, filepath.FromSlash(f.Path)))
		c.state.Tree.Files[f.Path] = stamp
		was, known := before[f.Path]
		if before == nil || known && was == stamp || f.IsNew && !known && c.isTestRun() {
			continue
		}
		files, isEdit = append(files, f.Path), isEdit || known || !f.IsNew
	}
	slices.Sort(files)
	return files, isEdit, c.state.Save()
}

// isTestRun reports whether the command runs tests: new files are then caches, reports and the like that .gitignore
// lacks.
func (c *call) isTestRun() bool {
	var tests []string
	if c.live != nil {
		tests = c.live.Tests
	}
	return c.use != nil && c.use.action == worklog.Bash && worklog.IsTestRun(c.use.context, tests)
}

// fileStamp is a stamp of a file's content: its size and modification time; "" if it is gone.
func fileStamp(path string) string {
	info, err := os.Lstat(path)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(info.Size(), 36) + "-" + strconv.FormatInt(info.ModTime().UnixNano(), 36)
}

// resetTree takes the work tree's present state as given: a person may have changed it.
func (c *call) resetTree(ctx context.Context) error {
	if c.live == nil || !c.live.Wants(worklog.Edit, "") {
		return nil
	}
	c.state.Tree = nil
	_, _, err := c.changedFiles(ctx)
	return err
}

// rememberFiles adds files from a host's event, so that they are not reported again.
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

func (c *call) commandChange(ctx context.Context) (*worklog.Operation, error) {
	files, isEdit, err := c.changedFiles(ctx)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	o := &worklog.Operation{Time: worklog.FormatTime(c.Now), Action: worklog.Write, Status: worklog.Completed}
	if isEdit {
		o.Action = worklog.Edit
	}
	o.Context = editText(o.Action, files) + ", by a command"
	if len(files) > maxFiles {
		o.Context = fmt.Sprintf("%s; %d of them are named", o.Context, maxFiles)
	}
	o.Details.Files = files[:min(len(files), maxFiles)]
	return o, nil
}
