package host

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSaysDone(t *testing.T) {
	yes := []string{
		"Done.", "All done!", "I'm done.", "✅ Done", "**All done.**", "Everything is done.", "Finished.", "Great, all done.",
		"Done! I've added the login and all tests pass.", "The task is complete.", "The task is now complete.", "Task complete.", "Task T01 is done.",
		"T01 is complete.", "M01/S01/T01 is done: the login works.", "I have finished the task.", "I've completed all tasks.", "I've implemented everything.",
		"I have successfully completed all the requested changes.", "All items are done.", "All 3 checklist items have been implemented.",
		"The implementation is complete. All tests pass.", "Here is what I did:\n\n- login\n- logout\n\nEverything is now fully implemented.", "Work completed.",
		"## Done\n\nThe login is in `src/auth.py`.", "Implementation complete!", "The task T01 is complete.", "I’m done.", "I am done with the task.",
		"T01 complete.", "All checklist items complete.", "Done, all finished.", "Task finished: the login is in.", "Implementation is complete.", "Everything's done.", "I'm finished with T01.",
		"Completed T01.", "Finished M01/S01/T01.", "Implementation is complete and verified.", "Successfully implemented your request.",
	}
	no := []string{
		"", "Hello.", "I've added the login method.", "The login is not done.", "It isn't complete yet.", "Almost done.", "Once the task is complete I will commit.",
		"Is the task complete?", "All done, shall I commit?", "When everything is done, run the tests.", "Done. The logout is still missing.", "Done, but the tests remain.",
		"The task is done except for the logout.", "I've finished the first part of the task.", "I couldn't finish the task.", "I'll mark it complete.", "All tests pass.",
		"The task will be complete soon.", "Partially done.", "Nothing is done.", "```\nAll done.\n```", "> All done.", "The build is done running.", "I'm blocked: I cannot run the tests. Done for now.",
		"Done with the login. Next steps: the logout.", "sha256 is implemented in the standard library.", "I have done some work on the task.", "The request completed with code 500.",
		"I've implemented login() in src/auth.py.\n\nWhat's left:\n- logout()", "The login has been implemented.\n\n## Open points\n\n- logout()",
		"I implemented the login. The logout is to follow.", "I've implemented login(). logout() needs your decision.", "We implemented the login last sprint.",
		"I finished reading the plan.", "What's left to do: the logout. All done otherwise.", "Should be done.", "I skipped the logout. All done.", "Tests are done in CI.",
		"If all items are done, we can go on.", "Not all items are done.", "The plan says the task must be complete.", "Please confirm that all work is done.",
		"Finished the unit tests.", "I've completed the unit tests for the login.", "Completed T01's first item.",
	}
	for _, s := range yes {
		if !saysDone(s) {
			t.Errorf("%q says that the work is done", s)
		}
	}
	for _, s := range no {
		if saysDone(s) {
			t.Errorf("%q does not say that the work is done", s)
		}
	}
}

