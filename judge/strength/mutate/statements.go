package mutate

import (
	"slices"
	"strings"
)

// mark makes the expressions of the tokens from i up to j live.
func (p *parser) mark(i, j int, where place, header *loop) {
	for k := i; k < j; k++ {
		p.live[k], p.places[k], p.header[k] = true, where, header
	}
	for k := i; k < j; k++ {
		if p.is(k, "[") && p.toks[k].kind == mark && p.isValue(k-1) {
			for n := k + 1; n < p.match[k] && n < j; n++ {
				p.places[n] |= inIndex
			}
		}
	}
}

// simple parses a statement without a word of its own, or a declaration. It may
// contain functions and, in Rust, any statement.
func (p *parser) simple(i, j int, decl bool) (end int, jumps bool) {
	if body, list := p.definition(i, j, decl); body > 0 {
		p.mark(list+1, p.match[list], inCase, nil)
		for k := list + 1; k < p.match[list]; k++ {
			p.live[k] = false
		}
		p.body(list, body)
		return p.match[body] + 1, false
	}
	if !decl && p.semis && p.lexer != "rust.xml" && p.toks[i].kind == word && !p.keywords[p.toks[i].text] &&
		p.is(i+1, "(") {
		if after := p.match[i+1] + 1; after < j && (p.is(after, "{") || p.toks[after].kind == word &&
			!p.is(after, "const", "override")) {
			return p.macroLoop(i, j), false
		}
	}
	end = p.end(i, j)
	stop := end // without the semicolon
	if p.is(end-1, ";") && end > i {
		stop = end - 1
	}
	p.classify(i, stop, end, decl)
	p.nested(i, stop)
	return end, false
}

// definition returns the brackets of a function's body and parameters, if one is
// defined at token i in the manner of C and Java; else 0.
func (p *parser) definition(i, j int, decl bool) (body, list int) {
	if !decl && p.lexer != "javascript.xml" || p.lexer == "rust.xml" || p.golang {
		return 0, 0
	}
	for k := i; k < j; k = p.past(k) {
		switch {
		case p.is(k, "(") && list == 0 && k > i && (p.toks[k-1].kind == word &&
			(!p.keywords[p.toks[k-1].text] || p.is(k-1, "get", "set", "of")) || p.is(k-2, "operator") || p.is(k-1, ")")):
			list = k
		case p.is(k, "{"):
			if list > 0 && (p.is(k-1, ")") || p.toks[k-1].kind == word || p.toks[k-1].kind == bracket ||
				p.is(k-1, "*", "&", "]")) {
				return k, list
			}
			return 0, 0
		case p.is(k, ";", "}", "=>") || p.is(k, "=") && !p.is(k-1, "operator"):
			return 0, 0
		}
		if p.lexer == "javascript.xml" && list > 0 && k > list && !p.is(k+1, "{") {
			return 0, 0 // a call
		}
	}
	return 0, 0
}

// end returns the index after the simple statement at token i.
func (p *parser) end(i, j int) int {
	if p.lexer == "javascript.xml" {
		return p.line(i, j)
	}
	for k := i; k < j; k = p.past(k) {
		if p.is(k, ";") {
			return k + 1
		}
		// A static block of Java ends with its bracket.
		if p.is(k, "{") && p.lexer == "java.xml" && k == i+1 && p.is(i, "static") {
			return p.past(k)
		}
	}
	return j
}

// line returns the index after the statement at token i of JavaScript, which may
// end without a semicolon at the end of a line.
func (p *parser) line(i, j int) int {
	for k := i; k < j; k = p.past(k) {
		if p.is(k, ";") {
			return k + 1
		}
		if k == i {
			continue
		}
		gap := string(p.o.code[p.toks[k-1].to:p.toks[k].from])
		if strings.Contains(gap, "\n") && (p.isValue(k-1) || p.is(k-1, "}", "return", "break", "continue")) &&
			(p.toks[k].kind != mark || p.is(k, "[", "{", "++", "--", "}")) && !p.is(k, "in", "of", "instanceof") {
			return k
		}
	}
	return j
}

