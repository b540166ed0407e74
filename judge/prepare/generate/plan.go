package generate

import (
	"crypto/sha512"
	"encoding/binary"
	"io/fs"
	"path"
	"slices"
	"strings"

	"crucible/judge/internal/yaml"
	"crucible/judge/problem"
)

// A Plan is the contents of generators.yaml.
type Plan struct {
	// Warnings are mistakes in the file, Doubts are probable ones that the format allows,
	// and Notes are valid parts of it that this judge ignores. Each has its position.
	Warnings, Doubts, Notes []error

	cases []casePlan // in the order in which they are made
	// Folders below data/, parents before children; data/ itself, named "", if it has settings.
	groups   []group
	solution string // default of casePlan.solution
	// Programs of several files below generators/, by name; the first file is the entry point.
	generators map[string][]string
	index      map[string]int // of cases, by name
}

// A casePlan describes how to make a test case. The program runs first, if there is
// one. Then the files of copy and after them the files of text replace its files.
type casePlan struct {
	name string // below data/, without extension: "secret/01-tree"

	program string   // a name in Plan.generators or a path below generators/; or ""
	args    []string // arguments of the program
	command string   // program and arguments as written, with constants and {count} replaced

	seed    uint32 // in [0, 2^31), by seedOf
	hasSeed bool   // the arguments contain the seed
	retries int    // how often the program may run, each time with the next seed; at least 1

	copy  string            // path below generators/, without extension; or ""
	text  map[string]string // contents by extension: ".in", ".ans", ".desc"
	links map[string]string // extensions of files that equal another file of the case: ".in.statement" to ".in"
	yaml  *yaml.Node        // contents of the .yaml file if it is a map, or nil

	// visualizer draws the case: a path in the package that begins with "/" and its
	// arguments, or nil. noVisualizer means that nothing draws it.
	visualizer   []string
	noVisualizer bool

	// solution makes the answer if program, copy and text do not: a path in the
	// package that begins with "/", or "". noSolution means that there is no answer.
	solution   string
	noSolution bool

	match map[string][]string // regular expressions that ".in" and ".ans" must match

	includeOf string // name of the earlier case that this one equals; or ""

	at *yaml.Node // its key in generators.yaml; nil for a command of --gen
}

// root returns the folder of data/ that the case is in: "sample", "secret".
func (c *casePlan) root() string { return rootOf(c.name) }

func rootOf(name string) string {
	root, _, _ := strings.Cut(name, "/")
	return root
}

// A group is a folder of cases.
type group struct {
	name string // below data/: "secret/1-small"

	settings     *yaml.Node // contents of test_group.yaml, or of testdata.yaml in a legacy package; nil if not given
	settingsFile string     // the name of the file

	at *yaml.Node // its key in generators.yaml
}

// seedOf returns the value of {seed} in a command: the SHA-512 of salt and command
// as a big-endian integer, modulo 2^31. The salt of a case is its random_salt; if
// its count is not 1, ":" and count-1 follow.
func seedOf(salt, command string) uint32 {
	sum := sha512.Sum512([]byte(salt + command))
	return binary.BigEndian.Uint32(sum[len(sum)-4:]) & (1<<31 - 1)
}

// Makes reports whether a file below data/ belongs to a case of the plan, or has the
// settings of a folder.
func (p *Plan) Makes(name string) bool {
	owner, _ := ownerOf(name)
	_, ok := p.index[owner]
	return ok || slices.ContainsFunc(p.groups, func(g group) bool {
		return g.settingsFile != "" &&
			path.Join(g.name, g.settingsFile) == owner
	})
}

// Command returns the command that makes a case, as written in generators.yaml; "" if
// none does.
func (p *Plan) Command(name string) string {
	if i, ok := p.index[name]; ok {
		return p.cases[i].command
	}
	return ""
}

// Answers reports whether generators.yaml itself, or a file that a case copies, has the
// answer of the case.
func (p *Plan) Answers(fsys fs.FS, name string) bool {
	i, ok := p.index[name]
	if !ok {
		return false
	}
	c := &p.cases[i]
	_, given := c.text[".ans"]
	return given || c.copy != "" && !problem.Absent(fsys, path.Join("generators", c.copy)+".ans")
}

// roots returns the folders of data/ that the plan decides.
func (p *Plan) roots() map[string]bool {
	roots := map[string]bool{"sample": true, "secret": true}
	for _, c := range p.cases {
		roots[c.root()] = true
	}
	return roots
}
