package policy

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // so all machines know the same time zones
)

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
	for i, name := range r.file.Env {
		if !namePattern.MatchString(name) {
			r.fail(fmt.Sprintf("$.env[%d]", i), "%q is not the name of a variable; write for example CI", name)
		}
	}
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