// nested parses the functions inside an expression, and the statements of Rust.
func (p *parser) nested(i, j int) {
	if p.golang {
		p.goFunctions(i, j)
		return
	}
	for k := i; k < j; k++ {
		if p.lexer == "rust.xml" && k > i && p.is(k, "if", "match", "loop", "while", "for", "unsafe") &&
			p.toks[k].kind == word {
			end, _ := p.statement(k, j, false)
			k = max(k, end-1)
			for p.is(k+1, "else") && k+2 < j {
				end, _ = p.statement(k+2, j, false)
				k = max(k+1, end-1)
			}
			continue
		}
		if !p.is(k, "{") || p.toks[k].kind != mark || p.match[k] < k {
			continue
		}
		switch list := p.lambda(k); {
		case list > 0:
			p.body(list, k)
			k = p.match[k]
		case p.lexer == "java.xml" && p.is(k-1, ")"): // an anonymous class
			p.block(k+1, p.match[k], true)
			k = p.match[k]
		case p.lexer == "rust.xml" && p.is(k-1, "|", "||", "=", "move", "unsafe"), p.lexer == "javascript.xml" &&
			p.is(k-1, "=>"), p.lexer == "java.xml" && p.is(k-1, "->"), p.lexer == "cpp.xml" && p.is(k-1, "]"):
			p.block(k+1, p.match[k], false)
			k = p.match[k]
		}
	}
}

// lambda returns the bracket of the parameters of a function without name, whose
// body is opened by token k; else 0.
func (p *parser) lambda(k int) int {
	at := k - 1
	switch p.lexer {
	case "cpp.xml":
		if p.is(at, "mutable") {
			at--
		}
		for n := 0; n < 6 && at > 0 && !p.is(at, ")"); n++ {
			if p.is(at, "->") {
				at--
				break
			}
			at--
		}
		if p.is(at, ")") && p.match[at] > 0 && p.is(p.match[at]-1, "]") {
			return p.match[at]
		}
	case "javascript.xml":
		if p.is(at, "=>") {
			at--
		}
		if p.is(at, ")") {
			return p.match[at]
		}
	case "java.xml":
		if p.is(at, "->") && p.is(at-1, ")") {
			return p.match[at-1]
		}
	}
	return 0
}

var assignments = []string{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "//=", "**=", ">>>=",
	":=", "&&=", "||=", "??="}

// quiet are functions without which a program prints the same.
var quiet = words("sync_with_stdio tie reserve close free setvbuf shrink_to_fit srand")

// classify records the statement of the tokens from i up to stop; end is the index
// after its semicolon.
func (p *parser) classify(i, stop, end int, decl bool) {
	s := statement{span: p.code(i, end), loops: p.around(), inCase: len(p.loops) > 0 && p.loops[len(p.loops)-1] == nil}
	op := p.find(i, stop, assignments...)
	switch {
	case p.is(i, "return", "break", "continue", "goto", "throw", "raise"):
		s.kind, s.name, s.value = jumping, p.toks[i].text, p.textOf(i+1, stop)
		p.mark(i+1, stop, inReturn, nil)
	case p.declares(i, stop) || decl:
		s.kind = declaration
		p.declare(i, stop, decl)
	case p.golang && p.is(op, ":="):
		s.kind = declaration
		p.mark(op+1, stop, 0, nil)
		if p.find(i, op, ",") == op {
			p.valueOf(op, stop, 0)
			p.hoist(i, stop)
		}
	case op < stop:
		s.kind, s.name, s.value = assignment, p.textOf(i, op), p.textOf(op+1, stop)
		p.mark(i, stop, 0, nil)
		p.narrowValue(i, op, stop)
		if p.is(op, "=") {
			p.valueOf(op, stop, 0)
		}
		s.clears = p.is(op, "=") && p.constant(op+1, stop)
		s.fixed = p.uninit && p.unset[s.name]
	default:
		s.kind = other
		if p.is(stop-1, ")") || p.is(stop-1, "++", "--") || p.is(i, "++", "--") {
			s.kind = calling
		}
		p.mark(i, stop, 0, nil)
		s.clears = p.find(i, stop, "clear", "memset", "fill", "reset") < stop
	}
	if s.kind != declaration {
		p.narrow(i, stop)
	}
	p.input(i, stop)
	for k := i; k < stop && s.kind == calling; k++ {
		s.fixed = s.fixed || p.toks[k].kind == word && quiet[p.toks[k].text] && (p.is(k-1, ".", "::") || p.is(k+1, "("))
	}
	// The last expression of a block is its value in Rust; 'use strict' is no statement.
	s.fixed = s.fixed || stop == i+1 && p.toks[i].kind == text || p.lexer == "rust.xml" && end == stop || decl
	p.o.stmts = append(p.o.stmts, s)
}

