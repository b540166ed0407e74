package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// programs computes what the other analyzers ask about a program.
var programs = &analysis.Analyzer{
	Name:       "program",
	Doc:        "find the functions, calls, loops and assignments of a program",
	Run:        func(pass *analysis.Pass) (any, error) { return newProgram(pass), nil },
	ResultType: reflect.TypeFor[*program](),
}

// programOf returns the program that the analyzer of pass requires.
func programOf(pass *analysis.Pass) *program { return pass.ResultOf[programs].(*program) }

// A program is a package with the relations that its syntax tree and types do
// not have: parents, callers and assigned values. A submission is one package,
// so all its code is here. The order of statements is mostly ignored.
type program struct {
	pass     *analysis.Pass
	info     *types.Info
	parent   map[ast.Node]ast.Node
	funcs    []*function
	byNode   map[ast.Node]*function
	byObject map[types.Object]*function
	assigned map[types.Object][]value
	size     size
}

// A value is an expression that is assigned to a variable, or one of the results
// of a call.
type value struct {
	expr   ast.Expr
	result int // of the call expr; -1 for the expression itself
}

// A function is a declared function, a method or a function literal.
type function struct {
	node     ast.Node // *ast.FuncDecl or *ast.FuncLit
	typ      *ast.FuncType
	body     *ast.BlockStmt
	calls    []*ast.CallExpr // in its body, except those in literals
	returns  []*ast.ReturnStmt
	sites    []ast.Node // where it is called, or where a literal is passed on
	repeated bool       // it is called in a loop, at any distance
}

func newProgram(pass *analysis.Pass) *program {
	p := &program{
		pass: pass, info: pass.TypesInfo,
		parent: make(map[ast.Node]ast.Node), byNode: make(map[ast.Node]*function),
		byObject: make(map[types.Object]*function), assigned: make(map[types.Object][]value),
	}
	for _, f := range pass.Files {
		p.index(f)
	}
	for _, f := range p.funcs {
		for _, r := range f.returns {
			p.assignResults(f, r)
		}
		for _, call := range f.calls {
			p.assignArguments(call)
		}
	}
	p.dropUnreached()
	p.findSites()
	p.findRepeated()
	p.findSize()
	return p
}

// index records parents, functions, and the values of assignments and literals.
func (p *program) index(file *ast.File) {
	var open []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			open = open[:len(open)-1]
			return true
		}
		if len(open) > 0 {
			p.parent[n] = open[len(open)-1]
		}
		open = append(open, n)
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				f := &function{node: n, typ: n.Type, body: n.Body}
				p.funcs, p.byNode[n], p.byObject[p.info.Defs[n.Name]] = append(p.funcs, f), f, f
			}
		case *ast.FuncLit:
			f := &function{node: n, typ: n.Type, body: n.Body}
			p.funcs, p.byNode[n] = append(p.funcs, f), f
		case *ast.CallExpr:
			if f := p.functionAt(n); f != nil {
				f.calls = append(f.calls, n)
			}
		case *ast.ReturnStmt:
			f := p.functionAt(n)
			f.returns = append(f.returns, n)
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
				p.assign(n.Lhs, n.Rhs)
			}
		case *ast.ValueSpec:
			var names []ast.Expr
			for _, name := range n.Names {
				names = append(names, name)
			}
			p.assign(names, n.Values)
		case *ast.CompositeLit:
			p.assignFields(n)
		}
		return true
	})
}

func (p *program) assign(to, from []ast.Expr) {
	for i, left := range to {
		obj := p.variable(left)
		switch {
		case obj == nil || len(from) == 0:
		case len(from) == len(to):
			p.assigned[obj] = append(p.assigned[obj], value{from[i], -1})
		default:
			p.assigned[obj] = append(p.assigned[obj], value{from[0], i})
		}
	}
}

func (p *program) assignFields(lit *ast.CompositeLit) {
	t := p.typeOf(lit)
	if t == nil {
		return
	}
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem() // &T{} whose type is elided in a slice
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			p.assign([]ast.Expr{kv.Key}, []ast.Expr{kv.Value})
		} else if i < s.NumFields() {
			p.assigned[s.Field(i).Origin()] = append(p.assigned[s.Field(i).Origin()], value{e, -1})
		}
	}
}

