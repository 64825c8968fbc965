package rules

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// StatusRan is the status of a claimed run in ClaimVerdict; items have Done and the like.
const StatusRan = "ran"

func runContradicted(p *pass) {
	for _, c := range p.checkedRuns {
		switch {
		case c.staleReason != "":
			p.noteRun(&c.ClaimedRun, c.item(), fmt.Sprintf("«%s» was not compared with its record: %s.",
				shorten(commandOf(&c.ClaimedRun)), c.staleReason),
				"run it again with `acta run -- COMMAND`, and report the line that it prints")
		case c.verdict != report.NotVerified:
		case *c.last.Exit == c.Exit:
			p.reportRanAt(c, fmt.Sprintf("«%s» is reported with %s, and the reports of its last run %s have %s.",
				shorten(commandOf(&c.ClaimedRun)), c.Counts, c.last.source(), c.last.Counts),
				fmt.Sprintf("report what was recorded: «Ran: %s | exit %d | %s»", shorten(commandOf(&c.ClaimedRun)),
					*c.last.Exit, c.last.Counts))
		default:
			command, exit := shorten(commandOf(&c.ClaimedRun)), *c.last.Exit
			p.reportRanAt(c, fmt.Sprintf("«%s» ended with exit code %d when it was last run %s, not with %d.", command, exit,
				c.last.source(), c.Exit),
				fmt.Sprintf("fix what fails and run it again, or report «Ran: %s | exit %d»", command, exit))
		}
	}
	p.reportContradicted()
}

type checkedRun struct {
	parser.ClaimedRun
	runVerdict
	// staleReason says why its record is of another tree; "" where it is not.
	staleReason string
}

// item is how the run is called among the claims of the commit.
func (c *checkedRun) item() string {
	if c.IsProof {
		return report.ProofItem + c.Command.Value
	}
	return "Ran: " + c.Command.Value
}

// commandOf is the command line of a claimed run, blanks folded.
func commandOf(c *parser.ClaimedRun) string {
	text := claimedCommand(c.Command.Value)
	if c.IsProof {
		text = foldBlanks(report.ProofCommand(text))
	}
	return text
}

func (c *checkedRun) claimVerdict(unit string) report.ClaimVerdict {
	outcome := "exit " + strconv.Itoa(c.Exit)
	if c.Counts != nil {
		outcome += " | " + c.Counts.String()
	}
	if c.IsProof {
		outcome = fmt.Sprintf("%d of %d", c.Counts["passed"], c.Counts["passed"]+c.Counts["failed"])
	}
	return report.ClaimVerdict{
		Unit: unit, Item: c.item(), Status: StatusRan, Kind: string(evidence.KindCode), Evidence: outcome,
		Verdict: c.verdict, IsContradiction: c.verdict == report.NotVerified, Reason: c.reason,
	}
}

// judgeRuns compares the runs that an ACT claims with the record. An unrecorded run has no verdict.
func (f *gathering) judgeRuns() {
	if f.Part.Kind != parser.Act || f.IsWholeCommit || !f.HasRuns || len(f.Part.Runs) == 0 {
		return
	}
	recorded := answer(f.inquiry, f.Source.Runs)
	if len(recorded) == 0 {
		return
	}
	f.checkedRuns = checkRuns(f.Part.Runs, recorded)
	for _, c := range f.checkedRuns {
		checkCounts(c, recorded)
		f.checkStale(c)
	}
}

// checkRuns are the claimed runs that the record knows. If a run is claimed twice with different codes, the first claim
// means an earlier run, which the last recorded one does not refute.
func checkRuns(claimed []parser.ClaimedRun, runs []RecordedRun) []*checkedRun {
	var out []*checkedRun
	laterExit := map[string]int{} // how a command ends that is reported further down
	for _, c := range slices.Backward(claimed) {
		if c.Err != "" {
			continue
		}
		text := commandOf(&c)
		run := &checkedRun{ClaimedRun: c, runVerdict: compareRun(text, c.Exit, runs)}
		if code, ok := laterExit[text]; ok && code != c.Exit && run.verdict == report.NotVerified {
			run.runVerdict = runVerdict{verdict: report.Unclear, reason: fmt.Sprintf("it is reported again, with exit %d", code)}
		}
		if laterExit[text] = c.Exit; run.verdict != 0 {
			out = append(out, run)
		}
	}
	slices.Reverse(out)
	return out
}

