package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// programs are the executables of a release. They are three and not one: what links the page, or the protocol of the
// MCP server, runs their initialisers at each start, and every commit starts acta (docs/install.md has the figures).
var programs = []string{"acta", "acta-serve"}

// target is what executables are made for.
type target struct {
	os, arch string
	// compiler is the C compiler, by the name that Debian gives it.
	compiler string
	// npmOS and npmCPU are node's names for it: process.platform and process.arch.
	npmOS, npmCPU string
	// wheelTags are the platforms of a wheel that runs there. A static executable needs no C library of the machine.
	wheelTags []string
	// library is the C library that is linked in.
	library library
}

var targets = []target{
	{
		os: "linux", arch: "amd64", compiler: "gcc", npmOS: "linux", npmCPU: "x64",
		wheelTags: []string{"manylinux_2_17_x86_64", "musllinux_1_1_x86_64"}, library: glibc,
	},
	{
		os: "linux", arch: "arm64", compiler: "aarch64-linux-gnu-gcc", npmOS: "linux", npmCPU: "arm64",
		wheelTags: []string{"manylinux_2_17_aarch64", "musllinux_1_1_aarch64"}, library: glibc,
	},
	{
		os: "windows", arch: "amd64", compiler: "x86_64-w64-mingw32-gcc", npmOS: "win32", npmCPU: "x64",
		wheelTags: []string{"win_amd64"}, library: mingw,
	},
}

func (t target) String() string { return t.os + "-" + t.arch }

// file is the name of a program's executable there.
func (t target) file(program string) string {
	if t.os == "windows" {
		return program + ".exe"
	}
	return program
}

// targetsNamed are the targets of these names, or all of them.
func targetsNamed(names []string) ([]target, error) {
	if len(names) == 0 {
		return targets, nil
	}
	var wanted []target
	for _, name := range names {
		i := slices.IndexFunc(targets, func(t target) bool { return t.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no target %q; there are %v", name, targets)
		}
		wanted = append(wanted, targets[i])
	}
	return wanted, nil
}

// flags are those of every build. No path of the machine, no time and no state of the checkout gets into an executable,
// so that whoever builds the commit with the same compilers gets the same bytes.
var flags = []string{
	"-trimpath", "-buildvcs=false", "-tags", "urfave_cli_no_docs,netgo,osusergo",
	"-ldflags", "-s -w -linkmode=external -extldflags=-static",
}

// build compiles programs for a target into a folder of the target's in r.work.
func (r release) build(t target, programs []string) error {
	if _, err := exec.LookPath(t.compiler); err != nil {
		return fmt.Errorf("the C compiler %s was not found; docs/install.md names its package", t.compiler)
	}
	dir := filepath.Join(r.work, t.String())
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	cmd := exec.Command("go", append(append([]string{"build"}, flags...), "-o", dir)...)
	for _, program := range programs {
		cmd.Args = append(cmd.Args, "./cmd/"+program)
	}
	cmd.Dir, cmd.Env = r.top, append(os.Environ(), t.environment()...)
	_, err := output(cmd)
	return err
}

// environment is what a build depends on, over the machine's own.
func (t target) environment() []string {
	return []string{
		"CGO_ENABLED=1", "GOOS=" + t.os, "GOARCH=" + t.arch, "CC=" + t.compiler, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0",
		"CGO_CFLAGS=-g -O2", "CGO_LDFLAGS=",
	}
}

// executable is the file that build made.
func (r release) executable(t target, program string) string {
	return filepath.Join(r.work, t.String(), t.file(program))
}

// name is what a file of the release for a target begins with.
func name(t target, program string) string {
	return strings.Join([]string{program, version, t.os, t.arch}, "-")
}