// The last message of an agent is longer than a word, mostly.
func TestSaysThatTheWholeIsThere(t *testing.T) {
	yes := []string{
		"I've finished implementing the login.", "Successfully implemented login().", "I have implemented the login function as requested.", "The feature is ready.",
		"I've completed the implementation.", "Implementation is complete.", "I implemented the login and added tests for it.", "I’ve now implemented `login()` and `logout()`.",
		"I've implemented the session handling so that users can log in and out again.\n\nAll tests pass.",
		"I have implemented the login function as requested:\n\n- `login()` opens a session\n- `logout()` closes it\n- errors when the user is not known\n- a test each\n- the docs\n\nAll 12 tests pass, 0 failed.",
		"## Summary\n\nThe login feature is now complete. It opens a session for the user, and closes it again.",
		"As requested, I've added `login()` to `src/auth.py`.", "I've added the login method as you asked.", "I added the login you requested.", "The login has been implemented as requested.",
		"`login()` is implemented in src/auth.py and tested.", "login() and logout() are ready for review.", "The rate limiter has been fully implemented.", "Your changes are ready to merge.",
		"We've finished building the login page, and it works in every browser.", "I've made all the requested changes.", "I made the changes you asked for.", "It's ready for review.",
		"Everything is in place and working.", "Successfully completed the login feature.", "I have successfully completed the login functionality. Let me know if you want anything changed!",
		"I've completed the refactoring of the session store. Every call goes through `sessions.open` now.", "The login endpoint is done.", "Implemented the login and the logout.",
		"I read the plan and the code.\nThen the change in `src/auth.py`.\n\nI've implemented the login. The tests pass (`pytest -q`: 14 passed).", "This feature is finished and tested.",
		"The new login module is complete, and tests pass.", "I've implemented it as described.", "Finished implementing the session store.", "I've implemented user login with JWT tokens.", "The login feature has been successfully implemented and all tests are passing.",
		"I've implemented login() and logout() in src/auth.py. If the user is not known, login() returns None.",
	}
	no := []string{
		"I will implement the login.", "I'll have implemented the login by then.", "Next I implement the login.", "Once login() is implemented, the tests pass.", "Once I've implemented the login I will commit.",
		"I've partially implemented the login.", "I've implemented the login so far.", "I've implemented the first step.", "I have implemented the login, but not the logout.", "I've implemented login(). The logout remains.",
		"I implemented the login; blocked on the database.", "I've implemented the login. Next, the logout.", "I've implemented the login. Now I run the tests.", "I've implemented the login. Next: logout().",
		"I haven't implemented the login.", "The feature isn't ready.", "Is the feature ready?", "I've implemented the login. Shall I commit? I can do that now.", "The environment is ready.", "The plan is ready.",
		"The branch is ready.", "The server is up. It's ready.", "I'm ready to start.", "The code is ready to be extended.", "I've implemented the tests.", "I've finished implementing the unit tests for the login.", "Successfully implemented the test suite.",
		"I added tests as requested.", "I've added the docs you asked for.", "```\nI've implemented the login.\n```", "    The feature is ready.", "> The feature is ready.", "The issue says: \"The feature is ready.\" It was closed.",
		"The ticket says «I've implemented the login.» and nothing else.", "- Implemented login()\n- Looked at logout()", "I've implemented a stub of the login.", "I've implemented the skeleton of the feature.",
		"I've implemented 2 of 3 items.", "I implemented half of the login.", "The login is implemented in the standard library.", "The interface is implemented by Session.", "I've read how you implemented the login.",
		"I've implemented the login. The tests fail.", "I've implemented the login. 2 tests failed.", "I've implemented the login, except for the cookies.", "I've implemented the login although it is untested.",
		"If the feature is ready, merge it.", "I wonder whether the feature is ready.", "The feature should be ready.", "The feature will be ready tomorrow.", "I've finished exploring the code.", "I've finished reading the implementation.",
		"I've completed the analysis.", "The migration is running.", "I've implemented some of the changes.", "I implemented the login in an earlier session. In this one I looked at the code. It opens files. It closes them. It locks them. Good to know.",
		"I have implemented a temporary workaround.", "The code is done compiling.", "The work is about to be complete.", "I'm waiting for the build. I've implemented the login.", "I've implemented the login and started on the logout.",
		"I finished adding the import.", "I've finished building the project, now the tests.", "I've finished building the docker image.", "I've added the import as requested.", "I've implemented the change on the client side.",
		"We implemented the login last week.", "I've implemented it. It isn't committed.", "I have finished implementing the parser and am implementing the printer.", "I implemented what I could.", "I implemented the login, ran it and found two problems.",
		"I've implemented item 1.", "I've implemented one of them.", "The function is implemented in terms of login().", "The page is ready when the DOM is loaded.", "It's done automatically.",
	}
	for _, s := range yes {
		if !saysDone(s) {
			t.Errorf("%q says that the work is done", s)
		}
	}
	for _, s := range no {
		if saysDone(s) {
			t.Errorf("%q does not say that the work is done", s)
		}
	}
}

const stopPlan = `{"id": "ROOT", "type": "parent", "description": "All", "failure_threshold": 0.0, "children": [
  {"id": "T01", "type": "atomic", "description": "Login", "status": "in_progress", "failure_threshold": 0.0,
   "checklist": [{"item": "Add login()", "required": true}, {"item": "Add logout()", "required": true}], "children": []},
  {"id": "T02", "type": "atomic", "description": "More", "status": "STATUS", "failure_threshold": 0.0,
   "checklist": [{"item": "Add more()", "required": true}], "children": []}
]}`

