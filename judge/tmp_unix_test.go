//go:build unix

package judge

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestAbandonedFolders(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	old := time.Now().Add(-time.Hour)
	folder := func(name string, locked bool, age time.Time) string {
		dir := filepath.Join(tmp, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		f, err := lockTmp(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(f.Name(), age, age); err != nil {
			t.Fatal(err)
		}
		if locked {
			t.Cleanup(func() { f.Close() })
		} else {
			f.Close()
		}
		return dir
	}
	abandoned := folder(tmpPrefix+"abandoned", false, old)
	kept := []string{folder(tmpPrefix+"used", true, old), folder(tmpPrefix+"new", false, time.Now()), folder("other", false, old)}
	removeAbandoned()
	if _, err := os.Stat(abandoned); !os.IsNotExist(err) {
		t.Errorf("the folder of a dead judge is still there (%v)", err)
	}
	for _, dir := range kept {
		if _, err := os.Stat(dir); err != nil {
			t.Error(err)
		}
	}
}
