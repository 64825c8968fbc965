package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

func main() {
	page := flag.String("page", "", "write the tables between the markers of this `FILE`")
	flag.Parse()
	top := "."
	if flag.NArg() > 0 {
		top = flag.Arg(0)
	}
	if err := run(top, *page); err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

func run(top, page string) error {
	all, err := read(top)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("%s holds no Go file", top)
	}
	out := tables(all)
	if page == "" {
		_, err := fmt.Print(out)
		return err
	}
	return between(page, out)
}

// tables are a row a room, and the names that the limits are held to by name.
func tables(all []*pkg) string {
	rooms := map[string]figures{}
	var total figures
	for _, p := range all {
		m := p.measure()
		rooms[room(p.path)] = rooms[room(p.path)].plus(m)
		total = total.plus(m)
	}
	var b strings.Builder
	b.WriteString("| package | lines | tests a line | longest file | function | line | over 400, 60, 120 | function " +
		"fields | without comment | arrows up |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	names := make([]string, 0, len(rooms))
	for name := range rooms {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return rooms[b].lines - rooms[a].lines })
	for _, name := range names {
		b.WriteString(rooms[name].row(name))
	}
	b.WriteString(total.row("**all**"))
	for _, of := range []struct{ folder, name string }{{"check", "Input"}, {"evidence/language", "Language"}} {
		fmt.Fprintf(&b, "\n`%s.%s` has %d fields of function type.\n", of.folder[strings.LastIndexByte(of.folder, '/')+1:],
			of.name, closuresOf(all, of.folder, of.name))
	}
	return b.String()
}

func (m figures) plus(o figures) figures {
	return figures{
		lines: m.lines + o.lines, tests: m.tests + o.tests,
		file: max(m.file, o.file), function: max(m.function, o.function), line: max(m.line, o.line),
		longFiles: m.longFiles + o.longFiles, longFunctions: m.longFunctions + o.longFunctions,
		longLines: m.longLines + o.longLines,
		closures:  m.closures + o.closures, bare: m.bare + o.bare, arrows: m.arrows + o.arrows, up: m.up + o.up,
	}
}

func (m figures) row(name string) string {
	ratio := float64(m.tests) / float64(max(m.lines, 1))
	return fmt.Sprintf("| %s | %d | %.2f | %d | %d | %d | %d, %d, %d | %d | %d | %d of %d |\n", name, m.lines, ratio,
		m.file, m.function, m.line, m.longFiles, m.longFunctions, m.longLines, m.closures, m.bare, m.up, m.arrows)
}

// The markers of a page between which the tables stand.
const (
	begins = "<!-- house -->"
	ends   = "<!-- /house -->"
)

// between puts a text between the markers of a page.
func between(page, text string) error {
	data, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(data), begins)
	_, after, closed := strings.Cut(rest, ends)
	if !ok || !closed {
		return errors.New(page + " has no " + begins + " with an " + ends + " behind it")
	}
	return os.WriteFile(page, []byte(before+begins+"\n"+text+ends+after), 0o666)
}
