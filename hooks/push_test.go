package hooks

import (
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo/repotest"
)

var zeros = strings.Repeat("0", 40)

// honestAndHollow is a repository whose main claims honestly, and whose branch bad ends in a hollow claim.
func honestAndHollow(t *testing.T) (w *repotest.WorkTree, base, good, bad string) {
	t.Helper()
	w, _ = newRepository(t)
	base = w.Git("rev-parse", "HEAD")
	w.Write("f.py", written)
	good = w.Commit(claim)
	w.Git("checkout", "-q", "-b", "bad")
	w.Write("g.py", stub)
	bad = w.Commit("ACT: T02 add g\n\nDone: add g | g.py:1-2\n")
	w.Git("checkout", "-q", "main")
	return w, base, good, bad
}

// refsOf are the refs that an answer judges, each with its exit code.
func refsOf(a *Answer) (all []string) {
	for _, r := range a.Results {
		verdict := " passes"
		if r.Code() != 0 {
			verdict = " refused"
		}
		all = append(all, r.Ref+verdict)
	}
	return all
}

func TestPrePushJudgesWhatTheRemoteLacks(t *testing.T) {
	w, base, good, bad := honestAndHollow(t)
	w.Git("update-ref", "refs/remotes/origin/main", base)
	for name, c := range map[string]struct {
		args []string
		in   string
		want []string
	}{
		"an honest branch":         {[]string{"origin", "url"}, "refs/heads/main " + good + " refs/heads/main " + base, []string{"refs/heads/main passes"}},
		"a hollow one":             {[]string{"origin", "url"}, "refs/heads/bad " + bad + " refs/heads/bad " + zeros, []string{"refs/heads/bad refused"}},
		"both":                     {[]string{"origin", "url"}, "m " + good + " refs/heads/main " + base + "\nb " + bad + " refs/heads/bad " + zeros, []string{"refs/heads/main passes", "refs/heads/bad refused"}},
		"what the remote has":      {[]string{"origin", "url"}, "b " + base + " refs/heads/old " + zeros, nil},
		"what it says it has":      {[]string{"origin", "url"}, "b " + bad + " refs/heads/bad " + zeros + "\nc " + good + " refs/heads/c " + bad, nil},
		"a deletion":               {[]string{"origin", "url"}, "(delete) " + zeros + " refs/heads/main " + base, nil},
		"by its address alone":     {[]string{"url", "url"}, "b " + bad + " refs/heads/bad " + zeros, []string{"refs/heads/bad refused"}},
		"between branches of this": {[]string{"origin", "."}, "b " + bad + " refs/heads/copy " + zeros, nil},
		"notes and the worklog":    {[]string{"origin", "url"}, "n " + bad + " refs/notes/x " + zeros + "\nw " + bad + " refs/worklog/s " + zeros, nil},
		"nothing":                  {[]string{"origin", "url"}, "", nil},
		"a tag that names a file":  {[]string{"origin", "url"}, "t " + w.Git("rev-parse", "main:f.py") + " refs/tags/file " + zeros, nil},
		"an annotated tag":         {[]string{"origin", "url"}, "t " + annotated(w, bad) + " refs/tags/v1 " + zeros, []string{"refs/tags/v1 refused"}},
	} {
		call := call(w, nil, c.args...)
		call.Stdin = strings.NewReader(c.in)
		a, err := PrePush(t.Context(), open(t, w.Dir), call)
		if err != nil || !slices.Equal(refsOf(a), c.want) {
			t.Errorf("%s: %q, want %q, %v", name, refsOf(a), c.want, err)
		}
	}
	odd := call(w, nil, "origin", "url")
	odd.Stdin = strings.NewReader("one two three\n")
	if _, err := PrePush(t.Context(), open(t, w.Dir), odd); err == nil {
		t.Error("a line of three fields is read")
	}
}

// annotated makes an annotated tag of a commit, and returns the tag's own id.
func annotated(w *repotest.WorkTree, of string) string {
	w.Git("tag", "-f", "-a", "-m", "v1", "v1", of)
	return w.Git("rev-parse", "refs/tags/v1")
}

func TestThePolicyOfAPushIsTheRemotes(t *testing.T) {
	w, base, _, bad := honestAndHollow(t)
	w.Git("checkout", "-q", "bad")
	w.Git("reset", "-q", "--hard", base)
	w.Write(policy.Path, "version: 1\nrules: {checklist_evidence_empty_impl: off}\n")
	loose := w.Commit("Loosen the policy")
	w.Git("cherry-pick", bad+"~1", bad)
	tip := w.Git("rev-parse", "HEAD")
	for name, c := range map[string]struct {
		remote string // what the remote's branch names
		old    string
		want   string
	}{
		"of the ref as it is there":     {base, base, "refs/heads/bad refused"},
		"which may be the looser one":   {loose, loose, "refs/heads/bad passes"},
		"of a new ref: of its own base": {base, zeros, "refs/heads/bad refused"},
	} {
		w.Git("update-ref", "refs/remotes/origin/main", c.remote)
		call := call(w, nil, "origin", "url")
		call.Stdin = strings.NewReader("b " + tip + " refs/heads/bad " + c.old + "\n")
		a, err := PrePush(t.Context(), open(t, w.Dir), call)
		if err != nil || !slices.Equal(refsOf(a), []string{c.want}) {
			t.Errorf("%s: %q, %v, want %q", name, refsOf(a), err, c.want)
		}
	}
}

