package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// listedRuns are the programs of a line, each as its variables, its words, what it writes and where it is run.
func listedRuns(all []Invocation) string {
	var out []string
	for _, run := range all {
		s := strings.TrimSpace(strings.Join(append(slices.Clone(run.Vars), run.Words...), " "))
		for _, file := range run.Writes {
			s += " >" + file
		}
		if run.Dir != "" {
			s += " @" + run.Dir
		}
		if run.Lost {
			s += " @?"
		}
		out = append(out, s)
	}
	return strings.Join(out, " | ")
}

func testInvocations(t *testing.T, lines map[string]string) {
	t.Helper()
	for line, want := range lines {
		all, ok := Invocations(line)
		if got := listedRuns(all); !ok || got != want {
			t.Errorf("%q (%v):\ngot  %s\nwant %s", line, ok, got, want)
		}
	}
}

func TestWhatALineRunsIsListed(t *testing.T) {
	testInvocations(t, map[string]string{
		"":                                "",
		"git push":                        "git push",
		"git commit -m 'a b'":             "git commit -m a b",
		"make && git push; ls | wc -l":    "make | git push | ls | wc -l",
		"if a; then b; else c; fi":        "a | b | c",
		"for f in *; do rm x; done":       "rm x",
		"f() { rm -r x; }; f":             "rm -r x | f", // whoever defines it means to run it
		"echo $(git rev-parse HEAD)":      "echo | git rev-parse HEAD",
		"! git push &":                    "git push",
		"(git push)":                      "git push",
		"[[ -n $x ]] && git push":         "git push",
		"git\u00a0push":                   "git push",
		"\"$BIN/git\" push":               "/git push",
		"case $1 in a) git push;; esac":   "git push",
		"diff <(git show a) <(git log b)": "diff | git show a | git log b",
	})
}

// What only runs another program is taken away, so that none of them hides it.
func TestWhatOnlyRunsAnotherIsTakenAway(t *testing.T) {
	testInvocations(t, map[string]string{
		"sudo git push":                      "git push",
		"sudo -u root -g wheel git push":     "git push",
		"doas -u root git push":              "git push",
		"env A=1 git push":                   "A=1 git push",
		"env -u HOME -C /tmp git push":       "git push",
		"timeout -k 5 60 git push":           "git push",
		"nice -n 10 nohup git push":          "git push",
		"xargs -n 1 -P 4 git push":           "git push",
		"xargs -I{} git push":                "git push",
		"setsid git push":                    "git push",
		"stdbuf -o L git push":               "git push",
		"ionice -c 3 sudo env A=1 git push":  "A=1 git push",
		"time command exec git push":         "git push",
		"acta run --session s1 -- git push":  "git push",
		"acta check":                         "acta check",
		"sudo":                               "sudo",
		"git sudo rm":                        "git sudo rm", // an argument is none
		"sudo -u root xargs sudo git commit": "git commit",
	})
}

func TestVariablesAreKnownAsFarAsTheLineSetsThem(t *testing.T) {
	testInvocations(t, map[string]string{
		"A=1 git push":                     "A=1 git push",
		"A=1; echo $A":                     "A=1 | echo 1",
		"A=1; echo \"is $A\" ${A}x":        "A=1 | echo is 1 1x",
		"export A=1 B=2; echo $B":          "A=1 B=2 | echo 2",
		"echo $HOME":                       "echo",
		"X='git push'; $X --force":         "X=git push | git push --force", // as the shell splits it
		"X='git push'; \"$X\"":             "X=git push | git push",
		"A=1; B=$A; echo $B":               "A=1 | B=1 | echo 1",
		"A=$(date); echo $A":               "A= | date | echo",
		"declare -x A=1; A=2; echo $A":     "A=1 | A=2 | echo 2",
		"GIT_DIR=x env GIT_INDEX=y git ls": "GIT_DIR=x GIT_INDEX=y git ls",
	})
	// The word of a quoted variable is one, that of a bare one is as many as it holds.
	for line, want := range map[string]int{"ls $X": 1, "ls \"$X\"": 2, "X='a b'; $X": 2, "X='a b'; \"$X\"": 1, "X='a b'; $X$X": 1} {
		all, _ := Invocations(line)
		if n := len(all[len(all)-1].Words); n != want {
			t.Errorf("%s: %d words, want %d", line, n, want)
		}
	}
}

func TestFilesThatALineWritesAreListed(t *testing.T) {
	testInvocations(t, map[string]string{
		"echo a > b":                   "echo a >b",
		"echo a >> b":                  "echo a >b",
		"echo a >| b 2> c":             "echo a >b >c",
		"echo a &> b":                  "echo a >b",
		"cat <> b":                     "cat >b",
		"cat < b":                      "cat",
		"> b":                          " >b",
		"{ a; b; } > c":                " >c | a | b",
		"D=.git; echo a > $D/hooks/x":  "D=.git | echo a >.git/hooks/x",
		"cat <<END > b\ngit push\nEND": "cat >b", // what a document only holds is not run
		"echo 'git push > x'":          "echo git push > x",
		"grep -rn 'git push' .":        "grep -rn git push .",
	})
}

