package foreign

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"crucible/judge/internal/yaml"
	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Problems of DMOJ (docs.dmoj.ca): init.yml lists the cases with their points, some in
// batches. Their files are in the folder or in a zip in it, or a generator makes them.
// Statements, limits and solutions are in the database of the site.

const (
	dmojFile     = "init.yml"
	maxExtracted = 512 << 20 // bytes of a zip in the package, and of the files read from it
	noFile       = "\x00"    // stands for an empty file of a case
)

// A dmoj reads a problem of DMOJ.
type dmoj struct {
	*draft
	root    *yaml.Node
	zip     *zip.Reader // of the key archive, or nil
	left    int64       // bytes that may still be read from zip
	partial bool        // the checker can give a part of the points
	python  bool        // the checker is run by dmojWrapper, which reads the points

	list       []dmojItem // cases and batches
	generators []string   // sources of the generators added so far, by their numbers
}

// dmojRules are the states of keys of the problem, which batches and cases inherit. A key
// with an empty rule is read.
var dmojRules = rulesOf(
	keyList{"test_cases pretest_test_cases archive points generator in out", partRule{}},
	keyList{"binary_data output_limit_length symlinks", partRule{}},
	keyList{"checker interactive custom_judge grader signature_grader", partRule{}},
	keyList{"output_prefix_length", partRule{state: Equal, what: "it says how much of an output contestants see"}},
	keyList{"short_circuit", partRule{state: Equal, what: "DMOJ takes it from the site"}},
	keyList{"hints", decisive("it changes what programs in some languages may do")},
	keyList{"wall_time_factor", decisive("it bounds the real time of submissions")},
	keyList{"unbuffered", decisive("programs that do not flush their output end in time on DMOJ only")},
)

// keys states the keys of a map: the table has their states, and others are lost and can
// change verdicts. A key with an empty rule is read.
func (d *draft) keys(n *yaml.Node, of string, table map[string]partRule) {
	for _, f := range n.Fields() {
		key := f.Key.Text()
		rule, known := table[key]
		what := strings.TrimSuffix("the key "+key+of+": "+rule.what, ": ")
		off, err := f.Value.AsBool()
		switch {
		case err == nil && !off && rule.verdicts:
			d.equal(placeOf(f.Key), "the key %s%s: it is false", key, of)
		case !known:
			d.loseVerdicts(placeOf(f.Key), "%s", what)
		case rule.state == "":
			d.carry(placeOf(f.Key), "%s", what)
		default:
			d.parts.State(Part{State: rule.state, Where: placeOf(f.Key), What: what, Verdicts: rule.verdicts})
		}
	}
}

func readDMOJ(d *draft) error {
	data, err := d.read(dmojFile, problem.MaxYAML)
	if err != nil {
		return err
	}
	root, err := yaml.Parse(d.where(dmojFile), data)
	if err != nil {
		return err
	}
	if root.Kind() != yaml.Map || root.Get("test_cases") == nil && root.Get("archive") == nil {
		return root.Errorf("expected a map with the key test_cases or archive")
	}
	r := &dmoj{draft: d, root: root, left: maxExtracted}
	r.extracted = map[string][]byte{noFile: {}}
	d.is(problem.Scoring)
	d.keys(root, "", dmojRules)
	if err := InOrder(r.archive, r.limits, r.graders, r.items, r.checker, r.cases, r.members); err != nil {
		return err
	}
	if r.partial {
		d.equal(d.where(dmojFile),
			"outputs that are wrong but get points are accepted with these points, so scores are the same")
	}
	return nil
}

// dmojOutput is the limit of outputs in bytes, if init.yml has none.
const dmojOutput = 24 << 20

// limits reads the limits of submissions that init.yml can have.
func (r *dmoj) limits() error {
	r.meta.Limits.Output = dmojOutput >> 20
	if n := r.root.Get("output_limit_length"); n != nil {
		bytes, err := n.AsInt()
		if err != nil || bytes < 1 || bytes > problem.MaxLimitMiB<<20 {
			return n.Errorf("output_limit_length: expected a number of bytes from 1 to %d, found %q",
				int64(problem.MaxLimitMiB)<<20, n.Text())
		}
		if r.meta.Limits.Output = (bytes + 1<<20 - 1) >> 20; bytes%(1<<20) != 0 {
			r.loseVerdicts(placeOf(n), "output_limit_length of %d bytes: the format has whole MiB, so the limit is %d MiB",
				bytes, r.meta.Limits.Output)
		}
	}
	if n := r.root.Get("symlinks"); n != nil && len(n.Fields()) > 0 {
		r.loseVerdicts(placeOf(n), "symlinks: submissions find no files of these names")
	}
	return nil
}

