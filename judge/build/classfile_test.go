package build

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/internal/testkit"
	"crucible/judge/language"
	"crucible/judge/sandbox"
)

// javaDriver compiles the folders N/src and N/own of its working folder with javac, and
// names the classes of N/src at which java would start: those whose main method
// sun.launcher.LauncherHelper of Java 17 finds.
const javaDriver = `import java.io.*;
import java.lang.reflect.Modifier;
import java.net.*;
import java.nio.file.*;
import java.util.*;
import javax.tools.*;

class Driver {
	static PrintStream out;
	static final JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
	static final StandardJavaFileManager files = javac.getStandardFileManager(null, null, null);

	static boolean compile(String of, File from, Path to) throws IOException {
		Files.createDirectories(to);
		files.setLocation(StandardLocation.CLASS_OUTPUT, List.of(to.toFile()));
		files.setLocation(StandardLocation.CLASS_PATH, List.of(to.toFile()));
		StringWriter said = new StringWriter();
		File[] sources = Files.walk(from.toPath()).map(Path::toFile).filter(File::isFile).toArray(File[]::new);
		List<String> words = List.of("-encoding", "UTF-8", "-proc:none");
		boolean ok = javac.getTask(said, files, null, words, null, files.getJavaFileObjects(sources)).call();
		out.println(of + (ok ? " ok" : " refused " + said.toString().lines().findFirst().get()));
		return ok;
	}

	public static void main(String[] args) throws Exception {
		out = new PrintStream(System.out, false, "UTF-8");
		for (File dir : new File(".").listFiles()) {
			String n = dir.getName();
			Path to = dir.toPath().resolve("out");
			if (new File(dir, "own").isDirectory()) compile(n + " own", new File(dir, "own"), dir.toPath().resolve("ownout"));
			if (!new File(dir, "src").isDirectory() || !compile(n + " src", new File(dir, "src"), to)) continue;
			ClassLoader loader = new URLClassLoader(new URL[] {to.toUri().toURL()});
			for (Path p : (Iterable<Path>) Files.walk(to).filter(p -> p.toString().endsWith(".class"))::iterator) {
				String name = to.relativize(p).toString().replaceAll("[.]class$", "").replace('/', '.');
				try {
					var main = Class.forName(name, false, loader).getMethod("main", String[].class);
					if (Modifier.isStatic(main.getModifiers()) && main.getReturnType() == void.class) out.println(n + " main " + name);
				} catch (NoSuchMethodException e) {
				}
			}
		}
		out.flush();
	}
}
`

// A javaProgram is a program to compile, and what javac and java make of it.
type javaProgram struct {
	files map[string][]byte // as the judge arranges them
	entry string            // of its files
	own   map[string][]byte // as they were written, if they are to be compiled, too

	compiles, ownCompiles bool
	message               string
	mains                 []string // the classes at which java starts
	bin                   string   // the folder of the class files
}

// arrange returns a program as the judge compiles it.
func arrange(t *testing.T, files map[string][]byte, given string) *javaProgram {
	t.Helper()
	laid, entry, err := language.Builtin.ByCode("java").Arrange(files, given)
	if err != nil {
		t.Fatal(err)
	}
	return &javaProgram{files: laid, entry: entry}
}

// compileJava compiles programs in one process, which is much faster than one by one.
func compileJava(t *testing.T, programs []*javaProgram) {
	t.Helper()
	testkit.Needs(t, "javac")
	testkit.Needs(t, "java")
	if testing.Short() {
		t.Skip("runs javac")
	}
	driver, work := filepath.Join(t.TempDir(), "Driver.java"), t.TempDir()
	if err := os.WriteFile(driver, []byte(javaDriver), 0o666); err != nil {
		t.Fatal(err)
	}
	for i, p := range programs {
		at := filepath.Join(work, fmt.Sprint(i))
		p.bin = filepath.Join(at, "out")
		if err := errors.Join(os.Mkdir(at, 0o777), osfile.WriteFiles(filepath.Join(at, "src"), p.files)); err != nil {
			t.Fatal(err)
		}
		if p.own != nil {
			if err := osfile.WriteFiles(filepath.Join(at, "own"), p.own); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.CommandContext(t.Context(), "java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", driver)
	cmd.Dir, cmd.Env = work, append(os.Environ(), "LC_ALL=C.UTF-8")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err, said.String())
	}
	for line := range strings.Lines(string(out)) {
		var i int
		what, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		fmt.Sscan(what, &i)
		switch what, rest, _ = strings.Cut(rest, " "); what {
		case "src":
			programs[i].compiles, programs[i].message = rest == "ok", rest
		case "own":
			programs[i].ownCompiles = rest == "ok"
		case "main":
			programs[i].mains = append(programs[i].mains, rest)
		}
	}
}

