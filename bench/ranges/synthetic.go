package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/acta-git/acta/evidence"
)

// Synthetic makes a repository of so many commits by one `git fast-import`. Each writes two files, code and its page,
// and so five objects: two blobs, two trees and itself. One in twenty writes its test in the place of the page, which
// expects something else then: 4 to 6% of the commits of public repositories get such a note. One of
// actEvery is an ACT that cites its code.
func Synthetic(dir string, commits int) error {
	if out, err := exec.Command("git", "init", "--quiet", dir).CombinedOutput(); err != nil {
		return fmt.Errorf("git init: %w: %s", err, out)
	}
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	w := bufio.NewWriter(in)
	for i := range commits {
		writeCommit(w, i, isAct(i))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := in.Close(); err != nil {
		return err
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("git fast-import: %w", err)
	}
	_, err = git(dir, "symbolic-ref", "HEAD", "refs/heads/made")
	return err
}

// actEvery is how many commits one ACT is among.
const actEvery = 1000

func isAct(i int) bool { return i%actEvery == actEvery/2 }

// codeOf is the code that a commit writes.
func codeOf(i int) string {
	return fmt.Sprintf("def total(values):\n    result = %d\n    for value in values:\n        result += value\n"+
		"    return result\n", i)
}

// ParseCited is the processor time that parsing what the ACTs of a synthetic history cite takes, and how many they are.
func ParseCited(ctx context.Context, commits int) (took time.Duration, acts int, err error) {
	begin, err := processorTime()
	for i := 0; i < commits && err == nil; i++ {
		if isAct(i) {
			acts++
			_, err = evidence.Functions(ctx, evidence.Source{Path: "part.py", Bytes: []byte(codeOf(i))})
		}
	}
	if err != nil {
		return 0, acts, err
	}
	end, err := processorTime()
	return end - begin, acts, err
}

// processorTime is that of this process, of user and system.
func processorTime() (time.Duration, error) {
	var usage syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), err
}

func writeCommit(w *bufio.Writer, i int, act bool) {
	name := fmt.Sprintf("src/part%03d", i%200)
	code := codeOf(i)
	beside, text := name+".md", fmt.Sprintf("# Totals\n\nThe total begins at %d.\n", i)
	if i/200%20 == 0 { // of each part in turn
		beside, text = name+"_test.py", fmt.Sprintf("from part import total\n\n\ndef test_total():\n"+
			"    assert total([1, 2]) == %d\n", i+3)
	}
	message := fmt.Sprintf("Begin to count at %d\n", i)
	if act {
		message = fmt.Sprintf("ACT: T%d begin to count at %d\n\nDone: Begin to count at %d in total() | %s.py:1-5\n", i, i, i,
			name)
	}
	fmt.Fprintf(w, "commit refs/heads/made\ncommitter A <a@example.org> %d +0000\ndata %d\n%s\n", 1_600_000_000+60*i,
		len(message), message)
	fmt.Fprintf(w, "M 100644 inline %s.py\ndata %d\n%s\n", name, len(code), code)
	fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n\n", beside, len(text), text)
}
