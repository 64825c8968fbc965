package rules

import "github.com/acta-git/acta/evidence"

// KindOf is what kind of item one is: as it is registered, else as its words say.
func (in *Input) KindOf(item string) evidence.Kind {
	return (&Pass{Input: in, known: newRegistry(in.Registered)}).kind(item)
}
