//go:build unix

package problem

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"crucible/judge/internal/testkit"
)

// A package may contain any kind of file in place of a regular file or folder. Each is
// reported with its name, and Open does not wait for any of them.
func TestWhatIsInPlaceOfFiles(t *testing.T) {
	fifo := func(name string) error { return unix.Mkfifo(name, 0o644) }
	link := func(to string) func(string) error {
		return func(name string) error { return os.Symlink(to, name) }
	}
	folder := func(name string) error { return os.Mkdir(name, 0o755) }
	file := func(name string) error { return os.WriteFile(name, []byte("x\n"), 0o644) }
	socket := func(name string) error {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: name, Net: "unix"})
		if err == nil {
			l.SetUnlinkOnClose(false)
			err = l.Close()
		}
		return err
	}
	device := func(name string) error { return unix.Mknod(name, unix.S_IFCHR|0o666, 1<<8|5) } // /dev/zero
	// The user root can read files without permission.
	closed := func(make func(string) error) func(string) error {
		return func(name string) error {
			if os.Geteuid() == 0 {
				return unix.EPERM
			}
			return errors.Join(make(name), os.Chmod(name, 0))
		}
	}
	const (
		denied  = "cannot be read: permission denied"
		regular = "expected a regular file"
		gone    = "is missing"
		loop    = "too many levels of symbolic links"
		noDir   = "expected a folder"
	)
	for _, c := range []struct {
		name, at string
		lay      func(string) error
		want     string // text of the error, or "warning: " and the text of the warning
	}{
		{"a pipe for problem.yaml", "problem.yaml", fifo, "problem.yaml: " + regular},
		{"a socket for problem.yaml", "problem.yaml", socket, "problem.yaml: " + regular},
		{"an endless device for problem.yaml", "problem.yaml", device, "problem.yaml: " + regular},
		{"a folder for problem.yaml", "problem.yaml", folder, "problem.yaml: " + regular},
		{"a link to itself for problem.yaml", "problem.yaml", link("problem.yaml"), "problem.yaml: cannot be read: " + loop},
		{"a link to nothing for problem.yaml", "problem.yaml", link("nothing"), "problem.yaml: " + gone},
		{"a link out for problem.yaml", "problem.yaml", link("../../outside"), "problem.yaml: cannot be read: leads outside the package"},
		{"a link to a device for problem.yaml", "problem.yaml", link("/dev/zero"), "problem.yaml: cannot be read: leads outside the package"},

		{"a pipe for an input", "data/secret/1.in", fifo, "data/secret/1.in: " + regular},
		{"a socket for an input", "data/secret/1.in", socket, "data/secret/1.in: " + regular},
		{"an endless device for an input", "data/secret/1.in", device, "data/secret/1.in: " + regular},
		{"a link to itself for an input", "data/secret/1.in", link("1.in"), "data/secret/1.in: cannot be read: " + loop},
		{"a pipe for an answer", "data/secret/1.ans", fifo, "data/secret/1.ans: " + regular},
		{"two links to each other for an answer", "data/secret/1.ans", func(name string) error {
			return errors.Join(os.Symlink("other", name), os.Symlink("1.ans", filepath.Join(filepath.Dir(name), "other")))
		}, "data/secret/1.ans: cannot be read: " + loop},
		{"a folder for an input", "data/secret/1.in", folder, "data/secret/1.ans: belongs to a case without input"},
		{"a folder for an answer", "data/secret/1.ans", folder, "data/secret/1.in: case without answer"},
		{"a pipe for a case's yaml", "data/secret/1.yaml", fifo, "data/secret/1.yaml: " + regular},
		{"a link to itself for a case's yaml", "data/secret/1.yaml", link("1.yaml"), "data/secret/1.yaml: cannot be read: " + loop},
		{"a pipe for a group's yaml", "data/secret/test_group.yaml", fifo, "data/secret/test_group.yaml: " + regular},
		{"a folder for a group's yaml", "data/secret/test_group.yaml", folder, "data/secret/test_group.yaml: " + regular},
		{"a link to nothing for a group's yaml", "data/secret/test_group.yaml", link("nothing"), "data/secret/test_group.yaml: " + gone},
		{"a file for .files", "data/secret/1.files", file, "warning: data/secret/1.files: does not belong to a case"},
		{"a link to itself for .files", "data/secret/1.files", link("1.files"), "warning: data/secret/1.files: does not belong to a case"},

		{"no right to read problem.yaml", "problem.yaml", closed(file), "problem.yaml: " + denied},
		{"no right to read an input", "data/secret/1.in", closed(file), "data/secret/1.in: " + denied},
		{"no right to read an answer", "data/secret/1.ans", closed(file), "data/secret/1.ans: " + denied},
		{"no right to read a case's yaml", "data/secret/1.yaml", closed(file), "data/secret/1.yaml: " + denied},
		{"no right to read a group's yaml", "data/secret/test_group.yaml", closed(file), "data/secret/test_group.yaml: " + denied},
		{"no right to read a folder of cases", "data/secret/sub", closed(folder), "data/secret/sub: " + denied},
		{"no right to read .files", "data/secret/1.files", closed(folder), "data/secret/1.files: " + denied},
		{"no right to read submissions.yaml", "submissions/submissions.yaml", closed(file), "submissions/submissions.yaml: " + denied},
		{"no right to read a folder of submissions", "submissions/accepted", closed(folder), "submissions/accepted: " + denied},
		{"no right to read a folder of validators", "input_validators", closed(folder), "input_validators: " + denied},
		{"no right to read the output validator", "output_validator", closed(folder), "output_validator: " + denied},
		{"no right to read a submission", "submissions/accepted/a.py", closed(file), "source: " + denied},

		{"a file for data", "data", file, "data: cannot be read: not a directory"},
		{"a link to itself for data", "data", link("data"), "data: cannot be read: " + loop},
		{"a file for secret", "data/secret", file, "data/secret: " + noDir},
		{"a pipe for sample", "data/sample", fifo, "data/sample: " + noDir},
		{"a link to itself for sample", "data/sample", link("sample"), "data/sample: cannot be read: " + loop},
		{"a link to nothing for sample", "data/sample", link("nothing"), "data/sample: " + gone},
		{"a folder of cases that is the folder above", "data/secret/up", link(".."), "data/secret/up: is a symbolic link to a folder that contains it"},
		{"a folder of cases that is itself", "data/secret/self", link("."), "data/secret/self: is a symbolic link to a folder that contains it"},
		{"a folder of cases that is the package", "data/secret/all", link("../.."), "data/secret/all: is a symbolic link to a folder that contains it"},

		{"a pipe for submissions.yaml", "submissions/submissions.yaml", fifo, "submissions/submissions.yaml: " + regular},
		{"a folder for submissions.yaml", "submissions/submissions.yaml", folder, "submissions/submissions.yaml: " + regular},
		{"a link to itself for submissions.yaml", "submissions/submissions.yaml", link("submissions.yaml"), "submissions/submissions.yaml: cannot be read: " + loop},
		{"a link to nothing for submissions.yaml", "submissions/submissions.yaml", link("nothing"), "submissions/submissions.yaml: " + gone},
		{"a file for submissions", "submissions", file, "submissions: cannot be read: not a directory"},
		{"a file for a folder of submissions", "submissions/accepted", file, "warning: submissions/accepted: is not a submission"},
		{"a link to itself for a folder of submissions", "submissions/accepted", link("accepted"), "warning: submissions/accepted: is not a submission"},
		{"a pipe for a submission", "submissions/accepted/a.py", fifo, "submission: submissions/accepted/a.py: expected a regular file or a folder"},
		{"a socket for a submission", "submissions/accepted/a.py", socket, "submission: submissions/accepted/a.py: expected a regular file or a folder"},
		{"a link to itself for a submission", "submissions/accepted/a.py", link("a.py"), "submission: submissions/accepted/a.py: cannot be read: " + loop},
		{"a link to nothing for a submission", "submissions/accepted/a.py", link("nothing"), "submission: submissions/accepted/a.py: " + gone},
		{"an empty folder for a submission", "submissions/accepted/a.py", folder, "submission: submissions/accepted/a.py: expected a program, found an empty folder"},
		{"a submission that is the folder above", "submissions/accepted/a.py", link(".."), "source: cannot be read: " + loop},
		{"a submission with a pipe in it", "submissions/accepted/a.py", func(name string) error {
			return errors.Join(os.Mkdir(name, 0o755), fifo(filepath.Join(name, "main.py")))
		}, "source: a.py/main.py: expected a regular file"},
		{"a submission with a link to its folder in it", "submissions/accepted/a.py", func(name string) error {
			return errors.Join(os.Mkdir(name, 0o755), os.Symlink(".", filepath.Join(name, "main.py")))
		}, "source: cannot be read: " + loop},

		{"a file for input_validators", "input_validators", file, "input_validators: " + noDir},
		{"a link to itself for input_validators", "input_validators", link("input_validators"), "input_validators: cannot be read: " + loop},
		{"a link to nothing for input_validators", "input_validators", link("nothing"), "input_validators: " + gone},
		{"a pipe for an input validator", "input_validators/x.py", fifo, "input_validators/x.py: expected a regular file or a folder"},
		{"a link to itself for an input validator", "input_validators/x.py", link("x.py"), "input_validators/x.py: cannot be read: " + loop},
		{"a file for output_validator", "output_validator", file, "output_validator: " + noDir},
		{"a pipe for output_validator", "output_validator", fifo, "output_validator: " + noDir},
		{"a link to nothing for output_validator", "output_validator", link("nothing"), "output_validator: " + gone},
		{"a link to itself for output_validator", "output_validator", link("output_validator"), "output_validator: cannot be read: " + loop},
		{"an empty output_validator", "output_validator", folder, "output_validator: expected a program, found an empty folder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "sum")
			testkit.Lay(t, dir, testkit.Pack(""))
			name := filepath.Join(dir, filepath.FromSlash(c.at))
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.RemoveAll(name), c.lay(name)); err != nil {
				if errors.Is(err, unix.EPERM) {
					t.Skip(err)
				}
				t.Fatal(err)
			}
			p, err := openSoon(t, dir)
			want := filepath.FromSlash(c.want)
			switch kind, rest, _ := strings.Cut(want, ": "); kind {
			case "warning":
				if p == nil || !begins(p.Warnings, filepath.Join(dir, rest)) {
					t.Errorf("Open = %v; warnings %v; want %s", err, warnings(p), rest)
				}
			case "submission":
				if p == nil || !begins([]error{p.SubmissionNamed("accepted/a.py").Unreadable}, filepath.Join(dir, rest)) {
					t.Errorf("Open = %v; want a submission that is not judged because %s", err, rest)
				}
			case "source":
				if p == nil {
					t.Fatal(err)
				}
				if _, err := p.SubmissionNamed("accepted/a.py").Read(); err == nil || !strings.Contains(err.Error(), rest) {
					t.Errorf("its source: %v; want %s", err, rest)
				}
			default:
				if err == nil || !begins([]error{err}, filepath.Join(dir, want)) {
					t.Errorf("Open = %v; want %s", err, want)
				}
			}
		})
	}
}

