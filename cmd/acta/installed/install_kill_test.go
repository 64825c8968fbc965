//go:build unix

package installed_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acta-git/acta/repo/program/peer"
)

// An installation that is killed anywhere leaves nothing that the next call does not mend: a second one installs
// as if there had been no first, and taking it out gives back what was there.
func TestAKilledInstallationIsMendedByTheNext(t *testing.T) {
	// Every file that an installation of its own writes, last first, is a moment at which it is killed.
	moments := []string{"pre-push", "pre-commit", "before-acta", "before-acta/pre-commit", "before-acta/commit-msg", "commit-msg", "post-merge"}
	for i, next := range []string{"install", "uninstall"} {
		for _, moment := range append(moments, ".") {
			t.Run(next+"/"+moment, func(t *testing.T) {
				t.Parallel()
				k := newKilledInstall(t)
				before := k.files()
				k.killWhen(moment)
				if i == 0 {
					k.run("install")
					installed := k.files()
					for name := range installed {
						if strings.HasPrefix(filepath.Base(name), ".") {
							t.Errorf("%s is left", name)
						}
					}
					if _, ok := installed["pre-push"]; !ok {
						t.Error("the hooks are not installed")
					}
				}
				k.run("uninstall")
				if after := k.files(); fmt.Sprint(after) != fmt.Sprint(before) {
					t.Errorf("there was\n%v\nand there is\n%v", before, after)
				}
			})
		}
	}
}

// killedInstall is a repository with hooks of its own: a file, and a link.
type killedInstall struct {
	*testing.T
	dir, hooks string
}

func newKilledInstall(t *testing.T) *killedInstall {
	dir := t.TempDir()
	k := &killedInstall{t, dir, filepath.Join(dir, ".git", "hooks")}
	init := exec.Command("git", "init", "--quiet", "--template=", dir)
	init.Env = append(os.Environ(), peer.GitEnv(dir)...)
	err := errors.Join(
		init.Run(),
		os.MkdirAll(k.hooks, 0o777),
		os.WriteFile(filepath.Join(dir, "mine"), []byte("#!/bin/sh\n"), 0o755),
		os.WriteFile(filepath.Join(k.hooks, "pre-commit"), []byte("#!/bin/sh\n"), 0o755),
		os.Symlink("../../mine", filepath.Join(k.hooks, "commit-msg")),
		// What a kill between the making and the renaming of a file has left.
		os.WriteFile(filepath.Join(k.hooks, "pre-push.sample"), nil, 0o755),
	)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func (k *killedInstall) command(args ...string) *exec.Cmd {
	cmd := exec.Command(acta, args...)
	cmd.Dir, cmd.Env = k.dir, append(os.Environ(), peer.GitEnv(k.dir)...)
	return cmd
}

func (k *killedInstall) run(args ...string) {
	k.Helper()
	if out, err := k.command(args...).CombinedOutput(); err != nil {
		k.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// killWhen starts an installation and kills it as soon as there is a file, and plants what a kill a moment earlier leaves.
func (k *killedInstall) killWhen(moment string) {
	k.Helper()
	cmd := k.command("install")
	if err := cmd.Start(); err != nil {
		k.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for there := false; !there; {
		_, err := os.Lstat(filepath.Join(k.hooks, moment))
		there = err == nil
		select {
		case err := <-ended: // faster than this loop
			ended <- err
			there = true
		default:
		}
	}
	_ = cmd.Process.Kill()
	<-ended
	for _, stray := range []string{".pre-commit1234567890", ".post-merge77"} {
		if err := os.WriteFile(filepath.Join(k.hooks, stray), []byte("#!/bin/"), 0o600); err != nil {
			k.Fatal(err)
		}
	}
}

// files are the files below the hooks folder, with what is in them.
func (k *killedInstall) files() map[string]string {
	k.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(k.hooks, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(k.hooks, path)
		if err != nil {
			return err
		}
		if all[name], err = os.Readlink(path); err == nil {
			return nil
		}
		data, err := os.ReadFile(path)
		all[name] = string(data)
		return err
	})
	if err != nil {
		k.Fatal(err)
	}
	return all
}
