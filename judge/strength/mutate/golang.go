package mutate

import (
	"go/ast"
	goparser "go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"crucible/judge/strength/vet/library"
)

// goFile finds the facts of one file of a Go program.
type goFile struct {
	o     *outline
	fset  *token.FileSet
	info  *types.Info
	base  int             // position of the first byte
	reads map[string]bool // functions of the program that read input
	calls map[string]int  // how often each name occurs in the program
	stack []ast.Node      // nodes around the current one, the outermost first
	ids   map[ast.Stmt]int
	fn    *function
}

// standard has the types of the standard library. Type-checking locks it, because it loads
// what a program imports.
var standard struct {
	sync.Mutex
	library.Packages
}

// typesOf finds the types of a program. Those that depend on packages that cannot be read
// are unknown, and operators that need them find less.
func typesOf(fset *token.FileSet, files []*ast.File) *types.Info {
	var imports []string
	for _, f := range files {
		for _, spec := range f.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			imports = append(imports, path)
		}
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Uses: make(map[*ast.Ident]types.Object),
		Defs: make(map[*ast.Ident]types.Object)}
	standard.Lock()
	defer standard.Unlock()
	_ = standard.Load(imports...) // see above
	config := types.Config{Importer: &standard.Packages, Error: func(error) {}}
	config.Check("main", fset, files, info) // the compiler reports what is wrong
	return info
}

func readGo(files map[string][]byte) ([]*outline, error) {
	fset := token.NewFileSet()
	var parsed []*ast.File
	var kept []string
	counts := make(map[string]int)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := goparser.ParseFile(fset, name, files[name], goparser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				counts[id.Name]++
			}
			return true
		})
		parsed, kept = append(parsed, f), append(kept, name)
	}
	info := typesOf(fset, parsed)
	reads := inputFunctions(parsed)
	var outlines []*outline
	for i, f := range parsed {
		g := &goFile{fset: fset, info: info, base: fset.File(f.FileStart).Base(), reads: reads, calls: counts,
			ids: make(map[ast.Stmt]int)}
		g.o = &outline{name: kept[i], code: files[kept[i]], words: syntax{and: "&&", or: "||", not: "!", yes: "true",
			no: "false"}}
		g.o.fine = g.tokens()
		for _, d := range f.Decls {
			g.walk(d)
		}
		g.o.refuses = g.unusedAfter(f)
		g.o.finish()
		outlines = append(outlines, g.o)
	}
	return outlines, nil
}

// inputNames are functions and methods of the standard library that read.
var inputNames = words("Scan Scanf Scanln Fscan Fscanf Fscanln Sscan Sscanf ReadString ReadLine ReadByte ReadRune " +
	"ReadBytes Text Read ReadFull")

// inputFunctions returns the functions of a program that read input.
func inputFunctions(files []*ast.File) map[string]bool {
	reads := maps.Clone(inputNames)
	for range 3 { // functions that call such functions
		for _, f := range files {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name != "main" && fn.Body != nil && callsAny(fn.Body, reads) {
					reads[fn.Name.Name] = true
				}
			}
		}
	}
	return reads
}

func callsAny(n ast.Node, names map[string]bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			found = found || names[calledName(c)]
		}
		return !found
	})
	return found
}

// calledName returns the name of a called function or method.
func calledName(c *ast.CallExpr) string {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func (g *goFile) tokens() []lexeme {
	var out []lexeme
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(g.o.code))
	s.Init(file, g.o.code, nil, 0)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return out
		}
		at := file.Offset(pos)
		switch {
		case tok == token.SEMICOLON && lit == "\n":
		case tok == token.STRING || tok == token.CHAR:
			out = append(out, lexeme{span{at, at + len(lit)}, text, lit})
		case lit != "":
			out = append(out, fineTokens(lit, at)...)
		default:
			out = append(out, fineTokens(tok.String(), at)...)
		}
	}
}

func (g *goFile) span(n ast.Node) span {
	if n == nil {
		return span{}
	}
	return span{min(int(n.Pos())-g.base, len(g.o.code)), min(int(n.End())-g.base, len(g.o.code))}
}

func (g *goFile) text(n ast.Node) string { return g.o.text(g.span(n)) }

// walk visits a node and all below it.
func (g *goFile) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			last := g.stack[len(g.stack)-1]
			g.stack = g.stack[:len(g.stack)-1]
			if _, ok := last.(*ast.FuncDecl); ok {
				g.fn = nil
			}
			return true
		}
		if !g.enter(n) {
			return false
		}
		g.stack = append(g.stack, n)
		return true
	})
}

