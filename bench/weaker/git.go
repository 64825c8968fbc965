package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/tests/openly"
)

// reader serves the objects of one repository through one process of git, one after the other: files are read side by
// side.
type reader struct {
	dir string
	cmd *exec.Cmd
	mu  sync.Mutex // of in and out
	in  io.WriteCloser
	out *bufio.Reader
}

func openReader(dir string) (*reader, error) {
	r := &reader{dir: dir, cmd: exec.Command("git", "-C", dir, "cat-file", "--batch")}
	var err error
	if r.in, err = r.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	r.out = bufio.NewReaderSize(out, 1<<20)
	return r, r.cmd.Start()
}

// openNewest opens a repository, and lists the files of its newest commit.
func openNewest(dir string) (r *reader, paths []string, err error) {
	if r, err = openReader(dir); err != nil {
		return nil, nil, err
	}
	if paths, err = r.lines("ls-tree", "-r", "--name-only", "-z", "HEAD"); err != nil {
		return nil, nil, errors.Join(err, r.close())
	}
	return r, paths, nil
}

func (r *reader) close() error {
	if err := r.in.Close(); err != nil {
		return err
	}
	return r.cmd.Wait()
}

// object reads what a name stands for; kind is "" where there is none.
func (r *reader) object(name string) (id, kind string, content []byte, err error) {
	// A path of HEAD:./x is relative to a work tree: where there is none git ends.
	if strings.Contains(name, "\n") || strings.Contains(name, ":./") || strings.Contains(name, ":../") {
		return "", "", nil, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := fmt.Fprintln(r.in, name); err != nil {
		return "", "", nil, err
	}
	line, err := r.out.ReadString('\n')
	if err != nil {
		return "", "", nil, err
	}
	fields := strings.Fields(line)
	if len(fields) != 3 || strings.HasSuffix(line, " missing\n") {
		return "", "", nil, nil
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return "", "", nil, fmt.Errorf("git answers %q for %s", line, name)
	}
	content = make([]byte, size+1)
	if _, err := io.ReadFull(r.out, content); err != nil {
		return "", "", nil, err
	}
	return fields[0], fields[1], content[:size], nil
}

// tree is the tree of a commit as package evidence reads it.
func (r *reader) tree(commit string) *evidence.Tree {
	var read sync.Map // the content of each object by its id
	content := func(e evidence.Entry) []byte {
		src, _ := read.Load(e.ID)
		b, _ := src.([]byte)
		return b
	}
	return &evidence.Tree{
		Name: commit,
		Stat: func(_ context.Context, path string) (evidence.Entry, error) {
			id, kind, src, err := r.object(commit + ":" + path)
			if err != nil || kind == "" {
				return evidence.Entry{}, err
			}
			if kind != "blob" {
				return evidence.Entry{Path: path, Kind: evidence.Folder, ID: id}, nil
			}
			read.Store(id, src)
			return evidence.Entry{Path: path, Kind: evidence.File, ID: id, Mode: "100644"}, nil
		},
		Size:  func(_ context.Context, e evidence.Entry) (int64, error) { return int64(len(content(e))), nil },
		Read:  func(_ context.Context, e evidence.Entry) ([]byte, error) { return content(e), nil },
		Paths: func(context.Context) ([]string, error) { return r.lines("ls-tree", "-r", "--name-only", "-z", commit) },
	}
}

// message is what a commit's message says.
func (r *reader) message(commit string) (*openly.Message, error) {
	_, _, content, err := r.object(commit)
	_, text, _ := bytes.Cut(content, []byte("\n\n"))
	return openly.Read(parser.Parse(text).Own()), err
}

// lines runs git and returns what it prints, by line, or by NUL where -z is asked.
func (r *reader) lines(arguments ...string) ([]string, error) {
	cmd := exec.Command("git", append([]string{"-C", r.dir}, arguments...)...)
	var words bytes.Buffer
	cmd.Stderr = &words
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", strings.Join(arguments, " "), err, words.String())
	}
	by := "\n"
	if bytes.IndexByte(out, 0) >= 0 {
		by = "\x00"
	}
	text := strings.TrimSuffix(string(out), by)
	if text == "" {
		return nil, nil
	}
	return strings.Split(text, by), nil
}