func TestPreReceiveJudgesWhatARefGets(t *testing.T) {
	w, base, good, bad := honestAndHollow(t)
	w.Git("update-ref", "refs/heads/main", base)
	w.Git("update-ref", "-d", "refs/heads/bad")
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"the default branch":      {base + " " + good + " refs/heads/main", []string{"refs/heads/main passes"}},
		"a hollow claim for it":   {base + " " + bad + " refs/heads/main", []string{"refs/heads/main refused"}},
		"a new branch":            {zeros + " " + bad + " refs/heads/topic", []string{"refs/heads/topic refused"}},
		"one that brings nothing": {zeros + " " + base + " refs/heads/topic", nil},
		"a deletion":              {good + " " + zeros + " refs/heads/topic", nil},
		"several at once":         {base + " " + good + " refs/heads/main\n" + zeros + " " + bad + " refs/heads/topic", []string{"refs/heads/main passes", "refs/heads/topic refused"}},
		"nothing":                 {"", nil},
	} {
		call := call(w, nil)
		call.Stdin = strings.NewReader(c.in)
		a, err := PreReceive(t.Context(), open(t, w.Dir), call)
		if err != nil || !slices.Equal(refsOf(a), c.want) {
			t.Errorf("%s: %q, %v, want %q", name, refsOf(a), err, c.want)
		}
	}
}

func TestTheFirstPushToAnEmptyServer(t *testing.T) {
	w, _, good, bad := honestAndHollow(t)
	w.Git("symbolic-ref", "HEAD", "refs/heads/trunk")
	for _, branch := range []string{"main", "bad"} {
		w.Git("update-ref", "-d", "refs/heads/"+branch)
	}
	// Another branch that has landed by a looser policy of its own does not make the default branch's commits known.
	w.Git("update-ref", "refs/heads/loose", bad)
	for tip, want := range map[string]string{good: "refs/heads/trunk passes", bad: "refs/heads/trunk refused"} {
		call := call(w, nil)
		call.Stdin = strings.NewReader(zeros + " " + tip + " refs/heads/trunk\n")
		a, err := PreReceive(t.Context(), open(t, w.Dir), call)
		if err != nil || !slices.Equal(refsOf(a), []string{want}) {
			t.Errorf("%q, %v, want %q", refsOf(a), err, want)
		}
	}
}

func TestTheSealJudgesBranchesThatMove(t *testing.T) {
	w, base, good, bad := honestAndHollow(t)
	w.Git("update-ref", "-d", "refs/heads/bad")
	w.Git("reflog", "expire", "--expire=now", "--all")
	w.Git("update-ref", "-d", "refs/heads/main")
	w.Git("update-ref", "refs/heads/main", base)
	for name, c := range map[string]struct {
		state, in string
		want      []string
	}{
		"an honest commit":            {"prepared", base + " " + good + " refs/heads/main", []string{"refs/heads/main passes"}},
		"a hollow one":                {"prepared", base + " " + bad + " refs/heads/main", []string{"refs/heads/main refused"}},
		"git leaves the old id out":   {"prepared", zeros + " " + bad + " refs/heads/main", []string{"refs/heads/main refused"}},
		"a new branch":                {"prepared", zeros + " " + bad + " refs/heads/new", []string{"refs/heads/new refused"}},
		"a state that is past":        {"committed", base + " " + bad + " refs/heads/main", nil},
		"HEAD moves freely":           {"prepared", base + " " + bad + " HEAD", nil},
		"so does what a rebase keeps": {"prepared", zeros + " " + bad + " refs/rewritten/x", nil},
		"a tag":                       {"prepared", zeros + " " + bad + " refs/tags/v1", nil},
		"a remote's branch":           {"prepared", zeros + " " + bad + " refs/remotes/origin/x", nil},
		"back to what it has":         {"prepared", good + " " + base + " refs/heads/main", nil},
	} {
		call := call(w, nil, c.state)
		call.Stdin = strings.NewReader(c.in + "\n")
		a, err := ReferenceTransaction(t.Context(), open(t, w.Dir), call)
		if err != nil || !slices.Equal(refsOf(a), c.want) {
			t.Errorf("%s: %q, %v, want %q", name, refsOf(a), err, c.want)
		}
	}
	if a, err := ReferenceTransaction(t.Context(), open(t, w.Dir), call(w, nil)); err != nil || a.Results != nil {
		t.Errorf("without a state: %+v, %v", a, err)
	}
}

func TestWhatABranchOnceHadItMayHaveAgain(t *testing.T) {
	w, base, _, bad := honestAndHollow(t)
	w.Git("checkout", "-q", "bad") // its reflog names the hollow commit
	w.Git("reset", "-q", "--hard", base)
	ask := func() (*Answer, error) {
		call := call(w, nil, "prepared")
		call.Stdin = strings.NewReader(base + " " + bad + " refs/heads/bad\n")
		return ReferenceTransaction(t.Context(), open(t, w.Dir), call)
	}
	if a, err := ask(); err != nil || a.Code() != 0 {
		t.Errorf("back to where it was: %q, %v", refsOf(a), err)
	}
	w.Git("reflog", "expire", "--expire=now", "--all")
	if a, err := ask(); err != nil || a.Code() != 1 {
		t.Errorf("without a reflog: %q, %v", refsOf(a), err)
	}
	w.Write(".git/FETCH_HEAD", bad+"\t\tbranch 'bad' of elsewhere\n")
	if a, err := ask(); err != nil || a.Code() != 0 {
		t.Errorf("what was fetched: %q, %v", refsOf(a), err)
	}
}
