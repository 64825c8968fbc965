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

// trustKey is the setting by which a user agrees, on a machine, to what policies name being run there.
const trustKey = "acta.trustPolicy"

// ErrUntrusted is the error where a policy names a program or an address, and nobody has agreed on this machine to its
// being used.
var ErrUntrusted = errors.New("nobody on this machine has agreed to the programs of this repository's policy")

// Trusted is nil where the user has agreed to run what this repository's policy names; else it wraps
// ErrUntrusted, and says how to agree. acta.trustPolicy is true, for all repositories, or the folder of one, and may be
// given several times; false takes back what stands before it. Only the user's side counts (the machine's and the
// user's own configuration, the command line, the environment): .git/config may have come with the repository, as in an
// archive.
func (r *Repo) Trusted(ctx context.Context) error {
	out, err := r.git(ctx, "config", "-z", "--show-scope", "--get-all", trustKey)
	if none := (*commandError)(nil); err != nil && !(errors.As(err, &none) && none.code == 1 && none.stderr == "") {
		return err
	}
	here, err := r.placeOf(ctx)
	if err != nil {
		return err
	}
	trusted, local := false, false
	for f := split(string(out)); len(f) >= 2; f = f[2:] {
		switch scope, value := f[0], f[1]; {
		case scope == "local" || scope == "worktree":
			local = true
		case isNo(value):
			trusted = false
		default:
			trusted = trusted || isYes(value) || samePlace(value, here)
		}
	}
	if trusted {
		return nil
	}
	why := ""
	if local {
		why = " (what .git/config says of it does not count: it may have come with the repository)"
	}
	return fmt.Errorf("%w%s; to agree, run: git config --global --add %s '%s'", ErrUntrusted, why, trustKey,
		strings.ReplaceAll(here, "'", `'\''`))
}

// placeOf is the top of the work tree, or the git directory where there is none, links followed.
func (r *Repo) placeOf(ctx context.Context) (string, error) {
	top, err := r.Top(ctx)
	if err == nil && top == "" {
		top, _, err = r.Dirs(ctx)
	}
	return top, err
}

func isYes(value string) bool {
	return slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(value))
}

func isNo(value string) bool {
	return slices.Contains([]string{"false", "no", "off", "0", ""}, strings.ToLower(value))
}

// samePlace reports whether a folder as somebody wrote it is the one at place.
func samePlace(written, place string) bool {
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
