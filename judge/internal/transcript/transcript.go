// Package transcript runs transcripts, which test the command judge: testdata/*.txtar, in
// the language of testscript with the commands below. A command that a transcript runs
// must leave no processes or temporary files behind, and must not write control characters.
// Transcripts lie beside the package that they show, because go test gives the tests of
// each package 10 minutes.
package transcript

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"

	"crucible/judge"
	"crucible/judge/internal/cli"
	"crucible/judge/internal/testkit"
	"crucible/judge/sandbox"
)

//go:embed sum
var sum embed.FS

// RunBuilt runs the transcripts of a folder with judgelab, which has all commands, under the
// name judge. The go command builds it once for all packages.
func RunBuilt(t *testing.T, dir string) { runBuilt(t, dir, "judgelab") }

// RunCore runs the transcripts of a folder with judge and, for the commands that it does not
// have itself, with judgelab beside it, as users have them.
func RunCore(t *testing.T, dir string) { runBuilt(t, dir, "judge") }

func runBuilt(t *testing.T, dir, program string) {
	if testkit.Raced {
		t.Skip("the command is not built with the race detector; package cmd/judgelab has the transcripts for it")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the submissions in the transcripts are shell scripts")
	}
	command := filepath.Join(t.TempDir(), "judge")
	place(t, program, command)
	if program != "judgelab" {
		place(t, "judgelab", command+"lab")
	}
	Run(t, command, testscript.Params{Dir: dir})
}

// place copies a tool of the module.
func place(t *testing.T, tool, to string) {
	found, err := exec.Command("go", "tool", "-n", tool).Output()
	if err != nil {
		t.Fatalf("go tool -n %s: %v", tool, err)
	}
	data, err := os.ReadFile(strings.TrimSpace(string(found)))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o755); err != nil {
		t.Fatal(err)
	}
}

// Run runs transcripts with the command in a file.
func Run(t *testing.T, command string, scripts testscript.Params) {
	if runtime.GOOS == "windows" {
		t.Skip("the submissions in the transcripts are shell scripts")
	}
	cache := filepath.Dir(testkit.Cache(t))
	scripts.RequireUniqueNames = true
	scripts.Setup = func(e *testscript.Env) error {
		if strings.HasPrefix(filepath.Base(e.WorkDir), "script-attack_") && os.Geteuid() == 0 {
			// At a level below a box, attacks would have the rights of root on the machine.
			var s sandbox.Sandbox
			defer s.Close()
			if level := s.Protection().Level; !level.Full() {
				e.T().Skip("no box for an attack: there is only the level ", level)
			}
		}
		e.Vars = append(e.Vars, "JUDGE="+command, "XDG_CACHE_HOME="+cache, "HOME="+e.WorkDir,
			"CRUCIBLE_HISTORY="+filepath.Join(e.WorkDir, ".history"), "CRUCIBLE_FRESH=1")
		e.Setenv("PATH", filepath.Dir(command)+string(filepath.ListSeparator)+e.Getenv("PATH"))
		// The caller can test all transcripts at each sandbox level.
		e.Setenv("CRUCIBLE_SANDBOX", os.Getenv("CRUCIBLE_SANDBOX"))
		if e.Getenv("GORACE") == "" {
			// A program with the race detector sleeps for a second at exit by default.
			e.Setenv("GORACE", "atexit_sleep_ms=0")
		}
		return nil
	}
	scripts.Condition = func(cond string) (bool, error) {
		switch cond {
		case "root":
			return os.Geteuid() == 0, nil
		case "box":
			var s sandbox.Sandbox
			defer s.Close()
			return s.Protection().Level.Full(), nil
		case "instructions":
			counter, err := counterHere(cache)
			return counter != "", err
		case "emulator":
			counter, err := counterHere(cache)
			return counter != "" && counter != sandbox.HardwareCounters, err
		case "matrix":
			return testkit.Matrix(), nil
		case "namespaces":
			return exec.Command("unshare", "-rm", "true").Run() == nil, nil
		}
		return false, fmt.Errorf("unknown condition %q", cond)
	}
	scripts.Cmds = map[string]func(*testscript.TestScript, bool, []string){
		"problem":   layProblems,
		"folder":    layFolder,
		"zip":       makeZip,
		"status":    runStatus,
		"interrupt": runInterrupted,
		"killed":    runKilled,
		"closed":    runClosed,
		"json":      askJSON,
		"schema":    checkSchema,
		"judge":     runJudge,
	}
	testscript.Run(t, scripts)
}

// runJudge runs the judge, which must succeed or, after !, fail: judge ARGUMENT...
func runJudge(ts *testscript.TestScript, neg bool, args []string) {
	if err := ts.Exec(ts.Getenv("JUDGE"), args...); (err != nil) != neg {
		ts.Fatalf("judge %s: %v", strings.Join(args, " "), err)
	}
}

