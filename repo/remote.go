package repo

import (
	"net/url"
	"path"
	"path/filepath"
	"strings"
)

// SplitRemote returns the host and the path in a remote's address, the path without «.git». User names and the port of
// ssh are dropped. A folder has no host, and its name as path.
func SplitRemote(address string) (host, name string) {
	name = path.Base(filepath.ToSlash(address))
	if u, err := url.Parse(address); err == nil && u.Scheme != "" && u.Host != "" {
		host, name = u.Hostname(), u.Path
		if u.Scheme == "http" || u.Scheme == "https" {
			host = u.Host
		}
	} else if at, rest, scp := strings.Cut(address, ":"); scp && !strings.Contains(at, "/") && len(at) > 1 {
		host, name = at[strings.LastIndexByte(at, '@')+1:], rest // user@host:path
	}
	name = strings.Trim(strings.TrimSuffix(strings.TrimSuffix(name, "/"), ".git"), "/")
	if name == "." {
		name = ""
	}
	return host, name
}
