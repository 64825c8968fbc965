package host

import (
	"bytes"
	"slices"

	"github.com/acta-git/acta/repo/state"
)

// Configured are the hosts that call acta in a work tree, by their files there.
func Configured(top string) (all []Host) {
	for _, h := range Hosts() {
		data, err := state.ReadFileIn(top, h.hooks(false).Path, state.MaxFile)
		if err == nil && bytes.Contains(data, []byte(hookCommand(h))) {
			all = append(all, h)
		}
	}
	return all
}

// HostSharing is another host that calls acta in a work tree and takes acta's part from a file, too; nil for none.
func HostSharing(top string, h Host, path string) Host {
	for _, other := range Configured(top) {
		takes := func(s Setting) bool { return s.Path == path }
		if other != h && slices.ContainsFunc(Settings(other, Parts{MCP: true}), takes) {
			return other
		}
	}
	return nil
}

// WithoutHooks says how it comes that no hook of git's runs for what a host's agent commits, "" where they run.
func WithoutHooks(h Host) string {
	if off, ok := h.(interface{ withoutHooks() string }); ok {
		return h.Name() + " " + off.withoutHooks()
	}
	return ""
}