// openSoon opens a package in a real folder, which must not take long.
func openSoon(t *testing.T, dir string) (*Problem, error) {
	t.Helper()
	s, err := Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	start := time.Now()
	p, err := Open(s)
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("that took %v", took)
	}
	if err != nil {
		checkDefects(t, err)
	}
	return p, err
}

func warnings(p *Problem) []error {
	if p == nil {
		return nil
	}
	return p.Warnings
}

// Links can multiply: if each folder has two links to the next, a walk along all of
// them takes exponential time.
func TestLinksThatMultiply(t *testing.T) {
	for _, c := range []struct {
		name string
		lay  func(secret string) error
		want string
	}{
		{"around", func(secret string) (err error) {
			for i := range 8 {
				err = errors.Join(err, os.Symlink(".", filepath.Join(secret, fmt.Sprintf("l%d", i))))
			}
			return err
		}, "data/secret/l0: is a symbolic link to a folder that contains it"},
		{"onward", func(secret string) (err error) {
			below := filepath.Join(secret, "..", "..", "include")
			for i := range 30 {
				level := filepath.Join(below, fmt.Sprintf("f%d", i))
				err = errors.Join(err, os.MkdirAll(level, 0o755))
				for _, l := range []string{"a", "b"} {
					err = errors.Join(err, os.Symlink(fmt.Sprintf("../f%d", i+1), filepath.Join(level, l)))
				}
			}
			return errors.Join(err, os.Mkdir(filepath.Join(below, "f30"), 0o755), os.Symlink("../../include/f0", filepath.Join(secret, "l")))
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "sum")
			testkit.Lay(t, dir, testkit.Pack(""))
			if err := c.lay(filepath.Join(dir, "data", "secret")); err != nil {
				t.Fatal(err)
			}
			// The maximum number of links in a path depends on the system.
			if _, err := openSoon(t, dir); c.want != "" && (err == nil || !strings.Contains(err.Error(), filepath.FromSlash(c.want))) {
				t.Errorf("Open = %v; want %s", err, c.want)
			}
		})
	}
}

