package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"crucible/judge/strength/vet/source"
	"crucible/judge/strength/vet/syntax"
)

// oneField returns the field, or the map, that alone decides the order of a sort, as in
//
//	sort.Slice(s, func(i, j int) bool { return s[i].count > s[j].count })
//	sort.Slice(keys, func(i, j int) bool { return m[keys[i]] > m[keys[j]] })
//
// and nil if the order depends on more.
func (m *mapOrder) oneField(call *ast.CallExpr) types.Object {
	if len(call.Args) != 2 {
		return nil
	}
	less, ok := ast.Unparen(call.Args[1]).(*ast.FuncLit)
	if !ok || len(less.Body.List) != 1 {
		return nil
	}
	r, ok := less.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return nil
	}
	var a, b ast.Expr
	switch e := ast.Unparen(r.Results[0]).(type) {
	case *ast.BinaryExpr:
		if !syntax.IsOrder(e.Op) && e.Op != token.SUB {
			return nil
		}
		a, b = e.X, e.Y
	case *ast.CallExpr:
		if m.Name(e) != "cmp.Compare" && m.Name(e) != "strings.Compare" {
			return nil
		}
		a, b = e.Args[0], e.Args[1]
	default:
		return nil
	}
	if m.isMapElement(a) && m.isMapElement(b) {
		if of := m.Container(a); of != nil && m.Container(b) == of && m.keyOf(a) == m.keyOf(b) {
			return of
		}
		return nil
	}
	field, ok := m.Variable(a).(*types.Var)
	if !ok || !field.IsField() || m.Variable(b) != types.Object(field) {
		return nil
	}
	return field
}

// keyOf returns the slice s of the map element m[s[i]]; nil if its key is something else.
func (m *mapOrder) keyOf(e ast.Expr) types.Object {
	i, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok || !syntax.Indexed(i.Index) {
		return nil
	}
	return m.Container(i.Index)
}

// ties reports whether a loop over a map appends structs to a slice that is sorted by a
// field alone which does not hold the key, and another field is written: the order of
// structs with equal fields is random. So is that of keys that are sorted by their values
// alone.
func (m *mapOrder) ties(loop *ast.RangeStmt, obj types.Object, appended *ast.CallExpr) bool {
	field := m.by[obj]
	if field == nil || m.fully[obj] || len(appended.Args) != 2 || loop.Key == nil {
		return false
	}
	if v, ok := field.(*types.Var); ok && !v.IsField() {
		key := m.Variable(loop.Key)
		return key != nil && m.Variable(appended.Args[1]) == key && m.Container(loop.X) == field && m.written(obj)
	}
	lit, ok := ast.Unparen(appended.Args[1]).(*ast.CompositeLit)
	if !ok {
		return false
	}
	s, ok := m.TypeOf(lit).Underlying().(*types.Struct)
	if !ok || len(lit.Elts) < 2 {
		return false
	}
	var others []types.Object
	key := m.Variable(loop.Key)
	for i, e := range lit.Elts {
		to := types.Object(s.Field(min(i, s.NumFields()-1)))
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			to, e = m.Variable(kv.Key), kv.Value
		}
		switch {
		case to != field:
			others = append(others, to)
		case key == nil || m.Mentions(e, key):
			return false // keys differ
		}
	}
	return slices.ContainsFunc(m.Funcs, func(f *source.Function) bool {
		return slices.ContainsFunc(f.Calls, func(call *ast.CallExpr) bool {
			to, data := m.Output(call)
			return to&(source.RawOut|source.BufOut|source.Memory) != 0 && slices.ContainsFunc(data, func(e ast.Expr) bool { return m.Mentions(e, others...) })
		})
	})
}
