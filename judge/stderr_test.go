package judge

import (
	"fmt"
	"strings"
	"testing"

	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// TestReasonOfACrash uses crash reports of programs in these languages, after a
// debug print.
func TestReasonOfACrash(t *testing.T) {
	known := func(line string) string { return ": " + line }
	for _, c := range []struct{ name, said, want string }{
		{"nothing", "", ""},
		{"Python", "Traceback (most recent call last):\n  File \"a.py\", line 4, in <module>\n    f(3)\n  File \"a.py\", line 3, in f\n    def f(x): return [][x]\n                     ~~^^^\nIndexError: list index out of range\n", known("IndexError: list index out of range")},
		{"Python, an exception of its own", "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nNoPath: from 1 to 2\nadvice\n", known("NoPath: from 1 to 2")},
		{"Python, the last of two exceptions", "Traceback (most recent call last):\n  File \"a.py\", line 2, in <module>\nKeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"a.py\", line 4, in <module>\nValueError: no\n", known("ValueError: no")},
		{"Python, syntax", "  File \"a.py\", line 1\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n", known("SyntaxError: invalid syntax")},
		{"Go", "panic: runtime error: index out of range [4] with length 0\n\ngoroutine 1 [running]:\nmain.main()\n\t/a.go:3 +0x3a\nexit status 2\n", known("panic: runtime error: index out of range [4] with length 0")},
		{"Go, out of stack", "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\nruntime stack:\n", known("fatal error: stack overflow")},
		{"Rust", "\nthread 'main' (1183) panicked at a.rs:1:74:\nindex out of bounds: the len is 0 but the index is 1\nnote: run with `RUST_BACKTRACE=1`\n", known("thread 'main' (1183) panicked at a.rs:1:74: index out of bounds: the len is 0 but the index is 1")},
		{"Java", "Exception in thread \"main\" java.lang.ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 0\n\tat Main.main(Main.java:1)\n", known("Exception in thread \"main\" java.lang.ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 0")},
		{"C++, an exception", "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::_M_range_check: __n (which is 1) >= this->size() (which is 0)\n", known("terminate called after throwing an instance of 'std::out_of_range' what():  vector::_M_range_check: __n (which is 1) >= this->size() (which is 0)")},
		{"C, an assertion", "ac: a.cpp:4: int main(int, char**): Assertion `c==1' failed.\n", known("ac: a.cpp:4: int main(int, char**): Assertion `c==1' failed.")},
		{"C, the heap", "free(): double free detected in tcache 2\n", known("free(): double free detected in tcache 2")},
		{"AddressSanitizer", "=====\n==1492==ERROR: AddressSanitizer: heap-use-after-free on address 0x60 at pc 0x55\nREAD of size 4\n    #0 0x55 in main\n==1492==ABORTING\n", known("==1492==ERROR: AddressSanitizer: heap-use-after-free on address 0x60 at pc 0x55")},
		{"UndefinedBehaviorSanitizer", "a.cpp:3:5: runtime error: signed integer overflow: 1 + 2147483647\n", known("a.cpp:3:5: runtime error: signed integer overflow: 1 + 2147483647")},
		{"Node.js", "/a.js:1\nnull.x;\n     ^\n\nTypeError: Cannot read properties of null (reading 'x')\n    at Object.<anonymous> (/a.js:1:30)\n\nNode.js v20.20.2\n", known("TypeError: Cannot read properties of null (reading 'x')")},
		{"C#", "Unhandled exception. System.IndexOutOfRangeException: Index was outside\n   at Program.Main()\n", known("Unhandled exception. System.IndexOutOfRangeException: Index was outside")},
		{"Ruby", "a.rb:1:in `<main>': undefined method `foo' for nil:NilClass (NoMethodError)\n\nnil.foo\n   ^^^^\n", known("a.rb:1:in `<main>': undefined method `foo' for nil:NilClass (NoMethodError)")},
		{"Lua", "lua: a.lua:1: attempt to index a nil value\nstack traceback:\n\ta.lua:1: in main chunk\n\t[C]: in ?\n", known("lua: a.lua:1: attempt to index a nil value")},
		{"Haskell", "ahs: Prelude.head: empty list\nCallStack (from HasCallStack):\n  error, called at a.hs\n", known("ahs: Prelude.head: empty list")},
		{"PHP", "PHP Fatal error:  Uncaught Error: Call to undefined function foo() in /a.php:1\nStack trace:\n#0 {main}\n  thrown in /a.php on line 1\n", known("PHP Fatal error:  Uncaught Error: Call to undefined function foo() in /a.php:1")},
		{"Perl", "oops at a.pl line 1.\n", known("oops at a.pl line 1.")},
		{"OCaml", "Fatal error: exception Failure(\"hd\")\n", known("Fatal error: exception Failure(\"hd\")")},
		{"Pascal", "Runtime error 201 at $0000000000401129\n  $0000000000401129\n", known("Runtime error 201 at $0000000000401129")},
		{"Bash", "a.sh: line 2: foo: command not found\n", known("a.sh: line 2: foo: command not found")},
		{"escapes", "panic: \x1b[2J\n", known(`panic: \x1b[2J`)},
	} {
		for _, before := range []string{"", "debug n=3\n", strings.Repeat("debug n=3\n", 2000)} {
			if c.said == "" {
				before = ""
			}
			said := &Stderr{}
			text := []byte(before + c.said)
			for b := range text {
				said.Write(text[b : b+1])
			}
			if got := afterCrash(sandbox.Outcome{Signal: 6}, said.String()); got != c.want {
				t.Errorf("%s behind %d bytes: %q, want %q", c.name, len(before), got, c.want)
			}
		}
	}
	debug := "x = 1\ndebug: n=3\n"
	if got := afterCrash(sandbox.Outcome{Signal: 11}, debug); got != "" {
		t.Errorf("a debug print is the reason of a signal: %q", got)
	}
	if got, want := afterCrash(sandbox.Outcome{Exit: 3}, debug), "; standard error ends with: debug: n=3"; got != want {
		t.Errorf("exit status 3: %q, want %q", got, want)
	}
	// Programs of a package have few debug prints, so their last line counts.
	if got, want := (&Judge{}).Reason("v", "1", &Stderr{first: []byte("checking\nwant n at most 5\n  in line 3\n")}), ": want n at most 5"; got != want {
		t.Errorf("a validator: %q, want %q", got, want)
	}
}

// TestReason uses what validators write to judgemessage.txt and to standard error before
// they end without a decision.
func TestReason(t *testing.T) {
	long := strings.Repeat("comparing a line\n", 30)
	for _, c := range []struct{ name, message, stderr, want string }{
		{"nothing", "", "", ""},
		{"blank", " \n", "\n", ""},
		{"a message", "participant has 4, jury 3\n", "", ": participant has 4, jury 3"},
		{"testlib with a file", "participant has 4, jury 3", "See file to check exit message\n", ": participant has 4, jury 3"},
		{"testlib without its file", "", "See file to check exit message\n", ": See file to check exit message"},
		{"testlib without a file", "", "FAIL participant has 4, jury 3\n", ": FAIL participant has 4, jury 3"},
		{"both the same", "no answer\n", "no answer\n", ": no answer"},
		{"standard error with more", "no answer", "FAIL no answer", ": FAIL no answer"},
		{"a message with more", "FAIL no answer in 3.ans", "no answer", ": FAIL no answer in 3.ans"},
		{"two reasons", "case 3", "no such file", ": case 3; standard error ends with: no such file"},
		{"lines", "the jury is worse:\n  jury 4\n  participant 3\n", "", ": the jury is worse: jury 4 participant 3"},
		{"a log", long + "jury 4\n", "", ": jury 4"},
		{"a crash", "case 3", "panic: index out of range\n\ngoroutine 1 [running]:\n", ": panic: index out of range"},
		{"a traceback", "case 3", "Traceback (most recent call last):\n  File \"a.py\"\nKeyError: 1\n", ": KeyError: 1"},
		{"escapes", "\x1b[2Jfine", "", `: \x1b[2Jfine`},
		{"no UTF-8", "\xff4", "", ": \uFFFD4"},
	} {
		if got := new(Judge).reason("v", "1", c.message, &Stderr{first: []byte(c.stderr)}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := new(Judge).reason("v", "1", strings.Repeat("x", 1<<20), new(Stderr)); len(got) > maxReason+10 {
		t.Errorf("a long message: %d bytes", len(got))
	}
}

func TestStderrKeepsBothEnds(t *testing.T) {
	for _, size := range []int{0, 1, 10, 20, 21, 39, 40, 41, 1000} {
		for _, chunk := range []int{1, 7, 10, 1000} {
			all := ""
			for i := 0; len(all) < size; i++ {
				all += fmt.Sprint(i % 10)
			}
			s := &Stderr{Most: 10}
			for rest := all; rest != ""; {
				n := min(chunk, len(rest))
				if wrote, err := s.Write([]byte(rest[:n])); wrote != n || err != nil {
					t.Fatalf("Write: %d, %v", wrote, err)
				}
				rest = rest[n:]
			}
			if got := int64(len(s.first)+len(s.last)) + s.dropped; got != int64(size) {
				t.Errorf("%d bytes by %d: %d are accounted for", size, chunk, got)
			}
			if !strings.HasPrefix(all, string(s.first)) || !strings.HasSuffix(all, string(s.last)) || len(s.first) < min(10, size) || size >= 20 && len(s.last) < 10 || len(s.last) > 20 {
				t.Errorf("%d bytes by %d: first %q, last %q", size, chunk, s.first, s.last)
			}
			want := all
			if size > 20 {
				want = fmt.Sprintf("%s\n[%s of standard error left out]\n%s", all[:10], terminal.Bytes(int64(size-20)), all[size-10:])
			}
			if got := s.String(); got != want {
				t.Errorf("%d bytes by %d: %q, want %q", size, chunk, got, want)
			}
		}
	}
}
