package plan

import "testing"

func TestVagueItemsNameNothing(t *testing.T) {
	for _, item := range []string{
		"Implement authentication", "Fix bugs", "Improve performance", "Answer yes / no", "Add tests", "Refactor the code", "Handle errors",
		"Update documentation", "Add error handling", "Set up the database", "Make it faster", "Implement user management",
		"Clean up", "Write the new function", "Fix the broken endpoint", "Improve the UI", "Support OAuth", "Add GitHub login",
		"Implement the API", "Optimize all queries", "Add validation", "Polish every page", "Finish the rest", "",
		"Refactor the existing module", "Add unit tests for everything", "Implement a REST API", "Make the tests pass",
	} {
		if !IsVague(item) {
			t.Errorf("%q passes for concrete", item)
		}
	}
}

func TestConcreteItemsAreLeftInPeace(t *testing.T) {
	for _, item := range []string{
		"Add login method to AuthService", "Add login() to src/auth.py", "Add login method", "Remove the old endpoint in legacy.py",
		"Add password validation to the auth module", "Add --format to the verify command", "Add `retries` to the client",
		"Create User model in models.py", "Add validation to the registration form", "Implement POST /login in routes",
		"Rename user_id everywhere", "Move the parser into package parser", "Cover Login with tests", "Raise the limit in .env",
		"Document the loop in README", "Set $ACTA_UNIT for executors", "Delete legacy/*", "Add test for the login function",
		"Add an email column to the users table", "Return 404 from the users endpoint", "Write the settings page's \"Save\" button",
		"Handle timeouts in Client.Do", "Add std::hash for keys", "Add retries to the payment service", "Describe it in docs/hooks.md",
		"Run gofmt in the lint job", "Measure the flush in bench/", "Split worklog/ by concern", "Build the image in Dockerfile", "Ask the rules in check.Run()", "Add -v", "Turn userId into a string",
	} {
		if IsVague(item) {
			t.Errorf("%q is called vague", item)
		}
	}
}

func TestLintNamesUnitAndItem(t *testing.T) {
	root, err := Read([]byte(`{"id": "R", "type": "parent", "children": [
 {"id": "T01", "type": "atomic", "checklist": [{"item": "Fix bugs"}, {"item": "Add login() to auth.py"}]},
 {"id": "T02", "type": "atomic", "status": "complete", "checklist": [{"item": "Fix bugs"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	found := Lint(root)
	if len(found) != 1 || found[0].Line != 2 ||
		found[0].String() != "T01: «Fix bugs» names no file, class or symbol; write it as [verb] [specific change] in/to [file/class/module]" {
		t.Errorf("got %v", found)
	}
}
