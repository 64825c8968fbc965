package plan

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Scope is where a unit works: the patterns of its own, else those of the nearest unit above that has some; nil where
// nobody has said.
func (n *Node) Scope() []string {
	for at := n; at != nil; at = at.Parent {
		if len(at.Paths) > 0 {
			return at.Paths
		}
	}
	return nil
}

// InScope is the pattern that a file fits, "" for none. Patterns are those of the policy, `**` crosses folders; one
// that names a folder fits what lies in it, too.
func InScope(patterns []string, file string) string {
	for _, pattern := range patterns {
		folder := strings.TrimSuffix(pattern, "/")
		fits, _ := doublestar.Match(folder, file)
		isName := !strings.ContainsAny(path.Base(folder), "*?[{")
		below, _ := doublestar.Match(folder+"/**", file)
		if fits || isName && below {
			return pattern
		}
	}
	return ""
}

// paths asks that the patterns of a unit can be read, and can fit a file of the repository.
func (v *validator) paths(n *Node) {
	for _, p := range n.Paths {
		clean := strings.TrimPrefix(p, "./") == p && !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "../") && p != ""
		if !clean || !doublestar.ValidatePattern(p) {
			v.addProblem(n, atPaths,
				"%q in the paths of %s is not a pattern from the top of the repository, such as src/auth/**", p,
				n.ID)
		}
	}
}