// javaMain is a main method, for the tests below.
const javaMain = "public static void main(String[] args) {}"

// TestJavaStart states at which class programs start, by the rule that decides it. Each
// is compiled with javac; java must accept the class, unless it accepts none.
func TestJavaStart(t *testing.T) {
	rows := []struct{ rule, files, given, want string }{
		{"the class of the only file", "-- a.java --\nclass A { MAIN }", "", "A"},
		{"the public class", "-- a.java --\npublic class A { MAIN }", "", "A"},
		{"7.4 a package", "-- a.java --\npackage x . y; public class A { MAIN }", "", "x.y.A"},
		{"12.1.4 parameters: varargs", "-- a.java --\nclass B { MAIN2 } class A { public static void main(String... args) {} }", "", "A"},
		{"12.1.4 parameters: final", "-- a.java --\nclass A { public static void main(final String[] args) {} }", "", "A"},
		{"12.1.4 parameters: the brackets after the name", "-- a.java --\nclass A { public static void main(String args[]) {} }", "", "A"},
		{"12.1.4 parameters: qualified and annotated", "-- a.java --\nclass A { public static void main(@Deprecated java.lang.String[] args) {} }", "", "A"},
		{"8.4.3 modifiers in another order", "-- a.java --\nclass A { static synchronized final public void main(String[] args) {} }", "", "A"},
		{"8.4.3 a method that is not public is none", "-- a.java --\nclass A { static void main(String[] args) {} } class B { MAIN }", "", "B"},
		{"8.4.3 a method that is not static is none", "-- a.java --\nclass A { public void main(String[] args) {} } class B { MAIN }", "", "B"},
		{"8.4.4 type parameters", "-- a.java --\nclass A { public static <T> void main(String[] args) throws Exception {} }", "", "A"},
		{"8.4.5 a method with a result is none", "-- a.java --\nclass A { public static int main(String[] args) { return 0; } } class B { MAIN }", "", "B"},
		{"8.4.9 a method of the same name", "-- a.java --\nclass A { public static void main() {} static void main(int x) {} } class B { MAIN }", "", "B"},
		{"8.4.8 an inherited method", "-- a.java --\npublic class A extends B {} class B { MAIN }", "", "A"},
		{"8.4.8 inherited from a file", "-- A.java --\npublic class A extends B {}\n-- B.java --\nclass B { MAIN }", "A", "A"},
		{"8.4.8 inherited twice", "-- a.java --\npublic class A extends B {} class B extends C {} abstract class C { MAIN }", "", "A"},
		{"9.4 static methods of interfaces are not inherited", "-- a.java --\npublic class A implements B {} interface B { static MAIN }", "", "B"},
		{"8.9 an enum", "-- a.java --\nenum A { X; MAIN }", "", "A"},
		{"8.10 a record", "-- a.java --\nrecord A(int x) { MAIN }", "", "A"},
		{"9 an interface", "-- a.java --\ninterface A { static MAIN }", "", "A"},
		{"9 an interface, whose methods are public", "-- a.java --\ninterface A { static void main(String[] args) {} }", "", "A"},
		{"8.1.1 an abstract class", "-- a.java --\nabstract class A { MAIN }", "", "A"},
		{"8.1.1 a sealed class", "-- a.java --\nsealed class A permits B { MAIN } final class B extends A {}", "", "A"},
		{"8.5 a nested class", "-- a.java --\nclass A { static class B { MAIN } }", "", "A$B"},
		{"8.5 a private class in a class", "-- a.java --\npublic class A { static class B { private static class C { MAIN } } }", "", "A$B$C"},
		{"8.5 the outer of two", "-- a.java --\nclass A {\nstatic class B { MAIN }\nMAIN }", "", "A"},
		{"3.8 a dollar nests nothing", "-- a.java --\nclass $ {\nMAIN }\nclass $A$ {\nMAIN }", "", "$"},
		{"3.8 letters of any script", "-- a.java --\npublic class Lösung変 { MAIN }", "", "Lösung変"},
		{"3.8 letters outside the basic plane", "-- a.java --\npackage p; public class 𝒜 { MAIN }", "", "p.𝒜"},
		{"the public class before Main", "-- a.java --\npublic class A { MAIN }\nclass Main { MAIN }", "", "A"},
		{"Main before others", "-- a.java --\nclass A { MAIN }\nclass Main { MAIN }", "", "Main"},
		{"Main without a method", "-- a.java --\nclass A { MAIN }\nclass Main {}", "", "A"},
		{"the name of the file before Main", "-- a.java --\nclass Main { MAIN }\nclass a { MAIN }", "", "a"},
		{"of two the first in the file", "-- a.java --\nclass Z {\nMAIN }\nclass Y {\nMAIN }", "", "Z"},
		{"the public class has no method", "-- a.java --\npublic class A {}\nclass B { MAIN }", "", "B"},
		{"no method: java says so of the public class", "-- a.java --\nclass B {}\npublic class A {}", "", "A"},
		{"Main.java of several files", "-- A.java --\npublic class A { MAIN }\n-- Main.java --\npublic class Main { MAIN }", "", "Main"},
		{"Main.java with its package", "-- A.java --\npackage p; public class A { MAIN }\n-- Main.java --\npackage p; public class Main { MAIN }", "", "p.Main"},
		{"the first file by name", "-- B.java --\npublic class B { MAIN }\n-- C.java --\npublic class C { MAIN }", "", "B"},
		{"the first file that has one", "-- A.java --\npublic class A {}\n-- B.java --\npublic class B { MAIN }", "", "B"},
		{"a given file", "-- A.java --\npublic class A { MAIN }\n-- B.java --\npublic class B { MAIN }", "B.java", "B"},
		{"a given file with its package", "-- A.java --\npackage p; public class A { MAIN }\n-- B.java --\npackage p; public class B { MAIN }", "B.java", "p.B"},
		{"a given class", "-- Main.java --\npublic class Main { MAIN }\n-- B.java --\nclass B { MAIN } class C { MAIN }", "C", "C"},
		{"a given class in a package", "-- Main.java --\npackage p; public class Main { MAIN }\n-- B.java --\npackage p; class B { MAIN }", "p.B", "p.B"},
		{"a given nested class", "-- a.java --\npublic class A { MAIN static class B { MAIN } }", "A$B", "A$B"},
		{"7.2 files with one name in several folders", "-- a/Main.java --\npackage a; public class Main { MAIN }\n-- b/Main.java --\npackage b; public class Main { MAIN }", "b/Main.java", "b.Main"},
		{"7.2 a package in a folder", "-- src/p/A.java --\npackage p; public class A { MAIN }\n-- src/p/B.java --\npackage p; public class B { MAIN }", "", "p.A"},
		{"a byte-order mark", "-- a.java --\n\ufeffpublic class A { MAIN }", "", "A"},
	}
	var programs []*javaProgram
	for _, row := range rows {
		files := make(map[string][]byte)
		text := strings.NewReplacer("MAIN2", "static void main(String... args) {}", "static MAIN", javaMain, "MAIN", javaMain)
		for part := range strings.SplitSeq("\n"+text.Replace(row.files), "\n-- ") {
			if name, text, ok := strings.Cut(part, " --\n"); ok {
				files[name] = []byte(text)
			}
		}
		programs = append(programs, arrange(t, files, row.given))
	}
	compileJava(t, programs)
	for i, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			p := programs[i]
			if !p.compiles {
				t.Fatalf("javac %s", p.message)
			}
			got, err := startOf("a", language.Builtin.ByCode("java"), p.bin, p.files, p.entry)
			if err != nil || got != row.want || len(p.mains) > 0 && !slices.Contains(p.mains, got) {
				t.Errorf("starts at %q, %v, expected %q; java accepts %q", got, err, row.want, p.mains)
			}
		})
	}
}