// declares reports whether the tokens declare variables.
func (p *parser) declares(i, j int) bool {
	if i >= j || p.toks[i].kind != word || p.types == nil {
		return false
	}
	if p.types[p.toks[i].text] {
		return !p.is(i+1, "(", ".", "::") || p.is(i, "let", "const") || p.is(i+1, "::") && p.lexer == "cpp.xml"
	}
	if p.lexer == "rust.xml" || p.lexer == "javascript.xml" || p.keywords[p.toks[i].text] {
		return false
	}
	k := i + 1
	for k < j && (p.is(k, "::", ".") || p.toks[k-1].kind == mark && p.toks[k].kind == word && p.is(k-1, "::", ".")) {
		k++
	}
	if p.toks[min(k, j-1)].kind == bracket && p.match[k] > k {
		k = p.match[k] + 1
	}
	for k < j && (p.is(k, "*", "&") || p.is(k, "[") && p.match[k] == k+1) {
		if k = p.past(k); p.is(k-1, "*", "&") && !p.is(k+1, "=", ";", ",") && k+1 < j {
			return false
		}
	}
	return k < j && k > i && p.toks[k].kind == word && !p.keywords[p.toks[k].text] && !p.is(k-1, ".", "::")
}

// declare records the values and sizes of a declaration.
func (p *parser) declare(i, j int, decl bool) {
	where := place(0)
	if decl || p.is(i, "const", "static", "constexpr", "final") || p.is(i+1, "const") || p.is(i, "pub") {
		where = inConst
	}
	if decl && p.find(i, j, "=") == j {
		where |= inSize
	}
	p.narrow(i, p.find(i, j, "="))
	for k := i; k < j; {
		next := p.find(k, j, ",")
		eq := min(p.find(k, next, "="), next)
		// Sizes of arrays stand before the value.
		for b := k; b < eq; b = p.past(b) {
			if p.is(b, "[", "(") && p.match[b] > b && !(decl && p.is(b, "(")) {
				p.mark(b, p.match[b], where|inSize, nil)
			}
		}
		if eq < next {
			p.mark(eq+1, next, where, nil)
			p.narrowValue(k, eq, next)
			p.valueOf(eq, next, where)
		} else if next > k {
			p.unset[p.toks[next-1].text] = true
		}
		k = next + 1
	}
	p.hoist(i, j)
}

// constant reports whether the tokens are a literal, or an empty container.
func (p *parser) constant(i, j int) bool {
	if i >= j {
		return false
	}
	constants := []string{"true", "false", "null", "None", "True", "False", "nullptr", "NULL", "-", "[", "]", "{", "}",
		"(", ")", "new", "set", "dict", "list", "::"}
	for k := i; k < j; k++ {
		t := p.toks[k]
		if t.kind != number && t.kind != text && !slices.Contains(constants, t.text) &&
			!(t.kind == word && strings.ToUpper(t.text) == t.text) &&
			!slices.Contains([]string{"Vec", "HashSet", "HashMap", "String", "Set", "Map", "ArrayList"}, t.text) &&
			t.kind != bracket {
			return false
		}
	}
	return true
}

// valueOf records the value after the sign eq, which ends before token j.
func (p *parser) valueOf(eq, j int, where place) {
	if eq > 0 && eq+1 < j {
		p.o.values = append(p.o.values, value{p.code(eq+1, j), where})
	}
}

