package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"crucible/judge/strength/vet/source"
	"crucible/judge/strength/vet/syntax"
)

// descends reports whether the function inserts into a search tree without balancing it:
// it compares a key of a node with another value, calls itself for a child, creates a
// node, and calls nothing else.
func (r recursion) descends() bool {
	if len(r.f.Calls) != len(r.own) || !slices.ContainsFunc(r.own, r.passesChild) {
		return false
	}
	creates := syntax.Has(r.f.Body, func(u *ast.UnaryExpr) bool {
		lit, ok := ast.Unparen(u.X).(*ast.CompositeLit)
		return ok && u.Op == token.AND && r.isTree(types.NewPointer(r.TypeOf(lit)))
	})
	return creates && syntax.Has(r.f.Body, func(b *ast.BinaryExpr) bool {
		return syntax.IsOrder(b.Op) && (r.isKey(b.X) || r.isKey(b.Y))
	})
}

// isTree reports whether t points to a struct with two pointers of type t or more.
func (r recursion) isTree(t types.Type) bool {
	ptr, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	s, ok := ptr.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	same := 0
	for field := range s.Fields() {
		if types.Identical(field.Type(), t) {
			same++
		}
	}
	return same >= 2
}

// passesChild reports whether a call passes a field of a parameter that is a child, perhaps
// in a variable or by its address.
func (r recursion) passesChild(call *ast.CallExpr) bool {
	return slices.ContainsFunc(append([]ast.Expr{call.Fun}, call.Args...), func(e ast.Expr) bool {
		return r.usesChild(e) || syntax.Has(e, func(id *ast.Ident) bool {
			obj := r.Variable(id)
			return obj != nil && syntax.DeclaredIn(obj, r.f.Body) && slices.ContainsFunc(r.Assigned[obj], func(v source.Value) bool { return r.usesChild(v.Expr) })
		})
	})
}

// usesChild reports whether an expression uses a field of a parameter that is a child.
func (r recursion) usesChild(e ast.Expr) bool {
	return syntax.Has(e, func(sel *ast.SelectorExpr) bool {
		t := r.TypeOf(sel)
		return t != nil && r.isTree(t) && types.Identical(r.TypeOf(sel.X), t) && (r.mentionsParam(sel.X) || r.isReceiver(sel.X))
	})
}

// isKey reports whether e is a field of a node that is a parameter.
func (r recursion) isKey(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && r.TypeOf(sel.X) != nil && r.isTree(r.TypeOf(sel.X)) && (r.mentionsParam(sel.X) || r.isReceiver(sel.X))
}

// parses reports whether the function, or one that it calls and that calls it, moves a
// position forward in a text that outlives it, and never back.
func (r recursion) parses() bool {
	var group []*source.Function
	for _, f := range r.Funcs {
		if f == r.f || r.Reaches(r.f)[f] && r.Reaches(f)[r.f] {
			group = append(group, f)
		}
	}
	moves, reads := make(map[types.Object]bool), make(map[types.Object]bool)
	back := make(map[types.Object]bool)
	for _, f := range group {
		for n := range ast.Preorder(f.Body) {
			switch n := n.(type) {
			case *ast.IncDecStmt:
				if obj := r.Variable(n.X); obj != nil && !syntax.DeclaredIn(obj, f.Node) {
					moves[obj] = true
					back[obj] = back[obj] || n.Tok == token.DEC
				}
			case *ast.AssignStmt:
				for _, left := range n.Lhs {
					if obj := r.Variable(left); n.Tok != token.ADD_ASSIGN {
						back[obj] = true
					} else if obj != nil && !syntax.DeclaredIn(obj, f.Node) {
						moves[obj] = true
					}
				}
			}
		}
	}
	texts := []*source.Function{r.f}
	for f := range r.Reaches(r.f) {
		texts = append(texts, f) // also those that only read, as peek
	}
	for _, f := range texts {
		for n := range ast.Preorder(f.Body) {
			if at, ok := n.(*ast.IndexExpr); ok && isText(r.TypeOf(at.X)) && r.Variable(at.Index) != nil {
				reads[r.Variable(at.Index)] = true
			}
		}
	}
	for obj := range moves {
		if reads[obj] && !back[obj] {
			return true
		}
	}
	return false
}

// isText reports whether t is a string or a slice of bytes.
func isText(t types.Type) bool {
	if t == nil || source.IsString(t) {
		return t != nil
	}
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint8
}
