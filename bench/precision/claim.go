package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"
)

// A claim is one item of a rebuilt ACT with its citation, and after judging its verdict.
type claim struct {
	class, form     string // what is claimed: function, first line, hunk … or the class and name of a form
	language        string
	place           string // the citation
	changed         bool   // the function was there before and was changed
	item            string
	text            string // the cited lines, for who reads the misses
	verdict, reason string
	alone           bool // evidence_unreferenced was found about it
}

// An act is one ACT commit with its claims.
type act struct {
	change *change
	files  map[string][]byte // sources that differ from those of the change
	claims []*claim
	base   string // commits, once they are made
	tip    string
}

// place makes the acts' commits in a bare scratch repository that borrows the objects of repository.
func place(scratch, repository string, acts []*act) error {
	if _, err := git(".", "init", "--quiet", "--bare", scratch); err != nil {
		return err
	}
	if repository != "" {
		objects, err := git(repository, "rev-parse", "--path-format=absolute", "--git-path", "objects")
		if err != nil {
			return err
		}
		if err := os.WriteFile(scratch+"/objects/info/alternates", []byte(objects), 0o644); err != nil {
			return err
		}
	}
	marks := scratch + "/marks"
	cmd := exec.Command("git", "-C", scratch, "fast-import", "--quiet", "--force", "--export-marks="+marks)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	for i, a := range acts {
		a.write(in, i)
	}
	if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
		return fmt.Errorf("git fast-import: %w", err)
	}
	text, err := os.ReadFile(marks)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		mark, id, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.Atoi(strings.TrimPrefix(mark, ":"))
		if err != nil {
			return err
		}
		if a := acts[(n-1)/2]; n%2 == 1 {
			a.base = id
		} else {
			a.tip = id
		}
	}
	return nil
}

// write adds two commits to the stream: the state before, without a history of its own, and the ACT upon it.
func (a *act) write(w io.Writer, i int) {
	commit := func(mark int, message string) {
		fmt.Fprintf(w, "commit refs/heads/rebuilt\nmark :%d\ncommitter agent <agent@example.com> %d +0000\ndata %d\n%s\n",
			mark, 1700000000+mark, len(message), message)
	}
	fmt.Fprintf(w, "reset refs/heads/rebuilt\n\n")
	commit(2*i+1, "before")
	if a.change.base != "" {
		fmt.Fprintf(w, "M 040000 %s \n", a.change.base)
	}
	var message bytes.Buffer
	fmt.Fprintf(&message, "ACT: rebuilt\n\n")
	for n, c := range a.claims {
		if len(a.claims) > 1 {
			c.item += " " + strconv.Itoa(n+1)
		}
		fmt.Fprintf(&message, "Done: %s | %s\n", c.item, c.place)
	}
	commit(2*i+2, message.String())
	if a.change.tree != "" {
		fmt.Fprintf(w, "M 040000 %s \n", a.change.tree)
	}
	for _, s := range a.change.sources {
		text, differs := a.files[s.path]
		if !differs {
			text = s.bytes
		}
		if differs || a.change.tree == "" {
			fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", s.path, len(text), text)
		}
	}
}

// judge asks acta for the verdicts of all acts, several at once.
func judge(acta, scratch string, acts []*act) error {
	var judges errgroup.Group
	judges.SetLimit(runtime.NumCPU())
	for _, a := range acts {
		judges.Go(func() error { return a.judge(acta, scratch) })
	}
	return judges.Wait()
}

func (a *act) judge(acta, scratch string) error {
	cmd := exec.Command(acta, "verify", "--format", "json", a.base+".."+a.tip)
	cmd.Dir = scratch
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var report struct {
		Verdicts []struct{ Item, Verdict, Reason string }
		Findings []struct{ Rule, Item string }
	}
	if json.Unmarshal(out, &report) != nil {
		return fmt.Errorf("acta verify %s..%s in %s: %w\n%s", a.base, a.tip, scratch, err, stderr.String())
	}
	verdicts := map[string]int{}
	for i, v := range report.Verdicts {
		verdicts[v.Item] = i + 1
	}
	alone := map[string]bool{}
	for _, f := range report.Findings {
		if f.Rule == "evidence_unreferenced" {
			alone[f.Item] = true
		}
	}
	for _, c := range a.claims {
		c.alone = alone[c.item]
		i := verdicts[c.item]
		if i == 0 {
			return fmt.Errorf("acta verify %s: no verdict on %q, %s", a.tip, c.item, c.place)
		}
		c.verdict, c.reason = report.Verdicts[i-1].Verdict, report.Verdicts[i-1].Reason
	}
	return nil
}
