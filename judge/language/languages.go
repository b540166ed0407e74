package language

import (
	"os"
	"regexp"
	"slices"
	"strings"

	"crucible/judge/internal/lazy"
)

// sanitizer are the flags of GCC and Clang for a program that ends at the first error.
var sanitizer = []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g"}

// Flags of Static. Programs of a megabyte or two become half as large without their symbols, which
// nothing needs. In glibc before 2.34, the C++ library uses threads only if the program
// has all of libpthread.
var (
	static    = []string{"-static", "-s"}
	cppStatic = []string{"-static", "-s", "-Wl,--whole-archive", "-lpthread", "-Wl,--no-whole-archive"}
	// Options for the binder and the linker end at -margs.
	adaStatic     = []string{"-bargs", "-static", "-largs", "-static", "-s", "-margs"}
	haskellStatic = []string{"-optl-static", "-optl-pthread", "-optl-s"}
)

// cppHeaders are the headers with which most sources start. Precompiled ones save 0.65
// and 0.35 of the time of the compiler.
var cppHeaders = []string{"bits/stdc++.h", "iostream"}

// macro and property define ONLINE_JUDGE, see [Language.ForSubmissions].
var (
	macro    = []string{"-DONLINE_JUDGE"}
	property = []string{"-DONLINE_JUDGE=true"}
)

// Builtin is the table of languages that this judge knows without a languages.yaml.
var Builtin Table

