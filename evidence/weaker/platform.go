package weaker

import (
	"slices"
	"strings"
)

// isPlatform reports whether a condition asks for what the machine is, or what is installed.
func isPlatform(condition string) bool {
	c := strings.ToLower(condition)
	return slices.ContainsFunc(listed("platforms"), func(word string) bool { return strings.Contains(c, word) })
}

// platform is the excuse for a condition of a unit.
func (u *unit) platform(condition string) string {
	if isPlatform(condition) || isPlatform(u.file.constants(condition)) {
		return "the condition is one of platform or version"
	}
	return ""
}

// constants are the lines at the top of the file that give the names of a condition a value: const noIPv6 = !os.…
func (f *file) constants(condition string) (found string) {
	for line := range strings.Lines(string(f.Source)) {
		named, value, gives := strings.Cut(line, "=")
		if gives && line[0] != ' ' && line[0] != '\t' &&
			slices.ContainsFunc(identifiers.FindAllString(condition), func(w string) bool { return holds(named, w) }) {
			found += value
		}
	}
	return found
}
