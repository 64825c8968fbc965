package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/acta-git/acta/hooks"
)

// docs/install.md shows every hook point, and what doctor prints in the script of the installation.
func TestInstallPageIsTrue(t *testing.T) {
	data, err := os.ReadFile("../../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	written := map[hooks.Set]string{hooks.Default: "by default", hooks.Server: "in a bare repository, or with `--server`", hooks.Seal: "with `--seal`"}
	heeds := map[bool]string{true: "yes", false: "no"}
	var table strings.Builder
	for _, p := range hooks.Points() {
		fmt.Fprintf(&table, "| %s | %s | %s |\n", p.Name, written[p.Set], heeds[p.CanRefuse])
	}
	if !strings.Contains(page, "| --- | --- | --- |\n"+table.String()+"\n") {
		t.Errorf("docs/install.md should have this table:\n%s", table.String())
	}
	script, err := txtar.ParseFile("installed/testdata/script/doctor.txtar")
	if err != nil {
		t.Fatal(err)
	}
	shown := ""
	for _, f := range script.Files {
		if f.Name == "healthy" {
			shown = string(f.Data)
		}
	}
	if shown == "" || !strings.Contains(page, "```\n"+shown+"```\n") {
		t.Errorf("docs/install.md should show what doctor prints:\n%s", shown)
	}
}
