package policy

import (
	"cmp"
	_ "embed"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // so all machines know the same time zones

	"github.com/bmatcuk/doublestar/v4"
)

// Tier is how strictly a commit is judged. A greater tier is stricter; the zero value is invalid.
type Tier uint8

// The tiers, from the most lenient to the strictest.
const (
	Exempt Tier = iota + 1
	Light
	Standard
	Strict
)

// Tiers are all tiers, the strictest first.
var Tiers = []Tier{Strict, Standard, Light, Exempt}

var tierNames = map[Tier]string{Strict: "STRICT", Standard: "STANDARD", Light: "LIGHT", Exempt: "EXEMPT"}

// String returns the tier as policies and trailers write it.
func (t Tier) String() string {
	if s, ok := tierNames[t]; ok {
		return s
	}
	return fmt.Sprintf("Tier(%d)", uint8(t))
}

// ParseTier reads a tier's name; case does not matter.
func ParseTier(s string) (Tier, bool) {
	for t, name := range tierNames {
		if strings.EqualFold(s, name) {
			return t, true
		}
	}
	return 0, false
}

// TierRule gives its tier to the files it matches. Paths are globs (`**` crosses
// folders); no paths match every file. MaxFiles and MaxLines, when not 0, match
// only a commit that touches at most so many files and changes at most so many lines.
type TierRule struct {
	Tier     Tier
	Paths    []string
	MaxFiles int
	MaxLines int
}

// NeedsLines reports whether Tier needs the number of changed lines, which costs more than the paths.
func (p *Policy) NeedsLines() bool {
	return slices.ContainsFunc(p.TierRules, func(r TierRule) bool { return r.MaxLines > 0 })
}

// Tier returns the tier of a commit that changes and cites these paths: the strictest of its files, each having its
// first match or the default. Cited files count, so that a claim about a strict file is not judged loosely in a commit
// of lenient files. raised is the commit's Tier trailer, 0 for none: it can raise the tier, never lower it.
func (p *Policy) Tier(changed, cited []string, lines int, raised Tier) Tier {
	tier := Tier(0)
	for _, paths := range [][]string{changed, cited} {
		for _, path := range paths {
			tier = max(tier, p.PathTier(path, len(changed), lines))
		}
	}
	return max(cmp.Or(tier, p.DefaultTier), raised)
}

// PathTier returns the tier of one file in a commit that touches so many files and changes so many lines.
func (p *Policy) PathTier(path string, files, lines int) Tier {
	for _, r := range p.TierRules {
		if r.matches(path, files, lines) {
			return r.Tier
		}
	}
	return p.DefaultTier
}

func (r TierRule) matches(path string, files, lines int) bool {
	if r.MaxFiles > 0 && files > r.MaxFiles || r.MaxLines > 0 && lines > r.MaxLines {
		return false
	}
	for _, glob := range r.Paths {
		if ok, _ := doublestar.Match(glob, path); ok {
			return true
		}
	}
	return len(r.Paths) == 0
}

// Verifier is a program that checks whether a task is done.
type Verifier struct {
	// Run is the program and its arguments; no shell reads them.
	Run []string
	// Timeout is how long it may take.
	Timeout time.Duration
}

const (
	// defaultTimeout is the time of a program that names none.
	defaultTimeout = 30 * time.Second
	// longestTimeout is the largest allowed timeout.
	longestTimeout = 24 * time.Hour
)

type verifierEntry struct {
	Run     []string `yaml:"run"`
	Timeout string   `yaml:"timeout"`
}

// verifiers reads the programs, and which of them completing needs. A name can neither be read as evidence nor as a
// unit.
func (r *reader) verifiers() {
	namePattern := regexp.MustCompile(`^[\pL\pN_][\pL\pN_.-]*$`)
	for _, name := range slices.Sorted(maps.Keys(r.file.Verifiers)) {
		if !namePattern.MatchString(name) {
			r.fail("$.verifiers", "%q is not a verifier's name; use letters, digits, '_', '-' and '.'", name)
		}
		if r.policy.Verifiers == nil {
			r.policy.Verifiers = map[string]Verifier{}
		}
		r.policy.Verifiers[name] = r.program("$.verifiers."+name, "the verifier "+name, r.file.Verifiers[name])
	}
	name := r.file.Complete.Verifier
	if _, ok := r.policy.Verifiers[name]; name != "" && !ok {
		r.fail("$.complete.verifier", "there is no verifier %q; name it under verifiers, with what it runs", name)
	}
	r.policy.CompleteVerifier = name
}