// enter records the facts of one node and reports whether those below it count.
func (g *goFile) enter(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.TypeSpec:
		_, imports := n.(*ast.ImportSpec)
		return !imports
	case *ast.FuncDecl:
		return g.function(n)
	case *ast.BlockStmt:
		g.deadIn(n.List)
	case *ast.CaseClause:
		g.deadIn(n.Body)
	case *ast.ForStmt:
		g.loop(n)
	case *ast.RangeStmt:
		g.loop(n)
	case *ast.IfStmt:
		g.branch(n)
	case *ast.ValueSpec:
		g.valueSpec(n)
	case *ast.BinaryExpr:
		g.binary(n)
	case *ast.CallExpr:
		g.call(n)
	case *ast.BasicLit:
		if n.Kind == token.INT {
			g.o.literals = append(g.o.literals, literal{span: g.span(n), text: strings.ReplaceAll(n.Value, "_", ""),
				place: g.place(n), loops: g.depth()})
		}
	case *ast.IndexExpr:
		g.index(n)
	case ast.Stmt:
		g.statement(n)
	}
	return true
}

func (g *goFile) function(n *ast.FuncDecl) bool {
	if n.Body == nil {
		return false
	}
	g.fn = &function{name: n.Name.Name}
	for _, f := range n.Type.Params.List {
		for _, id := range f.Names {
			g.fn.params = append(g.fn.params, id.Name)
		}
	}
	g.fn.again = callsAny(n.Body, map[string]bool{n.Name.Name: true})
	if n.Recv == nil && n.Name.Name != "main" && n.Name.Name != "init" && g.calls[n.Name.Name] == 1 &&
		g.calls["main"] > 0 {
		g.o.dead = append(g.o.dead, g.span(n))
	}
	return true
}

// deadIn records the statements after one that never goes on.
func (g *goFile) deadIn(list []ast.Stmt) {
	for i, s := range list {
		jumps := false
		switch s := s.(type) {
		case *ast.ReturnStmt, *ast.BranchStmt:
			jumps = true
		case *ast.ExprStmt:
			c, ok := s.X.(*ast.CallExpr)
			jumps = ok && (g.text(c.Fun) == "panic" || g.text(c.Fun) == "os.Exit")
		}
		if jumps && i+1 < len(list) {
			g.o.dead = append(g.o.dead, span{g.span(list[i+1]).from, g.span(list[len(list)-1]).to})
			return
		}
	}
}

// depth returns how many loops of the same function are around the current node.
func (g *goFile) depth() int {
	n := 0
	for i := len(g.stack) - 1; i >= 0; i-- {
		switch g.stack[i].(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.FuncLit:
			return n
		}
	}
	return n
}

// innermost returns the loop whose body has the current node, or nil. inSwitch reports
// that a switch or select is inside it.
func (g *goFile) innermost() (at int, inSwitch bool) {
	for i := len(g.stack) - 1; i >= 0; i-- {
		switch g.stack[i].(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return i, inSwitch
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			inSwitch = true
		case *ast.FuncLit:
			return -1, inSwitch
		}
	}
	return -1, inSwitch
}

// place returns where a node stands, which is about to be visited.
func (g *goFile) place(below ast.Node) place {
	where := place(0)
	for i := len(g.stack) - 1; i >= 0; i-- {
		if i+1 < len(g.stack) {
			below = g.stack[i+1]
		}
		switch n := g.stack[i].(type) {
		case *ast.IndexExpr:
			if below == n.Index {
				where |= inIndex
			}
		case *ast.ArrayType:
			where |= inSize | inConst
		case *ast.GenDecl:
			if n.Tok == token.CONST {
				where |= inConst
			}
			return where
		case *ast.CaseClause:
			if e, ok := below.(ast.Expr); ok && slices.Contains(n.List, e) {
				where |= inCase
			}
			return where
		case *ast.IfStmt:
			if below == n.Cond {
				where |= inCondition
			}
			return where
		case *ast.ForStmt:
			if below == n.Cond {
				where |= inLoopHeader
			}
			return where
		case *ast.ReturnStmt:
			return where | inReturn
		case ast.Stmt:
			return where
		}
	}
	return where
}

// typeOf returns the type of an expression, or nil if it is unknown.
func (g *goFile) typeOf(e ast.Expr) types.Type {
	t := g.info.TypeOf(e)
	if b, ok := t.(*types.Basic); ok && b.Kind() == types.Invalid {
		return nil
	}
	return t
}

