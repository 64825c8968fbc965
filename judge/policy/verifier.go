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

// verifiers reads the programs. A name can neither be read as evidence nor as a unit.
func (r *reader) verifiers() error {
	namePattern := regexp.MustCompile(`^[\pL\pN_][\pL\pN_.-]*$`)
	for _, name := range slices.Sorted(maps.Keys(r.file.Verifiers)) {
		v, at := r.file.Verifiers[name], "$.verifiers."+name
		if !namePattern.MatchString(name) {
			return r.errorAt("$.verifiers", "%q is not a verifier's name; use letters, digits, '_', '-' and '.'", name)
		}
		if err := r.program(at, "the verifier "+name, v.Run); err != nil {
			return err
		}
		limit, err := r.timeout(at, v.Timeout)
		if err != nil {
			return err
		}
		if r.policy.Verifiers == nil {
			r.policy.Verifiers = map[string]Verifier{}
		}
		r.policy.Verifiers[name] = Verifier{v.Run, limit}
	}
	return nil
}

// program checks that a program of the policy can be started; who names its key.
func (r *reader) program(at, owner string, run []string) error {
	if len(run) == 0 || run[0] == "" {
		return r.errorAt(at, "%s names no program to run; write for example run: [go, test, ./...]", owner)
	}
	if slices.ContainsFunc(run, func(arg string) bool { return strings.ContainsRune(arg, 0) }) {
		return r.errorAt(at+".run", "an argument of a program must not contain a NUL byte")
	}
	return nil
}

// complete reads which verifier completing needs.
func (r *reader) complete() error {
	name := r.file.Complete.Verifier
	if _, ok := r.policy.Verifiers[name]; name != "" && !ok {
		return r.errorAt("$.complete.verifier", "there is no verifier %q; name it under verifiers, with what it runs", name)
	}
	r.policy.CompleteVerifier = name
	return nil
}

// env reads the variables that programs get.
func (r *reader) env() error {
	namePattern := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	for i, name := range r.file.Env {
		if !namePattern.MatchString(name) {
			return r.errorAt(fmt.Sprintf("$.env[%d]", i), "%q is not the name of a variable; write for example CI", name)
		}
	}
	r.policy.Env = r.file.Env
	return nil
}

// timeout reads how long something may take, "" for the default.
func (r *reader) timeout(at, text string) (time.Duration, error) {
	if text == "" {
		return defaultTimeout, nil
	}
	limit, err := time.ParseDuration(text)
	if err != nil || limit <= 0 || limit > longestTimeout {
		return 0, r.errorAt(at+".timeout", "a timeout must be a time of at most 24h, such as 30s or 2m, not %q", text)
	}
	return limit, nil
}

// timezone reads the zone by its name in the IANA database; «Local» would be another on each machine.
func (r *reader) timezone() error {
	name := r.file.Score.Timezone
	if name == "" {
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return r.errorAt("$.score.timezone",
			"%q is not a time zone of the IANA database; write for example Europe/Berlin, or UTC", name)
	}
	r.policy.Timezone = zone
	return nil
}
