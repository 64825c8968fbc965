package policy

import (
	"fmt"
	"net/url"
	"time"

	"github.com/bmatcuk/doublestar/v4"
)

// Results says which reports of tests and coverage are held against claims, and what is required of them.
type Results struct {
	// JUnit and Coverage are patterns of paths from the top of the repository: reports of tests, and of coverage.
	JUnit, Coverage []string
	// RequireTest is "ran" where what a cited test lacks is an error, RequireCode "executed" where code that was not
	// executed is one. "" for neither.
	RequireTest, RequireCode string
}

// IsZero reports whether nothing is named.
func (r *Results) IsZero() bool {
	return len(r.JUnit)+len(r.Coverage) == 0 && !r.Requires()
}

// Requires reports whether anything is required.
func (r *Results) Requires() bool { return r.RequireTest != "" || r.RequireCode != "" }

// resultsEntry is the key as written.
type resultsEntry struct {
	JUnit    []string `yaml:"junit"`
	Coverage []string `yaml:"coverage"`
	Require  struct {
		Test string `yaml:"test"`
		Code string `yaml:"code"`
	} `yaml:"require"`
}

func (r *reader) results() error {
	e := &r.file.Results
	for _, list := range []struct {
		key      string
		patterns []string
	}{{"junit", e.JUnit}, {"coverage", e.Coverage}} {
		for i, glob := range list.patterns {
			if glob == "" || !doublestar.ValidatePattern(glob) {
				return r.errorAt(fmt.Sprintf("$.results.%s[%d]", list.key, i), "%q is not a path pattern", glob)
			}
		}
	}
	q := &e.Require
	if q.Test != "" && q.Test != "ran" {
		return r.errorAt("$.results.require.test", "test must be ran, not %q", q.Test)
	}
	if q.Code != "" && q.Code != "executed" {
		return r.errorAt("$.results.require.code", "code must be executed, not %q", q.Code)
	}
	r.policy.Results = Results{e.JUnit, e.Coverage, q.Test, q.Code}
	return nil
}

// weaker says what is required no more, and which reports of what is required are not read any more.
func (r *Results) weaker(next *Results) []string {
	var all []string
	if r.RequireTest != "" && next.RequireTest == "" {
		all = append(all, fmt.Sprintf("results.require.test: %s to none", r.RequireTest))
	}
	if r.RequireCode != "" && next.RequireCode == "" {
		all = append(all, fmt.Sprintf("results.require.code: %s to none", r.RequireCode))
	}
	if r.RequireTest != "" {
		all = append(all, grown("results.junit no longer has", next.JUnit, r.JUnit)...)
	}
	if r.RequireCode != "" {
		all = append(all, grown("results.coverage no longer has", next.Coverage, r.Coverage)...)
	}
	return all
}

// Notify says how the operator is told of a lockdown: by a program, a webhook, or
// both. Its zero value tells nobody.
type Notify struct {
	// Run is a program and its arguments; no shell reads them. Empty for none.
	Run []string
	// Webhook is an http or https address; "" for none.
	Webhook string
	// Timeout is how long each of them may take.
	Timeout time.Duration
}

// IsZero reports whether nobody is told.
func (n *Notify) IsZero() bool { return len(n.Run) == 0 && n.Webhook == "" }

type notify struct {
	Run     []string `yaml:"run"`
	Timeout string   `yaml:"timeout"`
	Webhook string   `yaml:"webhook"`
}

// notify reads how the operator is told.
func (r *reader) notify() error {
	const at = "$.score.notify"
	n := r.file.Score.Notify
	if n == nil {
		return nil
	}
	if len(n.Run) == 0 && n.Webhook == "" {
		return r.errorAt(at,
			"notify says neither what to run nor which webhook to call; write for example run: [notify-operator], or "+
				"webhook: https://…")
	}
	if n.Run != nil {
		if err := r.program(at, "score.notify", n.Run); err != nil {
			return err
		}
	}
	if n.Webhook != "" {
		if u, err := url.Parse(n.Webhook); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
			return r.errorAt(at+".webhook", "a webhook must be an address such as https://alerts.example/hook")
		}
	}
	limit, err := r.timeout(at, n.Timeout)
	r.policy.Notify = Notify{n.Run, n.Webhook, limit}
	return err
}
