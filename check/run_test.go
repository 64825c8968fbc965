package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/parser"
)

// recordedRuns reads runs written as «command => code», ? being a code that is not known.
func recordedRuns(t *testing.T, lines []string) []ranRun {
	t.Helper()
	var all []ranRun
	for _, line := range lines {
		command, code, ok := strings.Cut(line, " => ")
		if !ok {
			t.Fatalf("no code in %q", line)
		}
		run := RecordedRun{Command: command}
		if code != "?" {
			n, err := strconv.Atoi(code)
			if err != nil {
				t.Fatal(err)
			}
			run.Exit = &n
		}
		all = append(all, readRun(&run))
	}
	return all
}

const silent = diag.Verdict(0)

func TestClaimedRunsAreHeldToRecordedOnes(t *testing.T) {
	type runs []string
	for _, c := range []struct {
		name, claimed string
		exit          int
		recorded      runs
		want          diag.Verdict
	}{
		{"as it was", "pytest -q", 0, runs{"pytest -q => 0"}, diag.Verified},
		{"otherwise", "pytest -q", 0, runs{"pytest -q => 1"}, diag.NotVerified},
		{"a failure that was none", "pytest -q", 1, runs{"pytest -q => 0"}, diag.NotVerified},
		{"another failure", "pytest -q", 1, runs{"pytest -q => 2"}, diag.NotVerified},
		{"the last counts, which passed", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q => 0"}, diag.Verified},
		{"the last counts, which failed", "pytest -q", 0, runs{"pytest -q => 0", "pytest -q => 1"}, diag.NotVerified},
		{"a failure before it passed", "pytest -q", 1, runs{"pytest -q => 1", "pytest -q => 0"}, diag.Unclear},
		{"nothing recorded", "pytest -q", 0, nil, silent},
		{"something else recorded", "pytest -q", 0, runs{"go test ./... => 1"}, silent},
		{"no code", "pytest -q", 0, runs{"pytest -q => ?"}, silent},
		{"no code for the last", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q => ?"}, diag.Unclear},

		{"further option", "pytest", 0, runs{"pytest -q => 1"}, diag.NotVerified},
		{"further options, which hold", "pytest", 0, runs{"pytest -q --tb=short => 0"}, diag.Verified},
		{"option in between", "go test ./a", 0, runs{"go test -count=1 ./a => 1"}, diag.NotVerified},
		{"number as a value", "pytest -q", 0, runs{"pytest -q -n 4 => 1"}, diag.NotVerified},
		{"duration as a value", "go test ./...", 0, runs{"go test -timeout 30s ./... => 1"}, diag.NotVerified},
		{"options of a script", "npm test", 0, runs{"npm test -- --coverage => 1"}, diag.NotVerified},
		{"a value or a file", "pytest", 0, runs{"pytest -k login => 1"}, diag.Unclear},
		{"a file or a value", "pytest", 0, runs{"pytest -q tests/ => 1"}, diag.Unclear},
		{"a target behind an option", "make", 0, runs{"make -j test => 1"}, diag.Unclear},
		{"a file", "pytest", 0, runs{"pytest tests/test_a.py => 1"}, silent},
		{"a target", "make", 0, runs{"make test => 1"}, silent},
		{"another package", "go test ./a", 0, runs{"go test ./b => 1"}, silent},
		{"two packages", "go test ./a", 0, runs{"go test ./b ./a => 1"}, silent},
		{"fewer options", "pytest -q -x", 0, runs{"pytest -q => 1"}, silent},
		{"options elsewhere", "pytest tests/ -q", 0, runs{"pytest -q tests/ => 1"}, diag.NotVerified},
		{"a file that an option follows", "cargo test", 0, runs{"cargo test -- login => 1"}, silent},
		{"stricter after it passed", "go test ./...", 0, runs{"go test ./... => 0", "go test -race ./... => 1"},
			diag.Unclear},
		{"looser after it failed", "go test -race ./...", 0, runs{"go test -race ./... => 1", "go test ./... => 0"},
			diag.Unclear},
		{"the same further options after they passed", "pytest", 0, runs{"pytest -q => 0", "pytest -q => 1"},
			diag.NotVerified},
		{"other further options that passed", "pytest", 0, runs{"pytest -x => 0", "pytest -q => 1"}, diag.Unclear},
		{"further options passed, the words failed", "pytest", 0, runs{"pytest -q => 0", "pytest => 1"}, diag.NotVerified},

		{"later, another way, with the code", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q tests/test_a.py => 0"},
			diag.Unclear},
		{"later, another way, with the code that there was", "pytest -q", 0,
			runs{"pytest -q => 1", "pytest -q tests/test_a.py => 1"}, diag.NotVerified},
		{"later, by the interpreter", "pytest -q", 0, runs{"pytest -q => 1", "python3 -m pytest => 0"}, diag.Unclear},
		{"later, without the interpreter", "python -m pytest", 0, runs{"python -m pytest => 1", "pytest => 0"}, diag.Unclear},
		{"later, by a launcher", "pytest -q", 0, runs{"pytest -q => 1", "uv run pytest => 0"}, diag.Unclear},
		{"later, by a shell", "pytest -q", 0, runs{"pytest -q => 1", `sh -c "cd $X && pytest" => 0`}, diag.Unclear},
		{"later, another program", "pytest -q", 0, runs{"pytest -q => 1", "go test ./... => 0"}, diag.NotVerified},
		{"later, only read about", "pytest -q", 0,
			runs{"pytest -q => 1", "cat pytest.ini => 0", "grep -rn pytest . => 0", "pip install pytest | tail -1 => 0"},
			diag.NotVerified},
		{"later, with a pipe", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q | tail -5 => 0"}, diag.NotVerified},
		{"later, with a pipe that found nothing", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q | grep FAILED => 1"},
			diag.NotVerified},
		{"later, with a pipe on all it says", "pytest -q", 0,
			runs{"pytest -q => 1", "cd src && CI=1 pytest -q |& tee log => 0"}, diag.NotVerified},
		{"later, with a pipe that fails with it", "pytest -q", 0,
			runs{"pytest -q => 1", "set -o pipefail; pytest -q | tail -5 => 0"}, diag.Unclear},
		{"later, with a pipe that failed with it", "pytest -q", 0,
			runs{"pytest -q => 1", "set -euo pipefail\npytest -q | tail -5 => 1"}, diag.Unclear},
		{"later, at the end of a pipe", "pytest -q", 0, runs{"pytest -q => 1", "yes | pytest -q => 0"}, diag.Unclear},
		{"later, with an alternative", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q || true => 0"}, diag.NotVerified},
		{"later, another way with an alternative", "pytest -q", 0,
			runs{"pytest -q => 1", "python -m pytest tests || :  => 0"}, diag.NotVerified},
		{"later, as the alternative", "pytest -q", 0, runs{"pytest -q => 1", "make || pytest -q => 0"}, diag.NotVerified},
		{"later, with a code that is not known and an alternative", "pytest -q", 0,
			runs{"pytest -q => 1", "pytest -q || true => ?"}, diag.NotVerified},
		{"later, first of a list", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q; true => 0"}, diag.Unclear},
		{"later, first of a list that shows the code", "pytest -q", 0,
			runs{"pytest -q => 1", "pytest -q; echo \"exit $?\" => 0"}, diag.Unclear},
		{"later, first of two lines", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q\ngit status => 0"}, diag.Unclear},
		{"later, last of a list", "pytest -q", 0, runs{"pytest -q => 1", "cd src; pytest -q => 0"}, diag.Unclear},
		{"later, last of a list that failed again", "pytest -q", 0, runs{"pytest -q => 1", "cd src; pytest -q => 1"},
			diag.Unclear},
		{"later, last of two lines", "pytest -q", 0, runs{"pytest -q => 1", "source .venv/bin/activate\npytest -q\n => 0"},
			diag.Unclear},
		{"later, last of a list in brackets", "pytest -q", 0, runs{"pytest -q => 1", "(cd src; pytest -q) => 0"},
			diag.Unclear},
		{"later, first of a list in brackets", "pytest -q", 0, runs{"pytest -q => 1", "{ pytest -q; true; } => 0"},
			diag.Unclear},
		{"later, with its code handed on", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q; exit $? => 0"}, diag.Unclear},
		{"later, with another code handed on", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q; exit 0 => 0"},
			diag.Unclear},
		{"later, with its code kept and handed on", "pytest -q", 0,
			runs{"pytest -q => 1", "pytest -q > log 2>&1; rc=$?; tail log; exit \"$rc\" => 0"}, diag.Unclear},
		{"later, with the code of the pipe's first handed on", "pytest -q", 0,
			runs{"pytest -q => 1", "pytest -q | tail; exit ${PIPESTATUS[0]} => 0"}, diag.Unclear},
		{"later, ending the list where it fails", "pytest -q", 0,
			runs{"pytest -q => 1", "set -e; cd src; pytest -q; echo passed => 0"}, diag.Unclear},
		{"later, ending the list where its pipe fails", "pytest -q", 0,
			runs{"pytest -q => 1", "set -euo pipefail\npytest -q | tail\necho passed => 0"}, diag.Unclear},
		{"later, ending a list in brackets", "pytest -q", 0,
			runs{"pytest -q => 1", "set -e; (cd src; pytest -q; echo passed); ls => 0"}, diag.Unclear},
		{"later, ending the list, which failed again", "pytest -q", 0,
			runs{"pytest -q => 1", "set -e; cd src; pytest -q => 1"}, diag.Unclear},
		{"later, ending nothing with an alternative", "pytest -q", 0,
			runs{"pytest -q => 1", "set -e; pytest -q || true; echo passed => 0"}, diag.Unclear},
		{"later, turned around", "pytest -q", 0, runs{"pytest -q => 1", "! pytest -q => 0"}, diag.NotVerified},
		{"later, in the background", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q & => 0"}, diag.NotVerified},
		{"later, waited for", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q & wait => 0"}, diag.Unclear},
		{"later, as a condition", "pytest -q", 0, runs{"pytest -q => 1", "if pytest -q; then echo passed; fi => 0"},
			diag.Unclear},
		{"later, on a condition", "pytest -q", 0,
			runs{"pytest -q => 1", "if [ -d src ]; then pytest -q; else echo none; fi => 0"}, diag.Unclear},
		{"later, in a loop", "pytest -q", 0, runs{"pytest -q => 1", "for d in a b; do (cd $d && pytest -q); done => 0"},
			diag.Unclear},
		{"later, in a loop with an alternative", "pytest -q", 0,
			runs{"pytest -q => 1", "for d in a b; do pytest -q $d || true; done => 0"}, diag.Unclear},
		{"later, in a function", "pytest -q", 0, runs{"pytest -q => 1", "t() { cd $1 && pytest -q; }; t src => 0"},
			diag.Unclear},
		{"later, in a function that is not called", "pytest -q", 0,
			runs{"pytest -q => 1", "t() { pytest -q; }; true => 0"}, diag.Unclear},
		{"later, for a variable", "pytest -q", 0, runs{"pytest -q => 1", "out=$(pytest -q) && echo \"$out\" => 0"},
			diag.Unclear},
		{"later, for what is printed", "pytest -q", 0, runs{"pytest -q => 1", "echo \"$(pytest -q)\" => 0"},
			diag.NotVerified},
		{"later, by a shell, with an alternative", "pytest -q", 0,
			runs{"pytest -q => 1", "bash -lc 'pytest -q || true' => 0"}, diag.NotVerified},
		{"later, by a shell, last of a list", "pytest -q", 0, runs{"pytest -q => 1", "bash -lc 'cd src; pytest -q' => 0"},
			diag.Unclear},
		{"later, after options of the shell in its chain", "pytest -q", 0,
			runs{"pytest -q => 1", "set -o pipefail && pytest -q | tail -5 => 0"}, diag.Unclear},
		{"later, by a shell that is given options", "pytest -q", 0,
			runs{"pytest -q => 1", "bash -euc 'pytest -q; echo passed' => 0"}, diag.Unclear},
		{"later, of wrappers that run nothing", "pytest -q", 0,
			runs{"pytest -q => 1", "f() { pytest; }; nohup --version => 0", "nice -n => 0"}, diag.Unclear},
		{"later, no shell", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q ( => 0"}, diag.Unclear},
		{"later, redirected", "pytest -q", 0,
			runs{"pytest -q => 1", "cd src && timeout 60 env CI=1 pytest -q > log 2>&1 => 0"}, diag.Verified},
		{"later, with all that it says in a file", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q &> log => 0"},
			diag.Verified},
		{"before and after an alternative", "pytest -q", 1, runs{"pytest -q => 1", "pytest -q || true => 0"}, diag.Verified},
		{"in another way and with an alternative", "pytest -q", 0,
			runs{"pytest -q => 1", "uv run pytest => 0", "pytest -q || true => 0"}, diag.Unclear},
		{"later, in a chain", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q && ruff check => 1"}, diag.Unclear},
		{"before, with a pipe", "pytest -q", 0, runs{"pytest -q | tail -5 => 0", "pytest -q --lf => 1"}, diag.NotVerified},

		{"a pipe", "pytest -q", 0, runs{"pytest -q | tee log => 1"}, silent},
		{"a claimed pipe", "pytest -q | tee log", 0, runs{"pytest -q => 1"}, silent},
		{"a list", "pytest -q", 0, runs{"pytest -q; true => 1"}, silent},
		{"a list that ends", "pytest -q", 0, runs{"pytest -q; => 1"}, diag.NotVerified},
		{"two lines", "pytest -q", 0, runs{"true\npytest -q => 1"}, silent},
		{"an alternative", "pytest -q", 0, runs{"pytest -q || true => 1"}, silent},
		{"negated", "pytest -q", 0, runs{"! pytest -q => 1"}, silent},
		{"in the background", "pytest -q", 0, runs{"pytest -q & => 1"}, silent},
		{"a loop", "pytest -q", 0, runs{"for i in 1 2; do pytest -q; done => 1"}, silent},
		{"no shell", "pytest -q", 0, runs{"pytest -q ( => 1"}, silent},
		{"too long", "pytest -q", 0, runs{"pytest -q" + strings.Repeat(" ", maxCommand) + " => 1"}, silent},

		{"in a folder", "pytest -q", 0, runs{"cd src && pytest -q => 1"}, diag.NotVerified},
		{"in the folder", "cd src && pytest -q", 0, runs{"cd src && pytest -q => 1"}, diag.NotVerified},
		{"in two folders", "npm test", 0, runs{"cd a && npm test => 0", "cd b && npm test => 1"}, diag.Unclear},
		{"in another folder", "cd a && npm test", 0, runs{"cd b && npm test => 1"}, diag.Unclear},
		{"in a folder below", "cd a && npm test", 0, runs{"cd a && cd b && npm test => 1"}, diag.Unclear},
		{"with a folder in brackets", "pytest", 0, runs{"(cd src && pytest) => 1"}, diag.NotVerified},
		{"a virtual environment", "pytest", 0, runs{"source .venv/bin/activate && pytest => 1"}, diag.NotVerified},
		{"the last of a chain that passed", "pytest", 0, runs{"make && pytest => 0"}, diag.Verified},
		{"the first of a chain that passed", "make", 0, runs{"make && pytest => 0"}, diag.Verified},
		{"the last of a chain that failed", "pytest", 0, runs{"make && pytest => 1"}, silent},
		{"a chain that failed", "make && pytest", 0, runs{"make && pytest -q => 1"}, diag.NotVerified},
		{"a chain that passed", "make && pytest", 1, runs{"make && pytest => 0"}, diag.NotVerified},
		{"with a last word", "pytest", 0, runs{"pytest && echo passed => 1"}, diag.NotVerified},
		{"nothing but words", "echo pytest", 0, runs{"echo pytest => 1"}, silent},

		{"variables", "pytest", 0, runs{"CI=1 pytest => 1"}, diag.NotVerified},
		{"variables by env", "CI=1 pytest", 0, runs{"env CI=1 pytest => 1"}, diag.NotVerified},
		{"exported variables", "pytest", 0, runs{"export CI=1 && pytest => 1"}, diag.NotVerified},
		{"claimed variables", "CI=1 pytest", 0, runs{"pytest => 1"}, diag.Unclear},
		{"timeout", "pytest", 0, runs{"timeout -k 5 60 pytest => 1"}, diag.NotVerified},
		{"timeout that struck", "pytest", 0, runs{"timeout 60 pytest => 124"}, silent},
		{"timeout of a shell that struck", "pytest", 0, runs{"timeout 60 sh -c 'pytest' => 124"}, silent},
		{"other wrappers", "pytest", 0, runs{"time nice -n 10 nohup pytest => 1"}, diag.NotVerified},
		{"redirected", "pytest -q", 0, runs{"pytest -q > log.txt 2>&1 < /dev/null => 1"}, diag.NotVerified},
		{"commented", "pytest -q", 0, runs{"pytest -q # all of them => 1"}, diag.NotVerified},
		{"by a shell", "pytest -q", 0, runs{`bash -lc "cd src && pytest -q" => 1`}, diag.NotVerified},
		{"by a shell, piped", "pytest -q", 0, runs{`sh -c 'pytest -q | tail' => 1`}, silent},

		{"path of the program", "pytest -q", 0, runs{"/usr/bin/pytest -q => 1"}, diag.NotVerified},
		{"claimed path of the program", ".venv/bin/pytest -q", 0, runs{"pytest -q => 1"}, diag.NotVerified},
		{"two programs of one name", "a/test.sh", 0, runs{"b/test.sh => 1"}, silent},
		{"the interpreter's module", "pytest -q", 0, runs{"python -m pytest -q => 1"}, silent},
		{"quotes", `pytest -k "not slow"`, 0, runs{`pytest -k 'not slow' => 1`}, diag.NotVerified},
		{"a backslash", `pytest -k not\ slow`, 0, runs{`pytest -k 'not slow' => 1`}, diag.NotVerified},
		{"quotes that matter", `pytest -k "not slow"`, 0, runs{`pytest -k not slow => 1`}, silent},
		{"a variable", `pytest $ARGS`, 0, runs{`pytest $ARGS => 1`}, diag.NotVerified},
		{"quotes that stand for other bytes", `pytest -k 'a\tb'`, 0, runs{`pytest -k $'a\tb' => 1`}, silent},
		{"blanks", "pytest   -q ", 0, runs{" pytest -q => 1"}, diag.NotVerified},
		{"no-break blanks", "pytest\u00a0-q", 0, runs{"pytest -q => 1"}, diag.NotVerified},
		{"case", "PyTest -q", 0, runs{"pytest -q => 1"}, silent},
		{"backticks", "`pytest -q`", 0, runs{"pytest -q => 1"}, diag.NotVerified},
		{"a prompt", "$ pytest -q", 0, runs{"pytest -q => 1"}, diag.NotVerified},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := hold(readCommand(claimedCommand(c.claimed)).calls, c.exit, recordedRuns(t, c.recorded))
			if got.verdict != c.want {
				t.Errorf("%q | exit %d against %q: got %v (%s), want %v", c.claimed, c.exit, c.recorded, got.verdict, got.reason, c.want)
			}
			if decided := got.verdict == diag.NotVerified || got.verdict == diag.Verified; decided != (got.last != nil) {
				t.Errorf("%v, decided by %v", got.verdict, got.last)
			}
		})
	}
}

// A claim that says what the last run of its very words gave is never contradicted, whatever else was run; and what
// is contradicted, the same runs would verify with the exit code that there was.
func TestHonestRunsAreNeverContradicted(t *testing.T) {
	commands := []string{
		"pytest -q", "pytest", "pytest -q -x", "pytest tests/a.py", "cd src && pytest -q", "CI=1 pytest -q", "pytest -q | tail",
		"make && pytest -q", "pytest -q || true", "python -m pytest -q", "timeout 9 pytest -q", "go test ./...", "go test -race ./...",
		"sh -c 'pytest -q'", "pytest -k login", "/usr/bin/pytest -q", "make test", "(",
	}
	contradicted := 0
	random := rand.New(rand.NewPCG(6, 1))
	for range 20_000 {
		var lines []string
		last := map[string]int{}
		for range random.IntN(8) {
			command, code := commands[random.IntN(len(commands))], random.IntN(2)
			last[command] = code
			lines = append(lines, fmt.Sprintf("%s => %d", command, code))
		}
		runs := recordedRuns(t, lines)
		for command, code := range last {
			calls := readCommand(command).calls
			if run := lastSame(runs, calls); run != nil && run.exit == code {
				if got := hold(calls, code, runs); got.verdict == diag.NotVerified {
					t.Fatalf("%q | exit %d is true of %q and contradicted: %s", command, code, lines, got.reason)
				}
			}
			if got := hold(calls, 1-code, runs); got.verdict == diag.NotVerified {
				contradicted++
				if again := hold(calls, got.last.exit, runs); again.verdict != diag.Verified {
					t.Fatalf("%q | exit %d is contradicted by %q, and exit %d is %v", command, 1-code, lines, got.last.exit, again.verdict)
				}
			}
		}
	}
	if contradicted < 1000 {
		t.Errorf("only %d claims were contradicted; the test asks too little", contradicted)
	}
}

// lastSame is the last run of the very words of a command.
func lastSame(runs []ranRun, calls []call) *ranRun {
	for i := range slices.Backward(runs) {
		if runs[i].of != nil && runs[i].like(calls) == same {
			return &runs[i]
		}
	}
	return nil
}

// What was passed over is told: the last run of the program whose exit code is not its own.
func TestARunThatIsPassedOverIsTold(t *testing.T) {
	for _, c := range []struct {
		later []string
		want  string
	}{
		{nil, ""},
		{[]string{"go test ./... || true => 0", "grep -rn pytest . | tail => 0", "pytest --lf => 1"}, ""},
		{[]string{"pytest -q | tail => 0", "pytest || true => 0", "ls | wc -l => 0"}, "pytest || true"},
	} {
		got := hold(readCommand("pytest -q").calls, 0, recordedRuns(t, append([]string{"pytest | cat => 0", "pytest -q => 1"}, c.later...)))
		if got.verdict != diag.NotVerified || got.over != c.want {
			t.Errorf("%q: %v, passed over %q; want %q", c.later, got.verdict, got.over, c.want)
		}
	}
}

func TestARunReportedTwiceTellsOfTwoRuns(t *testing.T) {
	report := parser.Parse([]byte("ACT: T01\n\nRan: pytest | exit 0\nRan: `pytest` | exit 1\nRan: make\nRan: go vet | exit 0\n")).Parts[0].Ran
	held := heldRuns(report, recordedRuns(t, []string{"pytest => 0", "pytest => 1"}))
	if len(held) != 2 || held[0].verdict != diag.Unclear || held[1].verdict != diag.Verified {
		t.Errorf("got %+v", held)
	}
	held = heldRuns(report[:1], recordedRuns(t, []string{"pytest => 0", "pytest => 1"}))
	if len(held) != 1 || held[0].verdict != diag.NotVerified {
		t.Errorf("got %+v", held)
	}
}

func TestSimpleCommandsAreListed(t *testing.T) {
	for line, want := range map[string]string{
		"":                                   "[]",
		"FOO=1":                              "[]",
		"FOO=1 pytest -q > log 2>&1":         "[[pytest -q]]",
		"cd a && { pytest; } | tail -1":      "[[cd a] [pytest] [tail -1]]",
		"if ! go vet; then exit 1; fi":       "[[go vet] [exit 1]]",
		`x="$(go test ./...)"; echo "$x"`:    "[[go test ./...] [echo ]]",
		`"$BIN/py"test 'a b' $'c'`:           "[[/pytest a b c]]",
		`a\ b "c\d" "e\"f"`:                  `[[a b c\d e"f]]`,
		"run() { pytest; }; run":             "[[run]]",
		"for i in 1 2; do npm test $i; done": "[[npm test ]]",
		"pytest\u00a0-q":                     "[[pytest -q]]",
		"cat <<E\npytest\nE\n":               "[[cat]]",
	} {
		if all, ok := SimpleCommands(line); !ok || fmt.Sprint(all) != want {
			t.Errorf("%q: %v, %v; want %s", line, all, ok, want)
		}
	}
	for _, line := range []string{"it's", "(", "pytest " + strings.Repeat("x", maxSimple), strings.Repeat("(", maxSimple), strings.Repeat("$(", maxSimple/2)} {
		if all, ok := SimpleCommands(line); ok || all != nil {
			t.Errorf("%.20q is a shell's: %v", line, all)
		}
	}
}

// Shells that run shells are read once each: twice at every depth would take seconds.
func TestNestedShellsAreReadOnce(t *testing.T) {
	line, depth := "pytest", 0
	for ; ; depth++ {
		quoted := "'" + strings.ReplaceAll(line, "'", `'\''`) + "'"
		if depth%2 == 1 {
			quoted = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(line) + `"`
		}
		if len(quoted) > maxCommand-len("sh -c ") {
			break
		}
		line = "sh -c " + quoted
	}
	c := readCommand(line)
	if depth < 10 || len(c.calls) != 1 || len(c.ending) != 1 || len(c.all) != 1 {
		t.Errorf("at depth %d: %+v", depth, c)
	}
	if n := testing.AllocsPerRun(1, func() { readCommand(line) }); n > 50_000 {
		t.Errorf("%.0f allocations to read %d bytes", n, len(line))
	}
}

// No line makes the reader hang or fall over, however it nests.
func FuzzCommand(f *testing.F) {
	for _, s := range []string{
		"cd a && A=b timeout 5 pytest -k 'x y' > log 2>&1", strings.Repeat("(", maxCommand), strings.Repeat("sh -c $(", 400), strings.Repeat("`", 99),
		`sh -c "sh -c 'sh -c \"sh -c x\"'"`, strings.Repeat("sh -c ", 600) + "x", "env env env", "timeout", "timeout -k", "\x00", "$'\\x41' <<E\nE", "a=(b c) declare -a x",
		strings.Repeat("{ ", 2000), "sh -c", "bash -c ''", "export", "time", "\\", "\"\\\n\"",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c := readCommand(claimedCommand(s))
		for _, call := range slices.Concat(c.calls, c.ending, c.all) {
			if len(call.words) == 0 {
				t.Fatalf("%q runs a program without a name", s)
			}
			call.names()
		}
		zero := 0
		if run := readRun(&RecordedRun{Command: s, Exit: &zero}); c.calls != nil && s == claimedCommand(s) {
			if got := hold(c.calls, 0, []ranRun{run}); run.of != nil && got.verdict != diag.Verified {
				t.Fatalf("%q does not hold against itself: %v", s, got)
			}
		}
	})
}