func (b *bench) write(path, text string) {
	b.Helper()
	file := filepath.Join(b.top, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
}

// planned is a bench with two tasks, the first of them in progress.
func planned(t *testing.T, second string) *bench {
	b := newBench(t)
	b.write("working_plan/current.json", strings.Replace(stopPlan, "STATUS", second, 1))
	b.write("src/auth.py", "def login(user):\n    return sessions.open(user)\n\n\ndef logout(user):\n    return sessions.close(user)\n")
	b.git("add", "working_plan")
	b.git("commit", "-q", "-m", "Plan")
	b.git("add", ".")
	return b
}

// stop is what an agent is told when it stops with a message; "" where it may stop.
func (b *bench) stop(h Host, session, message string) string {
	b.Helper()
	event := map[Host][2]string{claude{}: {"Stop", "last_assistant_message"}, codex{}: {"Stop", "last_assistant_message"}, qwen{}: {"Stop", "last_assistant_message"}, gemini{}: {"AfterAgent", "prompt_response"}, opencode{}: {"session.idle", "last_assistant_message"}, cursor{}: {"stop", "text"}}[h]
	payload, err := json.Marshal(map[string]any{
		"hook_event_name": event[0], "session_id": session, "conversation_id": session, "workspace_roots": []string{b.top}, "cwd": b.top, event[1]: message, "stop_hook_active": false,
	})
	if err != nil {
		b.Fatal(err)
	}
	a := b.hook(h, session, string(payload))
	if len(a.Warnings) > 0 || a.Code != 0 {
		b.Errorf("%+v", a)
	}
	var said struct{ Decision, Reason, Text string }
	if a.Stdout == "" {
		return ""
	}
	if err := json.Unmarshal([]byte(a.Stdout), &said); err != nil || (said.Decision == "block") != (said.Reason != "") {
		b.Errorf("%q: %v", a.Stdout, err)
	}
	return said.Reason + said.Text
}

// An agent that says it is done while items of its unit are open is told once, by every host that listens.
func TestStopIsToldOnce(t *testing.T) {
	b := planned(t, "pending")
	for _, h := range []Host{claude{}, codex{}, gemini{}, qwen{}, opencode{}} {
		said := b.stop(h, "s", "All done.")
		if !strings.Contains(said, "T01 is not done: no ACT reports\n- Add login()\n- Add logout()\n") || strings.Contains(said, "more()") {
			t.Errorf("%s is told %q", h, said)
		}
		if again := b.stop(h, "s", "All done."); again != "" {
			t.Errorf("%s is told again: %q", h, again)
		}
	}
	if said := b.stop(cursor{}, "s", "All done."); said != "" {
		t.Errorf("cursor is told %q", said)
	}
	if said := b.stop(claude{}, "s2", "The login is in. The logout is still missing."); said != "" {
		t.Errorf("who says that something is left is told %q", said)
	}
	a := b.hook(claude{}, "s3", `{"hook_event_name":"Stop","session_id":"s3","cwd":"$TOP","stop_hook_active":true,"last_assistant_message":"All done."}`)
	if a.Stdout != "" {
		t.Errorf("who was kept from stopping already is told %q", a.Stdout)
	}
}

// What the unit's last ACT carries is not missing.
func TestStopAfterAnAct(t *testing.T) {
	b := planned(t, "pending")
	b.git("commit", "-q", "-m", "ACT: T01 login\n\nDone: Add login() | src/auth.py:1-2\nPending: Add logout()\nOutcome: failure")
	if said := b.stop(claude{}, "s", "All done."); !strings.Contains(said, "- Add logout()") || strings.Contains(said, "- Add login()") {
		t.Errorf("after half of it: %q", said)
	}
	b.git("commit", "-q", "--allow-empty", "-m", "ACT: T01 login\n\nDone: Add login() | src/auth.py:1-2\nDone: Add logout() | src/auth.py:40-41")
	if said := b.stop(claude{}, "s2", "All done."); !strings.Contains(said, "its last ACT, ") {
		t.Errorf("after an ACT that does not hold: %q", said)
	}
	b.git("commit", "-q", "--allow-empty", "-m", "ACT: T01 login\n\nDone: Add login() | src/auth.py:1-2\nDone: Add logout() | src/auth.py:5-6")
	if said := b.stop(claude{}, "s3", "All done."); said != "" {
		t.Errorf("after all of it: %q", said)
	}
}

// The unit is the one that the actor has claimed, else the one in progress; where there are two, nobody is told.
func TestStopOfWhichUnit(t *testing.T) {
	b := planned(t, "in_progress")
	if said := b.stop(claude{}, "s", "All done."); said != "" {
		t.Errorf("with two tasks in progress: %q", said)
	}
	b.write(".git/acta/unit-claims.json", `{"T02": {"agent": "executor-02", "claimed_at": "2026-01-26T14:00:00Z"}}`)
	b.env["ACTA_ACTOR"] = "executor-02"
	if said := b.stop(claude{}, "s", "All done."); !strings.HasPrefix(said, "T02 is not done") {
		t.Errorf("who has claimed T02 is told %q", said)
	}
	b.env["ACTA_ACTOR"] = "executor-03"
	if said := b.stop(claude{}, "s2", "All done."); !strings.HasPrefix(said, "T01 is not done") {
		t.Errorf("where T02 is somebody else's: %q", said)
	}
	b.write(".git/acta/unit-claims.json", `{"T01": {"agent": "executor-01", "claimed_at": "2026-01-26T14:00:00Z"}, "T02": {"agent": "executor-02", "claimed_at": "2026-01-26T14:00:00Z"}}`)
	if said := b.stop(claude{}, "s3", "All done."); said != "" {
		t.Errorf("where both are somebody else's: %q", said)
	}
	b.write("working_plan/current.json", "{")
	b.env["ACTA_ACTOR"] = "executor-02"
	if said := b.stop(claude{}, "s4", "All done."); said != "" {
		t.Errorf("with a plan that cannot be read: %q", said)
	}
}
