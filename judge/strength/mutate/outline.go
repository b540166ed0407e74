package mutate

import (
	"slices"
	"strings"
)

// An outline is what the operators must know of a source file.
type outline struct {
	name  string // of the file
	code  []byte
	fine  []lexeme // for comparing mutants
	words syntax

	binaries []binary
	loops    []*loop
	branches []branch
	stmts    []statement
	values   []value
	calls    []call
	literals []literal
	indexes  []index
	ranges   []bounds
	types    []edit   // each makes one type narrower
	hoists   [][]edit // each keeps the value of a variable from the last execution of its declaration
	inputs   [][]span // variables that one statement reads from the input
	memos    []edit   // each removes the storing of computed results, such as a decorator
	dead     []span   // unreachable

	refuses func([]edit) bool // reports that the compiler would reject the edits; may be nil
}

// An edit is a replacement of a part of a file.
type edit struct {
	span
	text string
}

// A place is where an expression stands.
type place uint16

const (
	inLoopHeader place = 1 << iota // in the condition of a loop
	inCondition                    // in the condition of a branch
	inReturn                       // in the value of a function
	inIndex                        // between the brackets of an index
	inSize                         // in the size of an array, or the value of a constant
	inUpdate                       // decides whether a best value is replaced
	inText                         // beside a string
	inConst                        // the compiler computes it
	inCase                         // a label of a switch, or a pattern
)

// A binary is an expression of two operands.
type binary struct {
	op          string
	at          span // of the operator
	left, right span
	place       place
	loop        *loop // whose header has it; else nil
	whole       bool  // nothing else stands between the same brackets
}

func (b *binary) span() span { return span{b.left.from, b.right.to} }

func (b *binary) compares() bool {
	return slices.Contains([]string{"<", "<=", ">", ">=", "==", "!=", "===", "!=="}, b.op)
}

// A loop repeats its body.
type loop struct {
	span
	cond    span   // condition that is evaluated before each execution; empty if there is none
	start   span   // first value of the variable of a counting loop; empty if there is none
	limit   span   // expression after the last value, if the header has no comparison: range(n); else empty
	closed  bool   // limit is the last value
	finish  []edit // leaves the loop at the end of its first execution; nil if that is impossible
	endless bool   // ended only by jumps
	reads   bool   // reads input
	vars    []string
}

// A branch is an if, elif or else if.
type branch struct {
	span            // to the end of its last else
	cond   span     // the condition
	then   span     // what it decides upon, with its brackets
	other  span     // from the word else; empty if there is none
	jump   string   // "return", "break" or "continue" if then is only that; else ""
	result string   // text that a return returns
	loop   bool     // inside a loop
	again  bool     // inside a function that calls itself
	params []string // of the function
	drop   bool     // can be removed: the first of its chain, or without else
	init   span     // statement before the condition; empty if there is none
}

// A statementKind is the kind of a simple statement.
type statementKind byte

const (
	declaration statementKind = iota
	assignment
	calling
	jumping
	other
)

// A statement is a simple statement.
type statement struct {
	span
	kind   statementKind
	name   string // variable that is assigned, text of the left side; word of a jump
	value  string // of a jump or an assignment
	loops  int    // loops around it
	fixed  bool   // cannot be dropped: the program would not compile
	clears bool   // sets a variable to a constant, or empties a container
	inCase bool   // directly in a switch
}

// A value is what a variable is set to.
type value struct {
	span
	place place
}

// A call is a call of a function.
type call struct {
	span
	name   string // without package and object
	at     span   // of the name
	args   []span
	object string // text before the name; "" if there is none
	alone  bool   // a statement
}

// A literal is an integer in decimal digits.
type literal struct {
	span
	text  string // without suffix
	place place
}

// An index is an expression between square brackets, as of an array.
type index struct {
	span          // of the expression
	next span     // of the index that follows directly: a[i][j]; else empty
	vars []string // variables of the loops around it
}

// Bounds are those of a range or slice, such as 0..n.
type bounds struct {
	hi, at span // at: the operator
	op     string
}

func (o *outline) text(s span) string { return string(o.code[s.from:s.to]) }

func (o *outline) isDead(s span) bool {
	return slices.ContainsFunc(o.dead, func(d span) bool { return d.from <= s.from && s.from < d.to })
}

// finish derives facts from others.
func (o *outline) finish() {
	for i := range o.binaries {
		b := &o.binaries[i]
		if !b.compares() {
			continue
		}
		for _, br := range o.branches {
			if br.cond.holds(b.span()) && o.replaces(br.then, o.text(b.left), o.text(b.right)) {
				b.place |= inUpdate
			}
		}
	}
}

// never returns the edit after which a condition never holds. Where the compiler
// rejects unused variables, it stays in the text.
func (o *outline) never(cond span) edit {
	if o.refuses != nil {
		return edit{cond, o.words.no + " " + o.words.and + " " + enclosed(o.text(cond))}
	}
	return edit{cond, o.words.no}
}

// always returns the edit after which a condition always holds.
func (o *outline) always(cond span) edit {
	if o.refuses != nil {
		return edit{cond, o.words.yes + " " + o.words.or + " " + o.text(cond)}
	}
	return edit{cond, o.words.yes}
}

// dropped returns the edit that removes a branch.
func (o *outline) dropped(b branch) edit {
	e := edit{b.span, o.words.drop}
	if !b.drop || !b.other.empty() || !b.init.empty() || o.refuses != nil && o.refuses([]edit{e}) {
		return o.never(b.cond)
	}
	return e
}

// enclosed returns an expression in parentheses if it has operators that bind less
// than a sum.
func enclosed(text string) string {
	if strings.ContainsAny(text, "<>=&|^?!") || strings.Contains(text, " if ") || strings.Contains(text, " or ") ||
		strings.Contains(text, " and ") || strings.Contains(text, " as ") {
		return "(" + text + ")"
	}
	return text
}

// replaces reports whether one of the expressions is assigned in a part.
func (o *outline) replaces(part span, left, right string) bool {
	return slices.ContainsFunc(o.stmts, func(s statement) bool {
		return s.kind == assignment && part.holds(s.span) && (s.name == left || s.name == right)
	})
}

// names reports whether a text has the name as a word.
func names(text, name string) bool {
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		i += at
		before := i == 0 || !isWord(text[i-1])
		after := i+len(name) == len(text) || !isWord(text[i+len(name)])
		if before && after {
			return true
		}
		at = i + len(name)
	}
	return false
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}
