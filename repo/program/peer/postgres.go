package peer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// ErrNoPostgres is a machine without PostgreSQL.
var ErrNoPostgres = errors.New("PostgreSQL was not found: install Debian's postgresql, or put its bin folder on PATH")

// Postgres is a fresh PostgreSQL that runs on a socket in a temporary folder, where nobody else reaches it.
type Postgres struct {
	dir, bin string
	as       *syscall.Credential // it refuses to run as root
	settings []string
	cmd      *exec.Cmd
	made     int
}

// StartPostgres makes a cluster and starts it with settings, as NAME=VALUE.
func StartPostgres(ctx context.Context, settings ...string) (*Postgres, error) {
	bin, err := postgresPrograms()
	if err != nil {
		return nil, err
	}
	s := &Postgres{bin: bin, settings: settings}
	if s.dir, err = os.MkdirTemp("", "acta-pg-"); err != nil {
		return nil, err
	}
	if err := s.begin(ctx); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// postgresPrograms is the folder of initdb and postgres, which Debian keeps off PATH.
func postgresPrograms() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		path, err = filepath.EvalSymlinks(path) // its neighbours are where it really is
		return filepath.Dir(path), err
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", ErrNoPostgres
	}
	slices.Sort(found)
	return filepath.Dir(found[len(found)-1]), nil
}

func (s *Postgres) begin(ctx context.Context) error {
	if os.Getuid() == 0 {
		u, err := user.Lookup("postgres")
		if err != nil {
			return err
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		gid, wrong := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(err, wrong); err != nil {
			return err
		}
		s.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(s.dir, int(uid), int(gid)); err != nil {
			return err
		}
	}
	out, err := s.command(ctx, "initdb", "-D", s.data(), "-U", "acta", "--auth=trust", "--no-sync", "--encoding=UTF8",
		"--locale=C").CombinedOutput()
	if err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return s.Run(ctx)
}

func (s *Postgres) data() string { return filepath.Join(s.dir, "data") }

func (s *Postgres) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, name), args...)
	cmd.Dir, cmd.Env = s.dir, []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.as, Setpgid: true}
	return cmd
}

// Run starts the server, or starts it again after End, and waits until it answers.
func (s *Postgres) Run(ctx context.Context) error {
	args := []string{"-D", s.data(), "-k", s.dir, "-c", "listen_addresses="}
	for _, set := range s.settings {
		args = append(args, "-c", set)
	}
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the server has its own
	s.cmd = s.command(context.WithoutCancel(ctx), "postgres", args...)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	every := time.NewTicker(20 * time.Millisecond)
	defer every.Stop()
	for {
		if s.command(ctx, "pg_isready", "--quiet", "--host", s.dir).Run() == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			text, _ := os.ReadFile(log.Name())
			return fmt.Errorf("PostgreSQL does not answer: %w\n%s", ctx.Err(), text)
		case <-every.C:
		}
	}
}

// Database makes an empty database, and names it. It is for one goroutine.
func (s *Postgres) Database(ctx context.Context) (dsn string, err error) {
	s.made++
	name := fmt.Sprintf("acta_%d", s.made)
	if out, err := s.command(ctx, "createdb", "--host", s.dir, "--username", "acta", name).CombinedOutput(); err != nil {
		return "", fmt.Errorf("createdb: %w\n%s", err, out)
	}
	return fmt.Sprintf("postgres://acta@/%s?host=%s", name, s.dir), nil
}

// End ends the server; its data stay.
func (s *Postgres) End() error {
	if s.cmd == nil {
		return nil
	}
	err := s.cmd.Process.Signal(syscall.SIGINT) // the fast shutdown
	if err == nil {
		err = s.cmd.Wait()
	}
	s.cmd = nil
	return err
}

// Stop ends the server and removes its data.
func (s *Postgres) Stop() error { return errors.Join(s.End(), os.RemoveAll(s.dir)) }
