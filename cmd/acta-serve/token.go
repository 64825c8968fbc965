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

	"github.com/acta-git/acta/repo/state"
)

// token is what writes need, and where it is from. One that is made is kept with the
// user's configuration and not in the repository, which the agents that it is
// about may read.
func (c command) token(file string, loopback bool) (token, where string, err error) {
	if file != "" {
		token, err := fileToken(file, loopback)
		if err != nil {
			return "", "", usagef("--token-file: %w", err)
		}
		return token, "the token is that of " + file, nil
	}
	if token := strings.TrimSpace(c.Env.Get("ACTA_TOKEN")); token != "" {
		if err := longEnough(token); err != nil && !loopback {
			return "", "", usagef("ACTA_TOKEN: %w", err)
		}
		return token, "the token is that of ACTA_TOKEN", nil
	}
	if !loopback {
		return "", "", usagef("an address that other machines can reach needs a token: set ACTA_TOKEN, or give --token-file")
	}
	return storedToken()
}

// shortestToken is the length that a token has at least where others can try theirs, in bytes.
const shortestToken = 16

func longEnough(token string) error {
	if len(token) >= shortestToken {
		return nil
	}
	return fmt.Errorf("the token has %d characters; an address that other machines can reach needs one of at least "+
		"%d: make "+
		"one with: openssl rand -hex 32",
		len(token), shortestToken)
}

// fileToken is the token of a file that its user has named.
func fileToken(file string, loopback bool) (string, error) {
	token, err := readToken(file)
	if err == nil && !loopback {
		err = errors.Join(onlyOwner(file), longEnough(token))
	}
	return token, err
}

// onlyOwner refuses a file that others may read.
func onlyOwner(file string) error {
	info, err := os.Stat(file)
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = fmt.Errorf("others may read %s; make it yours: chmod 600 %s", file, file)
	}
	return err
}

// storedToken is the one of an earlier run, or one that is made now.
func storedToken() (token, where string, err error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", "", usagef("acta has no place to store a token: %w; set ACTA_TOKEN, or give --token-file", err)
	}
	file := filepath.Join(dir, "acta", "serve-token")
	where = "the token is stored in " + file
	if info, err := os.Stat(file); err == nil {
		if info.Mode().Perm()&0o077 != 0 {
			return "", "", usagef("others may read %s: make it yours with chmod 600, or remove it and a new one is made", file)
		}
		if token, err = readToken(file); err != nil {
			return "", "", usagef("%w; remove it and a new one is made", err)
		}
		return token, where, nil
	}
	if token, err = makeToken(file); errors.Is(err, fs.ErrExist) { // another server was faster
		token, err = readToken(file)
	}
	if err != nil {
		return "", "", fmt.Errorf("the token cannot be stored: %w; set ACTA_TOKEN, or give --token-file", err)
	}
	return token, where, nil
}

func readToken(file string) (string, error) {
	data, err := state.ReadFile(file)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(data))
	if token == "" {
		return "", fmt.Errorf("%s holds no token", file)
	}
	return token, nil
}

// makeToken writes a new token to a file that is not there yet. Who reads the file finds all of it.
func makeToken(file string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	token := hex.EncodeToString(b[:])
	f, err := os.CreateTemp(filepath.Dir(file), ".serve-token-*") // readable by its owner alone
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
