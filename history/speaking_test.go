package history

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

var (
	titles  = regexp.MustCompile(`(?im)(^|[^a-z0-9_-])(act|adapt)[ \t\r\v\f]*:`)
	reverts = regexp.MustCompile(`(?i)this reverts commit `)
)

// A message speaks where git, asked for lines that match, lists it.
func TestSpeaksIsWhatPatternsFind(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 4))
	pieces := []string{"act", "ACT", "adapt", "Adapt", ":", " :", "\n", " ", "re", "x-", "_", "9", "é", "(", "contr", "\t", "\r",
		"This reverts commit ", "this Reverts", " commit ", "İ"}
	speaking := 0
	for range 50_000 {
		var text strings.Builder
		for range random.IntN(7) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		want := titles.MatchString(text.String()) || reverts.MatchString(text.String())
		if want {
			speaking++
		}
		if got := speaks([]byte(text.String())); got != want {
			t.Fatalf("%q: %v, want %v", text.String(), got, want)
		}
	}
	if speaking < 1000 {
		t.Errorf("only %d messages speak", speaking)
	}
}

// imported makes a history of commits with merges, each a little later than the one before it, and lists their ids.
func imported(t *testing.T, w *repotest.WorkTree, random *rand.Rand, n int) []repo.ID {
	t.Helper()
	var in strings.Builder
	for i := range n {
		message := []string{"Fix", "ACT: T01 it", "ADAPT: T01", "Impact: none", "This reverts commit 1234."}[random.IntN(5)]
		fmt.Fprintf(&in, "commit refs/heads/import\nmark :%d\ncommitter A <a@b> %d +0000\ndata %d\n%s\n", i+1,
			1_700_000_000+i*10+random.IntN(5), len(message), message)
		if i > 0 {
			fmt.Fprintf(&in, "from :%d\n", max(1, i-random.IntN(3)))
			for k := range random.IntN(3) {
				if other := i - 1 - 2*k; other > 0 && random.IntN(2) == 0 {
					fmt.Fprintf(&in, "merge :%d\n", other)
				}
			}
		}
		fmt.Fprintln(&in)
	}
	fmt.Fprintf(&in, "reset refs/heads/all\nfrom :%d\n\n", n)
	cmd := exec.Command("git", "fast-import", "--quiet", "--force", "--export-marks=marks")
	cmd.Dir, cmd.Stdin, cmd.Env = w.Dir, strings.NewReader(in.String()), repotest.Env(t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	ids := make([]repo.ID, n)
	for line := range strings.Lines(w.Read("marks")) {
		var mark int
		var id string
		if _, err := fmt.Sscanf(line, ":%d %s", &mark, &id); err != nil {
			t.Fatal(err)
		}
		ids[mark-1] = repo.ID(id)
	}
	return ids
}

// What speaks is listed as git lists it, and what is known of an earlier tip grows to what a walk finds.
func TestWhatIsKnownGrowsToWhatAWalkFinds(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 6))
	const n = 120
	w := repotest.NewWorkTree(t)
	ids := imported(t, w, random, n)
	r, err := repo.Open(t.Context(), w.Dir, repo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	h := New(r, nil)
	patterns := []string{"--grep=(^|[^[:alnum:]_-])(act|adapt)[[:space:]]*:", "--grep=this reverts commit "}
	grew, found := 0, 0
	for range 60 {
		depth := []int{n, 40, 7}[random.IntN(3)]
		later := ids[60+random.IntN(n-60)]
		whole, err := h.allSpeaking(t.Context(), later, nil, depth)
		if err != nil {
			t.Fatal(err)
		}
		if depth == n {
			listed := strings.Fields(w.Git(append([]string{"rev-list", "--date-order", "--extended-regexp",
				"--regexp-ignore-case", string(later)}, patterns...)...))
			if got := commitsOf(whole); !slices.Equal(got, listed) {
				t.Fatalf("%v, want what git lists, %v", got, listed)
			}
			found += len(listed)
		}
		earlier, err := h.allSpeaking(t.Context(), ids[random.IntN(n)], nil, depth)
		if err != nil {
			t.Fatal(err)
		}
		known, fresh := h.grown(t.Context(), []speakingSet{*earlier}, later, nil, depth)
		if known == nil {
			continue
		}
		if grew++; !slices.Equal(commitsOf(known), commitsOf(whole)) || known.Total != whole.Total ||
			fresh == (earlier.Tip == later) {
			t.Fatalf("depth %d: %+v grew to\n%+v (%v), want\n%+v", depth, earlier, known, fresh, whole)
		}
	}
	if grew < 5 || found < 50 {
		t.Errorf("%d grew, %d were found: too few to show anything", grew, found)
	}
}

func commitsOf(s *speakingSet) (ids []string) {
	for _, f := range s.Found {
		ids = append(ids, string(f.Commit))
	}
	return ids
}

// What was kept and cannot be right is not used.
func TestWhatIsDoubtfulIsNotUsed(t *testing.T) {
	w := repotest.NewWorkTree(t)
	ids := imported(t, w, rand.New(rand.NewPCG(1, 1)), 5)
	r, err := repo.Open(t.Context(), w.Dir, repo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	tip, gone := ids[4], repo.ID(strings.Repeat("7", len(ids[4])))
	for name, s := range map[string]speakingSet{
		"of nothing":          {Tip: tip},
		"of more than fits":   {Tip: tip, Total: 12},
		"beyond its end":      {Tip: tip, Total: 5, Found: []speakingCommit{{ids[0], 5}}},
		"of no commit":        {Tip: tip, Total: 5, Found: []speakingCommit{{"--all", 1}}},
		"of a tip that left":  {Tip: gone, Total: 5},
		"with other ends":     {Tip: tip, Total: 5, Not: []repo.ID{ids[0]}},
		"newer than the rest": {Tip: ids[3], Total: 4, Newest: 1 << 40},
	} {
		if known, _ := New(r, nil).grown(t.Context(), []speakingSet{s}, tip, nil, 10); known != nil {
			t.Errorf("%s: %+v is used", name, known)
		}
	}
}