func (p *pass) reportRanAt(c *checkedRun, message, hint string) {
	if proof := c.last.Proof; proof != nil && c.IsProof {
		message = fmt.Sprintf("The last proof by this command %s says otherwise: «%s».", c.last.source(), proof.Line())
		hint = "report that line, or write tests that notice more, and prove it again"
	}
	f := findingAt(c.Command.Span, message, hint)
	f.Item = c.item()
	p.report(f, f.Item, c.Command.Value, fmt.Sprintf("%s | exit %d", c.Command.Value, c.Exit))
}

func (p *pass) noteRun(r *parser.ClaimedRun, item, message, hint string) {
	f := findingAt(r.Command.Span, message, hint)
	f.Rule, f.Severity, f.Unit, f.Item = p.rule.ID, report.Note, p.Part.Unit.Value, item
	p.findings = append(p.findings, f)
}

func runEmpty(p *pass) {
	if p.Results != nil && p.Part.Kind == parser.Act && p.Results.isEmpty() {
		p.report(emptyRun(p.Part), p.Part.Unit.Value)
	}
}

func runEmptyInRange(p *rangePass) {
	if p.Results == nil || len(p.Acts) == 0 || !p.Results.isEmpty() {
		return
	}
	last := &p.Acts[len(p.Acts)-1]
	p.reportAct(last, last.Part.Unit.Value, emptyRun(last.Part))
}

// isEmpty reports whether there are reports of tests, and no test was executed.
func (r *Results) isEmpty() bool { return len(r.set.Tests) > 0 && r.set.Counts().Ran == 0 }

func emptyRun(part *parser.Part) report.Finding {
	return findingAt(part.Unit.Span, "The test results contain no test that ran.",
		"check which tests the runner found, run them, and pass the new reports")
}

// reportAct adds a finding about the message of an ACT; place is where it can be waived.
func (p *rangePass) reportAct(a *RangeAct, place string, f report.Finding) {
	f.Commit, f.Unit = a.Commit, a.Part.Unit.Value
	p.report(f, p.rule.milderSeverity(p.Policy, a.tier), a.tier, a.Part.Waivers, place)
}

// runner is a program that runs all tests of a project.
type runner struct {
	// commands are the words of which one must follow it; nil if none must.
	commands []string
	// endings are those of its test files, markers the files that each project has one of.
	endings, markers []string
}

var runners = map[string]runner{
	"pytest": {nil, []string{".py"}, []string{"pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini"}},
	"go":     {[]string{"test"}, []string{".go"}, []string{"go.mod"}},
	"cargo":  {[]string{"test", "t", "nextest"}, []string{".rs"}, []string{"Cargo.toml"}},
	"jest":   {nil, scriptEndings, []string{"package.json"}},
	"vitest": {nil, scriptEndings, []string{"package.json"}},
	"mvn":    {[]string{"verify"}, jvmEndings, nil},
}

var (
	scriptEndings = []string{".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"}
	jvmEndings    = []string{".java", ".kt", ".scala", ".groovy"}
	// neutralWords may follow a runner and leave out no test; neutralPrefixes are their beginnings.
	neutralWords = []string{
		"test", "t", "verify", "run", "nextest", "./...", "-q", "-v", "-vv", "-s", "-ra", "-B", "-race", "-json", "-cover",
		"--quiet", "--verbose", "--ci", "--coverage", "--cov", "--no-cov", "--all-features", "--release",
	}
	neutralPrefixes = []string{
		"--junitxml=", "--junit-xml=", "--cov=", "--cov-report=", "--tb=", "-coverprofile=", "-count=", "-covermode=",
		"-coverpkg=", "-timeout=", "--timeout=", "--durations=", "--reporter=", "--reporters=", "--color=",
	}
)

