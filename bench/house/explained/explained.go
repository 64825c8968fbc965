// Package explained tells which exported names of a parsed file no comment explains: bench/house counts them, and the
// test of the limits refuses them. In goes a declaration, out come its names.
package explained

import (
	"go/ast"
	"slices"
)

// LacksComment reports whether a function is exported, of no type that nobody outside can name, and has no comment.
func LacksComment(n *ast.FuncDecl) bool {
	return n.Name.IsExported() && n.Doc == nil && isOfExported(n)
}

func isOfExported(n *ast.FuncDecl) bool {
	if n.Recv == nil || len(n.Recv.List) == 0 {
		return true
	}
	of := n.Recv.List[0].Type
	if star, is := of.(*ast.StarExpr); is {
		of = star.X
	}
	name, is := of.(*ast.Ident)
	return !is || name.IsExported()
}

// Uncommented are the exported names of a declaration that neither it nor their own line explains.
func Uncommented(n *ast.GenDecl) []*ast.Ident {
	var names []*ast.Ident
	for _, spec := range n.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if n.Doc == nil && s.Doc == nil && s.Comment == nil {
				names = append(names, s.Name)
			}
		case *ast.ValueSpec:
			if n.Doc == nil && s.Doc == nil && s.Comment == nil {
				names = append(names, s.Names...)
			}
		}
	}
	return slices.DeleteFunc(names, func(name *ast.Ident) bool { return !name.IsExported() })
}