// program reads a program of the policy; owner names its key.
func (r *reader) program(at, owner string, e verifierEntry) Verifier {
	if len(e.Run) == 0 || e.Run[0] == "" {
		r.fail(at, "%s names no program to run; write for example run: [go, test, ./...]", owner)
	}
	if slices.ContainsFunc(e.Run, func(arg string) bool { return strings.ContainsRune(arg, 0) }) {
		r.fail(at+".run", "an argument of a program must not contain a NUL byte")
	}
	if e.Timeout == "" {
		return Verifier{e.Run, defaultTimeout}
	}
	limit, err := time.ParseDuration(e.Timeout)
	if err != nil || limit <= 0 || limit > longestTimeout {
		r.fail(at+".timeout", "a timeout must be a time of at most 24h, such as 30s or 2m, not %q", e.Timeout)
	}
	return Verifier{e.Run, limit}
}

func (r *reader) env() {
	namePattern := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	r.each("$.env", r.file.Env, namePattern.MatchString, "%q is not the name of a variable; write for example CI")
	r.policy.Env = r.file.Env
}

// timezone reads the zone by its name in the IANA database; «Local» would be another on each machine.
func (r *reader) timezone() {
	name := r.file.Score.Timezone
	if name == "" {
		return
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		r.fail("$.score.timezone",
			"%q is not a time zone of the IANA database; write for example Europe/Berlin, or UTC", name)
	}
	r.policy.Timezone = zone
}

// Authorship is what shows who made a commit.
type Authorship struct {
	// Names are its Actor, and the names and addresses of its author and co-authors.
	Names []string
	// Checkpoint is the value of an Entire-Checkpoint trailer, Session a session of the worklog; "" for none.
	Checkpoint, Session string
}

//go:embed addresses.txt
var addressesText string

// addresses yields the addresses of addresses.txt, each with its agent.
func addresses() iter.Seq2[string, string] {
	return func(yield func(address, agent string) bool) {
		for line := range strings.Lines(addressesText) {
			address, agent, isEntry := strings.Cut(strings.TrimSpace(line), " ")
			if isEntry && address != "#" && !yield(address, agent) {
				return
			}
		}
	}
}

// aiderName is the suffix that Aider adds to an author's name by default (its documentation, «Git integration», «Commit
// attribution»).
const aiderName = " (aider)"

// Requires reports whether a commit must be ACT, ADAPT or For:. If an agent made it, sign says how that is known, as
// the end of a sentence.
func (p *Policy) Requires(a Authorship) (isRequired bool, sign string) {
	switch {
	case anyMatch(p.ExemptActors, a.Names):
		return false, ""
	case p.Require == RequireAgents:
		sign = p.agentSign(a)
	}
	return p.Require == RequireAll || sign != "", sign
}

// agentSign says how a commit shows that an agent made it; "" if nothing does.
func (p *Policy) agentSign(a Authorship) string {
	for _, name := range a.Names {
		if p.IsAgent(name) {
			return fmt.Sprintf("actors.agents of the policy matches «%s»", name)
		}
	}
	for _, name := range a.Names {
		for address, agent := range addresses() {
			if strings.EqualFold(address, name) {
				return fmt.Sprintf("%s is the address of %s", name, agent)
			}
		}
	}
	if i := slices.IndexFunc(a.Names, func(n string) bool { return strings.HasSuffix(n, aiderName) }); i >= 0 {
		return fmt.Sprintf("«%s» has the form of Aider's author names", a.Names[i])
	}
	switch {
	case a.Checkpoint != "":
		return fmt.Sprintf("the trailer Entire-Checkpoint names the recorded session %s", a.Checkpoint)
	case a.Session != "":
		return fmt.Sprintf("it was made in the session %s of the worklog", a.Session)
	}
	return ""
}
