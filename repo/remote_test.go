package repo

import (
	"path/filepath"
	"testing"
)

func TestRemotesAreSplit(t *testing.T) {
	for address, want := range map[string][2]string{
		"https://u:secret@git.example/acme/shop.git": {"git.example", "acme/shop"},
		"https://git.example:8443/acme/shop":         {"git.example:8443", "acme/shop"},
		"git@git.example:acme/shop.git":              {"git.example", "acme/shop"},
		"ssh://git@git.example:22/acme/shop/":        {"git.example", "acme/shop"},
		"git.example:shop":                           {"git.example", "shop"},
		"/srv/git/shop.git":                          {"", "shop"},
		`C:\git\shop`:                                {"", filepath.Base(filepath.ToSlash(`C:\git\shop`))},
		"../shop":                                    {"", "shop"},
		"":                                           {"", ""},
	} {
		if host, name := SplitRemote(address); [2]string{host, name} != want {
			t.Errorf("%q is %q and %q, not %q", address, host, name, want)
		}
	}
}
