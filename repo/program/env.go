package program

import "strings"

// Env is an environment, «NAME=value» each, as os.Environ has it.
type Env []string

// Get is the value of a variable, "" if it is not set. The last of several values counts, as it does for a program.
func (e Env) Get(name string) (value string) {
	for _, v := range e {
		if key, set, _ := strings.Cut(v, "="); key == name {
			value = set
		}
	}
	return value
}
