package ctd

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A vector is a fact about the language. The result is "" if the grammar accepts the
// input; otherwise "line:column: found", and " want " with the expected text where it
// matters; or "!" and the error of the grammar.
type vector struct{ grammar, input, want string }

// vectors contains the shortened sentences of doc/format-spec.md and doc/regex-spec.md,
// and the facts that follow from them.
var vectors = []struct {
	sentence string
	facts    []vector
}{
	{"a program is a list of commands", []vector{
		{``, "", ""},
		{``, "x", `1:1: "x" want end of file`},
		{"\n\t \r\n", "", ""},
		{`SPACE SPACE`, "  ", ""},
		{`5`, "", `!g.ctd:1:1: expected a command, found "5"`},
		{`SPACE )`, "", `!g.ctd:1:7: expected a command, found ")"`},
		{`NEWLINES`, "", `!g.ctd:1:1: expected a command, found "NEWLINES"`},
		{`ISEOF`, "", `!g.ctd:1:1: expected a command, found "ISEOF"`},
		{"SPACE ~", " ", `!g.ctd:1:7: unexpected character "~"`},
	}},
	{"all commands are uppercase, variables lowercase with non-leading digits", []vector{
		{`space`, " ", `!g.ctd:1:1: expected a command, found "space"`},
		{`INT(0,9,a1b2) ASSERT(a1b2 == 7)`, "7", ""},
		{`INT(0,9,N)`, "7", `!g.ctd:1:9: expected a variable, found "N"`},
		{`INT(0,9,1a)`, "7", `!g.ctd:1:9: expected a variable, found "1"`},
	}},
	{"comments start with # anywhere and run until end of line", []vector{
		{"# one\nSPACE # two\n  # three", " ", ""},
		{"INT(0, # the least\n9)", "4", ""},
		{`STRING("#")`, "#", ""},
		{"# SPACE", " ", `1:1: a space want end of file`},
	}},
	{"integer := 0|-?[1-9][0-9]*", []vector{
		{`ASSERT(-12 < 0)`, "", ""},
		{`INT(0, 010)`, "9", `!g.ctd:1:8: a number with superfluous zeros: "010"`},
		{`ASSERT(123456789012345678901234567890 - 1 == 123456789012345678901234567889)`, "", ""},
	}},
	{"float := -?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?", []vector{
		{`ASSERT(-1.5e1 == -15)`, "", ""},
		{`ASSERT(25E-1 == 2.5)`, "", ""},
		{`ASSERT(1. == 1)`, "", ""},
		{`ASSERT(1e == 1)`, "", `!g.ctd:1:8: a number without the digits of its exponent: "1e"`},
		{`ASSERT(1e99999 > 1)`, "", `!g.ctd:1:8: a float of more than 20000 digits, or with as large an exponent`},
	}},
	{"string := \".*\"", []vector{
		{`STRING("a b")`, "a b", ""},
		{`STRING("")`, "", ""},
		{"STRING(\"a\nb\")", "a\nb", ""},
		{`STRING("a)`, "", `!g.ctd:1:8: a string that does not end`},
		{`STRING("\`, "", `!g.ctd:1:8: a string that does not end`},
	}},
	{"variable := <varname> | <varname> '[' <expr> [',' <expr> ...] ']'", []vector{
		{`SET(a[0]=1, a[1,2]=3, a=4) ASSERT(a[0]+a[1,2]+a == 8)`, "", ""},
		{`SET(i=2, a[i*i-1]=7) ASSERT(a[3] == 7)`, "", ""},
		{`SET(a[-5]=1, a[10^30]=2) ASSERT(a[-5] + a[10^30] == 3)`, "", ""},
		{`SET(a[1.5]=1)`, "", `!g.ctd:1:7: expected an integer, found a float: 1.5`},
		{`SET(a[0]=1) ASSERT(a[1] == 1)`, "", `!g.ctd:1:20: a[1] is not set`},
		{`SET(a[0]=1) ASSERT(a == 1)`, "", `!g.ctd:1:20: a is not set`},
		{`ASSERT(b == 1)`, "", `!g.ctd:1:8: variable b is never set`},
		{`SET(a[0=1)`, "", `!g.ctd:1:8: expected "]", found "="`},
	}},
	{"expressions have the usual rules of precedence", []vector{
		{`ASSERT(2+3*4 == 14)`, "", ""},
		{`ASSERT((2+3)*4 == 20)`, "", ""},
		{`ASSERT(10-4-3 == 3)`, "", ""},
		{`ASSERT(100/10/5 == 2)`, "", ""},
		{`ASSERT(2*3^2 == 18)`, "", ""},
		{`ASSERT(-2^2 == -4)`, "", ""},
		{`ASSERT(2^3^2 == 64)`, "", ""},
		{`ASSERT(3 - -2 == 5)`, "", ""},
		{`ASSERT(--3 == 3)`, "", ""},
		{`ASSERT(1 + == 2)`, "", `!g.ctd:1:12: expected a value, found "=="`},
		{`ASSERT((1 == 1)`, "", `!g.ctd:1:16: expected ")", found the end of the file`},
		{`INT(1 < 2, 3)`, "", `!g.ctd:1:5: expected an expression, found a test: 1 < 2`},
		{`ASSERT((1 < 2) + 1 == 2)`, "", `!g.ctd:1:8: expected an expression, found a test: (1 < 2)`},
	}},
	{"an expression is integer if all its sub-expressions are; integers can be cast into floats", []vector{
		{`ASSERT(7/2 == 3)`, "", ""},
		{`ASSERT(-7/2 == -3)`, "", ""},
		{`ASSERT(-7%3 == -1)`, "", ""},
		{`ASSERT(7.0/2 == 3.5)`, "", ""},
		{`ASSERT(1 == 1.0)`, "", ""},
		{`ASSERT(1.0/3*3 == 1)`, "", ""},
		{`ASSERT(0.1+0.2 == 0.3)`, "", ""},
		{`SET(x=1.5%1)`, "", `!g.ctd:1:7: expected integers, found % of a float: 1.5%1`},
		{`SET(x=1/0)`, "", `!g.ctd:1:7: division by zero: 1/0`},
		{`SET(x=1%0)`, "", `!g.ctd:1:7: division by zero: 1%0`},
		{`SET(x=1/0.0)`, "", `!g.ctd:1:7: division by zero: 1/0.0`},
	}},
	{"integers of arbitrary size", []vector{
		{`ASSERT(9223372036854775807 + 1 == 2^63)`, "", ""},
		{`ASSERT(-9223372036854775808 - 1 == -(2^63) - 1)`, "", ""},
		{`ASSERT(4294967296 * 4294967296 == 2^64)`, "", ""},
		{`ASSERT(-(2^63) / -1 == 2^63)`, "", ""},
		{`ASSERT(-(-(2^63)) == 2^63)`, "", ""},
		{`ASSERT(10^50 % 7 == 2)`, "", ""},
		{`INT(0, 10^30, n) ASSERT(n == 10^30)`, "1000000000000000000000000000000", ""},
		{`INT(0, 10^30)`, "1000000000000000000000000000001", `1:1: "1000000000000000000000000000001" want an integer from 0 to 1000000000000000000000000000000`},
	}},
	{"^ only allows non-negative integer exponents that fit in an unsigned long", []vector{
		{`ASSERT(0^0 == 1 )`, "", ""},
		{`ASSERT(1.5^2 == 2.25)`, "", ""},
		{`ASSERT((-1)^(2^63+1) == -1)`, "", ""},
		{`SET(x=2^-1)`, "", `!g.ctd:1:9: expected an integer from 0 to 2^64-1 as the exponent, found -1`},
		{`SET(x=2^0.5)`, "", `!g.ctd:1:9: expected an integer from 0 to 2^64-1 as the exponent, found 0.5`},
		{`SET(x=1^(2^64))`, "", `!g.ctd:1:9: expected an integer from 0 to 2^64-1 as the exponent, found 18446744073709551616`},
		{`SET(x=2^(10^9))`, "", `!g.ctd:1:7: 2^(10^9) is larger than 4194304 bits`},
	}},
	{"strings can only be compared (lexicographically)", []vector{
		{`ASSERT("abc" < "abd")`, "", ""},
		{`ASSERT("Z" < "a")`, "", ""},
		{`ASSERT("a" != "ab")`, "", ""},
		{`ASSERT("b" < "ab")`, "", `1:1: "b" < "ab" want "b" < "ab"`},
		{`ASSERT("1" == 1)`, "", `!g.ctd:1:8: a string cannot be compared with an integer`},
		{`SET(x="a"+"b")`, "", `!g.ctd:1:7: expected a number, found a string: "a"`},
		{`SET(x=-"a")`, "", `!g.ctd:1:8: expected a number, found a string: "a"`},
	}},
	{"in a string, the backslash escapes octals, n t r b, the quote, itself and a newline", []vector{
		{`STRING("\n\t\r\b")`, "\n\t\r\b", ""},
		{`STRING("\"\\")`, "\"\\", ""},
		{`STRING("\101\7\0400")`, "A\a 0", ""},
		{`STRING("\377")`, "\xff", ""},
		{`STRING("\400")`, "", `!g.ctd:1:9: an octal escape beyond \377: "\\400"`},
		{"STRING(\"a\\\nb\")", "ab", ""},
	}},
	{"a backslash preceding any other character is a literal backslash", []vector{
		{`STRING("\d\.")`, `\d\.`, ""},
		{`STRING("\8")`, `\8`, ""},
	}},
	{"tests are built from comparisons, ! && || and test commands", []vector{
		{`ASSERT(1 < 2 && 2 <= 2 && 3 > 2 && 2 >= 2 && 1 == 1 && 1 != 2)`, "", ""},
		{`ASSERT(1 == 2 || 1 == 1)`, "", ""},
		{`ASSERT(!1 == 2)`, "", ""},
		{`ASSERT(!(1 == 1 && 1 == 2))`, "", ""},
		{`ASSERT(!!ISEOF)`, "", ""},
		{`ASSERT((1 == 2 || 1 == 1) && ISEOF)`, "", ""},
		{`ASSERT(ISEOF || !ISEOF)`, "", ""},
		{`ASSERT(1 == 2 && 1 == 1 || 1 == 1)`, "", ""},
		{`ASSERT(ISEOF || 1/0 == 1)`, "", ""},
		{`ASSERT(1 == 1 || 1 == 1 && 1 == 2)`, "", `!g.ctd:1:25: && after ||: write parentheses, since the order is not the same everywhere`},
		{`ASSERT(!ISEOF && ISEOF)`, "", `!g.ctd:1:15: && after !: write parentheses, since what ! negates is not the same everywhere`},
		{`ASSERT(1)`, "", `!g.ctd:1:8: expected a test, found an expression: 1`},
		{`ASSERT(!1)`, "", `!g.ctd:1:9: expected a test, found an expression: 1`},
		{`ASSERT(1 < 2 < 3)`, "", `!g.ctd:1:14: expected ")", found "<"`},
		{`ASSERT(1 = 1)`, "", `!g.ctd:1:8: expected a test, found an expression: 1`},
	}},
	{"MATCH: whether the next character is any of those in str", []vector{
		{`ASSERT(MATCH("xy")) STRING("y")`, "y", ""},
		{`ASSERT(!MATCH("xy")) STRING("z")`, "z", ""},
		{`ASSERT(!MATCH(""))`, "", ""},
		{`ASSERT(MATCH("x"))`, "", `1:1: end of file want MATCH("x")`},
		{`SET(s="ab") WHILE(MATCH(s)) REGEX(".") END`, "abba", ""},
		{`ASSERT(MATCH(1))`, "", `!g.ctd:1:14: expected a string, found an integer: 1`},
	}},
	{"ISEOF: whether end-of-file has been reached", []vector{
		{`WHILE(!ISEOF) INT(0,9) NEWLINE END`, "1\n2\n3\n", ""},
		{`WHILE(!ISEOF) INT(0,9) NEWLINE END`, "1\n2", `2:2: end of file want a newline`},
		{`ASSERT(ISEOF)`, "x", `1:1: "x" want ISEOF`},
	}},
	{"UNIQUE: the same indices, and unique tuples at them", []vector{
		{`REPI(i,3,SPACE) INT(0,9,a[i]) END ASSERT(UNIQUE(a))`, "1 2 3", ""},
		{`REPI(i,3,SPACE) INT(0,9,a[i]) END ASSERT(UNIQUE(a))`, "1 3 1", `1:6: a[0] and a[2], both 1 want UNIQUE(a)`},
		{`SET(a[0]=1,a[1]=1,b[0]=1,b[1]=2) ASSERT(UNIQUE(a,b))`, "", ""},
		{`SET(a[0]=1,a[1]=1,b[0]=2,b[1]=2) ASSERT(UNIQUE(a,b))`, "", `1:1: the same values at [0] and [1] want UNIQUE(a,b)`},
		{`SET(a[0]=1,b[0]=1,b[1]=2) ASSERT(UNIQUE(a,b))`, "", `1:1: 1 values of a and 2 of b want UNIQUE(a,b)`},
		{`SET(a[0]=1,b[1]=1) ASSERT(UNIQUE(a,b))`, "", `1:1: a[0], but no b[0] want UNIQUE(a,b)`},
		{`SET(a[0]=1,a[1]=1.0) ASSERT(!UNIQUE(a))`, "", ""},
		{`SET(a[0]=1,a[1]="1") ASSERT(UNIQUE(a))`, "", ""},
		{`SET(a[0]="x y",b[0]="z",a[1]="x",b[1]="y z") ASSERT(UNIQUE(a,b))`, "", ""},
		{`SET(a[0,1]=1,a[5,5]=2,a=3,a[7]=4) ASSERT(UNIQUE(a)) SET(a[7]=3) ASSERT(UNIQUE(a))`, "", `1:1: a and a[7], both 3 want UNIQUE(a)`},
		{`SET(a[0]=1) UNSET(a) ASSERT(UNIQUE(a))`, "", ""},
		{`ASSERT(UNIQUE(a))`, "", `!g.ctd:1:15: variable a is never set`},
		{`SET(a=1) ASSERT(UNIQUE(a[0]))`, "", `!g.ctd:1:25: expected ")", found "["`},
	}},
	{"INARRAY: whether val occurs in the array variable", []vector{
		{`SET(a[0]=1,a[9]=2,a[1,1]="x") ASSERT(INARRAY(2,a) && INARRAY("x",a) && INARRAY(1.0,a))`, "", ""},
		{`SET(a[0]=1) ASSERT(INARRAY(1+1,a))`, "", `1:1: end of file want INARRAY(1+1,a)`},
		{`SET(a[0]=1) ASSERT(INARRAY(1,a)) SET(a[0]=2) ASSERT(INARRAY(2,a)) ASSERT(INARRAY(1,a))`, "", `1:1: end of file want INARRAY(1,a)`},
		{`SET(a[0]=1,a[1]=1) ASSERT(INARRAY(1,a)) SET(a[0]=2) ASSERT(INARRAY(1,a))`, "", ""},
		{`SET(a[0]=1) UNSET(a) ASSERT(!INARRAY(1,a))`, "", ""},
		{`SET(a[2]=2,a[0]=0,a[1]=1,a[2]=3) ASSERT(a[0]+a[1]+a[2] == 4 && INARRAY(3,a)) ASSERT(!INARRAY(2,a))`, "", ""},
	}},
	{"STRLEN: the length of str", []vector{
		{`REGEX("[a-z]*",s) ASSERT(STRLEN(s) == 3)`, "abc", ""},
		{`ASSERT(STRLEN("") == 0)`, "", ""},
		{`ASSERT(STRLEN(5) == 1)`, "", `!g.ctd:1:15: expected a string, found an integer: 5`},
	}},
	{"SPACE and NEWLINE match a single space or newline", []vector{
		{`SPACE NEWLINE`, " \n", ""},
		{`SPACE`, "\t", `1:1: a tab want a space`},
		{`SPACE SPACE`, " ", `1:2: end of file want a space`},
		{`NEWLINE`, "\r\n", `1:1: a carriage return want a newline`},
		{`NEWLINE NEWLINE STRING("a") NEWLINE`, "\n\nb\n", `3:1: "b" want "a"`},
	}},
	{"EOF is implicit at the end, and no extra data may be present", []vector{
		{`INT(0,9) EOF`, "1", ""},
		{`INT(0,9) EOF`, "1\n", `1:2: a newline want end of file`},
		{`INT(0,9) NEWLINE`, "1\n\n", `2:1: a newline want end of file`},
		{`EOF SPACE`, " ", `1:1: a space want end of file`},
	}},
	{"INT matches an integer in the interval [min,max], and assigns it", []vector{
		{`INT(1,5)`, "1", ""},
		{`INT(1,5)`, "5", ""},
		{`INT(1,5)`, "6", `1:1: "6" want an integer from 1 to 5`},
		{`INT(1,5)`, "0", `1:1: "0" want an integer from 1 to 5`},
		{`INT(-5,5)`, "-5", ""},
		{`INT(-5,5)`, "-", `1:1: "-" want an integer from -5 to 5`},
		{`INT(-5,5)`, "+1", `1:1: "+1" want an integer`},
		{`INT(-5,5)`, "-0", `1:1: "-0" want an integer from -5 to 5 without a minus or zeros before 0`},
		{`INT(-5,5)`, "01", `1:1: "01" want an integer from -5 to 5 without a minus or zeros before 0`},
		{`INT(-5,5)`, "-01", `1:1: "-01"`},
		{`INT(1,5)`, "", `1:1: end of file`},
		{`INT(1,5)`, "1.0", `1:2: ".0" want end of file`},
		{`INT(1,99) SPACE INT(1,5)`, "12 a", `1:4: "a"`},
		{`INT(1,9,n) SPACE INT(1,n,n) ASSERT(n == 3)`, "4 3", ""},
		{`INT(1,2.0)`, "1", `!g.ctd:1:7: expected an integer, found a float: 2.0`},
		{`INT(1)`, "1", `!g.ctd:1:6: expected ",", found ")"`},
		{`INT 1`, "1", `!g.ctd:1:5: expected "(", found "1"`},
		{`INT(1,2,3)`, "1", `!g.ctd:1:9: expected a variable, found "3"`},
		{`INT(0,10)`, strings.Repeat("9", 100_000), `1:1: "` + strings.Repeat("9", 37) + `..." want an integer from 0 to 10`},
	}},
	{"FLOAT matches a float in the range [min,max], and assigns it", []vector{
		{`FLOAT(0,1)`, "0.5", ""},
		{`FLOAT(0,1)`, "1", ""},
		{`FLOAT(0,1)`, "1.0000000000000000000000000000000000000001", `1:1: "1.00000000000000000000000000000000000..." want a float from 0 to 1`},
		{`FLOAT(0.5,1e3)`, "1e3", ""},
		{`FLOAT(-1,1)`, "-0.0", ""},
		{`FLOAT(-1,1)`, "-5E-1", ""},
		{`FLOAT(0,99,x) ASSERT(x == 12.5)`, "1.25e+1", ""},
		{`FLOAT(0,9)`, ".5", `1:1: ".5" want a float from 0 to 9`},
		{`FLOAT(0,9) STRING(".")`, "5.", ""},
		{`FLOAT(0,9) STRING("em")`, "5em", ""},
		{`FLOAT(0,9)`, "nan", `1:1: "nan"`},
		{`FLOAT(0,9)`, "00.5", `1:1: "00.5" want a float from 0 to 9 without zeros before it`},
		{`FLOAT(0,9)`, "1e-01", `1:1: "1e-01" want a float from 0 to 9 without zeros before its exponent`},
		{`FLOAT(0,9)`, "1e-0", ""},
		{`FLOAT(0,9)`, "1e999999999999", `1:1: "1e999999999999" want a float from 0 to 9 of at most 20000 digits, its exponent no larger than that`},
		{`FLOAT("a",9)`, "1", `!g.ctd:1:7: expected a number, found a string: "a"`},
	}},
	{"with FIXED or SCIENTIFIC, only floats in that notation", []vector{
		{`FLOAT(0,9,x,FIXED)`, "2.5", ""},
		{`FLOAT(0,9,x,FIXED)`, "2.5e0", `1:4: "e0" want end of file`},
		{`FLOAT(0,9,x,SCIENTIFIC)`, "2.5e0", ""},
		{`FLOAT(0,9,x,SCIENTIFIC)`, "2.5", `1:1: "2.5" want a float with an exponent from 0 to 9`},
		{`FLOAT(0,9,x,HEX)`, "", `!g.ctd:1:13: expected FIXED or SCIENTIFIC, found "HEX"`},
		{`FLOAT(0,9,FIXED)`, "", `!g.ctd:1:11: expected a variable, found "FIXED"`},
	}},
	{"FLOATP: decimals in [mindecimals,maxdecimals]; one nonzero digit before the point if scientific", []vector{
		{`FLOATP(0,9,1,3)`, "1.5", ""},
		{`FLOATP(0,9,1,3)`, "1.5000", `1:1: "1.5000" want a float from 0 to 9 with 1 to 3 decimals`},
		{`FLOATP(0,9,1,3)`, "1", `1:1: "1"`},
		{`FLOATP(0,9,0,3)`, "1", ""},
		{`FLOATP(0,99,1,3,x)`, "1.5e1", ""},
		{`FLOATP(0,99,1,3)`, "15.0e0", `1:1: "15.0e0" want a float from 0 to 99 with one digit, not 0, before its point`},
		{`FLOATP(0,99,1,3)`, "0.5e1", `1:1: "0.5e1" want a float from 0 to 99 with one digit`},
		{`FLOATP(0,9,2,2,x,FIXED) ASSERT(x == 1.25)`, "1.25", ""},
		{`FLOATP(0,9,-1,2)`, "1", `!g.ctd:1:12: expected 0 to 2^31-1 decimals, found -1`},
		{`FLOATP(0,9,2,1)`, "1", `!g.ctd:1:12: at least 2 decimals, and at most 1`},
	}},
	{"STRING matches the string (variable)", []vector{
		{`STRING("hello")`, "hello", ""},
		{`STRING("hello")`, "help", `1:4: "p" want "lo"`},
		{`STRING("hello")`, "hel", `1:4: end of file want "lo"`},
		{`STRING("a\nb")`, "a\nc", `2:1: "c" want "b"`},
		{`REGEX("[a-z]+",s) SPACE STRING(s)`, "ab ab", ""},
		{`STRING(5)`, "5", `!g.ctd:1:8: expected a string, found an integer: 5`},
	}},
	{"REGEX matches greedily, and assigns", []vector{
		{`REGEX("a*",s) ASSERT(STRLEN(s) == 2) STRING("b")`, "aab", ""},
		{`REGEX("[a-z]{2,3}")`, "abcd", `1:4: "d" want end of file`},
		{`REGEX("[a-z]+")`, "7", `1:1: "7" want a match of "[a-z]+"`},
		{`REGEX("a+b")`, "xab", `1:1: "xab"`},
		{`SET(r="[0-9]") REGEX(r) REGEX(r)`, "42", ""},
		{`REGEX(r,r)`, "", `!g.ctd:1:7: r is not set`},
		{`REGEX(1)`, "", `!g.ctd:1:7: expected a string, found an integer: 1`},
		{`REGEX("(")`, "", `!g.ctd:1:7: regular expression "(": a ( without its )`},
		{`REGEX("[(]",r) REGEX(r)`, "(", `!g.ctd:1:22: regular expression "(": a ( without its )`},
	}},
	{"ASSERT: fail unless the condition is true", []vector{
		{`INT(0,9,n) ASSERT(n % 2 == 0)`, "4", ""},
		{`INT(0,9,n) ASSERT(n % 2 == 0)`, "3", `1:2: 1 == 0 want n % 2 == 0`},
	}},
	{"SET assigns; UNSET forgets all values, with indices too", []vector{
		{`SET(a=1, b=a+1) ASSERT(b == 2)`, "", ""},
		{`SET(a[0]=1,a[1]=2,a=3) UNSET(a) SET(a[1]=5) ASSERT(a[0] == 1)`, "", `!g.ctd:1:52: a[0] is not set`},
		{`SET(a=1,b=1) UNSET(a,b) ASSERT(b == 1)`, "", `!g.ctd:1:32: b is not set`},
		{`SET(a)`, "", `!g.ctd:1:6: expected "=", found ")"`},
		{`UNSET(a[0])`, "", `!g.ctd:1:8: expected ")", found "["`},
	}},
	{"REP: count times, with the separator count-1 times between", []vector{
		{`REP(3,SPACE) INT(0,9) END`, "1 2 3", ""},
		{`REP(3,SPACE) INT(0,9) END`, "1 2 ", `1:5: end of file want an integer`},
		{`REP(3,SPACE) INT(0,9) END`, "1 2 3 ", `1:6: a space want end of file`},
		{`REP(0,SPACE) INT(0,9) END`, "", ""},
		{`REP(2) REP(2) STRING("a") END NEWLINE END`, "aa\naa\n", ""},
		{`REP(2,STRING(", ")) STRING("a") END`, "a, a", ""},
		{`REP(2^32-1) INT(0,9) NEWLINE END`, "1\n", `2:1: end of file`},
		{`REP(2^32) END`, "", `!g.ctd:1:5: expected 0 to 2^32-1 rounds, found 4294967296`},
		{`REP(-1) END`, "", `!g.ctd:1:5: expected 0 to 2^32-1 rounds, found -1`},
		{`REP(1.0) END`, "", `!g.ctd:1:5: expected an integer, found a float: 1.0`},
		{`REP(2) SPACE`, "", `!g.ctd:1:13: expected the END of REP, found the end of the file`},
		{`REP(2,REP(1)) END`, "", `!g.ctd:1:7: expected a command that needs no END, found "REP"`},
		{`END`, "", `!g.ctd:1:1: "END" without what it ends`},
	}},
	{"REPI stores the iteration, counting from zero; at the end, the number of iterations", []vector{
		{`REPI(i,3,SPACE) INT(i,i) END ASSERT(i == 3)`, "0 1 2", ""},
		{`REPI(i,0) END ASSERT(i == 0)`, "", ""},
		{`REPI(i,3) SET(i=7) END ASSERT(i == 3)`, "", ""},
		{`REPI(3) END`, "", `!g.ctd:1:6: expected a variable, found "3"`},
	}},
	{"WHILE: as long as the condition is true, with the separator between two iterations", []vector{
		{`WHILE(MATCH("ab"),SPACE) REGEX("a|b") END`, "a", ""},
		{`SET(n=0) WHILE(n<3,SPACE) INT(0,9) SET(n=n+1) END`, "1 2 3", ""},
		{`SET(n=0) WHILE(n<3,SPACE) INT(0,9) SET(n=n+1) END`, "1 2", `1:4: end of file want a space`},
		{`WHILE(1) END`, "", `!g.ctd:1:7: expected a test, found an expression: 1`},
	}},
	{"WHILEI stores the iteration, which the condition sees", []vector{
		{`WHILEI(i,i<3,SPACE) INT(i,i) END ASSERT(i == 3)`, "0 1 2", ""},
		{`WHILEI(i,!ISEOF) REGEX("[^\n]*",line[i]) NEWLINE END ASSERT(UNIQUE(line))`, "a\nb\n\n", ""},
	}},
	{"IF: the first commands if the condition is true, the others if not", []vector{
		{`IF(MATCH("a")) STRING("a") ELSE STRING("b") END`, "a", ""},
		{`IF(MATCH("a")) STRING("a") ELSE STRING("b") END`, "b", ""},
		{`IF(MATCH("a")) STRING("a") ELSE STRING("b") END`, "c", `1:1: "c" want "b"`},
		{`IF(ISEOF) ELSE IF(MATCH("a")) STRING("a") END END`, "a", ""},
		{`IF(!ISEOF) SPACE END`, "", ""},
		{`IF(ISEOF) ELSE ELSE END`, "", `!g.ctd:1:16: expected the END of IF, found "ELSE"`},
		{`REP(1) ELSE END`, "", `!g.ctd:1:8: expected the END of REP, found "ELSE"`},
	}},
}

func outcome(t *testing.T, v vector, o Options) string {
	return within(t, v, o, maxSteps, maxMemory)
}

func within(t *testing.T, v vector, o Options, steps, memory int) string {
	g, err := Parse("g.ctd", []byte(v.grammar))
	if err == nil {
		err = g.check(t.Context(), []byte(v.input), o, steps, memory)
	}
	var m *Mismatch
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &m):
		return fmt.Sprintf("%d:%d: %s want %s", m.Line, m.Column, m.Found, m.Expected)
	case errors.As(err, &e):
		return "!" + err.Error()
	}
	t.Fatalf("%s: %v is not an error of this package", v.grammar, err)
	return ""
}

func TestLanguage(t *testing.T) {
	for _, group := range vectors {
		t.Run(strings.ReplaceAll(group.sentence, "/", "|"), func(t *testing.T) {
			for _, v := range group.facts {
				got := outcome(t, v, Options{})
				// A vector may omit the end of a mismatch.
				if got != v.want && (v.want == "" || v.want[0] == '!' || !strings.HasPrefix(got, v.want)) {
					t.Errorf("%s on %.60q: got %q, expected %q", v.grammar, v.input, got, v.want)
				}
			}
		})
	}
}

func TestWhitespaceOK(t *testing.T) {
	for _, v := range []vector{
		{`INT(0,9) SPACE INT(0,9) NEWLINE`, "1 \t 2\n", ""},
		{`INT(0,9) SPACE INT(0,9) NEWLINE`, "  1 2 \r\n  ", ""},
		{`INT(0,9) SPACE INT(0,9) NEWLINE`, "1,2\n", `1:2: ",2" want white space`},
		{`INT(0,9) NEWLINE NEWLINE`, "1\n", `2:1: end of file want a newline`},
		{`INT(1,2) SPACE SPACE INT(1,2)`, "1  2", `1:4: "2" want white space`},
	} {
		if got := outcome(t, v, Options{WhitespaceOK: true}); got != v.want {
			t.Errorf("%s on %q: got %q, expected %q", v.grammar, v.input, got, v.want)
		}
	}
}

func TestParseOptions(t *testing.T) {
	if o, err := ParseOptions([]string{"-w"}); err != nil || !o.WhitespaceOK {
		t.Errorf("-w: got %v, %v", o, err)
	}
	if _, err := ParseOptions([]string{"n=5"}); err == nil || err.Error() != `argument "n=5": unknown, expected -w or --whitespace-ok` {
		t.Errorf("n=5: got %v", err)
	}
}

func TestErrorsSayWhere(t *testing.T) {
	g, err := Parse("dir/g.ctd", []byte("INT(0,9)\n  NEWLINE\n"))
	if err != nil {
		t.Fatal(err)
	}
	got, want := g.Check(t.Context(), []byte("5 "), Options{}), `line 1, column 2: expected a newline, found a space (dir/g.ctd:2:3)`
	if got == nil || got.Error() != want {
		t.Errorf("got %v, expected %s", got, want)
	}
	_, err = Parse("dir/g.ctd", []byte("SPACE\n  INT(0)"))
	if want := `dir/g.ctd:2:8: expected ",", found ")"`; err == nil || err.Error() != want {
		t.Errorf("got %v, expected %s", err, want)
	}
}

func BenchmarkCheck(b *testing.B) {
	g, err := Parse("g.ctd", []byte(`INT(1,10^6,n) NEWLINE REPI(i,n,SPACE) INT(1,n,a[i]) END NEWLINE ASSERT(UNIQUE(a))`))
	if err != nil {
		b.Fatal(err)
	}
	const n = 100_000
	in := fmt.Appendf(nil, "%d\n", n)
	for i := range n {
		in = fmt.Appendf(in, "%d ", i+1)
	}
	in[len(in)-1] = '\n'
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		if err := g.Check(b.Context(), in, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
