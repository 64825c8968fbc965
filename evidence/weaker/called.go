package weaker

import (
	"context"
	"strings"

	"github.com/acta-git/acta/evidence"
)

// isCalled reports whether a test calls a function that was one.
func (k *comparison) isCalled(ctx context.Context, u *trace) (bool, error) {
	var of *fileTrace
	var source []byte
	for _, t := range k.after {
		if !t.test || t == u || t.body[1] == 0 || !t.names.has(u.name) {
			continue
		}
		if of != t.file {
			var err error
			if source, err = sourceOf(ctx, k.After, t.file.path); err != nil {
				return false, err
			}
			of = t.file
		}
		if len(source) >= t.body[1] && calls(of.language, string(source[t.body[0]:t.body[1]]), u.name) {
			return true, nil
		}
	}
	return false, nil
}

// calls reports whether a unit calls a function of its file, or of its own object. Where calls lack brackets, that it
// names it is enough.
func (u *unit) calls(named string) bool {
	return u.body != nil && calls(u.file.Language, u.bodyText(), named)
}

func calls(language, source, named string) bool {
	if language == "ruby" {
		return true
	}
	for at := strings.Index(source, named+"("); at >= 0; {
		before := strings.TrimSuffix(strings.TrimSuffix(source[:at], "self."), "this.")
		if before == "" || !isWordByte(before[len(before)-1]) && before[len(before)-1] != '.' {
			return true
		}
		next := strings.Index(source[at+1:], named+"(")
		if next < 0 {
			return false
		}
		at += 1 + next
	}
	return false
}

// sourceOf is the text of a file of a tree.
func sourceOf(ctx context.Context, tree *evidence.Tree, path string) ([]byte, error) {
	entry, err := tree.Stat(ctx, path)
	if err != nil || entry.Kind != evidence.File {
		return nil, err
	}
	return tree.Read(ctx, entry)
}