func TestTheFolderIsFollowed(t *testing.T) {
	testInvocations(t, map[string]string{
		"cd a && git push":               "cd a | git push @a",
		"cd a; cd b; git push":           "cd a | cd b @a | git push @a/b",
		"cd a; cd ../c; ls":              "cd a | cd ../c @a | ls @c",
		"cd a; cd /b; ls":                "cd a | cd /b @a | ls @/b",
		"pushd a; ls":                    "pushd a | ls @a",
		"cd -P a; ls":                    "cd -P a | ls @a",
		"(cd a; ls); pwd":                "cd a | ls @a | pwd",
		"x=$(cd a; ls); pwd":             "x= | cd a | ls @a | pwd",
		"{ cd a; ls; }; pwd":             "cd a | ls @a | pwd @a",
		"cd; ls":                         "cd | ls @?",
		"cd -; ls":                       "cd - | ls @?",
		"cd ~/a; ls":                     "cd ~/a | ls @?",
		"cd $X; ls":                      "cd | ls @?",
		"cd \"$X\"; ls":                  "cd | ls @?",
		"cd a b; ls":                     "cd a b | ls @?",
		"cd $X; cd /b; ls":               "cd | cd /b @? | ls @/b",
		"(cd $X; ls); pwd":               "cd | ls @? | pwd",
		"X=a; cd $X; ls":                 "X=a | cd a | ls @a",
		"bash -c 'cd a; ls'; (cd b); ls": "bash -c cd a; ls | cd a | ls @a | cd b @a | ls @a",
	})
}

func TestScriptsWithinALineAreRead(t *testing.T) {
	testInvocations(t, map[string]string{
		"bash -c 'git push'":                    "bash -c git push | git push",
		"/bin/sh -ec 'a; b'":                    "/bin/sh -ec a; b | a | b",
		"zsh --login -c a":                      "zsh --login -c a | a",
		"ksh -c a; ash -c b; dash -c c":         "ksh -c a | a | ash -c b | b | dash -c c | c",
		"fish -c a":                             "fish -c a",
		"sh run.sh -c a":                        "sh run.sh -c a",
		"sh -c":                                 "sh -c",
		"eval git push":                         "eval git push | git push",
		"eval 'a; b'":                           "eval a; b | a | b",
		"X='a; b'; eval \"$X\"":                 "X=a; b | eval a; b | a | b",
		"bash <<END\ngit push\nEND":             "bash | git push",
		"bash -o pipefail <<END\ngit push\nEND": "bash -o pipefail | git push",
		"bash run.sh <<END\ngit push\nEND":      "bash run.sh",
		"bash <<< 'git push'":                   "bash | git push",
		"echo git push | sh":                    "git push | echo git push | sh",
		"echo git push | sudo bash -o pipefail": "git push | echo git push | bash -o pipefail",
		"echo git push | bash -c cat":           "echo git push | bash -c cat | cat",
		"echo git push | sh notify.sh":          "echo git push | sh notify.sh", // the input of a script
		"echo -e 'a\\nb' | bash":                "a | b | echo -e a\\nb | bash",
		"printf 'git push' | sudo sh":           "git push | printf git push | sh",
		"echo git push | cat":                   "echo git push | cat",
		"cat x | sh":                            "cat x | sh",
		"echo git push && sh":                   "echo git push | sh",
		"sudo bash -c \"bash -c 'git push'\"":   "bash -c bash -c 'git push' | bash -c git push | git push",
		"bash -c 'it'\\''s'":                    "bash -c it's", // cannot be read, and is no reason to read nothing
	})
}

func TestWhatIsNoShellHasNoPrograms(t *testing.T) {
	for _, line := range []string{"git commit -m 'open", "if", "(", strings.Repeat("x", maxSimple+1)} {
		if all, ok := Invocations(line); ok || all != nil {
			t.Errorf("%.30q is read as %v", line, all)
		}
	}
	if _, ok := Invocations(strings.Repeat("x", maxSimple)); !ok {
		t.Error("a line of the largest size is not read")
	}
}

// Shells within shells are read to a depth that is known, and no further.
func TestNestedShellsAreReadToABound(t *testing.T) {
	line := "git push"
	for depth := 1; depth <= maxNested+2; depth++ {
		line = "eval " + CommandLine([]string{line})
		all, ok := Invocations(line)
		last := strings.Join(all[len(all)-1].Words, " ")
		if want := depth <= maxNested; !ok || (last == "git push") != want {
			t.Errorf("at depth %d the last program is %.40q (%v), want it read: %v", depth, last, ok, want)
		}
	}
}

// Whatever printable words a program is run with, the line that CommandLine makes of them is read as these words again, by each
// of the readers.
func TestACommandLineIsReadAsItsWords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune(`ab1-_=./ '"$` + "`" + `\#*?[]{}()|&;<>!~%é字`)
	for range 3000 {
		words := []string{"pytest"}
		for range r.IntN(4) {
			var arg []rune
			for range r.IntN(7) {
				arg = append(arg, alphabet[r.IntN(len(alphabet))])
			}
			words = append(words, string(arg))
		}
		line := CommandLine(words)
		all, ok := Invocations(line)
		if !ok || len(all) != 1 || !slices.Equal(all[0].Words, words) {
			t.Fatalf("%q is written %s, and its program read as %s", words, line, listedRuns(all))
		}
		if calls := readCommand(line).calls; len(calls) != 1 || !slices.Equal(calls[0].words, words) {
			t.Fatalf("%q is written %s, and its call read as %+v", words, line, calls)
		}
		if simple, ok := SimpleCommands(line); !ok || fmt.Sprintf("%q", simple) != fmt.Sprintf("%q", [][]string{words}) {
			t.Fatalf("%q is written %s, and listed as %q", words, line, simple)
		}
	}
}
