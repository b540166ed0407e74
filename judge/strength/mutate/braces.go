package mutate

import (
	"slices"
	"strings"
)

// angles marks < and > around the arguments of templates and generics, so that they
// are not comparisons.
func (p *parser) angles() {
	if p.lexer == "c.xml" || p.lexer == "javascript.xml" || p.lexer == "python.xml" {
		return
	}
	for i := range p.toks {
		if p.toks[i].kind != mark || !p.is(i, "<") || i == 0 || p.toks[i-1].kind != word && !p.is(i-1, "::", ".", ")") {
			continue
		}
		end, ok := p.closing(i)
		if !ok || !p.generic(i, end) {
			continue
		}
		depth := 0
		for j := i; j <= end; j++ {
			if p.toks[j].kind != mark || strings.Trim(p.toks[j].text, "<>") != "" {
				continue
			}
			if p.is(j, "<") {
				depth++
			}
			p.toks[j].kind = bracket
			if p.is(j, "<") {
				p.match[j], _ = p.closing(j)
			}
		}
		p.match[end] = i
	}
}

// closing returns the index of the sign that closes the angle bracket i, if all
// between can be types.
func (p *parser) closing(i int) (end int, ok bool) {
	depth := 0
	for j := i; j < len(p.toks) && j < i+200; j++ {
		switch t := p.toks[j]; {
		case t.kind == word || t.kind == number:
		case p.is(j, "<"):
			depth++
		case p.is(j, ">", ">>", ">>>"):
			if depth -= len(t.text); depth == 0 {
				return j, true
			} else if depth < 0 {
				return j, j > i
			}
		case p.is(j, "[", "("):
			j = p.match[j]
		case !p.is(j, ",", "::", "*", "&", "?", "...", ":", "+", "'", "->", ".", "=", "&&"):
			return 0, false
		case p.is(j, "&&") && p.lexer != "cpp.xml":
			return 0, false
		}
	}
	return 0, false
}

var templates = words("less greater numeric_limits make_pair static_cast dynamic_cast reinterpret_cast const_cast " +
	"get hash tree make_tuple make_shared make_unique shared_ptr unique_ptr template complex function " +
	"uniform_int_distribution Vec Option Result Box HashMap HashSet collect sum parse fn impl")

// generic reports whether the signs i and end enclose types.
func (p *parser) generic(i, end int) bool {
	before, first := p.toks[i-1].text, p.toks[i+1].text
	upper := func(s string) bool { return s != "" && 'A' <= s[0] && s[0] <= 'Z' }
	if p.lexer == "cpp.xml" {
		return p.types[before] || templates[before] || p.types[first] && p.toks[i+1].kind == word
	}
	return templates[before] || before == "::" || before == "." || upper(before) && !p.is(end+1, "(") || p.types[first] ||
		end == i+1 ||
		p.lexer == "rust.xml" && i > 1 && p.is(i-2, "fn", "struct", "enum") || upper(before) && upper(first) ||
		upper(before) && i > 1 && p.is(i-2, "new")
}

// block parses the statements from token i up to j. decl reports that they are
// declarations of a file or of a type.
func (p *parser) block(i, j int, decl bool) {
	dead := false
	for i < j {
		if (p.golang || p.lexer == "python.xml") && p.is(i, ";") {
			i++
			continue
		}
		if p.is(i, "case", "default") || p.toks[i].kind == word && p.is(i+1, ":") {
			dead = false
		}
		end, jumps := p.statement(i, j, decl)
		end = min(max(end, i+1), j)
		if dead {
			p.o.dead = append(p.o.dead, p.code(i, end))
		}
		dead = dead || jumps
		i = end
	}
}

var modifiers = words("public private protected static final abstract pub export default inline sealed async unsafe " +
	"const extern")

