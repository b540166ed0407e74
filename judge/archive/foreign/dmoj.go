package foreign

import (
	"archive/zip"
	"bytes"
	"io"
	"strconv"
	"strings"

	"crucible/judge/internal/yaml"
	"crucible/judge/problem"
)

// Problems of DMOJ (docs.dmoj.ca): init.yml lists the cases with their points, some in
// batches. Their files are in the folder or in a zip in it. Statements, limits and
// solutions are in the database of the site.

const (
	dmojFile     = "init.yml"
	maxExtracted = 512 << 20 // bytes of a zip in the package, and of the files read from it
)

// A dmoj reads a problem of DMOJ.
type dmoj struct {
	*draft
	zip  *zip.Reader // of the key archive, or nil
	left int64       // bytes that may still be read from zip
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
	if root.Kind() != yaml.Map || root.Get("test_cases") == nil {
		return root.Errorf("expected a map with the key test_cases")
	}
	r := &dmoj{draft: d, left: maxExtracted}
	d.is(problem.Scoring)
	for _, f := range root.Fields() {
		switch key := f.Key.Text(); key {
		case "test_cases", "archive", "checker", "interactive", "points":
		case "custom_judge", "grader", "signature_grader", "generator":
			return f.Key.Errorf("%s of DMOJ is not supported: expected files of tests, and a standard checker or one with testlib", key)
		default:
			d.lose(strings.TrimSuffix(f.Key.Errorf("").Error(), ": "), "the key %s", key)
		}
	}
	if err := r.archive(root.Get("archive")); err != nil {
		return err
	}
	if err := r.checker(root); err != nil {
		return err
	}
	return r.cases(root.Get("test_cases"), root.Get("points"))
}

