package record

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// opened opens a copy of the package sum of transcripts to which it adds a number of cases.
func opened(t testing.TB, more int) *Selection {
	dir := filepath.Join(t.TempDir(), "sum")
	if err := os.CopyFS(dir, os.DirFS("../internal/transcript/sum")); err != nil {
		t.Fatal(err)
	}
	for i := range more {
		for ext, text := range map[string]string{".in": "1 2\n", ".ans": "3\n"} {
			if err := os.WriteFile(filepath.Join(dir, "data/secret", fmt.Sprintf("x%05d%s", i, ext)), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	source, err := problem.Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { source.Close() })
	p, err := problem.Open(source)
	if err != nil {
		t.Fatal(err)
	}
	return &Selection{Source: source, Problem: p, Cases: p.Cases, Submissions: p.Submissions}
}

func TestHashesAreOfWhatIsRead(t *testing.T) {
	c := opened(t, 0)
	before := headOf(c, nil)
	if again := headOf(c, nil); again.Data != before.Data {
		t.Errorf("the same data: %s, then %s", before.Data, again.Data)
	}
	name, ok := filepath.Abs(c.Source.(*problem.Source).Where("data/secret/1.ans"))
	if ok != nil {
		t.Fatal(ok)
	}
	if err := os.WriteFile(name, []byte("another answer\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.Source.(*problem.Source).Where(c.Submissions[0].Path), []byte("# another program\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	after := headOf(c, nil)
	if after.Data == before.Data {
		t.Error("an answer changed, and the data's hash did not")
	}
	for i := range before.Cases {
		if changed := before.Cases[i].Data != after.Cases[i].Data; changed != (before.Cases[i].Name == "secret/1") || len(after.Cases[i].Data) != 32 {
			t.Errorf("%s: %s, then %s", before.Cases[i].Name, before.Cases[i].Data, after.Cases[i].Data)
		}
	}
	for i := range before.Submissions {
		if changed := before.Submissions[i].Source != after.Submissions[i].Source; changed != (i == 0) || len(after.Submissions[i].Source) != 32 {
			t.Errorf("%s: %s, then %s", before.Submissions[i].Name, before.Submissions[i].Source, after.Submissions[i].Source)
		}
	}
}

func TestKeyIsOfWhatResultsDependOn(t *testing.T) {
	files := map[string]string{
		"problem.yaml": "name: sum\n", "data/secret/1.in": "1 2\n", "data/secret/1.ans": "3\n", "submissions/accepted/a.sh": "cat\n",
		"output_validators/check.sh": "exit 42\n", "statement/problem.en.md": "Add.\n", "generators/generators.yaml": "data: {}\n",
	}
	keyOf := func(change string) string {
		fsys := make(fstest.MapFS)
		for name, text := range files {
			if name == change {
				text += "\n"
			}
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
		return PackageKey(fsys)
	}
	same := keyOf("")
	if same == "" {
		t.Fatal("no key")
	}
	for name := range files {
		free := name == "statement/problem.en.md" || name == "generators/generators.yaml"
		if got := keyOf(name); (got == same) != free {
			t.Errorf("%s changed: key %s, was %s; expected equal: %v", name, got, same, free)
		}
	}
	files["data/secret/2.in"] = files["data/secret/1.in"]
	if keyOf("") == same {
		t.Error("a new case does not change the key")
	}
}

// BenchmarkRecording measures the cost of storing for each case: of the hashes at the
// beginning, and of the lines.
func BenchmarkRecording(b *testing.B) {
	c := opened(b, 1000)
	b.Run("hash", func(b *testing.B) {
		for b.Loop() {
			headOf(c, nil)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(c.Cases)), "ns/case")
	})
	b.Run("line", func(b *testing.B) {
		r, err := NewRecording(b.TempDir(), &Head{Command: "run"}, []Selection{*c}, nil, nil)
		if err != nil {
			b.Fatal(err)
		}
		run := judge.Run{Case: "secret/1", Verdict: problem.Accepted, Outcome: sandbox.Outcome{CPU: time.Millisecond, Wall: time.Millisecond}}
		for b.Loop() {
			run.Outcome.CPU++
			r.ran(c.Submissions[0], &run)
		}
		r.Close(0, 0)
	})
}

func TestLargeFilesAreNotReadToBeRecorded(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "1.in")
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, 3<<30); err != nil {
		t.Skip("no sparse files:", err)
	}
	var read int64
	h := hasher{fsys: countingFS{os.DirFS(dir), &read}, buffer: make([]byte, 64<<10), file: sha256.New()}
	hash := func() string {
		sum := sha256.New()
		if err := h.addFile(sum, "1.in", ".in"); err != nil {
			t.Fatal(err)
		}
		return digits(sum)
	}
	before := hash()
	if read > 2*maxHashed {
		t.Errorf("%d bytes were read of 3 GiB", read)
	}
	if again := hash(); again != before {
		t.Errorf("the hash of an unchanged file is %s, then %s", before, again)
	}
	if err := os.Chtimes(name, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if after := hash(); after == before {
		t.Error("a file of another time has the same hash")
	}
}

// A countingFS counts the bytes that are read from its files.
type countingFS struct {
	fs.FS
	read *int64
}

func (c countingFS) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	return countingFile{f, c.read}, err
}

type countingFile struct {
	fs.File
	read *int64
}

func (c countingFile) Read(p []byte) (int, error) {
	n, err := c.File.Read(p)
	*c.read += int64(n)
	return n, err
}