// statement parses the statement at token i, which ends at j at the latest. It
// returns the index after it, and whether what follows cannot be reached from it.
func (p *parser) statement(i, j int, decl bool) (end int, jumps bool) {
	t := p.toks[i]
	switch {
	case t.kind == mark && p.is(i, "{"):
		p.block(i+1, p.match[i], decl)
		return p.match[i] + 1, false
	case p.golang:
		return p.goStatement(i, j, decl)
	case p.lexer == "python.xml":
		return p.pyStatement(i, j)
	case t.kind == mark && p.is(i, "@") && i+1 < j: // an annotation of Java
		if p.is(i+1, "interface") {
			return p.past(p.find(i, j, "{")), false
		}
		if end = i + 2; p.is(end, "(") {
			end = p.past(end)
		}
		return end, false
	case t.kind != word:
		return p.simple(i, j, decl)
	}
	switch t.text {
	case "if":
		return p.branch(i, j, false), false
	case "while", "for", "loop":
		return p.loop(i, j), false
	case "do":
		return p.doWhile(i, j), false
	case "switch", "match":
		return p.choice(i, j), false
	case "else", "try", "finally", "unsafe":
		if i+1 < j && !p.is(i+1, "fn", "impl") {
			return p.statement(i+1, j, decl)
		}
		return i + 1, false
	case "catch":
		return p.find(i, j, "{"), false
	case "case", "default":
		end = p.find(i, j, ":", "->", ";", "{")
		return end + 1, false
	case "import", "package", "using", "use", "typedef", "extern", "macro_rules!":
		return p.outside(i, j), false
	case "template":
		if p.is(i+1, "<") && p.match[i+1] > 0 {
			return p.match[i+1] + 1, false
		}
	case "public", "private", "protected", "static", "final", "abstract", "pub", "export", "inline", "sealed", "async":
		if p.is(i+1, ":") {
			return i + 2, false
		}
		k := i
		for k < j && p.toks[k].kind == word && modifiers[p.toks[k].text] || p.is(k, "(") && p.is(i, "pub") {
			k = p.past(k)
		}
		if p.is(k, "class", "interface", "enum", "struct", "union", "fn", "trait", "mod", "function", "record", "impl") &&
			k < j {
			return p.statement(k, j, decl)
		}
	case "return", "break", "continue", "goto", "throw":
		end, _ = p.simple(i, j, decl)
		return end, true
	case "namespace", "struct", "class", "union", "enum", "interface", "record", "impl", "trait", "mod":
		if end := p.typeAt(i, j); end > 0 {
			return end, false
		}
	case "fn":
		return p.functionAt(i, j), false
	case "function":
		if p.lexer == "javascript.xml" {
			return p.functionAt(i, j), false
		}
	}
	if p.toks[i].kind == word && p.is(i+1, ":") && !decl && p.lexer != "rust.xml" { // a label
		return i + 2, false
	}
	return p.simple(i, j, decl)
}

// outside returns the index after an import, or the definition of a type's name,
// which may be narrowed.
func (p *parser) outside(i, j int) int {
	if p.is(i, "extern") && !p.is(i+1, "crate") {
		if p.toks[min(i+1, j-1)].kind == text {
			return i + 2
		}
		return i + 1
	}
	end := p.find(i, j, ";")
	if p.is(i, "macro_rules!") {
		return p.past(p.find(i, j, "{", "("))
	}
	if p.is(i, "import", "package") && p.lexer == "javascript.xml" {
		end = p.line(i, j)
	}
	switch { // the defined name stays
	case p.is(i, "typedef"):
		p.narrow(i, end-1)
	case p.is(i, "using"):
		p.narrow(p.find(i, end, "="), end)
	}
	return min(end+1, j)
}

// narrow records types of the tokens from i up to j that have a narrower one.
func (p *parser) narrow(i, j int) {
	for k := i; k < j; k++ {
		for _, n := range p.narrower {
			from := strings.Fields(n.from)
			if k+len(from) > j || p.toks[k].kind != word || !slices.EqualFunc(from, p.toks[k:k+len(from)],
				func(s string, t lexeme) bool { return s == t.text }) {
				continue
			}
			if n.from != "long" || !p.is(k+1, "double", "long") && !p.is(k-1, "long") {
				p.o.types = append(p.o.types, edit{p.code(k, k+len(from)), n.to})
			}
			k += len(from) - 1
			break
		}
	}
}

// typeAt parses the body of a type, a namespace or a module; 0 if there is none.
func (p *parser) typeAt(i, j int) int {
	open := p.find(i, j, "{", ";", "=", "(")
	if open == j || !p.is(open, "{") {
		return 0
	}
	switch {
	case p.is(i, "enum") && p.lexer != "java.xml" || p.is(i, "struct") && p.lexer == "rust.xml":
		return p.past(open)
	case p.is(i, "enum"):
		if body := p.find(open+1, p.match[open], ";"); body < p.match[open] {
			p.block(body+1, p.match[open], true)
		}
		return p.past(open)
	}
	saved := p.fn
	p.fn = nil
	p.block(open+1, p.match[open], true)
	p.fn = saved
	return p.past(open)
}

// functionAt parses a function that starts with a word for functions.
func (p *parser) functionAt(i, j int) int {
	open := p.find(i, j, "{", ";")
	if !p.is(open, "{") {
		return min(open+1, j)
	}
	if list := p.find(i, open, "("); list < open {
		p.body(list, open)
	}
	return p.past(open)
}

// body parses the body of the function whose parameters stand between the brackets
// that list opens.
func (p *parser) body(list, open int) {
	fn, loops, starts := p.fn, p.loops, p.starts
	name := ""
	if at := list - 1; at >= 0 {
		if m := p.match[at]; p.toks[at].kind == bracket && m >= 0 && m < at {
			at = m - 1
		}
		if at >= 0 && p.toks[at].kind == word && !p.keywords[p.toks[at].text] {
			name = p.toks[at].text
		}
	}
	end := p.match[open]
	p.fn, p.loops, p.starts = &function{name: name}, nil, nil
	for k := list + 1; k < p.match[list]; k++ {
		if p.toks[k].kind == word && (p.is(k+1, ",", ")", ":", "=") || p.golang && p.toks[k+1].kind == word) &&
			!p.keywords[p.toks[k].text] {
			p.fn.params = append(p.fn.params, p.toks[k].text)
		}
	}
	for k := open; k < end && name != ""; k++ {
		p.fn.again = p.fn.again || p.toks[k].text == name && p.is(k+1, "(")
	}
	if p.unused(name, list) {
		p.o.dead = append(p.o.dead, p.code(open, end+1))
	}
	p.block(open+1, end, false)
	p.fn, p.loops, p.starts = fn, loops, starts
}

