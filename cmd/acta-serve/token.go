package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/acta-git/acta/record/ledger"
)

// token is the token for writes, and its source. A new one is stored in the user's configuration, not in the
// repository, which agents may read.
func (c command) token(file string, isLoopback bool) (token, where string, err error) {
	if file != "" {
		token, err := fileToken(file, isLoopback)
		if err != nil {
			return "", "", usagef("--token-file: %w", err)
		}
		return token, "the token is that of " + file, nil
	}
	if token := strings.TrimSpace(c.Env.Get("ACTA_TOKEN")); token != "" {
		if err := checkLength(token); err != nil && !isLoopback {
			return "", "", usagef("ACTA_TOKEN: %w", err)
		}
		return token, "the token is that of ACTA_TOKEN", nil
	}
	if !isLoopback {
		return "", "", usagef("an address that other machines can reach needs a token: set ACTA_TOKEN, or give --token-file")
	}
	return storedToken()
}

// shortestToken is the least length of a token that other machines can reach, in bytes.
const shortestToken = 16

func checkLength(token string) error {
	if len(token) >= shortestToken {
		return nil
	}
	return fmt.Errorf("the token has %d characters; an address that other machines can reach needs one of at least "+
		"%d: make one with: openssl rand -hex 32", len(token), shortestToken)
}

func fileToken(file string, isLoopback bool) (string, error) {
	token, err := ledger.ReadToken(file)
	if err == nil && !isLoopback {
		err = errors.Join(checkPermissions(file), checkLength(token))
	}
	return token, err
}

func checkPermissions(file string) error {
	info, err := os.Stat(file)
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = fmt.Errorf("others may read %s; protect it: chmod 600 %s", file, file)
	}
	return err
}

func storedToken() (token, where string, err error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", "", usagef("acta has no place to store a token: %w; set ACTA_TOKEN, or give --token-file", err)
	}
	file := filepath.Join(dir, "acta", "serve-token")
	where = "the token is stored in " + file
	if info, err := os.Stat(file); err == nil {
		if info.Mode().Perm()&0o077 != 0 {
			return "", "", usagef("others may read %s: protect it with chmod 600, or remove it to get a new one", file)
		}
		if token, err = ledger.ReadToken(file); err != nil {
			return "", "", usagef("%w; remove it to get a new one", err)
		}
		return token, where, nil
	}
	if token, err = makeToken(file); errors.Is(err, fs.ErrExist) { // another server was faster
		token, err = ledger.ReadToken(file)
	}
	if err != nil {
		return "", "", fmt.Errorf("the token cannot be stored: %w; set ACTA_TOKEN, or give --token-file", err)
	}
	return token, where, nil
}

// makeToken writes a new token to a new file, which readers always see whole.
func makeToken(file string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	token := hex.EncodeToString(b[:])
	f, err := os.CreateTemp(filepath.Dir(file), ".serve-token-*") // only its owner can read it
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(token + "\n")
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Link(f.Name(), file)
	}
	return token, errors.Join(err, os.Remove(f.Name()))
}