// TestGeneratedJava compares the names and classes that the judge chooses with what javac
// and java accept, on random programs of declarations and of text that looks like some.
func TestGeneratedJava(t *testing.T) {
	testkit.InMatrix(t)
	const n = 100
	var programs []*javaProgram
	var texts []string
	for i := range n {
		g := &javaGenerator{Rand: rand.New(rand.NewPCG(1, uint64(i)))}
		name, text := g.program()
		p := arrange(t, map[string][]byte{name: []byte(text)}, "")
		p.own = map[string][]byte{name: bytes.TrimPrefix([]byte(text), []byte("\ufeff"))}
		programs, texts = append(programs, p), append(texts, text)
	}
	compileJava(t, programs)
	renamed, started := 0, 0
	for i, p := range programs {
		changed := !maps.EqualFunc(p.files, p.own, bytes.Equal)
		if !p.compiles || changed == p.ownCompiles {
			own, names := slices.Sorted(maps.Keys(p.own)), slices.Sorted(maps.Keys(p.files))
			t.Errorf("program %d: %q with names %q: javac %s; with its own name it compiles: %t\n%s",
				i, own, names, p.message, p.ownCompiles, texts[i])
			continue
		}
		got, err := startOf("a", language.Builtin.ByCode("java"), p.bin, p.files, p.entry)
		if err != nil || len(p.mains) > 0 && !slices.Contains(p.mains, got) {
			t.Errorf("program %d starts at %q, %v; java accepts %q\n%s", i, got, err, p.mains, texts[i])
		}
		if changed {
			renamed++
		}
		if len(p.mains) > 0 {
			started++
		}
	}
	t.Logf("%d programs, of which %d must be renamed and %d have a main method", n, renamed, started)
	if renamed < n/4 || renamed > n*3/4 || started < n/2 {
		t.Error("the programs are too much alike")
	}
}

