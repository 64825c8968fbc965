package repo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/acta-git/acta/repo/state"
)

// This file reads refs from git's files (gitrepository-layout(5), git-pack-refs(1)), without a process: a hook looks at
// them after every tool call of an agent.

// HeadStamp returns a text that changes whenever HEAD of this work tree names another commit: the commit's id, or ""
// before the first one. With reftable it may also change when another ref does. No process is started.
func HeadStamp(gitDir, commonDir string) (string, error) {
	if tables := reftables(gitDir, commonDir); tables != nil {
		sum := sha256.Sum256(tables)
		return "reftable " + hex.EncodeToString(sum[:8]), nil
	}
	ref := "HEAD"
	for range 6 { // as deep as git follows a symbolic ref
		dir := commonDir
		if ref == "HEAD" {
			dir = gitDir
		}
		data, err := state.ReadFile(filepath.Join(dir, filepath.FromSlash(ref)))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.EISDIR) { // an empty folder may have the ref's name
			return packedRef(commonDir, ref)
		}
		if err != nil {
			return "", err
		}
		text := strings.TrimSpace(string(data))
		to, symbolic := strings.CutPrefix(text, "ref:")
		if !symbolic {
			return text, nil
		}
		if ref = strings.TrimSpace(to); !filepath.IsLocal(filepath.FromSlash(ref)) {
			return "", ErrDamaged
		}
	}
	return "", ErrDamaged
}

// reftables are the names of the tables that hold the refs of a work tree; nil where refs are files. git writes each
// table once.
func reftables(gitDir, commonDir string) []byte {
	var all []byte
	for _, dir := range slices.Compact([]string{commonDir, gitDir}) {
		data, err := state.ReadFile(filepath.Join(dir, "reftable", "tables.list"))
		if err == nil {
			all = append(append(all, data...), 0)
		}
	}
	return all
}

func packedRef(commonDir, ref string) (string, error) {
	data, err := state.ReadFile(filepath.Join(commonDir, "packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	at := bytes.Index(data, []byte(" "+ref+"\n"))
	if at < 0 {
		return "", nil
	}
	return string(data[bytes.LastIndexByte(data[:at], '\n')+1 : at]), nil
}

// Tips are the objects that the refs below the given prefixes name, sorted, without duplicates.
func (r *Repo) Tips(ctx context.Context, below ...string) ([]ID, error) {
	refs, err := r.Refs(ctx, below...)
	var all []ID
	for _, ref := range refs {
		all = append(all, ref.ID)
	}
	slices.Sort(all)
	return slices.Compact(all), err
}

// WorkTreeDirs are the git directories of all work trees of the repository, the main one first.
func WorkTreeDirs(commonDir string) []string {
	all := []string{commonDir}
	linked, err := os.ReadDir(filepath.Join(commonDir, "worktrees"))
	if err != nil {
		return all
	}
	for _, d := range linked {
		all = append(all, filepath.Join(commonDir, "worktrees", d.Name()))
	}
	return all
}
