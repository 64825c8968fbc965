package main

import (
	_ "embed" // the launcher
	"encoding/json"
	"strings"
)

//go:embed launcher.js
var launcher string

func npmName(program string) string { return "@acta-git/" + program }

func npmPlatformName(p platform, program string) string {
	return npmName(program) + "-" + p.npmOS + "-" + p.npmCPU
}

func (r *release) npmPlatform(p platform, program string, file member) error {
	file.name = "package/bin/" + file.name
	return r.npm(npmPlatformName(p, program), file, map[string]any{
		"os": []string{p.npmOS}, "cpu": []string{p.npmCPU},
		// Yarn keeps packages zipped otherwise, and a file in a zip archive cannot be run.
		"preferUnplugged": true,
	})
}

func (r *release) npmLauncher(program string) error {
	needs := map[string]string{}
	for _, p := range platforms {
		needs[npmPlatformName(p, program)] = version
	}
	return r.npm(npmName(program), member{"package/bin/" + program + ".js", 0o755, []byte(launcher)}, map[string]any{
		"bin": map[string]string{program: "bin/" + program + ".js"}, "engines": map[string]string{"node": ">=18"},
		"optionalDependencies": needs,
	})
}

func (r *release) npm(name string, file member, manifest map[string]any) error {
	manifest["name"], manifest["version"], manifest["license"] = name, version, "Apache-2.0"
	manifest["repository"] = "github:acta-git/acta"
	manifest["description"] = "Holds coding agents to what they say they did"
	data, err := json.MarshalIndent(manifest, "", "  ")
	if err != nil {
		return err
	}
	packed, err := r.tarred(member{"package/package.json", 0o644, append(data, '\n')}, file)
	if err != nil {
		return err
	}
	return r.write(npmFile(name), packed)
}

func npmFile(name string) string {
	return strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-") + "-" + version + ".tgz"
}
