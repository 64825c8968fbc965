package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

func main() {
	page := flag.String("page", "", "write the table between the markers of this `FILE`")
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
	out := table(all)
	if page == "" {
		_, err := fmt.Print(out)
		return err
	}
	return between(page, out)
}

// table is a row a room, the sum of the product, and below it what else is measured.
func table(all []*pkg) string {
	rooms := map[string]figures{}
	var product figures
	var apart []string
	for _, p := range all {
		m := p.measure()
		rooms[p.room()] = rooms[p.room()].plus(m)
		if p.module == "" {
			product = product.plus(m)
		} else if !slices.Contains(apart, p.module) {
			apart = append(apart, p.module)
		}
	}
	var b strings.Builder
	b.WriteString("| package | lines | tests a line | longest file | function | line | function fields | arrows up |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	names := slices.Collect(maps.Keys(rooms))
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(rooms[b].lines-rooms[a].lines, strings.Compare(a, b))
	})
	for _, name := range names {
		if !slices.Contains(apart, name) {
			b.WriteString(rooms[name].row(name))
		}
	}
	b.WriteString(product.row("**all**"))
	for _, name := range apart {
		b.WriteString(rooms[name].row(name + ", a module of its own"))
	}
	return b.String()
}

func (m figures) plus(o figures) figures {
	return figures{
		lines: m.lines + o.lines, tests: m.tests + o.tests,
		file: max(m.file, o.file), function: max(m.function, o.function), line: max(m.line, o.line),
		closures: m.closures + o.closures, arrows: m.arrows + o.arrows, up: m.up + o.up,
	}
}

func (m figures) row(name string) string {
	ratio := float64(m.tests) / float64(max(m.lines, 1))
	return fmt.Sprintf("| %s | %d | %.2f | %d | %d | %d | %d | %d of %d |\n", name, m.lines, ratio, m.file, m.function,
		m.line, m.closures, m.up, m.arrows)
}

// The markers of a page between which the table stands.
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
