package parser

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acta-git/acta/repo/program/peer"
)

// git runs real git in a folder, without the reader's configuration and under a fixed identity and clock.
func git(t *testing.T, dir string, stdin []byte, args ...string) []byte {
	t.Helper()
	return gitEnviron(t, dir, stdin, nil, args...)
}

// gitEnviron is git with more in the environment.
func gitEnviron(t *testing.T, dir string, stdin []byte, env []string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Stdin = bytes.NewReader(stdin)
	cmd.Env = append(gitEnv(dir), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return out
}

func gitEnv(home string) []string {
	return append(peer.GitEnv(home), "PATH="+os.Getenv("PATH"),
		"GIT_DIR="+filepath.Join(home, ".git"), "GIT_WORK_TREE="+home, "LC_ALL=C.UTF-8")
}

func gitRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, nil, "init", "-q", "-b", "main", "--template=")
	return dir
}

// storedTrailers stores the messages as they are and asks git, in one call, for the trailers of each.
func storedTrailers(t *testing.T, messages [][]byte) []string {
	t.Helper()
	dir := gitRepository(t)
	var in bytes.Buffer
	for _, m := range messages {
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter C <c@example.com> 1700000000 +0000\ndata %d\n", len(m))
		in.Write(m)
		in.WriteByte('\n')
	}
	git(t, dir, in.Bytes(), "fast-import", "--quiet", "--force")
	ids := git(t, dir, nil, "rev-list", "--reverse", "main")
	if out := git(t, dir, ids, "cat-file", "--batch"); bytes.Count(out, []byte{0}) != bytes.Count(in.Bytes(), []byte{0}) {
		t.Fatal("git fast-import has not stored the NUL bytes of the messages")
	}
	stored := git(t, dir, nil, "log", "--reverse", "-z", "--format=%(trailers:only,unfold)", "main")
	got := strings.Split(string(stored), "\x00")
	if len(got) > 0 && got[len(got)-1] == "" && len(got) == len(messages)+1 {
		got = got[:len(messages)]
	}
	if len(got) != len(messages) {
		t.Fatalf("git printed %d commits, want %d", len(got), len(messages))
	}
	return got
}

// printTrailers prints trailers as git's format does.
func printTrailers(trailers []Trailer) string {
	var b strings.Builder
	for _, tr := range trailers {
		fmt.Fprintf(&b, "%s: %s\n", tr.Key.Value, tr.Value.Value)
	}
	return b.String()
}

// corpusSize is how many messages the comparison with git takes at least.
const corpusSize = 24_000

func TestTrailersAreWhatGitReads(t *testing.T) {
	messages := corpus(corpusSize)
	want := storedTrailers(t, messages)
	compared, withTrailers, failed := 0, 0, 0
	for i, m := range messages {
		compared++
		if want[i] != "" {
			withTrailers++
		}
		if got := printTrailers(Parse(m).Trailers); got != want[i] {
			if failed++; failed <= 5 {
				t.Errorf("message %q\ngot  %q\ngit  %q", m, got, want[i])
			}
		}
	}
	t.Logf("compared %d messages with git, %d of them with trailers, %d differ", compared, withTrailers, failed)
	if compared < 20_000 {
		t.Errorf("compared %d messages, want at least 20,000", compared)
	}
	if withTrailers < compared/10 || withTrailers > compared*9/10 {
		t.Errorf("%d of %d messages have trailers: the corpus is one-sided", withTrailers, compared)
	}
}

