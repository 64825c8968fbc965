package repo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhoseAgreementCounts(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	top := ok[string](t)(filepath.EvalSymlinks(s.dir))
	global := filepath.Join(s.home, "config")
	for name, c := range map[string]struct {
		global, local string
		env           []string
		trusted       bool
	}{
		"nobody's":                 {},
		"for all":                  {global: "trustPolicy = true", trusted: true},
		"without a value":          {global: "trustPolicy", trusted: false},
		"for this one":             {global: "trustPolicy = /nowhere\ntrustPolicy = " + top, trusted: true},
		"for another one":          {global: "trustPolicy = " + filepath.Dir(top)},
		"taken back":               {global: "trustPolicy = true\ntrustPolicy = false"},
		"the repository's own":     {local: "trustPolicy = true"},
		"of one command":           {env: []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=acta.trustPolicy", "GIT_CONFIG_VALUE_0=true"}, trusted: true},
		"a word that is no folder": {global: "trustPolicy = maybe"},
	} {
		for path, text := range map[string]string{global: c.global, filepath.Join(s.dir, ".git", "config"): c.local} {
			if err := os.WriteFile(path, []byte("[core]\n\trepositoryformatversion = 0\n[acta]\n"+text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		at := s.at(s.dir)
		at.env = append([]string{"GIT_CONFIG_GLOBAL=" + global}, c.env...)
		err := at.open().CheckTrust(context.Background())
		if (err == nil) != c.trusted {
			t.Errorf("%s: %v", name, err)
		}
		if !c.trusted {
			says(t, err, "git config --global --add acta.trustPolicy '"+top+"'")
		}
		if c.local != "" && !strings.Contains(err.Error(), ".git/config") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
