package score

import "github.com/acta-git/acta/diag"

// What events are worth.
const (
	VerifiedRequired = 10
	VerifiedOptional = 5
	NotVerified      = -15
	Contradiction    = -30 // beside NotVerified
	Unclear          = -2
	ThumbUp          = 3
	ThumbDown        = -10
)

// Points is what a verdict is worth by itself, whether or not its proof has paid before.
func Points(v diag.Verdict, contradiction, required bool) int {
	switch {
	case v == diag.Verified && required:
		return VerifiedRequired
	case v == diag.Verified:
		return VerifiedOptional
	case v == diag.NotVerified && contradiction:
		return NotVerified + Contradiction
	case v == diag.NotVerified:
		return NotVerified
	case v == diag.Unclear:
		return Unclear
	}
	return 0
}
