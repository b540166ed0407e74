package build

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/language"
	"crucible/judge/problem"
)

// A class is what a class file of Java's virtual machine says about where a program
// starts (Java Virtual Machine Specification, chapter 4).
type class struct {
	name   string // as java expects it: "a.b.Outer$Inner"
	this   string // names in the file: "a/b/Outer$Inner"
	super  string
	source string // the name of the source file; "" if not stated
	line   int    // the first line of the source with code of the class; 0 if not stated
	recent bool   // main methods are those of Java 25 (Java Language Specification 25, 12.1.4)
	new    bool   // the class has a constructor for main methods of instances

	// Main methods: public static void main(String[]), and those that only Java 25 accepts.
	main, static, instance bool
}

// startOf returns where a program starts: entry, as [language.Language.Arrange] returned
// it, or a class, for languages whose programs start at one. Of the classes that the
// compiler wrote to the folder bin, it is the one that entry names, or else the first in
// this order: those with a main method; those of the file entry; those named as their
// file; those named Main; those not nested in another class; by file, line and name.
//
// Class files decide, because sources do not show all: main methods may be inherited,
// and compilers derive names of classes from names of files and from annotations. The
// error is a *[problem.Defect] of the source what if entry names no class.
func startOf(what string, l *language.Language, bin string, files map[string][]byte, entry string) (string, error) {
	if !l.StartsAtClass() {
		return entry, nil
	}
	classes, err := readClasses(bin)
	if err != nil {
		return "", err
	}
	if len(classes) == 0 { // the machine is another one, such as Erlang's, and starts at a file
		for name := range files {
			if l.Writes(path.Ext(name)) {
				classes = append(classes, &class{name: stem(name), source: path.Base(name)})
			}
		}
	}
	if _, ok := files[entry]; !ok {
		names := make([]string, len(classes))
		for i, c := range classes {
			if names[i] = c.name; c.name == entry {
				return entry, nil
			}
		}
		slices.Sort(names)
		names = names[:min(len(names), 10)]
		msg := fmt.Sprintf("entry point %q is no file and no class of it: expected one of %q", entry, names)
		return "", problem.Defectf(what, "%s", msg)
	}
	if len(classes) == 0 {
		return stem(entry), nil // java says why it does not start there
	}
	byName := make(map[string]*class, len(classes))
	for _, c := range classes {
		byName[c.this] = c
	}
	rank := make(map[*class]int, len(classes))
	for _, c := range classes {
		simple, of, nested := c.name[strings.LastIndexByte(c.name, '.')+1:], stem(c.source), false
		for at, b := range c.this {
			if b != '$' || byName[c.this[:at]] == nil {
				continue
			}
			nested = true
			// The methods of a Scala object have their lines in a nested class.
			if outer := byName[c.this[:at]]; c.line > 0 && (outer.line == 0 || c.line < outer.line) {
				outer.line = c.line
			}
		}
		for _, is := range []bool{
			c.starts(byName),
			c.source == path.Base(entry),
			// Of files with one name in several folders, that in the folder of its package.
			strings.HasSuffix("/"+entry, "/"+path.Join(path.Dir(c.this), c.source)),
			simple == of || strings.EqualFold(simple, of+"Kt"),
			simple == "Main",
			!nested,
		} {
			rank[c] <<= 1
			if is {
				rank[c]++
			}
		}
	}
	return slices.MinFunc(classes, func(a, b *class) int {
		ranks, sources := cmp.Compare(rank[b], rank[a]), cmp.Compare(a.source, b.source)
		return cmp.Or(ranks, sources, cmp.Compare(a.line, b.line), cmp.Compare(a.name, b.name))
	}).name, nil
}

// stem returns the name of a file without folder and extension.
func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// starts reports whether java starts a program at the class: it has a main method or
// inherits one.
func (c *class) starts(byName map[string]*class) bool {
	of := c
	for range byName { // no further than there are classes, if a class inherits itself
		if of.main || c.recent && (of.static || of.instance && c.new) {
			return true
		}
		if of = byName[of.super]; of == nil {
			break
		}
	}
	return false
}

// mostClasses is the size of the class files that are read, in bytes. Compilers stay far
// below it.
const mostClasses = 256 << 20

