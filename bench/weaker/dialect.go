package main

import (
	_ "embed" // the tables
	"fmt"
	"regexp"
	"strings"
)

// rewrite is one way to write a text anew: what fits from becomes to.
type rewrite struct {
	from *regexp.Regexp
	to   string
}

// apply writes a text anew in the first way that fits.
func apply(by []rewrite, text string) (string, bool) {
	for _, r := range by {
		if m := r.from.FindStringSubmatchIndex(text); m != nil {
			return text[:m[0]] + string(r.from.ExpandString(nil, r.to, text, m)) + text[m[1]:], true
		}
	}
	return "", false
}

// entry is a line of a table: its first word, and what follows that.
type entry struct{ key, text string }

// table are the entries of a text, with what it names by "let" in the place of the names.
func table(text string) (all []entry) {
	lets := strings.NewReplacer()
	var names []string
	for line := range strings.Lines(text) {
		key, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch text = lets.Replace(text); key {
		case "", "#":
		case "let":
			name, text, _ := strings.Cut(text, " ")
			names = append(names, "{"+name+"}", text)
			lets = strings.NewReplacer(names...)
		default:
			all = append(all, entry{key, text})
		}
	}
	return all
}

// unescaped has the characters that a line of a table cannot hold.
var unescaped = strings.NewReplacer(`\n`, "\n", `\t`, "\t")

// change is one form of a change, and how it is made.
type change struct {
	form string
	// of is what is written anew: a word of dialects.txt.
	of string
	by []rewrite
}

// read takes an entry that says how a change is made; ok is false for another one.
func (c *change) read(e entry) (ok bool, err error) {
	switch e.key {
	case "from":
		var from *regexp.Regexp
		from, err = regexp.Compile(e.text)
		c.by = append(c.by, rewrite{from: from})
	case "to":
		if len(c.by) == 0 {
			c.by = []rewrite{{}}
		}
		c.by[len(c.by)-1].to = unescaped.Replace(e.text)
	default:
		return false, nil
	}
	return true, err
}

// dialect is how tests are written in one language, and how each form is applied to them.
type dialect struct {
	name string
	// test is what the text before the body of a test has, titled whether it may be named by a title.
	test   *regexp.Regexp
	titled bool
	// path is what the name of a file of tests has, assertion a line that is one whole assertion.
	path, assertion *regexp.Regexp
	changes         []change
}

const (
	formRemoved = "1 removed"
	formFocused = "3 focused"
	formDropped = "4 assertion gone"
	formDouble  = "12 double"
)

//go:embed dialects.txt
var dialectTable string

// readDialects reads dialects.txt.
func readDialects() (all []dialect, err error) {
	for _, e := range table(dialectTable) {
		if e.key == "language" {
			name, as, _ := strings.Cut(e.text, " as ")
			d := dialect{}
			if as != "" {
				d = all[len(all)-1]
			}
			d.name = name
			all = append(all, d)
			continue
		}
		d := &all[len(all)-1]
		switch e.key {
		case "test":
			d.test, err = regexp.Compile(e.text)
		case "path":
			d.path, err = regexp.Compile(e.text)
		case "assertion":
			d.assertion, err = regexp.Compile(e.text)
		case "titled":
			d.titled = true
		case "header", "line", "file", "name", "first":
			d.changes = append(d.changes, change{form: e.text, of: e.key})
		default:
			var ok bool
			if ok, err = d.changes[len(d.changes)-1].read(e); !ok {
				err = fmt.Errorf("dialects.txt: what is %q?", e.key)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("dialects.txt: %w", err)
		}
	}
	return all, nil
}