// archive opens the zip of test data.
func (r *dmoj) archive(n *yaml.Node) error {
	if n == nil {
		return nil
	}
	name, err := n.AsString()
	if err != nil {
		return err
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

// file returns the name of a file of a test, which may be in the zip.
func (r *dmoj) file(n *yaml.Node) (string, error) {
	name, err := n.AsScalar()
	if err != nil {
		return "", err
	}
	if r.zip == nil || r.has(name) {
		if !r.has(name) {
			return "", n.Errorf("%q is missing", name)
		}
		return r.at(name), nil
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
		if r.extracted == nil {
			r.extracted = make(map[string][]byte)
		}
		r.extracted[name] = data
		return name, nil
	}
	return "", n.Errorf("%q is neither in the package nor in its archive", name)
}

// checker reads the checker or the interactor.
func (r *dmoj) checker(root *yaml.Node) error {
	if n := root.Get("interactive"); n != nil {
		r.is(problem.Interactive)
		return r.bridged("interactor", n, n)
	}
	n := root.Get("checker")
	name, args := "standard", (*yaml.Node)(nil)
	if n != nil {
		at := n
		if n.Kind() == yaml.Map {
			if at, args = n.Get("name"), n.Get("args"); at == nil {
				return n.Errorf("expected the key name")
			}
		}
		var err error
		if name, err = at.AsString(); err != nil {
			return err
		}
	}
	precision := "6"
	if args != nil && args.Kind() == yaml.Map && args.Get("precision") != nil {
		digits, err := args.Get("precision").AsInt()
		if err != nil || digits < 0 || digits > 100 {
			return args.Get("precision").Errorf("precision: expected an integer from 0 to 100")
		}
		precision = strconv.FormatInt(digits, 10)
	}
	switch name {
	case "standard":
		r.validatorArgs = []string{"case_sensitive"}
		r.lose(r.where(dmojFile), "checker standard: it rejects a line break in place of a space, the default validator does not")
	case "identical":
		r.validatorArgs = []string{"case_sensitive", "space_change_sensitive"}
	case "floats":
		r.validatorArgs = []string{"float_tolerance", "1e-" + precision}
	case "floatsabs":
		r.validatorArgs = []string{"float_absolute_tolerance", "1e-" + precision}
	case "floatsrel":
		r.validatorArgs = []string{"float_relative_tolerance", "1e-" + precision}
	case "bridged":
		return r.bridged("checker", n, args)
	default:
		return n.Errorf("checker %q is not supported: expected standard, identical, floats, floatsabs, floatsrel, or bridged with testlib", name)
	}
	return nil
}

// bridged reads a checker or interactor of its own, which must use testlib.
func (r *dmoj) bridged(what string, n, args *yaml.Node) error {
	if args == nil || args.Kind() != yaml.Map || args.Get("files") == nil {
		return n.Errorf("%s: expected the key files", what)
	}
	if kind := args.Get("type"); kind == nil || kind.Text() != "testlib" {
		return n.Errorf("%s: expected type testlib; other types are not supported", what)
	}
	files, err := args.Get("files").AsStringOrStrings()
	if err != nil || len(files) == 0 {
		return args.Get("files").Errorf("files: expected the name of a file, or a list of names")
	}
	return r.judging(what, files[0], "output_validator")
}

// cases reads the cases and batches.
func (r *dmoj) cases(list, points *yaml.Node) error {
	if list.Kind() != yaml.Sequence || len(list.Items()) > maxTests {
		return list.Errorf("test_cases: expected a list of at most %d cases; patterns of names are not supported", maxTests)
	}
	number := 0
	var single []scored
	batches := make(map[int64]string) // groups by the numbers of batches
	flush := func() {
		for _, part := range byPoints(single) {
			r.group("", part, part[0].points*float64(len(part)), problem.Sum)
		}
		single = nil
	}
	for _, n := range list.Items() {
		p, err := dmojPoints(n, points)
		if err != nil {
			return err
		}
		batched := n.Get("batched")
		if batched == nil {
			number++
			c, err := r.testCase(n, number)
			if err != nil {
				return err
			}
			single = append(single, scored{testCase: c, points: p})
			continue
		}
		flush()
		if batched.Kind() != yaml.Sequence || len(batched.Items()) == 0 {
			return batched.Errorf("batched: expected a list of cases")
		}
		var cases []scored
		for _, n := range batched.Items() {
			number++
			c, err := r.testCase(n, number)
			if err != nil {
				return err
			}
			cases = append(cases, scored{testCase: c})
		}
		r.group("", cases, p, problem.AllOrNothing)
		g := r.groups[len(r.groups)-1]
		batches[int64(len(batches)+1)] = "secret/" + g.name
		for _, d := range itemsOf(n.Get("dependencies")) {
			i, err := d.AsInt()
			if name := batches[i]; err != nil || name == "" || name == "secret/"+g.name {
				return d.Errorf("dependencies: expected the number of an earlier batch, found %q", d.Text())
			} else {
				g.settings.RequirePass = append(g.settings.RequirePass, name)
			}
		}
	}
	flush()
	return nil
}

func itemsOf(n *yaml.Node) []*yaml.Node {
	if n == nil {
		return nil
	}
	return n.Items()
}

// dmojPoints reads the points of a case or batch; those of the problem are the default.
func dmojPoints(n, common *yaml.Node) (float64, error) {
	if n.Kind() != yaml.Map {
		return 0, n.Errorf("expected a case: a map with the keys in, out and points")
	}
	at := n.Get("points")
	if at == nil {
		at = common
	}
	if at == nil {
		return 0, n.Errorf("expected the key points")
	}
	p, err := at.AsFloat()
	if err == nil && !(p >= 0 && p <= 1e9) {
		err = at.Errorf("points: expected a number from 0 to 1e9, found %v", p)
	}
	return p, err
}

// testCase reads the files of a case.
func (r *dmoj) testCase(n *yaml.Node, number int) (c testCase, err error) {
	c.name = pad(number, 3)
	if n.Kind() != yaml.Map || n.Get("in") == nil || n.Get("out") == nil {
		return c, n.Errorf("case %d: expected the keys in and out; generators are not supported", number)
	}
	if c.input, err = r.file(n.Get("in")); err == nil {
		c.answer, err = r.file(n.Get("out"))
	}
	return c, err
}
