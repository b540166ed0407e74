package mutate

import (
	"fmt"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// goTokens splits a source in Go into tokens, with the semicolons that the end of a line
// stands for, which are empty.
func goTokens(name string, source []byte) ([]lexeme, error) {
	var out []lexeme
	var failed error
	var s scanner.Scanner
	file := token.NewFileSet().AddFile(name, -1, len(source))
	s.Init(file, source, func(at token.Position, message string) {
		if failed == nil {
			failed = fmt.Errorf("%s:%d:%d: %s", name, at.Line, at.Column, message)
		}
	}, 0)
	for {
		pos, tok, lit := s.Scan()
		at := file.Offset(pos)
		t := lexeme{kind: mark, text: tok.String()}
		switch {
		case tok == token.EOF:
			return out, failed
		case tok == token.SEMICOLON && lit != ";":
			if len(out) > 0 {
				at = out[len(out)-1].to
			}
			out = append(out, lexeme{span{at, at}, mark, ";"})
			continue
		case tok == token.IDENT || tok.IsKeyword():
			t.kind, t.text = word, lit
		case tok == token.STRING || tok == token.CHAR:
			t.kind, t.text = text, lit
		case tok.IsLiteral():
			t.kind, t.text = number, lit
		}
		t.span = span{at, at + len(t.text)}
		if tok == token.STRING { // the scanner removes carriage returns from it
			end := at + len(t.text)
			for end < len(source) && lit[0] == '`' && strings.Count(string(source[at:end]), "`") < 2 {
				end++
			}
			t.span.to = end
		}
		out = append(out, t)
	}
}

// goStatement parses the statement of Go at token i, as statement does.
func (p *parser) goStatement(i, j int, decl bool) (end int, jumps bool) {
	if p.toks[i].kind == word {
		switch p.toks[i].text {
		case "if":
			return p.branch(i, j, false), false
		case "for":
			return p.loop(i, j), false
		case "switch", "select":
			return p.choice(i, j), false
		case "case", "default":
			return p.find(i, j, ":") + 1, false
		case "import", "package", "type":
			return min(p.find(i, j, ";")+1, j), false
		case "func":
			if list := p.parametersOf(i); list > 0 {
				end := p.find(i, j, ";")
				if open := p.goBlock(p.past(list), end); open < end {
					p.body(list, open)
				}
				return min(end+1, j), false
			}
		case "var", "const":
			if p.is(i+1, "(") {
				p.block(i+2, p.match[i+1], true)
				return p.past(i + 1), false
			}
		case "return", "break", "continue", "goto", "panic":
			end, _ = p.simple(i, j, decl)
			return end, true
		case "os", "log":
			end, _ = p.simple(i, j, decl)
			return end, p.is(i+2, "Exit", "Fatal", "Fatalf", "Fatalln") && p.is(i+3, "(")
		}
		if p.is(i+1, ":") { // a label
			return i + 2, false
		}
	}
	return p.simple(i, j, decl)
}

// parametersOf returns the bracket of the parameters of the function that is declared at
// token i; 0 if none is.
func (p *parser) parametersOf(i int) int {
	at := i + 1
	if p.is(at, "(") { // the receiver
		at = p.past(at)
	}
	if at >= len(p.toks) || p.toks[at].kind != word {
		return 0
	}
	if at++; p.is(at, "[") {
		at = p.past(at)
	}
	if !p.is(at, "(") {
		return 0
	}
	return at
}

// goBlock returns the bracket of the block that ends the header from token i on: the first
// bracket after whose partner the statement ends. Others belong to types and literals.
func (p *parser) goBlock(i, j int) int {
	open := p.find(i, j, "{")
	for open < j && p.past(open) < j && !p.is(p.past(open), ";", "else", "}", ")", ",") {
		open = p.find(p.past(open), j, "{")
	}
	return open
}

// goLoop parses the header of a loop.
func (p *parser) goLoop(from, to int, l *loop) {
	switch of := p.find(from, to, "range") + 1; {
	case of <= to:
		p.each(from, to, "range", l)
		if of < to && (p.toks[of].kind == number || p.is(of, "len")) {
			l.limit = p.code(of, to)
		}
	case p.find(from, to, ";") < to:
		p.counting(from, to, l)
	default:
		p.condition(from, to, l)
	}
}

// goFunctions parses the function literals among the tokens from i up to j.
func (p *parser) goFunctions(i, j int) {
	for k := i; k < j; k++ {
		if p.is(k, "func") && p.is(k+1, "(") {
			if open := p.find(p.past(k+1), j, "{"); open < j {
				p.body(k+1, open)
				k = p.match[open]
			}
		}
	}
}

// goInput returns what a call that reads into variables reads, without the reader and the
// format.
func (p *parser) goInput(i, j int) []span {
	before := map[string]int{"Scan": 0, "Scanln": 0, "Scanf": 1, "Fscan": 1, "Fscanln": 1, "Fscanf": 2}
	for k := i; k+1 < j; k++ {
		if n, ok := before[p.toks[k].text]; ok && p.is(k+1, "(") {
			args := p.arguments(k + 1)
			return args[min(n, len(args)):]
		}
	}
	return nil
}

// A local is a name in a top-level function, whose first token it has; imports are in none.
type local struct {
	function int
	name     string
}

// unusedAfter returns a function that reports whether edits remove all uses of a variable, an
// import or a label, which the compiler rejects.
func (p *parser) unusedAfter() func([]edit) bool {
	functions := make([]int, len(p.toks))
	for i := 0; i < len(p.toks); {
		end := min(p.find(i, len(p.toks), ";")+1, len(p.toks))
		for k := i; k < end && p.is(i, "func"); k++ {
			functions[k] = i
		}
		i = end
	}
	declared, uses := p.declarations(functions), make(map[local][]int)
	of := make([]local, len(p.toks)) // what the token uses
	for i, t := range p.toks {
		of[i] = local{functions[i], t.text}
		if !declared[of[i]] {
			of[i].function = 0
		}
		if t.kind == word && declared[of[i]] && !p.is(i-1, ".", "var", "goto") && !p.is(i+1, ":=", "=", "++", "--") {
			uses[of[i]] = append(uses[of[i]], i)
		}
	}
	return func(edits []edit) bool {
		stays := func(i int) bool {
			return !slices.ContainsFunc(edits, func(e edit) bool { return e.span.holds(p.toks[i].span) })
		}
		for _, e := range edits {
			for k := firstAt(p.toks, e.from); k < len(p.toks) && p.toks[k].to <= e.to; k++ {
				moved := func(e edit) bool { return names(e.text, of[k].name) }
				if all := uses[of[k]]; slices.Contains(all, k) && !slices.ContainsFunc(all, stays) &&
					!slices.ContainsFunc(edits, moved) {
					return true
				}
			}
		}
		return false
	}
}

// declarations returns the imports, and the variables and labels of functions.
func (p *parser) declarations(functions []int) map[local]bool {
	declared := make(map[local]bool)
	list := func(k, step int) { // of names and commas
		for p.is(k, ",") || k >= 0 && k < len(p.toks) && p.toks[k].kind == word && !p.keywords[p.toks[k].text] {
			declared[local{functions[k], p.toks[k].text}] = true
			k += step
		}
	}
	for i, t := range p.toks {
		switch {
		case t.kind == text && !p.live[i]: // perhaps an import
			path := strings.Trim(t.text, "\"`")
			declared[local{0, path[strings.LastIndexByte(path, '/')+1:]}] = true
		case p.is(i, ":="):
			list(i-1, -1)
		case p.is(i, "var", "goto"):
			list(i+1, 1)
		}
	}
	return declared
}
