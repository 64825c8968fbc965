package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acta-git/acta/repo"
)

// scratch is Doctor's repository: it has the same hooks, and is on a branch without commits.
type scratch struct {
	g    repo.Layout
	root string // the temporary folder
	work string // the work tree in it
	env  []string
	// base is an empty commit, branch the full name of a branch without commits.
	base, branch string
	// message and patch are files with the false claim.
	message, patch string
	firstRemedy    string
}

type attempt struct {
	hasStopped bool
	output     string
}

// repositoryVariables are git's variables that would lead it out of the scratch work tree.
var repositoryVariables = [...]string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_COMMON_DIR", "GIT_PREFIX", "GIT_NAMESPACE", "GIT_EDITOR", "LC_ALL",
}

func newScratch(ctx context.Context, g repo.Layout, env []string) (*scratch, error) {
	root, err := os.MkdirTemp("", "acta-doctor-")
	if err != nil {
		return nil, err
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, err
	}
	name := filepath.Base(root)
	s := &scratch{
		g: g, root: root, work: filepath.Join(root, name), branch: "refs/heads/" + name,
		message: filepath.Join(root, "message"), patch: filepath.Join(root, "patch"),
	}
	s.env = append(without(env, repositoryVariables[:]...),
		"LC_ALL=C", "GIT_EDITOR=false", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=acta doctor", "GIT_AUTHOR_EMAIL=doctor@acta.invalid",
		"GIT_COMMITTER_NAME=acta doctor", "GIT_COMMITTER_EMAIL=doctor@acta.invalid")
	if err := s.make(ctx); err != nil {
		return nil, errors.Join(err, s.remove())
	}
	return s, nil
}

func without(env []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(names, name)
	})
}

func (s *scratch) make(ctx context.Context) error {
	err := errors.Join(
		os.WriteFile(s.message, []byte(doctorClaim), 0o666),
		os.WriteFile(s.patch, []byte(doctorPatch()), 0o666),
	)
	if err != nil {
		return err
	}
	if err := s.makeRepository(ctx); err != nil || s.g.IsBare {
		return err
	}
	return s.linkConfiguration()
}

func (s *scratch) makeRepository(ctx context.Context) error {
	if err := s.init(ctx, s.work); err != nil {
		return err
	}
	return errors.Join(
		s.prepare(ctx, s.work, "config", keyHooksPath, s.g.HooksDir),
		// Hooks of the user (--global) hand on to those of the repository.
		os.Symlink(filepath.Join(s.g.CommonDir, "hooks"), filepath.Join(s.work, ".git", "hooks")),
		s.prepare(ctx, s.work, "symbolic-ref", "HEAD", s.branch),
		s.commitEmpty(ctx, s.work),
	)
}

func (s *scratch) commitEmpty(ctx context.Context, dir string) (err error) {
	s.base, err = s.ask(ctx, dir, "commit-tree", "-m", "acta doctor", string(s.g.EmptyTree()))
	return err
}

// toolFiles are the files at the top of a work tree by which hook managers find their hooks. Without them their hooks
// would stop before acta runs.
func toolFiles() []string {
	return append(lefthookFiles(), ".husky", ".pre-commit-config.yaml", "node_modules", "package.json", ".config",
		"lefthook-local.yml", ".lefthook-local.yml", ".lefthook")
}

// linkConfiguration links them, and the folder of a relative core.hooksPath, into the scratch repository.
func (s *scratch) linkConfiguration() error {
	names := toolFiles()
	if inside, err := filepath.Rel(s.g.Top, s.g.HooksDir); err == nil && filepath.IsLocal(inside) {
		first, _, _ := strings.Cut(filepath.ToSlash(inside), "/")
		names = append(names, first)
	}
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(s.g.Top, name)); err != nil || name == ".git" {
			continue
		}
		err := os.Symlink(filepath.Join(s.g.Top, name), filepath.Join(s.work, name))
		if err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	return nil
}

func doctorPatch() string {
	title, body, _ := strings.Cut(doctorClaim, "\n\n")
	var b strings.Builder
	fmt.Fprintf(&b, "From %040d Mon Sep 17 00:00:00 2001\nFrom: acta doctor <doctor@acta.invalid>\n"+
		"Date: Mon, 26 Jan 2026 14:32:15 +0000\nSubject: [PATCH] %s\n\n%s---\n", 0, title, body)
	fmt.Fprintf(&b, "diff --git a/%[1]s b/%[1]s\nnew file mode 100644\n--- /dev/null\n+++ b/%[1]s\n@@ -0,0 +1,%[2]d @@\n",
		doctorFile, strings.Count(doctorStub, "\n"))
	for line := range strings.Lines(doctorStub) {
		b.WriteString("+" + line)
	}
	return b.String()
}

func (s *scratch) stage(ctx context.Context, path, text string) error {
	file := filepath.Join(s.work, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return err
	}
	return s.prepare(ctx, s.work, "add", "--force", "--", path)
}

func (s *scratch) reset(ctx context.Context) error {
	return errors.Join(
		s.detach(ctx),
		s.prepare(ctx, s.work, "update-ref", "-d", s.branch),
		s.prepare(ctx, s.work, "symbolic-ref", "HEAD", s.branch),
		s.prepare(ctx, s.work, "read-tree", "--empty"),
	)
}

func (s *scratch) detach(ctx context.Context) error {
	return s.prepare(ctx, s.work, "checkout", "--quiet", "--force", "--detach", s.base)
}

func (s *scratch) push(ctx context.Context, remote string, options ...string) (attempt, error) {
	if err := s.stage(ctx, doctorFile, doctorStub); err != nil {
		return attempt{}, err
	}
	tree, err := s.ask(ctx, s.work, "write-tree")
	if err != nil {
		return attempt{}, err
	}
	commit, err := s.ask(ctx, s.work, "commit-tree", "-p", s.base, "-F", s.message, tree)
	if err != nil {
		return attempt{}, err
	}
	// Other tools' hooks read HEAD, which exists in a real push.
	if err := s.prepare(ctx, s.work, "checkout", "--quiet", "--force", "--detach", commit); err != nil {
		return attempt{}, err
	}
	args := append([]string{"push", "--quiet"}, options...)
	return s.try(ctx, append(args, remote, commit+":refs/heads/main")...), s.reset(ctx)
}

func (s *scratch) try(ctx context.Context, args ...string) attempt {
	options := []string{"-c", "commit.gpgSign=false", "-c", "push.gpgSign=false"}
	cmd := repo.Command(ctx, s.work, s.env, append(options, args...)...)
	out, err := cmd.CombinedOutput()
	return attempt{hasStopped: err != nil, output: string(out)}
}

func (s *scratch) prepare(ctx context.Context, dir string, args ...string) error {
	_, err := s.ask(ctx, dir, args...)
	return err
}

func (s *scratch) init(ctx context.Context, dir string, options ...string) error {
	if s.g.ObjectFormat == "sha256" { // git before 2.29 lacks the format and the option
		options = append(options, "--object-format=sha256")
	}
	return s.prepare(ctx, s.root, append([]string{"init", "--quiet", "--template=", dir}, options...)...)
}

func (s *scratch) ask(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := repo.Command(ctx, dir, s.env, append([]string{"-c", keyHooksPath + "=" + os.DevNull}, args...)...)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, lastLine(complaint.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

func (s *scratch) remove() error { return os.RemoveAll(s.root) }
