//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFoldersToWriteToAreBounded(t *testing.T) {
	p := newBox(t)
	for _, test := range []struct {
		fact, script string
		exceeded     Resource
	}{
		{"space of many files", `for i in $(seq 100); do fallocate -l 1M $i || exit 0; done`, ""}, // fallocate fails without a partial write if the file does not fit
		{"bytes of many files", `for i in $(seq 100); do head -c 1M /dev/urandom > $i || exit 0; done`, Files},
		{"files that are mostly holes", `for i in $(seq 100); do truncate -s 1M $i || exit 0; done`, Files},
	} {
		t.Run(test.fact, func(t *testing.T) {
			folder := openFolder(t)
			c := Cmd{Args: []string{"/bin/sh", "-c", "cd " + folder + "; " + test.script}, Writes: []string{folder}, Limits: Limits{Files: 8 << 20}}
			o, out := run(t, p, c)
			if o.Exceeded != test.exceeded {
				t.Errorf("%+v %s, want %q to be exceeded", o, out, test.exceeded)
			}
			var size int64
			filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
				if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
					size += info.Size()
				}
				return err
			})
			if size > 9<<20 {
				t.Errorf("%d bytes are left on the disk", size)
			}
		})
	}
}

func TestFoldersToWriteToKeepWhatWasLeft(t *testing.T) {
	p := newBox(t)
	folder := openFolder(t)
	writeFile(t, filepath.Join(folder, "old"), "old")
	writeFile(t, filepath.Join(folder, "gone"), "gone")
	outside := writeFile(t, filepath.Join(openFolder(t), "outside"), "outside")
	state := func() string {
		var all []string
		filepath.WalkDir(folder, func(name string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			line := fmt.Sprint(strings.TrimPrefix(name, folder), " ", e.Type())
			if info, err := e.Info(); err == nil && e.Type().IsRegular() {
				text, _ := os.ReadFile(name)
				line = fmt.Sprintf("%s %v %s", strings.TrimPrefix(name, folder), info.Mode(), text)
			}
			if to, err := os.Readlink(name); err == nil {
				line += " " + to
			}
			all = append(all, line)
			return nil
		})
		return strings.Join(all[1:], "\n")
	}
	do := func(script string) {
		t.Helper()
		o, out := run(t, p, Cmd{Args: []string{"/bin/sh", "-c", "cd " + folder + " || exit 1; " + script}, Writes: []string{folder}, Stderr: os.Stderr})
		if o.Exit != 0 {
			t.Errorf("%s: %+v %s", script, o, out)
		}
	}
	do("rm gone; printf new > new; chmod 755 new; mkdir -p a/b; printf deep > a/b/deep; mkfifo pipe; ln -s " + outside + " link; ln -s / a/root")
	want := strings.Join([]string{"/a d---------", "/a/b d---------", "/a/b/deep -rw-r--r-- deep", "/a/root L--------- /", "/link L--------- " + outside, "/new -rwxr-xr-x new", "/old -rw-r--r-- old", "/pipe p---------"}, "\n")
	if got := state(); got != want {
		t.Errorf("the first run left\n%s\nwant\n%s", got, want)
	}
	// The judge does not follow links that the first run left when it copies the
	// files of the second run, and it replaces entries whose type has changed.
	do("test \"$(cat a/b/deep)\" = deep && test ! -e pipe && rm link a/root old && mkdir link a/root old && printf 1 > link/x && printf 2 > a/root/judge-test && printf 3 > pipe")
	want = strings.Join([]string{"/a d---------", "/a/b d---------", "/a/b/deep -rw-r--r-- deep", "/a/root d---------", "/a/root/judge-test -rw-r--r-- 2", "/link d---------", "/link/x -rw-r--r-- 1", "/new -rwxr-xr-x new", "/old d---------", "/pipe -rw-r--r-- 3"}, "\n")
	if got := state(); got != want {
		t.Errorf("the second run left\n%s\nwant\n%s", got, want)
	}
	if text, _ := os.ReadFile(outside); string(text) != "outside" {
		t.Errorf("a file outside is %q", text)
	}
	if _, err := os.Lstat("/judge-test"); err == nil {
		t.Error("a file was made in the root of the machine")
	}
	// Folders below the maximum depth are dropped.
	do("i=0; while [ $i -lt 300 ]; do mkdir d && cd d || exit 1; i=$((i+1)); done")
}
