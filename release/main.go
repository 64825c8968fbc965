// Command release makes the files of a release, from a commit: static executables, each as an archive, an npm package
// and a Python wheel; what they are made of, by which command, and their checksums.
//
//	go run ./release -out FOLDER [-draft] [TARGET…]
//
// Without a TARGET it is all of them: linux-amd64, linux-arm64, windows-amd64. docs/install.md says what the machine
// needs.
package main

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	out := flag.String("out", "", "the `folder` that gets the files; it is made, or is empty")
	draft := flag.Bool("draft", false, "also of a work tree with changes, and then without a word of provenance")
	flag.Parse()
	if err := run(*out, *draft, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is one run: where its files go, and how they are made.
type release struct {
	top  string // the checkout
	work string // a folder for executables, which is taken away
	out  string
	// level is how hard xz, gzip and zip try, from 1, the quickest, to 9.
	level int
}

// run makes the release, and prints a line a file: its size in bytes and its name.
func run(out string, draft bool, names []string, said io.Writer) error {
	if out == "" {
		return fmt.Errorf("-out FOLDER is missing: where the files go")
	}
	wanted, err := targetsNamed(names)
	if err != nil {
		return err
	}
	top, err := command("git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	commit, err := commitOf(top, draft)
	if err != nil {
		return err
	}
	if err := makeEmpty(out); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "acta-release-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	r := release{top: top, work: work, out: out, level: gzip.BestCompression}
	for _, t := range wanted {
		fmt.Fprintf(said, "building %s with %s\n", t, t.compiler)
		if err := r.make(t, programs); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	for _, program := range programs {
		if err := r.npmLauncher(program); err != nil {
			return err
		}
	}
	if !draft {
		// Building takes minutes, in which the work tree may have changed.
		if after, err := commitOf(top, draft); err != nil || after != commit {
			return errors.Join(fmt.Errorf("the checkout has changed since it was built from %s", commit), err)
		}
		if err := r.provenance(commit, wanted); err != nil {
			return err
		}
	}
	return r.sums(said)
}

// make makes all files of programs for a target.
func (r release) make(t target, programs []string) error {
	if err := r.build(t, programs); err != nil {
		return err
	}
	for _, program := range programs {
		for _, step := range []func(target, string) error{r.sbom, r.archive, r.npmPlatform, r.wheel} {
			if err := step(t, program); err != nil {
				return err
			}
		}
	}
	return nil
}

// commitOf is the commit that the work tree holds, which must be as it was committed: else provenance would lie.
func commitOf(top string, draft bool) (string, error) {
	changes, err := command("git", "-C", top, "status", "--porcelain")
	if err != nil {
		return "", err
	}
	if changes != "" && !draft {
		return "", fmt.Errorf("the work tree has changes; commit them first, or make a -draft:\n%s", changes)
	}
	return command("git", "-C", top, "rev-parse", "HEAD")
}

// makeEmpty makes a folder. A file of another release in it would get into the checksums of this one.
func makeEmpty(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s is not empty: it holds %s", dir, entries[0].Name())
	}
	return err
}

// sums writes SHA256SUMS, as sha256sum reads it, and says how large each file is.
func (r release) sums(said io.Writer) error {
	files, err := r.digests()
	if err != nil {
		return err
	}
	var lines strings.Builder
	for _, f := range files {
		fmt.Fprintf(&lines, "%s  %s\n", f.sha256, f.name)
		fmt.Fprintf(said, "%9d %s\n", f.size, f.name)
	}
	return r.write("SHA256SUMS", []byte(lines.String()))
}

// digest is a file of the release, by its content.
type digest struct {
	name, sha256 string
	size         int64
}

// digests are the files that there are so far, by name.
func (r release) digests() ([]digest, error) {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return nil, err
	}
	var all []digest
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(r.out, e.Name()))
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		all = append(all, digest{e.Name(), hex.EncodeToString(sum[:]), int64(len(data))})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no files", r.out)
	}
	return slices.Clip(all), nil
}

func (r release) write(name string, data []byte) error {
	return os.WriteFile(filepath.Join(r.out, name), data, 0o666)
}

// command runs a program and gives what it prints, without the white space around it.
func command(name string, args ...string) (string, error) {
	return output(exec.Command(name, args...))
}

// output runs a command; an error has what it complained of.
func output(cmd *exec.Cmd) (string, error) {
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, complaint.String())
	}
	return strings.TrimSpace(string(out)), nil
}
