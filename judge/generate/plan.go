package generate

import (
	"crypto/sha512"
	"encoding/binary"

	"crucible/judge/internal/yaml"
)

// A Plan is what generators.yaml says.
type Plan struct {
	Cases  []Case  // in the order in which they are made
	Groups []Group // folders below data/, parents before children; data/ itself, named "", if it has settings

	// Solution makes the answers where nothing else is said: a path that
	// begins with "/" for the package. It is "" if none is given.
	Solution string

	// Generators are programs of several files, below generators/, the first
	// of which is the entry point. A case's Program that is a key here is that
	// program, else it is a file or folder below generators/.
	Generators map[string][]string

	// Warnings are doubts about the file, each with its place. The cases are
	// made all the same. Notes tell what is right and passed over here.
	Warnings, Notes []error
}

// A Case is what one test case is made from. First the program runs, if there
// is one; then the files of Copy are copied, and then the literal Files
// written, each over what was there.
type Case struct {
	Name string // "secret/01-tree": below data/, without extension

	Program string   // what makes the case: a name in Plan.Generators, or a path below generators/; or ""
	Args    []string // its arguments, everything in braces replaced
	Command string   // program and arguments as written, {count} replaced, space around it cut off

	// Seed is in [0, 2^31), by the rule of [Seed]. HasSeed says that it stands
	// among the arguments.
	Seed    uint32
	HasSeed bool
	Retries int // how often the program may run, each time with the next seed, at least 1

	Copy  string            // path below generators/, without extension; or ""
	Files map[string]string // text by extension: ".in", ".ans", ".desc"
	Links map[string]string // extensions whose file is that of another: ".in.statement" to ".in"
	YAML  *yaml.Node        // the contents of the case's .yaml where given as a map, or nil

	// Solution makes the answer if neither program, copy nor files did: a path
	// that begins with "/" for the package, or "" for the tool's own choice.
	// NoSolution says that no answer shall be made.
	Solution   string
	NoSolution bool

	Match map[string][]string // regular expressions, for [Expression], that ".in" and ".ans" must contain

	IncludeOf string // the name of an earlier case of which this is the same, for "include:"; or ""

	Line, Column int // where it is written
}

// A Group is a folder of cases.
type Group struct {
	Name string // "secret/1-small", below data/

	// Settings is what test_group.yaml, or testdata.yaml in a legacy package,
	// shall hold, as SettingsFile says. It is nil if nothing is said of it.
	Settings     *yaml.Node
	SettingsFile string

	Line, Column int
}

// Seed is what replaces {seed} in a command: the SHA-512 of salt and command,
// read as a big-endian integer, modulo 2^31. Space around a command is not
// part of it. The salt of a case is its random_salt, and behind it ":" and one
// less than the case's count where that is not 1.
func Seed(salt, command string) uint32 {
	sum := sha512.Sum512([]byte(salt + command))
	return binary.BigEndian.Uint32(sum[len(sum)-4:]) & (1<<31 - 1)
}
