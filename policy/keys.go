package policy

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
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

// Trust says whose signed verdicts are taken. Its zero value trusts nobody.
type Trust struct {
	// Signers are lines of a file of allowed signers (ssh-keygen(1)); SignersFile is the path of such a file in the tree
	// that the policy stands in, "" for none. One of the two is given.
	Signers     []string
	SignersFile string
	// For is where a verdict is taken instead of judging: ForVerify. Require is where one is asked for: ForPreReceive.
	For, Require []string
}

// Where a policy can have verdicts taken, and where it can ask for them.
const (
	ForVerify     = "verify"
	ForPreReceive = "pre-receive"
)

// IsGiven reports whether the policy names signers.
func (t *Trust) IsGiven() bool { return len(t.Signers) > 0 || t.SignersFile != "" }

// trust reads whose verdicts are taken.
func (r *reader) trust() error {
	const at = "$.trust"
	in, t := &r.file.Trust, &r.policy.Trust
	switch signers := in.Signers.(type) {
	case nil:
		if len(in.For)+len(in.Require) > 0 {
			return r.errorAt(at, "trust names no signers; write signers: with lines of an allowed_signers file, or its path")
		}
	case string:
		t.SignersFile = path.Clean(signers)
		if strings.HasPrefix(t.SignersFile, "..") || path.IsAbs(t.SignersFile) || t.SignersFile == "." {
			return r.errorAt(at+".signers", "%q is not the path of a file in the repository", signers)
		}
	case []any:
		for i, line := range signers {
			text, ok := line.(string)
			if !ok || len(strings.Fields(text)) < 3 || strings.Contains(text, "\n") {
				return r.errorAt(fmt.Sprintf("%s.signers[%d]", at, i),
					"a signer must be a line such as ci@example.org ssh-ed25519 AAAA…, not %v", line)
			}
			t.Signers = append(t.Signers, text)
		}
	default:
		return r.errorAt(at+".signers", "signers must be a path or a list of lines, not %v", signers)
	}
	for _, list := range []struct {
		key, knows string
		values     []string
	}{{"for", ForVerify, in.For}, {"require", ForPreReceive, in.Require}} {
		if i := slices.IndexFunc(list.values, func(v string) bool { return v != list.knows }); i >= 0 {
			return r.errorAt(fmt.Sprintf("%s.%s[%d]", at, list.key, i), "trust.%s may only hold %s, not "+
				"%q", list.key, list.knows,
				list.values[i])
		}
	}
	t.For, t.Require = in.For, in.Require
	return nil
}

// weaker says whom the next policy trusts besides, and where it asks for no verdict any more.
func (t *Trust) weaker(next *Trust) []string {
	var all []string
	if len(next.For) > 0 || len(next.Require) > 0 {
		all = grown("trust.signers has", t.Signers, next.Signers)
		if next.SignersFile != t.SignersFile && next.SignersFile != "" {
			all = append(all, "trust.signers is the file "+next.SignersFile)
		}
	}
	all = append(all, grown("trust.for has", t.For, next.For)...)
	return append(all, grown("trust.require no longer has", next.Require, t.Require)...)
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
