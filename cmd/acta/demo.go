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
	for _, step := range []func(context.Context) error{
		d.plan, d.commitHonest, d.commitDishonest, d.bypassHook, d.verifyAll,
	} {
		if err := step(call.Context); err != nil {
			return err
		}
	}
	return nil
}

func (d demo) say(format string, args ...any) { fmt.Fprintf(d.Stdout, format+"\n", args...) }

func (d demo) plan(ctx context.Context) error {
	d.say(
		"1. A repository with a plan: task T01 asks for login(), T02 for logout(). acta is installed in its git hooks.\n")
	if err := d.write("working_plan/current.json", demoText("plan.json")); err != nil {
		return err
	}
	return d.commit(ctx, "Plan the work\n")
}

func (d demo) commitHonest(ctx context.Context) error {
	d.say("\n2. The agent implements login() and says so. Lines 1 to 5 hold real code: the commit lands.\n")
	if err := d.write("auth.py", demoText("login.py")); err != nil {
		return err
	}
	return d.commit(ctx, demoText("honest"))
}

func (d demo) commitDishonest(ctx context.Context) error {
	d.say("\n3. The agent says that logout() is done. Its body is a TODO and `pass`: the hook refuses the commit.\n")
	if err := d.write("auth.py", demoText("logout.py")); err != nil {
		return err
	}
	err := d.commit(ctx, demoText("false"))
	var refused *exec.ExitError
	if !errors.As(err, &refused) {
		return errors.Join(errors.New("the dishonest commit was not refused"), err)
	}
	return nil
}

func (d demo) bypassHook(ctx context.Context) error {
	d.say("\n4. The agent bypasses the hook with --no-verify. git allows it: the commit lands.\n")
	return d.commit(ctx, demoText("false"), "--no-verify")
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
