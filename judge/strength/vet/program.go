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
	Pass     *analysis.Pass
	Info     *types.Info
	Parent   map[ast.Node]ast.Node
	Funcs    []*function
	ByNode   map[ast.Node]*function
	byObject map[types.Object]*function
	Assigned map[types.Object][]value
	Size     size
}

// A value is an expression that is assigned to a variable, or one of the results
// of a call.
type value struct {
	Expr   ast.Expr
	Result int // of the call expr; -1 for the expression itself
}

// A function is a declared function, a method or a function literal.
type function struct {
	Node     ast.Node // *ast.FuncDecl or *ast.FuncLit
	typ      *ast.FuncType
	Body     *ast.BlockStmt
	Calls    []*ast.CallExpr // in its body, except those in literals
	Returns  []*ast.ReturnStmt
	Sites    []ast.Node // where it is called, or where a literal is passed on
	Repeated bool       // it is called in a loop, at any distance
}

func newProgram(pass *analysis.Pass) *program {
	p := &program{
		Pass: pass, Info: pass.TypesInfo,
		Parent: make(map[ast.Node]ast.Node), ByNode: make(map[ast.Node]*function),
		byObject: make(map[types.Object]*function), Assigned: make(map[types.Object][]value),
	}
	for _, f := range pass.Files {
		p.index(f)
	}
	for _, f := range p.Funcs {
		for _, r := range f.Returns {
			p.assignResults(f, r)
		}
		for _, call := range f.Calls {
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
			p.Parent[n] = open[len(open)-1]
		}
		open = append(open, n)
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				f := &function{Node: n, typ: n.Type, Body: n.Body}
				p.Funcs, p.ByNode[n], p.byObject[p.Info.Defs[n.Name]] = append(p.Funcs, f), f, f
			}
		case *ast.FuncLit:
			f := &function{Node: n, typ: n.Type, Body: n.Body}
			p.Funcs, p.ByNode[n] = append(p.Funcs, f), f
		case *ast.CallExpr:
			if f := p.FunctionAt(n); f != nil {
				f.Calls = append(f.Calls, n)
			}
		case *ast.ReturnStmt:
			f := p.FunctionAt(n)
			f.Returns = append(f.Returns, n)
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
		obj := p.Variable(left)
		switch {
		case obj == nil || len(from) == 0:
		case len(from) == len(to):
			p.Assigned[obj] = append(p.Assigned[obj], value{from[i], -1})
		default:
			p.Assigned[obj] = append(p.Assigned[obj], value{from[0], i})
		}
	}
}

func (p *program) assignFields(lit *ast.CompositeLit) {
	t := p.TypeOf(lit)
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
			p.Assigned[s.Field(i).Origin()] = append(p.Assigned[s.Field(i).Origin()], value{e, -1})
		}
	}
}

