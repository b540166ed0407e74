package statement

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crucible/judge/problem"
)

// withoutStatement are the packages of the corpora that have no statement.
var withoutStatement = []string{"addone", "fibonacci", "knapsack", "largestsum"}

// broken are the statements of the corpora that are broken: each names a picture that is
// not in the package, and has a group that a comment cuts off.
var broken = []string{"format/interactive/statement/problem.en.tex", "format/multipass/statement/problem.en.tex"}

// TestCorpora renders every statement of the ten problems and of the corpora, which need
// not be there.
func TestCorpora(t *testing.T) {
	for _, root := range []string{"../../../problems", corpora()} {
		if _, err := os.Stat(root); err != nil {
			t.Logf("%s is missing: %v", root, err)
			continue
		}
		packages, statements, failed, pdfs, warnings := 0, 0, 0, 0, 0
		filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.Name() != problem.ProblemFile {
				return nil
			}
			p, err := problem.OpenDir(filepath.Dir(name))
			if err != nil { // broken test data does not prevent a statement
				source, err := problem.Folder(filepath.Dir(name))
				if err != nil {
					t.Error(err)
					return nil
				}
				p, _ = problem.OpenWithoutData(source)
			}
			defer p.Close()
			packages++
			files, err := Files(p)
			if (err != nil) != slices.Contains(withoutStatement, p.ID) {
				t.Errorf("Files(%s) = %v", p.ID, err)
			}
			for _, f := range files {
				if f.Kind() == ".pdf" {
					pdfs++
					continue
				}
				page, err := Render(p, f)
				if (err != nil) != slices.ContainsFunc(broken, func(name string) bool { return strings.HasSuffix(p.Where(f.Name), name) }) {
					t.Errorf("Render: %v (needs TeX: %v)", err, errors.Is(err, ErrNeedsTeX))
				}
				if err != nil {
					failed++
					continue
				}
				statements++
				warnings += len(page.Warnings)
				for _, w := range page.Warnings {
					t.Logf("warning: %v", w)
				}
				if page.Name == "" {
					t.Errorf("%s: no name", p.Where(f.Name))
				}
			}
			return nil
		})
		t.Logf("%s: %d packages, %d statements rendered, %d broken, %d are PDFs, %d warnings", root, packages, statements, failed, pdfs, warnings)
	}
}

// corpora returns the folder of packages by other people.
func corpora() string {
	if dir := os.Getenv("CRUCIBLE_CORPORA"); dir != "" {
		return dir
	}
	return "../../../../shared/corpora"
}
