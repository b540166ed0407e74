package foreign

import (
	"bytes"
	_ "embed" // for the programs
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/internal/lazy"
)

// Programs that exported packages contain: they make validators of the package format
// follow the conventions of testlib. Readers recognize them, and restore the validators.

// Adapter is the header that makes programs with testlib follow the package format. In a
// package it is named [TestlibHeader], and testlib itself [TestlibOriginal].
//
//go:embed testlib_package.h
var Adapter []byte

// AdapterOf returns the header for a problem. On one with scores, points of testlib are scores.
func AdapterOf(scoring bool) []byte {
	if scoring {
		return slices.Concat([]byte("#define PACKAGE_SCORING\n"), Adapter)
	}
	return Adapter
}

// ValidatorAdapter is the header that makes validators of the package format follow the
// conventions of testlib.
//
//go:embed validator_adapter.h
var ValidatorAdapter []byte

// defaultCheckerSource is the default output validator with the conventions of testlib.
//
//go:embed default_checker.h
var defaultCheckerSource []byte

// Names of these files.
const (
	AdapterHeader   = "validator_adapter.h"
	TestlibHeader   = "testlib.h"
	TestlibOriginal = "testlib_original.h"
)

// AlwaysAccept is a checker for interactive problems, whose interactor decides.
var AlwaysAccept = []byte("// The interactor has decided: every output that it accepted is accepted.\nint main() { " +
	"return 0; }\n")

// Adapted returns the source that adapts a validator. as is the macro of its role, and
// source is named as by [AsHeader].
func Adapted(as, source string, args []string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "#define ADAPTER_%s 1\n", as)
	if len(args) > 0 {
		b.WriteString("#define ADAPTER_ARGUMENTS")
		for _, arg := range args {
			b.WriteString(" " + quoteC(arg) + ",")
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "#include %q\n#include %q\n#include %q\n", AdapterHeader, source, AdapterHeader)
	return []byte(b.String())
}

// sourceAsHeader is the end of the name of a source that another one includes. Some judges
// compile every source that they get.
const sourceAsHeader = ".h"

// AsHeader returns the name that an adapted source has in the new package.
func AsHeader(source string) string { return source + sourceAsHeader }

// quoteC returns a string literal of C++. Bytes other than printable ones are octal.
func quoteC(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' || c == '?' {
			fmt.Fprintf(&b, `\%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	return `"` + b.String() + `"`
}

// DefaultCheckerOf returns the source of the default output validator. The values of its
// macros must be those of the arguments.
func DefaultCheckerOf(args []string, values map[string]string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s%s\n", argumentsComment, strings.Join(args, " "))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&b, "#define %s %s\n", name, values[name])
	}
	b.Write(defaultCheckerSource)
	return b.Bytes()
}

const argumentsComment = "// output_validator_args: "

// defaultCheckerArgs returns the arguments of the default output validator if a source is
// that of DefaultCheckerOf.
func defaultCheckerArgs(text []byte) (args []string, ok bool) {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	line, ok := strings.CutPrefix(string(first), argumentsComment)
	return strings.Fields(line), ok && bytes.HasSuffix(text, defaultCheckerSource)
}

var (
	adaptedSource = lazy.Regexp(`^#define ADAPTER_([A-Z]+) 1\n(?:#define ADAPTER_ARGUMENTS(.*)\n)?#include "` +
		regexp.QuoteMeta(AdapterHeader) + `"\n#include "([^"\n]+)"\n`)
	adaptedArgument = lazy.Regexp(`"((?:[^"\\]|\\[0-7]{3})*)",`)
	octalEscape     = lazy.Regexp(`\\[0-7]{3}`)
)

// unadapted returns the source and the arguments of the validator that a source adapts,
// if it is that of Adapted.
func unadapted(text []byte) (source string, args []string, ok bool) {
	m := adaptedSource().FindSubmatch(text)
	if m == nil {
		return "", nil, false
	}
	for _, arg := range adaptedArgument().FindAllSubmatch(m[2], -1) {
		args = append(args, octalEscape().ReplaceAllStringFunc(string(arg[1]), func(e string) string {
			c, _ := strconv.ParseUint(e[1:], 8, 8)
			return string([]byte{byte(c)})
		}))
	}
	source = string(m[3])
	return source, args, bytes.Equal(Adapted(string(m[1]), source, args), text)
}
