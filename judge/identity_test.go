package judge

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// The identity covers each file that this package is built from, for any system, and no
// test.
func TestSourcesOfIdentity(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "-json=ImportPath,GoFiles,IgnoredGoFiles,SFiles,IgnoredOtherFiles,EmbedFiles", ".")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	var expected []string
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath                                                     string
			GoFiles, IgnoredGoFiles, SFiles, IgnoredOtherFiles, EmbedFiles []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		folder, ours := strings.CutPrefix(p.ImportPath, "crucible/judge")
		if !ours {
			continue
		}
		if folder == "" {
			p.EmbedFiles = nil // the sources themselves
		}
		for _, name := range slices.Concat(p.GoFiles, p.IgnoredGoFiles, p.SFiles, p.IgnoredOtherFiles, p.EmbedFiles) {
			if !strings.HasSuffix(name, "_test.go") {
				expected = append(expected, path.Join(strings.TrimPrefix(folder, "/"), name))
			}
		}
	}
	var got []string
	fs.WalkDir(sources, ".", func(name string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			got = append(got, name)
		}
		return err
	})
	slices.Sort(expected)
	slices.Sort(got)
	if diff := cmp.Diff(expected, got); diff != "" {
		t.Errorf("sources of the identity: expected (-) and got (+):\n%s", diff)
	}
}

func TestDigestOfSources(t *testing.T) {
	digest := func(files map[string]string) string {
		m := make(fstest.MapFS)
		for name, text := range files {
			m[name] = &fstest.MapFile{Data: []byte(text)}
		}
		return digestOf(m)
	}
	base := digest(map[string]string{"a.go": "x, y", "b/c.go": "z"})
	if got := digest(map[string]string{"b/c.go": "z", "a.go": "x, y"}); got != base {
		t.Errorf("the same files: got %s, expected %s", got, base)
	}
	for fact, files := range map[string]map[string]string{
		"a comma is gone":                   {"a.go": "x y", "b/c.go": "z"},
		"a file has another name":           {"a2.go": "x, y", "b/c.go": "z"},
		"a file is in another folder":       {"a.go": "x, y", "c.go": "z"},
		"text moved from one file to other": {"a.go": "x, ", "b/c.go": "yz"},
		"a file is gone":                    {"a.go": "x, y"},
	} {
		if got := digest(files); got == base || len(got) != 32 {
			t.Errorf("%s: got %s, expected another digest of 32 digits than that of the base", fact, got)
		}
	}
}
