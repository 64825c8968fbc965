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

type serveOptions struct {
	addr, db, tokenFile, reportTokenFile, voter string
	repos, hosts                                cli.StringSlice
	notify                                      bool
}

func (c command) serve() *cli.Command {
	var o serveOptions
	return &cli.Command{
		Name:  "serve",
		Usage: "serve a page and an API for the score, the worklog, the plan and the claims",
		Description: "Serves the repository here, or those named, until interrupted (SIGTERM, Ctrl-C).\n" +
			"On loopback anybody on this machine may read; feedback needs the token, and on another address everything does.\n" +
			"The token is ACTA_TOKEN, or what --token-file holds; with neither one is made and stored, and only loopback is " +
			"served.",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: "addr", Usage: "listen on `HOST:PORT`; port 0 takes a free one", Value: "127.0.0.1:7711",
				Destination: &o.addr,
			},
			&cli.StringSliceFlag{
				Name: "repo", Usage: "serve the repository of `DIR`; may be given several times", Destination: &o.repos,
			},
			&cli.StringFlag{
				Name: "db", Usage: "keep reports and feedback in PostgreSQL: `DSN` is postgres://…; else ACTA_DB",
				Destination: &o.db,
			},
			&cli.StringFlag{Name: "token-file", Usage: "read the token from `FILE`", Destination: &o.tokenFile},
			&cli.StringFlag{
				Name: "report-token-file", Usage: "read from `FILE` a token for reports only",
				Destination: &o.reportTokenFile,
			},
			&cli.StringSliceFlag{
				Name: "host", Usage: "also answer to `HOST[:PORT]`, such as the name of a proxy", Destination: &o.hosts,
			},
			&cli.StringFlag{Name: "by", Usage: "give feedback as `NAME`; else git's user.name", Destination: &o.voter},
			&cli.BoolFlag{
				Name: "notify", Usage: "notify operators of lockdowns, by the programs that the policies name",
				Destination: &o.notify,
			},
		},
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() > 0 {
				return usagef("serve takes no argument, and got %q", ctx.Args().Slice())
			}
			return c.runServe(ctx.Context, &o)
		},
	}
}

func (c command) runServe(ctx context.Context, o *serveOptions) error {
	host, isLoopback, err := listenHost(ctx, o.addr)
	if err != nil {
		return err
	}
	dsn := cmp.Or(o.db, c.Env.Get("ACTA_DB"))
	repos, err := c.open(ctx, o.repos.Value())
	if err != nil && !(dsn != "" && len(o.repos.Value()) == 0 && isNoRepository(err)) {
		return err
	}
	reportToken, err := reportToken(o.reportTokenFile, isLoopback)
	if err != nil {
		return err
	}
	token, where, err := c.token(o.tokenFile, isLoopback)
	if err != nil {
		return err
	}
	options := serve.Options{
		Repos: repos, Token: token, ReportToken: reportToken, IsLoopback: isLoopback,
		Scores: serve.RepositoryScores(repos, c.person(ctx, o), c), Notify: o.notify, Warn: c,
	}
	if dsn != "" {
		db, err := database(ctx, dsn)
		if err != nil {
			return err
		}
		defer db.Close()
		options.Reports, options.Scores = db, &serve.Scores{Store: db, Voter: c.person(ctx, o)}
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; choose another with --addr", o.addr, err)
	}
	options.Hosts = hostHeaders(host, l.Addr(), o.hosts.Value())
	server, err := serve.New(options)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	fmt.Fprintf(c.Stdout, "acta: serving http://%s\n", displayAddress(host, l.Addr()))
	fmt.Fprintf(c.Stdout, "acta: %s\n", where)
	return server.Serve(ctx, l)
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

// person is the voter of this server's feedback: the token's owner is trusted with the name.
func (c command) person(ctx context.Context, o *serveOptions) string {
	if o.voter != "" {
		return o.voter
	}
	dir := "."
	if dirs := o.repos.Value(); len(dirs) > 0 {
		dir = dirs[0]
	}
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

func reportToken(file string, isLoopback bool) (string, error) {
	if file == "" {
		return "", nil
	}
	token, err := fileToken(file, isLoopback)
	if err != nil {
		return "", usagef("--report-token-file: %w", err)
	}
	return token, nil
}

// isNoRepository reports whether the folder is in no repository, which a shared ledger does not need.
func isNoRepository(err error) bool {
	var usage usageError
	return errors.As(err, &usage) && errors.Is(usage.error, repo.ErrNotRepository)
}