// builtin are the languages of [Builtin], in the order in which judge lang prints them.
// Codes, extensions and default entry points are those of the package format
// (appendix "Languages"). If the format names no entry point and the language needs
// one, the entry point is a file called main. The flags follow those of large
// judges: optimisation, a current standard, and no code for a specific processor, so
// that times on different machines are comparable.
var builtin = []Language{
	{
		Code: "c", Name: "C", Exts: []string{".c"}, Debian: "gcc libc6-dev",
		Compilers: []string{"gcc", "clang", "cc"}, Version: []string{"--version"},
		Flags: []string{"-O2", "-std=gnu17"}, Static: static, Define: macro, Sanitizer: sanitizer,
		Compile: []string{"{compiler}", "{flags}", "-o", "{bin}", "{files}", "-lm"},
		Hello:   "#include <stdio.h>\nint main(void) { puts(\"hello\"); }\n",
		Empty:   "int main(void) { return 0; }\n",
	},
	{
		Code: "cgmp", Name: "C with GMP", Shared: []string{".c"}, Debian: "gcc libc6-dev libgmp-dev",
		Compilers: []string{"gcc", "clang", "cc"}, Version: []string{"--version"},
		Library: []string{"-fsyntax-only", "-x", "c", "-include", "gmp.h", os.DevNull},
		Flags:   []string{"-O2", "-std=gnu17"}, Static: static, Define: macro, Sanitizer: sanitizer,
		Compile: []string{"{compiler}", "{flags}", "-o", "{bin}", "{files}", "-lgmp", "-lm"},
		Hello:   "#include <stdio.h>\n#include <gmp.h>\nint main(void) { mpz_t n; mpz_init(n); puts(\"hello\"); }\n",
	},
	{
		Code: "cpp", Name: "C++", Exts: []string{".cc", ".cpp", ".cxx", ".c++", ".C"}, Debian: "g++",
		Compilers: []string{"g++", "clang++", "c++"}, Version: []string{"--version"},
		Flags: []string{"-O2", "-std=gnu++20"}, Static: cppStatic, Define: macro, Headers: cppHeaders, Sanitizer: sanitizer,
		Compile: []string{"{compiler}", "{flags}", "-o", "{bin}", "{files}"},
		Hello:   "#include <iostream>\nint main() { std::cout << \"hello\\n\"; }\n",
		Empty:   "#include <iostream>\nint main() {}\n",
	},
	{
		Code: "cppgmp", Name: "C++ with GMP", Shared: []string{".cc", ".cpp", ".cxx", ".c++", ".C"}, Debian: "g++ libgmp-dev",
		Compilers: []string{"g++", "clang++", "c++"}, Version: []string{"--version"},
		Library: []string{"-fsyntax-only", "-x", "c++", "-include", "gmpxx.h", os.DevNull},
		Flags:   []string{"-O2", "-std=gnu++20"}, Static: cppStatic, Define: macro, Headers: cppHeaders, Sanitizer: sanitizer,
		Compile: []string{"{compiler}", "{flags}", "-o", "{bin}", "{files}", "-lgmpxx", "-lgmp"},
		Hello:   "#include <iostream>\n#include <gmpxx.h>\nint main() { mpz_class n; std::cout << \"hello\\n\"; }\n",
	},
	{
		Code: "go", Name: "Go", Exts: []string{".go"}, Module: true,
		Compilers: []string{"go"}, Version: []string{"version"}, Prefix: []string{"env", "GOROOT"},
		// {package} is the file if there is only one, because a build constraint cannot
		// exclude a file that is named; several files are built as a package. -s omits
		// debug information, which saves a quarter of the build time; traces of panics
		// are the same. -trimpath of go build would need a library of its own: paths are
		// trimmed only in the submission.
		Compile: []string{"{compiler}", "build", "-gcflags=./...=-trimpath={dir}/src=>.",
			"-asmflags=./...=-trimpath={dir}/src=>.", "-ldflags=-s", "-o", "{bin}", "{package}"},
		Env: []string{
			"CGO_ENABLED=0", "GOPROXY=off", "GOENV=off", "GOFLAGS=", "GOWORK=off", "GO111MODULE=on",
			"GOTOOLCHAIN=local", "GOCACHE={cache}/go-build", "GOPATH={cache}/gopath",
			// The index of the library would be written to GOCACHE, which is read-only.
			"GODEBUG=goindex=0",
			// No folder, so go does not start a process that counts its use.
			"XDG_CONFIG_HOME=none",
		},
		Hello: "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n",
		Empty: "package main\n\nfunc main() {}\n",
	},
	{
		Code: "python3", Name: "Python 3", Exts: []string{".py", ".py3"}, Entry: []string{"main.py", "__main__.py"},
		Debian:   "python3",
		Runtimes: []string{"python3"}, Version: []string{"--version"}, Real: pythonReal, Prefix: pythonPrefix,
		Compile: pythonCompile("-S", ""),
		Run:     pythonRun, ProgramEnv: pythonEnv, Support: pythonSupport,
		Hello: "print(\"hello\")\n",
		Empty: "pass\n",
	},
	{
		Code: "python3numpy", Name: "Python 3 with NumPy", Shared: []string{".py", ".py3"},
		Entry: []string{"main.py", "__main__.py"}, Debian: "python3-numpy",
		// The system's Python may have NumPy when that of a version manager does not.
		// -s ignores packages in the home folder, which does not exist in a box.
		Runtimes: []string{"python3", "/usr/bin/python3"}, Library: []string{"-s", "-c", "import numpy"},
		Version: []string{"--version"}, Real: pythonReal, Prefix: pythonPrefix,
		Compile: pythonCompile("-s", "numpy"),
		Run:     pythonRun, ProgramEnv: pythonEnv, Support: pythonSupport,
		Hello: "import numpy\nprint(\"hello\")\n",
	},
	{
		Code: "python2", Name: "Python 2", Exts: []string{".py2"}, Shared: []string{".py"}, FirstLine: `^#!.*python2\b`,
		Entry:    []string{"main.py2", "main.py"},
		Runtimes: []string{"python2", "pypy"}, Version: []string{"--version"}, Real: pythonReal, Prefix: pythonPrefix,
		Compile: pythonCompile("-s", ""),
		Run:     pythonRun, ProgramEnv: pythonEnv, Support: pythonSupport,
		Hello: "print \"hello\"\n",
	},
	{
		Code: "java", Name: "Java", Exts: []string{".java"}, Entry: []string{"Main.java"}, Called: javaName, NoMark: true,
		Debian:    "default-jdk-headless",
		Compilers: []string{"javac"}, Runtimes: []string{"java"}, Version: []string{"-version"},
		// No annotation processors, because the compiler would run them as programs. No
		// file of performance data, because it is not read. No second optimizer, because
		// the compiler runs too briefly to gain from it.
		Compile: []string{"{compiler}", "{flags}", "-proc:none", "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData",
			"-J-XX:TieredStopAtLevel=1", "-d", "../bin", "{files}"},
		Flags: []string{"-encoding", "UTF-8"},
		Run:   jvm("{dir}/bin"), DefineRun: property,
		Hello:   "public class Main { public static void main(String[] a) { System.out.println(\"hello\"); } }\n",
		Empty:   "public class Main { public static void main(String[] a) {} }\n",
		Typical: javaTypical,
	},
	{
		Code: "kotlin", Name: "Kotlin", Exts: []string{".kt"}, Entry: []string{"Main.kt", "main.kt"},
		Debian:    "kotlin default-jre-headless",
		Compilers: []string{"kotlinc"}, Runtimes: []string{"java"}, Version: []string{"-version"}, Env: jvmCompiler,
		// The program includes Kotlin's library, so the library need not be found at run
		// time.
		Flags:   []string{"-nowarn"},
		Compile: []string{"{compiler}", "{flags}", "-include-runtime", "-d", "../bin/program.jar", "{files}"},
		Run:     jvm("{dir}/bin/program.jar"), DefineRun: property,
		Hello: "fun main() { println(\"hello\") }\n",
		Empty: "fun main() {}\n",
	},
	{
		Code: "scala", Name: "Scala", Exts: []string{".scala"}, Entry: []string{"Main.scala", "main.scala"}, NoMark: true,
		Debian:    "scala default-jre-headless",
		Compilers: []string{"scalac"}, Runtimes: []string{"java"}, Version: []string{"-version"}, Env: jvmCompiler,
		Flags:   []string{"-encoding", "UTF-8"},
		Compile: []string{"{compiler}", "{flags}", "-d", "../bin", "{files}"},
		Run:     jvm("{dir}/bin" + string(os.PathListSeparator) + "{home}/lib/*"), DefineRun: property,
		Hello: "object Main { def main(a: Array[String]): Unit = println(\"hello\") }\n",
		Empty: "object Main { def main(a: Array[String]): Unit = () }\n",
	},
	{
		Code: "rust", Name: "Rust", Exts: []string{".rs"}, Entry: []string{"main.rs"}, Debian: "rustc",
		Compilers: []string{"rustc"}, Version: []string{"--version"},
		Real: []string{"--print", "sysroot"}, RealTail: "/bin/rustc", Prefix: []string{"--print", "sysroot"},
		Flags: []string{"-O", "--edition", "2021"}, Define: []string{"--cfg", "ONLINE_JUDGE"},
		Compile: []string{"{compiler}", "{flags}", "--crate-name", "main", "-o", "{bin}", "{entry}"},
		Hello:   "fn main() { println!(\"hello\"); }\n",
		Empty:   "fn main() {}\n",
	},
	{
		Code: "javascript", Name: "JavaScript", Exts: []string{".js"}, Elsewhere: []string{".mjs"},
		Entry: []string{"main.js"}, Debian: "nodejs",
		Runtimes: []string{"node", "nodejs"}, Version: []string{"--version"},
		Compile: []string{"{runtime}", "--check", "{entry}"},
		// Without a heap size, Node derives one from the machine's memory and collects
		// garbage too late. Node opens 20 files, and 4 more for each worker thread.
		Run:       []string{"{runtime}", "--max-old-space-size={heap}", "{entry}"},
		OpenFiles: 1024,
		Hello:     "console.log(\"hello\");\n",
		Empty:     "(() => {})();\n",
	},
	{
		Code: "typescript", Name: "TypeScript", Exts: []string{".ts"}, Entry: []string{"main.ts"},
		Debian:    "node-typescript nodejs",
		Compilers: []string{"tsc"}, Runtimes: []string{"node", "nodejs"}, Version: []string{"--version"},
		Compile:   []string{"sh", "-c", typescriptCompile, "{compiler}", "{home}/../@types", "{files}"},
		Run:       []string{"{runtime}", "--max-old-space-size={heap}", "{dir}/bin/{stem}.js"},
		OpenFiles: 1024,
		Hello:     "const text: string = \"hello\";\nconsole.log(text);\n",
		Empty:     "const nothing: number = 0;\n",
	},
	{
		Code: "csharp", Name: "C#", Exts: []string{".cs"},
		Debian:    "mono-mcs mono-runtime libmono-system-core4.0-cil libmono-system-numerics4.0-cil",
		Compilers: []string{"mcs"}, Runtimes: []string{"mono"}, Version: []string{"--version"},
		Flags: []string{"-optimize+"}, Define: []string{"-d:ONLINE_JUDGE"},
		Compile: []string{"{compiler}", "{flags}", "-r:System.Numerics", "-out:../bin/program.exe", "{files}"},
		Run:     []string{"{runtime}", "{dir}/bin/program.exe"},
		Hello:   "class Hello { static void Main() { System.Console.WriteLine(\"hello\"); } }\n",
		Empty:   "class Empty { static void Main() {} }\n",
	},
	{
		Code: "haskell", Name: "Haskell", Exts: []string{".hs"}, Debian: "ghc",
		Compilers: []string{"ghc"}, Version: []string{"--version"}, Reads: []string{"/var/lib/ghc"},
		// The module Main may be in any of the files.
		Flags: []string{"-O2"}, Static: haskellStatic, Define: macro,
		Compile: []string{"{compiler}", "{flags}", "-v0", "-rtsopts", "-package-env", "-", "-outputdir", "../tmp", "-o",
			"{bin}", "{files}"},
		// Near this limit, the garbage collector compacts memory instead of copying it.
		Run:   []string{"{bin}", "+RTS", "-M{heap}m", "-RTS"},
		Hello: "main :: IO ()\nmain = putStrLn \"hello\"\n",
		Empty: "main :: IO ()\nmain = return ()\n",
	},
	{
		Code: "ocaml", Name: "OCaml", Exts: []string{".ml"}, Debian: "ocaml",
		Compilers: []string{"ocamlopt"}, Version: []string{"-v"},
		Compile: []string{"sh", "-c", ocamlCompile, "{compiler}", "{bin}", "{files}"}, Beside: true,
		Hello: "let () = print_endline \"hello\"\n",
	},
	{
		Code: "pascal", Name: "Pascal", Exts: []string{".pas"}, Entry: []string{"main.pas"},
		Debian:    "fp-compiler fp-units-rtl",
		Compilers: []string{"fpc"}, Version: []string{"-iV"},
		// The compiler finds units in the folder of the program.
		Flags: []string{"-O2", "-Sg"}, Define: []string{"-dONLINE_JUDGE"},
		Compile: []string{"{compiler}", "{flags}", "-XS", "-l-", "-v0ew", "-FU{dir}/tmp", "-FE{dir}/tmp", "-o{bin}",
			"{entry}"},
		Hello: "begin\n  writeln('hello');\nend.\n",
	},
	{
		Code: "d", Name: "D", Exts: []string{".d"}, Debian: "ldc",
		// ldmd2 accepts the options of dmd.
		Compilers: []string{"ldmd2", "dmd"}, Version: []string{"--version"},
		Reads: []string{"/etc/ldc2.conf", "/etc/ldc2", "/etc/dmd.conf"},
		Flags: []string{"-O", "-release", "-inline"}, Define: []string{"-version=ONLINE_JUDGE"},
		Compile: []string{"{compiler}", "{flags}", "-od={dir}/tmp", "-of={bin}", "{files}"},
		Hello:   "import std.stdio;\nvoid main() { writeln(\"hello\"); }\n",
	},
	{
		Code: "ada", Name: "Ada", Exts: []string{".adb", ".ads"}, Entry: []string{"main.adb"}, Called: adaFile,
		Debian:    "gnat",
		Compilers: []string{"gnatmake"}, Version: []string{"--version"},
		// The compiler finds the other units in the same folder by their names.
		Flags: []string{"-O2", "-gnat2012"}, Static: adaStatic,
		Compile: []string{"{compiler}", "-q", "{flags}", "-D", "{dir}/tmp", "-o", "{bin}", "{entry}"}, Beside: true,
		Hello: "with Ada.Text_IO;\nprocedure Main is\nbegin\n   Ada.Text_IO.Put_Line (\"hello\");\nend Main;\n",
	},
	{
		Code: "fortran", Name: "Fortran", Exts: []string{".f90"}, Elsewhere: []string{".f95"}, Debian: "gfortran",
		Compilers: []string{"gfortran"}, Version: []string{"--version"},
		// The files are compiled in the order of their names. A module must come before
		// the files that use it.
		Flags: []string{"-O2"}, Static: static,
		Compile: []string{"{compiler}", "{flags}", "-J{dir}/tmp", "-o", "{bin}", "{files}"},
		Hello:   "print '(a)', 'hello'\nend\n",
	},
	{
		Code: "objectivec", Name: "Objective-C", Exts: []string{".m"}, Debian: "gobjc libgnustep-base-dev",
		Compilers: []string{"gcc"}, Version: []string{"--version"},
		Library: append(slices.Clone(gnustep), "-fsyntax-only", "-x", "objective-c", "-include", "Foundation/Foundation.h",
			os.DevNull),
		Flags: []string{"-O2", "-std=gnu17"}, Define: macro,
		Compile: slices.Concat([]string{"{compiler}", "{flags}"}, gnustep,
			[]string{"-o", "{bin}", "{files}", "-lgnustep-base", "-lobjc", "-lm"}),
		Hello: "#import <Foundation/Foundation.h>\nint main(void) { puts([@\"hello\" UTF8String]); return 0; }\n",
	},
	{
		Code: "nim", Name: "Nim", Exts: []string{".nim"}, Entry: []string{"main.nim"}, Called: always("main"), Debian: "nim",
		Compilers: []string{"nim"}, Version: []string{"--version"},
		Flags: []string{"-d:release"},
		Compile: []string{"{compiler}", "c", "{flags}", "--hints:off", "--skipUserCfg", "--skipParentCfg", "--skipProjCfg",
			"--nimcache:{dir}/tmp/nim", "-o:{bin}", "{entry}"},
		Hello: "echo \"hello\"\n",
	},
	{
		Code: "swift", Name: "Swift", Exts: []string{".swift"},
		Compilers: []string{"swiftc"}, Version: []string{"--version"},
		// In a program of several files, only main.swift may have top-level statements.
		Flags: []string{"-O"}, Define: macro,
		Compile: []string{"{compiler}", "{flags}", "-module-cache-path", "{dir}/tmp", "-o", "{bin}", "{files}"},
		Hello:   "print(\"hello\")\n",
	},
	{
		Code: "dart", Name: "Dart", Exts: []string{".dart"}, Entry: []string{"main.dart"},
		Compilers: []string{"dart"}, Version: []string{"--version"},
		Compile: []string{"{compiler}", "compile", "exe", "-o", "{bin}", "{entry}"},
		Hello:   "void main() {\n  print('hello');\n}\n",
	},
	{
		Code: "ruby", Name: "Ruby", Exts: []string{".rb"}, Entry: []string{"main.rb"}, Debian: "ruby",
		Runtimes: []string{"ruby"}, Version: []string{"--version"},
		Compile: []string{"{runtime}", "-e", "ARGV.each { |name| RubyVM::InstructionSequence.compile_file(name) }",
			"{files}"},
		Run:   []string{"{runtime}", "{entry}"},
		Hello: "puts \"hello\"\n",
	},
	{
		Code: "perl", Name: "Perl", Exts: []string{".pm"}, Shared: []string{".pl"}, FirstLine: `^#!.*\bperl\b`,
		Entry: []string{"main.pl", "main.pm"}, Debian: "perl",
		Runtimes: []string{"perl"}, Version: []string{"--version"},
		Compile: []string{"{runtime}", "-I.", "-c", "{entry}"},
		Run:     []string{"{runtime}", "-I.", "{entry}"},
		Hello:   "print \"hello\\n\";\n",
	},
	{
		Code: "php", Name: "PHP", Exts: []string{".php"}, Entry: []string{"main.php"}, Debian: "php-cli",
		Runtimes: []string{"php"}, Version: []string{"--version"},
		Compile: []string{"{runtime}", "-d", "display_errors=stderr", "-d", "html_errors=0", "-l", "{entry}"},
		Run: []string{"{runtime}", "-d", "display_errors=stderr", "-d", "html_errors=0", "-d", "memory_limit={heap}M",
			"-f", "{entry}", "--"},
		Hello: "<?php\necho \"hello\\n\";\n",
	},
	{
		Code: "lua", Name: "Lua", Exts: []string{".lua"}, Entry: []string{"main.lua"}, Debian: "lua5.4",
		Runtimes: []string{"lua5.4", "lua54", "lua"}, Version: []string{"-v"},
		Compile: []string{"{runtime}", "-e",
			`local chunk, why = loadfile("{entry}") if not chunk then io.stderr:write(why, "\n") os.exit(1) end`},
		Run:   []string{"{runtime}", "{entry}"},
		Hello: "print(\"hello\")\n",
	},
	{
		Code: "prolog", Name: "Prolog", Exts: []string{".pl"}, Entry: []string{"main.pl"}, Debian: "swi-prolog-nox",
		// The program starts at the goal main.
		Compilers: []string{"swipl"}, Version: []string{"--version"},
		Compile: []string{"{compiler}", "-O", "-q", "-g", "main", "-t", "halt", "-o", "{bin}", "-c", "{entry}"},
		Hello:   "main :- write(hello), nl.\n",
	},
	{
		Code: "lisp", Name: "Common Lisp", Exts: []string{".lisp", ".cl"}, Entry: []string{"main.lisp", "main.cl"},
		Debian:   "sbcl",
		Runtimes: []string{"sbcl"}, Version: []string{"--version"},
		Compile: []string{"{runtime}", "--noinform", "--non-interactive", "--no-sysinit", "--no-userinit", "--eval",
			lispCompile, "--end-toplevel-options", "{entry}", "{dir}/bin/program.fasl"},
		Run: []string{"{runtime}", "--dynamic-space-size", "{heap}MB", "--control-stack-size", "64MB", "--script",
			"{dir}/bin/program.fasl"},
		Hello: "(write-line \"hello\")\n",
	},
	{
		Code: "erlang", Name: "Erlang", Exts: []string{".erl"}, Entry: []string{"main.erl"}, Called: erlangModule,
		Debian: "erlang-base",
		// The program starts at the function main/0 of the module.
		Runtimes: []string{"erl"}, Version: []string{"-noshell", "-eval",
			`io:format("Erlang/OTP ~s~n", [erlang:system_info(otp_release)]), halt().`},
		Compile: []string{"erlc", "-o", "../bin", "{files}"},
		Run: []string{"{runtime}", "-noshell", "-boot", "no_dot_erlang", "-pa", "{dir}/bin", "-s", "{class}", "main",
			"-s", "init", "stop"},
		Hello: "-module('Main').\n-export([main/0]).\nmain() -> io:format(\"hello~n\").\n",
	},
	{
		Code: "elixir", Name: "Elixir", Exts: []string{".ex"}, Entry: []string{"main.ex"}, Debian: "elixir",
		Runtimes: []string{"elixir"}, Version: []string{"--short-version"},
		Compile: []string{"{runtime}", "-e",
			"for name <- System.argv(), do: Code.string_to_quoted!(File.read!(name), file: name)", "--", "{files}"},
		Run:   []string{"{runtime}", "{entry}"},
		Hello: "IO.puts(\"hello\")\n",
	},
	{
		Code: "cobol", Name: "COBOL", Exts: []string{".cob"}, Entry: []string{"main.cob"}, Debian: "gnucobol3",
		Compilers: []string{"cobc"}, Version: []string{"--version"}, Reads: []string{"/etc/gnucobol"},
		Flags:   []string{"-O2", "-free"},
		Compile: []string{"{compiler}", "-x", "{flags}", "-o", "{bin}", "{files}"},
		Hello:   "identification division.\nprogram-id. hello.\nprocedure division.\n    display \"hello\".\n    stop run.\n",
	},
	{
		Code: "algol68", Name: "Algol 68", Exts: []string{".a68"}, Entry: []string{"main.a68"}, Debian: "algol68g",
		Runtimes: []string{"a68g"}, Version: []string{"--version"},
		Compile: []string{"{runtime}", "--check", "{entry}"},
		Run:     []string{"{runtime}", "{entry}"},
		Hello:   "print((\"hello\", new line))\n",
	},
	{
		Code: "forth", Name: "Forth", Exts: []string{".fth", ".4th", ".forth", ".frt"}, Shared: []string{".fs"},
		Entry: []string{"main.fth", "main.4th", "main.forth", "main.frt", "main.fs"}, Debian: "gforth",
		// Gforth executes a source word by word, so a syntax check is not possible.
		Runtimes: []string{"gforth"}, Version: []string{"--version"},
		Run:   []string{"{runtime}", "{entry}", "-e", "bye"},
		Hello: ".( hello) cr\n",
	},
	{
		Code: "julia", Name: "Julia", Exts: []string{".jl"}, Entry: []string{"main.jl"},
		Runtimes: []string{"julia"}, Version: []string{"--version"},
		Compile: []string{"{runtime}", "--startup-file=no", "-e", juliaCheck, "{files}"},
		Run:     []string{"{runtime}", "--startup-file=no", "{entry}"},
		Hello:   "println(\"hello\")\n",
	},
	{
		Code: "bash", Name: "Bash", Exts: []string{".sh"}, Elsewhere: []string{".bash"}, Entry: []string{"main.sh"},
		Debian:   "bash",
		Runtimes: []string{"bash"}, Version: []string{"--version"},
		Compile: []string{"{runtime}", "-n", "{entry}"},
		Run:     []string{"{runtime}", "{entry}"},
		Hello:   "echo hello\n",
	},
}

