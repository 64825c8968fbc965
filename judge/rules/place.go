package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
)

// Place is a word of a plan that may name a file, a folder or a pattern of files.
type Place struct {
	Text string
	// IsSure: it is certainly a place: src/auth.py, docs/, src/**/*.go. «and/or» and «user.check» may be none.
	IsSure bool
}

// knownFiles are names of files without an extension.
var knownFiles = [...]string{"Makefile", "Dockerfile", "README", "CHANGELOG", "LICENSE", "CONTRIBUTING"}

// NamedPlaces are the places that a unit names, and the units below it, in their
// descriptions and items.
func NamedPlaces(u *plan.Unit) []Place {
	all := placesIn(u.Description)
	for _, i := range u.Checklist {
		all = append(all, placesIn(i.Text)...)
	}
	for _, c := range u.Children {
		if c.Status != plan.Complete {
			all = append(all, NamedPlaces(c)...)
		}
	}
	return all
}

func placesIn(text string) []Place {
	var all []Place
	for _, word := range strings.FieldsFunc(text, isSeparator) {
		word = strings.TrimPrefix(strings.TrimRight(word, ".:!?"), "./")
		word, _, _ = strings.Cut(word, "#") // src/auth.py#login
		word, _, _ = strings.Cut(word, ":") // src/auth.py:12-40
		if strings.Trim(word, "./*-") == "" {
			continue
		}
		all = append(all, Place{word, isSure(word)})
	}
	return all
}

// isSeparator reports whether a character separates words and is never part of a place.
func isSeparator(r rune) bool { return strings.ContainsRune(" \t\r\n`'\"«»“”‘’,;()<>|=", r) }

func isSure(word string) bool {
	switch {
	case slices.Contains(knownFiles[:], word), strings.HasSuffix(word, "/"):
		return true
	case strings.Contains(word, "*"):
		return strings.ContainsAny(word, "./")
	case strings.HasPrefix(path.Base(word), ".") && !strings.Contains(path.Base(word)[1:], "/"):
		return len(word) > 2 // .gitignore
	case strings.Contains(word, "/") && path.Ext(word) != "":
		return true
	}
	return slices.ContainsFunc(parser.Names(word), func(n parser.Name) bool {
		return n.IsFile && n.IsSure && n.Text == word
	})
}

// Contains reports whether a file is the place or lies in it. A place may leave out
// the folders above it: auth.py is src/auth.py too, and docs/ is pkg/docs/.
func (p Place) Contains(file string) bool {
	name := strings.Trim(p.Text, "/")
	if strings.Contains(name, "*") {
		return p.IsSure && (matchesPattern(name, file) || matchesPattern("**/"+name, file))
	}
	in := "/" + file
	isFolder := strings.Contains(p.Text, "/")
	return strings.HasSuffix(in, "/"+name) && !strings.HasSuffix(p.Text, "/") ||
		isFolder && strings.Contains(in, "/"+name+"/")
}

func matchesPattern(pattern, file string) bool {
	ok, err := doublestar.Match(pattern, file)
	return err == nil && ok
}