// assignArguments assigns the arguments of a call to the parameters.
func (p *program) assignArguments(call *ast.CallExpr) {
	for _, f := range p.Callees(call) {
		params := p.Parameters(f)
		for i, arg := range call.Args {
			if i < len(params) && params[i] != nil {
				p.Assigned[params[i]] = append(p.Assigned[params[i]], value{arg, -1})
			}
		}
		if d, ok := f.Node.(*ast.FuncDecl); ok && d.Recv != nil && len(d.Recv.List[0].Names) > 0 {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
				recv := p.Info.Defs[d.Recv.List[0].Names[0]]
				p.Assigned[recv] = append(p.Assigned[recv], value{sel.X, -1})
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

// Parameters returns the parameters of a function in order; nil for unnamed ones.
func (p *program) Parameters(f *function) (all []types.Object) {
	for _, field := range f.typ.Params.List {
		for _, name := range field.Names {
			all = append(all, p.Info.Defs[name])
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
	m := p.Main()
	if m == nil {
		return
	}
	reached := map[*function]bool{m: true}
	p.Reach(m.Body, reached)
	for _, f := range p.Pass.Files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				p.Reach(d, reached) // variables
			} else if fn.Body != nil && (fn.Recv != nil && p.inInterface(fn.Name.Name) || fn.Name.Name == "init") {
				reached[p.ByNode[fn]] = true
				p.Reach(fn.Body, reached)
			}
		}
	}
	p.Funcs = slices.DeleteFunc(p.Funcs, func(f *function) bool {
		for n := f.Node; n != nil; n = p.Parent[n] {
			if d, ok := n.(*ast.FuncDecl); ok {
				return !reached[p.ByNode[d]]
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
	for sel, s := range p.Info.Selections {
		if sel.Sel.Name == name && types.IsInterface(s.Recv()) {
			return true
		}
	}
	return false
}

// findSites records where functions are called. A literal or a function that is
// passed to another one counts as called there.
func (p *program) findSites() {
	for call := range p.calls() {
		for _, callee := range p.Callees(call) {
			callee.Sites = append(callee.Sites, call)
		}
		for _, arg := range call.Args {
			for _, callee := range p.FunctionsIn(arg) {
				callee.Sites = append(callee.Sites, call)
			}
		}
	}
}

// findRepeated marks the functions that are called in loops or call themselves.
func (p *program) findRepeated() {
	for changed := true; changed; {
		changed = false
		for _, f := range p.Funcs {
			if f.Repeated {
				continue
			}
			for _, site := range f.Sites {
				if p.Repeated(site) {
					f.Repeated, changed = true, true
				}
			}
		}
	}
}

// Recursive reports whether a function can call itself.
func (p *program) Recursive(f *function) bool {
	for _, call := range f.Calls {
		for _, g := range p.Callees(call) {
			if g == f || p.Reaches(g)[f] {
				return true
			}
		}
	}
	return false
}

// Reaches returns the functions that f may call, at any distance.
func (p *program) Reaches(f *function) map[*function]bool {
	found := make(map[*function]bool)
	p.Reach(f.Body, found)
	return found
}

// Reach adds the functions that the code below n may call.
func (p *program) Reach(n ast.Node, found map[*function]bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		callees := p.Callees(call)
		for _, arg := range call.Args {
			callees = append(callees, p.FunctionsIn(arg)...)
		}
		for _, f := range callees {
			if !found[f] {
				found[f] = true
				p.Reach(f.Body, found)
			}
		}
		return true
	})
}

// FunctionAt returns the function whose body contains n; nil at package level.
func (p *program) FunctionAt(n ast.Node) *function {
	for n = p.Parent[n]; n != nil; n = p.Parent[n] {
		if f := p.ByNode[n]; f != nil {
			return f
		}
	}
	return nil
}

// Main returns the function main, or nil.
func (p *program) Main() *function {
	for _, f := range p.Funcs {
		if d, ok := f.Node.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == "main" {
			return f
		}
	}
	return nil
}

// Callees returns the functions of this program that a call may call. Methods
// called through an interface are not found.
func (p *program) Callees(call *ast.CallExpr) []*function { return p.FunctionsIn(call.Fun) }

// FunctionsIn returns the functions of this program that are the value of e.
func (p *program) FunctionsIn(e ast.Expr) []*function {
	return p.functionValues(e, make(map[types.Object]bool))
}

func (p *program) functionValues(e ast.Expr, seen map[types.Object]bool) (all []*function) {
	e = ast.Unparen(e)
	if i, ok := e.(*ast.IndexExpr); ok && p.TypeOf(i.X) != nil {
		if _, ok := p.TypeOf(i.X).(*types.Signature); ok {
			e = i.X // an instantiation
		}
	}
	if lit, ok := e.(*ast.FuncLit); ok {
		return append(all, p.ByNode[lit])
	}
	obj := p.Variable(e)
	if obj == nil || seen[obj] {
		return nil
	}
	seen[obj] = true
	if f := p.byObject[obj]; f != nil {
		return append(all, f)
	}
	if _, ok := obj.(*types.Var); ok {
		if _, ok := obj.Type().Underlying().(*types.Signature); ok {
			for _, v := range p.Assigned[obj] {
				if v.Result < 0 {
					all = append(all, p.functionValues(v.Expr, seen)...)
				}
			}
		}
	}
	return all
}

// Name returns the full name of the called function, such as fmt.Println or
// (*bufio.Writer).Flush, or of a builtin; "" if it is not known. A variable with
// one value counts as that value.
func (p *program) Name(call *ast.CallExpr) string {
	obj := p.Variable(call.Fun)
	for range 3 {
		v, ok := obj.(*types.Var)
		if !ok || len(p.Assigned[v]) != 1 || p.Assigned[v][0].Result >= 0 {
			break
		}
		obj = p.Variable(p.Assigned[v][0].Expr)
	}
	switch obj := obj.(type) {
	case *types.Func:
		return obj.FullName()
	case *types.Builtin:
		return obj.Name()
	}
	return ""
}

// Variable returns the object that an identifier or a selector denotes, with
// type arguments removed; nil for other expressions.
func (p *program) Variable(e ast.Expr) (obj types.Object) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj = p.Info.ObjectOf(e)
	case *ast.SelectorExpr:
		obj = p.Info.ObjectOf(e.Sel)
	case *ast.IndexExpr:
		if _, ok := p.TypeOf(e.X).(*types.Signature); ok {
			return p.Variable(e.X)
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

// TypeOf returns the type of e, or nil.
func (p *program) TypeOf(e ast.Expr) types.Type { return p.Info.TypeOf(e) }

// Constant returns the value of a constant integer expression.
func (p *program) Constant(e ast.Expr) (int64, bool) { return constant64(p.Info.Types[e].Value) }

// Mentions reports whether the code below n uses one of the objects.
func (p *program) Mentions(n ast.Node, objs ...types.Object) (found bool) {
	if n == nil {
		return false
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !found {
			if used := p.Info.ObjectOf(id); used != nil {
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

// IsGlobal reports whether a variable is declared at package level.
func (p *program) IsGlobal(obj types.Object) bool {
	return obj != nil && obj.Parent() == p.Pass.Pkg.Scope()
}
