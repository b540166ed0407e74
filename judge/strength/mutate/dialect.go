package mutate

import (
	"cmp"
	"strings"

	"crucible/judge/language"
)

// A dialect is what the parsers of tokens must know of a language.
type dialect struct {
	syntax
	lexer    string          // file in the folder lexers
	marks    []string        // operators of two or more characters, the longest first
	macros   bool            // names of macros end in an exclamation mark
	keywords map[string]bool // words that are no values, among them types
	types    map[string]bool // words that start a declaration
	orders   map[string]int  // precedence of binary operators, the highest binds first
	reads    []string        // words of statements that read input
	bare     bool            // headers of statements have no parentheses
	semis    bool            // statements end with semicolons
	golang   bool            // Go, whose tokens include the semicolons that its lines end with

	uninit   bool // a variable must be assigned before it is read, or the compiler rejects the program
	endless  bool // a loop without condition must not get a way out
	checked  bool // types of arithmetic are checked and never converted
	narrower []narrowerType
}

// A narrowerType replaces the words of a type by those of a narrower one.
type narrowerType struct{ from, to string }

// The syntax has the words that mutants contain.
type syntax struct {
	and, or, yes, no string
	drop             string    // replaces a dropped statement
	guard            [2]string // stand around a jump that must not look like the end of a block
}

// The types of C and C++ that have a narrower one; ll is a usual name for the first.
var narrowerOfC = []narrowerType{
	{"unsigned long long", "unsigned int"}, {"unsigned long", "unsigned int"}, {"long long int", "int"},
	{"long long", "int"}, {"int64_t", "int32_t"},
	{"uint64_t", "uint32_t"}, {"long double", "double"}, {"double", "float"}, {"ll", "int"}, {"long", "int"},
	{"__int128", "long long"},
}

func words(text string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}

// The precedence of the operators of C; other languages differ in few of them.
func ordersOfC() map[string]int {
	return map[string]int{
		"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "===": 6, "!==": 6,
		"<": 7, "<=": 7, ">": 7, ">=": 7, "<=>": 7, "<<": 8, ">>": 8, ">>>": 8,
		"+": 9, "-": 9, "*": 10, "/": 10, "%": 10, "**": 11,
	}
}

func ordersWith(changes map[string]int) map[string]int {
	m := ordersOfC()
	for op, n := range changes {
		if n == 0 {
			delete(m, op)
		} else {
			m[op] = n
		}
	}
	return m
}

const (
	marksOfC  = "<<= >>= ... ->* :: ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^= ->"
	jumpWords = "return break continue goto throw case default else do if while for switch try catch new delete "
	typesOfC  = "void bool char short int long float double unsigned signed size_t ssize_t int8_t int16_t int32_t " +
		"int64_t uint8_t uint16_t uint32_t uint64_t __int128 __int128_t auto const static struct enum union extern inline " +
		"register volatile typedef "
	typesOfCC = typesOfC + "string vector map set pair queue stack deque array bitset multiset multimap priority_queue " +
		"unordered_map unordered_set tuple list class using namespace template typename constexpr mutable wchar_t " +
		"thread_local function operator public private protected friend virtual explicit "
	javaTypes = "void boolean byte char short int long float double var final static public private protected abstract " +
		"class interface enum import package synchronized native transient volatile extends implements throws String " +
		"Integer Long record "
)

const goTypes = "bool byte complex128 complex64 error float32 float64 int int16 int32 int64 int8 rune string uint " +
	"uint16 uint32 uint64 uint8 uintptr any"

// dialectOf returns how a language is read; nil if it is not.
func dialectOf(l *language.Language) *dialect {
	same := map[string]string{"cgmp": "c", "cppgmp": "cpp", "python3numpy": "python3", "python2": "python3"}
	return dialects[cmp.Or(same[l.Code], l.Code)]
}

