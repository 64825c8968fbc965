package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/acta-git/acta/report"
)

// isWorker is the variable that makes the test binary answer calls of acta from standard input, one after the other.
const isWorker = "ACTA_TEST_WORKER"

// call is a command line of acta, with all that a process of its own would have; answered is what became of it.
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
	calls, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var c call
		if err := calls.Decode(&c); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		os.Clearenv()
		os.Args = append([]string{"acta"}, c.Args...) // which the library reads to complete a word
		err := os.Chdir(c.Dir)
		for _, v := range c.Env {
			name, value, _ := strings.Cut(v, "=")
			err = errors.Join(err, os.Setenv(name, value))
		}
		var out, errs bytes.Buffer
		code := command{
			Stdin: strings.NewReader(c.Stdin), Stdout: report.NewTerminal(&out, false), Stderr: report.NewTerminal(&errs, false),
		}.Main(os.Args)
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
	acta := actaCommand(t)
	for range cap(all) {
		cmd := exec.Command(acta)
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

// run has a worker answer a call, in the test's own environment with the call's variables.
func (w workers) run(t *testing.T, c call) answered {
	t.Helper()
	c.Env = append(os.Environ(), c.Env...)
	got, err := w.answer(c)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// answer has a worker answer a call, in the call's environment alone.
func (w workers) answer(c call) (got answered, err error) {
	one := <-w
	defer func() { w <- one }()
	return got, errors.Join(one.calls.Encode(c), one.answers.Decode(&got))
}

// script is the command «acta» of scripts.
func (w workers) script(ts *testscript.TestScript, fails bool, args []string) {
	if code := w.ask(ts, args); (code != exitClean) != fails {
		ts.Fatalf("unexpected exit code %d", code)
	}
}

// coded is the command «code N acta» of scripts: acta, and the exit code that it must end with.
func (w workers) coded(ts *testscript.TestScript, fails bool, args []string) {
	if fails || len(args) < 2 || args[1] != "acta" {
		ts.Fatalf("usage: code N acta [ARGUMENT...]")
	}
	if code := w.ask(ts, args[2:]); strconv.Itoa(code) != args[0] {
		ts.Fatalf("unexpected exit code %d", code)
	}
}

// ask answers a call of a script. Its standard input is empty.
func (w workers) ask(ts *testscript.TestScript, args []string) (code int) {
	c := call{Dir: ts.MkAbs("."), Args: args}
	state := reflect.ValueOf(ts).Elem() // testscript does not show all of it
	if state.FieldByName("stdin").Len() > 0 || slices.Contains(args, "&") {
		ts.Fatalf("this needs a process: exec acta")
	}
	for i, env := 0, state.FieldByName("env"); i < env.Len(); i++ {
		c.Env = append(c.Env, env.Index(i).String())
	}
	c.Env = append(c.Env, "PWD="+c.Dir)
	got, err := w.answer(c)
	ts.Check(err)
	_, err1 := io.WriteString(ts.Stdout(), got.Stdout)
	_, err2 := io.WriteString(ts.Stderr(), got.Stderr)
	ts.Check(errors.Join(err1, err2))
	return got.Code
}
