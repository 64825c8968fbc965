// Ranges measures `acta verify` beside `git log -p` of the same commits, in one run: processor time on one core, time
// on all of them, processor time where an earlier run has left what it found, and the most memory. It fails where these
// print different reports.
//
// Of a synthetic history it says besides how often the sum of `git log -p` and of parsing what the ACTs cite goes into
// one core.
//
//	ranges -acta FILE [-commits N] [-synthetic N] [REPOSITORY…]
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	acta := flag.String("acta", "", "the executable that is measured")
	commits := flag.Int("commits", 300, "how many of the newest commits are judged, at least; 0 for all")
	made := flag.Int("synthetic", 0, "measure a repository of so many commits, five objects each, that is made first")
	flag.Parse()
	if err := run(*acta, *commits, *made, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "ranges:", err)
		os.Exit(1)
	}
}

func run(acta string, commits, made int, repositories []string) error {
	if acta == "" || len(repositories) == 0 && made == 0 {
		return errors.New("-acta FILE and a repository, or -synthetic N, are needed")
	}
	synthetic := ""
	if made > 0 {
		dir, err := os.MkdirTemp("", "acta-ranges-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if err := Synthetic(dir, made); err != nil {
			return err
		}
		synthetic, repositories = dir, append(repositories, dir)
	}
	fmt.Println("| repository | to | commits | `git log -p` | one core | times | all cores | again | times | memory |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, dir := range repositories {
		row, shown, one, err := measure(acta, dir, commits)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		fmt.Println(row)
		if dir == synthetic && commits == 0 {
			parsed, acts, err := ParseCited(context.Background(), made)
			if err != nil {
				return err
			}
			fmt.Printf("\n%d ACTs: parsing what they cite takes %.2f s; ", acts, parsed.Seconds())
			fmt.Printf("one core is %.1f times the sum of that and `git log -p`\n", one.Seconds()/(parsed+shown).Seconds())
		}
	}
	return nil
}

// measure judges the newest commits of a repository, and is a row of the table, and the processor time of `git log -p`
// and of one core.
func measure(acta, dir string, commits int) (row string, log, core time.Duration, err error) {
	span, head, n, err := newest(dir, commits)
	if err != nil {
		return "", 0, 0, err
	}
	shown, err := timed(dir, nil, "git", "log", "-p", span)
	if err != nil {
		return "", 0, 0, err
	}
	var one, all, again took
	for _, run := range []struct {
		*took
		env    []string
		forget bool
	}{{&one, []string{"GOMAXPROCS=1"}, true}, {&all, nil, true}, {&again, nil, false}} {
		if run.forget {
			if err := forget(dir); err != nil {
				return "", 0, 0, err
			}
		}
		if *run.took, err = timed(dir, run.env, acta, "verify", "--format", "json", span); err != nil {
			return "", 0, 0, err
		}
		if !bytes.Equal(one.out, run.out) {
			return "", 0, 0, errors.New("one core, all cores and a second run do not print the same report")
		}
	}
	row = fmt.Sprintf("| %s | %.12s | %d | %.2f s | %.2f s | %.1f | %.2f s | %.2f s | %.1f | %d MB |", filepath.Base(dir),
		head, n, shown.cpu.Seconds(), one.cpu.Seconds(), one.cpu.Seconds()/shown.cpu.Seconds(), all.wall.Seconds(),
		again.cpu.Seconds(), again.cpu.Seconds()/shown.cpu.Seconds(), max(one.memory, all.memory)>>20)
	return row, shown.cpu, one.cpu, nil
}

// forget removes what earlier runs found.
func forget(dir string) error {
	common, err := git(dir, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(common, "acta", "cache"))
}

// newest is the range of the newest commits, as far back along the first parents as makes so many; its head, and how
// many they are.
func newest(dir string, commits int) (span, head string, n int, err error) {
	if head, err = git(dir, "rev-parse", "HEAD"); err != nil {
		return "", "", 0, err
	}
	span = head
	if commits > 0 {
		line, err := git(dir, "rev-list", "--first-parent", fmt.Sprintf("--max-count=%d", commits+1), head)
		if err != nil {
			return "", "", 0, err
		}
		back := strings.Fields(line)
		for i, last := 1, len(back)-1; i <= last; i = max(i+1, min(i*2, i+32, last)) {
			span = back[i] + ".." + head
			if n, err = count(dir, span); err != nil || n >= commits {
				return span, head, n, err
			}
		}
		span = head
	}
	n, err = count(dir, span)
	return span, head, n, err
}

func count(dir, span string) (int, error) {
	out, err := git(dir, "rev-list", "--count", span)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(out)
}

func git(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// took is what a process and those that it waited for took.
type took struct {
	out       []byte
	cpu, wall time.Duration
	memory    int64 // of the largest of them, in bytes
}

// timed runs a process; findings are no failure.
func timed(dir string, env []string, name string, args ...string) (took, error) {
	cmd := exec.Command(name, args...)
	var out bytes.Buffer
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if cmd.Stderr = os.Stderr; name != "git" {
		cmd.Stdout = &out
	}
	begin := time.Now()
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	t := took{out: out.Bytes(), wall: time.Since(begin)}
	if s := cmd.ProcessState; s != nil {
		t.cpu = s.UserTime() + s.SystemTime()
		if usage, ok := s.SysUsage().(*syscall.Rusage); ok {
			t.memory = usage.Maxrss << 10 // Linux counts it in KiB
		}
	}
	return t, err
}