// readClasses reads the class files in a folder and in its JAR files. Files that are
// damaged are left out, as are names that java takes for options, and Kotlin's library.
func readClasses(bin string) (classes []*class, err error) {
	left := int64(mostClasses)
	read := func(name string, open func() (io.ReadCloser, error)) error {
		name, ok := strings.CutSuffix(name, ".class")
		if !ok || strings.HasPrefix(name, "kotlin/") || strings.HasPrefix(name, "-") || strings.HasPrefix(name, "@") {
			return nil
		}
		f, err := open()
		if err != nil {
			return err
		}
		defer f.Close()
		data, err := io.ReadAll(io.LimitReader(f, left))
		if left -= int64(len(data)); err != nil || left == 0 {
			return cmp.Or(err, fmt.Errorf("more than %d MiB of class files", mostClasses>>20))
		}
		if c := parseClass(data); c != nil {
			c.name = strings.ReplaceAll(name, "/", ".")
			classes = append(classes, c)
		}
		return nil
	}
	err = filepath.WalkDir(bin, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if filepath.Ext(file) == ".jar" {
			jar, err := zip.OpenReader(file)
			if err != nil {
				return err
			}
			defer jar.Close()
			for _, f := range jar.File {
				err = errors.Join(err, read(f.Name, f.Open))
			}
			return err
		}
		name, err := filepath.Rel(bin, file)
		return errors.Join(err, read(filepath.ToSlash(name), func() (io.ReadCloser, error) { return os.Open(file) }))
	})
	return classes, err
}

// A classReader reads the fields of a class file. After the end of the data, all that it
// reads is zero.
type classReader struct {
	data      []byte
	failed    bool           // more was read than there is
	constants map[int]string // texts by index; the index of its name for a class
}

func (r *classReader) bytes(n int) []byte {
	if n > len(r.data) {
		r.data, r.failed = nil, true
		return nil
	}
	read := r.data[:n]
	r.data = r.data[n:]
	return read
}

func (r *classReader) uint(size int) (n int) {
	for _, b := range r.bytes(size) {
		n = n<<8 | int(b)
	}
	return n
}

func (r *classReader) text() string { return r.constants[r.uint(2)] }

func (r *classReader) className() string {
	index, _ := strconv.Atoi(r.text())
	return r.constants[index]
}

// sizes of constants without their tag, by tag (section 4.4)
var sizes = map[int]int{
	3: 4, 4: 4, 5: 8, 6: 8, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2,
}

func (r *classReader) readConstants() {
	r.constants = make(map[int]string)
	for i, n := 1, r.uint(2); i < n && !r.failed; i++ {
		switch tag := r.uint(1); tag {
		case 1:
			r.constants[i] = string(r.bytes(r.uint(2)))
		case 7:
			r.constants[i] = strconv.Itoa(r.uint(2))
		default:
			r.bytes(sizes[tag])
			if tag == 5 || tag == 6 { // long and double count twice
				i++
			}
		}
	}
}

// attributes calls see with each attribute.
func (r *classReader) attributes(see func(name string, info *classReader)) {
	for range r.uint(2) {
		name := r.text()
		see(name, &classReader{data: r.bytes(r.uint(4)), constants: r.constants})
	}
}

// parseClass returns what a class file says, without the class's name; nil if it is damaged.
func parseClass(data []byte) *class {
	const public, private, static, abstract = 1, 2, 8, 0x400
	r := &classReader{data: data}
	if r.uint(4) != 0xcafebabe {
		return nil
	}
	minor, major := r.uint(2), r.uint(2)
	c := &class{recent: major >= 69 || minor == 0xffff} // of Java 25, or with its previews
	r.readConstants()
	access := r.uint(2)
	c.this, c.super = r.className(), r.className()
	r.bytes(2 * r.uint(2))
	for range r.uint(2) { // fields
		r.bytes(6)
		r.attributes(func(string, *classReader) {})
	}
	for range r.uint(2) {
		flags, name, descriptor := r.uint(2), r.text(), r.text()
		parameter := descriptor == "([Ljava/lang/String;)V"
		switch {
		case name == "<init>" && descriptor == "()V":
			c.new = flags&private == 0 && access&abstract == 0
		case name == "main" && (parameter || descriptor == "()V") && flags&private == 0:
			c.main = c.main || parameter && flags&(public|static) == public|static
			c.static = c.static || flags&static != 0
			c.instance = c.instance || flags&static == 0
		}
		r.attributes(func(name string, code *classReader) {
			if name == "Code" {
				code.bytes(4)
				code.bytes(code.uint(4))
				code.bytes(8 * code.uint(2))
				code.attributes(c.readLines)
			}
		})
	}
	r.attributes(func(name string, info *classReader) {
		if name == "SourceFile" {
			c.source = info.text()
		}
	})
	if r.failed {
		return nil
	}
	return c
}

// readLines reads a table of lines.
func (c *class) readLines(name string, table *classReader) {
	if name != "LineNumberTable" {
		return
	}
	for range table.uint(2) {
		table.bytes(2)
		if line := table.uint(2); line > 0 && (c.line == 0 || line < c.line) {
			c.line = line
		}
	}
}
