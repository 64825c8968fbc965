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
)

// ErrNoPostgres is a machine without PostgreSQL.
var ErrNoPostgres = errors.New("PostgreSQL was not found: install Debian's postgresql, or put its bin folder on PATH")

// Postgres is a fresh PostgreSQL that runs on a socket in a temporary folder, where nobody else reaches it.
type Postgres struct {
	dir, bin string
	as       *syscall.Credential // it refuses to run as root
	options  string
	made     int
}

// StartPostgres makes a cluster and starts it with settings, as NAME=VALUE.
func StartPostgres(ctx context.Context, settings ...string) (*Postgres, error) {
	bin, err := postgresPrograms()
	if err != nil {
		return nil, err
	}
	s := &Postgres{bin: bin}
	if s.dir, err = os.MkdirTemp("", "acta-pg-"); err != nil {
		return nil, err
	}
	s.options = "-k " + s.dir + " -c listen_addresses="
	for _, set := range settings {
		s.options += " -c " + set
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
	if err := s.do(ctx, "initdb", "-D", s.data(), "-U", "acta", "--auth=trust", "--no-sync", "--encoding=UTF8",
		"--locale=C"); err != nil {
		return err
	}
	return s.Run(ctx)
}

func (s *Postgres) data() string { return filepath.Join(s.dir, "data") }

// do runs one of its programs to the end.
func (s *Postgres) do(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, name), args...)
	cmd.Dir, cmd.Env = s.dir, []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.as, Setpgid: true}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// Run starts the server, or starts it again after End, and waits until it answers.
func (s *Postgres) Run(ctx context.Context) error {
	return s.do(ctx, "pg_ctl", "start", "-w", "-D", s.data(), "-l", filepath.Join(s.dir, "log"), "-o", s.options)
}

// Database makes an empty database, and names it. It is for one goroutine.
func (s *Postgres) Database(ctx context.Context) (dsn string, err error) {
	s.made++
	name := fmt.Sprintf("acta_%d", s.made)
	if err := s.do(ctx, "createdb", "--host", s.dir, "--username", "acta", name); err != nil {
		return "", err
	}
	return fmt.Sprintf("postgres://acta@/%s?host=%s", name, s.dir), nil
}

// End ends the server; its data stay.
func (s *Postgres) End() error {
	if _, err := os.Stat(filepath.Join(s.data(), "postmaster.pid")); err != nil {
		return nil // it does not run
	}
	return s.do(context.Background(), "pg_ctl", "stop", "-w", "-m", "fast", "-D", s.data())
}

// Stop ends the server and removes its data.
func (s *Postgres) Stop() error { return errors.Join(s.End(), os.RemoveAll(s.dir)) }
