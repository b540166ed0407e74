package foreign

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"slices"

	"crucible/judge/internal/yaml"
	"crucible/judge/problem"
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

	generators []string // sources of the generators added so far, by their numbers
}

// dmojKeys are the keys of init.yml that the reader uses.
var dmojKeys = []string{"test_cases", "pretest_test_cases", "archive", "checker", "interactive", "points", "generator"}

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
	for _, f := range root.Fields() {
		switch key := f.Key.Text(); {
		case key == "custom_judge" || key == "grader" || key == "signature_grader":
			return f.Key.Errorf("%s of DMOJ is not supported: expected a checker, or an interactor in the key interactive", key)
		case !slices.Contains(dmojKeys, key):
			d.lose(placeOf(f.Key), "the key %s", key)
			// Programs that do not flush their output end in time on DMOJ only.
			d.lost[len(d.lost)-1].Verdicts = key == "unbuffered"
		}
	}
	for _, step := range []func() error{r.archive, r.checker, r.cases} {
		if err := step(); err != nil {
			return err
		}
	}
	if r.partial {
		d.lose(d.where(dmojFile), "the verdict of outputs that are wrong but get points: they are accepted with these points")
		d.lost[len(d.lost)-1].Verdicts = true
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
		return &problem.Defect{File: r.where(name), Msg: err.Error()}
	}
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
