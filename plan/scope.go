package plan

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Scope is where a unit works: its own patterns, else those of its nearest ancestor with some; nil without any.
func (n *Node) Scope() []string {
	for at := n; at != nil; at = at.Parent {
		if len(at.Paths) > 0 {
			return at.Paths
		}
	}
	return nil
}

// InScope is the first pattern that matches a file, "" for none. `**` crosses folders, and a folder matches its
// content.
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