// graders states programs of the problem that judge or call submissions.
func (r *dmoj) graders() error {
	for _, key := range []string{"custom_judge", "grader"} {
		if n := r.root.Get(key); n != nil {
			r.loseVerdicts(placeOf(n), "%s: the program that judges submissions; outputs are compared with the answers", key)
		}
	}
	n := r.root.Get("signature_grader")
	if n == nil {
		return nil
	}
	names := make(map[string]string)
	for _, key := range []string{"entry", "header"} {
		at := n.Get(key)
		if at == nil {
			return n.Errorf("signature_grader: expected the keys entry and header")
		}
		name, err := at.AsString()
		if err != nil {
			return err
		}
		if !r.has(name) || problem.IgnoredName(path.Base(name)) || !slices.Contains(cExtensions, path.Ext(name)) {
			return at.Errorf("signature_grader: expected a file in C or C++ with the key %s, found %q", key, name)
		}
		names[key] = name
	}
	entry, err := r.read(names["entry"], maxSource)
	if err != nil {
		return err
	}
	for folder, ext := range map[string]string{"c": ".c", "cpp": ".cpp"} {
		base := path.Base(names["entry"])
		r.files["include/"+folder+"/"+strings.TrimSuffix(base,
			path.Ext(base))+ext] = archive.File{Data: slices.Concat([]byte("#define SIGNATURE_GRADER 1\n#line 1\n"), entry)}
		r.files["include/"+folder+"/"+path.Base(names["header"])] = archive.File{From: r.at(names["header"])}
	}
	r.loseVerdicts(placeOf(n),
		"signature_grader: submissions must include %s themselves and have no function main, which DMOJ changes in them",
		path.Base(names["header"]))
	return nil
}

// members states the files of the archive that no case names.
func (r *dmoj) members() error {
	if r.zip == nil {
		return nil
	}
	var unused []string
	for _, f := range r.zip.File {
		if r.extracted[f.Name] == nil && !strings.HasSuffix(f.Name, "/") {
			unused = append(unused, terminal.QuoteName(f.Name))
		}
	}
	if n := len(unused); n > 0 {
		r.lose(placeOf(r.root.Get("archive")), "%d files of the archive that no case names, such as %s", n, unused[0])
	}
	return nil
}

// archive opens the zip of test data.
func (r *dmoj) archive() error {
	n := r.root.Get("archive")
	if n == nil {
		return nil
	}
	name, err := n.AsString()
	if err != nil {
		return err
	}
	if !r.has(name) {
		return n.Errorf("archive: %q is missing", name)
	}
	data, err := r.read(name, maxExtracted)
	if err != nil {
		return err
	}
	if r.zip, err = zip.NewReader(bytes.NewReader(data), int64(len(data))); err != nil {
		return problem.Defectf(r.where(name), "%v", err)
	}
	problem.SlashNames(r.zip)
	return nil
}

// file returns the name of a file of a test, which may be in the zip. A file that is not
// named is empty.
func (r *dmoj) file(n *yaml.Node) (string, error) {
	if n == nil || n.Kind() == yaml.Null {
		return noFile, nil
	}
	name, err := n.AsScalar()
	if err != nil {
		return "", err
	}
	return r.fileNamed(n, name)
}

func (r *dmoj) fileNamed(n *yaml.Node, name string) (string, error) {
	switch {
	case r.extracted[name] != nil:
		return name, nil
	case r.has(name):
		data, err := r.read(name, maxExtracted)
		return r.at(name), errors.Join(err, r.normalize(r.at(name), data))
	case r.zip == nil:
		return "", n.Errorf("%q is missing", name)
	}
	for _, f := range r.zip.File {
		if f.Name != name {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return "", n.Errorf("%q: %v", name, err)
		}
		defer in.Close()
		data, err := io.ReadAll(io.LimitReader(in, r.left+1))
		if r.left -= int64(len(data)); err == nil && r.left < 0 {
			err = n.Errorf("the zip has more than 512 MiB of tests")
		}
		if err != nil {
			return "", n.Errorf("%q: %v", name, err)
		}
		r.extracted[name] = data
		return name, r.normalize(name, data)
	}
	return "", n.Errorf("%q is neither in the package nor in its archive", name)
}

// normalize gives a file of a case LF for the CR that ends its lines, as DMOJ does unless
// the data is binary. A carriage return before LF needs no care here.
func (r *dmoj) normalize(name string, data []byte) error {
	if n := r.root.Get("binary_data"); n != nil && n.Kind() == yaml.Bool {
		if binary, err := n.AsBool(); err != nil || binary {
			return err
		}
	}
	if lines := bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")); bytes.IndexByte(lines, '\r') >= 0 {
		r.extracted[name] = bytes.ReplaceAll(lines, []byte("\r"), []byte("\n"))
	}
	return nil
}