// A javaGenerator writes random Java programs.
type javaGenerator struct {
	*rand.Rand
	names []string // of types that are not used yet
}

func (g *javaGenerator) one(of ...string) string { return of[g.IntN(len(of))] }

// some returns texts with a probability of 1 in n each.
func (g *javaGenerator) some(n int, of ...string) string {
	var all []string
	for _, s := range of {
		if g.IntN(n) == 0 {
			all = append(all, s)
		}
	}
	g.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return strings.Join(all, " ")
}

// space returns white space or a comment, which may look like a declaration.
func (g *javaGenerator) space() string {
	if g.IntN(3) > 0 {
		return g.one(" ", "\n", "\t", " \f ")
	}
	return g.one("/* public class Fake {} */", "/** } \" ' */", "// public class Fake {\n", "// /*\n", "/*/ */", "/* // */",
		"/***/", `// \u000a`, `/* \u000a public class Fake {} */`, `/* \u002a\u002f`, "// \"\"\"\n",
		"/*\npublic class Fake {}\npublic static void main(String[] args) {}\n*/", "// \u2028 public class Fake {}\n")
}

func (g *javaGenerator) words(all ...string) string {
	var s strings.Builder
	for _, w := range all {
		s.WriteString(g.space() + w)
	}
	return s.String() + g.space()
}

func (g *javaGenerator) annotation() string {
	return g.one("", "", "", "@Deprecated", "@java.lang.Deprecated", "@SuppressWarnings(\"public class Fake {\")",
		"@SuppressWarnings({\"}\", \"all\"})",
		"@Deprecated(since = \"1\", forRemoval = true)", "@ SuppressWarnings ( value = { } )")
}

// escaped writes some letters as Unicode escapes.
func (g *javaGenerator) escaped(word string) string {
	at := g.IntN(len(word))
	if g.IntN(6) > 0 || word[at] >= 0x80 || word[0] == '\\' {
		return word
	}
	return fmt.Sprintf(`%s\%s%04x%s`, word[:at], g.one("u", "uu", "uuu"), word[at], word[at+1:])
}

func (g *javaGenerator) name() string {
	if g.names == nil {
		g.names = []string{"A", "Main", "Lösung", "変数", "_x", "$", "module", "open", "with", "exports",
			"a1", "Éa", "\\ud835\\udc9c", "ab\u00adc", "€", "Класс", "o\u0308x", "Interface", "old", "String2"}
		g.Shuffle(len(g.names), func(i, j int) { g.names[i], g.names[j] = g.names[j], g.names[i] })
	}
	name := g.names[0]
	g.names = g.names[1:]
	return name
}