// unused reports whether no code of the program calls a function.
func (p *parser) unused(name string, list int) bool {
	if p.lexer == "python.xml" {
		return p.pyUnused(name, list)
	}
	if p.golang && (name == "init" || p.is(list-2, ")", "]")) {
		return false // methods may be called by an interface
	}
	if name == "" || name == "main" || p.counts["main"] == 0 || p.lexer == "javascript.xml" || p.counts[name] != 1 ||
		list < 2 {
		return false
	}
	// The library may call methods: compareTo, fmt, operators, destructors.
	return !p.is(list-2, "~", "operator", "::") && p.lexer != "java.xml" && !(p.lexer == "rust.xml" && p.inImpl(list))
}

// inImpl reports whether the token stands inside an impl of Rust.
func (p *parser) inImpl(i int) bool {
	for ; i >= 0; i-- {
		if p.is(i, "}") {
			i = p.match[i]
		} else if p.is(i, "impl", "trait") {
			return true
		}
	}
	return false
}

// header returns the tokens of the condition of a statement, and the index after it.
func (p *parser) headerOf(i, j int) (from, to, after int) {
	if !p.bare {
		for i+1 < j && !p.is(i+1, "(", "{", ";") {
			i++ // if constexpr, for await
		}
		if p.is(i+1, "(") {
			return i + 2, p.match[i+1], p.match[i+1] + 1
		}
		return i + 1, i + 1, min(i+1, j)
	}
	open := p.find(i+1, j, "{")
	if p.golang {
		open = p.goBlock(i+1, j)
	}
	return i + 1, open, open
}

// branch parses an if with its else.
func (p *parser) branch(i, j int, chained bool) int {
	from, to, after := p.headerOf(i, j)
	b := branch{loop: len(p.loops) > 0}
	if p.fn != nil {
		b.again, b.params = p.fn.again, p.fn.params
	}
	if s := p.find(from, to, ";"); s < to {
		p.mark(from, s, 0, nil)
		b.init, from = p.code(from, s), s+1
	}
	if p.is(from, "let") {
		p.mark(from, to, inCase, nil)
	} else {
		p.mark(from, to, inCondition, nil)
		b.cond = p.code(from, to)
	}
	p.nested(from, to)
	if after >= j {
		return j
	}
	end, _ := p.statement(after, j, false)
	b.then = p.code(after, end)
	b.jump, b.result = p.jump(after, end)
	b.span = p.code(i, end)
	if p.is(end, "else", "elif") && end+1 < j {
		start := end
		switch {
		case p.is(end, "elif"):
			end = p.branch(end, j, true)
		case p.is(end+1, "if"):
			end = p.branch(end+1, j, true)
		default:
			end, _ = p.statement(end+1, j, false)
		}
		b.other = p.code(start, end)
		b.span.to = b.other.to
	}
	// The value of an if is part of an expression in Rust.
	statement := i == 0 || p.is(i-1, ";", "{", "}", ")", "else", "=>", ":")
	b.drop = !chained && statement && (p.lexer != "rust.xml" || b.other.empty() && !p.is(end, "}") || p.is(i+2, ";"))
	if p.lexer == "rust.xml" && !b.other.empty() && (p.is(end, "}", ")", ",") || !statement) || p.golang &&
		p.is(end-1, "}") && p.is(end+1, "}") && p.ends(p.match[end-1], end-1) { // the end of a function may need its return
		b.other = span{b.other.to, b.other.to}
	}
	p.o.branches = append(p.o.branches, b)
	return end
}

// jump returns the word and the value of the jump that is all of a statement.
func (p *parser) jump(i, j int) (jump, result string) {
	if p.is(i, "{") && p.match[i] == j-1 {
		i, j = i+1, j-1
	}
	if i >= j || !p.is(i, "return", "break", "continue") {
		return "", ""
	}
	end := p.find(i, j, ";")
	if end < j-1 {
		return "", ""
	}
	return p.toks[i].text, p.textOf(i+1, end)
}

// choice parses a switch or a match.
func (p *parser) choice(i, j int) int {
	from, to, open := p.headerOf(i, j)
	p.mark(from, to, 0, nil)
	if !p.is(open, "{") {
		return open
	}
	end := p.match[open]
	if p.is(i, "switch", "select") {
		p.within(nil, open, func() { p.block(open+1, end, false) })
		return end + 1
	}
	for k := open + 1; k < end; {
		k = p.find(k, end, "=>") + 1
		if k >= end {
			break
		}
		if p.is(k, "{") {
			p.block(k+1, p.match[k], false)
			k = p.match[k] + 1
			continue
		}
		stop := p.find(k, end, ",")
		p.mark(k, stop, 0, nil)
		p.nested(k, stop)
		k = stop + 1
	}
	return end + 1
}