// counterHere returns what counts instructions here; "" if nothing does, which is an error
// in CI.
func counterHere(cache string) (string, error) {
	j := &judge.Judge{Settings: judge.Settings{Instructions: true}, Cache: filepath.Join(cache, "crucible")}
	err := j.Start()
	counter := j.Counter()
	err = errors.Join(err, j.Close())
	if os.Getenv("CRUCIBLE_REQUIRE_LANGUAGES") == "" && errors.As(err, new(*sandbox.NoCountingError)) {
		return "", nil
	}
	return counter, err
}

// layProblems creates a repository with copies of the package sum: problem ID...
func layProblems(ts *testscript.TestScript, neg bool, ids []string) {
	for _, id := range ids {
		layOut(ts, "problem.yaml", "problems/"+id+"/problem.yaml")
		layOut(ts, "data", "testdata/"+id)
		layOut(ts, "submissions", "solutions/"+id)
	}
}

// layFolder creates packages in one folder each, copies of the package sum: folder DIR...
func layFolder(ts *testscript.TestScript, neg bool, dirs []string) {
	for _, dir := range dirs {
		layOut(ts, ".", dir)
	}
}

// layOut copies a part of the package sum. It does not replace files of the transcript.
func layOut(ts *testscript.TestScript, part, to string) {
	from := path.Join("sum", part)
	ts.Check(fs.WalkDir(sum, from, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		at := ts.MkAbs(filepath.Join(to, strings.TrimPrefix(name, from)))
		if _, err := os.Lstat(at); err == nil {
			return nil
		}
		data, err := sum.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		return os.WriteFile(at, data, 0o644)
	}))
}

// makeZip writes an archive: zip FILE PART... where a part is FOLDER (all files in it,
// below the name of the folder), NAME=FILE, or NAME:SIZE=FILE, with a header that gives
// SIZE bytes as the unpacked size and a wrong checksum.
func makeZip(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: zip FILE PART...")
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name string, data []byte) {
		w, err := z.Create(name)
		ts.Check(err)
		_, err = w.Write(data)
		ts.Check(err)
	}
	for _, part := range args[1:] {
		name, from, single := strings.Cut(part, "=")
		if !single {
			root := ts.MkAbs(part)
			ts.Check(filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				rel, err := filepath.Rel(filepath.Dir(root), file)
				if err == nil {
					add(filepath.ToSlash(rel), []byte(ts.ReadFile(file)))
				}
				return err
			}))
			continue
		}
		data := []byte(ts.ReadFile(from))
		name, claim, lies := strings.Cut(name, ":")
		if !lies {
			add(name, data)
			continue
		}
		size, err := strconv.ParseUint(claim, 10, 64)
		ts.Check(err)
		var packed bytes.Buffer
		deflate, err := flate.NewWriter(&packed, flate.DefaultCompression)
		ts.Check(err)
		_, err = deflate.Write(data)
		ts.Check(errors.Join(err, deflate.Close()))
		header := &zip.FileHeader{Name: name, Method: zip.Deflate, CRC32: 1, UncompressedSize64: size}
		header.CompressedSize64 = uint64(packed.Len())
		w, err := z.CreateRaw(header)
		ts.Check(err)
		_, err = packed.WriteTo(w)
		ts.Check(err)
	}
	ts.Check(z.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o644))
}

// runStatus runs a command that must exit with status N: status N COMMAND...
func runStatus(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	cmd := commandOf(ts, args[1:])
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	ts.Check(cmd.Start())
	finish(ts, cmd, want, args[1:])
}

// runClosed runs a command whose standard output is a closed pipe: closed COMMAND...
func runClosed(ts *testscript.TestScript, neg bool, args []string) {
	r, w, err := os.Pipe()
	ts.Check(err)
	cmd := commandOf(ts, args)
	cmd.Stdout, cmd.Stderr = w, ts.Stderr()
	ts.Check(r.Close())
	ts.Check(cmd.Start())
	ts.Check(w.Close())
	finish(ts, cmd, cli.StatusUnread, args)
}

