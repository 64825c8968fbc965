package main

import (
	"go/ast"
	"strings"
)

// figures are those of one package.
type figures struct {
	lines, tests         int
	file, function, line int // the longest
	closures             int // struct fields of function type
	arrows, up           int // between files, and those of them that run back up
}

func (p *pkg) measure() figures {
	m := figures{tests: p.tests}
	for i := range p.files {
		f := &p.files[i]
		m.lines += f.lines
		m.file, m.line = max(m.file, f.lines), max(m.line, f.longest)
		m.inspect(f)
	}
	m.arrows, m.up = p.arrows()
	return m
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// inspect counts what stands in one file.
func (m *figures) inspect(f *file) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			m.function = max(m.function, f.span(n))
		case *ast.StructType:
			for _, field := range n.Fields.List {
				if _, is := field.Type.(*ast.FuncType); is {
					m.closures += max(len(field.Names), 1)
				}
			}
		}
		return true
	})
}

// arrows counts the pairs of files of which one names what the other declares, and those that run back up in the order
// of the files that has the fewest such: see order.
func (p *pkg) arrows() (all, up int) {
	to := p.references()
	at := map[int]int{}
	for i, f := range order(to) {
		at[f] = i
	}
	for from, targets := range to {
		for target := range targets {
			all++
			up += count(at[target] < at[from])
		}
	}
	return all, up
}

// references tell of each file which others it names.
func (p *pkg) references() []map[int]bool {
	names, methods := map[string]int{}, map[string]int{}
	for i, f := range p.files {
		for _, d := range f.syntax.Decls {
			declare(d, i, names, methods)
		}
	}
	to := make([]map[int]bool, len(p.files))
	for i, f := range p.files {
		to[i] = map[int]bool{}
		selected := map[*ast.Ident]bool{}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				selected[n.Sel] = true
				if j, known := methods[n.Sel.Name]; known && j >= 0 && j != i {
					to[i][j] = true
				}
			case *ast.Ident:
				if j, known := names[n.Name]; known && j != i && !selected[n] {
					to[i][j] = true
				}
			}
			return true
		})
	}
	return to
}

// declare notes what a declaration puts at the top of its package; a method of two files is nobody's.
func declare(d ast.Decl, at int, names, methods map[string]int) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names[d.Name.Name] = at
		} else if had, known := methods[d.Name.Name]; known && had != at {
			methods[d.Name.Name] = -1
		} else {
			methods[d.Name.Name] = at
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names[s.Name.Name] = at
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names[name.Name] = at
				}
			}
		}
	}
	delete(names, "_")
}

// order sorts files so that few arrows run back up, by the greedy rule of Eades, Lin and Smyth (1993): what nothing
// names comes first, what names nothing last, and of the others the one that names most beyond what names it.
func order(to []map[int]bool) []int {
	left := map[int]bool{}
	for i := range to {
		left[i] = true
	}
	degrees := func(i int) (out, in int) {
		for j := range left {
			out += count(to[i][j])
			in += count(to[j][i])
		}
		return out, in
	}
	var first, last []int
	for len(left) > 0 {
		best, gain, isLast := -1, 0, false
		for i := range to {
			if !left[i] {
				continue
			}
			out, in := degrees(i)
			switch {
			case out == 0:
				best, isLast = i, true
			case in == 0:
				best, isLast = i, false
			case best < 0 || out-in > gain:
				best, gain, isLast = i, out-in, false
				continue
			default:
				continue
			}
			break
		}
		delete(left, best)
		if isLast {
			last = append([]int{best}, last...)
		} else {
			first = append(first, best)
		}
	}
	return append(first, last...)
}

// room is the row of the table that a package belongs to: evidence for evidence/lang/python, cmd/acta for itself, and its
// module for what is in one of its own.
func (p *pkg) room() string {
	if p.module != "" {
		return p.module
	}
	parts := strings.Split(p.path, "/")
	if parts[0] == "cmd" && len(parts) > 1 {
		return strings.Join(parts[:2], "/")
	}
	return parts[0]
}
