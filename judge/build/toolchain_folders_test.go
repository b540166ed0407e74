package build

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestFoldersOf(t *testing.T) {
	top := Resolved(t.TempDir())
	home := filepath.Join(top, "home", "me")
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	file := func(name string) string {
		name = filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, nil, 0o755)); err != nil {
			t.Fatal(err)
		}
		return name
	}
	link := func(name, to string) string {
		name = filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, name); err != nil {
			t.Skip(err)
		}
		return name
	}
	below := func(names ...string) (full []string) {
		for _, name := range names {
			full = append(full, filepath.Join(home, name))
		}
		return full
	}
	jdk, uv := file("jdk/bin/java"), file("uv/cpython/bin/python3.12")
	for _, c := range []struct {
		name, tool string
		prefixes   []string
		start      string
		needs      []string
	}{
		{"of the machine", "/usr/bin/gcc", nil, "/usr/bin/gcc", nil},
		{"of the machine, and says so", "/usr/local/go/bin/go", []string{"/usr/local/go"}, "/usr/local/go/bin/go", nil},
		{"a folder of its own", jdk, nil, jdk, below("jdk")},
		{"where it says", file("pyenv/shims/python3"), below("pyenv/versions/3"), filepath.Join(home, "pyenv/shims/python3"), below("pyenv/versions/3", "pyenv/shims/python3")},
		{"in the home folder's bin", file("bin/gcc"), nil, filepath.Join(home, "bin/gcc"), below("bin/gcc")},
		{"which says it needs all of home", file("bin/mine"), []string{home, "/", filepath.Dir(home)}, filepath.Join(home, "bin/mine"), below("bin/mine")},
		{"a link into it", link("local/bin/java", jdk), nil, jdk, below("jdk")},
		{"a link to a versioned name", link("local/bin/python3", uv), below("uv/cpython"), uv, below("uv/cpython")},
		{"by the name that it is called by", link("local/bin/g++", file("ccache/bin/cache")), nil, filepath.Join(home, "local/bin/g++"), below("ccache", "local/bin/g++")},
		{"a virtual environment", link("venv/bin/python3", "/usr/bin/python3"), []string{filepath.Join(home, "venv"), "/usr"}, filepath.Join(home, "venv/bin/python3"), below("venv")},
	} {
		t.Run(c.name, func(t *testing.T) {
			start, needs := foldersOf(c.tool, c.prefixes)
			slices.Sort(needs)
			slices.Sort(c.needs)
			if needs = slices.Compact(needs); start != c.start || !slices.Equal(needs, c.needs) {
				t.Errorf("foldersOf(%s, %v) = %s, %v; expected %s, %v", c.tool, c.prefixes, start, needs, c.start, c.needs)
			}
		})
	}
}
