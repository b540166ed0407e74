package generate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"crucible/judge"
	"crucible/judge/internal/osfile"
	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A madeUp is a Runner that simulates generators and solutions: their arguments and
// inputs determine the results. It counts the runs.
type madeUp struct {
	delay bool
	runs  atomic.Int64

	mu    sync.Mutex
	tries map[string]int // by first argument
}

func (r *madeUp) Run(ctx context.Context, c sandbox.Cmd) (sandbox.Outcome, error) {
	o := sandbox.Outcome{Limits: c.Limits}
	i := slices.IndexFunc(c.Args, func(a string) bool { return strings.HasSuffix(a, ".sh") })
	if i < 0 || slices.Contains(c.Args, "-n") { // the compiler
		return o, nil
	}
	r.runs.Add(1)
	if r.delay {
		time.Sleep(time.Duration(time.Now().UnixNano() % int64(2*time.Millisecond)))
	}
	if strings.HasSuffix(c.Args[i], "sum.sh") {
		data, err := io.ReadAll(c.Stdin)
		fmt.Fprintf(c.Stdout, "answer to %s", data)
		return o, err
	}
	args := c.Args[i+1:]
	r.mu.Lock()
	r.tries[args[0]]++
	try := r.tries[args[0]]
	r.mu.Unlock()
	switch args[0] {
	case "crash":
		fmt.Fprintln(c.Stderr, "no idea")
		o.Exit = 1
	case "broken":
		return o, errors.New("the disk is full")
	case "files":
		for _, ext := range []string{".in", ".ans", ".hint", ".other"} {
			if err := os.WriteFile(filepath.Join(c.Dir, "testcase"+ext), []byte("file "+ext+"\n"), 0o600); err != nil {
				return o, err
			}
		}
	case "link":
		if err := os.Symlink("/etc/passwd", filepath.Join(c.Dir, "testcase.ans")); err != nil {
			return o, err
		}
		fmt.Fprintln(c.Stdout, "link")
	case "unsteady":
		fmt.Fprintf(c.Stdout, "a\nb %d\n", try)
	case "extra":
		fmt.Fprintln(c.Stdout, "extra")
		if try > 1 {
			if err := os.WriteFile(filepath.Join(c.Dir, "testcase.png"), nil, 0o600); err != nil {
				return o, err
			}
		}
	case "flood":
		n, err := c.Stdout.Write(make([]byte, c.Limits.Output))
		o.Output, o.Exceeded = int64(n)+1, sandbox.Output
		return o, err
	case "odd": // even seeds fail
		if strings.ContainsAny(args[1][len(args[1])-1:], "02468") {
			o.Exit = 1
			return o, nil
		}
		fmt.Fprintln(c.Stdout, args[1])
	default:
		fmt.Fprintln(c.Stdout, strings.Join(args, " "))
	}
	return o, nil
}

