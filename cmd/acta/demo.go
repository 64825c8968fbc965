package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/tools/txtar"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
)

//go:embed demo.txtar
var demoFiles []byte

func demoText(name string) string {
	for _, f := range txtar.Parse(demoFiles).Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

type demo struct {
	command
	dir  string
	home string
}

// newDemo makes a repository with acta in its hooks; home is to be removed in the end.
func (c command) newDemo(ctx context.Context) (demo, error) {
	scratch, err := os.MkdirTemp("", "acta-demo-")
	if err != nil {
		return demo{}, err
	}
	c.record = nil // the demo does not go to the audit log
	d := demo{command: c, dir: filepath.Join(scratch, "repository"), home: scratch}
	if err = os.MkdirAll(d.dir, 0o777); err == nil {
		err = d.git(ctx, "init", "--quiet", "--initial-branch=main")
	}
	if err == nil {
		err = d.installHook(ctx)
	}
	return d, err
}

func (c command) runDemo(call *cli.Context) error {
	d, err := c.newDemo(call.Context)
	defer os.RemoveAll(d.home)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		say, file, text, message string
		isRefused                bool
		options                  []string
	}{
		{"1. A repository with a plan: task T01 asks for login(), T02 for logout(). acta is installed in its git hooks.\n",
			"working_plan/current.json", "plan.json", "Plan the work\n", false, nil},
		{"\n2. The agent implements login() and says so. Lines 1 to 5 hold real code: the commit lands.\n",
			"auth.py", "login.py", demoText("honest"), false, nil},
		{"\n3. The agent says that logout() is done. Its body is a TODO and `pass`: the hook refuses the commit.\n",
			"auth.py", "logout.py", demoText("false"), true, nil},
		{"\n4. The agent bypasses the hook with --no-verify. git allows it: the commit lands.\n",
			"auth.py", "logout.py", demoText("false"), false, []string{"--no-verify"}},
	} {
		d.say("%s", step.say)
		if err := d.write(step.file, demoText(step.text)); err != nil {
			return err
		}
		err := d.commit(call.Context, step.message, step.options...)
		if step.isRefused {
			err = d.expectRefusal(err, "the dishonest commit was not refused")
		}
		if err != nil {
			return err
		}
	}
	return d.verifyAll(call.Context)
}

func (d demo) say(format string, args ...any) { fmt.Fprintf(d.Stdout, format+"\n", args...) }

// expectRefusal is the error of a commit that was not refused; nil if it was.
func (demo) expectRefusal(err error, otherwise string) error {
	if _, refused := errors.AsType[*exec.ExitError](err); refused {
		return nil
	}
	return errors.Join(errors.New(otherwise), err)
}

func (d demo) verifyAll(ctx context.Context) error {
	d.say("\n5. CI judges every commit again, from git alone.\n\n$ acta verify HEAD")
	r, err := d.open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	result, err := judge.Range(ctx, r, "", "HEAD")
	if err != nil {
		return err
	}
	var code exitError
	if err := d.print(result, "text", false); !errors.As(err, &code) || code != exitFindings {
		return errors.Join(errors.New("acta verify did not catch the dishonest commit"), err)
	}
	d.say("\nExit code %d: the pipeline stops here. To have this in a repository of yours: ./install.sh --repo PATH",
		int(code))
	return nil
}

func (d demo) write(path, text string) error {
	file := filepath.Join(d.dir, path)
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666))
}

func (d demo) commit(ctx context.Context, message string, options ...string) error {
	if err := d.git(ctx, "add", "--all"); err != nil {
		return err
	}
	d.say("$ git %s", strings.Join(append([]string{"commit"}, append(options, "-F", "-")...), " "))
	for line := range strings.Lines(message) {
		fmt.Fprintf(d.Stdout, "  | %s", line)
	}
	cmd := d.gitCommand(ctx, append([]string{"commit", "-F", "-"}, options...)...)
	cmd.Stdin = strings.NewReader(message)
	return cmd.Run()
}

func (d demo) git(ctx context.Context, args ...string) error { return d.gitCommand(ctx, args...).Run() }

// gitCommand is the agent's git: real, with its own name and dates, and without the user's configuration.
func (d demo) gitCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := repo.Command(ctx, d.dir, d.env(), args...)
	cmd.Stdout, cmd.Stderr = d.Stdout, d.Stdout
	return cmd
}

func (d demo) env() []string {
	return append(repo.ForeignEnv(nil),
		"HOME="+d.home, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
		"GIT_AUTHOR_NAME=executor-01", "GIT_AUTHOR_EMAIL=executor-01@agents.invalid",
		"GIT_COMMITTER_NAME=executor-01", "GIT_COMMITTER_EMAIL=executor-01@agents.invalid",
		"GIT_AUTHOR_DATE=2026-01-26T14:32:15Z", "GIT_COMMITTER_DATE=2026-01-26T14:32:15Z",
	)
}

func (d demo) open(ctx context.Context) (*repo.Repo, error) {
	return repo.Open(ctx, d.dir, repo.Options{Env: d.env()})
}

func (d demo) installHook(ctx context.Context) error {
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	r, err := d.open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = hooks.Install(ctx, r, hooks.Options{Binary: binary})
	return err
}