// member returns a member of a type, which may look like something else.
func (g *javaGenerator) member(i int) string {
	return strings.ReplaceAll(g.one(
		`String x% = "public class Fake { \" /* ";`, `String x% = "\\u0022; } public class Fake {";`, `String x% = "\\";`, `String x% = "\u005c" }";`, `String x% = "\u0022;`,
		`char[] x% = {'"', '\'', '\\', '{', '}', '\u007b', '\u005c\u005c'};`, "String x% = \"\"\"\npublic class Fake {\n\"\"\";", "String x% = \"\"\"  \r\n \"\" \\\"\"\" \\\\ } /*\n\"\"\";",
		`void x%() { int record = 1, sealed = 2, permits = record + sealed, with = 3; }`, `Class<?> x% = int[].class;`, `boolean x% = String.class instanceof Object;`, `Runnable x% = () -> { class L {} };`,
		`Object x% = new Object() { public String toString() { return "}"; } };`, `static class X%<T extends Comparable<T>> { public static int main; }`, `interface X% { int Y = 1 /* } */; }`,
		`enum X% { A { }, B; }`, `record X%(int a, String... b) { X% { } }`, `@interface X% { String[] value() default {"{"}; }`, `double x% = 0x1p3 + 1_0.e1 + .5;`, `static void x%() { for (;;) { break; } }`,
		`static class X% { int main = 1; void main(int y) { int module = 1, open = 2; } }`, `static int x% = 1 > 2 ? '{' : '}';`, `;`), "%", strconv.Itoa(i))
}

func (g *javaGenerator) main(modifiers ...string) string {
	args := g.one("String[] args", "String args[]", "String... args", "final String[] args", "java.lang.String[] args",
		"@Deprecated String [ ] args")
	if g.IntN(4) == 0 { // no main method, for the machine
		return g.one("static void main("+args+") {}", "public void main("+args+") {}",
			"public static int main("+args+") { return 0; }", "private static void main("+args+") {}",
			"public static void main() {}", "public static void main(String args) {}")
	}
	modifiers = append(modifiers, "public", "static", g.annotation())
	g.Shuffle(len(modifiers), func(i, j int) { modifiers[i], modifiers[j] = modifiers[j], modifiers[i] })
	return g.words(modifiers...) + g.one("", "", "<T>") + g.words("void", g.escaped("main"), "("+args+")") +
		g.one("{}", "throws Exception { }")
}

// declaration returns a type of the top level. Sealed ones need another, and come with it.
func (g *javaGenerator) declaration(public bool) string {
	name := g.name()
	access := ""
	if public {
		access = g.escaped("public")
	}
	body := ""
	if g.IntN(2) == 0 {
		body = g.main(g.some(2, "final"), g.some(3, "synchronized"))
	}
	members := ""
	for i := range g.IntN(4) {
		members += g.words(g.member(i))
	}
	head := func(modifiers ...string) string {
		modifiers = append(modifiers, access, g.annotation())
		g.Shuffle(len(modifiers), func(i, j int) { modifiers[i], modifiers[j] = modifiers[j], modifiers[i] })
		return g.words(modifiers...)
	}
	switch g.IntN(7) {
	case 0:
		return head() + g.words(g.escaped("enum"), name, "{", "X { }, Y;", body, members, "}")
	case 1:
		parameters := g.one("", "int a", "@Deprecated int a, int... b")
		return head(g.some(2, "final")) + g.words("record", g.escaped(name), g.one("", "<T>"), "(", parameters, ") {", body, "}")
	case 2:
		body = strings.Replace(g.main(), "public void", "static void", 1)
		return head() + g.words("interface", name, "{", "int A = 1;", body, "}")
	case 3:
		return head() + g.words("@", "interface", name, "{", "String value() default \"}\";", "}")
	case 4:
		sub := g.name()
		return head("sealed") + g.words("class", name, "permits", sub, "{", body, members, "}") +
			g.words("non-sealed", "class", sub, "extends", name, "{}")
	case 5:
		super := g.name()
		return g.words("class", super, "{", body, "}") + head() + g.words("class", name, "extends", super, "{", members, "}")
	}
	parameters := g.one("", "<T extends Comparable<? super T>>")
	return head(g.some(3, "abstract"), g.some(3, "strictfp")) +
		g.words(g.escaped("class"), g.escaped(name), parameters, "{", members, body, "}")
}

