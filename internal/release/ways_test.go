package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fromArchive installs as docs/install.md says: install.sh with an archive, whose checksum lies beside it.
func fromArchive(t *testing.T, r *release, m *machine) string {
	t.Helper()
	archive := filepath.Join(r.dist, name(t)+".tar.xz")
	sh := filepath.Join(m.tools, "sh")
	refusesATamperedArchive(t, r, archive, m)
	said := m.must(m.home, "", sh, script(t), "--release", archive)
	if !strings.Contains(said, "installed acta version "+version) {
		t.Error(said)
	}
	return filepath.Join(m.home, "prefix/bin/acta")
}

// refusesATamperedArchive has install.sh refuse an archive whose bytes are others than SHA256SUMS says.
func refusesATamperedArchive(t *testing.T, r *release, archive string, m *machine) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{filepath.Base(archive), "SHA256SUMS"} {
		data, err := os.ReadFile(filepath.Join(r.dist, name))
		if err == nil {
			if name != "SHA256SUMS" {
				data = append(data, 0)
			}
			err = os.WriteFile(filepath.Join(dir, name), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	sh := filepath.Join(m.tools, "sh")
	said, ok := m.run(m.home, "", sh, script(t), "--release", filepath.Join(dir, filepath.Base(archive)))
	if ok || !strings.Contains(said, "is not what SHA256SUMS says") {
		t.Errorf("a tampered archive is installed: %s", said)
	}
	if _, err := os.Stat(filepath.Join(m.home, "prefix/bin/acta")); err == nil {
		t.Error("it left an executable")
	}
}

// fromNPM installs the two packages that a user gets, without a network and without scripts of packages.
func fromNPM(t *testing.T, r *release, m *machine) string {
	t.Helper()
	dir := filepath.Join(m.home, "project")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--cache",
		filepath.Join(m.home, "npm"), "--prefix", dir,
		filepath.Join(r.dist, npmFile(npmName("acta"))), filepath.Join(r.dist, npmFile(npmPlatformName(thisPlatform(t), "acta"))))
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, said)
	}
	return filepath.Join(dir, "node_modules/.bin/acta")
}

// fromWheel installs into an environment of its own.
func fromWheel(t *testing.T, r *release, m *machine) string {
	t.Helper()
	dir := filepath.Join(m.home, "venv")
	pip := []string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps",
		filepath.Join(r.dist, wheelFile(thisPlatform(t), "acta"))}
	for _, args := range [][]string{{"python3", "-m", "venv", dir}, append([]string{filepath.Join(dir, "bin/python")}, pip...)} {
		if said, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, said)
		}
	}
	return filepath.Join(dir, "bin/acta")
}

// script is install.sh.
func script(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	return path
}
