package check

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/parser"
)

// RecordedRun is a command that was run, as a session recorded it.
type RecordedRun struct {
	// Command is the whole command line.
	Command string
	// Exit is its exit code; nil where that is not known.
	Exit *int
	// What follows is known of what `acta run` ran alone. Counts are those of the reports that it left, nil for none.
	Counts  parser.Counts
	Reports []string
	// Trees are the work tree when it was run: as it was, and without the files that git did not track.
	Trees []string
	// Noted: it stands in a note on a commit, and in no session.
	Noted bool
}

// where says by whom the run was recorded.
func (r *RecordedRun) where() string {
	if r.Noted {
		return "(refs/notes/acta-runs)"
	}
	return "in this session"
}

// likeness says how far a recorded command is the one that is claimed.
type likeness int

const (
	another  likeness = iota
	perhaps           // a word more may be an option's value, or an argument
	extended          // further options, variables or a folder that was changed to
	same              // the very words
)

// ranRun is a recorded run, read.
type ranRun struct {
	command
	*RecordedRun
	// of is what the exit code is of; nil where that is not known.
	of []call
	// exit is the exit code where it is known.
	exit  int
	known bool
}

func readRun(r *RecordedRun) ranRun {
	run := ranRun{command: readCommand(r.Command), RecordedRun: r}
	if r.Exit == nil {
		return run
	}
	// Where it ends the command, the code is timeout's own.
	if slices.ContainsFunc(run.ending, func(c call) bool { return c.timed }) &&
		(*r.Exit >= 124 && *r.Exit <= 127 || *r.Exit == 137) {
		return run
	}
	run.of, run.exit, run.known = run.calls, *r.Exit, true
	return run
}

// words are what the exit code is of.
func (r *ranRun) words() string {
	var all []string
	for _, c := range r.of {
		all = append(all, strings.Join(c.words, " "))
	}
	return strings.Join(all, " && ")
}

// like compares the run with a claimed command. A chain that ended in 0 tells of each of its programs.
func (r *ranRun) like(claimed []call) likeness {
	if len(claimed) == 1 && r.exit == 0 {
		most := another
		for i := range r.of {
			most = max(most, r.of[i].like(&claimed[0]))
		}
		return most
	}
	if len(claimed) != len(r.of) {
		return another
	}
	least := same
	for i := range claimed {
		least = min(least, r.of[i].like(&claimed[i]))
	}
	return least
}

// mayBe reports whether a program, which has these names, may have ended with an exit code in the run.
func (r *ranRun) mayBe(names []string, exit int) bool {
	named := func(c call) bool { return c.runs(names) }
	switch {
	case mentions(r.text, names):
		return true
	case !slices.ContainsFunc(r.ending, named):
		return false
	case !r.known:
		return true
	case len(r.of) == 1 || len(r.ending) == 1 || r.exit == 0:
		return r.exit == exit
	}
	return true // which program of several failed is not known
}

// hides reports whether a program, which has these names, is in the run, whose exit code is another's.
func (r *ranRun) hides(names []string) bool {
	named := func(c call) bool { return c.runs(names) }
	return !mentions(r.text, names) && !slices.ContainsFunc(r.ending, named) && slices.ContainsFunc(r.all, named)
}

// ruling is what the recorded runs say of a claimed one.
type ruling struct {
	verdict diag.Verdict // 0 where they say nothing
	// reason says why it is not verified; last is the run that decided, nil for none.
	reason string
	last   *ranRun
	// over is a later run of the program that was passed over, since its exit code is not the program's; "" for none.
	over string
}

// hold compares a claimed run with those of its session, in their order. The last run
// of that command counts, further options allowed; what makes its testimony doubtful
// makes the claim unclear.
func hold(claimed []call, exit int, runs []ranRun) ruling {
	if claimed == nil {
		return ruling{}
	}
	likes := make([]likeness, len(runs))
	last, alike := -1, false
	for i := range runs {
		if likes[i] = runs[i].like(claimed); likes[i] >= extended {
			last = i
		}
		alike = alike || likes[i] == perhaps
	}
	switch {
	case last < 0 && alike:
		return ruling{verdict: diag.Unclear, reason: "it is not known whether the recorded command is this one"}
	case last < 0:
		return ruling{}
	case runs[last].exit == exit:
		return ruling{verdict: diag.Verified, last: &runs[last]}
	}
	if why := doubt(claimed, exit, runs, likes, last); why != "" {
		return ruling{verdict: diag.Unclear, reason: why}
	}
	return ruling{
		verdict: diag.NotVerified, last: &runs[last], over: passedOver(claimed, runs[last+1:]),
		reason: fmt.Sprintf("it ended with %d when it was last run %s", runs[last].exit, runs[last].where()),
	}
}

// doubt is what keeps a last run that ended otherwise from proving the claim false; "" for nothing.
func doubt(claimed []call, exit int, runs []ranRun, likes []likeness, last int) string {
	names := claimed[len(claimed)-1].names()
	for i := range runs[last+1:] {
		if runs[last+1+i].mayBe(names, exit) {
			return fmt.Sprintf("it ended with %d, and %s was run once more in another way", runs[last].exit, names[0])
		}
	}
	for i := range runs[:last] {
		gave := likes[i] >= extended && runs[i].exit == exit
		switch {
		case gave && exit != 0:
			return fmt.Sprintf("it ended with %d, and with %d before", runs[last].exit, exit)
		case likes[last] == same:
		case gave && !runs[i].repeats(&runs[last]):
			return fmt.Sprintf("it ended with %d with further options, and with %d before", runs[last].exit, exit)
		}
	}
	return ""
}

