package parser

import "testing"

func TestProseIsAskedForByAVerbOfWritingWhoseObjectItIs(t *testing.T) {
	for item, want := range map[string]string{
		"Document login()":                                      "text",
		"Fix typo in greet.py":                                  "text",
		"Fix a few small typos":                                 "text",
		"Update the changelog":                                  "text",
		"Add doc comments to Store":                             "text",
		"Write the comments of part 3":                          "text",
		"Improve API documentation for login()":                 "text",
		"Add license headers to all files":                      "text",
		"Update the copyright year":                             "text",
		"Comment the retry logic":                               "text",
		"docs: show how to log in":                              "text",
		"docs(readme): add an example":                          "text",
		"Describe x in docs/api.rst":                            "text",
		"Describe login() in `docs/auth.md`":                    "text",
		"Add a section to README":                               "text",
		"Add the change to CHANGELOG.md and README.md":          "text",
		"Pin requests in requirements.txt":                      "text",
		"Javadoc":                                               "text",
		"Typo fix":                                              "text",
		"Add comment() to blog.py":                              "code",
		"Add comment model to blog.py":                          "code",
		"Comment model in blog.py":                              "code",
		"Add license check":                                     "code",
		"Add a docs generator":                                  "code",
		"Add f() to doc.py":                                     "code",
		"Strip comments from SQL":                               "code",
		"Fix comment parsing":                                   "code",
		"Add spelling suggestions for commands":                 "code",
		"Fix the README parser in reader.go":                    "code",
		"Add greet() to README.md":                              "code",
		"Add login() to src/auth.py":                            "code",
		"Add login() to src/auth.py and describe it in auth.md": "code",
		"Add a parser of README files to reader.go":             "code",
		"Return Markdown from the page":                         "code",
		"Hash words as README.md says":                          "code",
		"Write the README.md":                                   "text",
		"Tell of it in README.md":                               "text",
		"Add README parser":                                     "code",
		"":                                                      "code",
	} {
		if got := KindOf(item); got != want {
			t.Errorf("%q is %s, want %s", item, got, want)
		}
	}
}
