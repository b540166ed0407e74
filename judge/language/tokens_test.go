package language

import (
	"strings"
	"testing"
)

// TestJavaName states which name javac requires of a file old.java, by the rule of the
// Java Language Specification that decides it; "" if it takes any name.
func TestJavaName(t *testing.T) {
	const fake = "public class Fake {}"
	for _, row := range []struct{ rule, text, want string }{
		{"3.3 an escape in a name", `public class L\u00f6sung {}`, "Lösung"},
		{"3.3 an escape with several u", `public class \uuu0041b {}`, "Ab"},
		{"3.3 an escape in a keyword", `\u0070ublic cl\u0061ss A {}`, "A"},
		{"3.3 an escaped brace", `class B \u007b \u007D public class A {}`, "A"},
		{"3.3 an escaped line end ends a comment", "// \\u000a public class A {}", "A"},
		{"3.3 an escaped line feed in a block comment does not", "/* \\u000a " + fake + " */", ""},
		{"3.3 an escaped end of a comment", `/* \u002a\u002f public class A {}`, "A"},
		{"3.3 an escaped quote begins a string", `class B { String s = \u0022public class Fake {\u0022; } public class A {}`, "A"},
		{"3.3 after an even number of backslashes", `class B { String s = "\\u0022; } public class Fake {"; } public class A {}`, "A"},
		{"3.3 an escaped backslash escapes a quote", `class B { String s = "\u005c" } public class Fake {"; } public class A {}`, "A"},
		{"3.3 an escaped backslash begins no escape", `class B { char c = '\u005c\u0027'; String s = "{"; } public class A {}`, "A"},
		{"3.3 a pair of escapes is one letter", `public class \ud835\udc9c {}`, "𝒜"},
		{"3.4 CR ends a line", "// comment\rpublic class A {}", "A"},
		{"3.4 CR LF ends a line", "// comment\r\npublic class A {}\r\n", "A"},
		{"3.4 a line separator ends none", "// comment\u2028" + fake, ""},
		{"3.5 control-Z may be the last character", "public class A {}\x1a", "A"},
		{"3.6 a form feed is white space", "public\fclass\fA\f{}", "A"},
		{"3.7 a comment of several lines", "/*\n" + fake + "\n*/\npublic class A {}", "A"},
		{"3.7 comments do not nest", "/* /* */ public class A {}", "A"},
		{"3.7 // does nothing in a comment", "/* // */ public class A {}", "A"},
		{"3.7 /* does nothing after //", "// /*\npublic class A {} // */", "A"},
		{"3.7 a comment ends with its last star", "/***/public/**/class/* */A{}", "A"},
		{"3.7 comments between tokens", "public /* x */ class // y\n A {}", "A"},
		{"3.8 a name with letters of any script", "public class 変数 {}", "変数"},
		{"3.8 a name with $, _ and digits", "public class _$1 {}", "_$1"},
		{"3.8 a currency sign begins a name", "public class €uro {}", "€uro"},
		{"3.8 a combining mark within a name", "public class Lo\u0308sung {}", "Lo\u0308sung"},
		{"3.8 a character that is ignored in names", "public class A\u00adb {}", "Ab"},
		{"3.9 a contextual keyword as a name", "public class module {}", "module"},
		{"3.9 open and with are names", "class open {} public class with {}", "with"},
		{"3.9 record is a name of variables", "class B { int record = 1; int f(int record) { return record; } } public class A {}", "A"},
		{"3.10.4 a character may be a quote", `class B { char a = '"', b = '\'', c = '\\'; } public class A {}`, "A"},
		{"3.10.4 a character may be a brace", `class B { char a = '{', b = '\u007b'; } public class A {}`, "A"},
		{"3.10.5 a string may hold a declaration", `class B { String s = "public class Fake {"; } public class A {}`, "A"},
		{"3.10.5 a string may hold a comment", `class B { String s = "/*"; } public class A {} /* */`, "A"},
		{"3.10.6 a text block", "class B { String s = \"\"\"\npublic class Fake {\n\"\"\"; }\npublic class A {}", "A"},
		{"3.10.6 quotes in a text block", "class B { String s = \"\"\"\n\"\" \\\"\"\" \\\\ \" } public class Fake {\n\"\"\"; }\npublic class A {}", "A"},
		{"3.10.6 spaces after the opening quotes", "class B { String s = \"\"\" \t\f\n{\"\"\"; } public class A {}", "A"},
		{"6.1 names may be like keywords in capitals", "public class Class {}", "Class"},
		{"7.3 empty declarations", ";;; import java.util.*;; public class A {};", "A"},
		{"7.4.1 a package of spaced names", "package contest . day1 ; public class A {}", "A"},
		{"7.4.1 names of packages may be contextual keywords", "package record.sealed.permits; public class A {}", "A"},
		{"7.5.3 a static import", "import static java.lang.Math.*; public class A {}", "A"},
		{"7.5.1 an import of a type record", "import a.record; public class A {}", "A"},
		{"7.6 the public type among others", "class B {}\nclass C {}\npublic class A {}\nclass D {}", "A"},
		{"7.6 no public type", "class B {} class C {}", ""},
		{"7.6 the file has the name of its type", "public class old {} ", ""},
		{"7.6 a nested public type is none", "class B { public static class Fake {} }", ""},
		{"7.6 a public type of three on one line", "class B{}public class A{}class C{}", "A"},
		{"7.6 a public method is no type", "class B { public static void main(String[] a) {} } class C {}", ""},
		{"8.1.1 modifiers in any order", "abstract strictfp public class A {}", "A"},
		{"8.1.1 modifiers on lines of their own", "public\nfinal\nclass\nA\n{}", "A"},
		{"8.1.1.2 sealed", "public sealed interface A permits B {} final class B implements A {}", "A"},
		{"8.1.1.2 non-sealed", "sealed interface B permits A {} non-sealed public class A implements B {}", "A"},
		{"8.1.2 parameters of types", "public class A<T extends Comparable<? super T>> {}", "A"},
		{"8.1.6 a type that permits others", "public sealed class A permits A.B { static final class B extends A {} }", "A"},
		{"8.9 an enum with bodies", "enum B { X { void f() {} }, Y; void f() {} } public enum A {}", "A"},
		{"8.10 a record", "record B(int x) {} public record A<T>(T x, int... y) { A { } }", "A"},
		{"8.10 a record with annotated components", "public record A(@Deprecated int x) {}", "A"},
		{"9.1 an interface", "public interface A<T> extends Comparable<T> {}", "A"},
		{"9.6 an annotation interface", "public @interface A { String value() default \"{\"; }", "A"},
		{"9.6 with space after the sign", "public @ interface A {}", "A"},
		{"9.7 an annotation before the modifiers", `@SuppressWarnings("unchecked") public class A {}`, "A"},
		{"9.7 an annotation between the modifiers", `public @Deprecated(since = "1") final class A {}`, "A"},
		{"9.7 the arguments of an annotation", `@SuppressWarnings({"public class Fake {", "}"}) public class A {}`, "A"},
		{"9.7 a class literal in an annotation", "@B(String.class) public class A {} @interface B { Class<?> value(); }", "A"},
		{"9.7 an annotation with a qualified name", "@java . lang . Deprecated public class A {}", "A"},
		{"9.7 an annotated annotation", "@B(@C({})) public class A {}", "A"},
		{"15.8.2 a class literal in a class", "class B { Object o = int.class; boolean b = B.class instanceof Object; } public class A {}", "A"},
		{"15.27 lambda expressions", "class B { Runnable r = () -> { }; } public class A {}", "A"},
		{"a byte-order mark", "\ufeffpublic class A {}", "A"},
		{"two public types, one of which has the name", "public class A {} public class old {}", ""},
		{"a name for which there is no file", "public class " + strings.Repeat("ä", 200) + " {}", ""},
		{"no end of a comment", "public class A {} /* public class old {}", "A"},
		{"no end of a string", "public class A { String s = \"public class B {\n }", "A"},
		{"no end of a type", "public class A {", "A"},
		{"no text", "", ""},
	} {
		t.Run(row.rule, func(t *testing.T) {
			if got := javaName("old", []byte(row.text)); got != row.want {
				t.Errorf("%s\nis named %q, expected %q", row.text, got, row.want)
			}
		})
	}
	// An implicit class has the name of its file (Java 25, 7.3 and 8.1.8).
	for _, row := range []struct{ text, stem, want string }{
		{"void main() {}", "old-1", "Main"},
		{"int[] x = {1, 2}; void main() {}", "old-1", "Main"},
		{"record B(int x) {} String main = \"\"; @Deprecated public static void main(String[] a) {}", "2", "Main"},
		{"void main() {}", "old_1", ""},
		{"class A { void main() {} }", "old-1", ""},
		{"@Deprecated(since = \"1\") package a; import module java.base; ; enum A {} interface B {};", "old-1", ""},
		{"@Deprecated open module m { exports a; }", "old-1", ""},
	} {
		if got := javaName(row.stem, []byte(row.text)); got != row.want {
			t.Errorf("%s\nin %s.java is named %q, expected %q", row.text, row.stem, got, row.want)
		}
	}
}