// runnerOf is the runner that a command line starts with all tests; nil if it starts none, more, or fewer tests.
func runnerOf(line string) *runner {
	words := strings.Fields(line)
	if len(words) > 2 && strings.HasPrefix(path.Base(words[0]), "python") && words[1] == "-m" {
		words = words[2:]
	}
	if len(words) == 0 || strings.ContainsAny(line, "|&;<>()`$\n\"'") {
		return nil
	}
	name, rest := path.Base(words[0]), words[1:]
	r, ok := runners[name]
	isCommand := func(w string) bool { return slices.Contains(r.commands, w) }
	if !ok || len(r.commands) > 0 && !slices.ContainsFunc(rest, isCommand) ||
		name == "go" && !slices.Contains(rest, "./...") {
		return nil
	}
	for _, w := range rest {
		begins := func(begin string) bool { return strings.HasPrefix(w, begin) }
		if !slices.Contains(neutralWords, w) && !slices.ContainsFunc(neutralPrefixes, begins) {
			return nil
		}
	}
	return &r
}

func (r *Results) countProjects(markers []string) int {
	folders := map[string]bool{}
	for _, f := range r.files {
		if slices.Contains(markers, path.Base(f)) {
			folders[path.Dir(f)] = true
		}
	}
	return len(folders)
}

// contradiction says how reports of the same code, with all tests of the command, contradict a claimed run; "" if they
// do not.
func (r *Results) contradiction(claimed parser.ClaimedRun) string {
	if claimed.Err != "" || claimed.Exit != 0 || claimed.IsProof {
		return ""
	}
	run := runnerOf(claimedCommand(claimed.Command.Value))
	if run == nil || r.countProjects(run.markers) > 1 { // which of them it was run in is not said
		return ""
	}
	tally := r.index.Tally(run.endings)
	passed := claimed.Counts["passed"]
	if n := len(tally.Failed); n > 0 {
		return fmt.Sprintf("the test results say that %s failed: %s", report.Plural(n, "test"),
			strings.Join(tally.Failed[:min(n, 3)], ", "))
	}
	if passed > tally.Known && tally.Known > 0 && tally.Unknown == 0 {
		return fmt.Sprintf("it says that %d tests passed, and the test results have %d", passed, tally.Known)
	}
	return ""
}

func (r *Results) contradictionFinding(c parser.ClaimedRun) *report.Finding {
	why := r.contradiction(c)
	if why == "" {
		return nil
	}
	f := findingAt(c.Command.Span,
		fmt.Sprintf("«%s» is reported with exit code 0; %s.", shorten(claimedCommand(c.Command.Value)), why),
		"fix what fails and run it again, or report how it really ended")
	f.Item = "Ran: " + c.Command.Value
	return &f
}

// reportContradicted reports the claimed runs that results say otherwise of. What the session recorded is nearer.
func (p *pass) reportContradicted() {
	if p.severity = p.rule.milderSeverity(p.Policy, p.Tier); p.severity == 0 || p.Results == nil ||
		p.Part.Kind != parser.Act {
		return
	}
	for _, c := range p.Part.Runs {
		isChecked := func(r *checkedRun) bool { return r.Command == c.Command && r.verdict != report.Unclear }
		if f := p.Results.contradictionFinding(c); f != nil && !slices.ContainsFunc(p.checkedRuns, isChecked) {
			p.report(*f, f.Item, c.Command.Value)
		}
	}
}

func runRangeContradicted(p *rangePass) {
	if p.Results == nil {
		return
	}
	for i := range p.Acts {
		a := &p.Acts[i]
		if !a.IsUnchanged {
			continue
		}
		for _, c := range a.Part.Runs {
			if f := p.Results.contradictionFinding(c); f != nil {
				p.reportAct(a, c.Command.Value, *f)
			}
		}
	}
}