// javaTypical uses what programs in contests use: collections, input, and each form of
// class and of expression.
const javaTypical = `import java.io.*;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Main {
    interface Shape { default int size() { return 1; } }
    enum Kind { FIRST, SECOND }
    static class Node<T extends Comparable<T>> implements Shape, Comparable<Node<T>> {
        final T value;
        long[] sums = new long[8];
        Node(T value) { this.value = value; }
        @Override public int compareTo(Node<T> other) { return value.compareTo(other.value); }
    }
    static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringTokenizer words = new StringTokenizer("1 2");
        Map<Integer, List<Node<String>>> byKey = new TreeMap<>();
        int n = Integer.parseInt(words.nextToken());
        for (int i = 0; i < n; i++) byKey.computeIfAbsent(i % 7, k -> new ArrayList<>()).add(new Node<>("x" + i));
        PriorityQueue<int[]> queue = new PriorityQueue<>(
            (a, b) -> a[0] != b[0] ? Integer.compare(a[0], b[0]) : b[1] - a[1]);
        queue.add(new int[] {gcd(4, 6), 1});
        StringBuilder out = new StringBuilder();
        for (Map.Entry<Integer, List<Node<String>>> e : byKey.entrySet())
            out.append(e.getKey()).append(' ').append(e.getValue().get(0).value).append('\n');
        switch (Kind.values()[n % 2]) { case FIRST: out.append(1L << 3); break; default: out.append((char) ('a' + n)); }
        try { while (!queue.isEmpty() && queue.poll() != null) n++; }
        catch (RuntimeException e) { throw new IllegalStateException(e); }
        Function<Integer, Integer> twice = x -> 2 * x;
        System.out.println(out + String.format("%d %.2f", twice.apply(n), 0.5)
            + Arrays.stream(new int[] {3, 1}).sorted().boxed().map(String::valueOf).collect(Collectors.joining(",")));
    }
}
`

