package peer

import (
	"os"
	"path/filepath"
)

// GitEnv keeps the machine's and the developer's configuration of git, and their identity, out of a test. What counts
// as the system's configuration is a file of the checkout, which no test writes: by it git neither looks after each
// command whether it has to clean up, which is a process for each commit and push, nor waits for the disk.
func GitEnv(home string) []string {
	env := []string{
		"GIT_CONFIG_SYSTEM=" + systemConfig, "GIT_CONFIG_NOSYSTEM=0",
		"HOME=" + home,
		"GIT_CONFIG_GLOBAL=" + filepath.Join(home, ".gitconfig"),
		"GIT_TEMPLATE_DIR=", // git's samples of hooks are more files than all else of a new repository
		"GIT_AUTHOR_NAME=executor-01", "GIT_AUTHOR_EMAIL=executor-01@agents.invalid",
		"GIT_COMMITTER_NAME=executor-01", "GIT_COMMITTER_EMAIL=executor-01@agents.invalid",
		"GIT_AUTHOR_DATE=2026-01-26T14:32:15Z", "GIT_COMMITTER_DATE=2026-01-26T14:32:15Z",
	}
	// .ci/run sets it to run tests over repositories that name their objects by SHA-256.
	if format := os.Getenv("GIT_DEFAULT_HASH"); format != "" {
		env = append(env, "GIT_DEFAULT_HASH="+format)
	}
	return env
}

// systemConfig is looked for from the folder of a package of the checkout, in which its tests begin.
var systemConfig = func() string {
	dir, err := os.Getwd()
	for err == nil && dir != filepath.Dir(dir) {
		name := filepath.Join(dir, "repo", "program", "peer", "testdata", "gitconfig")
		if _, err := os.Stat(name); err == nil {
			return name
		}
		dir = filepath.Dir(dir)
	}
	return os.DevNull
}()