// runInterrupted runs a command and interrupts it when a program whose command line
// contains WORD runs in the folder of the transcript: interrupt WORD COMMAND... The
// command receives the signal twice, as from go tool.
func runInterrupted(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: interrupt WORD COMMAND...")
	}
	word, args := args[0], args[1:]
	cmd := commandOf(ts, args)
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	ts.Check(cmd.Start())
	awaitProgram(ts, cmd, word)
	launchers := childrenOf(strconv.Itoa(cmd.Process.Pid))
	ts.Check(cmd.Process.Signal(os.Interrupt))
	ts.Check(cmd.Process.Signal(os.Interrupt))
	finish(ts, cmd, cli.StatusInterrupted, args)
	for _, pid := range launchers {
		for _, depth := range []string{"", "*/", "*/*/", "*/*/*/"} {
			if left, _ := filepath.Glob("/sys/fs/cgroup/" + depth + "crucible-launcher-" + pid + "-*"); left != nil {
				ts.Fatalf("%s left cgroups behind: %v", strings.Join(args, " "), left)
			}
		}
	}
	if mounts, _ := os.ReadFile("/proc/self/mountinfo"); bytes.Contains(mounts, []byte(ts.Getenv("WORK")+"/")) {
		ts.Fatalf("%s left mounts behind:\n%s", strings.Join(args, " "), mounts)
	}
}

// childrenOf lists the ids of the child processes of a process; none on systems without
// /proc.
func childrenOf(pid string) (children []string) {
	threads, _ := os.ReadDir("/proc/" + pid + "/task")
	for _, thread := range threads {
		text, _ := os.ReadFile("/proc/" + pid + "/task/" + thread.Name() + "/children")
		children = append(children, strings.Fields(string(text))...)
	}
	return children
}

// runKilled runs a command and kills it when runInterrupted would interrupt it: killed
// WORD COMMAND... It removes the temporary files that the command leaves.
func runKilled(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: killed WORD COMMAND...")
	}
	cmd := commandOf(ts, args[1:])
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	ts.Check(cmd.Start())
	awaitProgram(ts, cmd, args[0])
	ts.Check(cmd.Process.Kill())
	cmd.Wait()
	ts.Check(os.RemoveAll(ts.Getenv("TMPDIR")))
	ts.Check(os.Mkdir(ts.Getenv("TMPDIR"), 0o777))
}

// awaitProgram waits until a descendant of the command runs whose command line contains
// a word.
func awaitProgram(ts *testscript.TestScript, cmd *exec.Cmd, word string) {
	for deadline := time.Now().Add(time.Minute); !hasDescendant(strconv.Itoa(cmd.Process.Pid), word); {
		if time.Sleep(10 * time.Millisecond); time.Now().After(deadline) {
			cmd.Process.Kill()
			cmd.Wait()
			ts.Fatalf("no program with %s in its command line was run", word)
		}
	}
}

// hasDescendant reports whether a descendant of a process has a word in its command line.
func hasDescendant(pid, word string) bool {
	return slices.ContainsFunc(childrenOf(pid), func(child string) bool {
		said, _ := os.ReadFile("/proc/" + child + "/cmdline")
		return bytes.Contains(said, []byte(word)) || hasDescendant(child, word)
	})
}

// commandOf returns a command of a transcript. It finds the judge even if the transcript
// changes PATH.
func commandOf(ts *testscript.TestScript, args []string) *exec.Cmd {
	name := args[0]
	if name == "judge" {
		name = ts.Getenv("JUDGE")
	}
	cmd := exec.Command(name, args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Args[0], cmd.WaitDelay = args[0], 10*time.Second
	for _, key := range []string{
		"PATH", "HOME", "XDG_CACHE_HOME", "TMPDIR", "GOCOVERDIR", "GORACE", "JUDGE",
		"NO_COLOR", "TERM", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "CRUCIBLE_REQUIRE_LANGUAGES",
		"CRUCIBLE_SANDBOX", "CRUCIBLE_HISTORY", "CRUCIBLE_CACHE", "CRUCIBLE_FRESH",
	} {
		if value := ts.Getenv(key); value != "" {
			cmd.Env = append(cmd.Env, key+"="+value)
		}
	}
	cmd.Env = append(cmd.Env, "PWD="+cmd.Dir)
	return cmd
}

// finish waits for a command. It checks the exit status, that no temporary files and
// processes are left, and that the output contains no control characters.
func finish(ts *testscript.TestScript, cmd *exec.Cmd, want int, args []string) {
	// No transcript takes as long as this. SIGQUIT makes a judge that hangs print its
	// stacks.
	watch := time.AfterFunc(2*time.Minute, func() { cmd.Process.Signal(syscall.SIGQUIT) })
	err := cmd.Wait()
	if !watch.Stop() {
		ts.Fatalf("%s: hangs", strings.Join(args, " "))
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%v", err)
	}
	if got := cmd.ProcessState.ExitCode(); got != want {
		ts.Fatalf("%s: exit status %d (%v), expected %d", strings.Join(args, " "), got, cmd.ProcessState, want)
	}
	if left, err := os.ReadDir(ts.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		ts.Fatalf("%s left temporary files behind: %v %v", strings.Join(args, " "), left, err)
	}
	// A killed program may take a moment to end.
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		left := processesIn(ts.Getenv("WORK"))
		if left == nil {
			break
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%s left processes behind:\n%s", strings.Join(args, " "), strings.Join(left, "\n"))
		}
	}
	if slices.Contains(args, "--color=always") {
		return
	}
	for what, w := range map[string]io.Writer{"stdout": ts.Stdout(), "stderr": ts.Stderr()} {
		text := w.(fmt.Stringer).String()
		isControl := func(r rune) bool { return r != '\n' && r != '\t' && (r < ' ' || r >= 0x7f && r < 0xa0) }
		if i := strings.IndexFunc(text, isControl); i >= 0 || !utf8.ValidString(text) {
			ts.Fatalf("%s of %s has control characters: %.80q", what, strings.Join(args, " "), text[max(i, 0):])
		}
	}
}

