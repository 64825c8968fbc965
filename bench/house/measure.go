package main

import (
	"go/ast"
	"strings"

	"github.com/acta-git/acta/bench/house/explained"
)

// figures are those of one package.
type figures struct {
	lines, tests int
	// longest file, function and line, and how many are above the limits of CONTRIBUTING.md.
	file, function, line                int
	longFiles, longFunctions, longLines int
	// closures are the struct fields of function type, bare the exported names without a comment.
	closures, bare int
	// arrows between files, and those of them that run back up.
	arrows, up int
}

// The limits of CONTRIBUTING.md.
const (
	maxFile     = 400
	maxFunction = 60
	maxLine     = 120
)

func (p *pkg) measure() figures {
	m := figures{tests: p.tests}
	for i := range p.files {
		f := &p.files[i]
		m.lines += f.lines
		m.file, m.line = max(m.file, f.lines), max(m.line, f.longest)
		m.longFiles += count(f.lines > maxFile)
		m.longLines += count(f.longest > maxLine)
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
	m.fields(f.syntax)
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			lines := f.span(n)
			m.function = max(m.function, lines)
			m.longFunctions += count(lines > maxFunction)
			m.bare += count(explained.LacksComment(n))
		case *ast.GenDecl:
			m.bare += len(explained.Uncommented(n))
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

// room is the package that a folder belongs to in the tables: evidence for evidence/python, cmd/acta for itself.
func room(folder string) string {
	parts := strings.Split(folder, "/")
	if parts[0] == "cmd" && len(parts) > 1 {
		return strings.Join(parts[:2], "/")
	}
	return parts[0]
}

// closuresOf counts the fields of function type of one struct.
func closuresOf(all []*pkg, folder, name string) int {
	n := 0
	for _, p := range all {
		if p.path != folder {
			continue
		}
		for i := range p.files {
			ast.Inspect(p.files[i].syntax, func(node ast.Node) bool {
				if t, is := node.(*ast.TypeSpec); is && t.Name.Name == name {
					var m figures
					m.fields(t)
					n += m.closures
				}
				return true
			})
		}
	}
	return n
}

// fields counts the struct fields of function type below a node.
func (m *figures) fields(of ast.Node) {
	ast.Inspect(of, func(n ast.Node) bool {
		if s, is := n.(*ast.StructType); is {
			for _, field := range s.Fields.List {
				if _, is := field.Type.(*ast.FuncType); is {
					m.closures += max(len(field.Names), 1)
				}
			}
		}
		return true
	})
}