func (g *goFile) binary(n *ast.BinaryExpr) {
	at := int(n.OpPos) - g.base
	b := binary{op: n.Op.String(), at: span{at, at + len(n.Op.String())}, left: g.span(n.X), right: g.span(n.Y),
		place: g.place(n), loop: -1}
	if b.place&inLoopHeader != 0 {
		for _, around := range slices.Backward(g.stack) {
			if f, ok := around.(*ast.ForStmt); ok {
				b.loop = g.ids[f]
				break
			}
		}
	}
	if len(g.stack) > 0 {
		_, b.whole = g.stack[len(g.stack)-1].(*ast.ParenExpr)
	}
	if g.info.Types[n].Value != nil {
		b.place |= inConst
	}
	left := g.typeOf(n.X)
	if basic, ok := underlying(left).(*types.Basic); ok {
		if basic.Info()&types.IsString != 0 {
			b.place |= inText
		}
		name := left.String()
		if n.Op == token.MUL && b.place&inConst == 0 {
			narrow := map[string]string{"int": "int32", "int64": "int32", "uint64": "uint32", "uint": "uint32",
				"float64": "float32"}[name]
			if narrow != "" {
				g.o.types = append(g.o.types, edit{g.span(n), name + "(" + narrow + "(" + g.text(n) + "))"})
			}
		}
	} else if left == nil && strings.ContainsAny(g.text(n), "\"`") {
		b.place |= inText
	}
	g.o.binaries = append(g.o.binaries, b)
}

func underlying(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

func (g *goFile) call(n *ast.CallExpr) {
	if tv := g.info.Types[n.Fun]; tv.IsType() {
		return // a conversion
	}
	name := calledName(n)
	if name == "" || n.Ellipsis.IsValid() {
		return
	}
	c := call{span: g.span(n), name: name}
	fun := ast.Unparen(n.Fun)
	c.at = g.span(fun)
	if s, ok := fun.(*ast.SelectorExpr); ok {
		c.at, c.object = g.span(s.Sel), g.text(s.X)+"."
	}
	if len(g.stack) > 0 {
		_, c.alone = g.stack[len(g.stack)-1].(*ast.ExprStmt)
	}
	builtin := g.info.Types[n.Fun].IsBuiltin()
	c.kinds = []string{}
	for _, a := range n.Args {
		c.args = append(c.args, g.span(a))
		kind := ""
		if t := g.typeOf(a); t != nil && !builtin {
			kind = types.Default(t).String()
		}
		c.kinds = append(c.kinds, kind)
	}
	g.o.calls = append(g.o.calls, c)
	if strings.HasPrefix(name, "Fscan") || name == "Scan" || name == "Scanf" || name == "Scanln" {
		var into []span
		for _, a := range n.Args {
			if u, ok := a.(*ast.UnaryExpr); ok && u.Op == token.AND {
				into = append(into, g.span(a))
			}
		}
		g.o.inputs = append(g.o.inputs, into)
	}
}

func (g *goFile) index(n *ast.IndexExpr) {
	if t := underlying(g.typeOf(n.X)); t != nil {
		if _, generic := t.(*types.Signature); generic {
			return
		}
	}
	x := index{span: g.span(n.Index)}
	if len(g.stack) > 0 {
		if outer, ok := g.stack[len(g.stack)-1].(*ast.IndexExpr); ok && outer.X == n &&
			types.Identical(orNil(g.typeOf(n.Index)), orNil(g.typeOf(outer.Index))) {
			x.next = g.span(outer.Index)
		}
	}
	want := g.typeOf(n.Index)
	for _, around := range g.stack {
		for _, id := range loopVariables(around) {
			if t := g.info.TypeOf(id); t != nil && want != nil && types.Identical(t, want) {
				x.vars = append(x.vars, id.Name)
			}
		}
	}
	g.o.indexes = append(g.o.indexes, x)
}

func orNil(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return t
}

// loopVariables returns the variables that a loop declares.
func loopVariables(n ast.Node) []*ast.Ident {
	var all []*ast.Ident
	add := func(list ...ast.Expr) {
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
				all = append(all, id)
			}
		}
	}
	switch n := n.(type) {
	case *ast.ForStmt:
		if a, ok := n.Init.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			add(a.Lhs...)
		}
	case *ast.RangeStmt:
		add(n.Key, n.Value)
	}
	return all
}

func (g *goFile) valueSpec(n *ast.ValueSpec) {
	where := g.place(n)
	if decl, ok := g.stack[len(g.stack)-1].(*ast.GenDecl); ok && decl.Tok == token.CONST {
		where |= inConst
	}
	for i, v := range n.Values {
		if len(n.Values) == len(n.Names) {
			g.o.values = append(g.o.values, value{span: g.span(v), name: n.Names[i].Name, loops: g.depth(), place: where})
		}
	}
}