// narrowValue records that the value of a variable of 64 bits is cut to 32.
func (p *parser) narrowValue(i, eq, j int) {
	if !p.checked || eq+1 >= j || !p.is(eq, "=") {
		return
	}
	value := p.textOf(eq+1, j)
	simple := j == eq+2 || !strings.ContainsAny(value, "+-*<")
	switch {
	case simple || strings.ContainsAny(value, "{\""):
	case p.lexer == "java.xml" && p.find(i, eq, "long") < eq && p.find(i, eq, "[") == eq:
		p.o.types = append(p.o.types, edit{p.code(eq+1, j), "(int) (" + value + ")"})
	case p.lexer == "rust.xml":
		for wide, narrow := range map[string]string{"i64": "i32", "u64": "u32"} {
			if p.is(eq-1, wide) && p.is(eq-2, ":") {
				p.o.types = append(p.o.types, edit{p.code(eq+1, j), "(" + value + ") as " + narrow + " as " + wide})
			}
		}
	}
}

// hoist records that a declaration moves in front of the loop around it.
func (p *parser) hoist(i, j int) {
	if len(p.loops) == 0 || p.loops[len(p.loops)-1] == nil || p.is(i, "const", "static", "constexpr", "final") &&
		p.lexer != "javascript.xml" || p.is(i, "let") && p.lexer == "rust.xml" && !p.is(i+1, "mut") {
		return
	}
	eq := p.find(i, j, "=", ":=")
	container := eq == j && p.lexer == "cpp.xml" && p.toks[min(i+1, len(p.toks)-1)].kind == bracket &&
		p.toks[j-1].kind == word && !p.is(i, "array", "pair")
	container = container || p.golang && eq == j && p.is(i, "var")
	if !container && !(eq < j && p.constant(eq+1, j)) || p.find(i, j, ",") < j {
		return
	}
	header := p.starts[len(p.starts)-1]
	if header > 0 && !p.is(header-1, ";", "{", "}") {
		return // a label, or no block
	}
	at := p.toks[header].from
	s := p.code(i, j)
	whole := s
	if p.is(j, ";") {
		whole = p.code(i, j+1)
	}
	p.o.hoists = append(p.o.hoists, []edit{{span{at, at}, p.o.text(s) + "; "}, {whole, p.o.words.drop}})
}

// input records the variables that a statement reads, and with the statement before
// it two that are read in the same way.
func (p *parser) input(i, j int) {
	last := p.last
	p.last = nil
	if !slices.ContainsFunc(p.toks[i:j], func(t lexeme) bool {
		return t.kind == word &&
			slices.Contains(p.reads, t.text)
	}) {
		return
	}
	var into []span
	switch eq := p.find(i, j, "="); {
	case p.is(i, "cin"):
		for k := i + 1; k < j; k = p.past(k) {
			if p.is(k, ">>") {
				end := p.find(k+1, j, ">>")
				into = append(into, p.code(k+1, end))
			}
		}
	case p.is(i+1, "(") && eq == j && p.toks[i].text == "scanf":
		if args := p.arguments(i + 1); len(args) > 1 {
			into = args[1:]
		}
	case p.golang:
		into = p.goInput(i, j)
	case eq < j && p.lexer == "python.xml":
		for k := i; k < eq; {
			end := p.find(k, eq, ",")
			into = append(into, p.code(k, end))
			k = end + 1
		}
	case eq < j && p.lexer == "javascript.xml" && p.is(eq-1, "]") && p.match[eq-1] > 0:
		into = p.arguments(p.match[eq-1])
	case eq < j && p.find(i, j, ",") < j && p.lexer == "java.xml": // int n = in.nextInt(), m = in.nextInt();
		for k := i; k < j; {
			end := p.find(k, j, ",")
			if at := p.find(k, end, "="); at < end && at > 0 {
				into = append(into, p.toks[at-1].span)
			}
			k = end + 1
		}
	case eq < j && eq > i:
		name := eq - 1
		if p.lexer == "rust.xml" && p.is(i, "let") {
			if name = i + 1; p.is(name, "mut") {
				name++
			}
		}
		p.last = &inputStatement{name: p.toks[name].span, shape: p.textOf(i, name) + "\x00" + p.textOf(name+1, j)}
		if last != nil && last.shape == p.last.shape && p.o.text(last.name) != p.toks[name].text {
			p.o.inputs = append(p.o.inputs, []span{last.name, p.last.name})
		}
	}
	if len(into) > 1 {
		p.o.inputs = append(p.o.inputs, into)
	}
}

// An inputStatement is a statement that reads one variable.
type inputStatement struct {
	name  span
	shape string // the rest of the statement
}