const juliaCheck = `for name in ARGV, part in Meta.parseall(read(name, String); filename = name).args
    if part isa Expr && part.head in (:error, :incomplete)
        println(stderr, name, ": ", part.args...)
        exit(1)
    end
end`

// lispCompile fails if the compiler produces no program, for example because the
// source cannot be read. Warnings are not failures.
const lispCompile = `(destructuring-bind (source program) (last sb-ext:*posix-argv* 2)
  (unless (compile-file (sb-ext:parse-native-namestring source) :verbose nil
                        :output-file (sb-ext:parse-native-namestring program))
    (sb-ext:exit :code 1)))`

// ocamlCompile compiles the files in the order of their dependencies.
const ocamlCompile = `bin=$1; shift
sorted=$(ocamldep -sort "$@") && exec "$0" -O3 -I +unix -I +str -o "$bin" unix.cmxa str.cmxa $sorted`

// typescriptCompile compiles with the types of Node if they are installed beside
// the compiler. Otherwise it declares the names of Node with the type any, because
// programs need them to read their input.
const typescriptCompile = `types=$1; shift
if [ -d "$types/node" ]; then
	set -- --typeRoots "$types" --types node "$@"
else
	echo 'declare var require: any, process: any, Buffer: any, __dirname: string, __filename: string;
declare module "*";' > "$TMPDIR/node.d.ts"
	set -- "$TMPDIR/node.d.ts" "$@"
fi
exec "$0" --target es2020 --module commonjs --esModuleInterop --skipLibCheck --rootDir . --outDir ../bin "$@"`

