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

// A batch is judged at once: the acts upon one change, side by side. bases is a merge of what each began with, merged
// one of the acts. Both merges hold no file, so that the batch as a whole changes nothing.
type batch struct {
	acts          []*act
	bases, merged string
}

// batches are the acts by their change, or each alone where what the batch as a whole does matters.
func batches(acts []*act, alone bool) (out []*batch) {
	for _, a := range acts {
		if n := len(out); alone || n == 0 || out[n-1].acts[0].change != a.change {
			out = append(out, &batch{})
		}
		last := out[len(out)-1]
		last.acts = append(last.acts, a)
	}
	return out
}

// place makes the batches' commits in a bare scratch repository that borrows the objects of repository.
func place(scratch, repository string, all []*batch) error {
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
	made := stream{Writer: in}
	for _, b := range all {
		made.add(b)
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
		*made.ids[n-1] = id
	}
	return nil
}

// A stream is what git fast-import reads. The commit of the n-th mark is to be written to the n-th of ids.
type stream struct {
	io.Writer
	ids []*string
}

// commit begins a commit without a parent, or a merge of some, and returns its mark.
func (s *stream) commit(id *string, message string, merged ...int) int {
	s.ids = append(s.ids, id)
	mark := len(s.ids)
	fmt.Fprintf(s.Writer, "reset refs/heads/rebuilt\n\ncommit refs/heads/rebuilt\nmark :%d\n"+
		"committer agent <agent@example.com> %d +0000\ndata %d\n%s\n", mark, 1700000000+mark, len(message), message)
	word := "from"
	for _, parent := range merged {
		fmt.Fprintf(s.Writer, "%s :%d\n", word, parent)
		word = "merge"
	}
	return mark
}

// add writes two commits of each act, the state before, without a history of its own, and the ACT upon it; and then the
// two merges.
func (s *stream) add(b *batch) {
	var before, after []int
	for _, a := range b.acts {
		before = append(before, s.commit(&a.base, "before"))
		if a.change.base != "" {
			fmt.Fprintf(s.Writer, "M 040000 %s \n", a.change.base)
		}
		after = append(after, s.commit(&a.tip, a.message(), before[len(before)-1]))
		a.writeFiles(s.Writer)
	}
	s.commit(&b.bases, "before", before...)
	fmt.Fprintln(s.Writer, "deleteall")
	s.commit(&b.merged, "all", after...)
	fmt.Fprintln(s.Writer, "deleteall")
}

// commits is the range of all acts of the batch.
func (b *batch) commits() string {
	if len(b.acts) == 1 {
		return b.acts[0].base + ".." + b.acts[0].tip
	}
	return b.bases + ".." + b.merged
}

func (a *act) message() string {
	var message bytes.Buffer
	fmt.Fprintf(&message, "ACT: rebuilt\n\n")
	for n, c := range a.claims {
		if len(a.claims) > 1 {
			c.item += " " + strconv.Itoa(n+1)
		}
		fmt.Fprintf(&message, "Done: %s | %s\n", c.item, c.place)
	}
	return message.String()
}

func (a *act) writeFiles(w io.Writer) {
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

// judge asks acta for the verdicts of all batches, several at once.
func judge(acta, scratch string, all []*batch) error {
	var judges errgroup.Group
	judges.SetLimit(runtime.NumCPU())
	for _, b := range all {
		judges.Go(func() error { return b.judge(acta, scratch) })
	}
	return judges.Wait()
}

func (b *batch) judge(acta, scratch string) error {
	cmd := exec.Command(acta, "verify", "--format", "json", b.commits())
	cmd.Dir = scratch
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	type place struct{ commit, item string }
	var report struct {
		Verdicts []struct{ Commit, Item, Verdict, Reason string }
		Findings []struct{ Rule, Commit, Item string }
	}
	if json.Unmarshal(out, &report) != nil {
		return fmt.Errorf("acta verify %s in %s: %w\n%s", b.commits(), scratch, err, stderr.String())
	}
	verdicts := map[place]int{}
	for i, v := range report.Verdicts {
		verdicts[place{v.Commit, v.Item}] = i + 1
	}
	alone := map[place]bool{}
	for _, f := range report.Findings {
		if f.Rule == "evidence_unreferenced" {
			alone[place{f.Commit, f.Item}] = true
		}
	}
	for _, a := range b.acts {
		for _, c := range a.claims {
			c.alone = alone[place{a.tip, c.item}]
			i := verdicts[place{a.tip, c.item}]
			if i == 0 {
				return fmt.Errorf("acta verify %s in %s: no verdict on %q, %s", b.commits(), scratch, c.item, c.place)
			}
			c.verdict, c.reason = report.Verdicts[i-1].Verdict, report.Verdicts[i-1].Reason
		}
	}
	return nil
}
