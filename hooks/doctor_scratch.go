package hooks

import (
	"cmp"
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
	// err is the first failure to prepare something; after it nothing more is done.
	err error
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
	s.make(ctx)
	return s, nil
}

func without(env []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(names, name)
	})
}

func (s *scratch) keep(err error) { s.err = cmp.Or(s.err, err) }

func (s *scratch) make(ctx context.Context) {
	s.keep(os.WriteFile(s.message, []byte(doctorClaim), 0o666))
	s.keep(os.WriteFile(s.patch, doctorPatch, 0o666))
	s.init(ctx, s.work)
	s.ask(ctx, s.work, "config", keyHooksPath, s.g.HooksDir)
	// Hooks of the user (--global) hand on to those of the repository.
	s.keep(os.Symlink(filepath.Join(s.g.CommonDir, "hooks"), filepath.Join(s.work, ".git", "hooks")))
	s.ask(ctx, s.work, "symbolic-ref", "HEAD", s.branch)
	s.base = s.ask(ctx, s.work, "commit-tree", "-m", "acta doctor", string(s.g.EmptyTree()))
	if !s.g.IsBare {
		s.linkConfiguration()
	}
}

// toolFiles are the files at the top of a work tree by which hook managers find their hooks. Without them their hooks
// would stop before acta runs.
func toolFiles() []string {
	return append(lefthookFiles(), ".husky", ".pre-commit-config.yaml", "node_modules", "package.json", ".config",
		"lefthook-local.yml", ".lefthook-local.yml", ".lefthook")
}

// linkConfiguration links them, and the folder of a relative core.hooksPath, into the scratch repository.
func (s *scratch) linkConfiguration() {
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
		if !errors.Is(err, os.ErrExist) {
			s.keep(err)
		}
	}
}

func (s *scratch) stage(ctx context.Context, path, text string) {
	file := filepath.Join(s.work, path)
	s.keep(os.MkdirAll(filepath.Dir(file), 0o777))
	s.keep(os.WriteFile(file, []byte(text), 0o666))
	s.ask(ctx, s.work, "add", "--force", "--", path)
}

// reset goes back to an empty index and a branch without commits.
func (s *scratch) reset(ctx context.Context) {
	s.detach(ctx, s.base)
	s.ask(ctx, s.work, "update-ref", "-d", s.branch)
	s.ask(ctx, s.work, "symbolic-ref", "HEAD", s.branch)
	s.ask(ctx, s.work, "read-tree", "--empty")
}

func (s *scratch) detach(ctx context.Context, commit string) {
	s.ask(ctx, s.work, "checkout", "--quiet", "--force", "--detach", commit)
}

// push pushes a commit with the false claim that no hook has seen.
func (s *scratch) push(ctx context.Context, remote string, options ...string) attempt {
	s.stage(ctx, doctorFile, doctorStub)
	tree := s.ask(ctx, s.work, "write-tree")
	commit := s.ask(ctx, s.work, "commit-tree", "-p", s.base, "-F", s.message, tree)
	s.detach(ctx, commit) // other tools' hooks read HEAD, which exists in a real push
	args := append([]string{"push", "--quiet"}, options...)
	a := s.try(ctx, append(args, remote, commit+":refs/heads/main")...)
	s.reset(ctx)
	return a
}

func (s *scratch) try(ctx context.Context, args ...string) attempt {
	if s.err != nil {
		return attempt{}
	}
	options := []string{"-c", "commit.gpgSign=false", "-c", "push.gpgSign=false"}
	cmd := repo.Command(ctx, s.work, s.env, append(options, args...)...)
	out, err := cmd.CombinedOutput()
	return attempt{hasStopped: err != nil, output: string(out)}
}

func (s *scratch) init(ctx context.Context, dir string, options ...string) {
	if s.g.ObjectFormat == "sha256" { // git before 2.29 lacks the format and the option
		options = append(options, "--object-format=sha256")
	}
	s.ask(ctx, s.root, append([]string{"init", "--quiet", "--template=", dir}, options...)...)
}

// ask runs git without hooks and returns its output.
func (s *scratch) ask(ctx context.Context, dir string, args ...string) string {
	if s.err != nil {
		return ""
	}
	cmd := repo.Command(ctx, dir, s.env, append([]string{"-c", keyHooksPath + "=" + os.DevNull}, args...)...)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		s.err = fmt.Errorf("git %s: %w: %s", args[0], err, lastLine(complaint.String()))
	}
	return strings.TrimSpace(string(out))
}

func (s *scratch) remove() error { return os.RemoveAll(s.root) }
