package main

import (
	_ "embed"
	"encoding/json"
	"os"
	"strings"
)

// launcher finds the executable of the platform package and runs it.
//
//go:embed launcher.js
var launcher string

// manifest is a package.json.
type manifest struct {
	Name                 string            `json:"name"`
	Version              string            `json:"version"`
	Description          string            `json:"description"`
	License              string            `json:"license"`
	Repository           string            `json:"repository"`
	OS                   []string          `json:"os,omitempty"`
	CPU                  []string          `json:"cpu,omitempty"`
	Bin                  map[string]string `json:"bin,omitempty"`
	Engines              map[string]string `json:"engines,omitempty"`
	OptionalDependencies map[string]string `json:"optionalDependencies,omitempty"`
	PreferUnplugged      bool              `json:"preferUnplugged,omitempty"`
}

func newManifest(name string) manifest {
	return manifest{
		Name: name, Version: version, License: "Apache-2.0", Repository: "github:acta-git/acta",
		Description: "Holds coding agents to what they say they did",
	}
}

// npmName is the package of a program; those of its platforms have a suffix.
func npmName(program string) string { return "@acta-git/" + program }

func npmPlatformName(t target, program string) string {
	return npmName(program) + "-" + t.npmOS + "-" + t.npmCPU
}

// npmPlatform writes the package with a platform's executable, which npm installs there alone.
func (r release) npmPlatform(t target, program string) error {
	executable, err := os.ReadFile(r.executable(t, program))
	if err != nil {
		return err
	}
	m := newManifest(npmPlatformName(t, program))
	// Yarn keeps packages zipped otherwise, and a file in a zip archive cannot be run.
	m.OS, m.CPU, m.PreferUnplugged = []string{t.npmOS}, []string{t.npmCPU}, true
	return r.npm(m, member{"package/bin/" + t.file(program), true, executable})
}

// npmLauncher writes the package that users name: npm installs the one platform package that fits. Nothing of it is run
// at installation, so that it works with scripts switched off and without a network beyond npm's.
func (r release) npmLauncher(program string) error {
	m := newManifest(npmName(program))
	m.Bin, m.Engines = map[string]string{program: "bin/" + program + ".js"}, map[string]string{"node": ">=18"}
	m.OptionalDependencies = map[string]string{}
	for _, t := range targets {
		m.OptionalDependencies[npmPlatformName(t, program)] = version
	}
	return r.npm(m, member{"package/bin/" + program + ".js", true, []byte(launcher)})
}

// npm writes a package as npm packs it: the names of scoped packages lose what a file name cannot have.
func (r release) npm(m manifest, file member) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	packed, err := tarred([]member{{"package/package.json", false, append(data, '\n')}, file})
	if err != nil {
		return err
	}
	if packed, err = gzipped(packed, r.level); err != nil {
		return err
	}
	return r.write(npmFile(m.Name), packed)
}

func npmFile(name string) string {
	return strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-") + "-" + version + ".tgz"
}