// passedOver is the last of these runs that hides the exit code of what is claimed; "" for none.
func passedOver(claimed []call, runs []ranRun) string {
	names := claimed[len(claimed)-1].names()
	for i := range slices.Backward(runs) {
		if runs[i].hides(names) {
			return runs[i].Command
		}
	}
	return ""
}

// repeats reports whether both runs are of the very same words.
func (r *ranRun) repeats(other *ranRun) bool {
	return slices.EqualFunc(r.of, other.of, func(a, b call) bool { return a.like(&b) == same })
}

// claimedCommand is a claimed command without what people write around one: backticks, a prompt.
func claimedCommand(s string) string {
	s = strings.TrimSpace(s)
	if inner := strings.Trim(s, "`"); len(inner) < len(s) && !strings.Contains(inner, "`") {
		s = strings.TrimSpace(inner)
	}
	return strings.TrimPrefix(s, "$ ")
}

// names are what a program is called: its file's name, and of a Python module that is run the module's.
func (c *call) names() []string {
	names := []string{programName(c.words[0])}
	if len(c.words) > 2 && c.words[1] == "-m" {
		names = append(names, c.words[2])
	}
	return names
}

// programName is the name of a program's file without what differs from machine to machine: folder, extension, version.
func programName(word string) string {
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(word, `\`, "/")), ".exe")
	if short := strings.TrimRight(name, "0123456789."); short != "" {
		return short
	}
	return name
}

// runs reports whether a program of one of these names may be run by the call: itself, or as what it is told to run.
func (c *call) runs(names []string) bool {
	switch programName(c.words[0]) {
	case "cat", "echo", "printf", "grep", "egrep", "rg", "ls", "head", "tail", "less", "sed", "awk", "which", "type",
		"wc", "diff",
		"git", "pip", "man", "touch", "mkdir", "rm", "cp", "mv", "chmod":
		return slices.Contains(names, programName(c.words[0]))
	}
	return slices.ContainsFunc(c.words, func(w string) bool { return mentions(w, names) })
}

// mentions reports whether one of the names stands in a text as a word.
func mentions(text string, names []string) bool {
	apart := func(r rune) bool { return strings.ContainsRune(" \t\n\"'`$(){};&|<>=", r) }
	return slices.ContainsFunc(strings.FieldsFunc(text, apart),
		func(w string) bool { return slices.Contains(names, programName(w)) })
}

// like says how far the call is a claimed one.
func (c *call) like(claimed *call) likeness {
	how := further(c.words[1:], claimed.words[1:])
	if how == another || !sameProgram(c.words[0], claimed.words[0]) {
		return another
	}
	if c.words[0] != claimed.words[0] {
		how = min(how, extended)
	}
	return min(how, prepared(c.setup, claimed.setup))
}

// sameProgram compares programs, one of which may say less of where it lies.
func sameProgram(a, b string) bool {
	a, b = strings.TrimPrefix(a, "./"), strings.TrimPrefix(b, "./")
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

// further compares the arguments of a run with those claimed, which it may have more options than.
func further(ran, claimed []string) likeness {
	if slices.Equal(ran, claimed) {
		return same
	}
	if slices.Equal(optionsLast(ran), optionsLast(claimed)) {
		return extended
	}
	how, option := extended, false // option: the word before is one that nobody claimed
	for _, w := range ran {
		switch {
		case len(claimed) > 0 && w == claimed[0]:
			claimed, option = claimed[1:], false
		case strings.HasPrefix(w, "-"):
			option = w != "--" && !strings.Contains(w, "=")
		case !option:
			return another
		default:
			if option = false; !isNumber(w) {
				how = perhaps
			}
		}
	}
	if len(claimed) > 0 {
		return another
	}
	return how
}

// optionsLast orders arguments: what begins with a dash may stand anywhere.
func optionsLast(words []string) []string {
	isOption := func(w string) bool { return strings.HasPrefix(w, "-") }
	var rest, options []string
	for _, w := range words {
		if isOption(w) {
			options = append(options, w)
		} else {
			rest = append(rest, w)
		}
	}
	slices.Sort(options)
	return append(rest, options...)
}

// isNumber reports a number or a duration, which is an option's value and no file.
func isNumber(word string) bool {
	return word != "" && word[0] >= '0' && word[0] <= '9' && strings.Trim(word, "0123456789.smh%") == ""
}

// prepared compares what comes before a run with what is claimed to: it may be more, but in no other folder.
func prepared(ran, claimed []string) likeness {
	if slices.Equal(ran, claimed) {
		return same
	}
	if there := folders(claimed); there != nil && !slices.Equal(there, folders(ran)) {
		return perhaps
	}
	for _, s := range claimed {
		if !slices.Contains(ran, s) {
			return perhaps
		}
	}
	return extended
}

// folders are those that are changed to.
func folders(setup []string) []string {
	var out []string
	for _, s := range setup {
		if strings.HasPrefix(s, "cd ") || strings.HasPrefix(s, "pushd ") {
			out = append(out, s)
		}
	}
	return out
}