// dialects are the languages with mutants, by code.
var dialects = map[string]*dialect{
	"c": {
		syntax: syntax{and: "&&", or: "||", yes: "1", no: "0", drop: ";"}, // true and false need a header in C
		lexer:  "c.xml", marks: byLength(marksOfC), keywords: words(jumpWords + typesOfC + "sizeof"), types: words(typesOfC),
		orders: ordersOfC(), reads: strings.Fields("scanf getchar fgets gets getline fscanf fread getchar_unlocked"),
		semis:    true,
		narrower: narrowerOfC,
	},
	"cpp": {
		syntax: syntax{and: "&&", or: "||", yes: "1", no: "0", drop: ";"}, // true and false need a header in C
		lexer:  "cpp.xml", marks: byLength(marksOfC + " <=>"), keywords: words(jumpWords + typesOfCC + "sizeof"),
		types:  words(typesOfCC),
		orders: ordersOfC(), reads: strings.Fields("cin scanf getchar getline gets fgets fread getchar_unlocked"),
		semis:    true,
		narrower: narrowerOfC,
	},
	"go": {
		syntax: syntax{and: "&&", or: "||", yes: "true", no: "false"},
		golang: true, keywords: words("break case chan const continue default defer else fallthrough for func go goto if " +
			"import interface map package range return select struct switch type var " + goTypes),
		types: words("var const"), bare: true,
		orders: ordersWith(map[string]int{"==": 3, "!=": 3, "<": 3, "<=": 3, ">": 3, ">=": 3, "+": 4, "-": 4, "|": 4, "^": 4,
			"*": 5, "/": 5, "%": 5, "<<": 5, ">>": 5, "&": 5, "&^": 5, "||": 1, "&&": 2}),
		reads: strings.Fields("Scan Scanf Scanln Fscan Fscanf Fscanln Sscan Sscanf ReadString ReadLine ReadByte ReadRune " +
			"ReadBytes Text Read ReadFull"), endless: true,
	},
	"java": {
		syntax: syntax{and: "&&", or: "||", yes: "true", no: "false", drop: ";", guard: [2]string{"if (false) "}},
		lexer:  "java.xml", marks: byLength(">>>= >>> " + marksOfC),
		keywords: words(jumpWords + javaTypes + "instanceof assert yield"), types: words(javaTypes),
		orders: ordersWith(map[string]int{"instanceof": 7}),
		reads:  strings.Fields("nextInt nextLong next nextLine readLine nextDouble nextToken read readInt readLong"),
		semis:  true, uninit: true, endless: true, checked: true,
	},
	"rust": {
		syntax: syntax{and: "&&", or: "||", yes: "true", no: "false", guard: [2]string{"if false { ", " }"}},
		lexer:  "rust.xml", marks: byLength("..= .. => " + strings.NewReplacer("++ -- ", "", "->* ", "").Replace(marksOfC)),
		macros: true,
		keywords: words("let mut fn return break continue if else while for in loop match struct enum impl trait use pub " +
			"mod const static ref move as where type unsafe dyn async await extern crate macro_rules!"),
		types: words("let const static"), bare: true,
		orders: ordersWith(map[string]int{"==": 3, "!=": 3, "<": 3, "<=": 3, ">": 3, ">=": 3, "|": 4, "^": 5, "&": 6,
			"as": 12, "..": -1, "..=": -1}),
		reads: strings.Fields("read_line lines read_to_string next parse read scan"), semis: true, uninit: true,
		endless: true, checked: true,
	},
	"javascript": {
		syntax: syntax{and: "&&", or: "||", yes: "true", no: "false", drop: ";"},
		lexer:  "javascript.xml", marks: byLength("=== !== ** **= >>> >>>= ?? ?. => &&= ||= ??= " + marksOfC),
		keywords: words(jumpWords +
			"let const var function class extends typeof instanceof in of void async await yield import export static get set"),
		types: words("let const var"), orders: ordersWith(map[string]int{"instanceof": 7, "in": 7, "??": 1}),
		reads: strings.Fields("readline readLine question shift next nextInt nextNumber read"),
	},
	"python3": {
		syntax: syntax{and: "and", or: "or", yes: "True", no: "False", drop: "pass"},
		lexer:  "python.xml", bare: true,
		marks: byLength("//= **= <<= >>= ... // ** << >> <= >= == != += -= *= /= %= &= |= ^= -> :="),
		keywords: words("return break continue if elif else while for in is not and or lambda def class import from as " +
			"with try except finally raise yield global nonlocal assert del pass async await match case"),
		orders: ordersWith(map[string]int{
			"||": 0, "&&": 0, "===": 0, "!==": 0, "or": 1, "and": 2, "in": 3, "is": 3, "==": 3, "!=": 3, "<": 3, "<=": 3, ">": 3,
			">=": 3,
			"|":  4, "^": 5, "&": 6, "//": 10,
		}),
		reads:    strings.Fields("input readline stdin"),
		narrower: []narrowerType{{"int64", "int32"}, {"float64", "float32"}},
	},
}
