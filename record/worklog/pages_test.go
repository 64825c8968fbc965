package worklog

import (
	"bytes"
	"strings"
	"testing"
)

// pageSession is one that has something of everything that a page shows.
func pageSession() *Session {
	zero, two, code, end := 0, 2, 1, "2026-01-26T14:34:15Z"
	s := &Session{
		Version: version, ID: "20260126_143215-abcd", Task: "Add | the\nlogin", Tier: "STRICT", Started: FormatTime(when), Completed: &end, Outcome: Failure,
		Entries: []Operation{
			{Time: FormatTime(when), Action: Edit, Status: Completed, Context: "edit a.py", Details: Details{Files: []string{"a.py", "b.py"}}},
			{Time: FormatTime(when), Action: Bash, Status: Failed, Context: "pytest", Details: Details{ExitCode: &code, Summary: "1 failed"}},
			{Time: FormatTime(when), Action: Task, Status: Completed, Context: "look", Details: Details{AgentType: "explorer"}},
			{Time: FormatTime(when), Action: Check, Status: Completed, Context: "planning is done", Details: Details{
				Phase: phasePlanning, Since: &two, Modified: &zero, Tier: "STRICT", PlanTodos: &two, Approach: "a; b"}},
			{Time: FormatTime(when), Action: Check, Status: Completed, Context: "verification is done", Details: Details{
				Phase: phaseVerification, Passed: &two, Failed: &zero, Skipped: &zero, Deviations: []string{"c.py: outside of the paths of T01"}}},
			{Time: FormatTime(when), Action: ActDone, Status: Failed, Context: "ACT: T01", Details: Details{
				Files: []string{"a.py"}, Commit: strings.Repeat("0", 40), Verification: "fail",
				Claims: []ClaimOutcome{{"Add it", "not_verified", true}, {"Test it", "verified", false}}}},
		},
	}
	s.sumUp()
	return s
}

func TestASessionAsText(t *testing.T) {
	want := `20260126_143215-abcd  failure  STRICT  Add | the\nlogin
began 2026-01-26T14:32:15Z, ended 2026-01-26T14:34:15Z; 4 operations, 2 files, 2 checkpoints, 120 s
2026-01-26T14:32:15Z  Edit       completed  edit a.py [a.py, b.py]
2026-01-26T14:32:15Z  Bash       failed     pytest (exit code 1): 1 failed
2026-01-26T14:32:15Z  Task       completed  look by explorer
2026-01-26T14:32:15Z  Checkpoint completed  planning is done: 2 operations, 0 files; tier STRICT, 2 todos: a; b
2026-01-26T14:32:15Z  Checkpoint completed  verification is done; verifications: 2 passed, 0 failed, 0 skipped
    deviation: c.py: outside of the paths of T01
2026-01-26T14:32:15Z  Act        failed     ACT: T01 (000000000000): fail
    not_verified, contradiction: Add it
    verified: Test it
`
	if got := string(printed(t, pageSession(), "text")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	s := pageSession()
	s.Completed, s.isSummary = nil, true
	if got := s.summaryLine(); !strings.Contains(got, ", still running; ") || !strings.HasSuffix(got, "; summarized: the entries come from commits") {
		t.Errorf("got %s", got)
	}
}

func TestAListOfSessions(t *testing.T) {
	all := []ListedSession{{Session: pageSession(), State: FromRef}, {Session: pageSession(), State: FromHistory, Name: "nightly"}}
	for isJSON, want := range map[bool]string{
		false: "20260126_143215-abcd  stored   failure      STRICT      4  Add | the\\nlogin\n" +
			"20260126_143215-abcd  history  failure      STRICT      4  Add | the\\nlogin (nightly)\n",
		true: `"state": "history",` + "\n" + `    "name": "nightly",`,
	} {
		var b bytes.Buffer
		if err := WriteList(&b, all, isJSON); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%v\n%s", err, b.String())
		}
	}
	var b bytes.Buffer
	if pageSession().Write(&b, "csv") == nil || b.Len() > 0 {
		t.Errorf("a format that there is not: %s", b.String())
	}
	for name, found := range map[string]bool{"20260126_143215-abcd": true, "nightly": true, "": false, "other": false} {
		if s, err := Find(all, name); (s != nil && err == nil) != found {
			t.Errorf("%q: %v, %v", name, s, err)
		}
	}
}

func TestWhatIsNoWorklogIsNotRead(t *testing.T) {
	for _, text := range []string{"", "{", "version: \"2.0\"\nsession_id: 20260126_143215-abcd\n", "version: \"1.0\"\nsession_id: x\n"} {
		if s, err := ReadSession([]byte(text)); err == nil {
			t.Errorf("%q reads as %+v", text, s)
		}
	}
}
