package main

import (
	"regexp"
	"strings"
)

// paramStyle says where in a parameter its name stands.
type paramStyle int

const (
	noNames     paramStyle = iota
	namesFirst             // x, x: T, x = 1, mut x: T, x T
	namesLast              // T x, const T *x = 1
	namesDollar            // T $x
	namesLabel             // label x: T
)

var identifier = regexp.MustCompile(`^\$?[A-Za-z_]\w*$`)

// parameters are the names of what the function takes, without its receiver; ok is false where they cannot be told.
func (f *function) parameters() (names []string, ok bool) {
	h := f.header()
	i := strings.Index(h, f.Name+"(")
	if i < 0 {
		if i = strings.Index(h, "("); i < 0 {
			return nil, f.dialect.layout == blocks // a call without parentheses
		}
	} else {
		i += len(f.Name)
	}
	inside, _, closed := parenthesised(h[i:])
	if !closed {
		return nil, false
	}
	for _, part := range splitTop(inside) {
		name := f.dialect.params.nameIn(part)
		if name == "self" || name == "cls" || name == "void" || name == "" && strings.TrimSpace(part) == "" {
			continue
		}
		if !identifier.MatchString(name) || name == "_" {
			return nil, false
		}
		names = append(names, name)
	}
	return names, true
}

var skipped = regexp.MustCompile(
	`^(mut|const|final|readonly|public|private|protected|val|var|implicit|vararg|crossinline|noinline|inout|this|ref|` +
		`out|in|params|using)\s+`)

func (style paramStyle) nameIn(part string) string {
	part = strings.TrimSpace(part)
	for skipped.MatchString(part) && style != namesLast {
		part = skipped.ReplaceAllString(part, "")
	}
	switch style {
	case namesFirst, namesLabel:
		part = strings.TrimLeft(part, "*&.")
		if strings.HasPrefix(part, "mut self") || strings.HasPrefix(part, "self") && !strings.Contains(part, ":") {
			return "self"
		}
		cut := strings.FieldsFunc(part, func(r rune) bool { return r == ':' || r == '=' || r == '\\' || r == '?' })
		if len(cut) == 0 {
			return ""
		}
		fields := strings.Fields(cut[0])
		if len(fields) == 0 {
			return ""
		}
		if style == namesLabel {
			return fields[len(fields)-1]
		}
		return fields[0]
	case namesDollar:
		return regexp.MustCompile(`\$\w+`).FindString(part)
	case namesLast:
		part, _, _ = strings.Cut(part, "=")
		part = strings.TrimRight(strings.TrimSpace(part), "[]0123456789")
		return part[strings.LastIndexAny(part, " *&\t\n")+1:]
	}
	return ""
}

// splitTop splits at the commas that stand in no bracket.
func splitTop(s string) []string {
	var parts []string
	depth, from := 0, 0
	for i, r := range s {
		switch r {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, s[from:i])
				from = i + 1
			}
		}
	}
	return append(parts, s[from:])
}
