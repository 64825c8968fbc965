package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/acta-git/acta/record/ledger/postgres"
	"github.com/acta-git/acta/repo"
)

// connectTime bounds how long the database may take to answer at the start, its tables included.
const connectTime = time.Minute

// database opens the ledger that a DSN names.
func database(ctx context.Context, dsn string) (*postgres.Store, error) {
	if !strings.HasPrefix(dsn, "postgres://") && !strings.HasPrefix(dsn, "postgresql://") {
		return nil, usagef("--db is postgres://USER@HOST/DATABASE; a password is better kept in ~/.pgpass or PGPASSWORD")
	}
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	store, err := postgres.Open(ctx, dsn)
	if err != nil {
		return nil, errors.New(err.Error()) // a socket that is not there is no file that the call names
	}
	return store, nil
}

// reportToken is the one that bears reports; "" where no file is given.
func reportToken(file string, loopback bool) (string, error) {
	if file == "" {
		return "", nil
	}
	token, err := fileToken(file, loopback)
	if err != nil {
		return "", usagef("--report-token-file: %w", err)
	}
	return token, nil
}

// isNoRepository reports whether the folder is in none. A ledger of what others report needs none.
func isNoRepository(err error) bool {
	var usage usageError
	return errors.As(err, &usage) && errors.Is(usage.error, repo.ErrNotRepository)
}
