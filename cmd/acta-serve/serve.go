package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/record/ledger/postgres"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/serve"
)

func (c command) serve() *cli.Command {
	return &cli.Command{
		Name:  "serve",
		Usage: "serve a page and an API for the score, the worklog, the plan and the claims",
		Description: "Serves the repository here, or those named, until interrupted (SIGTERM, Ctrl-C).\n" +
			"On loopback anybody on this machine may read; feedback needs the token, and on another address everything does.\n" +
			"The token is ACTA_TOKEN, or what --token-file holds; with neither one is made and stored, and only loopback is " +
			"served.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "addr", Usage: "listen on `HOST:PORT`; port 0 takes a free one", Value: "127.0.0.1:7711"},
			&cli.StringSliceFlag{Name: "repo", Usage: "serve the repository of `DIR`; may be given several times"},
			&cli.StringFlag{
				Name: "db", Usage: "keep reports and feedback in PostgreSQL: `DSN` is postgres://…; else ACTA_DB",
			},
			&cli.StringFlag{Name: "token-file", Usage: "read the token from `FILE`"},
			&cli.StringFlag{Name: "report-token-file", Usage: "read from `FILE` a token for reports only"},
			&cli.StringSliceFlag{Name: "host", Usage: "also answer to `HOST[:PORT]`, such as the name of a proxy"},
			&cli.StringFlag{Name: "by", Usage: "give feedback as `NAME`; else git's user.name"},
			&cli.BoolFlag{
				Name: "notify", Usage: "notify operators of lockdowns, by the programs that the policies name",
			},
		},
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() > 0 {
				return usagef("serve takes no argument, and got %q", ctx.Args().Slice())
			}
			return c.runServe(ctx)
		},
	}
}

func (c command) runServe(call *cli.Context) error {
	ctx, addr, dirs := call.Context, call.String("addr"), call.StringSlice("repo")
	host, isLoopback, err := listenHost(ctx, addr)
	if err != nil {
		return err
	}
	dsn := cmp.Or(call.String("db"), c.Env.Get("ACTA_DB"))
	repos, err := c.open(ctx, dirs)
	if err != nil && !(dsn != "" && len(dirs) == 0 && isNoRepository(err)) {
		return err
	}
	reportToken := ""
	if file := call.String("report-token-file"); file != "" {
		if reportToken, err = fileToken(file, isLoopback); err != nil {
			return usagef("--report-token-file: %w", err)
		}
	}
	token, where, err := c.token(call.String("token-file"), isLoopback)
	if err != nil {
		return err
	}
	voter := cmp.Or(call.String("by"), c.person(ctx, append(dirs, ".")[0]))
	options := serve.Options{
		Repos: repos, Token: token, ReportToken: reportToken, IsLoopback: isLoopback,
		Scores: serve.RepositoryScores(repos, voter, c), Notify: call.Bool("notify"), Warn: c,
	}
	if dsn != "" {
		db, err := database(ctx, dsn)
		if err != nil {
			return err
		}
		defer db.Close()
		options.Scores = &serve.Scores{Shared: db, Voter: voter}
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; choose another with --addr", addr, err)
	}
	at := l.Addr().(*net.TCPAddr)
	options.Hosts = hostHeaders(host, at, call.StringSlice("host"))
	fmt.Fprintf(c.Stdout, "acta: serving http://%s\n", displayAddress(host, at))
	fmt.Fprintf(c.Stdout, "acta: %s\n", where)
	return serve.New(options).Serve(ctx, l)
}

func (c command) open(ctx context.Context, dirs []string) ([]*serve.Repository, error) {
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	var all []*serve.Repository
	for _, dir := range dirs {
		r, err := serve.OpenRepository(ctx, dir, c.Env)
		if err != nil {
			return nil, usageError{fmt.Errorf("--repo %s: %w", dir, err)}
		}
		if !slices.ContainsFunc(all, r.Same) {
			all = append(all, r)
		}
	}
	serve.Distinguish(all)
	return all, nil
}

func (c command) Warn(message string) { fmt.Fprintln(c.Stderr, "acta: warning: "+message) }

// person is git's user in a folder, the voter of this server's feedback: the token's owner is trusted with the name.
func (c command) person(ctx context.Context, dir string) string {
	r, err := repo.Open(ctx, dir, repo.Options{Env: repo.ForeignEnv(c.Env)})
	if err == nil {
		defer r.Close()
		const key = "user.name"
		if config, err := r.Config(ctx, key); err == nil && config[key] != "" {
			return config[key]
		}
	}
	return "operator"
}

const connectTime = time.Minute

func database(ctx context.Context, dsn string) (*postgres.Store, error) {
	if !strings.HasPrefix(dsn, "postgres://") && !strings.HasPrefix(dsn, "postgresql://") {
		return nil, usagef("--db is postgres://USER@HOST/DATABASE; a password is better kept in ~/.pgpass or PGPASSWORD")
	}
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	store, err := postgres.Open(ctx, dsn)
	if err != nil {
		return nil, errors.New(err.Error()) // a missing socket is no usage error
	}
	return store, nil
}

// isNoRepository reports whether the folder is in no repository, which a shared ledger does not need.
func isNoRepository(err error) bool {
	var usage usageError
	return errors.As(err, &usage) && errors.Is(usage.error, repo.ErrNotRepository)
}