// assignArguments assigns the arguments of a call to the parameters.
func (p *program) assignArguments(call *ast.CallExpr) {
	for _, f := range p.callees(call) {
		params := p.parameters(f)
		for i, arg := range call.Args {
			if i < len(params) && params[i] != nil {
				p.assigned[params[i]] = append(p.assigned[params[i]], value{arg, -1})
			}
		}
		if d, ok := f.node.(*ast.FuncDecl); ok && d.Recv != nil && len(d.Recv.List[0].Names) > 0 {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
				recv := p.info.Defs[d.Recv.List[0].Names[0]]
				p.assigned[recv] = append(p.assigned[recv], value{sel.X, -1})
			}
		}
	}
}

// assignResults assigns what a function returns to its named results.
func (p *program) assignResults(f *function, r *ast.ReturnStmt) {
	if f.typ.Results == nil || len(r.Results) == 0 {
		return
	}
	var names []ast.Expr
	for _, field := range f.typ.Results.List {
		for _, name := range field.Names {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		p.assign(names, r.Results)
	}
}

// parameters returns the parameters of a function in order; nil for unnamed ones.
func (p *program) parameters(f *function) (all []types.Object) {
	for _, field := range f.typ.Params.List {
		for _, name := range field.Names {
			all = append(all, p.info.Defs[name])
		}
		if len(field.Names) == 0 {
			all = append(all, nil)
		}
	}
	return all
}

// dropUnreached removes the functions that main does not reach, with the literals in
// them. Methods that an interface may call stay.
func (p *program) dropUnreached() {
	m := p.main()
	if m == nil {
		return
	}
	reached := map[*function]bool{m: true}
	p.reach(m.body, reached)
	for _, f := range p.pass.Files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				p.reach(d, reached) // variables
			} else if fn.Body != nil && (fn.Recv != nil && p.inInterface(fn.Name.Name) || fn.Name.Name == "init") {
				reached[p.byNode[fn]] = true
				p.reach(fn.Body, reached)
			}
		}
	}
	p.funcs = slices.DeleteFunc(p.funcs, func(f *function) bool {
		for n := f.node; n != nil; n = p.parent[n] {
			if d, ok := n.(*ast.FuncDecl); ok {
				return !reached[p.byNode[d]]
			}
		}
		return false
	})
}

// inInterface reports whether a method with this name may be called through an
// interface: of the standard library, or one that the program calls.
func (p *program) inInterface(name string) bool {
	switch name {
	case "Len", "Less", "Swap", "Push", "Pop", "String", "Error", "Read", "Write", "Format", "Scan":
		return true
	}
	for sel, s := range p.info.Selections {
		if sel.Sel.Name == name && types.IsInterface(s.Recv()) {
			return true
		}
	}
	return false
}

// findSites records where functions are called. A literal or a function that is
// passed to another one counts as called there.
func (p *program) findSites() {
	for _, f := range p.funcs {
		for _, call := range f.calls {
			for _, callee := range p.callees(call) {
				callee.sites = append(callee.sites, call)
			}
			for _, arg := range call.Args {
				for _, callee := range p.functionsIn(arg) {
					callee.sites = append(callee.sites, call)
				}
			}
		}
	}
}

// findRepeated marks the functions that are called in loops or call themselves.
func (p *program) findRepeated() {
	for changed := true; changed; {
		changed = false
		for _, f := range p.funcs {
			if f.repeated {
				continue
			}
			for _, site := range f.sites {
				if p.repeated(site) {
					f.repeated, changed = true, true
				}
			}
		}
	}
}

// recursive reports whether a function can call itself.
func (p *program) recursive(f *function) bool {
	for _, call := range f.calls {
		for _, g := range p.callees(call) {
			if g == f || p.reaches(g)[f] {
				return true
			}
		}
	}
	return false
}

// reaches returns the functions that f may call, at any distance.
func (p *program) reaches(f *function) map[*function]bool {
	found := make(map[*function]bool)
	p.reach(f.body, found)
	return found
}

// reach adds the functions that the code below n may call.
func (p *program) reach(n ast.Node, found map[*function]bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		callees := p.callees(call)
		for _, arg := range call.Args {
			callees = append(callees, p.functionsIn(arg)...)
		}
		for _, f := range callees {
			if !found[f] {
				found[f] = true
				p.reach(f.body, found)
			}
		}
		return true
	})
}

// functionAt returns the function whose body contains n; nil at package level.
func (p *program) functionAt(n ast.Node) *function {
	for n = p.parent[n]; n != nil; n = p.parent[n] {
		if f := p.byNode[n]; f != nil {
			return f
		}
	}
	return nil
}