// TestHasMain states whether a source seems to have a main method.
func TestHasMain(t *testing.T) {
	for _, row := range []struct {
		code, rule, text string
		want             bool
	}{
		{"java", "a method", "class A { public static void main(String[] a) {} }", true},
		{"java", "modifiers in any order, annotations", "class A { static @Deprecated public final void main(String... a) {} }", true},
		{"java", "a comment", "class A { /* public static void main(String[] a) {} */ }", false},
		{"java", "a text block", "class A { String s = \"\"\"\nstatic void main(\n\"\"\"; }", false},
		{"java", "a method of an instance", "class A { static int x; void main() {} }", false},
		{"kotlin", "a function", "suspend fun main() {}", true},
		{"kotlin", "comments nest", "/* /* */ fun main() {} */", false},
		{"kotlin", "a raw string has no escapes", "val s = \"\"\"\\\"\"\"\nfun main() {}", true},
		{"kotlin", "a raw string ends with its last quote", "val s = \"\"\"a\"\"\"\"\nfun main() {}", true},
		{"kotlin", "a name in backticks", "fun `fun main()`() {}", false},
		{"scala", "a method", "object A { def main(a: Array[String]) = {} }", true},
		{"scala", "App", "object A extends B with App", true},
		{"scala", "@main", "@main def solve() = ()", true},
		{"scala", "a symbol is no character", "val s = 'a\nobject A extends App // '", true},
		{"scala", "comments nest", "/* /* */ object A extends App */", false},
	} {
		if got := Builtin.ByCode(row.code).HasMain([]byte(row.text)); got != row.want {
			t.Errorf("%s, %s: %t for\n%s", row.code, row.rule, got, row.text)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add([]byte("\\u0022 '\\'' \"\"\" /* `x` 'a \xff\\ud835"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, java := range []bool{false, true} {
			n := 0
			for range tokens(text, java) {
				n++
			}
			if n > len(text) {
				t.Errorf("%d tokens in %d bytes", n, len(text))
			}
		}
		if name := javaName("old", text); name != "" && !identifier(name) {
			t.Errorf("the name %q is no identifier", name)
		}
	})
}
