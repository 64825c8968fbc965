package parser

import (
	"strings"
	"testing"
)

// Sure names are marked with !, files with f, routes with r, what the item makes with +, and what stands behind «in»
// or the like with @.
func TestNamesOfAnItem(t *testing.T) {
	for item, want := range map[string]string{
		"Add login() to `Session`":                  "login!+ Session!@",
		"Add UserModel and user_id for GitHub":      "UserModel+ user_id!+",
		"Add `Session.open` to a_b":                 "Session.open!+ a_b!@",
		"Fix parseInt(x) in getUser.":               "parseInt! getUser@",
		"Update src/auth.py, app.ts":                "src/auth.py!f app.ts!f",
		"Run on Node.js, Ember.js, `node.js`":       "Ember.jsf node.js!f",
		"Add greet() to greet.py":                   "greet!+ greet.py!f@",
		"Add login() in the `auth.py` file":         "login!+ auth.py!f@",
		"`--verbose`, `200`, e.g. x.":               "",
		"Add `/users` and GET /users/{id}":          "/usersr+ /users/{id}r+",
		"Version 1.2.3 of the U.S. model":           "",
		"Fix `Store::open` and `#save`":             "Store::open!",
		"feat(remotes)!: add prune()":               "prune!+",
		"feat: Add Session.login and flask.g":       "Session.login+",
		"fix(ui): open(door)":                       "open!",
		"Handle file(s), H(P)EXPIRE and f()":        "f!",
		"See https://example.com/a.html":            "",
		"Update Makefile, .gitignore and .env.test": "Makefilef .gitignoref",
		"Add the login page":                        "",
		"":                                          "",
	} {
		var got []string
		for _, n := range Names(item) {
			for _, mark := range []struct {
				is   bool
				text string
			}{{n.IsSure, "!"}, {n.IsFile, "f"}, {n.IsRoute, "r"}, {n.IsNew, "+"}, {n.IsInside, "@"}} {
				if mark.is {
					n.Text += mark.text
				}
			}
			got = append(got, n.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", item, strings.Join(got, " "), want)
		}
	}
}

func FuzzNames(f *testing.F) {
	for _, item := range []string{"Add the login", "userId", "über_all", "call f(", "a.b", "src/x", "`x`", "ßA", "`", "((", ". ", "x'Y"} {
		f.Add(item)
	}
	f.Fuzz(func(t *testing.T, item string) {
		for _, n := range Names(item) {
			if n.Text == "" || !strings.Contains(item, n.Text) {
				t.Errorf("%q names %q", item, n.Text)
			}
		}
	})
}

// TestAnItemsNumberIsNoPart: what comes before an item, so that others can refer to it, is not what the item says.
func TestAnItemsNumberIsNoPart(t *testing.T) {
	for item, want := range map[string]string{
		"T3 Add the parser":        "Add the parser",
		"PAY-12: Add the parser":   "Add the parser",
		"#7 Add the parser":        "Add the parser",
		"2. Add the parser":        "Add the parser",
		"B.1 Add the parser":       "B.1 Add the parser",
		"3 retries are made":       "3 retries are made",
		"2FA is asked for":         "2FA is asked for",
		"Auth2Client is made":      "Auth2Client is made",
		"file1.go holds the table": "file1.go holds the table",
	} {
		if got := WithoutType(item); got != want {
			t.Errorf("%s: %q, want %q", item, got, want)
		}
	}
	for item, want := range map[string]string{
		"DOC-12 Add the parser": "code", "T3 docs: how to install": "text", "T3 Write the README": "text",
	} {
		if got := KindOf(item); got != want {
			t.Errorf("%s: %s, want %s", item, got, want)
		}
	}
}