// processesIn lists the processes whose working folder is in dir or whose command line
// contains dir; none on systems without /proc.
func processesIn(dir string) []string {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1) // a Glob would list the folder of each process as well
	var found []string
	for _, pid := range names {
		if pid[0] < '0' || pid[0] > '9' {
			continue
		}
		cwd, _ := os.Readlink("/proc/" + pid + "/cwd")
		said, _ := os.ReadFile("/proc/" + pid + "/cmdline")
		if cwd == dir || strings.HasPrefix(cwd, dir+"/") || bytes.Contains(said, []byte(dir+"/")) {
			found = append(found, fmt.Sprintf("%s in %s: %q", pid, cwd, said))
		}
	}
	return found
}

// askJSON compares a value of a JSON file with WANT: json FILE KEY... = WANT. A key
// selects a value of an object, or an element of an array by its name, id or case, or by
// its index. The key length selects the number of elements of an array.
func askJSON(ts *testscript.TestScript, neg bool, args []string) {
	n := len(args)
	if n < 3 || args[n-2] != "=" {
		ts.Fatalf("usage: json FILE KEY... = WANT")
	}
	var at any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &at))
	for _, key := range args[1 : n-2] {
		next, ok := into(at, key)
		if !ok {
			ts.Fatalf("%s: no %q in %.300v", strings.Join(args, " "), key, at)
		}
		at = next
	}
	got, isText := at.(string)
	if !isText {
		data, err := json.Marshal(at)
		ts.Check(err)
		got = string(data)
	}
	if (got == args[n-1]) == neg {
		ts.Fatalf("json %s: is %s", strings.Join(args, " "), got)
	}
}

func into(at any, key string) (any, bool) {
	switch at := at.(type) {
	case map[string]any:
		value, ok := at[key]
		return value, ok
	case []any:
		if key == "length" {
			return len(at), true
		}
		for _, element := range at {
			object, _ := element.(map[string]any)
			if object["id"] == key || object["name"] == key || object["case"] == key {
				return element, true
			}
		}
		if i, err := strconv.Atoi(key); err == nil && i < len(at) {
			return at[i], true
		}
	}
	return nil, false
}

// documented lists keys that are always present in the JSON document.
var documented = map[string][]string{
	"": {"schema", "machine", "elapsed_ns", "problems"},
	"problems": {
		"id", "path", "error", "limits", "cases", "submissions", "measurement", "comparison", "scaling", "band",
	},
	"submissions": {
		"name", "language", "expected", "verdict", "as_expected", "broken", "broken_by", "error", "package_error",
		"skipped", "compile", "runs",
	},
	"expected": {"cases", "permitted", "required", "score", "message", "final", "partial", "timing"},
	"compile":  {"exit", "message", "cached"},
	"runs": {
		"case", "verdict", "why", "cpu_ns", "wall_ns", "waited_ns", "memory_bytes", "exit", "signal", "exceeded",
		"enforced", "times", "stderr", "score", "error",
	},
}

// checkSchema checks that JSON documents have the documented keys: schema FILE...
func checkSchema(ts *testscript.TestScript, neg bool, files []string) {
	for _, file := range files {
		var document map[string]any
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(file)), &document))
		if document["schema"] != 1.0 {
			ts.Fatalf("%s: schema %v, expected 1", file, document["schema"])
		}
		ts.Check(hasKeys(file, "", document))
	}
}

func hasKeys(where, kind string, value any) error {
	switch value := value.(type) {
	case []any:
		for i, element := range value {
			if err := hasKeys(fmt.Sprintf("%s[%d]", where, i), kind, element); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, key := range documented[kind] {
			if _, ok := value[key]; !ok {
				return fmt.Errorf("%s has no key %s", where, key)
			}
		}
		for key, below := range value {
			if err := hasKeys(where+"."+key, key, below); err != nil {
				return err
			}
			if below == nil && documented[key] != nil {
				return fmt.Errorf("%s.%s is null", where, key)
			}
		}
	}
	return nil
}