// corpus generates n messages, no two alike and the same ones every time: first
// those made by hand, then mixtures.
func corpus(n int) [][]byte {
	var out [][]byte
	seen := map[string]bool{}
	add := func(s string) {
		if !seen[s] {
			seen[s] = true
			out = append(out, []byte(s))
		}
	}
	for _, s := range madeMessages {
		add(s)
		add(strings.ReplaceAll(s, "\n", "\r\n"))
		add(strings.TrimSuffix(s, "\n"))
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for len(out) < n {
		add(string(randomMessage(rnd)))
	}
	return out
}

var madeMessages = []string{
	"", "\n", "\n\n\n", " ", "A: 1\nB: 2\n", "subj\n\nA: 1\n", "subj\n\nA: 1\nprose\n",
	"subj\n\nSigned-off-by: x\na\nb\nc\n", "subj\n\nSigned-off-by: x\na\nb\nc\nd\n", "subj\n\nsigned-off-by: x\nprose\n",
	"subj\n\nSigned-off-by:x\nprose\n", "subj\n\nA: 1\n(cherry picked from commit 0123456)\n",
	"subj\n\nA : 1\nA\t:2\n", "subj\n\nA B: 1\n", "subj\n\nA_B: 1\n", "subj\n\nÄ: 1\n", "subj\n\n A: 1\n",
	"subj\n\nA:\n", "subj\n\nA:1\n", "subj\n\n--: x\n-: y\n", "subj\n\nhttp://x/y\n", "subj\n\nNote: this is prose\n",
	"subj\n\nA: 1\n \n folded\n", "subj\n\nA: 1\n  two\n\tthree\n", "subj\n\nA: 1\n# c\nB: 2\n", "subj\n\nA: 1\n# c\n  folded\n",
	"subj\n\nA: 1\n# c\n", "subj\n\nA: 1\n\n# c\n\n# d\n", "subj\n# c\n\nA: 1\n", "# c\n\nA: 1\n", "# c\nsubj\n\nA: 1\n", "# c\n# d\nA: 1\n",
	"subj\n\nA: 1\n# ------------------------ >8 ------------------------\nB: 2\n",
	"subj\n\nA: 1\n# ------------------------ >8 ------------------------", "# ------------------------ >8 ------------------------\nA: 1\n\nB: 2\n",
	"subj\n\nA: 1\n # ------------------------ >8 ------------------------\nB: 2\n", "subj\n\nA: 1\n\n---\nB: 2\n\nC: 3\n",
	"\n\n \nA: 1\n", "\n\nsubj\n\nA: 1\n", "subj\n\nA: 1\n\nB: 2\n", "subj\n\nA: 1\nA: 2\na: 3\n",
	"subj\n\nA: 1\nConflicts:\n\tfoo\n\tbar\n", "subj\n\nA: 1\n\nConflicts:\n\tfoo\n", "subj\n\nA: 1\n\nConflicts:\n\tfoo\n\n# c\n", "subj\n\nConflicts:\n\tA: 1\n",
	"Conflicts:\n\tx\n\nA: 1\n", "subj\n\nConflicts:\n\tx\nB: 1\n\tx\n", "subj\n\nConflicts: \n\tx\n", "subj\n\n# c\nConflicts:\n\tx\nA: 1\n\ty\n# d\n",
	"subj\n\nA: 1\x00\nB: 2\n", "\x00", "subj\n\x00\nA: 1\n", "subj\n\nA: 1\n\x00", "subj\n\nA: \xff\xfe\n", "subj\n\nA: 1\v\n\f\n", "subj\n\nA: a\rb\r\n c\n",
	"subj\n\n(cherry picked from commit 1\nprose\nprose\nprose\n", " subj\n\nA: 1\n", "subj\n \nA: 1\n", "subj\n\t\nA: 1\n \n", "subj\n\nA: \n  x\n", "subj\n\n: x\nA: 1\n",
	"\ufeffsubj\n\nA: 1\n", "\ufeff\nA: 1\n", "\ufeff\n\nA: 1\n", "\ufeff# c\n\nA: 1\n", "\ufeffA: 1\n\nB: 2\n", "\n\ufeffA: 1\n\nB: 2\n", "subj\n\n\ufeffA: 1\n", "\ufeff# " + cutLine + "\nA: 1\n",
}

// randomMessage puts a message together from pieces that matter to git.
func randomMessage(rnd *rand.Rand) []byte {
	pick := func(from ...string) string { return from[rnd.IntN(len(from))] }
	var b strings.Builder
	if rnd.IntN(12) == 0 {
		b.WriteString(pick("\n", "\n\n", " \n", "\t\n\n", "# comment\n", "# comment\n\n"))
	}
	b.WriteString(pick("subject", "subject", "ACT: T1 do it", "A: 1", "# subject", "  indented", "sübject", "Signed-off-by: x"))
	b.WriteString(pick("\n", "\n", "\n", "\nsecond line\n", "\n# c\n", "\nA: 1\n", ""))
	for range rnd.IntN(4) {
		b.WriteString(pick("\n", "\n", "\n", " \n", "\n\n", "\t\n", ""))
		switch rnd.IntN(6) {
		case 0, 1:
			randomProse(rnd, pick, &b)
		case 2:
			quarterBlock(rnd, pick, &b)
		default:
			for range 1 + rnd.IntN(4) {
				b.WriteString(randomTrailer(rnd, pick))
			}
		}
	}
	if rnd.IntN(8) == 0 {
		b.WriteString(pick("# c\n", "\n# c\n", "Conflicts:\n\ta\n\tb\n", "\nConflicts:\n\ta\n", "# "+cutLine, "# "+cutLine+"B: 2\n", "\n\n\n", " \n", "\x00B: 2\n", "\n\tx\n"))
	}
	s := b.String()
	if rnd.IntN(30) == 0 {
		s = byteOrderMark + s
	}
	switch rnd.IntN(10) {
	case 0:
		s = strings.TrimRight(s, "\n")
	case 1:
		s = strings.ReplaceAll(s, "\n", "\r\n")
	case 2:
		s = spoil(rnd, s)
	}
	return []byte(s)
}

func randomProse(rnd *rand.Rand, pick func(...string) string, b *strings.Builder) {
	for range 1 + rnd.IntN(4) {
		b.WriteString(pick("some prose\n", "see http://x\n", "# comment\n", "  indented\n", "- item\n", "Note that: x\n", "---\n", "Ünïcödé\n", "\xff\xfe\n", "Conflicts:\n"))
	}
}

// randomTrailer is mostly a trailer, sometimes what git does or does not take for one.
func randomTrailer(rnd *rand.Rand, pick func(...string) string) string {
	if rnd.IntN(5) == 0 {
		return pick("# c\n", "(cherry picked from commit 0123abc)\n", "prose\n", " folded\n", "\tfolded: x\n", "#A: 1\n", "Conflicts:\n", "  \n", "a_b: 1\n", ": x\n", "é: 1\n")
	}
	key := pick("A", "Done", "Signed-off-by", "signed-off-by", "Co-Authored-By", "x-1", "-", "9", "Act")
	sep := pick(": ", ": ", ": ", ": ", ":", " : ", "\t:", " :\t", "::", "= ", " = ", "; ")
	value := pick("1", "value with words", "", " ", "é ü", "a | b.py:3-9", "x\r", "\v", "a:b", "# no comment", "\xff", "trailing \t ")
	fold := ""
	for rnd.IntN(4) == 0 {
		fold += pick("\n  more", "\n\tmore", "\n # more", "\n   ", "\n more \t", "\n  k: v")
	}
	return key + sep + value + fold + "\n"
}

// quarterBlock is a block close to the line of 25 per cent.
func quarterBlock(rnd *rand.Rand, pick func(...string) string, b *strings.Builder) {
	trailers := 1 + rnd.IntN(3)
	others := max(0, trailers*3-2+rnd.IntN(5))
	lines := []string{pick("Signed-off-by: x\n", "(cherry picked from commit 0123abc)\n", "Signed-off-by:x\n", "Signed-Off-By: x\n")}
	for range trailers - 1 {
		lines = append(lines, "A: 1\n")
	}
	for range others {
		lines = append(lines, pick("prose\n", "prose\n", "prose\n", " folded\n", "# c\n"))
	}
	rnd.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	b.WriteString(strings.Join(lines, ""))
}

// spoil changes, drops or adds a few bytes.
func spoil(rnd *rand.Rand, s string) string {
	b := []byte(s)
	for range 1 + rnd.IntN(3) {
		if len(b) == 0 {
			break
		}
		i := rnd.IntN(len(b))
		switch rnd.IntN(3) {
		case 0:
			b[i] = " \t\r\n#:-\x00\xffA"[rnd.IntN(10)]
		case 1:
			b = append(b[:i], b[i+1:]...)
		default:
			b = append(b[:i], append([]byte{" \t\r\n#:-\x00\xffA"[rnd.IntN(10)]}, b[i:]...)...)
		}
	}
	return string(b)
}

// TestMessagesThatGitWrites reads what git itself makes of an ACT and an ADAPT.
func TestMessagesThatGitWrites(t *testing.T) {
	dir := gitRepository(t)
	commit := func(message string, more ...string) {
		git(t, dir, nil, append([]string{"commit", "-q", "--allow-empty", "-m", message}, more...)...)
	}
	head := func() (string, *Message) {
		_, message, _ := bytes.Cut(git(t, dir, nil, "cat-file", "commit", "HEAD"), []byte("\n\n"))
		return strings.TrimSpace(string(git(t, dir, nil, "rev-parse", "HEAD"))), checkMessage(t, message)
	}
	write := func(content string) {
		if err := os.WriteFile(filepath.Join(dir, "file"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		git(t, dir, nil, "add", "file")
	}
	write("one\n")
	commit("base")
	git(t, dir, nil, "checkout", "-q", "-b", "topic")
	write("one\ntwo\n")
	commit("ACT: T1 login\n\nProse.\n\nDone: Add login | file:2\nOutcome: success")
	act, _ := head()
	commit("ADAPT: T1 complete\n\nObservation: build | green")

	git(t, dir, nil, "revert", "--no-edit", act)
	if _, m := head(); m.Parts[0].Kind != None || len(m.Reverts) != 1 || m.Reverts[0].Value != act {
		t.Errorf("git revert: %s", dump(m))
	}
	commit("x", "--fixup", act)
	if _, m := head(); !m.IsAutosquash || m.Parts[0].Kind != None {
		t.Errorf("git commit --fixup: %s", dump(m))
	}
	git(t, dir, nil, "reset", "-q", "--hard", "topic~2")
	git(t, dir, nil, "checkout", "-q", "main")
	git(t, dir, nil, "cherry-pick", "-x", "-s", act)
	if _, m := head(); m.Parts[0].Kind != Act || len(m.Parts[0].Claims) != 1 || m.Parts[0].Outcome.Value != "success" || len(m.CherryPickedFrom) != 1 || m.CherryPickedFrom[0].Value != act {
		t.Errorf("git cherry-pick -x -s: %s", dump(m))
	}
	git(t, dir, nil, "reset", "-q", "--hard", "main~1")
	git(t, dir, nil, "merge", "-q", "--squash", "topic")
	git(t, dir, nil, "commit", "-q", "--no-edit", "--allow-empty")
	_, m := head()
	if !m.IsSquash || len(m.Parts) != 2 || m.Parts[0].Kind != Act || m.Parts[1].Kind != Adapt || len(m.Parts[0].Claims) != 1 || len(m.Parts[1].Observations) != 1 {
		t.Errorf("git merge --squash: %s", dump(m))
	}
}
