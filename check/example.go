package check

// Example is a small commit that a rule reports. Its documentation shows what
// the tool says of it, so an example that finds nothing is a bug (a test holds it).
type Example struct {
	// Base are the files before the commit, by path, and Files those that it writes.
	Base, Files map[string]string
	// Plan is the checklist of unit T01 before the commit; nil for no plan.
	Plan []Item
	// Claims are the units that somebody holds in the repository, and who.
	Claims map[string]string
	// Runs are what was run in the session of the commit before it is made.
	Runs []RecordedRun
	// Reports are reports of results, by what they are given for: junit, junit_base, coverage.
	Reports map[string]string
	// Policy is the base's policy file; "" for none.
	Policy string
	// Message is the commit message.
	Message string
	// Then are the commits after it, for a rule over ranges.
	Then []Step
}

// Step is a further commit of an example: the files that it writes and its message.
type Step struct {
	Files   map[string]string
	Message string
}

// login is the source that most examples cite: line 1 is a stub, lines 4 to 7 are real.
const login = `def logout(session):
    pass


def login(session, user, password):
    if not user.check(password):
        raise PermissionError(user)
    session.user = user
`

func loginFile() map[string]string { return map[string]string{"src/auth.py": login} }
