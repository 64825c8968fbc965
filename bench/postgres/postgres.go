// Package postgres starts a PostgreSQL of its own for a bench or a test: a fresh one, on a
// socket in a temporary folder, that nobody else reaches.
package postgres

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

	"github.com/jackc/pgx/v5"
)

// ErrMissing is a machine without PostgreSQL.
var ErrMissing = errors.New("PostgreSQL was not found: install Debian's postgresql, or put its bin folder on PATH")

// Server is a PostgreSQL that runs.
type Server struct {
	dir, bin string
	as       *syscall.Credential // it refuses to run as root
	settings []string
	cmd      *exec.Cmd
	made     int
}

// Start makes a cluster and starts it with settings, as NAME=VALUE.
func Start(ctx context.Context, settings ...string) (*Server, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	s := &Server{bin: bin, settings: settings}
	if s.dir, err = os.MkdirTemp("", "acta-pg-"); err != nil {
		return nil, err
	}
	if err := s.begin(ctx); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// programs is the folder of initdb and postgres, which Debian keeps off PATH.
func programs() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", ErrMissing
	}
	slices.Sort(found)
	return filepath.Dir(found[len(found)-1]), nil
}

func (s *Server) begin(ctx context.Context) error {
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

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, name), args...)
	cmd.Dir, cmd.Env = s.dir, []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.as, Setpgid: true}
	return cmd
}

// Run starts the server, or starts it again after End, and waits until it answers.
func (s *Server) Run(ctx context.Context) error {
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
		c, err := pgx.Connect(ctx, s.DSN("postgres"))
		if err == nil {
			return c.Close(ctx)
		}
		select {
		case <-ctx.Done():
			text, _ := os.ReadFile(log.Name())
			return fmt.Errorf("PostgreSQL does not answer: %w\n%s", err, text)
		case <-every.C:
		}
	}
}

// DSN names a database of the server.
func (s *Server) DSN(database string) string {
	return fmt.Sprintf("postgres://acta@/%s?host=%s", database, s.dir)
}

// Database makes an empty database, and names it. It is for one goroutine.
func (s *Server) Database(ctx context.Context) (dsn string, err error) {
	c, err := pgx.Connect(ctx, s.DSN("postgres"))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, c.Close(ctx)) }()
	s.made++
	name := fmt.Sprintf("acta_%d", s.made)
	_, err = c.Exec(ctx, "CREATE DATABASE "+name)
	return s.DSN(name), err
}

// End ends the server; its data stay.
func (s *Server) End() error {
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
func (s *Server) Stop() error { return errors.Join(s.End(), os.RemoveAll(s.dir)) }
