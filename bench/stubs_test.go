package bench

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkStubs measures `acta stubs` beside ast-grep with an
// equivalent rule, over the same tree and in turn. An operation is one turn of the
// two. ACTA_AST_GREP names the executable; bench/stubs.sh installs it.
func BenchmarkStubs(b *testing.B) {
	grep := os.Getenv("ACTA_AST_GREP")
	if grep == "" {
		b.Fatal("ACTA_AST_GREP does not name ast-grep; run bench/stubs.sh")
	}
	_, acta := build(b, b.TempDir())
	goRoot := strings.TrimSpace(output(b, "go", "env", "GOROOT"))
	library := strings.TrimSpace(output(b, "python3", "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))"))
	for _, tree := range []struct{ name, root string }{
		{"go", copyTree(b, filepath.Join(goRoot, "src"), ".go")},
		{"python", copyTree(b, library, ".py")},
	} {
		b.Run(tree.name, func(b *testing.B) {
			rule, err := filepath.Abs(filepath.Join("ast-grep", tree.name+".yml"))
			if err != nil {
				b.Fatal(err)
			}
			var ours, theirs, ratios []float64
			for range b.N {
				theirs = append(theirs, seconds(b, grep, "scan", "--rule", rule, "--json=stream", tree.root))
				ours = append(ours, seconds(b, acta, "stubs", tree.root))
				ratios = append(ratios, theirs[len(theirs)-1]/ours[len(ours)-1])
			}
			b.ReportMetric(median(ours), "acta-s")
			b.ReportMetric(median(theirs), "ast-grep-s")
			b.ReportMetric(median(ratios), "times")
		})
	}
}

// copyTree copies the sources of a tree, without what is installed beside it: both tools then see the same files.
func copyTree(b *testing.B, root, ext string) string {
	b.Helper()
	to := b.TempDir()
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "site-packages":
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ext || !d.Type().IsRegular():
			return nil
		}
		files++
		name := filepath.Join(to, strings.TrimPrefix(path, root))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(name, src, 0o666)
	})
	if err != nil || files < 100 {
		b.Fatalf("%d files below %s: %v", files, root, err)
	}
	return to
}

func output(b *testing.B, name string, args ...string) string {
	b.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		b.Fatalf("%s %v: %v", name, args, err)
	}
	return string(out)
}

// seconds runs a command that may find something, which is exit code 1, and returns its wall time.
func seconds(b *testing.B, name string, args ...string) float64 {
	b.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+os.TempDir())
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start).Seconds()
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 && code != 3 {
		b.Fatalf("%s %v: %v", name, args, err)
	}
	return took
}
