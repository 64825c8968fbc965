package prove_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/prove"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program/peer"
	"github.com/acta-git/acta/repo/repotest"
	"github.com/acta-git/acta/report"
)

// project is code in a work tree that one ACT claims, and tests of it.
type project struct {
	*repotest.WorkTree
	env []string // of the machine
}

// newProject commits code that an ACT claims, by files and their content, evidence last.
func newProject(t *testing.T, files map[string]string, done ...string) project {
	t.Helper()
	env := repo.ForeignEnv(nil)
	p := project{repotest.NewWorkTree(t), env}
	p.Commit("Start")
	for name, content := range files {
		p.Write(name, content)
	}
	p.Commit("ACT: T01 shop\n\nDone: " + strings.Join(done, "\nDone: ") + "\n")
	return p
}

// prove proves the last commit, and looks at what is left.
func (p project) prove(o prove.Options) (*report.Proof, error) {
	p.Helper()
	proof, err := p.run(o)
	p.isLeftAlone()
	return proof, err
}

// isLeftAlone wants no work tree but the user's, and nothing changed there.
func (p project) isLeftAlone() {
	p.Helper()
	if left := strings.Count(p.Git("worktree", "list"), "\n"); left > 0 || p.Git("status", "--porcelain") != "" {
		p.Errorf("it leaves %d work trees, and\n%s", left, p.Git("status", "--porcelain"))
	}
}

