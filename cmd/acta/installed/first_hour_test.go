package installed_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/acta-git/acta/repo/program/peer"
)

const firstHour = "../../../docs/first-hour.md"

// Every command of docs/first-hour.md is run as it stands there, in one shell, and prints what the page shows.
// "sh refused" marks a block that must end with 1. ACTA_UPDATE=1 writes what is printed into the page.
func TestTheFirstHourIsAsThePageSays(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(firstHour)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	n := newcomer(t)
	blocks := regexp.MustCompile("(?ms)^```(sh|sh refused)\n(.*?)^```\n(?:\n```text\n(.*?)```\n)?").FindAllStringSubmatchIndex(page, -1)
	if len(blocks) < 10 || len(blocks) != strings.Count(page, "```sh") {
		t.Fatalf("%d blocks of commands were found", len(blocks))
	}
	var updated strings.Builder
	done := 0
	for _, b := range blocks {
		code, printed := n.run(page[b[4]:b[5]])
		want := 0
		if page[b[2]:b[3]] == "sh refused" {
			want = 1
		}
		if code != want {
			t.Fatalf("exit code %d of\n%s\n%s", code, page[b[4]:b[5]], printed)
		}
		if b[6] < 0 {
			continue
		}
		if shown := page[b[6]:b[7]]; timeless(shown) != timeless(printed) && os.Getenv("ACTA_UPDATE") == "" {
			t.Errorf("the page shows\n%s\nand printed is\n%s", shown, printed)
		}
		updated.WriteString(page[done:b[6]] + printed)
		done = b[7]
	}
	updated.WriteString(page[done:])
	if os.Getenv("ACTA_UPDATE") != "" {
		if err := os.WriteFile(firstHour, []byte(updated.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func timeless(s string) string {
	return regexp.MustCompile(`\b[0-9a-f]{12}\b`).ReplaceAllString(s, "COMMIT")
}

// hour is the shell of a newcomer, whose GitHub is this checkout.
type hour struct {
	*testing.T
	home string
	env  []string
}

func newcomer(t *testing.T) *hour {
	h := &hour{t, t.TempDir(), nil}
	caches, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	paths := strings.Fields(string(caches))
	h.env = append(os.Environ(), append(peer.GitEnv(h.home), "GOCACHE="+paths[0], "GOMODCACHE="+paths[1], "GOFLAGS=-buildvcs=false",
		"PREFIX=", "PATH="+filepath.Join(paths[2], "bin")+string(filepath.ListSeparator)+path(t))...)
	top, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	// A repository of what is in the checkout, committed or not, stands in for the one that the page clones.
	published := filepath.Join(t.TempDir(), "acta")
	code, out := h.run(`set -e
mkdir -p ` + published + `
cd ` + top + `
git ls-files -c -o --exclude-standard | tar -c -T - --ignore-failed-read 2>/dev/null | tar -x -C ` + published + `
cd ` + published + `
git init -q -b main && git add --all && git commit -q -m Checkout
git config --global url.` + published + `.insteadOf https://github.com/acta-git/acta
cd`)
	if code != 0 {
		t.Fatal(out)
	}
	return h
}

// path is PATH without the executable that other tests use: the newcomer has to install one.
func path(t *testing.T) string {
	t.Helper()
	_, rest, found := strings.Cut(os.Getenv("PATH"), string(filepath.ListSeparator))
	if !found {
		t.Fatal("PATH has one folder")
	}
	return rest
}

// run runs commands where the ones before them have ended, with the PATH that those have left.
func (h *hour) run(commands string) (code int, printed string) {
	h.Helper()
	cmd := exec.Command("bash", "-c", `trap 'pwd >"$HOME/.cwd"; echo "$PATH" >"$HOME/.path"' EXIT
[ ! -f "$HOME/.cwd" ] || { cd "$(cat "$HOME/.cwd")" && PATH=$(cat "$HOME/.path"); }
set -e
`+commands)
	cmd.Dir, cmd.Env = h.home, h.env
	out, err := cmd.CombinedOutput()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		h.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), strings.ReplaceAll(string(out), h.home, "~")
}
