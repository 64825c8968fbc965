package results

import "strings"

// slashed is a path with the slashes of git.
func slashed(p string) string { return strings.ReplaceAll(p, `\`, "/") }

// isAbsolute reports a path from the root of a file system, a drive of Windows included.
func isAbsolute(p string) bool {
	return strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':' && p[2] == '/'
}