// run proves the last commit.
func (p project) run(o prove.Options) (*report.Proof, error) {
	r, err := repo.Open(p.Context(), p.Dir, repo.Options{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	claims, tree, err := judge.LandedRange{Base: "HEAD^", Head: "HEAD"}.CodeClaims(p.Context(), r)
	if err != nil {
		return nil, err
	}
	if o.Timeout == 0 {
		o.Timeout = 5 * time.Minute
	}
	o.Env = p.env
	return prove.Run(p.Context(), r, tree, claims, o)
}

// answers are those of a proof, by symbol.
func answers(p *report.Proof) map[string]report.Answer {
	all := map[string]report.Answer{}
	for _, f := range p.Functions {
		all[f.Symbol] = f.Answer
	}
	return all
}

const goCode = `package shop

import "strings"

func Shout(s string) (string, error) {
	return strings.ToUpper(s), nil
}
`

const goTest = `package shop

import "testing"

func TestShout(t *testing.T) {
	got, _ := Shout("a")
	ASSERTION
}
`

// A claim whose tests assert nothing is unnoticed, and noticed as soon as one real assertion is added.
func TestRunnersNoticeWhatTestsAssert(t *testing.T) {
	javascript := "exports.shout = (s) => s.toUpperCase();\n"
	for name, c := range map[string]struct {
		program             []string
		code, source        string
		tests, test         string
		asserts, evidence   string
		more                map[string]string
		noticedBy, giveBack string
	}{
		"go test": {
			[]string{"go", "test", "./..."}, "shop.go", goCode, "shop_test.go", goTest,
			"if got != \"A\" {\n\t\tt.Error(got)\n\t}", "shop.go:5-7", map[string]string{"go.mod": "module shop\n\ngo 1.26\n"},
			"--- FAIL: TestShout", `"", nil`,
		},
		"pytest": {
			[]string{"pytest-3", "-q", "-p",
				"no:cacheprovider"}, "shop.py", "def shout(s):\n    \"\"\"Loud.\"\"\"\n    return s.upper()\n",
			"test_shop.py", "from shop import shout\n\n\ndef test_shout():\n    got = shout('a')\n    ASSERTION\n",
			"assert got == 'A'", "shop.py:1-3", nil, "FAILED test_shop.py::test_shout", "nothing",
		},
		"jest": {
			[]string{"jest"}, "shop.js", javascript, "shop.test.js",
			"const { shout } = require('./shop');\ntest('it shouts', () => {\n  const got = shout('a');\n  ASSERTION\n});\n",
			"expect(got).toBe('A');", "shop.js:1", map[string]string{"package.json": "{}\n"}, "✕ it shouts", "undefined",
		},
		"node": {
			[]string{"node", "--test"}, "shop.js", javascript, "shop.test.js",
			"const { shout } = require('./shop');\nconst test = require('node:test');\nconst assert = require('assert');\n" +
				"test('it shouts', () => {\n  const got = shout('a');\n  ASSERTION\n});\n",
			"assert.equal(got, 'A');", "shop.js:1", nil, "", "undefined",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := exec.LookPath(c.program[0])
			peer.Need(t, c.program[0], err)
			files := map[string]string{c.code: c.source, c.tests: strings.Replace(c.test, "ASSERTION", "void(got)", 1)}
			files[c.tests] = strings.Replace(files[c.tests], "void(got)",
				map[string]string{"go test": "_ = got", "pytest": "got"}[name], 1)
			for file, content := range c.more {
				files[file] = content
			}
			p := newProject(t, files, "Add shout() to "+c.code+" | "+c.evidence)
			proof, err := p.prove(prove.Options{Command: c.program})
			if err != nil {
				t.Fatal(err)
			}
			if proof.Noticed != 0 || proof.Tried != 1 || proof.Functions[0].Answer != report.Unnoticed ||
				proof.Functions[0].Returned != c.giveBack {
				t.Errorf("nothing is asserted: %+v", proof)
			}
			p.Write(c.tests, strings.Replace(c.test, "ASSERTION", c.asserts, 1))
			p.Git("add", "-A")
			p.Git("commit", "-q", "--amend", "--no-edit")
			if proof, err = p.prove(prove.Options{Command: c.program}); err != nil {
				t.Fatal(err)
			}
			if proof.Noticed != 1 || !strings.HasPrefix(proof.Functions[0].Reason, c.noticedBy) {
				t.Errorf("it is asserted: %+v", proof)
			}
		})
	}
}

// shop is a library of shell, and what tests it.
var shop = map[string]string{
	"lib.sh": "one() {\n\techo 1\n}\n\ntwo() {\n\techo 2\n}\n\nthree() {\n\techo 3\n}\n",
	"test.sh": ". ./lib.sh\nif [ \"$(one)\" != 1 ]; then echo 'not ok 1'; exit 1; fi\ntwo >/dev/null\n" +
		"if [ \"$(three)\" != 3 ]; then sleep 300; fi\n",
}

func TestWhatIsAsked(t *testing.T) {
	p := newProject(t, shop, "Add one() to lib.sh | lib.sh:1-3", "Add the others to lib.sh | lib.sh:1-7")
	proof, err := p.prove(prove.Options{Command: []string{"sh", "test.sh"}, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]report.Answer{"one": report.Noticed, "two": report.Unnoticed}
	got := answers(proof)
	if len(proof.Functions) != 3 || got["one"] != want["one"] || got["two"] != want["two"] {
		t.Errorf("%+v", proof)
	}
	if line := proof.Line(); line != "Proved: 1 of 2 | sh test.sh" {
		t.Error(line)
	}
	if proof, err = p.prove(prove.Options{Command: []string{"sh", "test.sh"}, MaxFunctions: 1}); err != nil ||
		proof.Untried != 1 ||
		len(proof.Functions) != 2 {
		t.Errorf("at most one: %+v, %v", proof, err)
	}
	// A command that fails on the whole tree proves nothing.
	var failed *prove.FailedError
	if _, err = p.prove(prove.Options{Command: []string{"sh", "-c", "echo here; exit 3"}}); !errors.As(err, &failed) ||
		failed.Output != "here" {
		t.Errorf("a command that fails: %v", err)
	}
	if _, err = p.prove(prove.Options{Command: []string{"./missing"}}); !errors.As(err, &failed) {
		t.Errorf("no command: %v", err)
	}
}

// Whoever would run much longer without a function is ended, and has noticed.
func TestWhatTakesTooLongIsNoticed(t *testing.T) {
	p := newProject(t, shop, "Add three() to lib.sh | lib.sh:9-11")
	began := time.Now()
	proof, err := p.prove(prove.Options{Command: []string{"sh", "test.sh"}})
	if err != nil {
		t.Fatal(err)
	}
	if f := proof.Functions[0]; f.Answer != report.Noticed || f.Reason != "it took more than three times as long" || f.IsFlaky {
		t.Errorf("%+v", f)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %s", took)
	}
}

// Where the whole tree fails when it is run once more, a failure without a function tells little.
func TestFlakyAnswersAreMarked(t *testing.T) {
	p := newProject(t, shop, "Add one() and two() to lib.sh | lib.sh:1-7")
	runs := filepath.Join(t.TempDir(), "runs")
	command := `echo >>"` + runs + `"; if [ $(wc -l <"` + runs + `") = FAILS ]; then exit 1; fi; . ./test.sh`
	for fails, flaky := range map[string]bool{"4": true, "9": false} {
		_ = os.Remove(runs)
		proof, err := p.prove(prove.Options{Command: []string{"sh", "-c", strings.Replace(command, "FAILS", fails, 1)}})
		if err != nil {
			t.Fatal(err)
		}
		var table strings.Builder
		_ = report.WriteProof(&table, proof)
		if one, two := proof.Functions[0], proof.Functions[1]; one.IsFlaky != flaky || one.Answer != report.Noticed ||
			two.IsFlaky ||
			strings.Contains(table.String(), "noticed (flaky)") != flaky {
			t.Errorf("run %s fails:\n%s", fails, &table)
		}
	}
}

// Proofs of one repository at the same time do not meet.
func TestTwoProofsAtOnce(t *testing.T) {
	p := newProject(t, shop, "Add one() and two() to lib.sh | lib.sh:1-7")
	var both errgroup.Group
	for range 2 {
		both.Go(func() error {
			proof, err := p.run(prove.Options{Command: []string{"sh", "test.sh"}, Jobs: 2})
			if err == nil && proof.Line() != "Proved: 1 of 2 | sh test.sh" {
				err = errors.New(proof.Line())
			}
			return err
		})
	}
	if err := both.Wait(); err != nil {
		t.Error(err)
	}
	p.isLeftAlone()
}

// What stands in the work tree and not in the tree is shared where that is asked for, and never what git tracks.
func TestPathsAreShared(t *testing.T) {
	files := map[string]string{".gitignore": "deps/\n"}
	for name, content := range shop {
		files[name] = content
	}
	p := newProject(t, files, "Add one() to lib.sh | lib.sh:1-3")
	p.Write("deps/x", "1")
	command := []string{"sh", "-c", "test -f deps/x && . ./test.sh"}
	var failed *prove.FailedError
	if _, err := p.prove(prove.Options{Command: command}); !errors.As(err, &failed) {
		t.Errorf("not shared: %v", err)
	}
	if proof, err := p.prove(prove.Options{Command: command, Share: []string{"deps"}}); err != nil || proof.Noticed != 1 {
		t.Errorf("shared: %+v, %v", proof, err)
	}
	for _, wrong := range []string{"lib.sh", "../w/deps", "missing"} {
		if _, err := p.prove(prove.Options{Command: command, Share: []string{wrong}}); err == nil {
			t.Errorf("%s is shared", wrong)
		}
	}
	if _, err := os.Stat(p.Dir + "/deps/x"); err != nil {
		t.Error(err)
	}
}

// Nothing of the repository's configuration runs, and neither index nor stash of the user change.
func TestTheUsersWorkTreeIsLeftAlone(t *testing.T) {
	p := newProject(t, shop, "Add one() to lib.sh | lib.sh:1-3")
	p.Hook("post-checkout", "#!/bin/sh\ntouch \"$(git rev-parse --git-common-dir)/ran\"\n")
	p.Git("config", "filter.x.smudge", "touch "+p.Dir+"/.git/ran; cat")
	p.Write(".git/info/attributes", "* filter=x\n")
	if _, err := p.prove(prove.Options{Command: []string{"sh", "-c", "echo >junk; sh test.sh"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(p.Dir + "/.git/ran"); err == nil {
		t.Error("a program of the repository ran")
	}
	if slices.Contains(strings.Fields(p.Git("status", "--porcelain")), "junk") {
		t.Error("the command ran in the user's work tree")
	}
}