// Files with names that the format does not allow are ignored. A warning, in which
// control characters are escaped, names those of cases, of folders of cases, of
// submissions and of validators.
func TestNamesInOtherEncodings(t *testing.T) {
	for name, quoted := range map[string]string{
		"caf\xe9":             `"caf\xe9`,
		"\xff\xfe1\x001"[0:3]: `"\xff\xfe1`,
		"gr\u00fcn":           `"gr\u00fcn`,
		"\U0001f600":          `"\U0001f600`,
		"red\x1b[31m":         `"red\x1b[31m`,
		"two\nlines":          `"two\nlines`,
		"bell\a":              `"bell\a`,
		"left\u202eright":     `"left\u202eright`,
		"a b":                 "a b",
		"-x":                  "-x",
	} {
		t.Run(fmt.Sprintf("%+.20q", name), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "sum")
			testkit.Lay(t, dir, testkit.Pack("-- input_validators/x.py --\n"))
			write := func(name string) {
				if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, nil, 0o644)); err != nil {
					t.Skip(err)
				}
			}
			write(filepath.Join(dir, "data", "secret", name+".in"))
			write(filepath.Join(dir, "data", "secret", name+".ans"))
			write(filepath.Join(dir, "data", "secret", name, "2.in"))
			write(filepath.Join(dir, "data", "secret", name, "2.ans"))
			write(filepath.Join(dir, "submissions", "accepted", name+".py"))
			write(filepath.Join(dir, "submissions", name, "x.py"))
			write(filepath.Join(dir, "input_validators", name+".py"))
			p, err := openSoon(t, dir)
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Cases) != 4 || len(p.Submissions) != 2 || len(p.InputValidators) != 1 {
				t.Errorf("%d cases, %d submissions, %d validators; want 4, 2, 1", len(p.Cases), len(p.Submissions), len(p.InputValidators))
			}
			for _, w := range p.Warnings {
				checkDefects(t, w)
			}
			for _, want := range []string{"data/secret/" + quoted + ".in", "data/secret/" + quoted, "submissions/accepted/" + quoted + ".py", "submissions/" + quoted, "input_validators/" + quoted + ".py"} {
				if !begins(p.Warnings, filepath.Join(dir, want)) {
					t.Errorf("no warning begins with %s: %v", want, p.Warnings)
				}
			}
		})
	}
}