// gnustep lists the compiler options that Debian's build of Foundation requires.
var gnustep = []string{"-I/usr/include/GNUstep", "-DGNUSTEP", "-DGNUSTEP_BASE_LIBRARY=1", "-D_NATIVE_OBJC_EXCEPTIONS",
	"-fobjc-exceptions", "-fexceptions", "-fconstant-string-class=NSConstantString", "-pthread"}

// jvmCompiler is the environment of compilers that run on the Java virtual machine.
// It sets a larger heap than the 256 MiB of their scripts and disables the second
// optimizer, because the compilers run too briefly to gain from it.
var jvmCompiler = []string{"JAVA_OPTS=-Xmx1g -Xss16m -XX:+UseSerialGC -XX:-UsePerfData -XX:TieredStopAtLevel=1 " +
	"-XX:-PrintWarnings"}

// jvm returns the command that runs {class} with a class path.
func jvm(path string) []string {
	return []string{"{runtime}", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xss64m", "-Xmx{heap}m", "-Dfile.encoding=UTF-8",
		"-cp", path, "{class}"}
}

// always returns a function for [Language.Called] that always returns name. It is
// for compilers that derive an identifier from the file name, because not every file
// name is a valid identifier.
func always(name string) func(string, []byte) string {
	return func(string, []byte) string { return name }
}

var (
	adaUnit    = lazy.Regexp(`(?im)^\s*(?:procedure|function|package\s+body|package)\s+([\w.]+)`)
	erlangName = lazy.Regexp(`(?m)^\s*-\s*module\s*\(\s*'?(\w+)'?\s*\)`)
)

// capture returns what the first group of an expression matches; "" if the expression
// does not match.
func capture(expression *regexp.Regexp, text []byte) string {
	if m := expression.FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return ""
}

// adaFile returns the file name in which GNAT looks for the first unit of a source,
// or "".
func adaFile(_ string, text []byte) string {
	return strings.ReplaceAll(strings.ToLower(capture(adaUnit(), text)), ".", "-")
}

func erlangModule(_ string, text []byte) string { return capture(erlangName(), text) }