// program returns the name and the text of a program with at most one public type.
func (g *javaGenerator) program() (name, text string) {
	text = g.some(8, "\ufeff") + g.space()
	if g.IntN(3) == 0 {
		text += g.words("package", "a", ".", g.one("b", "record", "sealed . permits"), ";")
	}
	for range g.IntN(3) {
		imports := g.one("import java.util.*;", "import static java.lang . Math.*;", ";", "import java.util . Map . Entry;")
		text += g.words(imports)
	}
	n := 1 + g.IntN(3)
	public := g.IntN(n + 1)
	for i := range n {
		text += g.declaration(i == public) + g.one("", ";")
	}
	if end := g.one("\n", "\n", "\r", "\r\n"); end != "\n" {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", end)
	}
	return g.one("old.java", "a-b.java", "Main.java", "A.java", "1.java", "ä.java"), text
}

// TestStart compiles several files of a language, each of which prints its name, and starts the
// program at each. The class of the file in row 0 is the default.
func TestStart(t *testing.T) {
	testkit.InMatrix(t)
	type row struct{ rule, file, class, text string }
	for code, rows := range map[string][]row{
		"kotlin": {
			{"Main.kt is the default", "Main.kt", "MainKt", `fun main() { println("Main.kt") }`},
			{"names of files are changed into identifiers", "2-d.x.kt", "_2_d_xKt", `fun main(args: Array<String>) { println("2-d.x.kt") }`},
			{"letters of any script", "lösung.kt", "LösungKt", `fun main() = println("lösung.kt")`},
			{"@file:JvmName", "named.kt", "p.q.Named", "@file:JvmName(\"Named\")\n/* package fake */ package p . q\nfun main() { println(\"named.kt\") }"},
			{"a package in backticks", "quoted.kt", "p.in.QuotedKt", "package p.`in`\nfun main() { println(\"quoted.kt\") }"},
			{"comments nest", "comments.kt", "CommentsKt", "/* /* */ package fake\n*/ fun other() {}\nfun main(args: Array<String>) { println(\"comments.kt\") }"},
			{"a raw string", "raw.kt", "RawKt", "val raw = \"\"\"\npackage fake\n@file:JvmName(\"Fake\")\n\\\"\"\"\nfun main(vararg args: String) { println(\"raw.kt\") }"},
			{"suspend", "suspended.kt", "SuspendedKt", `suspend fun main() { println("suspended.kt") }`},
			{"@JvmStatic in an object", "object.kt", "o.Start", "package o\nclass A\nobject Start { @JvmStatic fun main(args: Array<String>) { println(\"object.kt\") } }"},
			{"a companion object", "companion.kt", "Outer", `class Outer { companion object { @JvmStatic fun main(args: Array<String>) { println("companion.kt") } } }`},
			{"a function before an object", "both.kt", "BothKt", "object B { @JvmStatic fun main(args: Array<String>) { println(\"wrong\") } }\nfun main(args: Array<String>) { println(\"both.kt\") }"},
		},
		"scala": {
			{"Main.scala is the default", "Main.scala", "Main", `object Main extends App { println("Main.scala") }`},
			{"a method", "method.scala", "b.Method", "package b\nclass A\nobject Empty\nobject Method { def main(args: Array[String]): Unit = println(\"method.scala\") }"},
			{"packages in packages", "packages.scala", "c.d.e.P", "package c.d\npackage e {\nobject P extends App { println(\"packages.scala\") }\n}"},
			{"a package object", "object.scala", "f.g.package", "package f\npackage object g extends App { println(\"object.scala\") }"},
			{"comments nest", "comments.scala", "C", "/* /* */ package fake\nobject Fake extends App */\nobject C extends App { println(\"comments.scala\") }"},
			{"App among other traits", "traits.scala", "T", "trait U\nobject T extends U with Serializable with App { println(\"traits.scala\") }"},
			{"an inherited method", "inherited.scala", "I", "trait Start { def main(args: Array[String]): Unit = println(\"inherited.scala\") }\nobject I extends Start"},
			{"a name in backticks", "quoted.scala", "object$minusname", "object `object-name` extends App { println(\"quoted.scala\") }"},
			{"letters of any script", "lösung.scala", "Lösung", "\ufeffobject Lösung extends App { println(\"lösung.scala\") }"},
			{"a string", "text.scala", "S", "object S extends App { val s = \"\"\"\nobject Fake extends App\n\"\"\"; println(\"text.scala\") }"},
			{"of two the first in the file", "two.scala", "Z", "object Z {\ndef main(args: Array[String]): Unit = println(\"two.scala\") }\nobject Y {\ndef main(args: Array[String]): Unit = println(\"wrong\") }"},
		},
	} {
		t.Run(code, func(t *testing.T) {
			if testing.Short() || testkit.Raced {
				t.Skip("runs compilers, which the race detector does not see into")
			}
			runner, cache := new(sandbox.Sandbox), testkit.Cache(t)
			t.Cleanup(func() { runner.Close() })
			b := &Builder{Runner: runner, Cache: cache, Tools: Toolchains{Cache: cache}}
			s := Source{What: code, Files: make(map[string][]byte), Language: language.Builtin.ByCode(code), Memory: 1 << 30}
			for _, r := range rows {
				s.Files[r.file] = []byte(r.text)
			}
			for _, r := range append([]row{{"the default", rows[0].file, rows[0].class, ""}}, rows...) {
				for _, entry := range []string{r.file, r.class} {
					if s.Entry = entry; r.text == "" {
						s.Entry = ""
					}
					p, c, err := b.Build(t.Context(), s, Usual)
					var unusable *UnusableError
					if errors.As(err, &unusable) {
						t.Skip(err)
					}
					if err != nil || p == nil {
						t.Fatalf("%v\n%s", err, c.Message)
					}
					var out bytes.Buffer
					limits := sandbox.Limits{CPU: 20 * time.Second, Wall: time.Minute, Output: 1 << 16, Processes: MaxProcesses}
					if r.class == p.Entry && entry == r.file {
						cmd := sandbox.Cmd{Args: p.Args, Dir: filepath.Join(p.Dir, "src"), Reads: p.Reads, Limits: limits}
						cmd.Stdout, cmd.Stderr = &out, &out
						_, err = runner.Run(t.Context(), cmd)
					} else {
						out.WriteString(r.file)
					}
					if got := strings.TrimSpace(out.String()); p.Entry != r.class || got != r.file || err != nil {
						t.Errorf("%s: from %q: starts at %q, which prints %q, %v; expected %q", r.rule, entry, p.Entry, got, err, r.class)
					}
				}
			}
			s.Entry = "Nowhere"
			const why = `entry point "Nowhere" is no file and no class of it: expected one of ["`
			if _, _, err := b.Build(t.Context(), s, Usual); err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("a class that does not exist: %v", err)
			}
		})
	}
}

