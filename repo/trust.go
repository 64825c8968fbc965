package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// trustKey is the setting by which a user agrees, on one machine, to run the programs of policies.
const trustKey = "acta.trustPolicy"

// ErrUntrusted means that the policy names a program or an address, and the user of this machine has not agreed to it.
var ErrUntrusted = errors.New("nobody on this machine has agreed to the programs of this repository's policy")

// CheckTrust is nil if the user has agreed to run the programs of this repository's policy; else it wraps ErrUntrusted
// and says how to agree. acta.trustPolicy is true, or a repository's folder, and may be set several times; false
// cancels the values before it. .git/config does not count, because it may have come with the repository, as in an
// archive.
func (r *Repo) CheckTrust(ctx context.Context) error {
	out, err := r.git(ctx, "config", "-z", "--show-scope", "--get-all", trustKey)
	if err != nil && !foundNothing(err) {
		return err
	}
	here, err := r.Top(ctx)
	if err == nil && here == "" { // a bare repository
		here, _, err = r.Dirs(ctx)
	}
	if err != nil {
		return err
	}
	trusted, local := false, false
	for f := splitNUL(string(out)); len(f) >= 2; f = f[2:] {
		switch scope, value := f[0], f[1]; {
		case scope == "local" || scope == "worktree":
			local = true
		case slices.Contains([]string{"false", "no", "off", "0", ""}, strings.ToLower(value)):
			trusted = false
		default:
			isYes := slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(value))
			trusted = trusted || isYes || isSamePath(value, here)
		}
	}
	if trusted {
		return nil
	}
	why := ""
	if local {
		why = " (.git/config does not count, because it may have come with the repository)"
	}
	return fmt.Errorf("%w%s; to agree, run: git config --global --add %s '%s'", ErrUntrusted, why, trustKey,
		strings.ReplaceAll(here, "'", `'\''`))
}

// isSamePath reports whether a folder, as the user wrote it, is the given absolute one.
func isSamePath(written, place string) bool {
	if rest, ok := strings.CutPrefix(written, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return false
		}
		written = filepath.Join(home, rest)
	}
	found, err := filepath.EvalSymlinks(written)
	return err == nil && filepath.IsAbs(written) && found == place
}