// main returns the function main, or nil.
func (p *program) main() *function {
	for _, f := range p.funcs {
		if d, ok := f.node.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == "main" {
			return f
		}
	}
	return nil
}

// callees returns the functions of this program that a call may call. Methods
// called through an interface are not found.
func (p *program) callees(call *ast.CallExpr) []*function { return p.functionsIn(call.Fun) }

// functionsIn returns the functions of this program that are the value of e.
func (p *program) functionsIn(e ast.Expr) []*function {
	return p.functionValues(e, make(map[types.Object]bool))
}

func (p *program) functionValues(e ast.Expr, seen map[types.Object]bool) (all []*function) {
	e = ast.Unparen(e)
	if i, ok := e.(*ast.IndexExpr); ok && p.typeOf(i.X) != nil {
		if _, ok := p.typeOf(i.X).(*types.Signature); ok {
			e = i.X // an instantiation
		}
	}
	if lit, ok := e.(*ast.FuncLit); ok {
		return append(all, p.byNode[lit])
	}
	obj := p.variable(e)
	if obj == nil || seen[obj] {
		return nil
	}
	seen[obj] = true
	if f := p.byObject[obj]; f != nil {
		return append(all, f)
	}
	if _, ok := obj.(*types.Var); ok {
		if _, ok := obj.Type().Underlying().(*types.Signature); ok {
			for _, v := range p.assigned[obj] {
				if v.result < 0 {
					all = append(all, p.functionValues(v.expr, seen)...)
				}
			}
		}
	}
	return all
}

// name returns the full name of the called function, such as fmt.Println or
// (*bufio.Writer).Flush, or of a builtin; "" if it is not known. A variable with
// one value counts as that value.
func (p *program) name(call *ast.CallExpr) string {
	obj := p.variable(call.Fun)
	for range 3 {
		v, ok := obj.(*types.Var)
		if !ok || len(p.assigned[v]) != 1 || p.assigned[v][0].result >= 0 {
			break
		}
		obj = p.variable(p.assigned[v][0].expr)
	}
	switch obj := obj.(type) {
	case *types.Func:
		return obj.FullName()
	case *types.Builtin:
		return obj.Name()
	}
	return ""
}

// variable returns the object that an identifier or a selector denotes, with
// type arguments removed; nil for other expressions.
func (p *program) variable(e ast.Expr) (obj types.Object) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj = p.info.ObjectOf(e)
	case *ast.SelectorExpr:
		obj = p.info.ObjectOf(e.Sel)
	case *ast.IndexExpr:
		if _, ok := p.typeOf(e.X).(*types.Signature); ok {
			return p.variable(e.X)
		}
	}
	switch o := obj.(type) {
	case *types.Var:
		return o.Origin()
	case *types.Func:
		return o.Origin()
	}
	return obj
}

// container returns the variable or field that holds what e denotes: a for
// a[i][j], *a, a[i:] and (a); f for x.f[i]. It returns nil for other expressions.
func (p *program) container(e ast.Expr) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			if x.Op != token.AND {
				return nil
			}
			e = x.X
		default:
			v, ok := p.variable(x).(*types.Var)
			if !ok {
				return nil
			}
			return v
		}
	}
}

// typeOf returns the type of e, or nil.
func (p *program) typeOf(e ast.Expr) types.Type { return p.info.TypeOf(e) }

// constant returns the value of a constant integer expression.
func (p *program) constant(e ast.Expr) (int64, bool) { return constant64(p.info.Types[e].Value) }

// isConstant reports whether an expression has a constant value.
func (p *program) isConstant(e ast.Expr) bool { return p.info.Types[e].Value != nil }

// mentions reports whether the code below n uses one of the objects.
func (p *program) mentions(n ast.Node, objs ...types.Object) (found bool) {
	if n == nil {
		return false
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !found {
			if used := p.info.ObjectOf(id); used != nil {
				if v, ok := used.(*types.Var); ok {
					used = v.Origin()
				}
				for _, obj := range objs {
					found = found || used == obj
				}
			}
		}
		return !found
	})
	return found
}

// isGlobal reports whether a variable is declared at package level.
func (p *program) isGlobal(obj types.Object) bool {
	return obj != nil && obj.Parent() == p.pass.Pkg.Scope()
}

// isString reports whether t is a string.
func isString(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