// TestRecentStart checks the main methods that Java accepts since version 25, in class
// files of an older compiler whose version is changed: older ones have no other difference.
func TestRecentStart(t *testing.T) {
	rows := []struct {
		rule, text string
		want       bool
	}{
		{"a static method that is not public", "class A { static void main(String[] args) {} }", true},
		{"a static method without parameter", "class A { static void main() {} }", true},
		{"a method of an instance", "class A { void main() {} }", true},
		{"a method of an instance with its parameter", "class A { protected void main(String... args) {} }", true},
		{"an inherited method of an instance", "class A extends B {} abstract class B { public void main() {} }", true},
		{"a private method", "class A { private static void main() {} }", false},
		{"an instance without a constructor", "class A { A(int x) {} void main() {} }", false},
		{"an instance with a private constructor", "class A { private A() {} void main() {} }", false},
		{"no instance of an abstract class", "abstract class A { void main() {} }", false},
		{"a result", "class A { static int main() { return 0; } }", false},
	}
	var programs []*javaProgram
	for _, row := range rows {
		programs = append(programs, arrange(t, map[string][]byte{"A.java": []byte(row.text)}, ""))
	}
	compileJava(t, programs)
	for i, row := range rows {
		for _, recent := range []struct{ minor, major byte }{{0, 61}, {0, 69}, {0xff, 65}} {
			byName := make(map[string]*class)
			files, err := filepath.Glob(filepath.Join(programs[i].bin, "*.class"))
			if err != nil || len(files) == 0 {
				t.Fatal(programs[i].message, err)
			}
			for _, name := range files {
				data, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				data[4], data[5], data[7] = recent.minor, recent.minor, recent.major
				c := parseClass(data)
				byName[c.this] = c
				for n := range data {
					if parseClass(data[:n]) != nil {
						t.Errorf("%s: the first %d of %d bytes are a class", row.rule, n, len(data))
					}
				}
			}
			if got, want := byName["A"].starts(byName), row.want && recent.major > 61; got != want {
				t.Errorf("%s: java of version %d.%d starts it: %t, expected %t", row.rule, recent.major, recent.minor, got, want)
			}
		}
	}
}
