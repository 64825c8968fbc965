package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/acta-git/acta/report"
)

// isWorker is the variable that makes the test binary answer calls of acta from standard input, one after the other.
const isWorker = "ACTA_TEST_WORKER"

// call is a command line of acta, with what a process of its own would have; answered is what became of it.
type (
	call struct {
		Dir, Stdin string
		Env, Args  []string
	}
	answered struct {
		Stdout, Stderr string
		Code           int
	}
)

// work answers calls until there are no more.
func work() error {
	if err := os.Unsetenv(isWorker); err != nil {
		return err
	}
	calls, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var c call
		if err := calls.Decode(&c); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		err := os.Chdir(c.Dir)
		for _, v := range c.Env {
			name, value, _ := strings.Cut(v, "=")
			err = errors.Join(err, os.Setenv(name, value))
		}
		var out, errs bytes.Buffer
		code := command{
			Stdin: strings.NewReader(c.Stdin), Stdout: report.NewTerminal(&out, false), Stderr: report.NewTerminal(&errs, false),
		}.Main(append([]string{"acta"}, c.Args...))
		if err := errors.Join(err, answers.Encode(answered{out.String(), errs.String(), code})); err != nil {
			return err
		}
	}
}

// workers are processes that answer calls, as many as tests run at once: what a process of acta takes to start, and to
// read patterns and grammars, is most of a short call.
type workers chan *worker

type worker struct {
	calls   *json.Encoder
	answers *json.Decoder
}

func newWorkers(t *testing.T) workers {
	t.Helper()
	all := make(workers, runtime.GOMAXPROCS(0))
	for range cap(all) {
		cmd := exec.Command(os.Args[0])
		cmd.Env, cmd.Stderr = append(os.Environ(), isWorker+"=1"), os.Stderr
		in, err1 := cmd.StdinPipe()
		out, err2 := cmd.StdoutPipe()
		if err := errors.Join(err1, err2, cmd.Start()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
				t.Error(err)
			}
		})
		all <- &worker{json.NewEncoder(in), json.NewDecoder(out)}
	}
	return all
}

// run has a worker answer a call.
func (w workers) run(t *testing.T, c call) (got answered) {
	t.Helper()
	one := <-w
	defer func() { w <- one }()
	if err := errors.Join(one.calls.Encode(c), one.answers.Decode(&got)); err != nil {
		t.Fatal(err)
	}
	return got
}