// generated makes the cases of a generators.yaml with a madeUp as Runner.
func generated(t *testing.T, j *judge.Judge, data string, how Options) (map[string]string, map[string]error, *madeUp) {
	t.Helper()
	testkit.Needs(t, "bash") // to pretend with
	r := &madeUp{tries: make(map[string]int), delay: j.Jobs > 1}
	own := &judge.Judge{Runner: r, Jobs: j.Jobs, Cache: j.Cache}
	defer own.Close()
	fsys := maps.Clone(testkit.Pack(""))
	fsys["generators/gen.sh"] = &fstest.MapFile{Data: []byte("true\n")}
	fsys["submissions/accepted/sum.sh"] = &fstest.MapFile{Data: []byte("true\n")}
	fsys[planFile] = &fstest.MapFile{Data: []byte("solution: /submissions/accepted/sum.sh\ndata:\n  secret:\n    data:" + strings.ReplaceAll(data, "\n", "\n    "))}
	plan, err := ReadPlan(fsys)
	if err != nil {
		t.Fatal(err)
	}
	files, errs := make(map[string]string), make(map[string]error)
	var order []string
	err = Generate(t.Context(), own, fsys, plan, how, func(g Result) error {
		order = append(order, g.Name)
		if g.Err != nil {
			errs[strings.TrimPrefix(g.Name, "secret/")] = g.Err
		}
		for ext, m := range g.Files {
			data, err := m.read(1 << 20)
			if err != nil {
				t.Error(err)
			}
			files[strings.TrimPrefix(g.Path(ext), "secret/")] = string(data)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if !slices.IsSorted(order) {
		t.Errorf("passed in the order %v", order)
	}
	return files, errs, r
}

func TestGenerateOnce(t *testing.T) {
	const data = `
  a: gen.sh 1
  b: {generate: "gen.sh 2 {seed}", count: 20}
  c: {in: x}
  d: {in: x, solution: , ans: y}
  e: {generate: gen.sh same, count: 3}
`
	cache := t.TempDir()
	first, errs, r := generated(t, &judge.Judge{Jobs: 4, Cache: cache}, data, Options{})
	// 22 inputs, and an answer to each and to x.
	if n := r.runs.Load(); len(errs) > 0 || n != 45 || len(first) != 2*26 {
		t.Fatalf("%d runs for %d files (%v), want 45 for 52", n, len(first), errs)
	}
	second, _, r := generated(t, &judge.Judge{Jobs: 4, Cache: cache}, data, Options{})
	if n := r.runs.Load(); n != 0 {
		t.Errorf("%d runs the second time, want none", n)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("the second time (-first +second):\n%s", diff)
	}
	alone, _, r := generated(t, &judge.Judge{Jobs: 1, Cache: cache}, data, Options{NoCache: true})
	// Without the cache, a command of three cases runs three times, and so does the solution.
	if n := r.runs.Load(); n != 49+1 && n != 49 {
		t.Errorf("%d runs without cache, want 49", n)
	}
	if diff := cmp.Diff(first, alone); diff != "" {
		t.Errorf("one at a time (-several +one):\n%s", diff)
	}
	some, _, r := generated(t, &judge.Judge{Jobs: 4, Cache: cache}, data, Options{Cases: []string{"secret/b-{03,04}", "secret/a"}, Twice: true})
	if n := r.runs.Load(); n != 12 || len(some) != 6 {
		t.Errorf("%d runs for %v, want 3 cases made twice", n, some)
	}
}

func TestGenerateFailures(t *testing.T) {
	cache := t.TempDir()
	files, errs, _ := generated(t, &judge.Judge{Jobs: 4, Cache: cache}, `
  a-crash: gen.sh crash
  b-broken: gen.sh broken
  c-flood: gen.sh flood
  d-files: gen.sh files
  e-link: gen.sh link
  f-odd: {generate: "gen.sh odd {seed}", retries: 5}
  g-even: {generate: "gen.sh odd 2", retries: 3}
`, Options{Output: 1000})
	said := make(map[string]string)
	for name, err := range errs {
		said[name] = err.Error()
		var defect *problem.Defect
		if errors.As(err, &defect) == (name == "b-broken") {
			t.Errorf("%s: %v: whose fault?", name, err)
		}
	}
	want := map[string]string{
		"a-crash":  planFile + ":5:7: secret/a-crash: gen.sh crash: exit status 1: no idea",
		"b-broken": "secret/b-broken: the disk is full",
		"c-flood":  planFile + ":7:7: secret/c-flood: gen.sh flood: wrote more than 1000 B",
		"g-even":   planFile + ":11:7: secret/g-even: gen.sh odd 2: exit status 1 (with each of 3 seeds)",
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
	seed := seedOf("", "gen.sh odd {seed}")
	seed += 1 - seed%2
	odd := fmt.Sprintf("%d\n", seed)
	// The description of a case is in its .yaml. A link is not a file of the case.
	if diff := cmp.Diff(map[string]string{
		"d-files.in": "file .in\n", "d-files.ans": "file .ans\n", "d-files.yaml": "hint: file .hint\n",
		"e-link.in": "link\n", "e-link.ans": "answer to link\n",
		"f-odd.in": odd, "f-odd.ans": "answer to " + odd,
	}, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	left, err := filepath.Glob(filepath.Join(cache, "made", makingPrefix+"*"))
	if err != nil || left != nil {
		t.Errorf("half made: %v %v", left, err)
	}
}

func TestGenerateTwice(t *testing.T) {
	_, errs, _ := generated(t, &judge.Judge{Jobs: 1, Cache: t.TempDir()}, `
  a: gen.sh 1
  b: gen.sh extra
  c: gen.sh unsteady
`, Options{Twice: true})
	said := make(map[string]string)
	for name, err := range errs {
		said[name] = err.Error()
		if !errors.Is(err, ErrUnsteady) {
			t.Errorf("%s: the error is not ErrUnsteady", name)
		}
	}
	if diff := cmp.Diff(map[string]string{
		"b": planFile + ":6:7: secret/b: two runs of gen.sh extra made different testcase.png: the first run left none",
		"c": planFile + ":7:7: secret/c: two runs of gen.sh unsteady made different testcase.in: line 2, byte 5: \"b 1\" and \"b 2\"",
	}, said); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

// An error of the callback stops all work.
func TestGenerateStops(t *testing.T) {
	j := &judge.Judge{Runner: &madeUp{tries: make(map[string]int)}, Jobs: 2, Cache: t.TempDir()}
	defer j.Close()
	fsys := maps.Clone(testkit.Pack(""))
	fsys[planFile] = &fstest.MapFile{Data: []byte("data: {secret: {data: {a: {in: x, ans: y, count: 100}}}}\n")}
	plan, err := ReadPlan(fsys)
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	n := 0
	err = Generate(t.Context(), j, fsys, plan, Options{}, func(Result) error {
		n++
		return full
	})
	if !errors.Is(err, full) || n != 1 {
		t.Errorf("%v after %d cases, want %v after one", err, n, full)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = Generate(ctx, j, fsys, plan, Options{}, func(Result) error {
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestStorePrunes(t *testing.T) {
	s := store{dir: t.TempDir()}
	keep := func(name string, age time.Duration) {
		dir, err := s.begin()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "testcase.in"), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.keep(dir, name); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(filepath.Join(s.dir, name), then, then); err != nil {
			t.Fatal(err)
		}
	}
	keep("new", 0)
	keep("old", osfile.MaxAge-time.Hour)
	keep("ancient", osfile.MaxAge+time.Hour)
	if files, ok := s.recall("new"); !ok || files[".in"] == nil || files[".in"].Size != 3 {
		t.Fatalf("what was kept is %v, %v", files, ok)
	}
	osfile.Prune(s.dir, makingPrefix, maxStoreBytes)
	left := func() string {
		entries, err := os.ReadDir(s.dir)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return strings.Join(names, " ")
	}
	if got := left(); got != "new old" {
		t.Errorf("left: %s; want new old", got)
	}
	// This makes the store too large: a sparse file counts with its full size.
	if err := os.Truncate(filepath.Join(s.dir, "old", "testcase.in"), maxStoreBytes); err != nil {
		t.Fatal(err)
	}
	then := time.Now().Add(-2 * osfile.MinAge)
	if err := os.Chtimes(filepath.Join(s.dir, "old"), then, then); err != nil {
		t.Fatal(err)
	}
	osfile.Prune(s.dir, makingPrefix, maxStoreBytes)
	if got := left(); got != "new old" {
		t.Errorf("left: %s; want new old, because the store was pruned less than an hour ago", got)
	}
	then = time.Now().Add(-time.Hour)
	if err := os.Chtimes(s.dir+osfile.Pruned, then, then); err != nil {
		t.Fatal(err)
	}
	osfile.Prune(s.dir, makingPrefix, maxStoreBytes)
	if got := left(); got != "new" {
		t.Errorf("left: %s; want new", got)
	}
	// The files of one run are not accepted as those of another.
	keep("other", 0)
	if err := os.Rename(filepath.Join(s.dir, "other"), filepath.Join(s.dir, "third")); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.recall("third"); ok {
		t.Error("the files of one run serve for another")
	}
	for _, change := range []func(dir string) error{
		func(dir string) error { return os.WriteFile(filepath.Join(dir, "testcase.in"), []byte("NEW"), 0o600) },
		func(dir string) error { return os.Remove(filepath.Join(dir, "testcase.in")) },
		func(dir string) error {
			return os.WriteFile(filepath.Join(dir, sumFile), []byte("0"), 0o600)
		},
		func(dir string) error { return os.Remove(filepath.Join(dir, sumFile)) },
	} {
		keep("new", 0)
		if _, ok := s.recall("new"); !ok {
			t.Fatal("what was kept again is not there")
		}
		if err := change(filepath.Join(s.dir, "new")); err != nil {
			t.Fatal(err)
		}
		if files, ok := s.recall("new"); ok {
			t.Errorf("what was changed serves: %v", files)
		}
	}
}

func TestFirstDifference(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, c := range []struct{ name, a, b, want string }{
		{"none", "a\nb\n", "a\nb\n", ""},
		{"nothing", "", "", ""},
		{"a word", "1 2\n3 4\n", "1 2\n3 5\n", `line 2, byte 7: "3 4" and "3 5"`},
		{"one ends", "1\n2\n", "1\n", `line 2, byte 3: "2" and the end`},
		{"one ends within a line", "1\n23\n", "1\n2", `line 2, byte 4: "23" and "2"`},
		{"one is empty", "", "a", `line 1, byte 1: the end and "a"`},
		{"long lines", long + "a", long + "b", `line 1, byte 101: "` + long[:24] + `a" and "` + long[:24] + `b"`},
		{"no text", "\x00\x01", "\x00\x02", `line 1, byte 2: "\x00\x01" and "\x00\x02"`},
	} {
		got, err := firstDifference(strings.NewReader(c.a), strings.NewReader(c.b))
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

// Update writes complete files or none, with the contents that were made.
func TestUpdate(t *testing.T) {
	dir := t.TempDir()
	s, err := problem.Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	g := Result{Name: "secret/deep/a", Files: map[string]*File{".in": fileOf([]byte("1\n")), ".ans": fileOf([]byte("2\n"))}}
	for _, c := range []struct {
		dry  bool
		want string
	}{{true, ".ans .in"}, {false, ".ans .in"}, {false, ""}} {
		written, err := Update(s, &g, c.dry)
		if got := strings.Join(written, " "); err != nil || got != c.want {
			t.Fatalf("written %q, %v; want %q", got, err, c.want)
		}
	}
	other := filepath.Join(t.TempDir(), "made")
	if err := os.WriteFile(other, []byte("1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := realFile(other)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, []byte("3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g = Result{Name: "secret/deep/a", Files: map[string]*File{".in": m, ".ans": fileOf([]byte("4\n")), ".out": m}}
	if written, err := Update(s, &g, false); err == nil || !strings.Contains(err.Error(), "was changed by another program after it was made") {
		t.Errorf("written %v, %v; want it to be refused", written, err)
	}
	found := make(map[string]string)
	err = fs.WalkDir(s, "data", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			data, err := fs.ReadFile(s, name)
			found[name] = string(data)
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"data/secret/deep/a.in": "1\n", "data/secret/deep/a.ans": "2\n"}, found); diff != "" {
		t.Errorf("in the folder (-want +got):\n%s", diff)
	}
	if err := Remove(s, []string{"secret/deep/a.in", "secret/deep/a.ans"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "data", "secret", "deep")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the empty folder is there still: %v", err)
	}
}
