package generate

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"crucible/judge/internal/yaml"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// PinsFile is the file of a package that has the SHA-256 hashes of its generated data,
// in the format of sha256sum: sha256sum -c in data/ checks them too.
const PinsFile = "generators/data.sha256"

// GivenFile is the file of a package that has the SHA-256 hashes of the data of its
// author, such as those of another system from which the package was imported, in the
// same format. Data that differs is an error.
const GivenFile = "generators/given.sha256"

// Pins are the SHA-256 hashes that generated files must have, by their path below
// data/, with extension.
type Pins map[string][32]byte

// ReadPins reads the [PinsFile] of a package. It returns nil if there is none.
func ReadPins(fsys fs.FS) (Pins, error) { return readPins(fsys, PinsFile) }

// ReadGiven reads the [GivenFile] of a package. It returns nil if there is none.
func ReadGiven(fsys fs.FS) (Pins, error) { return readPins(fsys, GivenFile) }

func readPins(fsys fs.FS, name string) (Pins, error) {
	data, err := readOptional(fsys, name, problem.MaxProgramBytes)
	if data == nil || err != nil {
		return nil, err
	}
	return parsePins(problem.Where(fsys, name), data)
}

// Differences returns an error for each file of a generated case whose hash is not that of
// the pins.
func (p Pins) Differences(g *Result) []error {
	var errs []error
	for _, ext := range slices.Sorted(maps.Keys(g.Files)) {
		if sum, ok := p[g.Path(ext)]; ok && sum != g.Files[ext].Sum {
			errs = append(errs, fmt.Errorf("%s: the SHA-256 is %x, expected %x of %s", g.Path(ext), g.Files[ext].Sum, sum,
				GivenFile))
		}
	}
	return errs
}

// readOptional reads a file of a package. It returns nil if there is none.
func readOptional(fsys fs.FS, name string, most int64) ([]byte, error) {
	if problem.Absent(fsys, name) {
		return nil, nil
	}
	return problem.ReadBounded(fsys, name, most)
}

// parsePins parses pins: each line has 64 hexadecimal digits, two spaces, and a path.
// Errors are [yaml.Error]s in the named file.
func parsePins(file string, data []byte) (Pins, error) {
	pins := Pins{}
	lines := map[string]int{}
	number := 0
	for raw := range bytes.Lines(data) {
		number++
		fail := func(column int, format string, args ...any) error {
			return &yaml.Error{File: file, Line: number, Column: column, Msg: fmt.Sprintf(format, args...)}
		}
		line := strings.TrimSuffix(strings.TrimSuffix(string(raw), "\n"), "\r")
		digits, name, ok := strings.Cut(line, " ")
		sum, err := hex.DecodeString(digits)
		switch {
		case err != nil || len(sum) != 32:
			return nil, fail(1, "expected 64 hexadecimal digits, found %q", terminal.Excerpt(digits, 70))
		case !ok || name == "" || name[0] != ' ' && name[0] != '*':
			return nil, fail(65, "expected two spaces and a path after the hash")
		}
		name = name[1:] // sha256sum writes a space or an asterisk, for text or binary
		if !utf8.ValidString(name) || !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\\r\x00") {
			return nil, fail(67, "the path %q: expected a path below data/, with / between folders", terminal.Excerpt(name, 70))
		}
		if first, ok := lines[name]; ok {
			return nil, fail(67, "a second pin of %s; the first is on line %d", name, first)
		}
		lines[name] = number
		pins[name] = [32]byte(sum)
	}
	return pins, nil
}

// Format formats pins for the [PinsFile], sorted by path.
func (p Pins) Format() []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintf(&b, "%x  %s\n", p[name], name)
	}
	return b.Bytes()
}
