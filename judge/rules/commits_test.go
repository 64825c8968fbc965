package rules

import (
	"maps"
	"strings"
)

// What most commits of the tests are made of.

// login is the source that most tests cite: line 1 is a stub, lines 4 to 7 are real.
const login = `def logout(session):
    pass


def login(session, user, password):
    if not user.check(password):
        raise PermissionError(user)
    session.user = user
`

func loginFile() map[string]string { return map[string]string{"src/auth.py": login} }

// slicePlan is a milestone with one slice, for tests.
func slicePlan(milestone, slice string, tasks ...string) map[string]string {
	text := `{"id": "M01", "type": "parent", "status": "` + milestone + `", "children": [` + "\n    " +
		`{"id": "S01", "type": "parent", "status": "` + slice + `", "children": [`
	for i, t := range tasks {
		if i > 0 {
			text += ","
		}
		text += "\n      " + t
	}
	return planOf(text + "]}]}")
}

// planOf is a plan for tests, a unit a line.
func planOf(units ...string) map[string]string {
	return map[string]string{"working_plan/current.json": "{\"id\": \"ROOT\", \"type\": \"parent\", \"status\": " +
		"\"in_progress\", \"children\": [\n  " +
		strings.Join(units, ",\n  ") + "\n]}\n"}
}

// work is what an ACT of most tests does.
const work = `def login(session, user, password):
    if not user.check(password):
        raise PermissionError(user)
    session.user = user
`

func workFile() map[string]string { return map[string]string{"src/auth.py": work} }

// The units of most tests.
const (
	pendingT01  = `{"id": "T01", "type": "atomic", "status": "pending"}`
	completeT01 = `{"id": "T01", "type": "atomic", "status": "complete"}`
	pendingT02  = `{"id": "T02", "type": "atomic", "status": "pending"}`
	startedT01  = `{"id": "T01", "type": "atomic", "status": "in_progress"}`
	startedT02  = `{"id": "T02", "type": "atomic", "status": "in_progress"}`
)

// testedFiles are the files of the tests of results.
func testedFiles() map[string]string {
	return map[string]string{"src/auth.py": session, "tests/test_auth.py": "from src.auth import login\n\n\n" +
		"def test_login(session, user):\n    login(session, user, \"secret\")\n    assert session.user is not None\n"}
}

var session = strings.Replace(login, "    pass\n", "    session.end()\n", 1)

const citingTest = "ACT: T01 login\n\nDone: Test login | tests/test_auth.py:4-6\n"

// with joins files.
func with(a, b map[string]string) map[string]string {
	maps.Copy(a, b)
	return a
}
