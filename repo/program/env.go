package program

import "strings"

// Env is an environment, «NAME=value» each, as os.Environ has it.
type Env []string

// Get is the value of a variable, "" where it is not set. Of one that is there twice the last counts, as for a program
// that is started with it.
func (e Env) Get(name string) (value string) {
	for _, v := range e {
		if key, set, _ := strings.Cut(v, "="); key == name {
			value = set
		}
	}
	return value
}
